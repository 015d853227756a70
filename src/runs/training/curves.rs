//! Learning curves as tables, event files and plots.

use super::{Data, Learned};
use crate::report::{Cell, Curves, Measurement, Series, Table, event_file};
use crate::train::CurvePoint;

/// The columns of a table of learning curves: first names, then numbers.
pub(super) const COLUMNS: (&str, [&str; 4]) = ("method", ["pass", "positions", "training_mse", "held_out_mse"]);

/// The learning curves as a table, one row a measurement.
#[must_use]
pub fn curve_table<'a>(learned: impl IntoIterator<Item = &'a Learned>) -> Table {
    let mut table = empty_table();
    learned.into_iter().for_each(|one| push(&mut table, &one.name, &one.curve));
    table
}

/// One learning curve, perhaps not finished yet, as a table.
pub(super) fn table_of(name: &str, curve: &[CurvePoint]) -> Table {
    let mut table = empty_table();
    push(&mut table, name, curve);
    table
}

fn empty_table() -> Table {
    Table::new("Learning curves", &[COLUMNS.0], &COLUMNS.1)
}

fn push(table: &mut Table, name: &str, curve: &[CurvePoint]) {
    for point in curve {
        table.push([
            name.into(),
            Cell::real(point.pass, 2),
            point.positions.into(),
            Cell::real(point.training_mse, 4),
            Cell::real(point.held_out_mse, 4),
        ]);
    }
}

/// The bytes of an event file (TensorBoard) with the learning curve; its steps are positions seen.
#[must_use]
pub fn curve_events(curve: &[CurvePoint]) -> Vec<u8> {
    event_file(curve.iter().map(|point| Measurement {
        step: point.positions,
        scalars: vec![("mse/held-out", point.held_out_mse), ("mse/training", point.training_mse)],
    }))
}

/// The learning curves on the held-out games as a plot, with the error of the linear fit of material or what stands for it.
#[must_use]
pub fn curve_plot<'a>(title: &str, learned: impl IntoIterator<Item = &'a Learned>, data: &Data) -> Curves {
    let series = |one: &Learned| {
        Series::new(one.name.clone(), one.curve.iter().map(|point| (point.pass, point.held_out_mse)).collect())
    };
    let baselines = &data.baselines;
    Curves {
        title: title.to_owned(),
        x_label: "passes over the training positions".to_owned(),
        y_label: "mean squared error, held-out games".to_owned(),
        series: learned.into_iter().map(series).collect(),
        levels: vec![
            (format!("linear fit of {}", baselines.name), baselines.material_mse),
            ("constant".to_owned(), baselines.constant_mse),
        ],
        limits: None,
    }
}
