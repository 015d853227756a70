//! Where a network is computed.

use serde::{Deserialize, Serialize};

/// Where a network is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Device {
    /// On this machine's processor, by this library's own code: the same bytes on every machine.
    #[default]
    Cpu,
    /// On a graphics processor, through the library burn, in a program that was built with the feature `gpu`.
    Gpu,
    /// On the processor, through the library burn, in a program that was built with the feature `burn`: slow, for comparison.
    Burn,
}

/// Why a network cannot be computed on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// There is no such device.
    #[error("unknown device: expected cpu, gpu or burn")]
    Unknown,
    /// The program cannot use any.
    #[error("this program was built without the feature `{feature}`, which device {device} needs")]
    NotBuilt {
        /// The device.
        device: Device,
        /// The feature of the package.
        feature: &'static str,
    },
    /// The machine has none.
    #[error("no graphics processor found on this machine: expected one that the Vulkan, Metal or DirectX driver lists")]
    NotFound,
}

impl std::fmt::Display for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
            Self::Burn => "burn",
        })
    }
}

impl std::str::FromStr for Device {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Self, DeviceError> {
        [Self::Cpu, Self::Gpu, Self::Burn]
            .into_iter()
            .find(|device| device.to_string() == text)
            .ok_or(DeviceError::Unknown)
    }
}
