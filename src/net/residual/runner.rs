//! A network on the device that was asked for.

use super::batch::{Batch, Losses};
#[cfg(feature = "burn")]
use super::burn::BurnNet;
use super::device::{Device, DeviceError};
use super::gradient::Gradient;
use super::inference::Inference;
use super::shape::Shape;
use super::weights::Weights;

/// A network made ready for many evaluations on a device.
#[derive(Debug)]
pub enum Runner {
    /// Our own code, on the processor.
    Own(Inference),
    /// The library burn.
    #[cfg(feature = "burn")]
    Burn(Box<BurnNet>),
}

/// That `device` needs a feature without which this program was built.
#[cfg(not(feature = "burn"))]
const fn not_built(device: Device) -> DeviceError {
    DeviceError::NotBuilt { device, feature: if matches!(device, Device::Gpu) { "gpu" } else { "burn" } }
}

impl Runner {
    /// Makes `weights` ready on `device`.
    ///
    /// # Errors
    /// When this program or this machine has no such device.
    pub fn on(device: Device, weights: &Weights) -> Result<Self, DeviceError> {
        match device {
            Device::Cpu => Ok(Self::Own(Inference::new(weights))),
            #[cfg(feature = "burn")]
            Device::Gpu | Device::Burn => Ok(Self::Burn(Box::new(BurnNet::new(weights, device)?))),
            #[cfg(not(feature = "burn"))]
            Device::Gpu | Device::Burn => Err(not_built(device)),
        }
    }

    /// The sizes of the network.
    pub const fn shape(&self) -> &Shape {
        match self {
            Self::Own(net) => net.shape(),
            #[cfg(feature = "burn")]
            Self::Burn(net) => net.shape(),
        }
    }

    /// As [`Inference::evaluate`]; on other devices the last bits of an answer may depend on the number of rows.
    pub fn evaluate(&self, rows: &[f32], logits: &mut [f32], values: &mut [f32]) {
        match self {
            Self::Own(net) => net.evaluate(rows, logits, values),
            #[cfg(feature = "burn")]
            Self::Burn(net) => net.evaluate(rows, logits, values),
        }
    }
}

/// What finds gradients on a device.
#[derive(Debug)]
pub(super) enum GradientBackend {
    /// Our own code, on the processor.
    Own(Box<Gradient>),
    /// The library burn.
    #[cfg(feature = "burn")]
    Burn(Box<BurnNet>),
}

impl GradientBackend {
    /// Makes ready for networks of the shape of `weights`.
    pub fn on(device: Device, weights: &Weights) -> Result<Self, DeviceError> {
        match device {
            Device::Cpu => Ok(Self::Own(Box::new(Gradient::new(weights)))),
            #[cfg(feature = "burn")]
            Device::Gpu | Device::Burn => Ok(Self::Burn(Box::new(BurnNet::new(weights, device)?))),
            #[cfg(not(feature = "burn"))]
            Device::Gpu | Device::Burn => Err(not_built(device)),
        }
    }

    /// The mean losses of `batch` with `weights`, and into `gradient` the gradient of their sum; without the part of the weights.
    pub(crate) fn of_batch(&mut self, weights: &Weights, batch: &Batch, gradient: &mut [f32]) -> Losses {
        match self {
            Self::Own(own) => own.of_batch(weights, batch, gradient),
            #[cfg(feature = "burn")]
            Self::Burn(net) => net.of_batch(weights, batch, gradient),
        }
    }
}
