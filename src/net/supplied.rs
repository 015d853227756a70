//! The networks that come with the program, by short names.

use std::path::Path;

/// A network that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct SuppliedNetwork {
    /// The short name.
    pub name: &'static str,
    pub(super) bytes: &'static [u8],
}

macro_rules! supplied {
    ($name:literal) => {
        SuppliedNetwork {
            name: $name,
            bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/nets/", $name, ".safetensors")),
        }
    };
}

/// The networks that come with the program. Their files say for which game; `datasets/nets/SOURCE.md` says how they were made.
pub const SUPPLIED_NETWORKS: [SuppliedNetwork; 5] =
    [supplied!("rough"), supplied!("bp"), supplied!("td"), supplied!("tdbp"), supplied!("zero")];

/// Whether `path` is the short name of a network that comes with the program.
pub fn is_supplied(path: &Path) -> bool {
    supplied(path).is_some()
}

/// The network that `path`, taken for a short name, stands for.
pub(super) fn supplied(path: &Path) -> Option<&'static SuppliedNetwork> {
    SUPPLIED_NETWORKS.iter().find(|network| path.as_os_str() == network.name)
}
