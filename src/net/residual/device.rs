//! Where a network is computed.

use crate::settings::choices;

choices! {
    /// Where a network is computed.
    pub enum Device = Cpu {
        /// On this machine's processor, by this library's own code: the same bytes on every machine.
        Cpu,
        /// On a graphics processor, through the library burn, in a program that was built with the feature `gpu`.
        Gpu,
        /// On the processor, through the library burn, in a program that was built with the feature `burn`: slow, for comparison.
        Burn,
    }
}

/// Why a network cannot be computed on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
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
