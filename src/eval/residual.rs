//! Residual networks as evaluators of positions and moves.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use super::catalogue::LoadError;
use super::policy::{PolicyValue, View};
use crate::game::Planes;
use crate::net::residual::{Device, Runner, Shape, Weights, store};
use crate::random;

/// A network of [`crate::net::residual`] that evaluates the positions of a game.
///
/// With `symmetries` each position is shown to the network as one of its images, which depends on the position: over the positions
/// of a search the network's likings for one side of the board cancel.
#[derive(Debug)]
pub struct ResidualEvaluator<G> {
    net: Runner,
    history: usize,
    symmetries: bool,
    game: PhantomData<fn(G)>,
}

/// The shape of networks for the game's planes with `history`, 64 channels and 6 layers.
pub fn shape_of<G: Planes>(history: usize) -> Shape {
    Shape::new(G::SHAPE[0], G::SHAPE[1], G::n_planes(history))
}

/// What the shape of a network and the planes and moves of the game say of each other, if they do not fit.
fn misfit<G: Planes>(shape: &Shape, history: usize) -> Option<[String; 2]> {
    let say = |rows, columns, planes, logits| format!("{planes} planes of {rows} × {columns} points, {logits} moves");
    let expected = say(G::SHAPE[0], G::SHAPE[1], G::n_planes(history), G::N_LOGITS);
    let found = say(shape.rows, shape.columns, shape.planes, shape.n_logits());
    (expected != found).then_some([expected, found])
}

impl<G: Planes> ResidualEvaluator<G> {
    /// An evaluator that runs `weights` on planes with `history` earlier positions.
    ///
    /// # Errors
    /// When the planes or moves of the game are others than those of the network.
    pub fn new(weights: &Weights, history: usize, symmetries: bool) -> Result<Self, LoadError> {
        Self::on(Device::Cpu, weights, history, symmetries)
    }

    /// As [`ResidualEvaluator::new`], on a device of choice.
    ///
    /// # Errors
    /// As there, and when there is no such device.
    pub fn on(device: Device, weights: &Weights, history: usize, symmetries: bool) -> Result<Self, LoadError> {
        Self::named("in memory", device, weights, history, symmetries)
    }

    /// An evaluator from a network's file.
    ///
    /// # Errors
    /// When the file cannot be read, is not a residual network, or is one for other positions.
    pub fn load(path: &Path, symmetries: bool) -> Result<Self, LoadError> {
        Self::load_on(Device::Cpu, path, symmetries)
    }

    /// As [`ResidualEvaluator::load`], on a device of choice.
    ///
    /// # Errors
    /// As there, and when there is no such device.
    pub fn load_on(device: Device, path: &Path, symmetries: bool) -> Result<Self, LoadError> {
        let (weights, about) = store::load(path)?;
        let name = path.display().to_string();
        if about.game != G::NAME {
            return Err(LoadError::Mismatch { path: name, expected: G::NAME.to_owned(), found: about.game });
        }
        Self::named(&name, device, &weights, about.history, symmetries)
    }

    fn named(
        name: &str,
        device: Device,
        weights: &Weights,
        history: usize,
        symmetries: bool,
    ) -> Result<Self, LoadError> {
        if let Some([expected, found]) = misfit::<G>(weights.shape(), history) {
            return Err(LoadError::Mismatch { path: name.to_owned(), expected, found });
        }
        Ok(Self { net: Runner::on(device, weights)?, history, symmetries, game: PhantomData })
    }

    /// The network that it runs.
    pub const fn runner(&self) -> &Runner {
        &self.net
    }

    /// The image of a position with this key that the network is shown.
    fn view(&self, key: u64) -> View {
        if self.symmetries { View((random::mix(key) % G::IMAGES as u64) as u8) } else { View(0) }
    }
}

/// [`Catalogue::policy`](super::Catalogue::policy) of games whose positions are planes: the residual network in the file `name`, shown
/// one of the images of each position.
///
/// # Errors
/// When the file is a residual network, and is broken or one for other positions.
pub fn policy<G: Planes>(name: &str) -> Result<Option<Arc<dyn PolicyValue<G>>>, LoadError> {
    let path = Path::new(name);
    if !store::is_residual(path) {
        return Ok(None);
    }
    Ok(Some(Arc::new(ResidualEvaluator::<G>::load(path, true)?)))
}

impl<G: Planes> PolicyValue<G> for ResidualEvaluator<G> {
    fn row_len(&self) -> usize {
        self.net.shape().row_len()
    }

    fn n_logits(&self) -> usize {
        self.net.shape().n_logits()
    }

    fn write_row(&self, position: &G, row: &mut [f32]) -> View {
        let view = self.view(self.row_key(position));
        position.write_planes(self.history, usize::from(view.0), row);
        view
    }

    fn row_key(&self, position: &G) -> u64 {
        position.planes_key(self.history)
    }

    fn logit_of(&self, view: View, mv: G::Move) -> usize {
        G::logit_of(mv, usize::from(view.0))
    }

    fn evaluate(&self, rows: &[f32], logits: &mut [f32], values: &mut [f32]) {
        self.net.evaluate(rows, logits, values);
    }
}
