//! `roughboard reproduce`: experiments by name, or the main job.

mod plan;
mod summary;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;

use roughboard::arena::Shard;
use roughboard::eval::Catalogue;
use roughboard::experiment::config::{Assignment, QUICK, Seeds, Sweep};
use roughboard::experiment::contract::{Incomplete, Part, Records};
use roughboard::experiment::driver::{RunRequest, RunSummary};
use roughboard::experiment::registry::{EXPERIMENTS, RegisteredExperiment, find};
use roughboard::game::Game;
use roughboard::games::connect6::Connect6;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::runs::{Figure, FolderError, SUMMARY};

use self::plan::{Run, runs};
use self::summary::{check_summary, means, summary};
use super::effects::no_effect;
use super::folder::{last_words, resuming, start, told_before};
use super::session::Session;
use super::settings::OF_EXPERIMENT;
use super::sources::{GameSources, Games};
use super::{INCOMPLETE, interrupt, output, parts};

/// What the profiles of the papers' own sizes are called, or begin with.
const PAPER: &str = "paper";

/// Arguments of `reproduce`.
#[derive(clap::Args)]
#[command(after_help = list())]
pub struct Args {
    /// Experiments, one after the other; without any, the main job: rnn-xiangqi
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(EXPERIMENTS.iter().map(|entry| entry.name)), value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    sources: GameSources,
    /// Settings to start from: quick takes minutes, paper does what the paper did, smoke takes seconds; some experiments have more, such as paper-reduced [default: quick]
    #[arg(long, value_name = "PROFILE", conflicts_with_all = ["config", "smoke"])]
    profile: Option<String>,
    /// Short for --profile smoke
    #[arg(long, conflicts_with = "config")]
    smoke: bool,
    /// Settings to start from, such as the config.toml of an earlier run; its seed counts unless --seed is given
    #[arg(long, value_name = "FILE.toml")]
    config: Option<PathBuf>,
    /// Change a setting, such as td.lambda=0.5; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Assignment>,
    /// One run for each value of a setting, such as td.lambda=0.5,0.7,0.9; repeated, for each combination
    #[arg(long, value_name = "KEY=V1,V2…")]
    sweep: Vec<Sweep>,
    /// One run for each seed: 1..5 or 1,2,3
    #[arg(long, value_name = "SEEDS", conflicts_with = "seed")]
    seeds: Option<Seeds>,
    /// Print the settings and do nothing
    #[arg(long)]
    print_config: bool,
    /// Go on with what was interrupted, and keep finished results of the same settings, games and program
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Discard what another run has left, finished or not, and start again
    #[arg(long)]
    force: bool,
    /// Train everything, but play part I of N of the matches only; of several runs by --seeds or --sweep, do part I of N of the runs,
    /// whole. `env/N` takes I from the scheduler (SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX)
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// Take over the games that other parts have played, from the folders that they were told to write to
    #[arg(long, num_args = 1.., value_name = "DIR")]
    parts: Vec<PathBuf>,
    /// Folder to write to; of several experiments and sweeps, the folder of their folders [default: results/NAME, with
    /// -PROFILE unless the profile is quick; for the main job results/PROFILE, with -STEM where --games names STEM.pgn]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also draw the pictures as PNG
    #[arg(long)]
    png: bool,
}

fn list() -> String {
    let width = EXPERIMENTS.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let lines = EXPERIMENTS.iter().map(|entry| format!("  {:width$}  {}\n", entry.name, entry.about));
    format!("Experiments:\n{}", lines.collect::<String>())
}

/// Runs the command.
pub fn run(args: Args, session: &Session) -> anyhow::Result<ExitCode> {
    let entries: Vec<&'static RegisteredExperiment> = match args.names.as_slice() {
        [] => find("rnn-xiangqi").into_iter().collect(),
        names => names.iter().filter_map(|name| find(name)).collect(),
    };
    let twice = (1..args.names.len()).find(|&at| args.names[..at].contains(&args.names[at]));
    if let Some(at) = twice {
        anyhow::bail!("`{}` is named twice: leave one out", args.names[at]);
    }
    anyhow::ensure!(
        args.config.is_none() || entries.len() == 1,
        "`--config` holds the settings of one experiment: name one"
    );
    // All settings are read before any work, so that none is done in vain.
    let plans = entries.iter().map(|&entry| Ok((entry, runs(&args, entry, session)?)));
    let plans: Vec<(&RegisteredExperiment, Vec<Run>)> = plans.collect::<anyhow::Result<_>>()?;
    if args.print_config {
        return print_settings(&plans);
    }
    for Run { settings, .. } in plans.iter().flat_map(|(_, runs)| runs) {
        let checked = settings.check().map_err(anyhow::Error::from_boxed);
        checked.with_context(|| format!("{OF_EXPERIMENT}{}`", settings.experiment.name))?;
    }
    let shard = shard(&args, &plans)?;
    check_games(&args, &entries)?;
    note_supplied(&args, &entries);
    let games = AllGames::read(&args, &entries, session)?;
    check_results(&args, &plans, &games)?;
    let places: Vec<PathBuf> = entries.iter().map(|entry| folder(&args, entry)).collect();
    interrupt::tell(stopped(&plans, &places));
    let mut is_complete = true;
    for (entry, runs) in &plans {
        is_complete &= reproduce(&Job { args: &args, shard, games: &games, session }, (entry, runs))?;
    }
    Ok(if is_complete { ExitCode::SUCCESS } else { ExitCode::from(INCOMPLETE) })
}

/// Refuses to put runs into the places of others, before any of them begins.
fn check_results(args: &Args, plans: &[(&RegisteredExperiment, Vec<Run>)], games: &AllGames) -> anyhow::Result<()> {
    if args.force {
        return Ok(());
    }
    for run in plans.iter().flat_map(|(_, runs)| runs) {
        let entry = run.settings.experiment;
        run.settings.same_run(&run.folder_in(&folder(args, entry)), games.of(entry.game).1)?;
    }
    plans.iter().try_for_each(|(entry, runs)| check_summary(&folder(args, entry), entry, runs))
}

/// The part of the matches that is asked for, or of the runs where an experiment has several.
fn shard(args: &Args, plans: &[(&RegisteredExperiment, Vec<Run>)]) -> anyhow::Result<Shard> {
    let of_matches = |runs: &[Run]| !args.parts.is_empty() || args.shard.is_some() && runs.len() == 1;
    if let Some((entry, _)) = plans.iter().find(|(entry, runs)| !entry.plays && of_matches(runs)) {
        anyhow::bail!("`{}` plays no matches that could be divided into parts", entry.name);
    }
    Ok(parts::shard(args.shard.as_deref())?)
}

/// Where an experiment writes that was told to write to `out`: several have a folder each in it.
fn place_in(args: &Args, entry: &RegisteredExperiment, out: &Path) -> PathBuf {
    if args.names.len() > 1 { out.join(entry.name) } else { out.to_owned() }
}

/// What is said when the runs are stopped: what is kept of them in which `places`, and the command that goes on.
fn stopped(plans: &[(&RegisteredExperiment, Vec<Run>)], places: &[PathBuf]) -> String {
    let n_runs: usize = plans.iter().map(|(_, runs)| runs.len()).sum();
    let runs = (n_runs > 1).then_some("finished runs");
    let mut kept: Vec<&str> = Vec::new();
    for what in runs.into_iter().chain(plans.iter().filter_map(|(entry, _)| entry.keeps)) {
        if !kept.contains(&what) {
            kept.push(what);
        }
    }
    if kept.is_empty() {
        // The folder says which run it is of by then, so that the same command alone would be refused.
        return format!("nothing was kept to continue from; to start again: {}", resuming(true));
    }
    last_words(&format!("{} are", kept.join(", ")), places)
}

/// Refuses games for experiments of which none reads any.
fn check_games(args: &Args, entries: &[&RegisteredExperiment]) -> anyhow::Result<()> {
    let reads_none = !entries.iter().any(|entry| entry.reads_games);
    if let (Some(_), true, Some(first)) = (args.sources.first_file(), reads_none, entries.first()) {
        anyhow::bail!(no_effect("games", &format!("on `{}`, which reads no games", first.name), None));
    }
    Ok(())
}

/// Notes that experiments at the papers' size learn from games of another kind where no others are named.
fn note_supplied(args: &Args, entries: &[&RegisteredExperiment]) {
    let is_paper = args.profile.as_deref().is_some_and(|profile| profile.starts_with(PAPER));
    let learns = |entry: &&&RegisteredExperiment| entry.reads_games && entry.game == Xiangqi::NAME;
    let readers: Vec<&str> = entries.iter().filter(learns).map(|entry| entry.name).collect();
    if is_paper && !readers.is_empty() && args.sources.first_file().is_none() {
        eprintln!(
            "note: without `--games`, the games of {} are the self-play games that come with the program, not games of \
             experts as in the papers: docs/games.md says where to find such games",
            readers.join(" and ")
        );
    }
}

/// What the experiments read, by game.
struct AllGames {
    xiangqi: Games<Xiangqi>,
    connect6: Games<Connect6>,
}

impl AllGames {
    /// Reads what `entries` need: the files that were named, or the games that come with the program.
    fn read(args: &Args, entries: &[&RegisteredExperiment], session: &Session) -> anyhow::Result<Self> {
        let mut readers = entries.iter().filter(|entry| entry.reads_games);
        if let (Some(_), Some(first)) = (args.sources.first_file(), readers.next())
            && let Some(other) = readers.find(|other| other.game != first.game)
        {
            anyhow::bail!(
                "`--games` holds games of one game, but `{}` is about {} and `{}` about {}: run them one after the other",
                first.name,
                first.game,
                other.name,
                other.game
            );
        }
        Ok(Self { xiangqi: games_for(args, entries, session)?, connect6: games_for(args, entries, session)? })
    }

    /// The games of every kind, and what those of the game called `game` were read from.
    fn of(&self, game: &str) -> (Records<'_>, &[(String, String)]) {
        let records = Records { xiangqi: &self.xiangqi.records, connect6: &self.connect6.records };
        (records, if game == Connect6::NAME { &self.connect6.inputs } else { &self.xiangqi.inputs })
    }
}

/// The games of `G` that `entries` need. Where none are named and none come with the program, experiments make their own.
fn games_for<G: Catalogue>(
    args: &Args,
    entries: &[&RegisteredExperiment],
    session: &Session,
) -> anyhow::Result<Games<G>> {
    let are_needed = entries.iter().any(|entry| entry.reads_games && entry.game == G::NAME);
    if are_needed && (G::SUPPLIED.is_some() || args.sources.first_file().is_some()) {
        return args.sources.read(session);
    }
    Ok(Games { records: Vec::new(), inputs: Vec::new() })
}

/// What all runs have in common.
#[derive(Clone, Copy)]
struct Job<'a> {
    args: &'a Args,
    shard: Shard,
    games: &'a AllGames,
    session: &'a Session,
}

/// Prints the settings of every run; what tells them apart is a comment before each.
fn print_settings(plans: &[(&RegisteredExperiment, Vec<Run>)]) -> anyhow::Result<ExitCode> {
    let text = |run: &Run| format!("# {}\n{}", run.title(), run.settings.to_toml());
    output::print(&plans.iter().flat_map(|(_, runs)| runs).map(text).collect::<Vec<_>>().join("\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// All runs of one experiment, and if it was swept, the table of their headlines. Tells whether they are complete.
fn reproduce(job: &Job<'_>, (entry, runs): (&RegisteredExperiment, &[Run])) -> anyhow::Result<bool> {
    let folder = folder(job.args, entry);
    if runs.len() > 1 && !job.shard.is_whole() {
        do_part(job, (entry, runs), &folder)?;
        return Ok(false);
    }
    let headlines = runs.iter().map(|run| run_one(job, run, &run.folder_in(&folder)));
    let headlines: Vec<Option<Vec<Figure>>> = headlines.collect::<anyhow::Result<_>>()?;
    let Some(headlines) = headlines.into_iter().collect::<Option<Vec<_>>>() else { return Ok(false) };
    if runs.iter().all(|run| run.changes.is_empty()) {
        return Ok(true);
    }
    let summary = summary(entry, runs, &headlines);
    let path = folder.join(SUMMARY);
    output::write(&path, summary.to_csv())?;
    let means = means(entry, runs, &headlines).map(|table| format!("{}\n", table.to_text())).unwrap_or_default();
    output::print(&format!("{}\n{means}summary: {}\n", summary.to_text(), path.display()))?;
    Ok(true)
}

/// Does the runs of one part, whole. Their summary is left to whoever has them all.
fn do_part(job: &Job<'_>, (entry, runs): (&RegisteredExperiment, &[Run]), folder: &Path) -> anyhow::Result<()> {
    let all = Job { shard: Shard::WHOLE, ..*job };
    let mine = runs.iter().zip(0..).filter(|(_, number)| job.shard.holds(*number));
    let mine: Vec<&Run> = mine.map(|(run, _)| run).collect();
    mine.iter().try_for_each(|run| run_one(&all, run, &run.folder_in(folder)).map(drop))?;
    output::print(&format!(
        "{}: part {} is done, {} of {} runs; with `--resume` in place of `--shard`, the same command does what the \
         other parts have left and writes the summary of all\n",
        entry.name,
        job.shard,
        mine.len(),
        runs.len()
    ))
}

/// Gives the headline of the run, or nothing if games are left to other parts.
fn run_one(job: &Job<'_>, run: &Run, folder: &Path) -> anyhow::Result<Option<Vec<Figure>>> {
    let (args, entry, started) = (job.args, run.settings.experiment, Instant::now());
    let others: Vec<PathBuf> = args.parts.iter().map(|part| run.folder_in(&place_in(args, entry, part))).collect();
    let (records, inputs) = job.games.of(entry.game);
    let request = RunRequest {
        records,
        inputs,
        folder,
        png: args.png,
        // Whoever puts parts together goes on with one of them, if that is not to be discarded.
        start: start(args.resume || !args.parts.is_empty() && !args.force, args.force),
        part: Part { shard: job.shard, others: &others },
        observer: &job.session.progress,
    };
    let title = run.title();
    if args.resume
        && let Some(headline) = run.settings.finished(folder, inputs)?
    {
        told_before(&title, folder)?;
        if args.png && !holds_png(folder) {
            eprintln!(
                "note: `{}` is kept as it is, without PNG pictures; without `--resume` it is made again, with them",
                folder.display()
            );
        }
        return Ok(Some(headline));
    }
    let changed = changed_files(run, folder, inputs);
    match run.settings.run(&request) {
        Ok(summary) => {
            note_made_again(&changed, &summary, folder);
            output::print(&text_of(&summary, folder, started.elapsed().as_secs_f64()))?;
            Ok(Some(summary.found.headline))
        }
        Err(error) if error.is::<Incomplete>() => {
            output::print(&format!("{title}: part {} is done, {error}; see {}\n", job.shard, folder.display()))?;
            Ok(None)
        }
        Err(error) => Err(match error.downcast::<FolderError>() {
            Ok(error) => (*error).into(),
            Err(error) => anyhow::Error::from_boxed(error),
        }),
    }
}

/// Whether the results in `folder` have pictures as PNG.
fn holds_png(folder: &Path) -> bool {
    let is_png = |name: &Path| name.extension().is_some_and(|ending| ending == "png");
    std::fs::read_dir(folder).is_ok_and(|files| files.flatten().any(|file| is_png(&file.path())))
}

/// The files of the same run in `folder`, if it is finished there, that were changed since.
fn changed_files(run: &Run, folder: &Path, inputs: &[(String, String)]) -> Vec<String> {
    // Whoever begins again by force may put the run in the place of any other.
    let known = run.settings.same_run(folder, inputs).ok().flatten();
    known.map_or_else(Vec::new, |known| known.differences(folder).changed)
}

/// Tells of the `changed` files that the run has written anew.
fn note_made_again(changed: &[String], summary: &RunSummary, folder: &Path) {
    let again: Vec<String> =
        changed.iter().filter(|name| summary.files.contains(name)).map(|name| format!("`{name}`")).collect();
    let were = if again.len() == 1 { "was" } else { "were" };
    if !again.is_empty() {
        eprintln!("note: in `{}` {} had been changed and {were} made again", folder.display(), again.join(", "));
    }
}

/// What a run found, for a terminal.
fn text_of(summary: &RunSummary, folder: &Path, seconds: f64) -> String {
    let list = |sentences: &[String]| -> String {
        let gap = if sentences.is_empty() { "" } else { "\n" };
        sentences.iter().map(|sentence| format!("* {sentence}\n")).chain([gap.to_owned()]).collect()
    };
    let tables: String = summary.found.tables.iter().map(|table| table.to_text() + "\n").collect();
    let [points, remarks] = [&summary.found.points, &summary.found.remarks].map(|sentences| list(sentences));
    let files: Vec<&str> = summary.files.iter().map(String::as_str).filter(|name| !name.contains('/')).collect();
    format!("{points}{tables}{remarks}files: {} ({})\ncomputed in {seconds:.0} s\n", folder.display(), files.join(", "))
}

/// `results/quick` for the main job itself; other profiles and games get folders of their own. An experiment by name writes into
/// `results/NAME`, or `results/NAME-PROFILE` if the profile is not quick.
fn folder(args: &Args, entry: &RegisteredExperiment) -> PathBuf {
    let results = Path::new("results");
    let profile = args.profile_name();
    match (&args.out, args.names.as_slice()) {
        (Some(out), _) => place_in(args, entry, out),
        (None, []) => {
            let start = args.config.as_deref().map_or_else(|| profile.to_owned(), stem);
            let games = args.sources.first_file().map(|path| format!("-{}", stem(path))).unwrap_or_default();
            results.join(start + &games)
        }
        (None, _) if profile == QUICK => results.join(entry.name),
        (None, _) => results.join(format!("{}-{profile}", entry.name)),
    }
}

/// The name of a file up to its first dot.
fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.split('.').next().unwrap_or_default().to_owned()
}

impl Args {
    fn profile_name(&self) -> &str {
        if self.smoke { "smoke" } else { self.profile.as_deref().unwrap_or(QUICK) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_be_kept_is_what_the_experiments_keep() {
        let told = |names: &[&str], n_runs: usize| {
            let runs = |entry: &'static RegisteredExperiment| {
                let run = || Run { changes: Vec::new(), settings: entry.profile("smoke").unwrap() };
                (entry, std::iter::repeat_with(run).take(n_runs).collect::<Vec<Run>>())
            };
            let plans: Vec<(&RegisteredExperiment, Vec<Run>)> =
                names.iter().map(|name| runs(find(name).unwrap())).collect();
            stopped(&plans, &[PathBuf::from("out")])
        };
        for nothing in ["td-random-walk", "sprt-simulation", "position-tables", "mtdf-steps", "connect6-steps"] {
            let words = told(&[nothing], 1);
            assert!(words.starts_with("nothing was kept to continue from; to start again: `"), "{words}");
            assert!(told(&[nothing], 2).starts_with("finished runs are kept in `out`; to go on: `"));
        }
        for repeated in ["held-out-error", "inclusion-start", "connect6-records"] {
            assert!(told(&[repeated], 1).starts_with("finished repetitions are kept in `out`; "));
        }
        let games = "finished games and training up to its last measurement";
        assert!(told(&["strength"], 1).starts_with(&format!("{games} are kept in `out`; ")));
        let several = told(&["td-xiangqi", "held-out-error", "rnn-xiangqi"], 1);
        assert!(
            several.starts_with(&format!("finished runs, {games}, finished repetitions are kept in ")),
            "{several}"
        );
    }
}
