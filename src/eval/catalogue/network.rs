//! Networks from files, as evaluators of the game that they were made for.

use std::path::Path;

use super::{Catalogue, Factory, LoadError};
use crate::disk::sha256;
use crate::eval::network::NetworkEvaluator;
use crate::eval::{Evaluator, SkipTerm, WithSkip};
use crate::features::FeatureSet;
use crate::net::store::{self, About};
use crate::net::{Coding, IntegerNet};

/// A network's file in memory, from which any number of evaluators are made.
pub struct Network<G: Catalogue> {
    net: IntegerNet,
    features: G::Features,
    skip: Option<(Factory<G>, f32)>,
}

impl<G: Catalogue> Network<G> {
    /// Reads a network for this game, trained or in whole numbers, and the evaluator beside which it was trained.
    ///
    /// # Errors
    /// When the file is not a network for this game, or that evaluator cannot be had.
    pub fn load(path: &str) -> Result<Self, LoadError> {
        let (net, about) = store::load_for_play(Path::new(path))?;
        Self::of(path, net, &about)
    }

    /// The network `net`, of which its file `path` says `about`.
    ///
    /// # Errors
    /// When it is not one for this game, or the evaluator beside which it was trained cannot be had.
    pub fn of(path: &str, net: IntegerNet, about: &About) -> Result<Self, LoadError> {
        let features = fitting_features::<G>(path, &net.rows().coding, about)?;
        let skip = skip_term(path, about)?;
        Ok(Self { net, features, skip })
    }

    /// What it reads of a position.
    pub fn features(&self) -> &G::Features {
        &self.features
    }

    /// What makes evaluators like the one beside which it was trained and its scale, if there is one.
    pub const fn skip_term(&self) -> Option<&(Factory<G>, f32)> {
        self.skip.as_ref()
    }

    /// A fresh one of the evaluators beside which it was trained and its scale, if there is one.
    pub fn skip(&self) -> Option<(Box<dyn Evaluator<G>>, f32)> {
        self.skip.as_ref().map(|(make, scale)| (make(), *scale))
    }

    /// A fresh evaluator of the network alone.
    pub fn alone(&self) -> NetworkEvaluator<G, G::Features> {
        NetworkEvaluator::playing(self.net.clone(), self.features.clone())
    }

    /// A fresh evaluator.
    pub fn evaluator(&self) -> Box<dyn Evaluator<G>> {
        let network = Box::new(self.alone());
        match self.skip() {
            None => network,
            Some((skip, scale)) => Box::new(WithSkip::new(network, skip, scale)),
        }
    }
}

/// The evaluator and scale of the skip term that the network of the file `path` was trained with, if there is one. It must be
/// built in and the same as it was then: that of a file could lead to the same file again.
fn skip_term<G: Catalogue>(path: &str, about: &About) -> Result<Option<(Factory<G>, f32)>, LoadError> {
    let mismatch = |expected: &str, found: String| LoadError::Mismatch {
        path: path.to_owned(),
        expected: expected.to_owned(),
        found,
    };
    let Some(stated) = about.settings.get("skip").filter(|stated| !stated.is_null()) else { return Ok(None) };
    let unreadable = |_| mismatch("a skip term with `evaluator` and `scale`", stated.to_string());
    let SkipTerm { evaluator, scale } = serde_json::from_value(stated.clone()).map_err(unreadable)?;
    let now = G::identity(&evaluator)?.map(|text| (evaluator.clone(), sha256(text.as_bytes())));
    if !now.is_some_and(|now| about.inputs.contains(&now)) {
        let expected = "a skip term of a built-in evaluator with the tables of this program";
        return Err(mismatch(expected, format!("`{evaluator}`")));
    }
    Ok(Some((G::evaluator_factory(&evaluator)?, scale)))
}

/// The features that the network of the file `path` was made for, if they are those of this program.
fn fitting_features<G: Catalogue>(path: &str, coding: &Coding, about: &About) -> Result<G::Features, LoadError> {
    let mismatch = |expected: String, found: String| LoadError::Mismatch { path: path.to_owned(), expected, found };
    let features = G::features(&about.features).ok().filter(|_| about.game == G::NAME);
    let features = features.ok_or_else(|| {
        let expected = format!("{} with one of {}", G::NAME, G::names_of_features());
        mismatch(expected, format!("{} with `{}`", about.game, about.features))
    })?;
    let found: Vec<usize> = (0..coding.n_attributes()).map(|t| coding.n_values(t)).collect();
    let expected: Vec<usize> = features.attributes().iter().map(|spec| spec.values.len()).collect();
    if found == expected {
        return Ok(features);
    }
    let expected = format!("the {} attributes of {} with {expected:?} values", expected.len(), features.name());
    Err(mismatch(expected, format!("{} with {found:?}", found.len())))
}
