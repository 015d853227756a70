//! A classifier that lets rules vote.

mod votes;

use rayon::prelude::*;

pub use self::votes::Votes;
use super::rule_index::RuleIndex;
use super::{Rule, RuleSet};
use crate::choices;
use crate::table::{Attribute, DecisionTable, Encoder, ROUNDING, TableError, Value};

choices! {
    /// What a matching rule's vote for its decision weighs.
    pub enum Vote = Support {
        /// Its support: the weight of the training objects that it is right about.
        Support,
        /// Its confidence, which is its inclusion degree: support / matching.
        Confidence,
        /// Confidence times coverage: frequent and rare decisions have like chances.
        ConfidenceCoverage,
        /// One.
        Count,
        /// The best rule decides alone: that of the largest confidence, then support; the first of equals. Its vote is its
        /// confidence.
        Best,
    }
}

choices! {
    /// What decides about an object that no rule matches.
    pub enum Unmatched = Nearest {
        /// The most frequent decision of the training table.
        Majority,
        /// The rules of which the object meets the largest share of conditions. They vote with that share of their weight
        /// (partial matching as in LERS, Grzymala-Busse 1992, restricted to the nearest rules); the most frequent decision
        /// decides if the object meets no condition at all.
        Nearest,
    }
}

/// How rules make a decision together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Voting {
    /// The weight of a vote.
    pub vote: Vote,
    /// What is done when no rule matches.
    pub unmatched: Unmatched,
}

/// What a prediction rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Basis {
    /// So many rules match the object.
    Matching(usize),
    /// No rule matches; so many are nearest.
    Nearest(usize),
    /// No rule had a say: it is the most frequent decision.
    Majority,
}

/// A decision and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The code of the decision in the training table.
    pub decision: u32,
    /// The sum of votes for each decision; all 0 if no rule had a say.
    pub votes: Votes,
    /// Whether rules matched.
    pub basis: Basis,
    /// The rule whose vote for the decision weighs most, the first of equals; none if no rule had a say.
    pub rule: Option<usize>,
}

/// Rules that vote on the decision of objects.
///
/// Objects may be of any table that has the attributes: values are matched by value, and a value that the training
/// table lacks meets no condition. The votes for each decision are added, and the largest sum wins; of equal sums the
/// decision that is more frequent in the training table, then the one with the lower code.
#[derive(Debug, Clone)]
pub struct RuleClassifier {
    encoder: Encoder,
    decisions: Vec<Value>,
    priors: Vec<u64>,
    rules: Vec<Rule>,
    /// The weight of each rule's vote.
    weights: Vec<f64>,
    index: RuleIndex,
    voting: Voting,
}

impl RuleClassifier {
    /// The classifier by `rules`, which were counted in `table`.
    ///
    /// # Panics
    /// When a rule names an attribute or a code that the table lacks.
    ///
    /// ```
    /// use roughboard::observe::Silent;
    /// use roughboard::rough::{Basis, RuleClassifier, RuleSource, Voting};
    /// use roughboard::table::DecisionTable;
    /// let rows = [["sunny", "no"], ["sunny", "no"], ["rainy", "yes"]];
    /// let table = DecisionTable::from_rows(&["outlook"], "play", &rows).unwrap();
    /// let rules = RuleSource::default().rules(&table, &Silent).unwrap().rules;
    /// let classifier = RuleClassifier::new(&table, rules, Voting::default());
    ///
    /// let new = DecisionTable::from_rows(&["outlook"], "play", &[["rainy", "?"], ["snowy", "?"]]).unwrap();
    /// let predictions = classifier.predict(new.attributes()).unwrap();
    /// assert_eq!(classifier.decisions()[predictions[0].decision as usize].to_string(), "yes");
    /// assert_eq!(predictions[0].basis, Basis::Matching(1));
    /// assert_eq!((predictions[1].decision, predictions[1].basis), (0, Basis::Majority));
    /// ```
    pub fn new(table: &DecisionTable, rules: Vec<Rule>, voting: Voting) -> Self {
        Self::of_set(table, RuleSet::new(table, rules), voting)
    }

    /// The classifier by rules in the codes of `table`, which may have been counted in another table, such as those that
    /// [`SavedRules::bind`](super::SavedRules::bind) gives: how frequent decisions are, they say themselves.
    ///
    /// # Panics
    /// When a rule names an attribute or a code that the table lacks.
    pub fn of_set(table: &DecisionTable, set: RuleSet, voting: Voting) -> Self {
        let RuleSet { rules, decision_weights: priors } = set;
        let encoder = Encoder::of(table.attributes());
        let index = RuleIndex::new(&rules, &encoder);
        let weights = rules.iter().map(|rule| voting.vote.weight(rule)).collect();
        Self { encoder, decisions: table.decision().domain().to_vec(), priors, rules, weights, index, voting }
    }

    /// The rules.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The decision values; index = code.
    pub fn decisions(&self) -> &[Value] {
        &self.decisions
    }

    /// Predicts the decision of each row of `columns`, among which are all attributes of the training table, in any
    /// order.
    ///
    /// # Errors
    /// When an attribute is missing.
    pub fn predict(&self, columns: &[Attribute]) -> Result<Vec<Prediction>, TableError> {
        let encoded = self.encoder.encode(columns)?;
        let predict = |met: &mut Vec<u32>, row: usize| {
            self.index.count_met(&encoded, row, met);
            self.decide(met)
        };
        Ok((0..encoded.n_rows).into_par_iter().map_init(Vec::new, predict).collect())
    }

    /// The prediction for an object that meets `met[r]` of the conditions of rule `r`.
    fn decide(&self, met: &[u32]) -> Prediction {
        let lengths = &self.index.lengths;
        let matching: Vec<usize> = (0..met.len()).filter(|&rule| met[rule] == lengths[rule]).collect();
        if !matching.is_empty() {
            return self.elect(&matching, 1.0, Basis::Matching(matching.len()));
        }
        if self.voting.unmatched == Unmatched::Nearest {
            let (nearest, share) = nearest_rules(met, lengths);
            if !nearest.is_empty() {
                return self.elect(&nearest, share, Basis::Nearest(nearest.len()));
            }
        }
        let votes = vec![0.0; self.decisions.len()];
        Prediction { decision: winner(&votes, &self.priors), votes: votes.into(), basis: Basis::Majority, rule: None }
    }

    /// Lets `rules` vote, each with `share` of its weight.
    fn elect(&self, rules: &[usize], share: f64, basis: Basis) -> Prediction {
        let mut votes = vec![0.0; self.decisions.len()];
        let voters = if self.voting.vote == Vote::Best { self.best(rules) } else { rules };
        for &rule in voters {
            votes[self.rules[rule].decision as usize] += share * self.weights[rule];
        }
        let decision = winner(&votes, &self.priors);
        let agreeing = voters.iter().copied().filter(|&rule| self.rules[rule].decision == decision);
        // `max_by` gives the last of equals, so that going backwards gives the first.
        let rule = agreeing.rev().max_by(|&a, &b| self.weights[a].total_cmp(&self.weights[b]));
        Prediction { decision, votes: votes.into(), basis, rule }
    }

    /// The best of some rules, alone.
    fn best<'r>(&self, rules: &'r [usize]) -> &'r [usize] {
        let better = |&a: &usize, &b: &usize| {
            let (a, b) = (&self.rules[rules[a]], &self.rules[rules[b]]);
            a.inclusion().compare(b.inclusion()).then(a.support.cmp(&b.support))
        };
        // `max_by` gives the last of equals, so that going backwards gives the first.
        let at = (0..rules.len()).rev().max_by(better).unwrap_or(0);
        &rules[at..(at + 1).min(rules.len())]
    }
}

impl Vote {
    /// The usual one of rules by covering, which overlap, so that sums of support would favour frequent decisions.
    pub const OF_COVERING: Self = Self::Best;

    /// What the vote of `rule` weighs.
    pub fn weight(self, rule: &Rule) -> f64 {
        match self {
            Self::Support => rule.support as f64,
            Self::Confidence | Self::Best => rule.inclusion().value(),
            Self::ConfidenceCoverage => rule.inclusion().value() * rule.coverage().value(),
            Self::Count => 1.0,
        }
    }
}

/// The rules of which the largest share of conditions is met, and that share; no rules if no condition is met.
fn nearest_rules(met: &[u32], lengths: &[u32]) -> (Vec<usize>, f64) {
    let (mut nearest, mut best) = (Vec::new(), (0_u64, 1_u64));
    for (rule, (&met, &length)) in met.iter().zip(lengths).enumerate().filter(|(_, (met, _))| **met > 0) {
        let share = (u64::from(met), u64::from(length));
        match (share.0 * best.1).cmp(&(best.0 * share.1)) {
            std::cmp::Ordering::Less => continue,
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Greater => {
                nearest.clear();
                best = share;
            }
        }
        nearest.push(rule);
    }
    (nearest, best.0 as f64 / best.1 as f64)
}

/// The decision of the largest sum of votes, of which 0.1 + 0.2 and 0.3 are equal; of equal ones that of the larger prior weight, then the lower code.
pub fn winner(votes: &[f64], priors: &[u64]) -> u32 {
    let most = votes.iter().copied().fold(0.0, f64::max) * (1.0 - ROUNDING);
    let order = |&a: &usize, &b: &usize| priors[a].cmp(&priors[b]).then(b.cmp(&a));
    (0..votes.len().min(priors.len())).filter(|&at| votes[at] >= most).max_by(order).unwrap_or(0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::rough::{Condition, Goal, mlem2};
    use crate::table::{AttrIdx, Attribute, Value, Weights};

    /// Three objects of x, two of y.
    fn table() -> DecisionTable {
        let rows = [["0", "0", "x"], ["0", "1", "x"], ["1", "0", "x"], ["1", "1", "y"], ["2", "1", "y"]];
        DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap()
    }

    fn rules(table: &DecisionTable) -> Vec<Rule> {
        let rule = |conditions: &[(usize, u32)], decision| {
            Rule::counted(
                table,
                conditions.iter().map(|&(a, c)| Condition::value(AttrIdx::new(a), c)).collect(),
                decision,
            )
        };
        vec![rule(&[(0, 0)], 0), rule(&[(1, 1)], 1), rule(&[(0, 1), (1, 1)], 1)]
    }

    fn predict(voting: Voting, object: [&str; 2]) -> Prediction {
        let table = table();
        let classifier = RuleClassifier::new(&table, rules(&table), voting);
        let row = [[object[0], object[1], "x"]];
        let new = DecisionTable::from_rows(&["a", "b"], "d", &row).unwrap();
        classifier.predict(new.attributes()).unwrap().remove(0)
    }

    #[test]
    fn votes_are_weighed_as_asked() {
        let votes = |vote| {
            let prediction = predict(Voting { vote, unmatched: Unmatched::Majority }, ["0", "1"]);
            (prediction.votes.to_vec(), prediction.decision, prediction.basis)
        };
        let matching = Basis::Matching(2);
        assert_eq!(votes(Vote::Support), (vec![2.0, 2.0], 0, matching));
        assert_eq!(votes(Vote::Confidence), (vec![1.0, 2.0 / 3.0], 0, matching));
        assert_eq!(votes(Vote::ConfidenceCoverage), (vec![2.0 / 3.0, 2.0 / 3.0], 0, matching));
        assert_eq!(votes(Vote::Count), (vec![1.0, 1.0], 0, matching));
        assert_eq!(votes(Vote::Best), (vec![1.0, 0.0], 0, matching));
    }

    #[test]
    fn rounding_decides_no_tie() {
        assert_eq!(winner(&[0.1 + 0.2, 0.3], &[1, 2]), 1);
        assert_eq!(winner(&[0.3 + 1e-9, 0.3], &[1, 2]), 0);
        assert_eq!((winner(&[0.0, 0.0], &[1, 1]), winner(&[], &[])), (0, 0));
    }

    #[test]
    fn unmatched_objects_are_reported() {
        let majority = predict(Voting { unmatched: Unmatched::Majority, ..Voting::default() }, ["1", "0"]);
        assert_eq!((majority.decision, majority.basis, majority.votes.to_vec()), (0, Basis::Majority, vec![0.0, 0.0]));
        assert_eq!(majority.rule, None);
        let voting = Voting::default();
        let nearest = predict(voting, ["1", "0"]);
        assert_eq!((nearest.decision, nearest.basis, nearest.votes.to_vec()), (1, Basis::Nearest(1), vec![0.0, 0.5]));
        assert_eq!(nearest.rule, Some(2));
        assert_eq!(predict(voting, ["7", "7"]).basis, Basis::Majority);
    }

    #[test]
    fn the_heaviest_rule_for_the_decision_is_named() {
        // Rules 1 and 2 match for y, with supports of 2 and 1.
        let prediction = predict(Voting::default(), ["1", "1"]);
        assert_eq!((prediction.decision, prediction.basis, prediction.rule), (1, Basis::Matching(2), Some(1)));
    }

    #[test]
    fn decisions_are_as_frequent_as_where_the_rules_were_counted() {
        let table = table();
        let set = RuleSet { rules: Vec::new(), decision_weights: vec![1, 9] };
        let classifier = RuleClassifier::of_set(&table, set, Voting::default());
        assert!(classifier.predict(table.attributes()).unwrap().iter().all(|p| p.decision == 1));
    }

    #[test]
    fn ties_go_to_the_larger_prior_then_the_lower_code() {
        assert_eq!(winner(&[1.0, 1.0, 1.0], &[1, 2, 2]), 1);
        assert_eq!(winner(&[0.0, 1.0, 2.0], &[9, 9, 1]), 2);
        assert_eq!(winner(&[], &[]), 0);
    }

    /// `a >= 8` where 8 is the greatest value that was learned from, and `a <= 2` where 2 is the least, with and without a missing value.
    #[test]
    fn intervals_without_a_bound_reach_beyond_all_known_values_and_hold_for_no_missing_one() {
        let column = |values: &[Value]| Attribute::from_values("a", values);
        let new = column(&[Value::Integer(100), Value::Integer(-7), Value::Missing]);
        for last in [Value::Integer(8), Value::Missing] {
            let a = column(&[Value::Integer(2), Value::Integer(5), Value::Integer(8), last]);
            let d = Attribute::from_values("d", &["x", "x", "y", "y"].map(Value::text));
            let table = DecisionTable::new(vec![a], d, Weights::Unit).unwrap();
            let rule = |code, decision| {
                Rule::counted(&table, vec![Condition::interval(AttrIdx::new(0), code, code)], decision)
            };
            let classifier = RuleClassifier::new(&table, vec![rule(2, 1), rule(0, 0)], Voting::default());
            let rules = |new: &Attribute| -> Vec<Option<usize>> {
                classifier.predict(std::slice::from_ref(new)).unwrap().iter().map(|p| p.rule).collect()
            };
            assert_eq!(rules(&new), [Some(0), Some(1), None]);
            // Nor for what is no number, which a column has that is text for it, or else booleans.
            let texts = column(&["100", "-7", "many", "NA", "> 5"].map(Value::text));
            assert_eq!(rules(&texts), [Some(0), Some(1), None, None, None]);
            assert_eq!(rules(&column(&[false, true].map(Value::Boolean))), [None, None]);
        }
    }

    /// What rules say of a table that they were not found on is what is read there: `a < 6.5` and `a >= 6.5`.
    #[test]
    fn values_between_those_of_training_meet_the_intervals_that_rules_show() {
        let number = |values: &[i64]| Attribute::from_integers("a", values.iter().copied());
        let d = Attribute::from_values("d", &["x", "x", "y", "y"].map(Value::text));
        let table = DecisionTable::new(vec![number(&[2, 5, 8, 9])], d, Weights::Unit).unwrap();
        let rules = mlem2(&table, &table.all_attributes(), Goal::Lower, &Silent);
        let read: Vec<String> = rules.iter().map(|rule| rule.conditions_in_words(&table)).collect();
        assert_eq!(read, ["a < 6.5", "a >= 6.5"]);
        let classifier = RuleClassifier::new(&table, rules, Voting::default());
        let found = classifier.predict(&[number(&[1, 3, 6, 7, 10])]).unwrap();
        let matched = Basis::Matching(1);
        assert_eq!(
            found.iter().map(|p| (p.decision, p.basis)).collect::<Vec<_>>(),
            [0, 0, 0, 1, 1].map(|d| (d, matched))
        );
    }

    #[test]
    fn a_rule_without_conditions_matches_everything() {
        let table = table();
        let classifier = RuleClassifier::new(&table, vec![Rule::counted(&table, vec![], 1)], Voting::default());
        let predictions = classifier.predict(table.attributes()).unwrap();
        assert!(predictions.iter().all(|p| p.decision == 1 && p.basis == Basis::Matching(1)));
    }
}
