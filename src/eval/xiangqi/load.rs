//! What Xiangqi offers by name: the traditional evaluator with its terms, and the knowledge of endings behind any evaluator.

use super::Traditional;
use super::endings::WithEndings;
use super::features::XiangqiFeatures;
use super::reasons::{board, reasons};
use super::terms::Terms;
use super::weights::{Parameters, weights_to_json};
use crate::eval::Sheet;
use crate::eval::catalogue::{Addition, BuiltIn, Catalogue, FeaturesError, LoadError};
use crate::eval::network::Explanation;
use crate::games::xiangqi::Xiangqi;
use crate::settings::{Choice, choice};

/// The name under which the command line knows the traditional evaluator with all terms; `traditional:TERMS` has only
/// those of a list such as `material+position` (see [`Terms`]).
pub const TRADITIONAL: &str = "traditional";

/// What ends the name of an evaluator that knows endings ([`WithEndings`]): `traditional+endings`.
pub const ENDINGS: &str = "+endings";

impl Catalogue for Xiangqi {
    type Features = XiangqiFeatures;

    const FEATURES: &'static [Choice] = &[
        choice(
            XiangqiFeatures::NAMES[0],
            "the 91 inputs of S1: the signed fixed value of the piece on each point, and the side to move",
        ),
        choice(XiangqiFeatures::NAMES[1], "as board91, with the fitted value of its point added to each piece"),
        choice(
            XiangqiFeatures::NAMES[2],
            "what the traditional evaluator adds up: numbers of pieces, leads in position, mobility, threats …",
        ),
        choice(XiangqiFeatures::NAMES[3], "the piece on each point, and which sides control it"),
        choice(XiangqiFeatures::NAMES[4], "where the attacking pieces stand as seen from the king that they attack"),
        choice(
            XiangqiFeatures::NAMES[5],
            "how often each side has each sign that the traditional evaluator knows, and its mobility by role",
        ),
    ];
    const NAMES: &'static [&'static str] = &[TRADITIONAL, "rough", "bp", "td"];
    const EVALUATORS: &'static str = "`traditional`; `traditional:TERMS` with TERMS of material (e1), position (e2), mobility (e3), \
        coordination and threats (e4), king (e5), joined by +, or taken out of `all` by -, as in `traditional:e1+e2` and \
        `traditional:all-threats`; or a network: `rough`, `bp` or `td`, which come with the program, the folder of a run of `roughboard train`, or the `.safetensors` \
        file in it, or a file written by `roughboard quantise`. `+endings` behind any of them adds what is known of endings with few pieces.";
    const DEFAULT_EVALUATOR: &'static str = TRADITIONAL;
    const BEST: &'static str = "rough";
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
        Ok(Some(BuiltIn::of(evaluator, identity, |evaluator, position| reasons(&evaluator.explain(position)))))
    }

    fn board_of(explanation: &Explanation) -> Option<Sheet> {
        board(explanation)
    }
}

/// The traditional evaluator that `name` stands for, if it is one.
///
/// # Errors
/// When the name ends in something that is no list of terms.
pub fn traditional(name: &str) -> Result<Option<Traditional>, LoadError> {
    let terms = match name.strip_prefix(TRADITIONAL) {
        Some("") => Ok(Terms::ALL),
        Some(rest) if rest.starts_with(':') => rest[1..].parse::<Terms>(),
        _ => return Ok(None),
    };
    terms
        .map(|terms| Some(Traditional::new(terms, &Parameters::fitted())))
        .map_err(|error| LoadError::built_in(name, error))
}
