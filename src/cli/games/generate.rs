//! `roughboard games generate`: games to learn from, in the ways of S5 §4.1 that a program can go alone.

pub(in crate::cli) mod engine;

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Subcommand};
use roughboard::arena::{AlphaBetaPlayer, Generation, GenerationSettings, Player, RandomPlayer};
use roughboard::disk::check_target;
use roughboard::eval::Catalogue;
use roughboard::game::BoardGame;
use roughboard::games::GameName;
use roughboard::record::{DEFAULT_LEVEL, GameRecord, check_writable, write_games};
use roughboard::runs::manifest::Manifest;
use roughboard::search::{Limits, MAX_DEPTH};
use roughboard::settings::Settings;

use self::engine::EngineOptions;
use crate::cli::adjudication::AdjudicationOptions;
use crate::cli::choice::named;
use crate::cli::players::{player, second_name};
use crate::cli::search_options::SearchOptions;
use crate::cli::session::Session;
use crate::cli::{evaluators, output};

/// Arguments of `games generate`.
#[derive(ClapArgs)]
#[command(after_help = evaluators())]
pub struct Args {
    /// The game that is played
    #[arg(long, value_parser = named::<GameName>(), default_value_t, global = true, value_name = "GAME")]
    game: GameName,
    #[command(subcommand)]
    way: Way,
}

/// The ways to make games; docs/training-data.md compares them.
#[derive(Subcommand)]
enum Way {
    /// A random mover against itself, or an evaluator against a random mover
    Random(RandomArgs),
    /// An evaluator against another one that stays as it is; colours alternate
    FixedOpponent(FixedOpponentArgs),
    /// An evaluator against itself
    SelfPlay(SelfPlayArgs),
    /// A UCI or UCCI engine against itself or against an evaluator; colours alternate
    Engine(EngineArgs),
}

/// What every way needs.
#[derive(ClapArgs)]
struct Common {
    /// Number of games, 1 to 10000000
    #[arg(long, default_value_t = 1000, value_name = "N")]
    games: usize,
    #[command(flatten)]
    adjudication: AdjudicationOptions,
    /// Write what the players thought of each move as a comment
    #[arg(long)]
    evaluations: bool,
    /// File to write (.pgn, .pgn.gz, .pgn.zst); its manifest goes beside it as .manifest.json
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Keep finished games in this file; the same command with it goes on after an interruption
    #[arg(long, value_name = "FILE.jsonl")]
    journal: Option<PathBuf>,
}

/// How the first plies of each game are drawn.
#[derive(ClapArgs)]
struct Drawing {
    /// Plies drawn at random at the start of each game, 0 to 200
    #[arg(long, default_value_t = GenerationSettings::default().random_plies, value_name = "N")]
    random_plies: usize,
    /// How much worse than the best a random move may look, in expected result from 0 to 2
    #[arg(long, default_value_t = GenerationSettings::default().margin, value_name = "M")]
    margin: f64,
}

/// How an evaluator searches.
#[derive(ClapArgs)]
struct Thinking {
    /// Search depth, in plies, 1 to 64 [default: 2, or 64 with --nodes]
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Limit on the positions that one search may visit
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    #[command(flatten)]
    search: SearchOptions,
}

/// How the opponent searches, where this differs.
#[derive(ClapArgs)]
struct OpponentThinking {
    /// Search depth of the opponent [default: as its --opponent-nodes ask; else that of the evaluator]
    #[arg(long, value_name = "D")]
    opponent_depth: Option<u32>,
    /// Limit on the positions that one search of the opponent may visit
    #[arg(long, value_name = "N")]
    opponent_nodes: Option<u64>,
    /// Switches of the opponent's search, beside those of `--search`
    #[arg(long, value_name = "NAME=VALUE,…", default_value = "", hide_default_value = true)]
    opponent_search: String,
}

#[derive(ClapArgs)]
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
    #[command(flatten)]
    opponent_thinking: OpponentThinking,
    #[command(flatten)]
    drawing: Drawing,
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
    drawing: Drawing,
    #[command(flatten)]
    common: Common,
}

#[derive(ClapArgs)]
struct EngineArgs {
    #[command(flatten)]
    engine: EngineOptions,
    /// Evaluator to play against the engine; without one, the engine plays against itself
    #[arg(long, value_name = "EVALUATOR")]
    opponent: Option<String>,
    /// Search depth of the evaluator, in plies, 1 to 64 [default: 2, or 64 with --opponent-nodes]
    #[arg(long, value_name = "D")]
    opponent_depth: Option<u32>,
    /// Limit on the positions that one search of the evaluator may visit
    #[arg(long, value_name = "N")]
    opponent_nodes: Option<u64>,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    drawing: Drawing,
    #[command(flatten)]
    common: Common,
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<()> {
    roughboard::by_game!(args.game, G => generate::<G>(&args.way, session))
}

fn generate<G: Catalogue>(way: &Way, session: &Session) -> anyhow::Result<()> {
    match way {
        Way::Random(args) => random::<G>(args, session),
        Way::FixedOpponent(args) => fixed_opponent::<G>(args, session),
        Way::SelfPlay(args) => self_play::<G>(args, session),
        Way::Engine(args) => engine_games::<G>(args, session),
    }
}

/// The evaluator that was asked for, or the usual one of the game.
fn evaluator_name<G: Catalogue>(name: Option<&String>) -> &str {
    name.map_or(G::DEFAULT_EVALUATOR, String::as_str)
}

fn random<G: Catalogue>(args: &RandomArgs, session: &Session) -> anyhow::Result<()> {
    let settings = args.common.settings(None, session)?;
    let timed = settings.adjudication.clock.is_some();
    let evaluator = args.against.as_ref().map(|name| args.thinking.player::<G>(name, timed)).transpose()?;
    let searches = args.thinking.depth.is_some() || args.thinking.nodes.is_some();
    let is_idle = evaluator.is_none() && searches;
    anyhow::ensure!(!is_idle, "--depth and --nodes need --against: a random mover does not search");
    let first: &dyn Player<G> = evaluator.as_ref().map_or(&RandomPlayer, |evaluator| evaluator);
    let players = [first, &RandomPlayer];
    args.common.make(&Generation { event: "roughboard random games", players, drawer: None, settings }, session)
}

fn fixed_opponent<G: Catalogue>(args: &FixedOpponentArgs, session: &Session) -> anyhow::Result<()> {
    let settings = args.common.settings(Some(&args.drawing), session)?;
    let timed = settings.adjudication.clock.is_some();
    let evaluator = args.thinking.player::<G>(evaluator_name::<G>(args.evaluator.as_ref()), timed)?;
    let mut opponent = args.opponent_thinking.player::<G>(&args.opponent, &args.thinking, timed)?;
    second_name(&evaluator.name, &mut opponent.name);
    let (players, drawer): ([&dyn Player<G>; 2], _) = ([&evaluator, &opponent], Some(&evaluator));
    args.common.make(&Generation { event: "roughboard fixed opponent", players, drawer, settings }, session)
}

fn self_play<G: Catalogue>(args: &SelfPlayArgs, session: &Session) -> anyhow::Result<()> {
    let settings = args.common.settings(Some(&args.drawing), session)?;
    let timed = settings.adjudication.clock.is_some();
    let evaluator = args.thinking.player::<G>(evaluator_name::<G>(args.evaluator.as_ref()), timed)?;
    let (players, drawer): ([&dyn Player<G>; 2], _) = ([&evaluator; 2], Some(&evaluator));
    args.common.make(&Generation { event: "roughboard self-play", players, drawer, settings }, session)
}

fn engine_games<G: Catalogue>(args: &EngineArgs, session: &Session) -> anyhow::Result<()> {
    let settings = args.common.settings(Some(&args.drawing), session)?;
    let timed = settings.adjudication.clock.is_some();
    let search = args.search.settings_of::<G>()?;
    let name = evaluator_name::<G>(args.opponent.as_ref());
    // Without an opponent it only rates the random plies.
    let rater = player::<G>(name, search, limits(args.opponent_depth, args.opponent_nodes, timed)?)?;
    let engine = args.engine.player::<G>(timed)?;
    let opponent: &dyn Player<G> = if args.opponent.is_some() { &rater } else { &engine };
    let (players, drawer) = ([&engine, opponent], Some(&rater));
    args.common.make(&Generation { event: "roughboard engine games", players, drawer, settings }, session)
}

/// The limits of a search; a number of positions or a clock alone is not cut short by a depth.
fn limits(depth: Option<u32>, nodes: Option<u64>, timed: bool) -> anyhow::Result<Limits> {
    let default = if nodes.is_some() || timed { MAX_DEPTH } else { 2 };
    let limits = Limits::to_depth(depth.unwrap_or(default))?;
    Ok(nodes.map_or(Ok(limits), |nodes| limits.and_nodes(nodes))?)
}

impl Thinking {
    fn player<G: Catalogue>(&self, name: &str, timed: bool) -> anyhow::Result<AlphaBetaPlayer<G>> {
        player(name, self.search.settings_of::<G>()?, limits(self.depth, self.nodes, timed)?)
    }
}

impl OpponentThinking {
    /// The opponent called `name`, which searches as `evaluator` does but for what is said of itself.
    fn player<G: Catalogue>(
        &self,
        name: &str,
        evaluator: &Thinking,
        timed: bool,
    ) -> anyhow::Result<AlphaBetaPlayer<G>> {
        let own = self.opponent_depth.is_some() || self.opponent_nodes.is_some();
        let limits = if own {
            limits(self.opponent_depth, self.opponent_nodes, timed)?
        } else {
            limits(evaluator.depth, evaluator.nodes, timed)?
        };
        player(name, evaluator.search.settings_of::<G>()?.with(&self.opponent_search)?, limits)
    }
}

impl Common {
    /// The settings of the games, checked; without `drawing` no plies are drawn.
    fn settings(&self, drawing: Option<&Drawing>, session: &Session) -> anyhow::Result<GenerationSettings> {
        let (random_plies, margin) = drawing.map_or((0, 0.0), |drawing| (drawing.random_plies, drawing.margin));
        let (games, adjudication, seed) = (self.games, self.adjudication.settings()?, session.seed);
        let settings = GenerationSettings { games, random_plies, margin, adjudication, seed };
        settings.check()?;
        check_writable(&self.out)?;
        check_target(&manifest_path(&self.out))?;
        Ok(settings)
    }

    /// Makes the games and writes them with their manifest.
    fn make<G: BoardGame>(&self, generation: &Generation<'_, G>, session: &Session) -> anyhow::Result<()> {
        let mut records = generation.play(self.journal.as_deref(), &session.progress)?;
        if !self.evaluations {
            records.iter_mut().for_each(forget_comments);
        }
        write_games(&self.out, &records, DEFAULT_LEVEL)?;
        self.write_manifest(generation)?;
        output::print(&format!("{} games written to {}\n", records.len(), self.out.display()))
    }

    fn write_manifest<G: BoardGame>(&self, generation: &Generation<'_, G>) -> anyhow::Result<()> {
        let seed = generation.settings.seed;
        let manifest = Manifest::new(generation.event, seed, generation.identity(), Vec::new());
        let folder = self.out.parent().unwrap_or(Path::new(""));
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(manifest.write_as(&name(&manifest_path(&self.out)), folder, &[name(&self.out)])?)
    }
}

/// Where the manifest of the games in `out` goes: `games.manifest.json` for `games.pgn.zst`.
fn manifest_path(out: &Path) -> PathBuf {
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    let stem = [".gz", ".zst"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    out.with_file_name(format!("{}.manifest.json", stem.strip_suffix(".pgn").unwrap_or(stem)))
}

fn forget_comments<G: BoardGame>(record: &mut GameRecord<G>) {
    record.prologue = None;
    record.comments.iter_mut().for_each(|comment| *comment = None);
}
