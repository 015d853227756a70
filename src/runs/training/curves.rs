//! Learning curves as tables, event files and plots.

use std::io::{self, Write};
use std::path::Path;

use super::{Data, Learned};
use crate::disk::{FileError, write_file, write_whole};
use crate::report::{Cell, Curves, Measurement, Series, Table, event_file};
use crate::train::CurvePoint;

/// The learning curve, one row a measurement.
pub const CURVE: &str = "curve.csv";
/// The learning curve for TensorBoard.
pub(crate) const EVENTS: &str = "events.out.tfevents.roughboard";
/// The learning curve as a picture, without the ending.
pub(crate) const PICTURE: &str = "curve";

/// The columns of a table of learning curves: first names, then numbers.
pub(super) const COLUMNS: (&str, [&str; 4]) = ("method", ["pass", "positions", "training_mse", "held_out_mse"]);

/// The learning curves of networks by their names, perhaps not finished yet, as a table, one row a measurement.
pub fn curve_table<'a>(curves: impl IntoIterator<Item = (&'a str, &'a [CurvePoint])>) -> Table {
    let row = |name: &str, point: &CurvePoint| {
        let errors = [point.training_mse, point.held_out_mse].map(|error| Cell::real(error, 4));
        [name.into(), Cell::real(point.pass, 2), point.positions.into()].into_iter().chain(errors)
    };
    let rows = curves.into_iter().flat_map(|(name, curve)| curve.iter().map(move |point| row(name, point)));
    Table::new("Learning curves", &[COLUMNS.0], &COLUMNS.1).with_rows(rows)
}

/// The bytes of an event file (TensorBoard) with the learning curve; its steps are positions seen.
pub(crate) fn curve_events(curve: &[CurvePoint]) -> Vec<u8> {
    event_file(curve.iter().map(|point| Measurement {
        step: point.positions,
        scalars: vec![("mse/held-out", point.held_out_mse), ("mse/training", point.training_mse)],
    }))
}

/// The learning curves on the held-out games as a plot, with the error of the linear fit of material or what stands for it.
pub fn curve_plot<'a>(title: &str, learned: impl IntoIterator<Item = &'a Learned>, data: &Data) -> Curves {
    let series = |one: &Learned| {
        Series::new(one.name.clone(), one.curve.iter().map(|point| (point.pass, point.held_out_mse)).collect())
    };
    let labels = ["passes over the training positions", "mean squared error, held-out games"];
    let curves = Curves::new(title, labels, learned.into_iter().map(series).collect());
    Curves { levels: baseline_levels(data), ..curves }
}

/// The errors of the linear fit of material, or what stands for it, and of a constant, as levels of a plot.
pub fn baseline_levels(data: &Data) -> Vec<(String, f64)> {
    let baselines = &data.baselines;
    vec![
        (format!("linear fit of {}", baselines.name), baselines.material_mse),
        ("constant".to_owned(), baselines.constant_mse),
    ]
}

/// Writes a learning curve so far into `folder`, as a table and as the bytes of an event file.
///
/// # Errors
/// When they cannot be written.
pub(crate) fn write_curve(folder: &Path, table: &Table, events: &[u8]) -> Result<(), FileError> {
    write_file(&folder.join(CURVE), table.to_csv().as_bytes())?;
    let path = folder.join(EVENTS);
    grow(&path, events).map_err(FileError::of("write", &path))
}

/// Gives the file `path` the content `bytes`, by appending what is missing if that is enough: a program that has it open to
/// follow it would never see a file that is put in its place.
fn grow(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match std::fs::read(path) {
        Ok(known) if bytes.starts_with(&known) => {
            std::fs::File::options().append(true).open(path)?.write_all(&bytes[known.len()..])
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => write_whole(path, bytes),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn a_file_grows_in_place_and_is_replaced_only_if_it_says_something_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events");
        grow(&path, b"one").unwrap();
        let mut follower = std::fs::File::open(&path).unwrap();
        grow(&path, b"one two").unwrap();
        grow(&path, b"one two").unwrap();
        let mut seen = String::new();
        follower.read_to_string(&mut seen).unwrap();
        assert_eq!(seen, "one two");
        grow(&path, b"other").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"other");
    }
}
