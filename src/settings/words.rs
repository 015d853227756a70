//! Words of messages.

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
