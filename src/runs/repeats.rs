//! One way of learning, repeated with several seeds; each repetition is kept when it is done, so that a run that was
//! killed continues with the next.

use std::path::Path;
use std::time::Instant;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::RunsError;
use super::folder::{RunFolder, file_name};
use super::training::{Data, LearnError, Learned};
use crate::disk::{FileError, write_file};
use crate::observe::Observer;
use crate::report::{Cell, Series};
use crate::train::{Curve, NoRecord, TrainingContext};

/// What one repetition gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Repetition {
    /// Errors on the way, the untrained network first.
    pub curve: Curve,
    /// The number of weights that the network reads.
    pub n_weights: usize,
    /// The positions that it was trained on.
    pub n_positions: usize,
    /// Seconds of training, measurements included. Differs from run to run, and is no part of the results.
    pub seconds: f64,
}

/// Repeats `learn` on `data` with every seed of `seeds`; games are split alike in all. `name` must be new in `folder`.
///
/// # Errors
/// When learning fails or a file cannot be written.
pub fn repeat(
    (folder, name): (&RunFolder, &str),
    data: &Data,
    seeds: &[u64],
    learn: &dyn Fn(&Data, TrainingContext<'_>) -> Result<Learned, LearnError>,
    observer: &dyn Observer,
) -> Result<Vec<Repetition>, RunsError> {
    seeds
        .iter()
        .map(|&seed| {
            kept(&folder.work.join(format!("{}-{seed}.json", file_name(name))), || {
                let begin = Instant::now();
                let context = TrainingContext { checkpoint: None, recorder: &mut NoRecord, observer };
                let learned = learn(&data.with_seed(seed), context)?;
                Ok(Repetition {
                    n_weights: learned.n_weights(),
                    n_positions: learned.n_positions,
                    seconds: begin.elapsed().as_secs_f64(),
                    curve: learned.curve,
                })
            })
        })
        .collect()
}

/// What an interrupted run has left in the file `path`, or what `make` gives, which is left there. A file that cannot be read is
/// written anew.
///
/// # Errors
/// When `make` fails or the file cannot be written.
pub fn kept<T: Serialize + DeserializeOwned, E: From<FileError>>(
    path: &Path,
    make: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let known = std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    if let Some(known) = known {
        return Ok(known);
    }
    let made = make()?;
    write_file(path, &serde_json::to_vec(&made).unwrap_or_default())?;
    Ok(made)
}

/// Mean and standard deviation (of the sample; 0 for one value) of `values`.
pub fn mean_and_sd(values: &[f64]) -> (f64, f64) {
    let (mean, variance) = mean_and_variance(values);
    (mean, variance.sqrt())
}

/// Mean and variance (of the sample; 0 for one value) of `values`.
pub(crate) fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, if values.len() > 1 { squares / (n - 1.0) } else { 0.0 })
}

/// Mean and standard deviation of `values`, as a cell for two columns of CSV; nothing if there are none. One value has no deviation.
pub fn spread(values: &[f64], digits: usize) -> Cell {
    match *values {
        [] => "".into(),
        [value] => {
            let shown = format!("{value:.digits$}");
            Cell::Several { shown, values: vec![Cell::real(value, digits), Cell::Missing] }
        }
        _ => {
            let (mean, sd) = mean_and_sd(values);
            Cell::with_error(mean, sd, digits)
        }
    }
}

/// A line through the means of the values at each point, with a band of one standard deviation.
pub fn series_of_means(name: impl Into<String>, values: &[(f64, Vec<f64>)]) -> Series {
    let spreads: Vec<(f64, (f64, f64))> = values.iter().map(|(x, values)| (*x, mean_and_sd(values))).collect();
    Series {
        band: spreads.iter().map(|&(_, (_, sd))| sd).collect(),
        ..Series::new(name, spreads.iter().map(|&(x, (mean, _))| (x, mean)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_deviation_is_that_of_a_sample() {
        assert_eq!(mean_and_sd(&[2.0, 4.0]), (3.0, 2f64.sqrt()));
        assert_eq!(mean_and_sd(&[5.0]), (5.0, 0.0));
    }

    #[test]
    fn one_value_has_no_deviation() {
        assert_eq!(
            spread(&[0.25], 2),
            Cell::Several { shown: "0.25".to_owned(), values: vec![Cell::real(0.25, 2), Cell::Missing] }
        );
        assert_eq!(spread(&[1.0, 3.0], 1), Cell::with_error(2.0, 2_f64.sqrt(), 1));
    }
}
