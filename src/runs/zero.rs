//! Runs of self-play in folders: learning curve, event file and picture, manifest; and how fast they were.

use std::collections::BTreeMap;
use std::marker;
use std::path::Path;
use std::time::Duration;

use super::error::RunsError;
use super::folder::{RunFolder, STATE, Start, names_in};
use super::manifest::{FileError, MANIFEST, Manifest};
use super::repeats::series_of_means;
use super::results::Results;
use super::training::{CURVE, EVENTS, PICTURE, TRAINING, write_curve};
use crate::arena::Shard;
use crate::disk::remove_if_there;
use crate::game::Planes;
use crate::observe::Observer;
use crate::report::{Cell, Curves, Document, Field, Measurement, PlotError, Series, Table, event_file};
use crate::search::mcts::{MctsSettings, Selection};
use crate::train::zero::{
    self, ActorReport, GAMES, InitialNetwork, KEPT_STATE, LearningPoint, NETWORK, NetworkSettings, Pace,
    SelfPlayObserver, Speed, Sync, ZeroError, ZeroPlan, ZeroReport, ZeroSettings, is_kept_name,
};

/// What a run depends on.
#[derive(Debug, Clone, Copy)]
pub struct ZeroRun<'a> {
    /// The settings.
    pub settings: &'a ZeroSettings,
    /// The seed of all that is drawn.
    pub seed: u64,
    /// The network that it starts from; without one, random weights.
    pub init: Option<&'a InitialNetwork>,
}

/// How a run in a folder is made, besides what it depends on.
pub struct Manner<'a> {
    /// Whether the picture is drawn as PNG too.
    pub png: bool,
    /// How many other processes play the games ([`join`]), if this one is only to learn.
    pub actors: Option<u64>,
    /// Receives the progress: games and speed.
    pub observer: &'a dyn Observer,
    /// Asks the run to stop at the next checkpoint.
    pub stop: &'a (dyn Fn() -> bool + marker::Sync),
}

impl<'a> ZeroRun<'a> {
    /// The run in the folder `results`, with its state in `state`.
    pub const fn plan(&self, [folder, state]: [&'a Path; 2], actors: Option<u64>) -> ZeroPlan<'a> {
        let Self { settings, seed, init } = *self;
        ZeroPlan { settings, seed, init, actors, folder, state }
    }

    /// What it depends on, for the manifest.
    fn manifest<G: Planes>(&self) -> Manifest {
        let mut settings = serde_json::json!({ "method": "zero", "game": G::NAME, "training": self.settings });
        if let Some(init) = self.init {
            settings["init"] = init.file.0.as_str().into();
        }
        Manifest::new(TRAINING.name, self.seed, settings, self.init.map(|init| init.file.clone()).into_iter().collect())
    }

    fn identity<G: Planes>(&self) -> serde_json::Value {
        self.manifest::<G>().identity()
    }
}

/// Plays and learns in `folder`, which is open for a run, and finishes it there with curve, picture and manifest, unless it was asked
/// to stop before.
///
/// # Errors
/// When a setting is out of range or a file cannot be read or written.
pub fn train<G: Planes>(folder: &RunFolder, run: ZeroRun<'_>, manner: &Manner<'_>) -> Result<ZeroReport, RunsError> {
    let plan = run.plan([&folder.results, &folder.work], manner.actors);
    let report = train_as::<G>(&plan, (manner.observer, manner.stop))?;
    if report.is_complete {
        zero::keep_state(&plan)?;
        finish::<G>(folder, run, manner.png, &report.curve)?;
    }
    Ok(report)
}

/// As [`zero::run`], with the learning curve as table and event file in the folder of `plan` while it runs.
///
/// # Errors
/// As [`zero::run`].
pub fn train_as<G: Planes>(
    plan: &ZeroPlan<'_>,
    (observer, stop): (&dyn Observer, &(dyn Fn() -> bool + marker::Sync)),
) -> Result<ZeroReport, ZeroError> {
    let record =
        &mut |curve: &[LearningPoint]| Ok(write_curve(plan.folder, &curve_table(curve), &curve_events(curve))?);
    zero::run::<G>(plan, &mut SelfPlayObserver { observer, record, stop })
}

fn finish<G: Planes>(
    folder: &RunFolder,
    run: ZeroRun<'_>,
    png: bool,
    curve: &[LearningPoint],
) -> Result<(), RunsError> {
    let mut results = Results::new(folder);
    results.others([NETWORK, GAMES, CURVE, EVENTS].into_iter().chain(KEPT_STATE).map(str::to_owned));
    results.others(names_in(&folder.results).into_iter().filter(|name| is_kept_name(name)));
    match results.picture(PICTURE, png, &curve_plot(&[curve])) {
        // Without a single step there is nothing to draw.
        Err(RunsError::Plot(PlotError::Empty(..))) => {}
        drawn => drawn?,
    }
    results.page(&page::<G>(run, curve))?;
    Ok(results.finish(run.manifest::<G>())?)
}

/// The folder `path`, open for `run`; `None` if it is to go on and is finished there. A finished run of fewer games goes on, if it is
/// the same then as one of so many from the start, or if it `may_differ`.
///
/// # Errors
/// When the folder cannot be used, or holds another run than is to go on.
pub fn open<G: Planes>(
    path: &Path,
    run: ZeroRun<'_>,
    (start, may_differ): (Start, bool),
) -> Result<Option<RunFolder>, RunsError> {
    if start == Start::Resume
        && let Some(games) = finished_games::<G>(path, run)?
    {
        let now = run.settings.games;
        let reasons = run.settings.breaks_at(games).join("; ");
        match games {
            games if games == now => return Ok(None),
            _ if reasons.is_empty() || may_differ => {}
            before => return Err(RunsError::Extension { path: path.to_owned(), before, games: now, reasons }),
        }
    }
    let folder = RunFolder::open(path, &TRAINING, None, start)?;
    folder.take_up(&run.identity::<G>())?;
    let plan = run.plan([&folder.results, &folder.work], None);
    if start == Start::Resume {
        zero::take_over::<G>(&plan)?;
        // It lists the files of the run with fewer games.
        let old = path.join(MANIFEST);
        remove_if_there(&old).map_err(FileError::of("remove", &old))?;
    }
    Ok(Some(folder))
}

/// How many games the finished run in the folder `path` has, if there is one: as many as `run`, or fewer.
///
/// # Errors
/// When it differs from `run` in anything else, or its files are not as they were written.
fn finished_games<G: Planes>(path: &Path, run: ZeroRun<'_>) -> Result<Option<usize>, RunsError> {
    let games = run.settings.games;
    let before = zero::kept_games(path)?.map_or(games, |before| before.min(games));
    let settings = ZeroSettings { games: before, ..run.settings.clone() };
    let known = ZeroRun { settings: &settings, ..run }.manifest::<G>();
    Ok(RunFolder::is_finished(path, &TRAINING, &known)?.then_some(before))
}

/// Plays the games of `part` for `run`, which another process learns in the folder `path`, now or later.
///
/// # Errors
/// When the folder holds another run; as [`zero::act`].
pub fn join<G: Planes>(
    path: &Path,
    (run, part): (ZeroRun<'_>, Shard),
    watcher: (&dyn Observer, &(dyn Fn() -> bool + marker::Sync)),
) -> Result<ActorReport, RunsError> {
    RunFolder::check_state(path, &run.identity::<G>())?;
    finished_games::<G>(path, run)?;
    Ok(zero::act::<G>(&run.plan([path, &path.join(STATE)], None), part, watcher)?)
}

/// What a reader wants of a run.
fn page<G: Planes>(run: ZeroRun<'_>, curve: &[LearningPoint]) -> String {
    let init = run.init.map(|init| format!("begun with the weights of `{}`", init.file.0));
    let page = Document::titled(&format!("Learning from self-play: {}", G::NAME))
        .points(learning_lines(run.settings).into_iter().chain(init).chain([format!("seed {}", run.seed)]))
        .tables([&curve_table(curve)]);
    let has_picture = curve.iter().any(|point| point.losses.is_some());
    (if has_picture { page.picture("losses", "curve.svg") } else { page }).into_text()
}

/// How a run plays and learns, in a few lines.
pub fn learning_lines(settings: &ZeroSettings) -> [String; 3] {
    let games = format!("{}, with {}", games_line(settings), search_words(settings));
    [network_line(settings), games, lessons_line(settings)]
}

/// The size of the network, for readers.
pub fn network_line(settings: &ZeroSettings) -> String {
    let NetworkSettings { channels, layers, history, .. } = settings.network;
    format!("network: {layers} convolutions of {channels} channels, {history} earlier positions seen")
}

/// Which games of self-play there are, for readers.
pub fn games_line(settings: &ZeroSettings) -> String {
    let start = if settings.start.is_empty() { "the initial position" } else { &settings.start };
    format!("{} games of self-play, {} at a time, from `{start}`", settings.games, settings.in_flight)
}

/// How the network learns from the games, for readers.
pub fn lessons_line(settings: &ZeroSettings) -> String {
    let lessons = &settings.lessons;
    let when = match settings.sync {
        Sync::Games(games) => format!("{games} games"),
        Sync::Generation(games) => format!("generation of {games} games, which one network plays"),
        Sync::Seconds(seconds) => format!("{seconds} seconds"),
    };
    let pace = match lessons.pace {
        Pace::Reuse(times) => format!("each position drawn {times} times on average"),
        Pace::StepsPerGame(steps) => format!("{steps} steps a game"),
    };
    format!("lessons after each {when}: steps of {} of the newest {} positions, {pace}", lessons.batch, lessons.pool)
}

/// How moves are searched for in self-play.
pub fn search_words(settings: &ZeroSettings) -> String {
    let MctsSettings { selection, c_puct, considered, .. } = settings.search;
    let rule = match selection {
        Selection::Puct => format!("PUCT, c = {c_puct}"),
        Selection::Gumbel => format!("Gumbel selection among {considered} moves"),
    };
    let cap = settings.playout_cap.map_or_else(String::new, |cap| {
        format!(", {} in {:.0} % of searches", cap.fast_simulations, 100.0 * (1.0 - cap.full_share))
    });
    format!("{} simulations a move{cap} ({rule})", settings.simulations)
}

/// The columns of a learning curve.
const CURVE_COLUMNS: [Field<LearningPoint>; 18] = [
    ("lesson", |point| point.lesson.into()),
    ("games", |point| point.games.into()),
    ("pool", |point| point.pool.into()),
    ("steps", |point| point.steps.into()),
    ("policy_loss", |point| loss(point, 0)),
    ("value_loss", |point| loss(point, 1)),
    ("l2_loss", |point| loss(point, 2)),
    ("finished", |point| point.play.games.into()),
    ("mean_plies", |point| real(point.play.mean_plies, 1)),
    ("draws", |point| real(point.play.draws, 3)),
    ("first_score", |point| real(point.play.first_score, 3)),
    ("moves", |point| point.play.moves.into()),
    ("simulations", |point| point.play.simulations.into()),
    ("batch", |point| real(point.play.batch, 1)),
    ("cache_hits", |point| real(point.play.cache_hits, 3)),
    ("entropy", |point| real(point.play.entropy, 3)),
    ("given_up", |point| point.play.given_up.into()),
    ("wrongly_given_up", |point| point.play.wrongly_given_up.into()),
];

fn loss(point: &LearningPoint, number: usize) -> Cell {
    point.losses.map(|losses| Cell::real(losses[number], 4)).into()
}

fn real(figure: Option<f64>, digits: usize) -> Cell {
    figure.map(|figure| Cell::real(figure, digits)).into()
}

/// The learning curve as a table, one row a lesson.
pub fn curve_table(curve: &[LearningPoint]) -> Table {
    Table::of("Learning curve", curve, &[], &CURVE_COLUMNS)
}

/// The bytes of an event file (TensorBoard) with the learning curve; its steps are games learned from.
pub(crate) fn curve_events(curve: &[LearningPoint]) -> Vec<u8> {
    event_file(curve.iter().map(|point| {
        let play = &point.play;
        let losses = point.losses.into_iter().flat_map(|losses| LOSSES.into_iter().zip(losses));
        let others = [
            ("play/plies", play.mean_plies),
            ("play/draws", play.draws),
            ("play/first-score", play.first_score),
            ("play/entropy", play.entropy),
            ("play/batch", play.batch),
        ];
        let others = others.into_iter().filter_map(|(name, figure)| Some((name, figure?)));
        Measurement { step: point.games as u64, scalars: losses.chain(others).collect() }
    }))
}

/// What event files call the losses.
const LOSSES: [&str; 3] = ["loss/policy", "loss/value", "loss/l2"];

/// The losses over the games learned from: of one run, or the means over runs that differ in their seed, with a band of one standard
/// deviation.
pub fn curve_plot(curves: &[&[LearningPoint]]) -> Curves {
    let series = |(number, name): (usize, &str)| {
        let at = |point: &LearningPoint| point.losses.map(|losses| (point.games, losses[number]));
        let points = curves.iter().copied().flatten().filter_map(at);
        if curves.len() == 1 {
            return Series::new(name, points.map(|(games, loss)| (games as f64, loss)).collect());
        }
        let mut values = BTreeMap::<usize, Vec<f64>>::new();
        points.for_each(|(games, loss)| values.entry(games).or_default().push(loss));
        series_of_means(name, &values.into_iter().map(|(games, losses)| (games as f64, losses)).collect::<Vec<_>>())
    };
    let names = ["policy: cross entropy", "value: squared error", "L2"];
    let series = names.into_iter().enumerate().map(series).collect();
    Curves::new("Learning from self-play", ["games", "mean loss of a lesson"], series)
}

/// How fast a run was, for its end: measured, beside the network that evaluates batches again and does nothing else, and no part of
/// the results; `caption` stands above it. Nothing where no game was played.
pub fn speed_table(caption: &str, speed: &Speed) -> Option<Table> {
    let Speed { counts: tally, times, .. } = *speed;
    let batch = tally.rows as f64 / Some(tally.rounds).filter(|&rounds| rounds > 0)? as f64;
    let seconds = speed.whole.as_secs_f64();
    let rate = |count: u64| count as f64 / seconds;
    let share = |part: Duration| 100.0 * part.as_secs_f64() / seconds;
    let alone = times.rows_alone as f64 / times.alone.as_secs_f64();
    let beside = tally.rows as f64 / (times.trees + times.network).as_secs_f64();
    let in_trees = 1e6 * times.trees.as_secs_f64() / tally.simulations.max(1) as f64;
    let rows = [
        ("seconds", seconds, 1),
        ("games/hour", 3600.0 * rate(tally.games), 0),
        ("moves/s", rate(tally.moves), 1),
        ("simulations/s", rate(tally.simulations), 0),
        ("positions/s of the network", rate(tally.rows), 0),
        ("positions/s while games are played", beside, 0),
        ("positions/s of the network alone", alone, 0),
        ("games, % of the network alone", 100.0 * beside / alone, 1),
        ("mean batch", batch, 1),
        ("answers from the cache, %", 100.0 * tally.hits as f64 / (tally.hits + tally.rows).max(1) as f64, 1),
        ("time in the network, %", share(times.network), 1),
        ("time in the trees, %", share(times.trees), 1),
        ("time in the trees, µs a simulation", in_trees, 1),
        ("time waiting for the learner, %", share(speed.waiting), 1),
        ("time of lessons beside self-play, %", share(speed.learning), 1),
    ];
    let rows = rows.map(|(name, value, digits)| [name.into(), Cell::real(value, digits)]);
    Some(Table::new(caption, &["figure"], &["value"]).with_rows(rows))
}
