//! Learning curves as tables and plots.

use super::{Data, Learned};
use crate::report::{Cell, Curves, Series, Table};

/// The learning curves as a table, one row a measurement.
#[must_use]
pub fn curve_table<'a>(learned: impl IntoIterator<Item = &'a Learned>) -> Table {
    let numbers = ["pass", "positions", "training_mse", "held_out_mse"];
    let mut table = Table::new("Learning curves", &["method"], &numbers);
    for one in learned {
        for point in &one.curve {
            table.push([
                one.name.as_str().into(),
                Cell::real(point.pass, 2),
                point.positions.into(),
                Cell::real(point.training_mse, 4),
                Cell::real(point.held_out_mse, 4),
            ]);
        }
    }
    table
}

/// The learning curves on the held-out games as a plot, with the error of the linear fit of material.
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
            ("linear fit of material".to_owned(), baselines.material_mse),
            ("constant".to_owned(), baselines.constant_mse),
        ],
    }
}
