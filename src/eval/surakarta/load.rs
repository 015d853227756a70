//! What Surakarta offers by name: two evaluators that count, and the network that comes with the program.

use std::sync::Arc;

use super::features::{Board37, NAME};
use super::reasons::reasons;
use super::{Material, PIECE};
use crate::eval::catalogue::{BuiltIn, Catalogue, FeaturesError, LoadError};
use crate::eval::{PolicyValue, residual};
use crate::games::surakarta::Surakarta;
use crate::settings::{Choice, choice};

/// The name under which the command line knows the evaluator that counts pieces.
pub const MATERIAL: &str = "material";

/// The name of the evaluator that counts captures beside the pieces.
const MATERIAL_CAPTURES: &str = "material-captures";

impl Catalogue for Surakarta {
    type Features = Board37;

    const FEATURES: &'static [Choice] = &[choice(NAME, "whose piece is on each point, and the side to move")];
    const NAMES: &'static [&'static str] = &[MATERIAL, MATERIAL_CAPTURES, Self::BEST];
    const EVALUATORS: &'static str = "`material`, which counts pieces; `material-captures`, which counts captures too; or a network: `zero`, which comes with the program and plays by \
        Monte Carlo tree search, the folder of a run of `roughboard train`, or the `.safetensors` file in it.";
    const DEFAULT_EVALUATOR: &'static str = MATERIAL;
    const BEST: &'static str = "zero";

    fn features(name: &str) -> Result<Board37, FeaturesError> {
        if name == NAME { Ok(Board37) } else { Err(FeaturesError::of::<Self>(name)) }
    }

    fn built_in(name: &str) -> Result<Option<BuiltIn<Self>>, LoadError> {
        let Some(evaluator) = material(name) else { return Ok(None) };
        let identity = format!("{name}\n{PIECE} {}", evaluator.capture);
        Ok(Some(BuiltIn::of(evaluator, identity, |evaluator, position| reasons(&evaluator.explain(position)))))
    }

    fn policy(name: &str) -> Result<Option<Arc<dyn PolicyValue<Self>>>, LoadError> {
        residual::policy(name)
    }
}

/// The evaluator that `name` stands for, if it is a built-in one.
pub fn material(name: &str) -> Option<Material> {
    match name {
        MATERIAL => Some(Material::PIECES),
        MATERIAL_CAPTURES => Some(Material::WITH_CAPTURES),
        _ => None,
    }
}
