//! Finished training runs beside each other: runs that differ in the seed alone become one curve with a band.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use regex::Regex;
use serde_json::Value as Json;

use super::curves::{COLUMNS, CURVE};
use super::folder::TRAINING;
use super::split::games;
use crate::report::{Cell, Curves, Series, Table};
use crate::runs::{FileError, Manifest, mean_and_variance};
use crate::settings::{choices, settings};
use crate::stats::t95;
use crate::train::{Curve, CurvePoint, kept_point};

/// Why curves cannot be set beside each other.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SeedsError {
    /// A folder has no manifest.
    #[error("`{}` is not the folder of a finished training run", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// What is wrong with its manifest.
        #[source]
        source: FileError,
    },
    /// A folder holds the results of something else.
    #[error("`{}` is not the folder of a training run: its manifest is of experiment `{experiment}`", path.display())]
    OtherExperiment {
        /// The folder.
        path: PathBuf,
        /// What its manifest says.
        experiment: String,
    },
    /// A network learned from self-play.
    #[error(
        "`{}` learned from self-play: its curve counts games, not passes over positions, and is drawn in its own folder",
        .0.display()
    )]
    SelfPlay(PathBuf),
    /// A curve cannot be read.
    #[error("cannot read the learning curve `{}`: {found}", path.display())]
    Curve {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        found: String,
    },
    /// The same run twice.
    #[error("`{}` and `{}` are runs with the same settings and the same seed {seed}: leave one out", first.display(), second.display())]
    SameSeed {
        /// One folder.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// The seed of both.
        seed: u64,
    },
    /// Two runs with equal settings were measured at different points.
    #[error(
        "the learning curves of `{}` and `{}` cannot be averaged: they were measured at different points", first.display(), second.display()
    )]
    Points {
        /// One folder.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// There are not as many labels as curves.
    #[error("expected one label for each of the {expected} curves ({names}), found {found}")]
    Labels {
        /// How many curves there are.
        expected: usize,
        /// How they are called without labels.
        names: String,
        /// How many labels there are.
        found: usize,
    },
}

choices! {
    /// What runs along the horizontal axis.
    pub enum Progress = Passes {
        /// Passes over the training positions.
        Passes,
        /// Training positions seen, the mean over the seeds: how many a pass has depends on which games are held out.
        Positions,
    }
}

choices! {
    /// Which error runs along the vertical axis.
    pub enum Measured = HeldOut {
        /// That on the games held out.
        HeldOut,
        /// That on a sample of the training games.
        Training,
    }
}

choices! {
    /// What a band says of several runs.
    pub enum Band = Deviation {
        /// One standard deviation of the runs (divisor n - 1) to either side: how much seeds differ.
        Deviation = "sd",
        /// The 95 % confidence interval of the mean, by Student's t: how well the mean is known.
        Confidence = "ci95",
        /// Nothing.
        None,
    }
}

/// A finished training run.
#[derive(Debug, Clone)]
pub struct FinishedRun {
    path: PathBuf,
    manifest: Manifest,
    curve: Curve,
}

impl FinishedRun {
    /// Reads manifest and learning curve of the run in `folder`.
    ///
    /// # Errors
    /// When it is not the folder of a finished training run, or its curve is broken.
    pub fn read(folder: &Path) -> Result<Self, SeedsError> {
        let path = folder.to_owned();
        let manifest = Manifest::read(folder).map_err(|source| SeedsError::NoRun { path: path.clone(), source })?;
        if manifest.experiment != TRAINING.name {
            return Err(SeedsError::OtherExperiment { path, experiment: manifest.experiment });
        }
        if manifest.settings["method"] == "zero" {
            return Err(SeedsError::SelfPlay(path));
        }
        let file = folder.join(CURVE);
        let curve = read_curve(&file).map_err(|found| SeedsError::Curve { path: file, found })?;
        Ok(Self { path, manifest, curve })
    }

    fn name(&self) -> String {
        let full = std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone());
        full.file_name().map_or_else(|| self.path.display().to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// The measurement of the weights that the run ended with.
    fn end(&self) -> Option<CurvePoint> {
        let patience = self.manifest.settings.pointer("/training/training/patience").and_then(Json::as_u64);
        kept_point(&self.curve, patience.map(|patience| patience as usize)).copied()
    }

    /// All that the run depended on except the seed. A network that learning went on from is told without its seed, and without its
    /// content, if its name ends in the seed of the run: each seed has one of its own then.
    fn conditions(&self) -> String {
        let Manifest { program, settings, inputs, seed, .. } = &self.manifest;
        let mut settings = settings.clone();
        let init = settings.get("init").and_then(Json::as_str).map(str::to_owned);
        let own = init.filter(|init| split_seed(init).1 == Some(*seed));
        // Games are what they are, whatever their file is called.
        let inputs = inputs.iter().filter(|(name, _)| Some(name) != own.as_ref());
        let inputs: Vec<&String> = inputs.map(|(_, checksum)| checksum).collect();
        if let Some(own) = &own {
            settings["init"] = split_seed(own).0.into();
        }
        serde_json::json!([program, settings, inputs]).to_string()
    }
}

/// The curve in the file `path`, its columns found by their names.
fn read_curve(path: &Path) -> Result<Curve, String> {
    let mut reader = csv::Reader::from_path(path).map_err(|error| error.to_string())?;
    let headers = reader.headers().map_err(|error| error.to_string())?.clone();
    let column = |name: &str| headers.iter().position(|header| header == name).ok_or(format!("no column `{name}`"));
    let [pass, positions, training, held_out] = COLUMNS.1.map(column);
    let columns = [pass?, positions?, training?, held_out?];
    let curve: Result<Curve, String> =
        reader.records().map(|row| point_of(&row.map_err(|error| error.to_string())?, columns)).collect();
    curve.and_then(|curve| if curve.is_empty() { Err("it has no rows".to_owned()) } else { Ok(curve) })
}

fn point_of(row: &csv::StringRecord, columns: [usize; 4]) -> Result<CurvePoint, String> {
    let number = |column: usize| {
        let text = row.get(column).unwrap_or_default();
        let line = row.position().map_or(0, csv::Position::line);
        text.parse::<f64>().map_err(|_| format!("line {line}: expected a number, found `{text}`"))
    };
    let [pass, positions, training_mse, held_out_mse] = columns.map(number);
    let (training_mse, held_out_mse) = (training_mse?, held_out_mse?);
    Ok(CurvePoint { pass: pass?, positions: positions? as u64, training_mse, held_out_mse })
}

/// The runs of one curve: equal in all but the seed, measured at the same points.
#[derive(Debug, Clone)]
pub struct SeedGroup {
    /// The name in the legend.
    pub name: String,
    runs: Vec<FinishedRun>,
}

/// A curve over seeds at one of its points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanPoint {
    /// Passes over the training positions, the mean of the runs.
    pub pass: f64,
    /// Training positions seen, the mean of the runs.
    pub positions: f64,
    /// The mean of the error.
    pub mean: f64,
    /// Half the height of the band; `None` for one run, or if no band was asked for.
    pub half: Option<f64>,
}

/// Groups `runs` by all that they depended on except the seed, in the order of the first of each group.
///
/// # Errors
/// When a run is there twice, or runs of a group were measured at different points.
pub fn group_by_settings(runs: Vec<FinishedRun>) -> Result<Vec<SeedGroup>, SeedsError> {
    let mut index = BTreeMap::new();
    let mut groups: Vec<SeedGroup> = Vec::new();
    for run in runs {
        let at = *index.entry(run.conditions()).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.add(run)?,
            None => groups.push(SeedGroup { name: String::new(), runs: vec![run] }),
        }
    }
    groups.iter_mut().for_each(SeedGroup::take_name);
    tell_apart(&mut groups);
    Ok(groups)
}

/// Curves of one name are called by the folders of their first runs.
fn tell_apart(groups: &mut [SeedGroup]) {
    let names: Vec<String> = groups.iter().map(|group| group.name.clone()).collect();
    for group in groups {
        if names.iter().filter(|name| **name == group.name).count() > 1 {
            group.name = group.runs[0].path.display().to_string();
        }
    }
}

/// Names the curves by `labels`, one each; without any their names stay.
///
/// # Errors
/// When there are more or fewer labels than curves.
pub fn relabel(groups: &mut [SeedGroup], labels: &[String]) -> Result<(), SeedsError> {
    if !labels.is_empty() && labels.len() != groups.len() {
        let names = groups.iter().map(|group| format!("`{}`", group.name)).collect::<Vec<_>>().join(", ");
        return Err(SeedsError::Labels { expected: groups.len(), names, found: labels.len() });
    }
    groups.iter_mut().zip(labels).for_each(|(group, label)| group.name.clone_from(label));
    Ok(())
}

impl SeedGroup {
    fn add(&mut self, run: FinishedRun) -> Result<(), SeedsError> {
        for other in &self.runs {
            let (first, second, seed) = (other.path.clone(), run.path.clone(), run.manifest.seed);
            if other.manifest.seed == seed {
                return Err(SeedsError::SameSeed { first, second, seed });
            }
            // One may have stopped earlier than the other.
            if other.curve.iter().zip(&run.curve).any(|(one, other)| one.pass != other.pass) {
                return Err(SeedsError::Points { first, second });
            }
        }
        self.runs.push(run);
        Ok(())
    }

    /// The name of the folder; of several what is left of their names without the seeds, if that is the same.
    fn take_name(&mut self) {
        let names: Vec<String> = self.runs.iter().map(FinishedRun::name).collect();
        let common = names.iter().map(|name| split_seed(name).0).collect::<Vec<_>>();
        let is_common = common.len() > 1 && !common[0].is_empty() && common.iter().all(|name| *name == common[0]);
        self.name = if is_common { common[0].to_owned() } else { names[0].clone() };
    }

    /// The seeds of the runs, in the order in which they were given.
    pub fn seeds(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        self.runs.iter().map(|run| run.manifest.seed)
    }

    /// The `groups` whose errors can be compared, since they were measured on the same positions; as many lists as there are such sets.
    pub fn by_measure(groups: &[Self]) -> Vec<Vec<&Self>> {
        let mut sets: Vec<(Json, Vec<&Self>)> = Vec::new();
        for group in groups {
            let games = group.measured_on();
            match sets.iter_mut().find(|(known, _)| *known == games) {
                Some((_, set)) => set.push(group),
                None => sets.push((games, vec![group])),
            }
        }
        sets.into_iter().map(|(_, set)| set).collect()
    }

    /// What the errors of the runs were measured on: the games, the seeds that held some of them out, which of their positions, and
    /// what was aimed at there.
    fn measured_on(&self) -> Json {
        let Manifest { settings, inputs, .. } = &self.runs[0].manifest;
        let seeds: BTreeSet<u64> = self.seeds().collect();
        let (data, training) = (&settings["data"], &settings["training"]["training"]);
        // Behind the games stand the evaluators and networks that the settings name.
        let named = [&data["teacher"], &data["skip"], &settings["init"], &training["opponent"]["fixed"]];
        let n_named = named.iter().filter(|named| !named.is_null()).count();
        let games = games(inputs, n_named);
        let aims = ["held_out", "result_share", "teacher"].map(|key| &data[key]);
        let positions = ["skip_plies", "quiescent_only"].map(|key| &data["selection"][key]);
        serde_json::json!([games, seeds, aims, positions])
    }

    /// The mean over the weights that the runs ended with, which need not be those of one pass.
    pub fn end(&self, measured: Measured, band: Band) -> Option<MeanPoint> {
        let ends: Vec<CurvePoint> = self.runs.iter().map(FinishedRun::end).collect::<Option<_>>()?;
        Some(mean_of(&ends, measured, band))
    }

    /// The curve over the seeds, as far as all runs go.
    pub fn mean(&self, measured: Measured, band: Band) -> Vec<MeanPoint> {
        (0..self.shortest()).map(|at| self.mean_at(at, measured, band)).collect()
    }

    fn mean_at(&self, at: usize, measured: Measured, band: Band) -> MeanPoint {
        let points: Vec<CurvePoint> = self.runs.iter().map(|run| run.curve[at]).collect();
        // All were measured at this pass, which a mean could miss in its last bit.
        MeanPoint { pass: points[0].pass, ..mean_of(&points, measured, band) }
    }

    /// How many measurements all runs have.
    fn shortest(&self) -> usize {
        self.runs.iter().map(|run| run.curve.len()).min().unwrap_or(0)
    }

    /// What is to be said of a curve that goes on in some of its runs; nothing if all are shown to their ends.
    pub fn cut(&self) -> Option<String> {
        let shown = self.shortest();
        let longest = self.runs.iter().find(|run| run.curve.len() > shown)?;
        let pass = longest.curve[..shown].last()?.pass;
        Some(format!("the curve `{}` is drawn as far as all its runs go, pass {pass:.2}", self.name))
    }

    /// The name, how many runs are behind it, and what the band is.
    fn legend(&self, band: Band) -> String {
        let n = self.runs.len();
        match band {
            _ if n == 1 => self.name.clone(),
            Band::Deviation => format!("{}, {n} seeds ± SD", self.name),
            Band::Confidence => format!("{}, {n} seeds, 95 % CI", self.name),
            Band::None => format!("{}, {n} seeds", self.name),
        }
    }
}

/// A folder's name without the number of a seed at its end, and that number: `bp-s1`, `bp-seed1` and `bp_1` are `bp` and 1.
fn split_seed(name: &str) -> (&str, Option<u64>) {
    let name = name.strip_suffix(".safetensors").unwrap_or(name);
    let found = Regex::new(r"[-_. ]?(?:seed|s)?[-_.=]?(\d+)$").ok().and_then(|seed| seed.captures(name));
    let parts = found.and_then(|found| Some((found.get(0)?.start(), found.get(1)?.as_str().parse().ok())));
    parts.map_or((name, None), |(at, seed)| (&name[..at], seed))
}

/// The mean of measurements, one of each run.
fn mean_of(points: &[CurvePoint], measured: Measured, band: Band) -> MeanPoint {
    let all = |value: fn(&CurvePoint) -> f64| -> Vec<f64> { points.iter().map(value).collect() };
    let errors = match measured {
        Measured::HeldOut => all(|point| point.held_out_mse),
        Measured::Training => all(|point| point.training_mse),
    };
    MeanPoint {
        pass: mean_and_variance(&all(|point| point.pass)).0,
        positions: mean_and_variance(&all(|point| point.positions as f64)).0,
        mean: mean_and_variance(&errors).0,
        half: half_band(&errors, band),
    }
}

/// Half the height of the band over `values`; `None` where they do not tell.
fn half_band(values: &[f64], band: Band) -> Option<f64> {
    let freedom = values.len().checked_sub(1).filter(|&freedom| freedom > 0)?;
    let (_, variance) = mean_and_variance(values);
    match band {
        Band::None => None,
        Band::Deviation => Some(variance.sqrt()),
        Band::Confidence => Some(t95(freedom as u64) * (variance / values.len() as f64).sqrt()),
    }
}

settings! {
    /// How curves over seeds are drawn.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct SeedPlot {
        /// What runs along the horizontal axis.
        pub progress: Progress = Progress::Passes, as "x";
        /// The error of which games is drawn.
        pub measured: Measured = Measured::HeldOut, as "y";
        /// What the band around a curve of several seeds shows.
        pub band: Band = Band::Deviation;
    }
}

impl SeedPlot {
    /// The curves of `groups` as a plot.
    pub fn curves(self, title: &str, groups: &[SeedGroup]) -> Curves {
        let x_label = match self.progress {
            Progress::Passes => "passes over the training positions",
            Progress::Positions => "training positions seen",
        };
        let y_label = match self.measured {
            Measured::HeldOut => "mean squared error, held-out games",
            Measured::Training => "mean squared error, training games",
        };
        Curves::new(title, [x_label, y_label], groups.iter().map(|group| self.series(group)).collect())
    }

    fn series(self, group: &SeedGroup) -> Series {
        let points = group.mean(self.measured, self.band);
        let x = |point: &MeanPoint| match self.progress {
            Progress::Passes => point.pass,
            Progress::Positions => point.positions,
        };
        let band = points.iter().map(|point| point.half.unwrap_or(f64::NAN)).collect();
        let means = points.iter().map(|point| (x(point), point.mean)).collect();
        Series { band, ..Series::new(group.legend(self.band), means) }
    }

    /// The numbers of the plot, one row a point.
    pub fn table(self, groups: &[SeedGroup]) -> Table {
        table_of("Learning curves", groups, |group| group.mean(self.measured, self.band))
    }

    /// What the weights that each curve's runs ended with are worth, as a table.
    pub fn ends(self, groups: &[SeedGroup]) -> Table {
        let band = match self.band {
            Band::Deviation => ": mean, and one standard deviation of the runs to either side",
            Band::Confidence => ": mean, and the ends of its 95 % interval",
            Band::None => "",
        };
        table_of(&format!("Ends of the learning curves{band}"), groups, |group| group.end(self.measured, self.band))
    }
}

fn table_of<P: IntoIterator<Item = MeanPoint>>(
    caption: &str,
    groups: &[SeedGroup],
    points: impl Fn(&SeedGroup) -> P,
) -> Table {
    let numbers = ["runs", "pass", "positions", "mean", "low", "high"];
    groups.iter().fold(Table::new(caption, &["series"], &numbers), |table, group| {
        table.with_rows(points(group).into_iter().map(|point| row(group, &point)))
    })
}

fn row(group: &SeedGroup, point: &MeanPoint) -> [Cell; 7] {
    let bound = |sign: f64| point.half.map(|half| Cell::real(point.mean + sign * half, 4));
    [
        group.name.as_str().into(),
        group.runs.len().into(),
        Cell::real(point.pass, 2),
        Cell::real(point.positions, 0),
        Cell::real(point.mean, 4),
        bound(-1.0).into(),
        bound(1.0).into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_seeds() {
        let named = [("bp-s1", 1), ("bp-seed12", 12), ("bp_3", 3), ("bp.seed=7", 7), ("bp-seed-1", 1), ("bp5", 5)];
        for (name, seed) in named {
            assert_eq!(split_seed(name), ("bp", Some(seed)), "{name}");
        }
        assert_eq!(split_seed("rough-100-s2.safetensors"), ("rough-100", Some(2)));
        assert_eq!(split_seed("rough"), ("rough", None));
    }

    /// Ten measurements with the mean 10.1 and the standard deviation 2.42…; the interval by the tables of t.
    #[test]
    fn bands_are_those_of_the_textbook() {
        let values = [6.0, 8.0, 9.0, 9.0, 10.0, 10.0, 11.0, 11.0, 12.0, 15.0];
        approx::assert_abs_diff_eq!(mean_and_variance(&values).0, 10.1, epsilon = 1e-12);
        let deviation = 52.9_f64 / 9.0;
        approx::assert_abs_diff_eq!(half_band(&values, Band::Deviation).unwrap(), deviation.sqrt(), epsilon = 1e-9);
        let half = 2.262_157 * (deviation / 10.0).sqrt();
        approx::assert_abs_diff_eq!(half_band(&values, Band::Confidence).unwrap(), half, epsilon = 1e-6);
        assert_eq!(half_band(&values, Band::None), None);
        assert_eq!(half_band(&values[..1], Band::Deviation), None);
    }

    /// Two runs with patience, of which one goes on for longer.
    #[test]
    fn ends_are_of_the_weights_that_were_kept() {
        let run = |seed: u64, errors: &[f64]| {
            let point = |at: usize| {
                let (pass, positions, mse) = (at as f64, 10 * at as u64, errors[at]);
                CurvePoint { pass, positions, training_mse: mse, held_out_mse: mse }
            };
            let curve = (0..errors.len()).map(point).collect();
            let settings = serde_json::json!({ "training": { "training": { "patience": 2 } } });
            let manifest = Manifest::new(TRAINING.name, seed, settings, Vec::new());
            FinishedRun { path: format!("bp-s{seed}").into(), manifest, curve }
        };
        let runs = vec![run(1, &[1.0, 0.5, 0.75]), run(2, &[1.0, 0.75, 0.5, 0.25, 0.5])];
        let groups = group_by_settings(runs).unwrap();
        let end = groups[0].end(Measured::HeldOut, Band::None);
        assert_eq!(end, Some(MeanPoint { pass: 2.0, positions: 20.0, mean: 0.375, half: None }));
        assert!(SeedPlot::default().ends(&groups).to_text().contains("0.3750"));
        assert_eq!(groups[0].mean(Measured::HeldOut, Band::None).len(), 3);
        assert_eq!(groups[0].cut().unwrap(), "the curve `bp` is drawn as far as all its runs go, pass 2.00");
    }
}
