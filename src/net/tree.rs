//! A decision tree as a network: it has no first layer, and its weights are the values of its leaves.
//!
//! An object goes from split to split, by one attribute's code at each, until it comes to a leaf; the leaf's weight is the
//! argument a of the output y = tanh(a). So a tree can be evaluated, measured, and trained on (its leaves, not its splits) like
//! any network.

use super::first_layer::FirstLayer;
use super::{Coding, Network, Pass};

/// A question about one attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    /// The attribute that is looked at.
    pub attribute: usize,
    /// The last code that leads to the first child; codes above it lead to the second.
    pub last: usize,
    /// The children: below the number of splits a split, from there on the leaves.
    pub children: [usize; 2],
}

/// A tree as it grows.
#[derive(Debug, Clone, PartialEq)]
pub enum TreeNode {
    /// The argument of the output.
    Leaf(f32),
    /// A question, and what follows from its answers.
    Split {
        /// The attribute that is looked at.
        attribute: usize,
        /// The last code that leads to the first child.
        last: usize,
        /// What follows for codes up to the last, and above it.
        children: Box<[TreeNode; 2]>,
    },
}

/// A decision tree. Weights: one a leaf.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeNet {
    layer: FirstLayer,
    splits: Vec<Split>,
    leaves: Vec<f32>,
}

impl TreeNet {
    /// The tree that grew to `root`, splits and leaves numbered from the root on, the first child before the second; `None` if
    /// a split asks for what `coding` does not have.
    pub fn of(coding: Coding, root: &TreeNode) -> Option<Self> {
        let (mut splits, mut leaves) = (Vec::new(), Vec::new());
        number(root, &mut splits, &mut leaves);
        let n_splits = splits.len();
        for child in splits.iter_mut().flat_map(|split: &mut Split| &mut split.children) {
            *child = if *child >= LEAF { *child - LEAF + n_splits } else { *child };
        }
        Self::from_parts(coding, splits, leaves)
    }

    /// A tree from its splits and leaves.
    ///
    /// `None` unless every split but the first and every leaf is the child of exactly one split, a split comes after the one that
    /// it is a child of, there is one leaf more than splits, and every split asks for a code of `coding` that has one above it.
    pub(crate) fn from_parts(coding: Coding, splits: Vec<Split>, leaves: Vec<f32>) -> Option<Self> {
        let asks = |split: &Split| {
            split.attribute < coding.n_attributes() && split.last + 1 < coding.n_values(split.attribute)
        };
        let mut children: Vec<usize> = splits.iter().flat_map(|split| split.children).collect();
        children.sort_unstable();
        let fits = leaves.len() == splits.len() + 1
            && children.into_iter().eq(1..splits.len() + leaves.len())
            && splits.iter().enumerate().all(|(at, split)| asks(split) && split.children.iter().all(|&c| c > at));
        fits.then(|| Self { layer: FirstLayer::none(coding), splits, leaves })
    }

    /// The splits, the root's first.
    pub fn splits(&self) -> &[Split] {
        &self.splits
    }

    /// The number of the leaf that the object with these codes comes to.
    #[inline]
    fn leaf_of(&self, codes: &[u8]) -> usize {
        let mut at = 0;
        while let Some(split) = self.splits.get(at) {
            at = split.children[usize::from(usize::from(codes[split.attribute]) > split.last)];
        }
        at - self.splits.len()
    }

    /// The number of attributes that some split looks at.
    pub fn n_inputs(&self) -> usize {
        self.splits.iter().map(|split| split.attribute).collect::<std::collections::BTreeSet<_>>().len()
    }
}

/// Stands before the numbers of leaves as long as the number of splits is not known.
const LEAF: usize = usize::MAX / 2;

/// Appends what grew from `node`, and returns the number of `node`.
fn number(node: &TreeNode, splits: &mut Vec<Split>, leaves: &mut Vec<f32>) -> usize {
    match node {
        TreeNode::Leaf(value) => {
            leaves.push(*value);
            LEAF + leaves.len() - 1
        }
        TreeNode::Split { attribute, last, children } => {
            let at = splits.len();
            splits.push(Split { attribute: *attribute, last: *last, children: [0; 2] });
            let children = [&children[0], &children[1]].map(|child| number(child, splits, leaves));
            splits[at].children = children;
            at
        }
    }
}

impl Network for TreeNet {
    parts!(layer, leaves);

    fn base(&self) -> &[f32] {
        &[]
    }

    fn head(&self, codes: &[u8], offset: f32, pass: &mut Pass) {
        pass.argument = self.leaves[self.leaf_of(codes)] + offset;
        pass.y = self.output_of(pass.argument);
    }

    fn backward(&self, codes: &[u8], pass: &mut Pass) {
        pass.delta.clear();
        pass.tail.clear();
        pass.tail.resize(self.leaves.len(), 0.0);
        pass.tail[self.leaf_of(codes)] = 1.0 - pass.y * pass.y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::CodeRows;
    use crate::net::dense::{check_gradient, small_coding};

    fn split(attribute: usize, last: usize, children: [TreeNode; 2]) -> TreeNode {
        TreeNode::Split { attribute, last, children: Box::new(children) }
    }

    /// Attribute 2 up to code 1: 0.5; above it attribute 0 up to code 0: -0.25, above it 1.
    fn small_tree() -> TreeNet {
        let above = split(0, 0, [TreeNode::Leaf(-0.25), TreeNode::Leaf(1.0)]);
        TreeNet::of(small_coding(), &split(2, 1, [TreeNode::Leaf(0.5), above])).unwrap()
    }

    #[test]
    fn objects_come_to_the_leaf_that_their_codes_lead_to() {
        let tree = small_tree();
        for (codes, argument) in
            [([0, 0, 0], 0.5), ([2, 1, 1], 0.5), ([0, 1, 2], -0.25), ([1, 0, 2], 1.0), ([2, 1, 3], 1.0)]
        {
            let y = tree.outputs(CodeRows::new(&codes, 3))[0];
            approx::assert_abs_diff_eq!(y, f32::tanh(argument), epsilon = 1e-6);
        }
        assert_eq!(tree.n_inputs(), 2);
    }

    #[test]
    fn a_tree_without_splits_is_a_constant() {
        let tree = TreeNet::of(small_coding(), &TreeNode::Leaf(0.5)).unwrap();
        approx::assert_abs_diff_eq!(tree.outputs(CodeRows::new(&[2, 1, 3], 3))[0], f32::tanh(0.5), epsilon = 1e-6);
    }

    #[test]
    fn analytic_gradient_equals_numeric_gradient() {
        check_gradient(&small_tree(), &[0, 1, 2, 2, 0, 3, 1, 1, 0], 3, &[1.0, -1.0, 0.0]);
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let tree = small_tree();
        let make = |change: fn(&mut Vec<Split>, &mut Vec<f32>)| {
            let (mut splits, mut leaves) = (tree.splits.clone(), tree.leaves.clone());
            change(&mut splits, &mut leaves);
            TreeNet::from_parts(small_coding(), splits, leaves)
        };
        assert_eq!(make(|_, _| ()), Some(tree.clone()));
        assert_eq!(make(|_, leaves| leaves.truncate(2)), None, "a leaf is missing");
        assert_eq!(make(|splits, _| splits[1].children[0] = 0), None, "a circle");
        let own_child = make(|splits, _| (splits[0].children, splits[1].children) = ([2, 3], [1, 4]));
        assert_eq!(own_child, None, "a split that is its own child");
        assert_eq!(make(|splits, _| splits[1].children[0] = 2), None, "a leaf with two parents");
        assert_eq!(make(|splits, _| splits[0].attribute = 3), None, "an unknown attribute");
        assert_eq!(make(|splits, _| splits[1].last = 2), None, "no code lies above the last");
    }
}
