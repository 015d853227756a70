//! What benchmarks that measure speed themselves have in common.

/// Prints positions a second, as JSON if the program was asked for it.
pub fn print(figures: &[(String, f64)]) {
    if std::env::args().any(|argument| argument == "--json") {
        println!("{}", serde_json::json!(figures));
        return;
    }
    let width = figures.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, rate) in figures {
        println!("{name:width$} {rate:>12.0} positions/s");
    }
}
