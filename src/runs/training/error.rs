//! Why learning failed.

use std::path::PathBuf;

use crate::arena::{GenerationError, JournalError, MatchError, OpeningsError, Shard};
use crate::disk::FileError;
use crate::eval::{FeaturesError, LoadError};
use crate::net::store::StoreError;
use crate::rough::RoughError;
use crate::settings::SettingError;
use crate::table::TableError;
use crate::train::baseline::BaselineError;
use crate::train::{ModelError, PositionAccount, RunError};

errors! {
    /// Why learning failed.
    #[derive(Debug, thiserror::Error)]
    #[error(transparent)]
    pub enum LearnError of
        Rough(RoughError), Features(FeaturesError), Evaluator(LoadError), Judgements(JournalError),
        File(FileError), Setting(SettingError), Baseline(BaselineError), Model(ModelError), Run(RunError),
        Store(StoreError), Generation(GenerationError), Match(MatchError), Openings(OpeningsError) {
        /// The split leaves nothing on one side.
        #[error("{n_games} games are too few to hold out a share of {held_out}: {training} for training, {rest} held out")]
        TooFewGames {
            /// Games in all.
            n_games: usize,
            /// The share held out.
            held_out: f64,
            /// Training games.
            training: usize,
            /// Games held out.
            rest: usize,
        },
        /// No game is long enough.
        #[error("`skip_plies` must be below the length of the games, got {skip_plies}: the longest has {longest} plies")]
        NoPositions {
            /// Plies left out at the beginning of each game.
            skip_plies: usize,
            /// Plies of the longest game.
            longest: usize,
        },
        /// All games ended alike, so there is nothing to learn.
        #[error("every training position has the same result, {result}: there is nothing to learn")]
        OneResult {
            /// The result of all.
            result: f32,
        },
        /// The file of judgements is that of another teacher, or of others of the settings that they depend on.
        #[error("`{path}` holds other judgements: {difference}; name another file, or delete this one")]
        OtherJudgements {
            /// The file.
            path: PathBuf,
            /// What differs, or the fingerprints where that is not known.
            difference: String,
        },
        /// The decision table could not be made.
        #[error("cannot build the decision table")]
        Table(#[from] TableError),
        /// The network is to read attributes that do not exist.
        #[error("cannot choose the inputs of the network")]
        Inputs(#[source] TableError),
        /// An exhaustive search would not end.
        #[error(
            "all rules of up to {max_conditions} conditions over {n_inputs} attributes of {n_objects} different positions mean \
             {cells:.0e} cells to look at, too many: `max_conditions` or `rules.objects` must be lower, or fewer `inputs` chosen"
        )]
        Exhaustive {
            /// Conditions of a rule at most.
            max_conditions: usize,
            /// Attributes that rules may ask for.
            n_inputs: usize,
            /// Different positions.
            n_objects: usize,
            /// Cells of the table that the search would look at.
            cells: f64,
        },
        /// The rules could not be had.
        #[error(
            "no rule is supported by at least {min_support} of {n_objects} positions: `min_support` must be lower, or \
             more games are needed"
        )]
        NoRules {
            /// Positions that must support a rule.
            min_support: u64,
            /// Positions in all.
            n_objects: u64,
        },
        /// Rules have no twins.
        #[error(
            "`symmetric` needs to know what each value becomes with colours exchanged, which the features `{features}` do not tell"
        )]
        NoExchange {
            /// The name of the feature set.
            features: String,
        },
        /// No rule that was found has a twin that is another rule.
        #[error(
            "none of {found} rules has a twin with colours exchanged: their intervals become none, or they are their own twins"
        )]
        NoTwins {
            /// Rules that were found.
            found: usize,
        },
        /// A network cannot be given twins of its rules.
        #[error(
            "cannot make `{name}` symmetric: expected a network of the default form that reads with each attribute the one \
             which it becomes with colours exchanged, and whose intervals of values stay intervals"
        )]
        NotSymmetric {
            /// The name of its file.
            name: String,
        },
        /// Every position was left out.
        #[error("no position is left to {purpose}: {account}")]
        NoneKept {
            /// What they were for.
            purpose: &'static str,
            /// What became of them.
            account: PositionAccount,
        },
        /// Only a part of the games was to be judged.
        #[error("part {0} of {1} games is judged; a run that takes over the judgements of all parts can learn from them")]
        Part(Shard, usize),
        /// The network to go on from reads other attributes.
        #[error("cannot go on from `{name}`: expected a network over the attributes `{expected}`, found one over `{found}`")]
        WarmStart {
            /// The name of its file.
            name: String,
            /// The attributes of the positions.
            expected: String,
            /// Those that it reads.
            found: String,
        },
        /// The network to go on from learned beside another skip term, without which it says something else.
        #[error("cannot go on from `{name}`, which learned beside {before}: expected the same, found {now}")]
        OtherSkip {
            /// The name of its file.
            name: String,
            /// Its skip term.
            before: String,
            /// The one that is asked for.
            now: String,
        },
        /// The network to go on from is of a kind that the method does not train.
        #[error("cannot go on from `{name}` by `{method}`: expected {expected}, found {found}")]
        OtherKind {
            /// The name of its file.
            name: String,
            /// The method.
            method: String,
            /// The kinds that it trains.
            expected: &'static str,
            /// The kind that it is.
            found: &'static str,
        },
        /// The file of a network does not say what is needed to train it further.
        #[error("`{name}` cannot be trained further: expected its file to say {what}")]
        Origin {
            /// The name of the file.
            name: String,
            /// What it should say.
            what: &'static str,
        },
        /// Training ran away.
        #[error("training `{name}` gave weights that are no numbers within ±10⁶: lower the rate")]
        Diverged {
            /// The network.
            name: String,
        },
    }
}
