//! What Xiangqi offers by name: the traditional evaluator with its terms, and the knowledge of endings behind any evaluator.

use super::Traditional;
use super::endings::WithEndings;
use super::features::XiangqiFeatures;
use super::reasons::{board, reasons};
use super::terms::{Terms, TermsError};
use super::weights::{Parameters, weights_to_json};
use crate::eval::catalogue::{Addition, BuiltIn, Catalogue, FeaturesError, LoadError};
use crate::eval::network::Part;
use crate::eval::{Reasons, Sheet};
use crate::games::xiangqi::Xiangqi;

/// The name under which the command line knows the traditional evaluator with all terms; `traditional:TERMS` has only
/// those of a list such as `material+position` (see [`Terms`]).
pub const TRADITIONAL: &str = "traditional";

/// What ends the name of an evaluator that knows endings ([`WithEndings`]): `traditional+endings`.
pub const ENDINGS: &str = "+endings";

/// Something that makes fresh evaluators of Xiangqi.
pub type Factory = crate::eval::Factory<Xiangqi>;

impl Catalogue for Xiangqi {
    type Features = XiangqiFeatures;

    const FEATURES: &'static [&'static str] = &XiangqiFeatures::NAMES;
    const DEFAULT_EVALUATOR: &'static str = TRADITIONAL;
    const ADDITION: Option<Addition<Self>> =
        Some(Addition { suffix: ENDINGS, wrap: |inner| Box::new(WithEndings(inner)) });

    fn features(name: &str) -> Result<XiangqiFeatures, FeaturesError> {
        XiangqiFeatures::from_name(name)
    }

    fn built_in(name: &str) -> Result<Option<BuiltIn<Self>>, LoadError> {
        let Some(evaluator) = traditional(name)? else { return Ok(None) };
        let Parameters { tables, weights } = Parameters::fitted();
        let identity =
            format!("{TRADITIONAL}:{}\n{}{}", evaluator.terms(), tables.to_json(), weights_to_json(&weights));
        Ok(Some(BuiltIn { make: Box::new(move || Box::new(evaluator.clone())), identity }))
    }

    fn reasons(name: &str, position: &Self) -> Result<Option<Reasons>, LoadError> {
        Ok(traditional(name)?.map(|evaluator| reasons(&evaluator.explain(position))))
    }

    fn board_of_parts(parts: &[Part]) -> Option<Sheet> {
        board(parts)
    }
}

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
    list.parse().map(Some).map_err(|source: TermsError| LoadError::built_in(name, source))
}

/// The traditional evaluator that `name` stands for, if it is one.
///
/// # Errors
/// When the name ends in something that is no list of terms.
pub fn traditional(name: &str) -> Result<Option<Traditional>, LoadError> {
    Ok(terms_of(name)?.map(|terms| Traditional::new(terms, &Parameters::fitted())))
}

/// [`Catalogue::identity`] of Xiangqi.
///
/// # Errors
/// As there.
pub fn identity(name: &str) -> Result<Option<String>, LoadError> {
    Xiangqi::identity(name)
}

/// [`Catalogue::evaluator_factory`] of Xiangqi: [`TRADITIONAL`], with or without a list of terms, or the path of a network's
/// file; [`ENDINGS`] behind it adds what is known of endings.
///
/// # Errors
/// As there.
pub fn factory(name: &str) -> Result<Factory, LoadError> {
    Xiangqi::evaluator_factory(name)
}
