//! From the records of a collection to games that each stand there once: what is dropped, and why.
//!
//! The checks of one record ([`Cleaning::check`]) come first, in the order of [`Step`]; those that compare records work on
//! what is left, each on the survivors of the one before it ([`Importer`]). A record stands under the first heading that
//! fits. Every step can be turned off.

mod between;
mod fingerprint;
mod import;
mod parts;
mod single;
mod spool;
mod title;

pub use fingerprint::{Reflection, folded_key, game_key, lot};
pub use import::{Cleaned, Importer, Kept};
pub use parts::{Gathered, ImportPart, PartWriter};

use super::select::GameSelection;
use crate::settings::choices;

choices! {
    /// A step of the cleaning that can be turned off, in the order in which they are taken.
    pub enum Step = Fragments {
        /// Drop fragments, puzzles and lessons: another start than the game's, or a folder of such.
        Fragments,
        /// Drop games of programs.
        Computer,
        /// Take the result from mate on the board, and then from the title, where tag and moves give none.
        Fill,
        /// Drop games without a result.
        NoResult,
        /// Drop games whose result is not the one after the moves.
        AfterMoves,
        /// Drop games whose title tells another result.
        Title,
        /// Drop games whose last position gives another result.
        Board,
        /// Drop games that are too short.
        Short,
        /// Of copies with different results, drop those that are outvoted, or all.
        Conflicts,
        /// Of records with the same moves, result and headers, keep one.
        Duplicates,
        /// Of records with the same moves and result under different headers, keep one.
        FiledAgain,
        /// Drop games that another record goes on from.
        Prefixes,
        /// Of a game and its images, keep one.
        Mirrored,
        /// Of games with the same beginning, players and result, keep one.
        Near,
    }
}

/// Words of folders that hold fragments, puzzles and lessons: openings, middle games, endgames, mates, exercises, tactics.
pub const FRAGMENT_FOLDERS: [&str; 15] = [
    "開局",
    "中局",
    "殘局",
    "殺局",
    "殺法",
    "練習",
    "全盤戰術",
    "开局",
    "残局",
    "杀局",
    "杀法",
    "练习",
    "全盘战术",
    "puzzles",
    "Puzzles",
];

/// Words of folders, events and players that tell of programs.
pub const COMPUTER_WORDS: [&str; 11] =
    ["電腦", "人機", "軟件", "軟體", "计算机", "計算機", "电脑", "人机", "软件", "computer", "Computer"];

/// What is dropped.
#[derive(Debug, Clone)]
pub struct Cleaning {
    /// Steps that are not taken.
    pub off: Vec<Step>,
    /// A folder holds fragments if its name, or a part of it between `_`, `-` and blanks, begins with one of these.
    pub fragment_folders: Vec<String>,
    /// A game is one of programs if a folder or one of the tags `Event`, `Red`, `Black`, `White` holds one of these.
    pub computer_words: Vec<String>,
    /// The fewest plies of a game.
    pub min_plies: usize,
    /// The fewest plies of a game that is dropped as a prefix of a longer one: different games share shorter openings.
    pub prefix_plies: usize,
    /// The plies that near-duplicates have in common.
    pub near_plies: usize,
    /// Which games are wanted.
    pub selection: GameSelection,
    /// How many games to draw from the clean ones.
    pub sample: Option<Sample>,
    /// Seed of the sample.
    pub seed: u64,
}

/// How many of the clean games to keep. A game is drawn by a hash of the seed and its moves, whatever else there is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sample {
    /// So many, or all if there are fewer.
    Games(usize),
    /// About this share, in [0, 1].
    Share(f64),
}

impl Default for Cleaning {
    fn default() -> Self {
        Self {
            off: Vec::new(),
            fragment_folders: FRAGMENT_FOLDERS.map(str::to_owned).into(),
            computer_words: COMPUTER_WORDS.map(str::to_owned).into(),
            min_plies: 10,
            prefix_plies: 30,
            near_plies: 40,
            selection: GameSelection::default(),
            sample: None,
            seed: 1,
        }
    }
}

impl Cleaning {
    /// Whether the step is taken.
    pub fn takes(&self, step: Step) -> bool {
        !self.off.contains(&step)
    }
}
