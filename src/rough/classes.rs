//! The classes of U/IND(B) as rows that rules are found and counted on: equal objects are looked at once.

use std::sync::OnceLock;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::condition::Condition;
use super::rule::Rule;
use super::{Distribution, Partition};
use crate::table::{AttrIdx, AttrSet, Code, Codes, DecisionTable, with_codes};

/// A rule before it is counted: its conditions, by attribute, and its decision.
pub(super) type Draft = (Vec<Condition>, u32);

/// The classes of U/IND(B), one row each, with an index from values to classes.
pub(super) struct Classes<'t> {
    pub table: &'t DecisionTable,
    pub attrs: Vec<AttrIdx>,
    pub columns: Vec<ClassColumn>,
    pub partition: Partition,
    pub distribution: Distribution,
    weights: Vec<u64>,
    /// The weight of the objects of each decision.
    pub decision_weights: Vec<u64>,
}

/// The codes of one attribute, class by class.
pub(super) struct ClassColumn {
    pub codes: Codes,
    pub n_values: usize,
    index: OnceLock<Index>,
}

/// Classes by their value: those of the code `v` are `classes[starts[v]..starts[v + 1]]`, in the order in which they came.
pub(super) struct Index {
    starts: Vec<u32>,
    classes: Vec<u32>,
}

impl Index {
    fn of(codes: &Codes, n_values: usize, of: impl Iterator<Item = u32> + Clone) -> Self {
        let mut starts = vec![0_u32; n_values + 1];
        let mut classes = Vec::new();
        with_codes!(codes, codes => {
            of.clone().for_each(|class| starts[codes[class as usize].index() + 1] += 1);
            (0..n_values).for_each(|value| starts[value + 1] += starts[value]);
            let mut next = starts.clone();
            classes.resize(starts[n_values] as usize, 0);
            for class in of {
                let at = &mut next[codes[class as usize].index()];
                classes[*at as usize] = class;
                *at += 1;
            }
        });
        Self { starts, classes }
    }

    /// Each value that occurs, with its classes.
    pub fn runs(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let bounds = self.starts.windows(2).map(|bounds| bounds[0] as usize..bounds[1] as usize);
        (0..).zip(bounds).filter(|(_, bounds)| !bounds.is_empty()).map(|(code, bounds)| (code, &self.classes[bounds]))
    }
}

impl ClassColumn {
    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(&self.codes, self.n_values, 0..self.codes.len() as u32))
    }

    /// The classes `of` by their value.
    pub fn split(&self, of: &[u32]) -> Index {
        Index::of(&self.codes, self.n_values, of.iter().copied())
    }

    /// Sums of `weight` over `classes`, by code.
    pub fn tally(&self, classes: &[u32], weight: impl Fn(u32) -> u64) -> Vec<u64> {
        let mut sums = vec![0; self.n_values];
        with_codes!(&self.codes, codes => {
            classes.iter().for_each(|&class| sums[codes[class as usize].index()] += weight(class));
        });
        sums
    }

    /// Keeps the classes whose code the condition holds for.
    pub fn retain(&self, classes: &mut Vec<u32>, condition: Condition) {
        with_codes!(&self.codes, codes => {
            classes.retain(|&class| condition.holds(codes[class as usize].index() as u32));
        });
    }
}

impl<'t> Classes<'t> {
    pub fn new(table: &'t DecisionTable, attrs: &AttrSet) -> Self {
        let partition = Partition::by(table, attrs);
        let (distribution, objects) = (Distribution::of(table, &partition), partition.first_objects());
        let column = |attr: AttrIdx| {
            let attribute = table.attribute(attr);
            ClassColumn {
                codes: attribute.codes().select(objects),
                n_values: attribute.n_values(),
                index: OnceLock::new(),
            }
        };
        Self {
            table,
            attrs: attrs.iter().collect(),
            columns: attrs.iter().map(column).collect(),
            weights: (0..objects.len()).map(|class| distribution.class_weight(class)).collect(),
            decision_weights: table.decision_weights(),
            distribution,
            partition,
        }
    }

    /// The classes by the attributes that `rules` speak of: all that is needed to count them.
    pub(crate) fn for_rules(table: &'t DecisionTable, rules: &[Rule]) -> Self {
        let attrs = rules.iter().flat_map(|rule| &rule.conditions).map(|condition| condition.attr).collect();
        Self::new(table, &attrs)
    }

    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// What `work` makes of each column.
    pub(crate) fn each_column<T: Send>(
        &self,
        in_parallel: bool,
        work: impl Fn(&ClassColumn) -> T + Sync + Send,
    ) -> Vec<T> {
        if in_parallel { self.columns.par_iter().map(work).collect() } else { self.columns.iter().map(work).collect() }
    }

    /// The weight of the objects in a class.
    pub fn weight(&self, class: u32) -> u64 {
        self.weights[class as usize]
    }

    /// The weight of the objects in a class that have the decision.
    pub fn weight_of(&self, class: u32, decision: u32) -> u64 {
        let entries = self.distribution.of_class(class as usize);
        entries.binary_search_by_key(&decision, |entry| entry.0).map_or(0, |at| entries[at].1)
    }

    /// The condition that a class meets on the column at `column`.
    pub fn condition(&self, class: u32, column: usize) -> Condition {
        Condition::value(self.attrs[column], self.columns[column].codes.get(class as usize))
    }

    /// All conditions that a class meets.
    pub fn description(&self, class: u32) -> Vec<Condition> {
        (0..self.columns.len()).map(|column| self.condition(class, column)).collect()
    }

    /// The classes that meet a condition.
    pub fn meeting(&self, condition: Condition) -> &[u32] {
        let Some(column) = self.column(condition.attr) else { return &[] };
        let Index { starts, classes } = column.index();
        if condition.first > condition.last {
            return &[];
        }
        &classes[starts[condition.first as usize] as usize..starts[condition.last as usize + 1] as usize]
    }

    /// The classes that meet all conditions, in no order that matters.
    pub fn matching(&self, conditions: &[Condition]) -> Vec<u32> {
        let Some((rarest, rest)) = self.rarest_first(conditions) else { return (0..self.len() as u32).collect() };
        let mut classes = self.meeting(rarest).to_vec();
        for condition in rest {
            self.retain(&mut classes, condition);
        }
        classes
    }

    /// Keeps the classes that meet a condition.
    pub fn retain(&self, classes: &mut Vec<u32>, condition: Condition) {
        match self.column(condition.attr) {
            Some(column) => column.retain(classes, condition),
            None => classes.clear(),
        }
    }

    /// Whether a class that meets all conditions is `wanted`.
    pub fn any(&self, conditions: &[Condition], wanted: impl Fn(u32) -> bool) -> bool {
        let Some((rarest, rest)) = self.rarest_first(conditions) else { return (0..self.len() as u32).any(wanted) };
        let meets_rest = |class: u32| rest.iter().all(|condition| self.meets(class, *condition));
        self.meeting(rarest).iter().any(|&class| wanted(class) && meets_rest(class))
    }

    fn meets(&self, class: u32, condition: Condition) -> bool {
        let code = self.column(condition.attr).map(|column| column.codes.get(class as usize));
        code.is_some_and(|code| condition.holds(code))
    }

    /// The classes that meet all conditions, or all but one, whose place is then given. In no order that matters.
    ///
    /// Such a class meets one of the two rarest conditions at least, so that only those are looked at.
    pub fn near(&self, conditions: &[Condition]) -> Vec<(u32, Option<usize>)> {
        let mut places: Vec<usize> = (0..conditions.len()).collect();
        places.sort_by_key(|&place| self.meeting(conditions[place]).len());
        let mut near: Vec<(u32, Option<usize>)> = match places[..] {
            [] | [_] => (0..self.len() as u32).map(|class| (class, None)).collect(),
            [rarest, next, ..] => {
                let first = self.meeting(conditions[rarest]).iter().map(|&class| (class, None));
                let mut others = self.meeting(conditions[next]).to_vec();
                others.retain(|&class| !self.meets(class, conditions[rarest]));
                first.chain(others.into_iter().map(|class| (class, Some(rarest)))).collect()
            }
        };
        for &place in &places[usize::from(places.len() > 1)..] {
            near.retain_mut(|(class, failed)| self.meets(*class, conditions[place]) || failed.replace(place).is_none());
        }
        near
    }

    /// The condition that fewest classes meet, and the others; `None` if there are none.
    fn rarest_first(&self, conditions: &[Condition]) -> Option<(Condition, Vec<Condition>)> {
        let rarest = (0..conditions.len()).min_by_key(|&at| self.meeting(conditions[at]).len())?;
        let mut rest = conditions.to_vec();
        let condition = rest.swap_remove(rarest);
        Some((condition, rest))
    }

    fn column(&self, attr: AttrIdx) -> Option<&ClassColumn> {
        self.attrs.binary_search(&attr).ok().map(|at| &self.columns[at])
    }

    /// The weights of the objects of some classes: of those that have the decision, and of all.
    pub fn weigh(&self, classes: &[u32], decision: u32) -> (u64, u64) {
        let add = |(support, matching), &class: &u32| {
            (support + self.weight_of(class, decision), matching + self.weight(class))
        };
        classes.iter().fold((0, 0), add)
    }

    /// The rule with these conditions and its counts.
    pub fn rule(&self, (mut conditions, decision): Draft) -> Rule {
        conditions.sort_unstable();
        let (support, matching) = self.weigh(&self.matching(&conditions), decision);
        let decision_weight = self.decision_weights[decision as usize];
        Rule { conditions, decision, support, matching, decision_weight, total_weight: self.table.total_weight() }
    }
}

/// Each different draft once, in their order.
pub(super) fn distinct(drafts: Vec<Draft>) -> Vec<Draft> {
    let mut seen = FxHashSet::default();
    drafts.into_iter().filter(|draft| seen.insert(draft.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_found_by_their_values() {
        let rows = [["0", "x", "p"], ["1", "x", "p"], ["0", "y", "q"], ["0", "x", "q"], ["2", "y", "q"]];
        let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
        let classes = Classes::new(&table, &table.all_attributes());
        let (a, b) = (AttrIdx::new(0), AttrIdx::new(1));
        assert_eq!(classes.len(), 4);
        assert_eq!(classes.meeting(Condition::value(a, 0)), [0, 2]);
        assert_eq!(classes.meeting(Condition::interval(a, 0, 1)), [0, 2, 1]);
        assert_eq!(classes.meeting(Condition::never(a)), [0; 0]);
        assert_eq!(classes.matching(&[Condition::interval(a, 1, 2), Condition::value(b, 0)]), [1]);
        assert_eq!(classes.matching(&[]).len(), 4);
        let mut near = classes.near(&[Condition::value(a, 0), Condition::value(b, 0)]);
        near.sort_unstable();
        assert_eq!(near, [(0, None), (1, Some(0)), (2, Some(1))]);
        assert_eq!(classes.near(&[Condition::value(b, 0)]).len(), 4);
        assert!(classes.any(&[Condition::value(b, 1)], |class| class == 3));
        assert!(!classes.any(&[Condition::value(b, 1)], |class| class == 0));
        for (conditions, decision) in [(vec![Condition::value(b, 0)], 0), (vec![], 1)] {
            let rule = classes.rule((conditions.clone(), decision));
            assert_eq!(rule, Rule::counted(&table, conditions, decision));
        }
    }
}
