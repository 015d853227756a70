//! The plain networks: trained by back-propagation, or by TD(λ).

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::run::{Keeping, train};
use super::{Data, LearnError, Learned};
use crate::disk::sha256_of_file;
use crate::net::DenseNet;
use crate::net::store::{self, About, Net, StoreError};
use crate::observe::Observer;
use crate::setting::{SettingError, require};
use crate::train::{Supervised, SupervisedSettings, TdLambda, TdSettings};

/// The plain network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BpConfig {
    /// Hidden neurons, N, in [1, 1024].
    pub hidden: usize,
    /// Its training.
    pub training: SupervisedSettings,
}

impl BpConfig {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        check_hidden(self.hidden)?;
        self.training.check()
    }
}

/// The TD(λ) network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TdConfig {
    /// Hidden neurons, N, in [1, 1024].
    pub hidden: usize,
    /// Its training.
    pub training: TdSettings,
}

impl TdConfig {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        check_hidden(self.hidden)?;
        self.training.check()
    }
}

fn check_hidden(hidden: usize) -> Result<(), SettingError> {
    require((1..=1024).contains(&hidden), "--hidden", "in [1, 1024]", hidden)
}

/// Trains the plain network by back-propagation.
///
/// # Errors
/// When what it keeps cannot be read or written.
pub fn bp(
    data: &Data,
    config: &BpConfig,
    name: &str,
    keeping: Option<Keeping<'_>>,
    observer: &dyn Observer,
) -> Result<Learned, LearnError> {
    let mut net = initial_dense(data, config.hidden);
    let mut method = Supervised::new(config.training.clone(), data.seed, &net);
    let curve = train(&mut method, &mut net, data, (name, config.training.passes), keeping, observer)?;
    let n_positions = data.training.len();
    Ok(Learned { name: name.to_owned(), net: Net::Dense(net), about: data.about("bp", config), curve, n_positions })
}

/// Trains the plain network by TD(λ).
///
/// # Errors
/// When what it keeps cannot be read or written, or training runs away.
pub fn td(
    data: &Data,
    config: &TdConfig,
    name: &str,
    keeping: Option<Keeping<'_>>,
    observer: &dyn Observer,
) -> Result<Learned, LearnError> {
    let net = initial_dense(data, config.hidden);
    go_on_by_td(data, (net, data.about("td", config)), (name, config), keeping, observer)
}

/// A network whose learning goes on.
pub struct Predecessor {
    net: DenseNet,
    /// Name and SHA-256 of its file.
    file: (String, String),
}

impl Predecessor {
    /// Reads the network that `path` stands for, a file or the folder of a run; it must be a plain one.
    ///
    /// # Errors
    /// When it cannot be read or is none.
    pub fn load(path: &Path) -> Result<Self, LearnError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Net::Dense(net) = store::load(path)?.0 else { return Err(LearnError::Predecessor { name }) };
        let read = |source| StoreError::Io { action: "read", path: path.to_owned(), source };
        let checksum = sha256_of_file(&store::network_file(path)).map_err(read)?;
        Ok(Self { net, file: (name, checksum) })
    }

    /// The number of its hidden neurons.
    #[must_use]
    pub fn n_hidden(&self) -> usize {
        self.net.n_hidden()
    }

    /// The SHA-256 of its file.
    #[must_use]
    pub fn checksum(&self) -> &str {
        &self.file.1
    }
}

/// As [`td`], but from the weights of `predecessor`, whose file is listed among the inputs.
///
/// # Errors
/// As [`td`], and when the network reads other attributes than `data` holds.
pub fn td_from(
    predecessor: Predecessor,
    data: &Data,
    config: &TdConfig,
    name: &str,
    keeping: Option<Keeping<'_>>,
    observer: &dyn Observer,
) -> Result<Learned, LearnError> {
    let Predecessor { net, file } = predecessor;
    if *net.coding() != data.coding {
        return Err(LearnError::Predecessor { name: file.0 });
    }
    let mut about = data.about("td", config);
    about.settings["init"] = file.0.as_str().into();
    about.inputs.push(file);
    go_on_by_td(data, (net, about), (name, config), keeping, observer)
}

/// Trains `net`, which is described by `about`, by TD(λ).
fn go_on_by_td(
    data: &Data,
    (mut net, about): (DenseNet, About),
    (name, config): (&str, &TdConfig),
    keeping: Option<Keeping<'_>>,
    observer: &dyn Observer,
) -> Result<Learned, LearnError> {
    let mut method = TdLambda::new(config.training.clone());
    let curve = train(&mut method, &mut net, data, (name, config.training.passes), keeping, observer)?;
    Ok(Learned { name: name.to_owned(), net: Net::Dense(net), about, curve, n_positions: data.training.len() })
}

/// BP and TD(λ) start from the same weights, as S5 asks for, so that only the method differs.
fn initial_dense(data: &Data, hidden: usize) -> DenseNet {
    DenseNet::random(data.coding.clone(), hidden, data.seed, "dense-initial-weights")
}
