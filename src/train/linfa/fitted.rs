//! Networks that know what they were fitted to.

use linfa::Float;
use linfa::traits::PredictInplace;
use ndarray::{Array1, ArrayBase, Data, Ix2};

use super::examples::{Codebook, Examples};
use super::{FitNetworkError, Result, Target};
use crate::net::{Network, Pass, are_weights};
use crate::observe::Silent;
use crate::train::{Method, PositionSet, Share};

/// A network fitted to a data set: it predicts targets of type `T`.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedNetwork<N, T: Target> {
    net: N,
    codebook: Codebook,
    scale: T::Scale,
    /// What the training method remembers.
    memory: Vec<f32>,
    n_batches: u64,
}

impl<N: Network, T: Target> FittedNetwork<N, T> {
    /// A network for these examples that has not learned yet.
    pub(super) fn untrained(net: N, examples: &Examples<T>) -> Self {
        let (codebook, scale) = (examples.codebook.clone(), examples.scale.clone());
        Self { net, codebook, scale, memory: Vec::new(), n_batches: 0 }
    }

    /// What further batches are read by.
    pub(super) fn known(&self) -> (&Codebook, &T::Scale) {
        (&self.codebook, &self.scale)
    }

    /// The network by itself; its attribute `i` is the column `i` of the records.
    pub const fn network(&self) -> &N {
        &self.net
    }

    /// The number of data sets that it was fitted to, one after the other.
    pub const fn n_batches(&self) -> u64 {
        self.n_batches
    }

    /// The outputs y in [-1, 1] for records (n_samples, n_features); NaN for a record that holds one.
    ///
    /// # Panics
    /// When there are not as many columns as the network was fitted to.
    pub fn outputs<F, D>(&self, records: &ArrayBase<D, Ix2>) -> Array1<f32>
    where
        F: Float + Into<f64>,
        D: Data<Elem = F>,
    {
        let found = records.ncols();
        assert_eq!(found, self.codebook.n_columns(), "the records must have the features of the training records");
        let (mut codes, mut pass) = (Vec::new(), Pass::default());
        let output = |record| {
            codes.clear();
            self.codebook.encode(record, &mut codes).map_or(f32::NAN, |()| {
                self.net.forward(&codes, 0.0, &mut pass);
                pass.y
            })
        };
        records.rows().into_iter().map(output).collect()
    }

    /// Passes over `positions` by the method that `make` makes for the network; its seed differs from batch to batch. It goes on
    /// from what is remembered, unless that is the memory of another optimiser.
    pub(super) fn learn<M: Method<Net = N>>(
        mut self,
        make: impl FnOnce(&N, u64) -> M,
        positions: &PositionSet,
        passes: usize,
    ) -> Result<Self> {
        let mut method = make(&self.net, self.n_batches);
        if self.memory.len() == method.memory().len() {
            method.restore(&self.memory);
        }
        for pass in 0..passes {
            method.train_share(&mut self.net, Share { pass, ..Share::whole(positions, &Silent) })?;
        }
        self.memory = method.memory();
        self.n_batches += 1;
        are_weights(self.net.parameters()).then_some(self).ok_or(FitNetworkError::Diverged)
    }
}

impl<F, D, N, T> PredictInplace<ArrayBase<D, Ix2>, Array1<T>> for FittedNetwork<N, T>
where
    F: Float + Into<f64>,
    D: Data<Elem = F>,
    N: Network,
    T: Target,
{
    /// Predicts the target of each record.
    ///
    /// # Panics
    /// When there are not as many columns as the network was fitted to, or not one target for each record.
    fn predict_inplace(&self, records: &ArrayBase<D, Ix2>, targets: &mut Array1<T>) {
        assert_eq!(records.nrows(), targets.len(), "there must be one target for each record");
        for (target, y) in targets.iter_mut().zip(self.outputs(records)) {
            *target = T::from_output(y, &self.scale);
        }
    }

    fn default_target(&self, records: &ArrayBase<D, Ix2>) -> Array1<T> {
        Array1::default(records.nrows())
    }
}
