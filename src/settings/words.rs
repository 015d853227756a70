//! Words of messages.

use std::fmt::Display;

/// How many things there are: `1 cut`, `2 cuts`, `3 classes`.
///
/// ```
/// use roughboard::settings::counted;
/// assert_eq!([counted(1, "class"), counted(0, "class"), counted(2, "rule")], ["1 class", "0 classes", "2 rules"]);
/// ```
pub fn counted(number: impl TryInto<u64>, thing: &str) -> String {
    // A number beyond 64 bits is many.
    let number = number.try_into().unwrap_or(u64::MAX);
    let ending = match thing {
        _ if number == 1 => "",
        _ if thing.ends_with('s') => "es",
        _ => "s",
    };
    format!("{number} {thing}{ending}")
}

/// The first of `words`, `most` at the most, and how many more there are.
///
/// ```
/// use roughboard::settings::first_of;
/// assert_eq!([2, 3].map(|most| first_of(["a", "b", "c"].iter(), most)), ["a, b and 1 more", "a, b, c"]);
/// ```
pub fn first_of(words: impl ExactSizeIterator<Item: Display>, most: usize) -> String {
    let rest = words.len().saturating_sub(most);
    let shown = words.take(most).map(|word| word.to_string()).collect::<Vec<_>>().join(", ");
    if rest > 0 { format!("{shown} and {rest} more") } else { shown }
}

/// `HeldOut` as `held-out`, as serde has it: the bytes and how many they are. Compiling ends where they are too many.
#[doc(hidden)]
pub const fn kebab(variant: &str) -> ([u8; 64], usize) {
    let variant = variant.as_bytes();
    let (mut name, mut length, mut at) = ([b'-'; 64], 0, 0);
    while at < variant.len() {
        if at > 0 && variant[at].is_ascii_uppercase() {
            length += 1;
        }
        name[length] = variant[at].to_ascii_lowercase();
        length += 1;
        at += 1;
    }
    (name, length)
}
