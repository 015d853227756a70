//! Networks among the models of linfa: a reduct of a data set, then a rough network and a plain one on it, compared by
//! cross-validation. Run with `cargo run --release --example linfa_networks`.

use linfa::prelude::*;
use linfa::traits::Transformer;
use ndarray::{Array1, Array2};
use roughboard::rough::{Method, Notion, Reducer};
use roughboard::train::linfa::{BpParams, CoveringRules, RoughNetParams};

/// Every row over {-1, 0, 1}⁴; the target is the larger of the first two values, and the other two say nothing.
fn data() -> Dataset<f64, usize, ndarray::Ix1> {
    let records = Array2::from_shape_fn((81, 4), |(row, at)| (row / 3_usize.pow(at as u32) % 3) as f64 - 1.0);
    let targets: Array1<usize> = records.rows().into_iter().map(|row| (row[0].max(row[1]) + 1.0) as usize).collect();
    Dataset::new(records, targets).with_feature_names(vec!["first", "second", "idle", "idle too"])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let reducer = Reducer { notion: Notion::Positive, method: Method::Backward }.fit(&data())?;
    let reduced = reducer.transform(data());
    println!("reduct: {}", reduced.feature_names().join(", "));

    // The networks predict results in [-1, 1] here: linfa's mean squared error is one of numbers.
    let mut results = reduced.map_targets(|&label| label as f64 - 1.0);
    let error = |y: &Array1<f64>, z: &ndarray::ArrayView1<f64>| y.mean_squared_error(z);
    let plain = [BpParams::default().hidden(&[4]).passes(100), BpParams::default().hidden(&[16]).passes(100)];
    println!("plain networks of 4 and 16 neurons: {:.4}", results.cross_validate_single(9, &plain, error)?);
    let rules = CoveringRules { number: 9, max_conditions: 2, min_support: 0.05 };
    let rough = [RoughNetParams::default().rules(rules)];
    println!("rough network of 9 rules:           {:.4}", results.cross_validate_single(9, &rough, error)?);
    Ok(())
}
