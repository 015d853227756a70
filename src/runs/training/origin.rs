//! What the file of a trained network says of its training, so that it can be trained in the same way on other games.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::dense::WarmStart;
use super::run::{Initialisation, Training};
use super::{Data, DataSettings, LearnError};
use crate::net::store::About;
use crate::train::play::Learning;
use crate::train::{SupervisedSettings, TdSettings};

/// A trained network as what others are made of: which positions it learned from, and how.
#[derive(Debug, Clone)]
pub struct Origin {
    network: WarmStart,
    about: About,
    data: DataSettings,
    training: Training,
}

impl Origin {
    /// Reads the network that `path` stands for.
    ///
    /// # Errors
    /// When it cannot be read, or its file does not say how it was trained by back-propagation or TD(λ).
    pub fn load(path: &Path) -> Result<Self, LearnError> {
        let (network, about) = WarmStart::with_about(path)?;
        let said = |what: &'static str| LearnError::Origin { name: network.file.0.clone(), what };
        let data = read(&about, "/data").ok_or_else(|| said("which positions it learned from"))?;
        let training = match about.method.as_str() {
            "td" => read(&about, "/method/training").or_else(|| td_of_games(&about)).map(Training::Td),
            _ => read(&about, "/method/training").map(Training::Supervised),
        };
        let training = training.ok_or_else(|| said("how it was trained by back-propagation or TD(λ)"))?;
        Ok(Self { network, about, data, training })
    }

    /// The same with another training by back-propagation.
    ///
    /// # Errors
    /// When the network was trained by TD(λ).
    pub fn with_training(self, training: SupervisedSettings) -> Result<Self, LearnError> {
        match self.training {
            Training::Supervised(_) => Ok(Self { training: Training::Supervised(training), ..self }),
            Training::Td(_) => Err(LearnError::Origin {
                name: self.network.file.0,
                what: "that it was trained by back-propagation, which is what these settings are of",
            }),
        }
    }

    /// How the network was trained.
    pub fn training(&self) -> &Training {
        &self.training
    }

    /// Which positions it learned from, and what it aimed at.
    pub fn data(&self) -> &DataSettings {
        &self.data
    }

    /// The name of its game.
    pub fn game(&self) -> &str {
        &self.about.game
    }

    /// Name and SHA-256 of its file.
    pub fn file(&self) -> &(String, String) {
        &self.network.file
    }

    /// The network at `path`, which was made of this one, before it is trained again on `data`; `settings` go into its file beside
    /// those of its training.
    ///
    /// # Errors
    /// When it cannot be read, or reads other attributes than `data` holds.
    pub(crate) fn go_on(
        &self,
        path: &Path,
        data: &Data,
        settings: &impl Serialize,
    ) -> Result<Initialisation, LearnError> {
        let method = self.about.settings.get("method").cloned().unwrap_or_default();
        let mut about = data.about(&self.about.method, &method);
        about.settings["method"]["training"] = training_value(&self.training);
        about.settings["iteration"] = serde_json::to_value(settings).unwrap_or_default();
        WarmStart::load(path)?.continued(data, about)
    }
}

/// The settings alone, as the file of a network holds them.
fn training_value(training: &Training) -> serde_json::Value {
    let value = match training {
        Training::Supervised(settings) => serde_json::to_value(settings),
        Training::Td(settings) => serde_json::to_value(settings),
    };
    value.unwrap_or_default()
}

/// TD(λ) as a network learned by it from its own games, or from leaves of searches: each game as often as its file says, or once.
fn td_of_games(about: &About) -> Option<TdSettings> {
    let Learning { alpha, lambda, update } = read(about, "/method/training/learning")?;
    let passes = read(about, "/method/training/passes").unwrap_or(1);
    Some(TdSettings { passes, alpha, lambda, update, ..TdSettings::default() })
}

/// What the settings in a network's file hold at `place`.
fn read<T: DeserializeOwned>(about: &About, place: &str) -> Option<T> {
    serde_json::from_value(about.settings.pointer(place)?.clone()).ok()
}
