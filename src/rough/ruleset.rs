//! Sets of rules with the decision distribution that they were learned on.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::Fraction;
use super::classes::{Classes, Draft, distinct};
use super::condition::Condition;
use super::rule::Rule;
use super::sequential::covered_weight;
use crate::observe::{Observer, in_parallel};
use crate::table::DecisionTable;
use crate::{choices, settings};

/// Rules of one decision table, in an order of preference or of discovery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSet {
    /// The rules, in order.
    pub rules: Vec<Rule>,
    /// |X_k| of each decision where the rules were learned, by decision code.
    pub decision_weights: Vec<u64>,
}

/// What rules say of the objects of a table, in weights that add up to that of all objects. Of the rules that match an object the
/// surest decide: those of the highest inclusion degree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Verdicts {
    /// The surest rules are for the object's decision.
    pub rightly: u64,
    /// The surest rules are for several decisions.
    pub ambiguously: u64,
    /// The surest rules are for another decision.
    pub wrongly: u64,
    /// No rule matches.
    pub not_at_all: u64,
}

/// The surest of the rules that match a class.
#[derive(Clone, Copy)]
struct Surest {
    inclusion: Fraction,
    /// Their decision; none if they are for several.
    decision: Option<u32>,
}

impl Surest {
    fn of(rule: &Rule) -> Self {
        Self { inclusion: rule.inclusion(), decision: Some(rule.decision) }
    }

    /// The surer of two; what both say, if they are equally sure.
    fn or(self, other: Self) -> Self {
        match self.inclusion.compare(other.inclusion) {
            Ordering::Greater => self,
            Ordering::Less => other,
            Ordering::Equal => Self { decision: self.decision.filter(|_| self.decision == other.decision), ..self },
        }
    }
}

settings! {
    /// What a rule must measure up to; the default lets every rule pass.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Filter {
        /// The least weight of objects that match and have the decision.
        pub min_support: u64 = 0;
        /// The least inclusion degree, in [0, 1].
        pub min_confidence: f64 = 0.0, in 0.0..=1.0;
        /// The least share of the decision class, in [0, 1].
        pub min_coverage: f64 = 0.0, in 0.0..=1.0;
        /// The least lift, at least 0.
        pub min_lift: f64 = 0.0, in 0.0..;
        /// The most conditions.
        pub max_len: usize = usize::MAX;
    }
}

impl Filter {
    /// Whether a rule passes.
    pub fn passes(&self, rule: &Rule) -> bool {
        rule.support >= self.min_support
            && rule.len() <= self.max_len
            && rule.inclusion().value() >= self.min_confidence
            && rule.coverage().value() >= self.min_coverage
            && rule.lift() >= self.min_lift
    }
}

choices! {
    /// The measure that rules are sorted by; rules that are equal in it go by support, then keep their order.
    pub enum RuleOrder = Support {
        /// Most support first.
        Support,
        /// Highest inclusion degree first.
        Confidence,
        /// Largest share of the decision class first.
        Coverage,
        /// Highest lift first: inclusion degree over the share of the decision.
        Lift,
        /// Fewest conditions first.
        Length,
    }
}

impl RuleOrder {
    /// What is sorted by, descending.
    fn key(self, rule: &Rule) -> f64 {
        match self {
            Self::Support => rule.support as f64,
            Self::Confidence => rule.inclusion().value(),
            Self::Coverage => rule.coverage().value(),
            Self::Lift => rule.lift(),
            Self::Length => -(rule.len() as f64),
        }
    }
}

impl RuleSet {
    /// Rules that were counted in `table`.
    pub fn new(table: &DecisionTable, rules: Vec<Rule>) -> Self {
        Self { rules, decision_weights: table.decision_weights() }
    }

    /// The rules shortened as far as their inclusion degree in `table` stays at `alpha`, in [0, 1], or above (Bazan;
    /// RSES). Each time the condition goes without which the degree is highest; of equals the one that leaves most
    /// support, of these the first. Rules that become equal are one; the counts are those in `table`. A rule below
    /// `alpha` keeps its conditions, unless it reaches `alpha` without one of them.
    ///
    /// # Panics
    /// When the table lacks an attribute or value of a rule.
    pub fn shortened(&self, table: &DecisionTable, alpha: f64, observer: &dyn Observer) -> Self {
        let classes = Classes::for_rules(table, &self.rules);
        let drafts: Vec<Draft> = distinct(shortened_drafts(&classes, &self.rules, alpha, observer));
        Self::new(table, drafts.into_iter().map(|draft| classes.rule(draft)).collect())
    }

    /// The rules that pass a filter.
    #[must_use]
    pub fn filtered(mut self, filter: &Filter) -> Self {
        self.rules.retain(|rule| filter.passes(rule));
        self
    }

    /// The rules without redundant ones: those that another rule for the same decision makes superfluous, since it
    /// holds wherever they do and its inclusion degree is not lower. Of equal rules the first stays.
    #[must_use]
    pub fn without_redundant(mut self) -> Self {
        let marks: Vec<u64> = self.rules.iter().map(mark).collect();
        let makes_superfluous = |at: usize, other: usize| {
            let (rule, general) = (&self.rules[at], &self.rules[other]);
            at != other
                && marks[other] & !marks[at] == 0
                && general.decision == rule.decision
                && general.inclusion().compare(rule.inclusion()).is_ge()
                && rule.is_special_case_of(general)
                && (other < at || !general.is_special_case_of(rule))
        };
        let is_redundant = |at: usize| (0..self.rules.len()).any(|other| makes_superfluous(at, other));
        let redundant: Vec<bool> = (0..self.rules.len()).into_par_iter().map(is_redundant).collect();
        let mut redundant = redundant.into_iter();
        self.rules.retain(|_| redundant.next() != Some(true));
        self
    }

    /// The rules sorted by a measure.
    #[must_use]
    pub fn sorted(mut self, order: RuleOrder) -> Self {
        self.rules.sort_by(|a, b| order.key(b).total_cmp(&order.key(a)).then(b.support.cmp(&a.support)));
        self
    }

    /// The weight of the objects of `table` that match a rule for their decision.
    ///
    /// # Panics
    /// When the table lacks an attribute or value of a rule.
    pub fn covered(&self, table: &DecisionTable) -> u64 {
        covered_weight(&Classes::for_rules(table, &self.rules), &self.rules)
    }

    /// What the rules say of the objects of `table`.
    ///
    /// # Panics
    /// When the table lacks an attribute or value of a rule.
    pub fn verdicts(&self, table: &DecisionTable) -> Verdicts {
        let classes = Classes::for_rules(table, &self.rules);
        let mut surest: Vec<Option<Surest>> = vec![None; classes.len()];
        for rule in &self.rules {
            for class in classes.matching(&rule.conditions) {
                let known = &mut surest[class as usize];
                *known = Some(known.map_or(Surest::of(rule), |known| known.or(Surest::of(rule))));
            }
        }
        let mut verdicts = Verdicts::default();
        for (class, surest) in (0..).zip(surest) {
            let weight = classes.weight(class);
            match surest.map(|surest| surest.decision) {
                None => verdicts.not_at_all += weight,
                Some(None) => verdicts.ambiguously += weight,
                Some(Some(decision)) => {
                    let right = classes.weight_of(class, decision);
                    verdicts.rightly += right;
                    verdicts.wrongly += weight - right;
                }
            }
        }
        verdicts
    }
}

/// The attributes of a rule in 64 bits: a general rule has none that its special cases lack.
fn mark(rule: &Rule) -> u64 {
    rule.conditions.iter().fold(0, |mark, condition| mark | 1 << (condition.attr.index() % 64))
}

/// The IF parts of `rules` with as few conditions as one gets by dropping, again and again, the condition without which
/// the inclusion degree is highest (of equals the one that leaves most support, of these the first), as long as the
/// degree is `alpha` or more. A rule below `alpha` stays as it is unless dropping a condition raises it there.
fn shortened_drafts(classes: &Classes<'_>, rules: &[Rule], alpha: f64, observer: &dyn Observer) -> Vec<Draft> {
    let shorten = |at: usize| {
        let mut conditions = rules[at].conditions.clone();
        while let Some(place) = best_to_drop(classes, &conditions, (rules[at].decision, alpha)) {
            conditions.remove(place);
        }
        (conditions, rules[at].decision)
    };
    in_parallel(observer, "shortening rules", rules.len(), shorten)
}

/// The place of the condition to drop next, if the rule can do without one.
fn best_to_drop(classes: &Classes<'_>, conditions: &[Condition], (decision, alpha): (u32, f64)) -> Option<usize> {
    let mut best: Option<(Fraction, usize)> = None;
    for (place, inclusion) in without_each(classes, conditions, decision).into_iter().enumerate() {
        if inclusion.value() >= alpha && best.is_none_or(|(known, _)| is_better(inclusion, known)) {
            best = Some((inclusion, place));
        }
    }
    best.map(|(_, place)| place)
}

/// Support and matching weight of the rule without each of its conditions.
fn without_each(classes: &Classes<'_>, conditions: &[Condition], decision: u32) -> Vec<Fraction> {
    let (mut inside, mut beside) = (Fraction::new(0, 0), vec![Fraction::new(0, 0); conditions.len()]);
    for (class, failed) in classes.near(conditions) {
        let to = failed.map_or(&mut inside, |place| &mut beside[place]);
        to.numerator += classes.weight_of(class, decision);
        to.denominator += classes.weight(class);
    }
    let with = |part: Fraction| Fraction::new(part.numerator + inside.numerator, part.denominator + inside.denominator);
    beside.into_iter().map(with).collect()
}

/// Whether an inclusion degree is higher, or as high with more support; compared exactly.
fn is_better(a: Fraction, b: Fraction) -> bool {
    a.compare(b).then(a.numerator.cmp(&b.numerator)).is_gt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::rough::Condition;
    use crate::table::AttrIdx;

    fn table() -> DecisionTable {
        let rows =
            [["0", "0", "x"], ["0", "1", "x"], ["0", "1", "x"], ["0", "2", "y"], ["1", "0", "y"], ["1", "1", "y"]];
        DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap()
    }

    fn rules(table: &DecisionTable) -> RuleSet {
        let of = |conditions: &[(usize, u32)], decision| {
            let conditions = conditions.iter().map(|&(attr, code)| Condition::value(AttrIdx::new(attr), code));
            Rule::counted(table, conditions.collect(), decision)
        };
        RuleSet::new(
            table,
            vec![of(&[(0, 0), (1, 1)], 0), of(&[(0, 0)], 0), of(&[(0, 0), (1, 0)], 0), of(&[(0, 1)], 1)],
        )
    }

    #[test]
    fn rules_are_shortened_merged_and_counted() {
        let table = table();
        let short = rules(&table).shortened(&table, 0.75, &Silent);
        let words: Vec<String> = short.rules.iter().map(|rule| rule.display(&table).to_string()).collect();
        assert_eq!(words, ["IF a = 0 THEN d = x (3 of 4, 0.75)", "IF a = 1 THEN d = y (2 of 2, 1.00)"]);
        assert_eq!(rules(&table).shortened(&table, 1.0, &Silent), rules(&table));
        assert_eq!(short.covered(&table), 5);
        // Of the objects with a = 0 one is y, where 3 of 4 are x.
        assert_eq!(short.verdicts(&table), Verdicts { rightly: 5, wrongly: 1, ..Verdicts::default() });
    }

    #[test]
    fn rules_of_several_decisions_that_are_equally_sure_decide_ambiguously() {
        let table = DecisionTable::from_rows(&["a"], "d", &[["0", "x"], ["0", "y"], ["1", "y"], ["2", "x"]]).unwrap();
        let of = |code, decision| Rule::counted(&table, vec![Condition::value(AttrIdx::new(0), code)], decision);
        let verdicts = |rules| RuleSet::new(&table, rules).verdicts(&table);
        let both = Verdicts { rightly: 1, ambiguously: 2, not_at_all: 1, ..Verdicts::default() };
        assert_eq!(verdicts(vec![of(0, 0), of(0, 1), of(1, 1)]), both);
        // A surer rule ends the doubt, and a rule for the same decision makes none.
        let always = Rule::counted(&table, vec![], 1);
        let surer = Verdicts { rightly: 2, ambiguously: 2, ..Verdicts::default() };
        assert_eq!(verdicts(vec![of(0, 0), of(0, 1), of(1, 1), always.clone(), of(2, 0)]), surer);
        assert_eq!(verdicts(vec![always.clone(), always]), Verdicts { rightly: 2, wrongly: 2, ..Verdicts::default() });
        assert_eq!(verdicts(vec![]), Verdicts { not_at_all: 4, ..Verdicts::default() });
    }

    #[test]
    fn redundant_rules_have_a_general_one_that_is_as_sure() {
        let table = table();
        let mut set = rules(&table);
        assert_eq!(set.clone().without_redundant(), set);
        set.rules.push(set.rules[0].clone());
        set.rules.push(Rule::counted(
            &table,
            vec![Condition::value(AttrIdx::new(0), 1), Condition::value(AttrIdx::new(1), 1)],
            1,
        ));
        assert_eq!(set.without_redundant(), rules(&table));
    }

    /// 1 - 2/4000000000 and 1 - 1/2000000001 are one number of 64 bits, and the former is less.
    #[test]
    fn a_general_rule_that_is_less_sure_by_a_hair_makes_none_redundant() {
        let table = table();
        let rule = |conditions: &[(usize, u32)], (support, matching)| Rule {
            conditions: conditions.iter().map(|&(attr, code)| Condition::value(AttrIdx::new(attr), code)).collect(),
            decision: 0,
            support,
            matching,
            decision_weight: 4_000_000_000,
            total_weight: 8_000_000_000,
        };
        let special = rule(&[(0, 0), (1, 1)], (2_000_000_000, 2_000_000_001));
        let kept = |counts| {
            let general = rule(&[(0, 0)], counts);
            assert_eq!(general.inclusion().value(), special.inclusion().value());
            RuleSet::new(&table, vec![special.clone(), general]).without_redundant().rules.len()
        };
        assert_eq!([kept((3_999_999_998, 4_000_000_000)), kept((4_000_000_000, 4_000_000_002))], [2, 1]);
    }

    #[test]
    fn filters_and_orders() {
        let table = table();
        let passing = |filter: Filter| rules(&table).filtered(&filter).rules.len();
        assert_eq!(passing(Filter::default()), 4);
        assert_eq!(passing(Filter { min_support: 2, ..Filter::default() }), 3);
        assert_eq!(passing(Filter { min_confidence: 0.8, ..Filter::default() }), 3);
        assert_eq!(passing(Filter { min_coverage: 0.67, ..Filter::default() }), 1);
        assert_eq!(passing(Filter { min_lift: 1.6, ..Filter::default() }), 3);
        assert_eq!(passing(Filter { max_len: 1, ..Filter::default() }), 2);
        let supports = |order| rules(&table).sorted(order).rules.iter().map(|rule| rule.support).collect::<Vec<_>>();
        assert_eq!(supports(RuleOrder::Support), [3, 2, 2, 1]);
        assert_eq!(supports(RuleOrder::Confidence), [2, 2, 1, 3]);
        assert_eq!(supports(RuleOrder::Length), [3, 2, 2, 1]);
    }
}
