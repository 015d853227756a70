//! From positions to rows of a decision table.
//!
//! A [`FeatureSet`] fixes the condition attributes, their values, and the number that each value stands for, so that a
//! table, a network trained on it and an evaluator that plays with it all read a position in the same way.

pub mod board91;
pub mod control;
mod distinct;
pub mod king_relative;
pub mod patterns64;
pub mod tabulate;

use crate::game::Game;
pub use crate::table::Involution;

/// One condition attribute: its name and its values in the order of their codes.
#[derive(Debug, Clone, PartialEq)]
pub struct AttributeSpec {
    /// The attribute's name, as it heads a table's column.
    pub name: String,
    /// The values, as a table writes them.
    pub values: Vec<i32>,
    /// What a network's input takes for each value.
    pub inputs: Vec<f32>,
}

impl AttributeSpec {
    /// The attribute called `name` with these values, of which `input` gives the numbers.
    pub fn new(name: impl Into<String>, values: &[i32], input: impl Fn(f32) -> f32) -> Self {
        let inputs = values.iter().map(|&value| input(value as f32)).collect();
        Self { name: name.into(), values: values.to_vec(), inputs }
    }

    /// An attribute whose inputs are its values.
    pub fn of_values(name: impl Into<String>, values: &[i32]) -> Self {
        Self::new(name, values, |value| value)
    }
}

/// A way of describing the positions of game `G` by a fixed list of discrete attributes.
pub trait FeatureSet<G: Game>: Clone + Send + Sync + 'static {
    /// The name by which files of networks know it: equal names, equal attributes, codes and numbers.
    fn name(&self) -> &str;

    /// The attributes, in order.
    fn attributes(&self) -> Vec<AttributeSpec>;

    /// The number of attributes.
    fn n_attributes(&self) -> usize {
        self.attributes().len()
    }

    /// Writes the value code of each attribute into `codes` (of length [`FeatureSet::n_attributes`]).
    fn encode(&self, position: &G, codes: &mut [u8]);

    /// What it means that `attribute` has `code`, in words a reader knows: `name = value` unless the set has better ones.
    fn describe(&self, attribute: usize, code: u8) -> String {
        let spec = &self.attributes()[attribute];
        format!("{} = {}", spec.name, spec.values[usize::from(code)])
    }

    /// What each value becomes when colours are exchanged, as by [`Symmetric::EXCHANGE`](crate::game::symmetry::Symmetric::EXCHANGE);
    /// `None` if values do not correspond, or it is not known how.
    fn exchange(&self) -> Option<Involution> {
        None
    }

    /// One byte for each of the first attributes, from which [`FeatureSet::code_of_raw`] tells the codes, as far as the position has
    /// such bytes in memory: what is read in place need not be written. Always as many.
    fn raw_in_memory<'p>(&self, _position: &'p G) -> &'p [u8] {
        &[]
    }

    /// Writes such bytes of the attributes that [`FeatureSet::raw_in_memory`] leaves out, whatever is cheapest to write. Equal
    /// bytes mean equal codes.
    fn write_raw(&self, position: &G, raw: &mut [u8]) {
        self.encode(position, raw);
    }

    /// The value code of `attribute` where its raw byte is `raw`. Bytes that never occur have some code.
    fn code_of_raw(&self, _attribute: usize, raw: u8) -> u8 {
        raw
    }
}

/// The exchange in which the value v of attribute number t becomes the value and the number of the attribute that `exchanged(t, v)`
/// says; `None` if there is no such attribute or value, or done twice it changes something.
pub fn exchange_of(specs: &[AttributeSpec], exchanged: impl Fn(usize, i32) -> (usize, i32)) -> Option<Involution> {
    let image = |(t, spec): (usize, &AttributeSpec)| {
        let (other, _) = exchanged(t, *spec.values.first()?);
        let code = |&value: &i32| {
            let (to, image) = exchanged(t, value);
            let code = specs.get(to)?.values.iter().position(|&known| known == image)?;
            u8::try_from(code).ok().filter(|_| to == other)
        };
        Some((other, spec.values.iter().map(code).collect::<Option<Vec<u8>>>()?))
    };
    Involution::new(specs.iter().enumerate().map(image).collect::<Option<_>>()?)
}

/// The exchange of attributes of which the first `n_counts` are one side's and then, in the same order, the other's, with values that stay
/// what they are. Values of the others, such as the side to move, change their sign.
pub fn exchange_of_sides(specs: &[AttributeSpec], n_counts: usize) -> Option<Involution> {
    exchange_of(specs, |t, value| if t < n_counts { ((t + n_counts / 2) % n_counts, value) } else { (t, -value) })
}

/// The conditions and the decision of a rule over the attributes of `features`, each condition in words: from the text
/// `IF e9 = -600 AND side = 1 THEN result = -1 (…)` to `black rook on e9 and Red to move` and `result = -1`.
///
/// Conditions that are no single value stay as they are.
pub fn rule_in_words<G: Game, F: FeatureSet<G>>(rule: &str, features: &F) -> (String, String) {
    let specs = features.attributes();
    let in_words = |condition: &str| -> Option<String> {
        let (name, value) = condition.split_once(" = ")?;
        let attribute = specs.iter().position(|spec| spec.name == name)?;
        let value: i32 = value.parse().ok()?;
        let code = specs[attribute].values.iter().position(|&known| known == value)?;
        Some(features.describe(attribute, code as u8))
    };
    let (conditions, rest) = rule.split_once(" THEN ").unwrap_or(("", rule));
    let conditions = conditions.strip_prefix("IF ").unwrap_or(conditions).split(" AND ");
    let words: Vec<String> = conditions.map(|text| in_words(text).unwrap_or_else(|| text.to_owned())).collect();
    let decision = rest.split(" (").next().unwrap_or(rest);
    (words.join(" and "), decision.trim_start_matches("ALWAYS ").to_owned())
}

#[cfg(test)]
mod tests {
    use super::board91::Board91;
    use super::rule_in_words;

    #[test]
    fn rules_are_told_in_words() {
        let text = "IF e9 = -600 AND a0 = 0 AND side = 1 THEN result = -1 (5 of 6, inclusion 0.83, coverage 0.01)";
        let (rule, decision) = rule_in_words(text, &Board91);
        assert_eq!(rule, "black rook on e9 and a0 empty and Red to move");
        assert_eq!(decision, "result = -1");
        let (rule, decision) = rule_in_words("IF 3 <= e9 < 5 THEN result = 1 (1 of 1, 1.00)", &Board91);
        assert_eq!((rule.as_str(), decision.as_str()), ("3 <= e9 < 5", "result = 1"));
        assert_eq!(rule_in_words("ALWAYS result = 0 (3 of 4, 0.75)", &Board91), (String::new(), "result = 0".into()));
    }
}
