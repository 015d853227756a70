//! The plain networks, and networks from which learning continues.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::run::{Initialisation, Training};
use super::{Data, LearnError};
use crate::disk::sha256_of_file;
use crate::net::Net;
use crate::net::dense::DenseShape;
use crate::net::store::{self, StoreError};
use crate::net::{DenseNet, Network};
use crate::settings::{SettingError, Settings, within};
use crate::train::{SupervisedSettings, TdSettings};

/// A plain network, and its training by `S`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DenseConfig<S> {
    /// Its layers.
    pub network: DenseShape,
    /// Its training.
    pub training: S,
}

/// A plain network trained by back-propagation.
pub type BpConfig = DenseConfig<SupervisedSettings>;
/// A plain network trained by TD(λ).
pub type TdConfig = DenseConfig<TdSettings>;

impl<S: Settings> DenseConfig<S> {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        within("network", self.network.check())?;
        within("training", self.training.check())
    }
}

impl<S: Serialize> DenseConfig<S> {
    /// The network before it is trained by `method`. All methods start from the same weights, as S5 asks for, so that only the
    /// method differs.
    pub fn initial(&self, data: &Data, method: &str) -> Initialisation {
        let net = DenseNet::random(data.coding.clone(), self.network.clone(), data.seed, "dense-initial-weights");
        Initialisation { net: Net::Dense(net), about: data.about(method, self) }
    }

    /// The untrained network, and its training.
    pub fn start(&self, data: &Data) -> (Initialisation, Training)
    where
        S: Clone + Into<Training>,
    {
        let training: Training = self.training.clone().into();
        (self.initial(data, training.method()), training)
    }
}

/// A trained network from which learning continues.
#[derive(Clone)]
pub struct WarmStart {
    net: Net,
    /// The rules behind its neurons, if it is a rough network.
    rules: Vec<String>,
    /// Name and SHA-256 of its file.
    pub(super) file: (String, String),
}

impl WarmStart {
    /// Reads the network that `path` stands for, a file or the folder of a run.
    ///
    /// # Errors
    /// When it cannot be read or is none.
    pub fn load(path: &Path) -> Result<Self, LearnError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (net, about) = store::load(path)?;
        let read = |source| StoreError::Io { action: "read", path: path.to_owned(), source };
        let checksum = sha256_of_file(&store::network_file(path)).map_err(read)?;
        Ok(Self { net, rules: about.rules, file: (name, checksum) })
    }

    /// This network in place of the untrained one of `start`; its file is listed among the inputs.
    ///
    /// # Errors
    /// When it reads other attributes than `data` holds.
    pub fn take_over(self, data: &Data, mut start: Initialisation) -> Result<Initialisation, LearnError> {
        let Self { net, rules, file } = self;
        if *net.coding() != data.coding {
            return Err(LearnError::WarmStart { name: file.0 });
        }
        start.about.settings["init"] = file.0.as_str().into();
        start.about.inputs.push(file);
        start.about.rules = rules;
        Ok(Initialisation { net, ..start })
    }
}
