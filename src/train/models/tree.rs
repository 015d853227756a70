//! A decision tree whose every split linfa-trees has found.
//!
//! linfa-trees 0.8.1 grows a whole tree in one call, and then (a) passes over splits between two values if the lower one also
//! occurs outside the node, (b) cuts off all splits below which one class is the most frequent everywhere, however much the
//! leaves differ in its share, and (c) adds numbers in the order of a hash map, which changes from run to run. So it is asked
//! for one split at a time, on the positions of one node (no outside), with wins and losses of the node given the same weight in
//! all (a split that tells anything then has a side for each, and stays), and with two classes (the sum of two numbers does not
//! depend on their order). The tree is the same in every run.

use linfa::traits::Fit;
use linfa::{Dataset, ParamGuard};
use linfa_trees::{DecisionTree, DecisionTreeValidParams};
use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

use super::{ModelError, Sample, won};
use crate::net::TreeNet;
use crate::net::tree::TreeNode;
use crate::observe::Observer;
use crate::settings::settings;

settings! {
    /// Settings of the decision tree.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct TreeSettings {
        /// The most splits from the root to a leaf.
        pub depth: usize = 8, in 1..=24;
        /// The fewest positions in a leaf; a node with fewer wins or losses than that is a leaf too.
        pub min_leaf: usize = 100, in 1..=1_000_000;
    }
}

/// The tree over the codes of the positions, which ascend with the attributes' values.
pub(super) fn fit(
    settings: &TreeSettings,
    sample: &Sample<'_>,
    observer: &dyn Observer,
) -> Result<TreeNet, ModelError> {
    let root = Grower { settings, sample, observer }.grow(sample.rows.clone(), 0)?;
    TreeNet::of(sample.coding.clone(), &root).ok_or(ModelError::Diverged("the decision tree"))
}

struct Grower<'a> {
    settings: &'a TreeSettings,
    sample: &'a Sample<'a>,
    observer: &'a dyn Observer,
}

impl Grower<'_> {
    /// What grows from the node that holds `rows`, `depth` splits below the root.
    fn grow(&self, rows: Vec<usize>, depth: usize) -> Result<TreeNode, ModelError> {
        let split = if depth < self.settings.depth { self.split(&rows)? } else { None };
        let Some((attribute, last)) = split else {
            self.observer.advance(rows.len() as u64);
            return Ok(TreeNode::Leaf(self.value(&rows)));
        };
        let is_first = |&row: &usize| usize::from(self.sample.codes(row)[attribute]) <= last;
        let (first, second) = rows.into_iter().partition(is_first);
        let (first, second) = rayon::join(|| self.grow(first, depth + 1), || self.grow(second, depth + 1));
        Ok(TreeNode::Split { attribute, last, children: Box::new([first?, second?]) })
    }

    /// The argument whose tanh is the mean result of `rows` and of a win and a loss more, which keep it finite.
    fn value(&self, rows: &[usize]) -> f32 {
        let sum: f64 = rows.iter().map(|&row| f64::from(self.sample.result(row))).sum();
        (sum / (rows.len() as f64 + 2.0)).atanh() as f32
    }

    /// The best split of a node by linfa's judgement, as attribute and last code on the lower side.
    fn split(&self, rows: &[usize]) -> Result<Option<(usize, usize)>, ModelError> {
        let wins: f32 = rows.iter().map(|&row| won(self.sample.result(row))).sum();
        let weight_of_win = rows.len() as f32 / (2.0 * wins);
        let weight_of_loss = rows.len() as f32 / (2.0 * (rows.len() as f32 - wins));
        let heaviest = weight_of_win.max(weight_of_loss);
        // So heavy a leaf holds enough positions whatever they weigh.
        let min_weight = self.settings.min_leaf as f32 * heaviest;
        if 2.0 * min_weight > rows.len() as f32 {
            return Ok(None);
        }
        let tree = stump(min_weight)?.fit(&self.dataset(rows, [weight_of_loss, weight_of_win])?)?;
        let root = tree.root_node();
        let (attribute, bound, _) = root.split();
        // Codes below the bound go to linfa's left.
        Ok((!root.is_leaf()).then(|| (attribute, bound.ceil() as usize - 1)))
    }

    /// Codes and winners of a node; a draw is a win and a loss of half their weight.
    fn dataset(&self, rows: &[usize], [loss, win]: [f32; 2]) -> Result<Dataset<f32, bool, ndarray::Ix1>, ModelError> {
        let observations: Vec<(usize, bool, f32)> = rows
            .iter()
            .flat_map(|&row| {
                let share = won(self.sample.result(row));
                [(row, true, share * win), (row, false, (1.0 - share) * loss)]
            })
            .filter(|&(_, _, weight)| weight > 0.0)
            .collect();
        let shape = (observations.len(), self.sample.coding.n_attributes());
        if shape.0.saturating_mul(shape.1) > super::MAX_CELLS {
            return Err(ModelError::TooLarge { rows: shape.0, columns: shape.1 });
        }
        let codes = |at: (usize, usize)| f32::from(self.sample.codes(observations[at.0].0)[at.1]);
        let winners: Array1<bool> = observations.iter().map(|&(_, wins, _)| wins).collect();
        let weights: Array1<f32> = observations.iter().map(|&(_, _, weight)| weight).collect();
        Ok(Dataset::new(Array2::from_shape_fn(shape, codes), winners).with_weights(weights))
    }
}

/// A tree of one split at most, both sides of which weigh at least this much.
fn stump(min_weight: f32) -> Result<DecisionTreeValidParams<f32, bool>, linfa::Error> {
    let parameters = DecisionTree::params().max_depth(Some(1)).min_weight_leaf(min_weight);
    parameters.min_weight_split(0.0).min_impurity_decrease(MIN_DECREASE).check()
}

/// Splits that make a node purer by less than this tell nothing. Gini's impurity of a node is 0.5 before each split.
const MIN_DECREASE: f32 = 1e-4;
