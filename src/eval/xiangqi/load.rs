//! Evaluators by name: the traditional one with its terms, and networks from files.

use std::path::Path;

use super::Traditional;
use super::endings::WithEndings;
use super::features::XiangqiFeatures;
use super::terms::{Terms, TermsError};
use super::weights::{Parameters, weights_to_json};
use crate::disk::sha256;
use crate::eval::network::NetworkEvaluator;
use crate::eval::{Evaluator, SkipTerm, WithSkip};
use crate::features::FeatureSet;
use crate::game::Game;
use crate::games::xiangqi::Xiangqi;
use crate::net::store::{self, About, StoreError};
use crate::net::{Coding, IntegerNet};

/// The name under which the command line knows the traditional evaluator with all terms; `traditional:TERMS` has only
/// those of a list such as `material+position` (see [`Terms`]).
pub const TRADITIONAL: &str = "traditional";

/// What ends the name of an evaluator that knows endings ([`WithEndings`]): `traditional+endings`.
pub const ENDINGS: &str = "+endings";

/// Why an evaluator for Xiangqi could not be had.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The list of terms is at fault.
    #[error("evaluator `{name}`")]
    Terms {
        /// The name that was given.
        name: String,
        /// The cause.
        #[source]
        source: TermsError,
    },
    /// The network's file is at fault.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The network was made for something else.
    #[error("network `{path}` does not fit: expected {expected}, found {found}")]
    Mismatch {
        /// The file.
        path: String,
        /// The game, features or shape that Xiangqi's evaluators have.
        expected: String,
        /// What the file says.
        found: String,
    },
}

/// Something that makes fresh evaluators, one for each game that is played at the same time.
pub type Factory = Box<dyn Fn() -> Box<dyn Evaluator<Xiangqi>> + Send + Sync>;

/// The terms that `name` asks of the traditional evaluator; `None` if it is another evaluator's.
///
/// # Errors
/// When the name ends in something that is no list of terms.
fn terms_of(name: &str) -> Result<Option<Terms>, LoadError> {
    let Some(rest) = name.strip_prefix(TRADITIONAL) else { return Ok(None) };
    if rest.is_empty() {
        return Ok(Some(Terms::ALL));
    }
    let Some(list) = rest.strip_prefix(':') else { return Ok(None) };
    let terms = list.parse().map_err(|source| LoadError::Terms { name: name.to_owned(), source })?;
    Ok(Some(terms))
}

/// The traditional evaluator that `name` stands for, if it is one.
///
/// # Errors
/// When the name ends in something that is no list of terms.
pub fn traditional(name: &str) -> Result<Option<Traditional>, LoadError> {
    Ok(terms_of(name)?.map(|terms| Traditional::new(terms, &Parameters::fitted())))
}

/// A text that differs between built-in evaluators that differ in terms, tables or weights; `None` if `name` is not one.
///
/// # Errors
/// When the name ends in something that is no list of terms.
pub fn identity(name: &str) -> Result<Option<String>, LoadError> {
    if let Some(name) = name.strip_suffix(ENDINGS) {
        return Ok(identity(name)?.map(|text| text + ENDINGS));
    }
    let Parameters { tables, weights } = Parameters::fitted();
    let text = |terms| format!("{TRADITIONAL}:{terms}\n{}{}", tables.to_json(), weights_to_json(&weights));
    Ok(terms_of(name)?.map(text))
}

/// The evaluator that `name` stands for: [`TRADITIONAL`], with or without a list of terms, or the path of a network's
/// file; [`ENDINGS`] behind it adds what is known of endings.
///
/// # Errors
/// When the list of terms is at fault, or the file is not a network for Xiangqi.
pub fn factory(name: &str) -> Result<Factory, LoadError> {
    if let Some(name) = name.strip_suffix(ENDINGS) {
        let inner = factory(name)?;
        return Ok(Box::new(move || Box::new(WithEndings(inner()))));
    }
    if let Some(evaluator) = traditional(name)? {
        return Ok(Box::new(move || Box::new(evaluator.clone())));
    }
    let network = Network::load(name)?;
    Ok(Box::new(move || network.evaluator()))
}

/// A network's file in memory, from which any number of evaluators are made.
pub struct Network {
    net: IntegerNet,
    features: XiangqiFeatures,
    skip: Option<(Factory, f32)>,
}

impl Network {
    /// Reads a network for Xiangqi, trained or in whole numbers, and the evaluator beside which it was trained.
    ///
    /// # Errors
    /// When the file is not a network for Xiangqi, or that evaluator cannot be had.
    pub fn load(path: &str) -> Result<Self, LoadError> {
        let (net, about) = store::load_for_play(Path::new(path))?;
        Self::of(path, net, &about)
    }

    /// The network `net`, of which its file `path` says `about`.
    ///
    /// # Errors
    /// When it is not one for Xiangqi, or the evaluator beside which it was trained cannot be had.
    pub fn of(path: &str, net: IntegerNet, about: &About) -> Result<Self, LoadError> {
        let features = fitting_features(path, net.rows().coding(), about)?;
        let skip = skip_term(path, about)?;
        Ok(Self { net, features, skip })
    }

    /// What it reads of a position.
    #[must_use]
    pub fn features(&self) -> &XiangqiFeatures {
        &self.features
    }

    /// A fresh one of the evaluators beside which it was trained and its scale, if there is one.
    #[must_use]
    pub fn skip(&self) -> Option<(Box<dyn Evaluator<Xiangqi>>, f32)> {
        self.skip.as_ref().map(|(make, scale)| (make(), *scale))
    }

    /// A fresh evaluator of the network alone.
    #[must_use]
    pub fn alone(&self) -> NetworkEvaluator<Xiangqi, XiangqiFeatures> {
        NetworkEvaluator::playing(self.net.clone(), self.features.clone())
    }

    /// A fresh evaluator.
    #[must_use]
    pub fn evaluator(&self) -> Box<dyn Evaluator<Xiangqi>> {
        let network = Box::new(self.alone());
        match self.skip() {
            None => network,
            Some((skip, scale)) => Box::new(WithSkip::new(network, skip, scale)),
        }
    }
}

/// The evaluator and scale of the skip term that the network of the file `path` was trained with, if there is one. It must be
/// built in and the same as it was then: that of a file could lead to the same file again.
fn skip_term(path: &str, about: &About) -> Result<Option<(Factory, f32)>, LoadError> {
    let mismatch = |expected: &str, found: String| LoadError::Mismatch {
        path: path.to_owned(),
        expected: expected.to_owned(),
        found,
    };
    let Some(stated) = about.settings.get("skip").filter(|stated| !stated.is_null()) else { return Ok(None) };
    let unreadable = |_| mismatch("a skip term with `evaluator` and `scale`", stated.to_string());
    let SkipTerm { evaluator, scale } = serde_json::from_value(stated.clone()).map_err(unreadable)?;
    let now = identity(&evaluator)?.map(|text| (evaluator.clone(), sha256(text.as_bytes())));
    if !now.is_some_and(|now| about.inputs.contains(&now)) {
        let expected = "a skip term of a built-in evaluator with the tables of this program";
        return Err(mismatch(expected, format!("`{evaluator}`")));
    }
    Ok(Some((factory(&evaluator)?, scale)))
}

/// The features that the network of the file `path` was made for, if they are those of this program.
fn fitting_features(path: &str, coding: &Coding, about: &About) -> Result<XiangqiFeatures, LoadError> {
    let mismatch = |expected: String, found: String| LoadError::Mismatch { path: path.to_owned(), expected, found };
    let features = XiangqiFeatures::from_name(&about.features).ok().filter(|_| about.game == Xiangqi::NAME);
    let features = features.ok_or_else(|| {
        let expected = format!("{} with one of {}", Xiangqi::NAME, XiangqiFeatures::names());
        mismatch(expected, format!("{} with `{}`", about.game, about.features))
    })?;
    let found: Vec<usize> = (0..coding.n_attributes()).map(|t| coding.n_values(t)).collect();
    let expected: Vec<usize> = features.attributes().iter().map(|spec| spec.values.len()).collect();
    if found == expected {
        return Ok(features);
    }
    let expected = format!("the {} attributes of {features} with {expected:?} values", expected.len());
    Err(mismatch(expected, format!("{} with {found:?}", found.len())))
}
