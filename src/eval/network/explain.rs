//! What a network sees in a position: what each piece changes, and in a rough network what each rule says.

use crate::features::{AttributeSpec, FeatureSet, rule_in_words};
use crate::game::Game;
use crate::net::Net;
use crate::net::rough::RoughForm;
use crate::net::store::About;
use crate::net::{Network, Pass, RoughNet};

/// Conditions named for each rule.
const CONDITIONS: usize = 3;

/// Why a network says what it says. Values are expected results in [-1, 1] for the **side that moves first**.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The value of the position.
    pub value: f64,
    /// The argument of the output's function.
    pub argument: f64,
    /// What the evaluator beside the network adds to that; `None` if there is none.
    pub offset: Option<f64>,
    /// The value with every attribute that can stand for nothing doing so (an empty board).
    pub bias: f64,
    /// The attributes that stand for something, those that matter most first.
    pub parts: Vec<Part>,
    /// The rules of a rough network, those with the largest share first; empty for other networks.
    pub rules: Vec<RulePart>,
}

/// What one attribute changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The attribute.
    pub attribute: usize,
    /// What the position has there: `black rook on e9`.
    pub words: String,
    /// The value less what it would be with nothing instead; of the side to move, with the other side.
    pub change: f64,
}

/// What one rule neuron says.
#[derive(Debug, Clone, PartialEq)]
pub struct RulePart {
    /// Its number, from 0.
    pub number: usize,
    /// The rule; empty if the file names none.
    pub rule: String,
    /// The decision of the rule; empty likewise.
    pub decision: String,
    /// Its weight ω.
    pub weight: f64,
    /// Its activation v.
    pub activation: f64,
    /// |ω v| as a share of the sum over all rules, in [0, 1].
    pub share: f64,
    /// The value classes of the position that move its ln v most; none in the literal form, which has no logarithms.
    pub conditions: Vec<ConditionPart>,
}

impl RulePart {
    /// The rule and its decision, in words; empty if the file names none. A rule without conditions is its decision.
    pub fn words(&self) -> String {
        if self.rule.is_empty() { self.decision.clone() } else { format!("{} → {}", self.rule, self.decision) }
    }

    /// ω v, what the rule adds to the argument of the output.
    pub fn product(&self) -> f64 {
        self.weight * self.activation
    }
}

/// What one value class says of a rule.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionPart {
    /// What the position has there.
    pub words: String,
    /// τ θ, its part of ln v: above 0 it speaks for the rule, below against.
    pub log: f64,
}

impl Explanation {
    /// Explains what `net`, of which its file says `about`, makes of `position`, where the evaluator beside which it was
    /// trained adds `offset` to the argument of its output.
    pub fn of<G: Game, F: FeatureSet<G>>(
        (net, about): (&Net, &About),
        features: &F,
        offset: Option<f32>,
        position: &G,
    ) -> Self {
        let specs = features.attributes();
        let mut codes = vec![0; specs.len()];
        features.encode(position, &mut codes);
        let mut view = View { net, offset: offset.unwrap_or_default(), pass: Pass::default() };
        let bias = view.value(&emptied(&specs, &codes));
        let mut parts = view.parts(&specs, &codes, features);
        parts.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
        let value = view.value(&codes);
        let rules = match net {
            Net::Rough(net) => rule_parts(net, &view.pass, &codes, &about.rules, features),
            Net::Dense(_) | Net::Tree(_) => Vec::new(),
        };
        let argument = f64::from(view.pass.argument);
        Self { value, argument, offset: offset.map(f64::from), bias, parts, rules }
    }
}

/// A network that is asked about changed positions.
struct View<'a> {
    net: &'a Net,
    offset: f32,
    pass: Pass,
}

impl View<'_> {
    fn value(&mut self, codes: &[u8]) -> f64 {
        self.net.forward(codes, self.offset, &mut self.pass);
        f64::from(self.pass.y)
    }

    fn parts<G: Game, F: FeatureSet<G>>(&mut self, specs: &[AttributeSpec], codes: &[u8], features: &F) -> Vec<Part> {
        let value = self.value(codes);
        let mut changed = codes.to_vec();
        let mut parts = Vec::new();
        for (attribute, spec) in specs.iter().enumerate() {
            let Some(other) = alternative(spec, codes[attribute]) else { continue };
            changed[attribute] = other;
            let change = value - self.value(&changed);
            changed[attribute] = codes[attribute];
            parts.push(Part { attribute, words: features.describe(attribute, codes[attribute]), change });
        }
        parts
    }
}

/// What an attribute is compared with: nothing, or else the opposite value (of the side to move, the other side); `None` if it stands
/// for nothing already, or has no opposite.
fn alternative(spec: &AttributeSpec, code: u8) -> Option<u8> {
    let opposite = || spec.values.iter().position(|&value| value == -spec.values[usize::from(code)]);
    match code_of_nothing(spec) {
        Some(nothing) => (nothing != code).then_some(nothing),
        None => opposite().map(|code| code as u8),
    }
}

/// The first code whose number is 0. Its value may be another one: a piece that is not there has no distance.
fn code_of_nothing(spec: &AttributeSpec) -> Option<u8> {
    spec.inputs.iter().position(|&input| input == 0.0).map(|code| code as u8)
}

/// The codes with nothing wherever that can be.
fn emptied(specs: &[AttributeSpec], codes: &[u8]) -> Vec<u8> {
    specs.iter().zip(codes).map(|(spec, &code)| code_of_nothing(spec).unwrap_or(code)).collect()
}

/// The rule of a rough network that has the largest share in `position`, as [`Explanation`] has it first; `None` for other networks.
pub fn leading_rule<G: Game, F: FeatureSet<G>>(
    (net, about): (&Net, &About),
    features: &F,
    position: &G,
) -> Option<RulePart> {
    let Net::Rough(rough) = net else { return None };
    let mut codes = vec![0; features.attributes().len()];
    features.encode(position, &mut codes);
    let mut pass = Pass::default();
    net.forward(&codes, 0.0, &mut pass);
    let shares = shares(rough, &pass);
    // Of equal shares the first one leads, as a stable sort has it.
    let leading = (0..shares.len()).rev().max_by(|&a, &b| shares[a].total_cmp(&shares[b]))?;
    Some(rule_part((rough, &pass), (leading, shares[leading]), &codes, &about.rules, features))
}

/// |ω v| of each rule as a share of the sum over all.
fn shares(net: &RoughNet, pass: &Pass) -> Vec<f64> {
    let products: Vec<f64> = net.omega().iter().zip(&pass.hidden).map(|(w, v)| f64::from(w * v).abs()).collect();
    let total = products.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    products.into_iter().map(|product| product / total).collect()
}

fn rule_parts<G: Game, F: FeatureSet<G>>(
    net: &RoughNet,
    pass: &Pass,
    codes: &[u8],
    rules: &[String],
    features: &F,
) -> Vec<RulePart> {
    let shares = shares(net, pass).into_iter().enumerate();
    let mut parts: Vec<RulePart> = shares.map(|rule| rule_part((net, pass), rule, codes, rules, features)).collect();
    parts.sort_by(|a, b| b.share.total_cmp(&a.share));
    parts
}

/// What the rule with a number and a share says.
fn rule_part<G: Game, F: FeatureSet<G>>(
    (net, pass): (&RoughNet, &Pass),
    (number, share): (usize, f64),
    codes: &[u8],
    rules: &[String],
    features: &F,
) -> RulePart {
    let text = rules.get(number).map(String::as_str).unwrap_or_default();
    let (rule, decision) = rule_in_words(text, features);
    RulePart {
        number,
        rule,
        decision,
        weight: net.omega()[number].into(),
        activation: pass.hidden[number].into(),
        share,
        conditions: strongest_conditions(net, number, codes, features),
    }
}

fn strongest_conditions<G: Game, F: FeatureSet<G>>(
    net: &RoughNet,
    rule: usize,
    codes: &[u8],
    features: &F,
) -> Vec<ConditionPart> {
    if net.shape().form == RoughForm::Literal {
        return Vec::new();
    }
    let log = |&t: &usize| Some((t, f64::from(net.tau() * net.layer_2(rule, t, codes[t])?)));
    let mut logs: Vec<(usize, f64)> = net.inputs().iter().filter_map(log).collect();
    logs.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let part = |&(t, log): &(usize, f64)| ConditionPart { words: features.describe(t, codes[t]), log };
    logs.iter().take(CONDITIONS).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_compared_with_nothing_or_with_their_opposite() {
        let turn = AttributeSpec::of_values("turn", &[-2, -1, 1, 2]);
        assert_eq!((0..4).map(|code| alternative(&turn, code)).collect::<Vec<_>>(), [3, 2, 1, 0].map(Some));
        // A distance of 0 is not the absence of the piece.
        let distance = AttributeSpec { name: "pawn".to_owned(), values: vec![0, 1000], inputs: vec![1.0, 0.0] };
        assert_eq!([0, 1].map(|code| alternative(&distance, code)), [Some(1), None]);
        assert_eq!(emptied(&[turn, distance], &[2, 0]), [2, 1]);
    }

    #[test]
    fn a_rule_without_conditions_says_its_decision() {
        let rule = |rule: &str, decision: &str| {
            let (rule, decision, conditions) = (rule.to_owned(), decision.to_owned(), Vec::new());
            RulePart { number: 0, rule, decision, weight: 1.0, activation: 1.0, share: 1.0, conditions }.words()
        };
        assert_eq!(rule("black rook on e9", "result = -1"), "black rook on e9 → result = -1");
        assert_eq!([rule("", "result = 1"), rule("", "")], ["result = 1", ""]);
    }
}
