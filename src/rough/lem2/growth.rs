//! The growth of a complex out of intervals, each of which as a rule leaves out little: what it leaves out is taken off what was
//! counted, so that a step costs as much as it changes.

use super::pairs::{AttributePairs, Left, WeighedPair};
use crate::rough::classes::Classes;
use crate::rough::condition::Condition;

/// The set of classes that a complex is to match none but, and those of them that are still to be covered.
#[derive(Clone, Copy)]
pub(super) struct Goal<'a> {
    /// Whether each class is one to cover.
    pub inside: &'a [bool],
    /// How many classes are not.
    pub n_outside: usize,
    /// Whether each class is still to be covered.
    pub open: &'a [bool],
    /// The weight of what is still to be covered, by column and code.
    pub tallies: &'a [Vec<u64>],
}

/// A complex with what is left of all attributes.
pub(super) struct Growth<'a> {
    classes: &'a Classes<'a>,
    pairs: &'a [AttributePairs],
    goal: Goal<'a>,
    chosen: Vec<Condition>,
    /// Whether each class meets the conditions.
    meets: Vec<bool>,
    left: Vec<Left>,
}

impl<'a> Growth<'a> {
    /// The pairs of a complex, in the order of their choice, that matches nothing outside of the goal. `None` only if no pair is left.
    pub fn complex(classes: &'a Classes<'a>, pairs: &'a [AttributePairs], goal: Goal<'a>) -> Option<Vec<Condition>> {
        let left = pairs.iter().zip(goal.tallies).map(|(pairs, tally)| pairs.all_left(tally.clone())).collect();
        let meets = vec![true; classes.len()];
        let mut growth = Self { classes, pairs, goal, chosen: Vec::new(), meets, left };
        growth.choose()?;
        while growth.goal.n_outside > 0 {
            growth.choose()?;
        }
        Some(growth.chosen)
    }

    /// Adds the best pair.
    fn choose(&mut self) -> Option<()> {
        let best = self.pairs.iter().zip(&mut self.left).filter_map(|(pairs, left)| pairs.best(left, &self.chosen));
        let best = best.reduce(WeighedPair::better)?.pair;
        self.narrow(best);
        self.chosen.push(best);
        Some(())
    }

    /// Leaves out the classes that do not meet `condition`.
    fn narrow(&mut self, condition: Condition) {
        let Ok(column) = self.classes.attrs.binary_search(&condition.attr) else { return };
        let codes = self.left[column].codes.clone();
        let (first, end) = (codes.start.max(condition.first as usize), codes.end.min(condition.last as usize + 1));
        for (from, to) in [(codes.start, first), (end, codes.end)].into_iter().filter(|(from, to)| from < to) {
            for &class in self.classes.meeting(Condition::interval(condition.attr, from as u32, to as u32 - 1)) {
                if std::mem::take(&mut self.meets[class as usize]) {
                    self.leave_out(class);
                }
            }
        }
        self.left[column].codes = first..end;
    }

    fn leave_out(&mut self, class: u32) {
        let at = class as usize;
        if !self.goal.inside[at] {
            self.goal.n_outside -= 1;
        } else if self.goal.open[at] {
            let weight = self.classes.weight(class);
            for ((column, pairs), left) in self.classes.columns.iter().zip(self.pairs).zip(&mut self.left) {
                pairs.take(left, column.codes.get(at) as usize, weight);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::table::{Attribute, DecisionTable, Value, Weights};

    /// Three values, whether the object is inside and open, and its weight.
    type Row = (i64, i64, i64, bool, bool, u32);
    /// A pair with the classes that meet it.
    type Met = (Condition, Vec<u32>);

    /// All pairs in their order, by the definition: for each cut what is below and above it, then values that are no numbers.
    fn all_pairs(classes: &Classes<'_>) -> Vec<Met> {
        let mut all = Vec::new();
        for (column, &attr) in classes.attrs.iter().enumerate() {
            let domain = classes.table.attribute(attr).domain();
            let occurs = |code: &usize| {
                (0..classes.len()).any(|class| classes.columns[column].codes.get(class) as usize == *code)
            };
            let is_number = |code: &usize| domain[*code].as_real().is_some();
            let (numbers, others): (Vec<usize>, Vec<usize>) = (0..domain.len()).filter(occurs).partition(is_number);
            let cuts = numbers.iter().skip(1).flat_map(|&cut| {
                let last = numbers[numbers.len() - 1] as u32;
                [Condition::interval(attr, 0, cut as u32 - 1), Condition::interval(attr, cut as u32, last)]
            });
            let single = if numbers.len() == 1 { [&numbers[..], &others].concat() } else { others.clone() };
            let values = single.iter().map(|&code| Condition::value(attr, code as u32));
            all.extend(cuts.chain(values).map(|pair| (pair, classes.meeting(pair).to_vec())));
        }
        all
    }

    /// The pairs of a complex, each the best of all by the definition.
    fn plain(classes: &Classes<'_>, goal: Goal<'_>) -> Option<Vec<Condition>> {
        let all = all_pairs(classes);
        let weight = |of: &mut dyn Iterator<Item = &u32>| of.map(|&class| classes.weight(class)).sum::<u64>();
        let mut meets: Vec<u32> = (0..classes.len() as u32).collect();
        let mut chosen: Vec<Condition> = Vec::new();
        loop {
            let is_left = |pair: &Condition| !chosen.iter().any(|one| one.implies(*pair));
            let mut best: Option<(u64, u64, &Met)> = None;
            for met in all.iter().filter(|(pair, _)| is_left(pair)) {
                let in_goal =
                    weight(&mut met.1.iter().filter(|class| goal.open[**class as usize] && meets.contains(class)));
                let size = weight(&mut met.1.iter());
                if in_goal > 0 && best.is_none_or(|(most, least, _)| (in_goal, least) > (most, size)) {
                    best = Some((in_goal, size, met));
                }
            }
            let (_, _, (pair, of_pair)) = best?;
            meets.retain(|class| of_pair.contains(class));
            chosen.push(*pair);
            if meets.iter().all(|class| goal.inside[*class as usize]) {
                return Some(chosen);
            }
        }
    }

    proptest! {
        #[test]
        fn every_choice_is_the_best_by_the_definition(
            rows in prop::collection::vec((0..7_i64, 0..4_i64, 0..3_i64, any::<bool>(), any::<bool>(), 1..4_u32), 2..24),
        ) {
            // The third column has texts, the first two numbers, of which 3 stands for a missing one.
            let number = |value: i64| if value == 3 { Value::Missing } else { Value::Integer(value) };
            let column = |name: &str, value: &dyn Fn(&Row) -> Value| {
                Attribute::from_values(name, &rows.iter().map(value).collect::<Vec<_>>())
            };
            let columns = vec![
                column("a", &|row| number(row.0)),
                column("b", &|row| number(row.1)),
                column("c", &|row| Value::text(["x", "y", "z"][row.2 as usize])),
            ];
            let decision = Attribute::from_values("d", &vec![Value::text("d"); rows.len()]);
            let weights = Weights::Counts(rows.iter().map(|row| row.5).collect());
            let table = DecisionTable::new(columns, decision, weights).unwrap();
            let classes = Classes::new(&table, &table.all_attributes());
            let pairs: Vec<AttributePairs> = (0..3).map(|column| AttributePairs::of(&classes, column, true)).collect();
            let of_class = |class: usize| &rows[class % rows.len()];
            let inside: Vec<bool> = (0..classes.len()).map(|class| of_class(class).3).collect();
            let open: Vec<bool> = (0..classes.len()).map(|class| inside[class] && of_class(class).4).collect();
            let to_cover: Vec<u32> = (0..classes.len() as u32).filter(|&class| open[class as usize]).collect();
            let tallies = classes.each_column(false, |column| column.tally(&to_cover, |class| classes.weight(class)));
            let n_outside = inside.iter().filter(|is_inside| !**is_inside).count();
            let goal = Goal { inside: &inside, n_outside, open: &open, tallies: &tallies };
            prop_assert_eq!(Growth::complex(&classes, &pairs, goal), plain(&classes, goal));
        }
    }
}
