//! What a game offers by name: built-in evaluators and feature sets, and networks from files that were made for it.

mod network;

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

pub use network::Network;

use super::network::Explanation;
use super::{Evaluator, PolicyValue, Reasons, Score, Sheet, ValueOf};
use crate::disk::sha256;
use crate::features::FeatureSet;
use crate::game::{Game, Kit};
use crate::net::residual::DeviceError;
use crate::net::store::{StoreError, network_bytes};
use crate::settings::{Choice, nearest, one_of, perhaps};

/// Something that makes fresh evaluators, one for each game that is played at the same time.
pub type Factory<G> = Box<dyn Fn() -> Box<dyn Evaluator<G>> + Send + Sync>;

/// Evaluators that say the values of `network` alone.
pub fn values_of<G: Game>(network: Arc<dyn PolicyValue<G>>) -> Factory<G> {
    Box::new(move || Box::new(ValueOf::new(Arc::clone(&network))))
}

/// A game whose evaluators and feature sets are known by name.
///
/// A game states its [built-in](Catalogue::built_in) evaluators, its [feature sets](Catalogue::features), and what may stand
/// [behind](Catalogue::ADDITION) any name; everything that is asked by name follows from them.
pub trait Catalogue: Kit {
    /// Any of the game's feature sets, chosen at run time. The default is that of a training that was told none.
    type Features: FeatureSet<Self> + Default;

    /// The short names of the feature sets, that of the default first, and what each shows.
    const FEATURES: &'static [Choice];

    /// The names that stand for an evaluator as they are: those of built-in ones, and of networks that come with the program.
    const NAMES: &'static [&'static str];

    /// How evaluators of the game are named, for a reader.
    const EVALUATORS: &'static str;

    /// The built-in evaluator that plays where none is named.
    const DEFAULT_EVALUATOR: &'static str;

    /// The strongest evaluator, which plays as an engine and against a person where none is named.
    const BEST: &'static str = Self::DEFAULT_EVALUATOR;

    /// What may stand behind the name of any evaluator of the game, networks included.
    const ADDITION: Option<Addition<Self>> = None;

    /// The feature set of this name: one of [`Catalogue::FEATURES`], or what [`FeatureSet::name`] gave.
    ///
    /// # Errors
    /// When there is no such set.
    fn features(name: &str) -> Result<Self::Features, FeaturesError>;

    /// The built-in evaluator of this name, without an [addition](Catalogue::ADDITION); `None` if the name is none of theirs.
    ///
    /// # Errors
    /// When the name begins as that of a built-in evaluator and goes on wrongly, or what it names cannot be read.
    fn built_in(name: &str) -> Result<Option<BuiltIn<Self>>, LoadError>;

    /// The full names of all feature sets, as a message lists them.
    fn names_of_features() -> String {
        let sets = Self::FEATURES.iter().filter_map(|choice| Self::features(choice.name).ok());
        sets.map(|set| format!("`{}`", set.name())).collect::<Vec<_>>().join(", ")
    }

    /// The evaluator that `name` stands for: a built-in one, or the path of a network's file, with what may stand behind it.
    ///
    /// # Errors
    /// When the name of a built-in evaluator is at fault, or the file is not a network for this game.
    fn evaluator_factory(name: &str) -> Result<Factory<Self>, LoadError> {
        if let Some((addition, base)) = Self::addition_of(name) {
            let (inner, wrap) = (Self::evaluator_factory(base)?, addition.wrap);
            return Ok(Box::new(move || wrap(inner())));
        }
        if let Some(BuiltIn { make, .. }) = Self::built_in(name)? {
            return Ok(make);
        }
        if let Some(policy) = Self::policy(name)? {
            return Ok(values_of(policy));
        }
        Self::check_there(name)?;
        let network = Network::<Self>::load(name)?;
        Ok(Box::new(move || network.evaluator()))
    }

    /// What says how promising moves are, for a Monte Carlo tree search: the network in the file `name`, if it is one that knows;
    /// `None` for every other name.
    ///
    /// # Errors
    /// When the file is such a network, and is broken or made for something else.
    fn policy(_name: &str) -> Result<Option<Arc<dyn PolicyValue<Self>>>, LoadError> {
        Ok(None)
    }

    /// A text that differs between built-in evaluators that differ in anything that they go by; `None` if `name` is not that of
    /// one.
    ///
    /// # Errors
    /// When the name begins as that of a built-in evaluator and goes on wrongly, or what it names cannot be read.
    fn identity(name: &str) -> Result<Option<String>, LoadError> {
        if let Some((addition, base)) = Self::addition_of(name) {
            return Ok(Self::identity(base)?.map(|text| text + addition.suffix));
        }
        Ok(Self::built_in(name)?.map(|built_in| built_in.identity))
    }

    /// The SHA-256 of what tells the evaluator called `name` from every other: of all that a built-in one goes by, or of the network's file.
    ///
    /// # Errors
    /// When there is no such evaluator or file.
    fn checksum(name: &str) -> Result<String, LoadError> {
        Ok(match Self::identity(name)? {
            Some(text) => sha256(text.as_bytes()),
            None => {
                let (file, addition) = Self::split_addition(name);
                Self::check_there(file)?;
                sha256(&network_bytes(file.as_ref())?) + addition
            }
        })
    }

    /// Why the built-in evaluator called `name` says what it says of `position`; `None` if the name is none of theirs.
    ///
    /// # Errors
    /// When the name begins as that of a built-in evaluator and goes on wrongly, or what it names cannot be read.
    fn reasons(name: &str, position: &Self) -> Result<Option<Reasons>, LoadError> {
        Ok(Self::built_in(name)?.map(|built_in| (built_in.reasons)(position)))
    }

    /// What a network's explanation says of the points of the board, as the board; `None` if it says nothing.
    fn board_of(_explanation: &Explanation) -> Option<Sheet> {
        None
    }

    /// The text of the values of the default evaluator, for users to edit; `None` if it has none.
    fn default_values() -> Option<&'static str> {
        None
    }

    /// `name` without what the game lets stand behind names, and that; the path of the file if it is a network's name.
    fn split_addition(name: &str) -> (&str, &'static str) {
        Self::addition_of(name).map_or((name, ""), |(addition, base)| (base, addition.suffix))
    }

    /// Refuses a `name` that is neither that of an evaluator nor that of a file.
    #[doc(hidden)]
    fn check_there(name: &str) -> Result<(), LoadError> {
        let is_path = name.contains(['/', '\\', '.']);
        if is_path || Self::NAMES.contains(&name) || Path::new(name).exists() {
            return Ok(());
        }
        let nearest = nearest(name, Self::NAMES.iter().copied()).map(str::to_owned);
        Err(LoadError::Unknown { name: name.to_owned(), game: Self::NAME, nearest, known: Self::NAMES.join(", ") })
    }

    /// The addition that `name` ends in, and the name before it.
    #[doc(hidden)]
    fn addition_of(name: &str) -> Option<(Addition<Self>, &str)> {
        let addition = Self::ADDITION?;
        Some((addition, name.strip_suffix(addition.suffix)?))
    }
}

/// A built-in evaluator.
pub struct BuiltIn<G: Game> {
    /// Makes fresh ones.
    pub make: Factory<G>,
    /// A text that differs from that of every built-in evaluator that says other things of positions.
    pub identity: String,
    /// Why it says what it says of a position.
    pub reasons: Box<dyn Fn(&G) -> Reasons>,
}

impl<G: Game> BuiltIn<G> {
    /// `evaluator` under this identity.
    pub fn of<E>(evaluator: E, identity: String, reasons: fn(&E, &G) -> Reasons) -> Self
    where
        E: Evaluator<G> + Clone + Sync + 'static,
    {
        let asked = evaluator.clone();
        let make: Factory<G> = Box::new(move || Box::new(evaluator.clone()));
        Self { make, identity, reasons: Box::new(move |position| reasons(&asked, position)) }
    }
}

/// Makes one evaluator of another.
pub type Wrap<G> = fn(Box<dyn Evaluator<G>>) -> Box<dyn Evaluator<G>>;

/// What may stand behind the name of an evaluator and changes what it says.
pub struct Addition<G: Game> {
    /// What ends the name, such as `+endings`.
    pub suffix: &'static str,
    /// The evaluator that it makes of one.
    pub wrap: Wrap<G>,
}

// Derived, both would ask the same of the game.
impl<G: Game> Clone for Addition<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Addition<G> {}

impl<G: Game> Evaluator<G> for Box<dyn Evaluator<G>> {
    fn evaluate(&mut self, position: &G) -> Score {
        (**self).evaluate(position)
    }

    fn key(&self, position: &G) -> u64 {
        (**self).key(position)
    }

    fn known_win(&self) -> Score {
        (**self).known_win()
    }

    fn expected_result(&self, score: Score) -> f64 {
        (**self).expected_result(score)
    }
}

/// A name that stands for no feature set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown features `{found}`: expected {expected}")]
pub struct FeaturesError {
    /// The name.
    pub found: String,
    /// What would stand for one.
    pub expected: String,
}

impl FeaturesError {
    /// The error of a game that has no features called `found`.
    pub fn of<G: Catalogue>(found: &str) -> Self {
        Self { found: found.to_owned(), expected: one_of(G::FEATURES) }
    }
}

/// Why an evaluator could not be had.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum LoadError {
    /// What the name of a built-in evaluator says is at fault.
    #[error("evaluator `{name}`")]
    BuiltIn {
        /// The name that was given.
        name: String,
        /// The cause, in the words of the game.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// There is no evaluator and no file of this name.
    #[error(
        "there is no evaluator of {game} called `{name}`, and no such file{}; there are {known}, and networks by the paths of their files",
        perhaps(.nearest.as_deref())
    )]
    Unknown {
        /// The name that was given.
        name: String,
        /// The game.
        game: &'static str,
        /// The name that was probably meant.
        nearest: Option<String>,
        /// All names of the game.
        known: String,
    },
    /// The network's file is at fault.
    Store(#[from] StoreError),
    /// The network cannot be computed where it was asked to be.
    Device(#[from] DeviceError),
    /// The network was made for something else.
    #[error("network `{path}` does not fit: expected {expected}, found {found}")]
    Mismatch {
        /// The file.
        path: String,
        /// The game, features or shape that evaluators of the game have.
        expected: String,
        /// What the file says.
        found: String,
    },
}

impl LoadError {
    /// The error of a built-in evaluator's `name`, from what is wrong with it.
    pub fn built_in(name: &str, source: impl Error + Send + Sync + 'static) -> Self {
        Self::BuiltIn { name: name.to_owned(), source: Box::new(source) }
    }
}
