//! `--game`: whose rules apply.

use clap::ValueEnum;
use roughboard::game::Game;
use roughboard::games::connect6::Connect6;
use roughboard::games::surakarta::Surakarta;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::record::{Account, GameRecord, RecordError};
use roughboard::runs::embedded;

/// The games that commands can be told to follow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum PlayedRules {
    /// Chinese chess
    #[default]
    Xiangqi,
    /// Six in a row, two stones a turn
    Connect6,
    /// Captures along circuits on 6 x 6 points
    Surakarta,
}

impl PlayedRules {
    /// The game called `name`.
    ///
    /// # Errors
    /// When no game that programs can play has this name.
    pub fn called(name: &str) -> anyhow::Result<Self> {
        Self::from_str(name, false).map_err(|_| {
            let names = [Xiangqi::NAME, Connect6::NAME, Surakarta::NAME].join("` or `");
            anyhow::anyhow!("expected a network for `{names}`, found one for `{name}`")
        })
    }
}

/// The body with the type `G` that of the game which a [`PlayedRules`] stands for.
macro_rules! by_game {
    ($rules:expr, $G:ident => $body:expr) => {
        match $rules {
            $crate::cli::rules::PlayedRules::Xiangqi => {
                type $G = roughboard::games::xiangqi::Xiangqi;
                $body
            }
            $crate::cli::rules::PlayedRules::Connect6 => {
                type $G = roughboard::games::connect6::Connect6;
                $body
            }
            $crate::cli::rules::PlayedRules::Surakarta => {
                type $G = roughboard::games::surakarta::Surakarta;
                $body
            }
        }
    };
}
pub(crate) use by_game;

/// A game whose rules may be settable.
pub trait Ruled: Game {
    /// The same position under the rules that `text` states, in the game's own way.
    fn under(self, _text: &str) -> anyhow::Result<Self> {
        anyhow::bail!("{} has one set of rules", Self::NAME)
    }
}

impl Ruled for Xiangqi {}

impl Ruled for Connect6 {}

impl Ruled for Surakarta {
    /// As [`roughboard::games::surakarta::EndRules`] are written.
    fn under(self, text: &str) -> anyhow::Result<Self> {
        Ok(self.with_rules(text.parse()?))
    }
}

/// A game, and the games of it that come with the program.
pub trait Supplied: Ruled {
    /// Whether there are any.
    const ARE_SUPPLIED: bool = false;

    /// The games, with their account, and the name and checksum under which manifests list them; `None` if there are none.
    fn supplied() -> Option<Result<Supply<Self>, RecordError>> {
        None
    }
}

/// Games that come with the program: records, account, name and checksum.
pub type Supply<G> = (Vec<GameRecord<G>>, Account, (String, String));

impl Supplied for Xiangqi {
    const ARE_SUPPLIED: bool = true;

    fn supplied() -> Option<Result<Supply<Self>, RecordError>> {
        Some(embedded::games().map(|(records, account)| (records, account, embedded::checksum())))
    }
}

impl Supplied for Connect6 {}

impl Supplied for Surakarta {}
