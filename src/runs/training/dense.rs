//! The plain networks, and networks from which learning continues.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::rough::words_of_twin;
use super::run::{Initialisation, Training};
use super::split::{SeenGames, Split};
use super::{Data, LearnError, Reduction};
use crate::disk::sha256;
use crate::eval::SkipTerm;
use crate::features::tabulate::RESULTS;
use crate::net::Net;
use crate::net::dense::DenseShape;
use crate::net::rough::RoughShape;
use crate::net::store::{self, About, IN_FOLDER};
use crate::net::{DenseNet, Network, is_supplied};
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

impl<S: Serialize + Clone> DenseConfig<S> {
    /// The network before it is trained by `method`. All methods start from the same weights, as S5 asks for, so that only the
    /// method differs.
    pub fn initial(&self, data: &Data, method: &str) -> Initialisation {
        let net = DenseNet::random(data.coding.clone(), self.network.clone(), data.basis.seed, "dense-initial-weights");
        Initialisation { net: Net::Dense(net), about: data.about(method, self) }
    }

    /// The untrained network, and its training by `way`.
    pub fn start(&self, data: &Data, way: fn(S) -> Training) -> (Initialisation, Training) {
        let training = way(self.training.clone());
        (self.initial(data, training.method()), training)
    }
}

/// A trained network from which learning continues.
#[derive(Debug, Clone)]
pub struct WarmStart {
    net: Net,
    /// The attributes that it reads.
    features: String,
    /// The rules behind its neurons, if it is a rough network.
    rules: Vec<String>,
    /// Name and SHA-256 of its file.
    pub(super) file: (String, String),
    /// How the games were split that it has learned from, if its file tells.
    split: Option<Split>,
    /// The skip term beside which it has learned.
    skip: Option<SkipTerm>,
}

impl WarmStart {
    /// Reads the network that `path` stands for, a file or the folder of a run.
    ///
    /// # Errors
    /// When it cannot be read or is none, or its file says something else in the place of a skip term.
    pub fn load(path: &Path) -> Result<Self, LearnError> {
        Ok(Self::with_about(path)?.0)
    }

    /// As [`WarmStart::load`], with what the file says about the network.
    pub(super) fn with_about(path: &Path) -> Result<(Self, About), LearnError> {
        let name = name_of(path);
        let (net, about) = store::load(path)?;
        let checksum = sha256(&store::network_bytes(path)?);
        let (rules, split) = (about.rules.clone(), Split::of_network(&about));
        let unknown = |_| LearnError::Origin { name: name.clone(), what: "beside which skip term it learned" };
        let skip = Option::<SkipTerm>::deserialize(&about.settings["skip"]).map_err(unknown)?;
        let features = about.features.clone();
        Ok((Self { net, features, rules, file: (name, checksum), split, skip }, about))
    }

    /// Checks that `method` trains networks of this kind. Those of linfa's models and rough networks learn by TD(λ) as plain ones do.
    ///
    /// # Errors
    /// When it does not.
    pub(super) fn check_method(&self, method: &str) -> Result<(), LearnError> {
        let (found, fits) = match self.net {
            Net::Dense(_) => ("a plain network", method != "rough"),
            Net::Tree(_) => ("a decision tree", method != "rough"),
            Net::Rough(_) => ("a rough network", method != "bp"),
        };
        let expected = if method == "rough" { "a rough network" } else { "a plain network or a decision tree" };
        let wrong = || LearnError::OtherKind { name: self.file.0.clone(), method: method.to_owned(), expected, found };
        if fits { Ok(()) } else { Err(wrong()) }
    }

    /// Checks that learning goes on beside the skip term `now`, if there is one, beside which this network has learned: alone it says
    /// only what the term misses.
    ///
    /// # Errors
    /// When it does not.
    pub(super) fn check_skip(&self, now: Option<&SkipTerm>) -> Result<(), LearnError> {
        let before = self.skip.as_ref();
        let other = || LearnError::OtherSkip { name: self.file.0.clone(), before: told(before), now: told(now) };
        if before == now { Ok(()) } else { Err(other()) }
    }

    /// Tells if `data` holds out games that this network may have learned from.
    pub(super) fn seen_games(&self, data: &Data) -> Option<SeenGames> {
        SeenGames::among(data, &self.file.0, self.split.as_ref()?)
    }

    /// Enters into `settings`, those of a run by a method called `name`, that learning goes on from this network, and its form in place
    /// of that of a new one.
    pub(super) fn describe(&self, name: &str, settings: &mut serde_json::Value) {
        settings["init"] = self.file.0.as_str().into();
        let Some(method) = settings["method"].as_object_mut() else { return };
        // What a rough network would have been made by. Of its inputs a reduction makes use all the same.
        ["rules", "form", "random_start"].iter().for_each(|key| drop(method.remove(*key)));
        let is_none = |reduction: &serde_json::Value| Reduction::deserialize(reduction).is_ok_and(Reduction::is_none);
        if method.get("reduction").is_some_and(is_none) {
            method.remove("inputs");
        }
        let form = match &self.net {
            Net::Dense(net) => serde_json::to_value(net.shape()).unwrap_or_default(),
            Net::Rough(net) => {
                let RoughShape { form, product, normalised, symmetric, .. } = net.shape();
                let gets_twins = !symmetric && method.get("symmetric").is_some();
                let rules = if gets_twins { 2 * net.n_rules() } else { net.n_rules() };
                let mut shape = serde_json::json!({
                    "kind": "rough", "rules": rules, "form": form, "product": product, "normalised": normalised,
                });
                // TD(λ) keeps no ties.
                if gets_twins || *symmetric && name != "td" {
                    shape["symmetric"] = true.into();
                }
                shape
            }
            Net::Tree(_) => serde_json::json!({ "kind": "tree" }),
        };
        method.insert("network".to_owned(), form);
    }

    /// This network in place of the untrained one of `start`; its file is listed among the inputs.
    ///
    /// # Errors
    /// When it reads other attributes than `data` holds, or learned beside another skip term.
    pub fn take_over(self, data: &Data, start: Initialisation) -> Result<Initialisation, LearnError> {
        let Initialisation { net: new, mut about } = start;
        self.describe(&about.method, &mut about.settings);
        let asks_for_twins = matches!(&new, Net::Rough(new) if new.is_symmetric());
        let this = if asks_for_twins && *self.net.coding() == data.coding { self.with_twins(data)? } else { self };
        this.continued(data, about)
    }

    /// The network with a twin beside each rule, so that it says the mean of what it says of a position and the negative of what it says
    /// of the position with colours exchanged; a symmetric one as it is.
    fn with_twins(mut self, data: &Data) -> Result<Self, LearnError> {
        if let Net::Rough(net) = &self.net
            && !net.is_symmetric()
        {
            let exchange = data.exchange()?;
            let twins = net.twin_rules(exchange, RESULTS.len());
            let twins = twins.ok_or_else(|| LearnError::NotSymmetric { name: self.file.0.clone() })?;
            self.rules.extend(twins.iter().map(|rule| words_of_twin(rule, &data.specs)));
            self.net = Net::Rough(net.with_twins(exchange, twins, 0.5));
        }
        Ok(self)
    }

    /// This network as what learning on `data` starts from, if it reads their attributes and learned beside their skip term; `about` is
    /// what its file will say.
    pub(super) fn continued(self, data: &Data, mut about: About) -> Result<Initialisation, LearnError> {
        self.check_skip(data.basis.settings.skip.as_ref())?;
        let Self { net, features: found, rules, file, .. } = self;
        if *net.coding() != data.coding {
            return Err(LearnError::WarmStart { name: file.0, expected: data.features.clone(), found });
        }
        about.settings["init"] = file.0.as_str().into();
        about.inputs.push(file);
        about.rules = rules;
        Ok(Initialisation { net, about })
    }
}

/// What the network at `path` is called: as the folder of its run, whether `path` is that of the folder or of the network in it; with
/// `./` before it where the name alone would be that of a network that comes with the program.
fn name_of(path: &Path) -> String {
    let folder = path.parent().filter(|folder| path.ends_with(IN_FOLDER) && folder.file_name().is_some());
    let name = folder.unwrap_or(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
    if is_supplied(Path::new(&name)) && !is_supplied(path) { format!("./{name}") } else { name }
}

/// A skip term in a message.
fn told(skip: Option<&SkipTerm>) -> String {
    skip.map_or_else(
        || "no skip term".to_owned(),
        |skip| format!("the skip term `{}` times {}", skip.evaluator, skip.scale),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_told_from_what_comes_with_the_program() {
        let named = [("bp", "bp"), ("./bp", "./bp"), ("bp/net.safetensors", "./bp"), ("runs/bp-s1", "bp-s1")];
        for (path, name) in named {
            assert_eq!(name_of(Path::new(path)), name, "{path}");
        }
    }
}
