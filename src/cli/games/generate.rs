//! `roughboard games generate`: games to learn from, in the ways of S5 §4.1 that a program can go alone.

pub(in crate::cli) mod engine;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args as ClapArgs, Subcommand};
use roughboard::arena::{
    AlphaBetaPlayer, Generation, GenerationError, GenerationSettings, JournalError, JournalPlace, Player, RandomPlayer,
    Shard,
};
use roughboard::eval::Catalogue;
use roughboard::game::BoardGame;
use roughboard::games::GameName;
use roughboard::record::{DEFAULT_LEVEL, Duplicates, GameFile, PGN_ENDINGS};
use roughboard::runs::Manifest;
use roughboard::search::{Limits, MAX_DEPTH};
use roughboard::settings::{SettingError, counted, require};

use self::engine::{EngineOptions, Protocol};
use crate::cli::adjudication::{AdjudicationOptions, are_timed};
use crate::cli::effects::no_effect;
use crate::cli::folder::{games_in, note_taken, resuming};
use crate::cli::parts::{self, PartOptions};
use crate::cli::players::{SearchOptions, changed};
use crate::cli::session::Session;
use crate::cli::settings::{Of, named, usual};
use crate::cli::sources::{Copies, note_duplicates};
use crate::cli::targets::{OutPath, check_apart};
use crate::cli::{evaluators, interrupt, output};

/// Arguments of `games generate`.
#[derive(ClapArgs)]
#[command(after_help = evaluators())]
pub struct Args {
    /// The game that is played
    #[arg(long, value_parser = named::<GameName>(), default_value_t, global = true, value_name = "GAME")]
    pub game: GameName,
    #[command(subcommand)]
    way: Way,
}

/// The ways to make games; docs/training-data.md compares them.
#[derive(Subcommand)]
enum Way {
    /// A random mover against itself, or an evaluator against a random mover
    Random(RandomArgs),
    /// An evaluator against one that does not learn; colours alternate
    FixedOpponent(FixedOpponentArgs),
    /// An evaluator against itself
    SelfPlay(SelfPlayArgs),
    /// A UCI or UCCI engine against itself or against an evaluator; colours alternate
    Engine(EngineArgs),
}

/// What every way needs.
#[derive(ClapArgs)]
struct Common {
    #[command(flatten)]
    settings: Of<GenerationSettings>,
    #[command(flatten)]
    adjudication: AdjudicationOptions,
    /// Write what the players thought of each move as a comment
    #[arg(long)]
    evaluations: bool,
    /// File to write (.pgn, .pgn.gz, .pgn.zst, .pgn.xz); its manifest goes beside it, with .manifest.json behind its name
    #[arg(long, value_parser = OutPath::file(&PGN_ENDINGS), value_name = "FILE")]
    out: OutPath,
    /// Keep finished games in this file: the same command goes on after an interruption [default: the file to write with
    /// .journal.jsonl behind its name, removed when that is written]
    #[arg(long, value_name = "FILE.jsonl")]
    journal: Option<PathBuf>,
    #[command(flatten)]
    parts: PartOptions,
}

/// How an evaluator searches.
#[derive(ClapArgs)]
struct Thinking {
    /// Search depth, in plies, 1 to 64 [default: 2, or 64 with --nodes or --tc]
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// The most positions that one search may visit
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    #[command(flatten)]
    search: SearchOptions,
}

#[derive(ClapArgs)]
#[command(mut_arg("random_plies", |arg| arg.hide(true)), mut_arg("margin", |arg| arg.hide(true)))]
struct RandomArgs {
    /// Let this evaluator play against the random mover, with alternating colours
    #[arg(long, value_name = "EVALUATOR")]
    against: Option<String>,
    #[command(flatten)]
    thinking: Thinking,
    #[command(flatten)]
    common: Common,
}

#[derive(ClapArgs)]
struct FixedOpponentArgs {
    /// Evaluator; it also rates the random plies [default: that of the game, such as `traditional`]
    #[arg(long, value_name = "EVALUATOR")]
    evaluator: Option<String>,
    /// Evaluator of the opponent
    #[arg(long, value_name = "EVALUATOR")]
    opponent: String,
    #[command(flatten)]
    thinking: Thinking,
    /// Search depth of the opponent [default: as its --opponent-nodes ask; else that of the evaluator]
    #[arg(long, value_name = "D")]
    opponent_depth: Option<u32>,
    /// Limit on the positions that one search of the opponent may visit
    #[arg(long, value_name = "N")]
    opponent_nodes: Option<u64>,
    /// Switches of the opponent's search, beside those of `--search`
    #[arg(long, value_name = "NAME=VALUE,…", default_value = "", hide_default_value = true)]
    opponent_search: String,
    #[command(flatten)]
    common: Common,
}

#[derive(ClapArgs)]
struct SelfPlayArgs {
    /// Evaluator [default: that of the game, such as `traditional`]
    #[arg(long, value_name = "EVALUATOR")]
    evaluator: Option<String>,
    #[command(flatten)]
    thinking: Thinking,
    #[command(flatten)]
    common: Common,
}

#[derive(ClapArgs)]
#[command(mut_arg("random_plies", |arg| usual(arg, "8, with `--protocol connect6` 9")))]
struct EngineArgs {
    #[command(flatten)]
    engine: EngineOptions,
    /// Evaluator to play against the engine; without one, the engine plays against itself
    #[arg(long, value_name = "EVALUATOR")]
    opponent: Option<String>,
    /// Search depth of the evaluator, in plies, 1 to 64 [default: 2, or 64 with --opponent-nodes or --tc]
    #[arg(long, value_name = "D")]
    opponent_depth: Option<u32>,
    /// Limit on the positions that one search of the evaluator may visit
    #[arg(long, value_name = "N")]
    opponent_nodes: Option<u64>,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    common: Common,
}

/// Runs the command.
pub fn run<G: Catalogue>(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    match &args.way {
        Way::Random(args) => random::<G>(args, session),
        Way::FixedOpponent(args) => fixed_opponent::<G>(args, session),
        Way::SelfPlay(args) => self_play::<G>(args, session),
        Way::Engine(args) => engine_games::<G>(args, session),
    }
}

fn random<G: Catalogue>(args: &RandomArgs, session: &Session) -> anyhow::Result<ExitCode> {
    let is_drawn = |path: &str| ["random_plies", "margin"].contains(&path);
    args.common.settings.refuse("left out, as the games are random from the first ply on", is_drawn)?;
    let none = GenerationSettings { random_plies: 0, margin: 0.0, ..GenerationSettings::default() };
    let settings = args.common.checked(none, session)?;
    let evaluator = args.against.as_ref().map(|name| args.thinking.player::<G>(name, &settings)).transpose()?;
    let first: &dyn Player<G> = evaluator.as_ref().map_or(&RandomPlayer, |evaluator| evaluator);
    let (event, players): (_, [&dyn Player<G>; 2]) = ("roughboard random games", [first, &RandomPlayer]);
    args.common.make(&Generation { event, players, drawer: None, settings }, session)
}

fn fixed_opponent<G: Catalogue>(args: &FixedOpponentArgs, session: &Session) -> anyhow::Result<ExitCode> {
    let settings = args.common.checked(GenerationSettings::default(), session)?;
    settings.require_variety(2)?;
    let name = args.evaluator.as_deref().unwrap_or(G::DEFAULT_EVALUATOR);
    let evaluator = args.thinking.player::<G>(name, &settings)?;
    let (depth, nodes) = match (args.opponent_depth, args.opponent_nodes) {
        (None, None) => (args.thinking.depth, args.thinking.nodes),
        own => own,
    };
    let limits = thinking_limits(depth, nodes, &settings)?;
    let search = changed::<G>(args.thinking.search.settings_of::<G>()?, &args.opponent_search)?;
    let mut opponent = AlphaBetaPlayer::named(&args.opponent, search, limits)?;
    if opponent.name == evaluator.name {
        opponent.name.push_str(" (2)");
    }
    let (event, players): (_, [&dyn Player<G>; 2]) = ("roughboard fixed opponent", [&evaluator, &opponent]);
    args.common.make(&Generation { event, players, drawer: Some(&evaluator), settings }, session)
}

fn self_play<G: Catalogue>(args: &SelfPlayArgs, session: &Session) -> anyhow::Result<ExitCode> {
    let settings = args.common.checked(GenerationSettings::default(), session)?;
    settings.require_variety(1)?;
    let name = args.evaluator.as_deref().unwrap_or(G::DEFAULT_EVALUATOR);
    let evaluator = args.thinking.player::<G>(name, &settings)?;
    let (event, players): (_, [&dyn Player<G>; 2]) = ("roughboard self-play", [&evaluator; 2]);
    args.common.make(&Generation { event, players, drawer: Some(&evaluator), settings }, session)
}

fn engine_games<G: Catalogue>(args: &EngineArgs, session: &Session) -> anyhow::Result<ExitCode> {
    let tells_turns = args.engine.settings.read()?.protocol == Protocol::Connect6 && G::PROTOCOL.speaks_stones;
    // A turn is over behind an odd number of stones, and nothing else can be told in that protocol.
    let random_plies = GenerationSettings::default().random_plies + usize::from(tells_turns);
    let defaults = GenerationSettings { random_plies, ..GenerationSettings::default() };
    let settings = args.common.checked(defaults, session)?;
    let is_whole = settings.random_plies == 0 || settings.random_plies % 2 == 1;
    let expected = "0 or odd with `--protocol connect6`, which tells whole turns";
    require(!tells_turns || is_whole, "random_plies", expected, settings.random_plies)?;
    let is_idle = args.opponent.is_none() && settings.random_plies == 0;
    if let Some(option) = args.search.given().first().filter(|_| is_idle) {
        let why = "without `--opponent` and with `--random-plies 0`";
        bail!(no_effect(option.trim_start_matches('-'), why, None));
    }
    let limits = thinking_limits(args.opponent_depth, args.opponent_nodes, &settings)?;
    let name = args.opponent.as_deref().unwrap_or(G::DEFAULT_EVALUATOR);
    // Without an opponent it only rates the random plies.
    let rater = AlphaBetaPlayer::named(name, args.search.settings_of::<G>()?, limits)?;
    let engine = args.engine.player::<G>(settings.adjudication.clock)?;
    let opponent: &dyn Player<G> = if args.opponent.is_some() { &rater } else { &engine };
    let (event, players): (_, [&dyn Player<G>; 2]) = ("roughboard engine games", [&engine, opponent]);
    args.common.make(&Generation { event, players, drawer: Some(&rater), settings }, session)
}

/// The limits of a search; a number of positions or a clock alone is not cut short by a depth.
fn thinking_limits(
    depth: Option<u32>,
    nodes: Option<u64>,
    settings: &GenerationSettings,
) -> Result<Limits, SettingError> {
    let default = if nodes.is_some() || settings.adjudication.clock.is_some() { MAX_DEPTH } else { 2 };
    Limits::to_depth_or_nodes(depth.unwrap_or(default), nodes)
}

impl Thinking {
    fn player<G: Catalogue>(&self, name: &str, settings: &GenerationSettings) -> anyhow::Result<AlphaBetaPlayer<G>> {
        let (search, limits) = (self.search.settings_of::<G>()?, thinking_limits(self.depth, self.nodes, settings)?);
        Ok(AlphaBetaPlayer::named(name, search, limits)?)
    }
}

impl Common {
    /// The settings asked for, and those of `usual` where nothing was said; checked, as are the files to write.
    fn checked(&self, usual: GenerationSettings, session: &Session) -> anyhow::Result<GenerationSettings> {
        let mut settings = self.settings.onto(GenerationSettings { seed: session.seed, ..usual })?;
        settings.adjudication = self.adjudication.settings(settings.adjudication.max_plies)?;
        settings.check()?;
        if settings.random_plies == 0 {
            self.settings.refuse("left out, as no plies are drawn at random", |path| path == "margin")?;
        }
        self.parts.shard()?;
        let manifest = manifest_path(&self.out);
        session.targets.check(&[&manifest])?;
        // The journal may be there, to go on with.
        self.journal.iter().try_for_each(|journal| check_apart(&[&self.out, &manifest, journal]))?;
        Ok(settings)
    }

    /// Makes the games and writes them with their manifest. What was played stays in a journal until they are written; the journal is
    /// all that a part of the games leaves.
    fn make<G: BoardGame>(&self, generation: &Generation<'_, G>, session: &Session) -> anyhow::Result<ExitCode> {
        let shard = self.parts.shard()?;
        let is_part = !shard.is_whole();
        let journal = self.journal.clone().unwrap_or_else(|| journal_path(&self.out, shard));
        let place = JournalPlace { parts: &self.parts.parts, ..JournalPlace::new(&journal) };
        let Generation { players, settings, .. } = generation;
        if are_timed(&settings.adjudication, players.iter().copied()) {
            session.note_crowding(settings.games);
        }
        let kept = games_in(&journal);
        interrupt::tell(format!("games that ended are kept in `{}`; to go on: {}", journal.display(), resuming(false)));
        let made = if is_part {
            generation.play_each(shard, Some(place), &session.progress, |_| Ok(())).map_err(anyhow::Error::from)
        } else {
            self.make_and_write(generation, place, session)
        };
        if kept > 0 && !made.as_ref().is_err_and(is_of_another) {
            note_taken(kept, &journal);
        }
        let is_needed = made.as_ref().is_err_and(|error| games_in(&journal) > 0 || is_of_another(error));
        if self.journal.is_none() && !is_part && !is_needed {
            // A journal that stays does no harm: its games are taken up, or it is refused as that of others.
            let _ = fs::remove_file(&journal);
        }
        made.map_err(|error| kept_in(&journal, error))?;
        if is_part {
            let played = format!("{} of {} games", games_in(&journal), settings.games);
            return parts::done(shard, &played, &journal, &self.out);
        }
        output::print(&format!("{} written to {}\n", counted(settings.games, "game"), self.out.display()))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Makes the games and writes them with their manifest.
    fn make_and_write<G: BoardGame>(
        &self,
        generation: &Generation<'_, G>,
        journal: JournalPlace<'_>,
        session: &Session,
    ) -> anyhow::Result<()> {
        let (mut file, mut duplicates) = (None, Duplicates::default());
        generation.play_each(Shard::WHOLE, Some(journal), &session.progress, |mut record| {
            if !self.evaluations {
                record.prologue = None;
                record.comments.fill(None);
            }
            duplicates.add(&record);
            // Not before the journal is open: another process that has it writes the same file.
            let file = match &mut file {
                Some(file) => file,
                none => none.insert(GameFile::create::<G>(&self.out, DEFAULT_LEVEL)?),
            };
            file.push(&record)
        })?;
        file.map_or(Ok(()), GameFile::finish)?;
        let seed = generation.settings.seed;
        let manifest = Manifest::new(generation.event, seed, generation.identity(), Vec::new());
        let folder = self.out.parent().unwrap_or(Path::new(""));
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        manifest.write(&name(&manifest_path(&self.out)), folder, &[name(&self.out)])?;
        note_duplicates(&duplicates, generation.settings.games, Copies::Count);
        Ok(())
    }
}

/// Where games are kept until they stand in `out`, unless another place is named; those of a part under a name of its own.
fn journal_path(out: &Path, shard: Shard) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    if shard.is_whole() {
        name.push(".journal.jsonl");
    } else {
        name.push(format!(".shard-{}.jsonl", shard.in_names()));
    }
    name.into()
}

/// Whether an error says that the journal is none of this run, or another process writes to it.
fn is_of_another(error: &anyhow::Error) -> bool {
    let of_journal = match error.downcast_ref() {
        Some(GenerationError::Journal(error)) => Some(error),
        _ => None,
    };
    of_journal.is_some_and(|error| !matches!(error, JournalError::File(_)))
}

/// The error with how to go on, where games are kept in `journal`.
fn kept_in(journal: &Path, error: anyhow::Error) -> anyhow::Error {
    if is_of_another(&error) || games_in(journal) == 0 {
        return error;
    }
    let place = journal.display();
    anyhow::anyhow!("{error:#}; the games played so far are kept in `{place}`: the same command goes on with them")
}

/// Where the manifest of the games in `out` goes: `games.pgn.zst.manifest.json` for `games.pgn.zst`, so that packed and plain games have
/// one each.
fn manifest_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".manifest.json");
    name.into()
}
