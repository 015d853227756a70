//! Options whose values have names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use roughboard::settings::{Choice, Choices};

/// Takes a value by its name; the help says of each what the first sentence of its documentation says.
pub fn named<T: Choices>() -> impl TypedValueParser<Value = T> {
    names(T::NAMES).try_map(|name| name.parse::<T>())
}

/// Takes one of the names.
pub fn names(choices: &'static [Choice]) -> PossibleValuesParser {
    choices
        .iter()
        .map(|choice| PossibleValue::new(choice.name).help(first_sentence(choice.doc)))
        .collect::<Vec<_>>()
        .into()
}

fn first_sentence(text: &'static str) -> &'static str {
    let text = text.trim();
    text.split_once(". ").map_or_else(|| text.trim_end_matches('.'), |(first, _)| first)
}
