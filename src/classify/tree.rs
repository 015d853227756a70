//! Decision trees.

use super::{ClassifyError, Forecast, Learner, Model, ModelSize, Numbers, observed};
use crate::rough::winner;
use crate::table::{Attribute, DecisionTable, Encoded, Encoder, ROUNDING, TableError, ValuePlace};

/// Grows a binary tree by the Gini index (CART, Breiman et al. 1984) until its leaves are pure or cannot be split; it
/// is not pruned.
///
/// A node asks whether a value is a certain one, or at most a certain one in the order of the domain, whichever splits
/// best. So the tree can use the order of numbers, which rules cannot. Scores are sums in the order of codes and the
/// first of equal splits is taken: the same tree each time. (The tree of linfa-trees 0.8.1 adds in the order of a
/// randomly seeded hash map, and skips a split when the last of the objects with a value, in all of the data, is not in
/// the node; on nominal data that is most splits below the root.)
#[derive(Debug, Clone, Copy, Default)]
pub struct Tree;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    Equals(ValuePlace),
    AtMost(ValuePlace),
}

impl Question {
    fn holds(self, place: ValuePlace) -> bool {
        match self {
            Self::Equals(other) => place == other,
            Self::AtMost(other) => place <= other,
        }
    }
}

/// A leaf holds the decisions of its objects with their weights: of many decisions most leaves have few.
#[derive(Debug)]
enum Node {
    Leaf { weights: Vec<(u32, u64)> },
    Inner { attribute: usize, question: Question, yes: usize, no: usize },
}

struct Grown {
    encoder: Encoder,
    nodes: Vec<Node>,
    priors: Vec<u64>,
}

impl Learner for Tree {
    fn name(&self) -> String {
        "tree".to_owned()
    }

    fn numbers(&self) -> Numbers {
        Numbers::Order
    }

    fn fit(&self, table: &DecisionTable) -> Result<Box<dyn Model>, ClassifyError> {
        let table = observed(table)?;
        let nodes = Grower { table: &table, nodes: Vec::new() }.grow();
        Ok(Box::new(Grown { encoder: Encoder::of(table.attributes()), nodes, priors: table.decision_weights() }))
    }
}

impl Model for Grown {
    fn predict(&self, columns: &[Attribute]) -> Result<Vec<Forecast>, TableError> {
        let encoded = self.encoder.encode(columns)?;
        Ok((0..encoded.n_rows).map(|row| self.forecast(&encoded, row)).collect())
    }

    fn size(&self) -> ModelSize {
        let leaves = self.nodes.iter().filter(|node| matches!(node, Node::Leaf { .. })).count();
        ModelSize { leaves: Some(leaves), ..ModelSize::default() }
    }
}

impl Grown {
    fn forecast(&self, encoded: &Encoded<'_>, row: usize) -> Forecast {
        let mut at = 0;
        loop {
            match &self.nodes[at] {
                Node::Inner { attribute, question, yes, no } => {
                    let place = encoded.columns[*attribute].place(row);
                    at = if question.holds(place) { *yes } else { *no };
                }
                Node::Leaf { weights } => {
                    let mut votes = vec![0.0; self.priors.len()];
                    weights.iter().for_each(|&(decision, weight)| votes[decision as usize] = weight as f64);
                    return Forecast { decision: winner(&votes, &self.priors), votes: votes.into(), basis: None };
                }
            }
        }
    }
}

struct Grower<'t> {
    table: &'t DecisionTable,
    nodes: Vec<Node>,
}

/// A way to split a node, with its score: the larger, the purer the parts.
type Split = (f64, usize, Question);

impl Grower<'_> {
    /// Grows from the root, which becomes the first node. A list of open nodes stands for recursion, since trees may be
    /// as deep as there are objects.
    fn grow(mut self) -> Vec<Node> {
        let all: Vec<u32> = (0..self.table.n_objects() as u32).collect();
        let mut open = vec![(self.leaf(&all), all)];
        while let Some((node, rows)) = open.pop() {
            let Some((_, attribute, question)) = self.best_split(&rows) else { continue };
            let column = &self.table.attributes()[attribute];
            let holds = |row: &u32| question.holds(ValuePlace::of_code(column.code(*row as usize)));
            let (met, unmet): (Vec<u32>, Vec<u32>) = rows.into_iter().partition(holds);
            let (yes, no) = (self.leaf(&met), self.leaf(&unmet));
            self.nodes[node] = Node::Inner { attribute, question, yes, no };
            open.extend([(yes, met), (no, unmet)]);
        }
        self.nodes
    }

    /// Adds a leaf that holds `rows`.
    fn leaf(&mut self, rows: &[u32]) -> usize {
        let weights = (0..).zip(self.weights(rows)).filter(|(_, weight)| *weight > 0).collect();
        self.nodes.push(Node::Leaf { weights });
        self.nodes.len() - 1
    }

    fn weights(&self, rows: &[u32]) -> Vec<u64> {
        let mut weights = vec![0; self.table.n_decisions()];
        for &row in rows {
            weights[self.table.decision().code(row as usize) as usize] += self.table.weight(row as usize);
        }
        weights
    }

    /// The best split of a node; none if it is pure or all its objects are alike.
    fn best_split(&self, rows: &[u32]) -> Option<Split> {
        let whole = self.weights(rows);
        if whole.iter().filter(|weight| **weight > 0).count() < 2 {
            return None;
        }
        let mut best: Option<Split> = None;
        for attribute in 0..self.table.n_attributes() {
            for split in self.splits(attribute, rows, &whole) {
                // Of equal splits the first is taken: rounding must not choose.
                if best.is_none_or(|(score, ..)| split.0 > score * (1.0 + ROUNDING)) {
                    best = Some(split);
                }
            }
        }
        best
    }

    /// All splits of a node by one attribute.
    fn splits(&self, attribute: usize, rows: &[u32], whole: &[u64]) -> Vec<Split> {
        let column = &self.table.attributes()[attribute];
        let mut by_code: Vec<(u32, u32)> = rows.iter().map(|&row| (column.code(row as usize), row)).collect();
        by_code.sort_unstable();
        let runs: Vec<&[(u32, u32)]> = by_code.chunk_by(|a, b| a.0 == b.0).collect();
        let (mut splits, mut below) = (Vec::new(), vec![0; whole.len()]);
        for (at, run) in runs.iter().enumerate().take(if runs.len() < 2 { 0 } else { runs.len() }) {
            let place = ValuePlace::of_code(run[0].0);
            let of_run = self.weights(&run.iter().map(|pair| pair.1).collect::<Vec<_>>());
            below.iter_mut().zip(&of_run).for_each(|(sum, weight)| *sum += weight);
            if at + 1 < runs.len() {
                splits.push((purity(&below, whole), attribute, Question::AtMost(place)));
            }
            // At the ends of the order both questions split alike.
            if at > 0 && at + 1 < runs.len() {
                splits.push((purity(&of_run, whole), attribute, Question::Equals(place)));
            }
        }
        splits
    }
}

/// Σ w_k² / w of a part and of the rest: what the Gini index of a split is the complement of, up to the node's weight.
fn purity(part: &[u64], whole: &[u64]) -> f64 {
    let of = |weights: &mut dyn Iterator<Item = u64>| {
        let (sum, squares) = weights.fold((0_u64, 0.0), |(sum, squares), w| (sum + w, squares + w as f64 * w as f64));
        squares / sum as f64
    };
    of(&mut part.iter().copied()) + of(&mut whole.iter().zip(part).map(|(whole, part)| whole - part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Weights;

    fn table(values: &[i64], decisions: &[i64], weights: Vec<u32>) -> DecisionTable {
        let column = |name: &str, values: &[i64]| Attribute::from_integers(name, values.iter().copied());
        DecisionTable::new(vec![column("a", values)], column("d", decisions), Weights::Counts(weights)).unwrap()
    }

    fn leaves_and_decisions(table: &DecisionTable, values: &[i64]) -> (usize, Vec<u32>) {
        let model = Tree.fit(table).unwrap();
        let column = Attribute::from_integers("a", values.iter().copied());
        let decisions = model.predict(&[column]).unwrap().iter().map(|forecast| forecast.decision).collect();
        (model.size().leaves.unwrap(), decisions)
    }

    #[test]
    fn order_and_equality_are_both_used() {
        let ordered = table(&[1, 2, 3, 4], &[0, 0, 1, 1], vec![1; 4]);
        assert_eq!(leaves_and_decisions(&ordered, &[0, 1, 2, 3, 9]), (2, vec![0, 0, 0, 1, 1]));
        let equal = table(&[1, 2, 3, 4, 5], &[0, 0, 1, 0, 0], vec![1; 5]);
        assert_eq!(leaves_and_decisions(&equal, &[1, 3, 5, 7]), (2, vec![0, 1, 0, 0]));
    }

    #[test]
    fn objects_that_weigh_nothing_make_no_splits() {
        let weightless = table(&[1, 2, 3, 4], &[1, 0, 1, 0], vec![0, 1, 1, 0]);
        assert_eq!(leaves_and_decisions(&weightless, &[1, 2, 3, 4]), (2, vec![0, 0, 1, 1]));
    }

    #[test]
    fn objects_that_nothing_tells_apart_stay_in_one_leaf() {
        let inconsistent = table(&[1, 1, 2], &[0, 1, 1], vec![3, 2, 1]);
        assert_eq!(leaves_and_decisions(&inconsistent, &[1, 2]), (2, vec![0, 1]));
        let heavier = table(&[1, 1, 2], &[0, 1, 1], vec![2, 3, 1]);
        assert_eq!(leaves_and_decisions(&heavier, &[1, 2]), (2, vec![1, 1]));
        let pure = table(&[1, 2], &[5, 5], vec![1, 1]);
        assert_eq!(leaves_and_decisions(&pure, &[1]), (1, vec![0]));
    }
}
