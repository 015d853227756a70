//! Evaluators by name: the traditional one with its terms, and networks from files.

use std::path::Path;

use super::Traditional;
use super::endings::WithEndings;
use super::features::XiangqiFeatures;
use super::terms::{Terms, TermsError};
use super::weights::{Parameters, weights_to_json};
use crate::eval::Evaluator;
use crate::eval::network::NetworkEvaluator;
use crate::features::FeatureSet;
use crate::game::Game;
use crate::games::xiangqi::Xiangqi;
use crate::net::Network;
use crate::net::store::{self, About, StoreError};

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
    let (net, about) = store::load(Path::new(name))?;
    let features = fitting_features(name, &net, &about)?;
    Ok(Box::new(move || Box::new(NetworkEvaluator::<Xiangqi, _>::new(&net, features.clone()))))
}

/// The features that the network of the file `path` was made for, if they are those of this program.
fn fitting_features(path: &str, net: &store::Net, about: &About) -> Result<XiangqiFeatures, LoadError> {
    let mismatch = |expected: String, found: String| LoadError::Mismatch { path: path.to_owned(), expected, found };
    let features = XiangqiFeatures::from_name(&about.features).ok().filter(|_| about.game == Xiangqi::NAME);
    let features = features.ok_or_else(|| {
        let expected = format!("{} with one of {}", Xiangqi::NAME, XiangqiFeatures::names());
        mismatch(expected, format!("{} with `{}`", about.game, about.features))
    })?;
    let coding = net.first_layer().coding();
    let found: Vec<usize> = (0..coding.n_attributes()).map(|t| coding.n_values(t)).collect();
    let expected: Vec<usize> = features.attributes().iter().map(|spec| spec.values.len()).collect();
    if found == expected {
        return Ok(features);
    }
    let expected = format!("the {} attributes of {features} with {expected:?} values", expected.len());
    Err(mismatch(expected, format!("{} with {found:?}", found.len())))
}
