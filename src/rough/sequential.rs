//! Sequential covering by rules of a least inclusion degree.

use rayon::prelude::*;

use super::Fraction;
use super::classes::{ClassColumn, Classes, Draft, distinct};
use super::condition::{Condition, drop_needless};
use super::inducer::Tally;
use super::rule::Rule;
use crate::observe::Observer;
use crate::table::{AttrSet, Code, DecisionTable, with_codes};

/// Rules in a row that may end up below β before a decision is given up.
const PATIENCE: u32 = 32;
/// Classes from which on the columns are tallied in parallel.
const PARALLEL: usize = 1 << 12;

/// What rules of a sequential covering may look like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sequential {
    /// β, the least inclusion degree, in (0, 1].
    pub beta: f64,
    /// The most conditions of a rule while it grows, at least 1.
    pub max_len: usize,
    /// The least weight of objects that match a rule and have its decision, at least 1.
    pub min_support: u64,
    /// The most rules, spread evenly over the decisions: their first rules come first, then their second ones, and so on. What a decision
    /// has no rules for goes to the others.
    pub n_rules: usize,
}

/// The rules of a sequential covering, and what they leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SequentialRules {
    /// By decision, then in the order in which they were found.
    pub rules: Vec<Rule>,
    /// The weight of the objects that match no rule for their decision.
    pub uncovered: u64,
}

/// Covers each decision with rules over `attrs` of inclusion degree `settings.beta` or more.
///
/// A rule grows by the condition with the largest gain of FOIL (Quinlan 1990), counted on the objects of the decision
/// that no rule covers yet and on all objects of other decisions, until it reaches β; then conditions that it does not
/// need for β are dropped. What it covers is taken out. Objects whose rule ends up below β, at the greatest length or
/// because nothing gains, are set aside, and after 32 such rules in a row all that is left of the decision; so not all
/// may be covered: `uncovered` says how many.
/// The same on any number of threads.
///
/// # Panics
/// When `attrs` holds an attribute that the table lacks.
pub fn sequential_rules(
    table: &DecisionTable,
    attrs: &AttrSet,
    settings: &Sequential,
    observer: &dyn Observer,
) -> SequentialRules {
    let classes = Classes::new(table, attrs);
    let all: Vec<u32> = (0..classes.len() as u32).collect();
    observer.begin("sequential covering", table.total_weight());
    // The others may leave a decision all of the rules.
    let most = settings.n_rules.max(1);
    let of_decision = |decision: u32| SequentialCover::new(&classes, settings, (decision, &all)).run(most, observer);
    let drafts: Vec<Vec<Draft>> = (0..table.n_decisions() as u32).map(of_decision).collect();
    observer.end();
    let drafts = first_in_turn(drafts.into_iter().map(distinct).collect(), settings.n_rules);
    let rules: Vec<Rule> = drafts.into_par_iter().map(|draft| classes.rule(draft)).collect();
    let uncovered = table.total_weight() - covered_weight(&classes, &rules);
    SequentialRules { rules, uncovered }
}

/// So many of the drafts of all decisions, as the decisions give one each in turn; by decision.
fn first_in_turn(drafts: Vec<Vec<Draft>>, n: usize) -> Vec<Draft> {
    let most = drafts.iter().map(Vec::len).max().unwrap_or(0);
    let turns = (0..most).flat_map(|turn| (0..drafts.len()).map(move |decision| (turn, decision)));
    let mut kept = vec![0; drafts.len()];
    turns.filter(|&(turn, decision)| turn < drafts[decision].len()).take(n).for_each(|(_, at)| kept[at] += 1);
    drafts.into_iter().zip(kept).flat_map(|(drafts, kept)| drafts.into_iter().take(kept)).collect()
}

/// The weight of the objects that match a rule for their decision.
pub(super) fn covered_weight(classes: &Classes<'_>, rules: &[Rule]) -> u64 {
    let mut by_decision: Vec<Vec<&Rule>> = vec![Vec::new(); classes.decision_weights.len()];
    rules.iter().for_each(|rule| by_decision[rule.decision as usize].push(rule));
    let of_decision = |(decision, rules): (usize, Vec<&Rule>)| -> u64 {
        let mut is_new = vec![true; classes.len()];
        let new = |class: &u32| std::mem::replace(&mut is_new[*class as usize], false);
        let matched = rules.iter().flat_map(|rule| classes.matching(&rule.conditions));
        matched.filter(new).map(|class| classes.weight_of(class, decision as u32)).sum()
    };
    by_decision.into_par_iter().enumerate().map(of_decision).sum()
}

/// Sums of weights of classes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct CoverTally {
    /// Of the decision, not covered yet.
    open: u64,
    /// Of the decision.
    support: u64,
    /// Of other decisions.
    others: u64,
}

impl CoverTally {
    /// The open objects among them and all others.
    const fn open_share(self) -> Tally {
        Tally { all: self.open + self.others, target: self.open }
    }
}

/// The covering of one decision.
struct SequentialCover<'c> {
    classes: &'c Classes<'c>,
    settings: &'c Sequential,
    decision: u32,
    /// The weight of the decision in each class that is not covered yet.
    open: Vec<u64>,
    /// Of all classes, by column and code: what every rule starts from.
    start: Vec<Vec<CoverTally>>,
    left: u64,
}

impl<'c> SequentialCover<'c> {
    fn new(classes: &'c Classes<'c>, settings: &'c Sequential, (decision, all): (u32, &[u32])) -> Self {
        let open: Vec<u64> = all.iter().map(|&class| classes.weight_of(class, decision)).collect();
        let left = open.iter().sum();
        let mut cover = Self { classes, settings, decision, open, start: Vec::new(), left };
        cover.start = cover.tally(all);
        cover
    }

    fn run(mut self, n_rules: usize, observer: &dyn Observer) -> Vec<Draft> {
        let (mut drafts, mut failures) = (Vec::new(), 0);
        while self.left > 0 && drafts.len() < n_rules && failures < PATIENCE {
            let (conditions, reached) = self.grow();
            if reached {
                let needed = self.without_needless(conditions);
                observer.advance(self.take_out(&needed));
                drafts.push((needed, self.decision));
                failures = 0;
            } else if conditions.is_empty() {
                break;
            } else {
                observer.advance(self.take_out(&conditions));
                failures += 1;
            }
        }
        observer.advance(self.left);
        drafts
    }

    /// Conditions added until β is reached, and whether it is. What they match has open objects.
    fn grow(&self) -> (Vec<Condition>, bool) {
        let (mut chosen, mut matched) = (Vec::new(), Vec::new());
        let all = self.classes.table.total_weight();
        let mut reached = self.reaches((self.classes.decision_weights[self.decision as usize], all));
        while !reached && chosen.len() < self.settings.max_len {
            let is_first = chosen.is_empty();
            let tallies = if is_first { &self.start } else { &self.tally(&matched) };
            let Some(next) = self.best(tallies, &chosen) else { break };
            if is_first {
                matched = self.classes.meeting(next).to_vec();
            } else {
                self.classes.retain(&mut matched, next);
            }
            chosen.push(next);
            reached = self.reaches(self.classes.weigh(&matched, self.decision));
        }
        chosen.sort_unstable();
        (chosen, reached)
    }

    /// Whether support and matching weight are enough.
    fn reaches(&self, (support, matching): (u64, u64)) -> bool {
        support >= self.settings.min_support && Fraction::new(support, matching).value() >= self.settings.beta
    }

    /// The condition of the largest gain that has the support, the first of equals.
    fn best(&self, tallies: &[Vec<CoverTally>], chosen: &[Condition]) -> Option<Condition> {
        let add = |a: Tally, b: Tally| Tally { all: a.all + b.all, target: a.target + b.target };
        let whole = tallies.first()?.iter().map(|tally| tally.open_share()).fold(Tally::default(), add);
        let mut best: Option<(f64, Condition)> = None;
        for (&attr, tallies) in self.classes.attrs.iter().zip(tallies) {
            if chosen.iter().any(|condition| condition.attr == attr) {
                continue;
            }
            for (code, tally) in (0..).zip(tallies).filter(|(_, tally)| tally.support >= self.settings.min_support) {
                let gain = tally.open_share().gain_over(whole);
                if gain > best.map_or(0.0, |(gain, _)| gain) {
                    best = Some((gain, Condition::value(attr, code)));
                }
            }
        }
        best.map(|(_, condition)| condition)
    }

    /// The conditions without those that β does not need, tried in order, and again from the first while any was dropped:
    /// the inclusion degree is not monotone, so dropping one may make an earlier one needless.
    fn without_needless(&self, mut conditions: Vec<Condition>) -> Vec<Condition> {
        loop {
            let before = conditions.len();
            drop_needless(&mut conditions, |left| {
                self.reaches(self.classes.weigh(&self.classes.matching(left), self.decision))
            });
            if conditions.len() == before {
                return conditions;
            }
        }
    }

    /// Takes the objects that meet `conditions` out of those to be covered; says what they weigh.
    fn take_out(&mut self, conditions: &[Condition]) -> u64 {
        let mut matched = self.classes.matching(conditions);
        matched.retain(|&class| self.open[class as usize] > 0);
        for (column, tallies) in self.classes.columns.iter().zip(&mut self.start) {
            let taken = column.tally(&matched, |class| self.open[class as usize]);
            tallies.iter_mut().zip(taken).for_each(|(tally, taken)| tally.open -= taken);
        }
        let weight = matched.iter().map(|&class| std::mem::take(&mut self.open[class as usize])).sum();
        self.left -= weight;
        weight
    }

    /// Sums over some classes, by column and code.
    fn tally(&self, of: &[u32]) -> Vec<Vec<CoverTally>> {
        let support: Vec<u64> = of.iter().map(|&class| self.classes.weight_of(class, self.decision)).collect();
        let of_column = |column: &ClassColumn| {
            let mut tallies = vec![CoverTally::default(); column.n_values];
            with_codes!(&column.codes, codes => {
                for (&class, &support) in of.iter().zip(&support) {
                    let tally = &mut tallies[codes[class as usize].index()];
                    tally.open += self.open[class as usize];
                    tally.support += support;
                    tally.others += self.classes.weight(class) - support;
                }
            });
            tallies
        };
        self.classes.each_column(of.len() >= PARALLEL, of_column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;

    #[test]
    fn what_cannot_be_covered_is_counted() {
        let rows = [["0", "x"], ["0", "x"], ["0", "y"], ["1", "y"]];
        let table = DecisionTable::from_rows(&["a"], "d", &rows).unwrap();
        let settings = |beta| Sequential { beta, max_len: 2, min_support: 1, n_rules: usize::MAX };
        let strict = sequential_rules(&table, &table.all_attributes(), &settings(1.0), &Silent);
        assert_eq!((strict.rules.len(), strict.uncovered), (1, 3));
        let lenient = sequential_rules(&table, &table.all_attributes(), &settings(0.6), &Silent);
        assert_eq!((lenient.rules.len(), lenient.uncovered), (2, 1));
        let words: Vec<String> = lenient.rules.iter().map(|rule| rule.display(&table).to_string()).collect();
        assert_eq!(words, ["IF a = 0 THEN d = x (2 of 3, 0.67)", "IF a = 1 THEN d = y (1 of 1, 1.00)"]);
    }

    #[test]
    fn no_decision_is_left_without_rules_while_others_have_two() {
        let rows: Vec<[String; 2]> = (0..40).map(|i| [i.to_string(), (i % 5).to_string()]).collect();
        let table = DecisionTable::from_rows(&["a"], "d", &rows).unwrap();
        let counts = |n_rules| {
            let settings = Sequential { beta: 1.0, max_len: 1, min_support: 1, n_rules };
            let found = sequential_rules(&table, &table.all_attributes(), &settings, &Silent).rules;
            (0..5).map(|decision| found.iter().filter(|rule| rule.decision == decision).count()).collect::<Vec<_>>()
        };
        assert_eq!(counts(6), [2, 1, 1, 1, 1]);
        assert_eq!((counts(3), counts(1000)), (vec![1, 1, 1, 0, 0], vec![8; 5]));
    }

    #[test]
    fn what_a_decision_has_no_rules_for_goes_to_the_others() {
        let rows: Vec<[String; 2]> =
            (0..10).map(|i| [i.to_string(), ["x", "y"][usize::from(i > 0)].to_owned()]).collect();
        let table = DecisionTable::from_rows(&["a"], "d", &rows).unwrap();
        let settings = Sequential { beta: 1.0, max_len: 1, min_support: 1, n_rules: 4 };
        let found = sequential_rules(&table, &table.all_attributes(), &settings, &Silent).rules;
        assert_eq!(found.iter().map(|rule| rule.decision).collect::<Vec<_>>(), [0, 1, 1, 1]);
    }

    /// A value with three of x and one of y gains more than one with a single x, but its rule is not certain.
    #[test]
    fn a_decision_is_given_up_after_so_many_rules_below_beta_in_a_row() {
        let found = |n_mixed: u32| {
            let mixed = (0..n_mixed).flat_map(|value| ["x", "x", "x", "y"].map(|decision| (value, decision)));
            let others = std::iter::repeat_n((n_mixed + 1, "y"), 64);
            let rows = mixed.chain([(n_mixed, "x")]).chain(others);
            let rows: Vec<[String; 2]> = rows.map(|(value, d)| [value.to_string(), d.to_owned()]).collect();
            let table = DecisionTable::from_rows(&["a"], "d", &rows).unwrap();
            let settings = Sequential { beta: 1.0, max_len: 1, min_support: 1, n_rules: usize::MAX };
            let found = sequential_rules(&table, &table.all_attributes(), &settings, &Silent).rules;
            found.iter().filter(|rule| rule.decision == 0).count()
        };
        assert_eq!([PATIENCE - 1, PATIENCE].map(found), [1, 0]);
    }
}
