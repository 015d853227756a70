//! The first layer of every network: a sum of rows of weights, one for each value class that the object lies in.
//!
//! An object has one value class for each attribute, and few of them matter (an empty point of a board adds nothing
//! when its number is 0), so a network looks at some thirty rows of its weights and not at all of them.

use super::bytes::for_each_difference;
use super::{CodeRows, Coding};

/// A row of first-layer weights and what it is multiplied by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Activation {
    /// The row.
    pub row: u32,
    /// Its factor; 0 for value classes that the network does not read.
    pub factor: f32,
}

/// Which rows an object activates.
#[derive(Debug, Clone, PartialEq)]
pub struct FirstLayer {
    coding: Coding,
    /// One a value class.
    activations: Vec<Activation>,
    /// A code of each attribute that activates nothing, or a byte that is none of its codes; absent where few attributes have one.
    silent: Option<Vec<u8>>,
    /// The number of rows.
    pub(crate) n_rows: usize,
    width: usize,
}

impl FirstLayer {
    /// One row an attribute, whose factor is the number of the attribute's value: the inputs x of S1 and S5.
    pub(crate) fn of_numbers(coding: Coding, width: usize) -> Self {
        let activation = |t: usize, class: usize| Activation { row: t as u32, factor: coding.value(class) };
        let (activations, n_rows) = (activations_by(&coding, activation), coding.n_attributes());
        Self::assembled(coding, activations, (n_rows, width))
    }

    /// One row a value class, with factor 1: every value has weights of its own. Attributes outside `inputs` are not read.
    pub fn of_classes(coding: Coding, inputs: &[usize], width: usize) -> Self {
        let factor = |t: usize| if inputs.contains(&t) { 1.0 } else { 0.0 };
        let activation = |t: usize, class: usize| Activation { row: class as u32, factor: factor(t) };
        let (activations, n_rows) = (activations_by(&coding, activation), coding.n_classes());
        Self::assembled(coding, activations, (n_rows, width))
    }

    /// A layer without rows, for networks whose first layer is no sum.
    pub fn none(coding: Coding) -> Self {
        let activations = vec![Activation { row: 0, factor: 0.0 }; coding.n_classes()];
        Self::assembled(coding, activations, (0, 0))
    }

    fn assembled(coding: Coding, activations: Vec<Activation>, (n_rows, width): (usize, usize)) -> Self {
        Self { silent: silent_codes(&coding, &activations), activations, coding, n_rows, width }
    }

    /// The value classes.
    pub fn coding(&self) -> &Coding {
        &self.coding
    }

    /// The length of a row: the number of sums.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of weights: `n_rows` · `width`.
    pub fn n_weights(&self) -> usize {
        self.n_rows * self.width
    }

    /// What a value class activates.
    #[inline]
    pub fn activation(&self, class: usize) -> Activation {
        self.activations[class]
    }

    /// Writes what the object with these codes activates into `active`, in the order of the attributes.
    #[inline]
    pub fn activate(&self, codes: &[u8], active: &mut Vec<Activation>) {
        // Every activation is written, and the next one over it if its factor is 0: which points are empty is hard to predict.
        active.resize(codes.len(), Activation { row: 0, factor: 0.0 });
        let mut n = 0;
        let mut put = |class: usize| {
            let activation = self.activations[class];
            active[n] = activation;
            n += usize::from(activation.factor != 0.0);
        };
        match &self.silent {
            Some(silent) => for_each_difference(codes, silent, |t| put(self.coding.class(t, codes[t]))),
            None => self.coding.classes(codes).for_each(put),
        }
        active.truncate(n);
    }

    /// Rows over `codes` of this layer's attributes.
    pub fn rows<'a>(&self, codes: &'a [u8]) -> CodeRows<'a> {
        CodeRows::new(codes, self.coding.n_attributes())
    }
}

/// What each value class activates, by its attribute and its number.
fn activations_by(coding: &Coding, activation: impl Fn(usize, usize) -> Activation) -> Vec<Activation> {
    let of_attribute = |t: usize| coding.classes_of(t).map(move |class| (t, class));
    (0..coding.n_attributes()).flat_map(of_attribute).map(|(t, class)| activation(t, class)).collect()
}

/// A silent code of each attribute, if half of them have one: then it is quicker to look only where the codes differ from them.
fn silent_codes(coding: &Coding, activations: &[Activation]) -> Option<Vec<u8>> {
    let silent_code =
        |t: usize| (0..coding.n_values(t)).find(|&code| activations[coding.class(t, code as u8)].factor == 0.0);
    let n = coding.n_attributes();
    let with_one = (0..n).filter(|&t| silent_code(t).is_some()).count();
    let code = |t: usize| u8::try_from(silent_code(t).unwrap_or_else(|| coding.n_values(t))).ok();
    (2 * with_one >= n).then(|| (0..n).map(code).collect()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::dense::small_coding;

    #[test]
    fn numbers_that_are_zero_activate_nothing() {
        let layer = FirstLayer::of_numbers(small_coding(), 2);
        let mut active = Vec::new();
        layer.activate(&[1, 0, 3], &mut active);
        assert_eq!(active, [Activation { row: 1, factor: 0.5 }, Activation { row: 2, factor: 0.3 }]);
        assert_eq!(layer.n_weights(), 6);
    }

    #[test]
    fn classes_have_rows_of_their_own_and_unread_attributes_none() {
        let layer = FirstLayer::of_classes(small_coding(), &[0, 2], 5);
        let mut active = Vec::new();
        layer.activate(&[1, 0, 3], &mut active);
        assert_eq!(active, [Activation { row: 1, factor: 1.0 }, Activation { row: 8, factor: 1.0 }]);
    }
}
