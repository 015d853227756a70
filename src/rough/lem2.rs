//! Local coverings: LEM2 (Grzymala-Busse 1992) and MLEM2 (Grzymala-Busse 2002).

mod growth;
mod pairs;

use rayon::prelude::*;

use super::classes::{Classes, Draft};
use super::condition::{Condition, drop_needless};
use super::failures::Failures;
use super::rule::Rule;
use crate::choices;
use crate::observe::Observer;
use crate::table::{AttrSet, DecisionTable};
use growth::Growth;
use pairs::{AttributePairs, WeighedPair};

/// Cells of a table from which on its columns are tallied in parallel.
const PARALLEL: usize = 1 << 16;

/// If no condition of a complex is met by fewer than this part of the classes, all its conditions are tried at once.
const RARE: usize = 16;

choices! {
    /// What the rules for a decision must cover, and may not go beyond.
    pub enum Goal = Lower {
        /// The lower approximation: certain rules.
        Lower,
        /// The upper approximation: possible rules.
        Upper,
    }
}

/// The rules of a local covering of each decision's approximation, by LEM2: every attribute is taken by its values.
///
/// For every decision the objects that the rules match are exactly those of the approximation over `attrs`; no rule
/// can be left out of the covering, and no condition out of a rule. The next condition is the pair t = (attribute,
/// value) with the largest |\[t\] ∩ G| (G: what is still to be covered and meets the conditions so far), of these with
/// the smallest |\[t\]|, of these the first by attribute and value; |X| is a sum of weights. A missing value is a value
/// of its own. By decision, then in the order in which the rules were found.
///
/// # Panics
/// When `attrs` holds an attribute that the table lacks.
pub fn lem2(table: &DecisionTable, attrs: &AttrSet, goal: Goal, observer: &dyn Observer) -> Vec<Rule> {
    induce(table, attrs, (goal, false), observer)
}

/// As [`lem2`], but attributes whose values are numbers are taken by intervals: for each cut midway between two
/// neighbouring values, the values below it and those from it on. A pair that contains one chosen before on its
/// attribute is no longer considered. In the end the intervals of one attribute become one, their intersection.
/// A missing value of such an attribute is a value of its own beside the intervals.
///
/// Neither bound of an interval can be left out.
///
/// # Panics
/// When `attrs` holds an attribute that the table lacks.
pub fn mlem2(table: &DecisionTable, attrs: &AttrSet, goal: Goal, observer: &dyn Observer) -> Vec<Rule> {
    induce(table, attrs, (goal, true), observer)
}

fn induce(
    table: &DecisionTable,
    attrs: &AttrSet,
    (goal, intervals): (Goal, bool),
    observer: &dyn Observer,
) -> Vec<Rule> {
    let classes = Classes::new(table, attrs);
    let pairs: Vec<AttributePairs> =
        (0..attrs.len()).map(|column| AttributePairs::of(&classes, column, intervals)).collect();
    let decisions: Vec<u32> = (0..table.n_decisions() as u32).collect();
    let to_cover = |&decision: &u32| goal.classes(&classes, decision);
    let goals: Vec<Vec<u32>> = decisions.par_iter().map(to_cover).collect();
    observer.begin("local coverings", goals.iter().map(|goal| goal.len() as u64).sum());
    let covering = |(&decision, goal): (&u32, &Vec<u32>)| {
        let complexes = LocalCovering::new(&classes, &pairs, goal).run(observer);
        complexes.into_iter().map(move |complex| (joined(complex), decision)).collect::<Vec<Draft>>()
    };
    let drafts: Vec<Vec<Draft>> = decisions.par_iter().zip(&goals).map(covering).collect();
    observer.end();
    drafts.into_iter().flatten().collect::<Vec<_>>().into_par_iter().map(|draft| classes.rule(draft)).collect()
}

impl Goal {
    /// The classes of the approximation of a decision.
    fn classes(self, classes: &Classes<'_>, decision: u32) -> Vec<u32> {
        let inside = |&class: &u32| match self {
            Self::Lower => classes.distribution.certain(class as usize) == Some(decision),
            Self::Upper => classes.weight_of(class, decision) > 0,
        };
        (0..classes.len() as u32).filter(inside).collect()
    }
}

/// The covering of one set of classes.
struct LocalCovering<'c> {
    classes: &'c Classes<'c>,
    pairs: &'c [AttributePairs],
    /// Whether each class is one to cover.
    inside: Vec<bool>,
    /// The classes that are not.
    outside: Vec<u32>,
    /// Whether each class is still to be covered.
    open: Vec<bool>,
    n_open: usize,
    /// The weight of what is still to be covered, by column and code.
    tallies: Vec<Vec<u64>>,
}

/// A set of conditions and the classes that meet it.
type Complex = (Vec<Condition>, Vec<u32>);

impl<'c> LocalCovering<'c> {
    fn new(classes: &'c Classes<'c>, pairs: &'c [AttributePairs], goal: &[u32]) -> Self {
        let mut inside = vec![false; classes.len()];
        goal.iter().for_each(|&class| inside[class as usize] = true);
        let outside = (0..classes.len() as u32).filter(|&class| !inside[class as usize]).collect();
        let tallies = tally(classes, goal);
        Self { classes, pairs, open: inside.clone(), inside, outside, n_open: goal.len(), tallies }
    }

    /// Complexes that match exactly what is inside, none of which can be left out.
    fn run(mut self, observer: &dyn Observer) -> Vec<Vec<Condition>> {
        let mut complexes: Vec<Complex> = Vec::new();
        while self.n_open > 0 {
            let Some(complex) = self.complex() else { break };
            let matched = self.classes.matching(&complex);
            observer.advance(self.cover(&matched));
            complexes.push((complex, matched));
        }
        self.needed(complexes)
    }

    /// Takes what is matched out of what is still to be covered; says how many classes that were.
    fn cover(&mut self, matched: &[u32]) -> u64 {
        let new: Vec<u32> = matched.iter().copied().filter(|&class| self.open[class as usize]).collect();
        new.iter().for_each(|&class| self.open[class as usize] = false);
        self.n_open -= new.len();
        let taken = tally(self.classes, &new);
        for (tallies, taken) in self.tallies.iter_mut().zip(taken) {
            tallies.iter_mut().zip(taken).for_each(|(all, taken)| *all -= taken);
        }
        new.len() as u64
    }

    /// The next minimal complex: pairs are added until nothing outside is matched, then those not needed are dropped.
    /// `None` only if no pair is left, which the classes of an approximation rule out.
    fn complex(&self) -> Option<Vec<Condition>> {
        if self.pairs.iter().all(|pairs| pairs.numbers == 0) {
            return Some(self.without_needless(self.values()?));
        }
        let Self { inside, open, tallies, .. } = self;
        let goal = growth::Goal { inside, n_outside: self.outside.len(), open, tallies };
        Some(self.without_needless(Growth::complex(self.classes, self.pairs, goal)?))
    }

    /// A complex out of single values, each of which as a rule leaves out most: what it leaves is counted anew.
    fn values(&self) -> Option<Vec<Condition>> {
        let first = self.select(&self.tallies, &[])?;
        let mut chosen = vec![first];
        let mut matched = self.classes.meeting(first).to_vec();
        let mut goal: Vec<u32> = matched.iter().copied().filter(|&class| self.open[class as usize]).collect();
        while matched.iter().any(|&class| !self.inside[class as usize]) {
            let next = self.select(&tally(self.classes, &goal), &chosen)?;
            self.classes.retain(&mut matched, next);
            self.classes.retain(&mut goal, next);
            chosen.push(next);
        }
        Some(chosen)
    }

    /// The first of the best values, given the weights of G by column and code.
    fn select(&self, tallies: &[Vec<u64>], chosen: &[Condition]) -> Option<Condition> {
        let best = self.pairs.iter().zip(tallies).filter_map(|(pairs, tally)| pairs.best_value(tally, chosen));
        Some(best.reduce(WeighedPair::better)?.pair)
    }

    /// The conditions that are needed to keep out what is outside, each tried in the order of choice.
    fn without_needless(&self, mut conditions: Vec<Condition>) -> Vec<Condition> {
        let fewest = conditions.iter().map(|&condition| self.classes.meeting(condition).len()).min();
        if fewest.is_some_and(|fewest| fewest > self.outside.len() / RARE) {
            return Failures::new(self.classes, &self.outside, &conditions).into_needed();
        }
        drop_needless(&mut conditions, |left| !self.classes.any(left, |class| !self.inside[class as usize]));
        conditions
    }

    /// The complexes without those whose classes all are matched by others, tried in the order in which they were found.
    fn needed(&self, complexes: Vec<Complex>) -> Vec<Vec<Condition>> {
        let mut times = vec![0_u32; self.classes.len()];
        complexes.iter().flat_map(|(_, matched)| matched).for_each(|&class| times[class as usize] += 1);
        let mut kept = Vec::new();
        for (conditions, matched) in complexes {
            if matched.iter().all(|&class| times[class as usize] > 1) {
                matched.iter().for_each(|&class| times[class as usize] -= 1);
            } else {
                kept.push(conditions);
            }
        }
        kept
    }
}

/// The weights of some classes by column and code.
fn tally(classes: &Classes<'_>, of: &[u32]) -> Vec<Vec<u64>> {
    let is_much = of.len() * classes.columns.len() >= PARALLEL;
    classes.each_column(is_much, |column| column.tally(of, |class| classes.weight(class)))
}

/// The conditions by attribute, those of one attribute intersected.
fn joined(mut conditions: Vec<Condition>) -> Vec<Condition> {
    conditions.sort_unstable();
    let mut joined: Vec<Condition> = Vec::new();
    for condition in conditions {
        match joined.last_mut().filter(|last| last.attr == condition.attr) {
            Some(last) => {
                last.first = last.first.max(condition.first);
                last.last = last.last.min(condition.last);
            }
            None => joined.push(condition),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::table::{AttrIdx, Attribute, Value, Weights};

    fn in_words(table: &DecisionTable, rules: &[Rule]) -> Vec<String> {
        rules.iter().map(|rule| rule.display(table).to_string()).collect()
    }

    /// Chapter 8 of *Feature Selection for Data and Pattern Recognition* (Stańczyk & Jain, 2015): patients 1 and 7 are
    /// alike but for the decision, and the possible rules are given there.
    #[test]
    fn possible_rules_are_those_published() {
        let rows = [
            ["high", "yes", "no", "yes"],
            ["very_high", "no", "no", "yes"],
            ["very_high", "yes", "no", "no"],
            ["normal", "no", "no", "no"],
            ["high", "no", "yes", "maybe"],
            ["normal", "yes", "yes", "maybe"],
            ["high", "yes", "no", "no"],
        ];
        let table = DecisionTable::from_rows(&["temperature", "headache", "nausea"], "flu", &rows).unwrap();
        let rules = lem2(&table, &table.all_attributes(), Goal::Upper, &Silent);
        let expected = [
            "IF nausea = yes THEN flu = maybe (2 of 2, 1.00)",
            "IF headache = yes AND nausea = no THEN flu = no (2 of 3, 0.67)",
            "IF temperature = normal AND headache = no THEN flu = no (1 of 1, 1.00)",
            "IF temperature = high AND nausea = no THEN flu = yes (1 of 2, 0.50)",
            "IF temperature = very_high AND headache = no THEN flu = yes (1 of 1, 1.00)",
        ];
        assert_eq!(in_words(&table, &rules), expected);
    }

    #[test]
    fn numbers_are_cut_and_their_intervals_joined() {
        let ages = [20, 25, 30, 40, 50, 60].map(Value::Integer);
        let answers = ["no", "no", "yes", "yes", "no", "no"].map(Value::text);
        let columns = vec![Attribute::from_values("age", &ages)];
        let table = DecisionTable::new(columns, Attribute::from_values("buys", &answers), Weights::Unit).unwrap();
        let rules = mlem2(&table, &table.all_attributes(), Goal::Lower, &Silent);
        let expected = [
            "IF age >= 45 THEN buys = no (2 of 2, 1.00)",
            "IF age < 27.5 THEN buys = no (2 of 2, 1.00)",
            "IF 27.5 <= age < 45 THEN buys = yes (2 of 2, 1.00)",
        ];
        assert_eq!(in_words(&table, &rules), expected);
    }

    /// Three objects or fewer meet each condition of the one object that is x, first that on `a`, which the two others together make needless.
    #[test]
    fn a_condition_that_later_ones_make_needless_is_dropped() {
        let with_x = [&[1][..], &[1, 2], &[3, 4, 5]];
        let value = |row: usize, alike: &[usize]| if row == 0 || alike.contains(&row) { 0 } else { row as i64 };
        let column = |(name, alike): (&str, &[usize])| {
            Attribute::from_values(name, &(0..60).map(|row| Value::Integer(value(row, alike))).collect::<Vec<_>>())
        };
        let columns = ["a", "b", "c"].into_iter().zip(with_x).map(column).collect();
        let decisions: Vec<Value> = (0..60).map(|row| Value::text(if row == 0 { "x" } else { "y" })).collect();
        let table = DecisionTable::new(columns, Attribute::from_values("d", &decisions), Weights::Unit).unwrap();
        let rules = lem2(&table, &table.all_attributes(), Goal::Lower, &Silent);
        assert_eq!(in_words(&table, &rules)[0], "IF b = 0 AND c = 0 THEN d = x (1 of 1, 1.00)");
    }

    #[test]
    fn a_constant_decision_needs_no_condition() {
        let table = DecisionTable::from_rows(&["a"], "d", &[["0", "x"], ["1", "x"]]).unwrap();
        let rules = lem2(&table, &table.all_attributes(), Goal::Lower, &Silent);
        assert_eq!(in_words(&table, &rules), ["ALWAYS d = x (2 of 2, 1.00)"]);
    }

    #[test]
    fn the_upper_approximation_gives_possible_rules() {
        let table = DecisionTable::from_rows(&["a"], "d", &[["0", "x"], ["0", "y"], ["1", "y"]]).unwrap();
        let rules = lem2(&table, &table.all_attributes(), Goal::Upper, &Silent);
        assert_eq!(in_words(&table, &rules), ["IF a = 0 THEN d = x (1 of 2, 0.50)", "ALWAYS d = y (2 of 3, 0.67)"]);
    }

    #[test]
    fn one_number_beside_a_missing_value_is_told_by_its_value() {
        let values = [Value::Integer(5), Value::Missing];
        let columns = vec![Attribute::from_values("a", &values)];
        let decision = Attribute::from_values("d", &["x", "y"].map(Value::text));
        let table = DecisionTable::new(columns, decision, Weights::Unit).unwrap();
        let rules = mlem2(&table, &table.all_attributes(), Goal::Lower, &Silent);
        assert_eq!(
            in_words(&table, &rules),
            ["IF a = 5 THEN d = x (1 of 1, 1.00)", "IF a = ? THEN d = y (1 of 1, 1.00)"]
        );
    }

    /// Of three complexes any two match all that the third does.
    #[test]
    fn complexes_go_only_as_long_as_the_others_cover_all() {
        let table = DecisionTable::from_rows(&["a"], "d", &[["0", "x"], ["1", "x"], ["2", "x"]]).unwrap();
        let classes = Classes::new(&table, &table.all_attributes());
        let covering = LocalCovering::new(&classes, &[], &[0, 1, 2]);
        let condition = |code: u32| vec![Condition::value(AttrIdx::new(0), code)];
        let complexes = vec![(condition(0), vec![0, 1]), (condition(1), vec![1, 2]), (condition(2), vec![0, 2])];
        assert_eq!(covering.needed(complexes), [condition(1), condition(2)]);
    }
}
