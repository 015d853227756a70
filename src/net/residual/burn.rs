//! The same network through the library burn, on any device that it knows.

use burn::tensor::activation::{log_softmax, relu};
use burn::tensor::module::conv2d;
use burn::tensor::ops::ConvOptions;
use burn::tensor::{Bool, Device as BurnDevice, Tensor, TensorData};

use super::batch::{Batch, Losses};
use super::device::{Device, DeviceError};
use super::shape::Shape;
use super::weights::{Layout, Linear, Weights, tensors};

/// A network on a device of burn.
#[derive(Debug)]
pub struct BurnNet {
    shape: Shape,
    device: BurnDevice,
    net: Net,
}

/// The tensors of a network, as a file of ours has them, all with one dimension.
#[derive(Debug, Clone)]
struct Net {
    convolutions: Vec<Linear<Tensor<1>>>,
    from: Linear<Tensor<1>>,
    to: Linear<Tensor<1>>,
    value: Linear<Tensor<1>>,
    hidden: Linear<Tensor<1>>,
    output: Linear<Tensor<1>>,
}

/// The device of burn that `device` stands for.
fn find(device: Device) -> Result<BurnDevice, DeviceError> {
    match device {
        Device::Gpu => gpu(),
        Device::Cpu | Device::Burn => Ok(BurnDevice::flex()),
    }
}

#[cfg(feature = "gpu")]
fn gpu() -> Result<BurnDevice, DeviceError> {
    use burn::tensor::DeviceType;
    // Lists what the drivers have; asking for a device that is not there would end the program.
    BurnDevice::enumerate(DeviceType::Wgpu).into_vec().into_iter().next().ok_or(DeviceError::NotFound)
}

#[cfg(not(feature = "gpu"))]
const fn gpu() -> Result<BurnDevice, DeviceError> {
    Err(DeviceError::NotBuilt { device: Device::Gpu, feature: "gpu" })
}

fn floats<const D: usize>(values: &[f32], sizes: [usize; D], device: &BurnDevice) -> Tensor<D> {
    Tensor::from_data(TensorData::new(values.to_vec(), sizes), device)
}

fn numbers<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    // The device can only fail to give what it computed by being lost, which leaves nothing to go on with.
    tensor.into_data().try_into_vec::<f32>().unwrap_or_default()
}

impl Net {
    fn new(weights: &Weights, device: &BurnDevice, of: impl Fn(Tensor<1>) -> Tensor<1>) -> Self {
        let layout = Layout::new(weights.shape());
        let list = |numbers: &[f32]| of(floats(numbers, [numbers.len()], device));
        let map = |linear: &Linear<_>| {
            let Linear { weights, bias } = linear.of(weights.flat());
            Linear { weights: list(weights), bias: list(bias) }
        };
        Self {
            convolutions: layout.convolutions.iter().map(map).collect(),
            from: map(&layout.from),
            to: map(&layout.to),
            value: map(&layout.value),
            hidden: map(&layout.hidden),
            output: map(&layout.output),
        }
    }

    /// All tensors in the order of [`tensors`].
    fn all(&self) -> impl Iterator<Item = &Tensor<1>> {
        let heads = [&self.from, &self.to, &self.value, &self.hidden, &self.output];
        self.convolutions.iter().chain(heads).flat_map(|map| [&map.weights, &map.bias])
    }

    /// Logits (n, points²) and values (n).
    fn forward(&self, shape: &Shape, planes: Tensor<4>) -> (Tensor<2>, Tensor<1>) {
        let mut x = planes;
        for (layer, map) in self.convolutions.iter().enumerate() {
            let sums = convolve(map, [3, 3, shape.channels_into(layer), shape.channels], x.clone());
            x = relu(if layer == 0 { sums } else { x + sums });
        }
        let head = |map: &Linear<Tensor<1>>, width: usize| {
            let [n, ..] = x.dims();
            convolve(map, [1, 1, shape.channels, width], x.clone()).reshape([n, width, shape.points()])
        };
        let (from, to) = (head(&self.from, shape.policy_channels), head(&self.to, shape.policy_channels));
        let [n, ..] = x.dims();
        let scale = (shape.policy_channels as f64).sqrt();
        let logits = from.swap_dims(1, 2).matmul(to).div_scalar(scale).reshape([n, shape.n_logits()]);
        let value = relu(head(&self.value, shape.value_channels)).swap_dims(1, 2).reshape([n, shape.value_inputs()]);
        let hidden = relu(linear(&self.hidden, [shape.value_inputs(), shape.value_hidden], value));
        (logits, linear(&self.output, [shape.value_hidden, 1], hidden).reshape([n]).tanh())
    }
}

fn convolve(map: &Linear<Tensor<1>>, sizes: [usize; 4], x: Tensor<4>) -> Tensor<4> {
    let border = sizes[0] / 2;
    let kernel = map.weights.clone().reshape(sizes).permute([3, 2, 0, 1]);
    conv2d(x, kernel, Some(map.bias.clone()), ConvOptions::new([1, 1], [border, border], [1, 1], 1))
}

fn linear(map: &Linear<Tensor<1>>, sizes: [usize; 2], x: Tensor<2>) -> Tensor<2> {
    x.matmul(map.weights.clone().reshape(sizes)) + map.bias.clone().reshape([1, sizes[1]])
}

impl BurnNet {
    /// Takes `weights` to a device.
    ///
    /// # Errors
    /// When this program or this machine has no such device.
    pub fn new(weights: &Weights, device: Device) -> Result<Self, DeviceError> {
        let device = find(device)?;
        Ok(Self { shape: *weights.shape(), net: Net::new(weights, &device, |tensor| tensor), device })
    }

    /// The sizes of the network.
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// As [`super::Inference::evaluate`], except that the last bits of an answer may depend on the number of rows.
    pub fn evaluate(&self, rows: &[f32], logits: &mut [f32], values: &mut [f32]) {
        if values.is_empty() {
            return;
        }
        let (all, v) = self.net.forward(&self.shape, self.planes(rows, values.len()));
        logits.copy_from_slice(&numbers(all));
        values.copy_from_slice(&numbers(v));
    }

    fn planes(&self, rows: &[f32], n: usize) -> Tensor<4> {
        floats(rows, [n, self.shape.planes, self.shape.rows, self.shape.columns], &self.device)
    }

    /// As [`super::gradient::Gradient::of_batch`].
    pub(super) fn of_batch(&self, weights: &Weights, batch: &Batch, gradient: &mut [f32]) -> Losses {
        let device = self.device.clone().autodiff();
        let net = Net::new(weights, &device, Tensor::require_grad);
        let n = batch.len();
        let sizes = [n, self.shape.planes, self.shape.rows, self.shape.columns];
        let (logits, values) = net.forward(&self.shape, floats(&batch.rows, sizes, &device));
        let (policy, illegal) = self.targets(batch, &device);
        // Far below any logit, and yet a number that its probability 0 can be multiplied with.
        let logits = log_softmax(logits.mask_fill(illegal, -1e9), 1);
        let cross = (logits * policy).sum().neg().div_scalar(n as f64);
        let error = values - floats(&batch.values, [n], &device);
        let square = (error.clone() * error).mean();
        let mut gradients = (cross.clone() + square.clone()).backward();
        for (tensor, place) in net.all().zip(tensors(&self.shape)) {
            match tensor.grad_remove(&mut gradients) {
                Some(slope) => gradient[place.range].copy_from_slice(&numbers(slope)),
                None => gradient[place.range].fill(0.0),
            }
        }
        let number = |tensor| numbers::<1>(tensor).first().copied().map_or(f64::NAN, f64::from);
        Losses { policy: number(cross), value: number(square), l2: 0.0 }
    }

    /// The probabilities of all moves, and which are not legal.
    fn targets(&self, batch: &Batch, device: &BurnDevice) -> (Tensor<2>, Tensor<2, Bool>) {
        let width = self.shape.n_logits();
        let mut policy = vec![0.0; batch.len() * width];
        let mut illegal = vec![true; policy.len()];
        for row in 0..batch.len() {
            let (moves, probabilities) = batch.moves_of(row);
            for (&mv, &probability) in moves.iter().zip(probabilities) {
                policy[row * width + mv as usize] += probability;
                illegal[row * width + mv as usize] = false;
            }
        }
        let sizes = [batch.len(), width];
        (floats(&policy, sizes, device), Tensor::from_data(TensorData::new(illegal, sizes), device))
    }
}
