//! Rules from rows: value reduction, rules of a reduct.

use rayon::prelude::*;

use super::classes::{ClassColumn, Classes, Draft, distinct};
use super::condition::{Condition, drop_needless};
use super::rule::Rule;
use super::{Enumeration, Reduct};
use crate::observe::{Observer, Silent};
use crate::table::{AttrSet, Code, DecisionTable, with_codes};

/// Classes at most that the next condition is chosen by; if more are open, an even sample of them decides.
const SAMPLE: usize = 4096;

/// The rules of the classes of U/IND(reduct), the heaviest classes first, at most `limit` classes.
///
/// As [`reduced_rules`] over the attributes of the reduct.
///
/// ```
/// use roughboard::rough::{Method, Notion, Reduct, rules_of_reduct};
/// use roughboard::table::{DecisionTable, Roles};
/// let csv = "outlook,wind,play\nsunny,weak,no\nsunny,strong,no\nrain,weak,yes\nrain,strong,no\n";
/// let table = DecisionTable::from_csv(csv, &Roles::decided_by("play"))?;
/// let reduct = Reduct::of(&table, Notion::Positive, Method::Backward);
/// let rules = rules_of_reduct(&table, &reduct, usize::MAX);
/// assert_eq!(rules[0].display(&table).to_string(), "IF outlook = sunny THEN play = no (2 of 2, 1.00)");
/// # Ok::<(), roughboard::table::TableError>(())
/// ```
pub fn rules_of_reduct(table: &DecisionTable, reduct: &Reduct, limit: usize) -> Vec<Rule> {
    reduced_rules(table, reduct.attrs(), limit, &Silent).found
}

/// The rules of the classes of U/IND(attrs), the heaviest classes first, at most `limit` classes.
///
/// A consistent class gives one certain rule, shortened by value reduction (Pawlak 1991): no condition can be left out
/// without matching an object of another decision. An inconsistent class gives one rule with all its values for each
/// of its decisions. Equal rules are given once, in the order of the classes; they are complete if all classes were used.
///
/// Conditions are added, always the one that leaves fewest classes of another label, until none is left; then those
/// that turn out not to be needed are dropped. Takes O(q|B|) once and then time that grows with the classes that share
/// the rarest value.
pub fn reduced_rules(
    table: &DecisionTable,
    attrs: &AttrSet,
    limit: usize,
    observer: &dyn Observer,
) -> Enumeration<Rule> {
    let reduction = Reduction::new(table, attrs);
    let chosen = reduction.heaviest(limit);
    observer.begin("value reduction", chosen.len() as u64);
    let mut drafts: Vec<(usize, Vec<Draft>)> = Vec::with_capacity(chosen.len());
    for group in reduction.by_label(&chosen) {
        let others = reduction.others(group.label);
        let reduced = group.members.into_par_iter().map(|(place, class)| {
            observer.advance(1);
            (place, reduction.drafts(class, &others))
        });
        drafts.par_extend(reduced);
    }
    observer.end();
    drafts.sort_unstable_by_key(|(place, _)| *place);
    let drafts = distinct(drafts.into_iter().flat_map(|(_, drafts)| drafts).collect());
    let found = drafts.into_par_iter().map(|draft| reduction.classes.rule(draft)).collect();
    Enumeration { found, complete: chosen.len() == reduction.classes.len() }
}

struct Reduction<'t> {
    classes: Classes<'t>,
    /// The decision of each consistent class.
    labels: Vec<Option<u32>>,
}

/// Classes of one label, each with its place among the chosen ones.
struct Group {
    label: Option<u32>,
    members: Vec<(usize, u32)>,
}

/// The number of classes with another label, by column and code, and in all.
struct Others {
    by_value: Vec<Vec<u32>>,
    all: usize,
}

impl<'t> Reduction<'t> {
    fn new(table: &'t DecisionTable, attrs: &AttrSet) -> Self {
        let classes = Classes::new(table, attrs);
        let labels = (0..classes.len()).map(|class| classes.distribution.certain(class)).collect();
        Self { classes, labels }
    }

    /// The `limit` heaviest classes, those of equal weight in the order of their first objects.
    fn heaviest(&self, limit: usize) -> Vec<u32> {
        let mut classes: Vec<u32> = (0..self.classes.len() as u32).collect();
        classes.sort_by_key(|&class| std::cmp::Reverse(self.classes.weight(class)));
        classes.truncate(limit);
        classes
    }

    fn by_label(&self, chosen: &[u32]) -> Vec<Group> {
        let mut members: Vec<(usize, u32)> = chosen.iter().copied().enumerate().collect();
        let label = |member: &(usize, u32)| self.labels[member.1 as usize];
        members.sort_by_key(label);
        let groups = members.chunk_by(|a, b| label(a) == label(b));
        groups.map(|group| Group { label: label(&group[0]), members: group.to_vec() }).collect()
    }

    fn others(&self, label: Option<u32>) -> Others {
        let others: Vec<u32> =
            (0..self.classes.len() as u32).filter(|&class| self.labels[class as usize] != label).collect();
        let count = |column: &ClassColumn| {
            let mut counts = vec![0_u32; column.n_values];
            with_codes!(&column.codes, codes => {
                others.iter().for_each(|&class| counts[codes[class as usize].index()] += 1);
            });
            counts
        };
        Others { by_value: self.classes.columns.par_iter().map(count).collect(), all: others.len() }
    }

    fn drafts(&self, class: u32, others: &Others) -> Vec<Draft> {
        match self.labels[class as usize] {
            Some(decision) => vec![(self.reduced(class, others), decision)],
            None => {
                let decisions = self.classes.distribution.of_class(class as usize);
                decisions.iter().map(|&(decision, _)| (self.classes.description(class), decision)).collect()
            }
        }
    }

    /// Values of `class` that no class of another label shares, none of which can be left out.
    fn reduced(&self, class: u32, others: &Others) -> Vec<Condition> {
        let label = self.labels[class as usize];
        let differs = |other: u32| self.labels[other as usize] != label;
        let mut conditions: Vec<Condition> =
            self.sufficient(class, others).into_iter().map(|column| self.classes.condition(class, column)).collect();
        drop_needless(&mut conditions, |left| !self.classes.any(left, differs));
        conditions.sort_unstable();
        conditions
    }

    /// Columns on which no class of another label agrees with `class`, in the order of choice.
    fn sufficient(&self, class: u32, others: &Others) -> Vec<usize> {
        let code = |column: usize| self.classes.columns[column].codes.get(class as usize) as usize;
        let sharing = |&column: &usize| others.by_value[column][code(column)];
        let Some(first) = (0..self.classes.columns.len()).min_by_key(sharing) else { return Vec::new() };
        if others.all == 0 {
            return Vec::new();
        }
        let label = self.labels[class as usize];
        let mut open = self.classes.meeting(self.classes.condition(class, first)).to_vec();
        open.retain(|&other| self.labels[other as usize] != label);
        let mut chosen = vec![first];
        while !open.is_empty() {
            let Some(next) = self.most_telling(class, &open) else { break };
            self.classes.columns[next].retain(&mut open, self.classes.condition(class, next));
            chosen.push(next);
        }
        chosen
    }

    /// The first of the columns on which fewest of a sample of `open` agree with `class`: not all of it, as classes differ.
    fn most_telling(&self, class: u32, open: &[u32]) -> Option<usize> {
        let sample: Vec<u32> = open.iter().step_by(open.len().div_ceil(SAMPLE)).copied().collect();
        (0..self.classes.columns.len()).min_by_key(|&column| self.agreeing(class, column, &sample))
    }

    /// How many of `open` have the value of `class` in a column.
    fn agreeing(&self, class: u32, column: usize, open: &[u32]) -> usize {
        with_codes!(&self.classes.columns[column].codes, codes => {
            let own = codes[class as usize];
            open.iter().filter(|&&other| codes[other as usize] == own).count()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rough::{Method, Notion};

    #[test]
    fn inconsistent_classes_give_a_rule_per_decision() {
        let rows = [["0", "x"], ["0", "y"], ["1", "y"]];
        let table = DecisionTable::from_rows(&["a"], "d", &rows).unwrap();
        let reduct = Reduct::of(&table, Notion::Positive, Method::Greedy);
        let rules = rules_of_reduct(&table, &reduct, 10);
        let counts: Vec<(u32, u64, u64)> = rules.iter().map(|r| (r.decision, r.support, r.matching)).collect();
        assert_eq!(counts, vec![(0, 1, 2), (1, 1, 2), (1, 1, 1)]);
    }

    #[test]
    fn the_limit_leaves_the_heaviest_classes() {
        let rows = [["0", "x"], ["1", "y"], ["1", "y"], ["2", "x"]];
        let table = DecisionTable::from_rows(&["a"], "d", &rows).unwrap();
        let reduced = reduced_rules(&table, &table.all_attributes(), 1, &Silent);
        assert_eq!((reduced.found.len(), reduced.complete), (1, false));
        assert_eq!((reduced.found[0].decision, reduced.found[0].support), (1, 2));
    }
}
