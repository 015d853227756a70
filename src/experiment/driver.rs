//! Runs an experiment: checks its settings, opens the folder, runs, writes what was found, and closes the folder.

use std::path::Path;

use super::contract::{Context, Experiment, ExperimentError, Part, Records};
use super::findings::Summary;
use crate::disk::sha256;
use crate::observe::Observer;
use crate::runs::{CONFIG, Kind, Manifest, Results, RunFolder, Start, identity_of};

/// A run that is asked for, apart from its settings.
#[derive(Clone, Copy)]
pub struct RunRequest<'a> {
    /// The games, all with a result.
    pub records: Records<'a>,
    /// Name and SHA-256 of what the games were read from.
    pub inputs: &'a [(String, String)],
    /// Where the results go.
    pub folder: &'a Path,
    /// Whether pictures are drawn as PNG too.
    pub png: bool,
    /// How the run starts where another has left something: a new one takes the place of finished results of the same settings.
    pub start: Start,
    /// Which games are played.
    pub part: Part<'a>,
    /// Receives the progress of the run.
    pub observer: &'a dyn Observer,
}

/// Those of `inputs` that a run reads which reads games, or none.
pub(super) fn inputs_read(inputs: &[(String, String)], reads_games: bool) -> &[(String, String)] {
    if reads_games { inputs } else { &[] }
}

/// What is reported of a finished run.
#[derive(Debug, Clone)]
pub struct RunSummary {
    /// What it found.
    pub found: Summary,
    /// The names of the files that the manifest lists.
    pub files: Vec<String>,
}

/// Runs the experiment called `name` with the settings `config`. An interrupted run continues where it stopped, if it is told to.
pub(super) fn run<E: Experiment>(
    name: &'static str,
    config: &E,
    request: &RunRequest<'_>,
) -> Result<RunSummary, ExperimentError> {
    config.check()?;
    let &RunRequest { records, part, observer, .. } = request;
    let given = inputs_read(request.inputs, E::READS_GAMES);
    let inputs = [given, &config.further_inputs()?].concat();
    let fingerprint = sha256(&serde_json::to_vec(&(crate::PROGRAM, (name, config, &inputs)))?);
    let identity = identity_of(crate::PROGRAM, &serde_json::to_value(config)?, &inputs);
    let kind = Kind::experiment(name);
    let start = match request.start {
        Start::New if !(kind.is_unfinished)(request.folder) => Start::Resume,
        start => start,
    };
    if start != Start::Over {
        // First of all, so that nobody is told to go on with another run.
        RunFolder::check_states(request.folder, &fingerprint, &identity)?;
    }
    RunFolder::check(request.folder, &kind, start)?;
    let folder = RunFolder::open(request.folder, &kind, Some(&fingerprint), start)?;
    folder.take_up(&identity)?;
    let findings = config.run(&Context { name, records, inputs: given, folder: &folder, part, observer })?;
    let mut results = Results::new(&folder);
    let found = findings.write(&mut results, request.png)?;
    results.text(CONFIG, &toml::to_string(config)?)?;
    let files = results.names().to_vec();
    let settings = serde_json::to_value(config)?;
    let seed = settings.pointer(&format!("/{}", E::SEED.replace('.', "/"))).and_then(serde_json::Value::as_u64);
    results.finish(Manifest::new(name, seed.unwrap_or_default(), settings, inputs))?;
    Ok(RunSummary { found, files })
}
