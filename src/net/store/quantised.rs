//! Files of networks in whole numbers: those of the networks they were made from, with other tensors for the first layer.

use std::path::Path;

use safetensors::tensor::{Dtype, TensorView};

use super::{About, pack, tensors_of};
use crate::net::container::{Reader, StoreError, Tensor, floats, save_bytes};
use crate::net::quantise::{Bits, IntegerNet, IntegerRows};
use crate::net::{Coding, Net, Network};

/// The first layer's tensors of trained networks.
const FIRST_LAYER: [&str; 2] = ["input_weights", "theta"];
/// The numbers: one row a value class.
const ROWS: &str = "rows";
/// The worth of a unit of each column.
const UNITS: &str = "units";
/// What each sum starts from.
const BASE: &str = "base";

/// The bytes of the file of a network in 8 or 16 bits; the same network and description give the same bytes.
///
/// # Errors
/// Never for networks made by this library; the container's own checks are passed on.
pub fn quantised_to_bytes(net: &IntegerNet, about: &About) -> Result<Vec<u8>, safetensors::SafeTensorError> {
    let mut tensors = tensors_of(&net.head);
    if net.rows().width > 0 {
        tensors.retain(|tensor| !FIRST_LAYER.contains(&tensor.0.as_str()));
    }
    tensors.extend(row_tensors(net.rows()));
    pack(&tensors, &net.head, about)
}

fn row_tensors(rows: &IntegerRows) -> [Tensor; 3] {
    let (classes, width) = (rows.coding.n_classes(), rows.width);
    let numbers = (0..classes).flat_map(|class| rows.numbers(class));
    let (dtype, bytes) = match rows.bits() {
        Bits::Eight => (Dtype::I8, numbers.map(|number| number as u8).collect()),
        Bits::Sixteen => (Dtype::I16, numbers.flat_map(|number| (number as i16).to_le_bytes()).collect()),
        Bits::ThirtyTwo => (Dtype::I32, numbers.flat_map(|number| (number as i32).to_le_bytes()).collect()),
    };
    [
        (ROWS.to_owned(), dtype, vec![classes, width], bytes),
        floats(UNITS, &[width], &rows.scale.units[..width]),
        floats(BASE, &[width], &rows.scale.base[..width]),
    ]
}

/// Writes a network in whole numbers; the file appears whole or not at all.
///
/// # Errors
/// When the file cannot be written.
pub fn save_quantised(path: &Path, net: &IntegerNet, about: &About) -> Result<(), StoreError> {
    save_bytes(path, quantised_to_bytes(net, about))
}

impl Reader<'_> {
    /// Whether the file holds a network in whole numbers.
    pub(super) fn is_quantised(&self) -> bool {
        self.tensors.names().contains(&ROWS)
    }

    /// Whether `tensor` is one of a first layer that the file has as whole numbers.
    pub(super) fn is_replaced(&self, tensor: &str) -> bool {
        self.is_quantised() && FIRST_LAYER.contains(&tensor) && self.tensors.tensor(tensor).is_err()
    }

    /// The network as an evaluator runs it; `head` was read from the same file.
    pub(super) fn integer_net(&self, head: Net) -> Result<IntegerNet, StoreError> {
        if !self.is_quantised() {
            return Ok(IntegerNet::of(&head, Bits::ThirtyTwo));
        }
        let rows = self.integer_rows(head.coding(), head.first_layer().width())?;
        Ok(IntegerNet::from_parts(rows, head))
    }

    /// Zeros for a tensor of this shape, in the place of which the file has whole numbers.
    pub(super) fn zeros(&self, coding: &Coding, shape: &[usize]) -> Result<Vec<f32>, StoreError> {
        // Only if they fit does the size of the file bound what is asked for here.
        self.rows_of(coding, shape.last().copied().unwrap_or_default())?;
        Ok(vec![0.0; shape.iter().product()])
    }

    /// The rows, which must be as many as value classes, and of this width.
    fn rows_of(&self, coding: &Coding, width: usize) -> Result<TensorView<'_>, StoreError> {
        let view = self.tensors.tensor(ROWS).map_err(|_| self.mismatch(ROWS, "whole numbers", "no such tensor"))?;
        let expected = [coding.n_classes(), width];
        if view.shape() != expected {
            return Err(self.mismatch(ROWS, format!("{expected:?}"), format!("{:?}", view.shape())));
        }
        Ok(view)
    }

    fn integer_rows(&self, coding: &Coding, width: usize) -> Result<IntegerRows, StoreError> {
        let (units, base) = (self.shaped(UNITS, &[width])?, self.shaped(BASE, &[width])?);
        let view = self.rows_of(coding, width)?;
        let (bits, numbers): (Bits, Vec<i64>) = match view.dtype() {
            Dtype::I8 => (Bits::Eight, view.data().iter().map(|&byte| i64::from(byte as i8)).collect()),
            Dtype::I16 => (Bits::Sixteen, words(view.data()).map(|word| i64::from(i16::from_le_bytes(word))).collect()),
            Dtype::I32 => {
                (Bits::ThirtyTwo, words(view.data()).map(|word| i64::from(i32::from_le_bytes(word))).collect())
            }
            other => return Err(self.mismatch(ROWS, "I8, I16 or I32", format!("{other:?}"))),
        };
        let expected = || format!("numbers whose sums stay within ±{}", bits.largest_sum());
        IntegerRows::from_parts(coding.clone(), bits, &numbers, &units, &base)
            .ok_or_else(|| self.mismatch(ROWS, expected(), "larger ones"))
    }
}

/// `bytes` in words of N.
fn words<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    bytes.as_chunks().0.iter().copied()
}
