//! What each term of the traditional evaluator is worth: matches of evaluators with fewer terms against that with all.
//!
//! Both sides search equally deep, so the figures compare evaluators and not their speed. S3 gives no such figures.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::folder::RunFolder;
use super::manifest::{FileError, Manifest, write_file};
use super::s1::{game_table, score_error};
use crate::arena::{
    Adjudication, FinishedMatch, Match, MatchError, MatchResult, MatchSettings, Opening, OpeningSettings,
    OpeningsError, Player, draw_openings,
};
use crate::disk::sha256;
use crate::eval::xiangqi::{LoadError, TRADITIONAL, factory, identity};
use crate::games::xiangqi::Xiangqi;
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::report::{Bar, Bars, Cell, PlotError, Table};
use crate::search::{Limits, SearchSettings, SettingsError};
use crate::setting::{SettingError, require};

/// The evaluators that play, by their terms: building up, then leaving out.
pub const REDUCED: [&str; 12] = [
    "material",
    "material+mobility",
    "material+threats",
    "material+coordination+king",
    "material+position",
    "material+position+mobility",
    "all-material",
    "all-position",
    "all-mobility",
    "all-coordination",
    "all-king",
    "all-threats",
];

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationTermsConfig {
    /// Seed of the draw of openings.
    pub seed: u64,
    /// Games of each match; even, since each opening is played with both colours.
    pub games: usize,
    /// Search depth of both players, in plies.
    pub depth: u32,
    /// Plies of each drawn opening.
    pub opening_plies: usize,
    /// Plies after which a game is called a draw.
    pub max_plies: usize,
    /// The search, the same for both players.
    pub search: SearchSettings,
}

impl EvaluationTermsConfig {
    /// As the main job plays its matches, with this many `games` of each and this `depth`.
    #[must_use]
    pub fn new(seed: u64, games: usize, depth: u32) -> Self {
        let search = SearchSettings { transposition_mb: 4, ..SearchSettings::default() };
        Self { seed, games, depth, opening_plies: 10, max_plies: 200, search }
    }

    fn check(&self) -> Result<(), SettingError> {
        let is_even = self.games.is_multiple_of(2) && (2..=10_000_000).contains(&self.games);
        require(is_even, "--games", "an even number in [2, 10000000]", self.games)?;
        require((1..=20).contains(&self.depth), "--depth", "in [1, 20]", self.depth)
    }
}

/// Why the experiment stopped.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationTermsError {
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A limit of the search is outside its range.
    #[error(transparent)]
    Search(#[from] SettingsError),
    /// The openings could not be drawn.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// An evaluator could not be made.
    #[error(transparent)]
    Evaluator(#[from] LoadError),
    /// A match could not be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The picture could not be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// A file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Plays every reduced evaluator against that with all terms, from openings of `records`, and writes the results into
/// `folder`; `inputs` are name and SHA-256 of what the records were read from. An interrupted run goes on where it was.
/// Gives the table of results.
///
/// # Errors
/// When a setting is outside its range, or a file cannot be written.
pub fn run(
    config: &EvaluationTermsConfig,
    (records, inputs): (&[GameRecord<Xiangqi>], &[(String, String)]),
    folder: &Path,
    observer: &dyn Observer,
) -> Result<Table, EvaluationTermsError> {
    config.check()?;
    let draw = OpeningSettings { count: config.games / 2, plies: config.opening_plies, seed: config.seed };
    let openings = draw_openings(records, draw)?;
    let mut inputs = inputs.to_vec();
    inputs.push((TRADITIONAL.to_owned(), checksum(TRADITIONAL)?));
    let folder = RunFolder::create(folder, &("evaluation-terms", config, &inputs))?;
    let play = |terms: &&str| play(config, terms, &openings, &folder, observer);
    let matches = REDUCED.iter().map(play).collect::<Result<Vec<_>, _>>()?;
    let table = table_of(&matches, config);
    write(config, &inputs, &folder.results, &matches, &table)?;
    folder.forget_state()?;
    Ok(table)
}

fn play(
    config: &EvaluationTermsConfig,
    terms: &str,
    openings: &[Opening<Xiangqi>],
    folder: &RunFolder,
    observer: &dyn Observer,
) -> Result<FinishedMatch<Xiangqi>, EvaluationTermsError> {
    let players = [player(&format!("{TRADITIONAL}:{terms}"), config)?, player(TRADITIONAL, config)?];
    let settings = MatchSettings {
        games: config.games,
        adjudication: Adjudication::capped(config.max_plies),
        event: format!("evaluation terms: {terms}"),
        ..MatchSettings::default()
    };
    let game = Match::new(players, openings.to_vec(), settings)?;
    Ok(game.play(Some(&folder.work.join(format!("{terms}.jsonl"))), observer)?)
}

fn player(name: &str, config: &EvaluationTermsConfig) -> Result<Player<Xiangqi>, EvaluationTermsError> {
    Ok(Player {
        name: name.to_owned(),
        checksum: checksum(name)?,
        evaluator: factory(name)?,
        search: config.search,
        limits: Limits::to_depth(config.depth)?,
    })
}

/// The SHA-256 of a traditional evaluator's terms and parameters.
fn checksum(name: &str) -> Result<String, LoadError> {
    Ok(identity(name)?.map(|text| sha256(text.as_bytes())).unwrap_or_default())
}

/// The terms of the reduced evaluator of a match.
fn terms_of(result: &MatchResult) -> &str {
    result.names[0].split_once(':').map_or(result.names[0].as_str(), |(_, terms)| terms)
}

/// One row a reduced evaluator.
fn table_of(matches: &[FinishedMatch<Xiangqi>], config: &EvaluationTermsConfig) -> Table {
    let caption = format!("Fewer terms against all terms, depth {}, {} games each", config.depth, config.games);
    let numbers = ["won", "drawn", "lost", "score %", "± %", "mean plies"];
    let mut table = Table::new(caption, &["terms", "Elo ± 95 %"], &numbers);
    for result in matches.iter().map(|one| &one.result) {
        let wdl = result.wdl;
        table.push([
            terms_of(result).into(),
            result.pentanomial.elo().to_string().into(),
            wdl.wins.into(),
            wdl.draws.into(),
            wdl.losses.into(),
            Cell::real(100.0 * wdl.score().unwrap_or(f64::NAN), 1),
            score_error(result).map(|error| Cell::real(100.0 * error, 1)).into(),
            Cell::real(result.mean_plies, 0),
        ]);
    }
    table
}

/// Writes everything, and last the manifest over all of it.
fn write(
    config: &EvaluationTermsConfig,
    inputs: &[(String, String)],
    folder: &Path,
    matches: &[FinishedMatch<Xiangqi>],
    table: &Table,
) -> Result<(), EvaluationTermsError> {
    let texts = [
        ("config.toml", toml::to_string(config).unwrap_or_default()),
        ("tables.md", page(config, table)),
        ("matches.csv", table.to_csv()),
        ("games.csv", game_table(matches).to_csv()),
    ];
    for (name, text) in &texts {
        write_file(&folder.join(name), text.as_bytes())?;
    }
    chart(matches).render(&folder.join(CHART))?;
    let manifest = Manifest {
        experiment: "evaluation-terms".to_owned(),
        program: crate::PROGRAM.to_owned(),
        seed: config.seed,
        settings: serde_json::to_value(config).unwrap_or_default(),
        inputs: inputs.to_vec(),
        outputs: Vec::new(),
    };
    let outputs: Vec<String> = texts.iter().map(|(name, _)| *name).chain([CHART]).map(str::to_owned).collect();
    Ok(manifest.write(folder, &outputs)?)
}

const CHART: &str = "matches.svg";

fn chart(matches: &[FinishedMatch<Xiangqi>]) -> Bars {
    let bar = |result: &MatchResult| Bar {
        label: terms_of(result).to_owned(),
        results: result.wdl,
        error: score_error(result),
    };
    Bars {
        title: "Fewer terms against all terms".to_owned(),
        bars: matches.iter().map(|one| bar(&one.result)).collect(),
    }
}

fn page(config: &EvaluationTermsConfig, table: &Table) -> String {
    format!(
        "# What the terms of the traditional evaluator are worth\n\n\
         * every evaluator against that with all terms; both search {} plies deep, with quiescence\n\
         * {} games a row, every opening of {} plies with both colours, draw after {} plies; seed {}\n\
         * errors are 95 % intervals over pairs of games\n\n{}\n![results](matches.svg)\n",
        config.depth,
        config.games,
        config.opening_plies,
        config.max_plies,
        config.seed,
        table.to_markdown()
    )
}
