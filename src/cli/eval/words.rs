//! What speaks for and against a side, in a few lines: beside a hint there is no room for tables.

use roughboard::eval::network::{Explanation, RulePart};
use roughboard::game::Side;

/// Terms, or parts of a position, that are named.
const SHOWN: usize = 3;

/// The largest terms of a sum, as they look to `side`, which is called `name`.
pub fn of_terms(terms: &[(&'static str, i64)], side: Side, name: &str) -> Vec<String> {
    let sign = i64::from(side.sign());
    let mut terms: Vec<(&str, i64)> = terms.iter().map(|&(term, lead)| (term, sign * lead)).collect();
    terms.retain(|&(_, lead)| lead != 0);
    terms.sort_by_key(|&(_, lead)| std::cmp::Reverse(lead.abs()));
    let said: Vec<String> = terms.iter().take(SHOWN).map(|(term, lead)| format!("{term} {lead:+}")).collect();
    if said.is_empty() { Vec::new() } else { vec![format!("largest terms for {name}: {}", said.join(", "))] }
}

/// The rules that say most for and against `side`, which is called `name`; of a network without rules, what matters most.
pub fn of_network(explanation: &Explanation, side: Side, name: &str) -> Vec<String> {
    let sign = f64::from(side.sign());
    if explanation.rules.is_empty() {
        let part = |part: &roughboard::eval::network::Part| format!("{} {:+.2}", part.words, sign * part.change);
        let said: Vec<String> = explanation.parts.iter().take(SHOWN).map(part).collect();
        return if said.is_empty() { said } else { vec![format!("what matters most to {name}: {}", said.join(", "))] };
    }
    let first = |speaks: &dyn Fn(f64) -> bool| explanation.rules.iter().find(|rule| speaks(sign * rule.product()));
    let line = |what: &str, rule: &RulePart| {
        let (number, share, words) = (rule.number + 1, 100.0 * rule.share, rule.words());
        let words = if words.is_empty() { words } else { format!(": {words}") };
        format!("{what} {name}: rule {number} ({share:.0} %){words}")
    };
    let lines = [
        first(&|product| product > 0.0).map(|rule| line("for", rule)),
        first(&|product| product < 0.0).map(|rule| line("against", rule)),
    ];
    lines.into_iter().flatten().collect()
}
