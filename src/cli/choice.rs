//! Options whose values have names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use roughboard::settings::{Choice, Choices};

/// Takes a value by its name; the help says of each what the first sentence of its documentation says.
pub fn named<T: Choices + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let value = |choice: &Choice| PossibleValue::new(choice.name).help(first_sentence(choice.doc));
    let of_name = |name: String| T::ALL.iter().copied().find(|value| value.name() == name).unwrap_or_default();
    PossibleValuesParser::new(T::NAMES.iter().map(value)).map(of_name)
}

fn first_sentence(text: &'static str) -> &'static str {
    let text = text.trim();
    text.split_once(". ").map_or_else(|| text.trim_end_matches('.'), |(first, _)| first)
}
