//! The networks of one size after each pass, as stages of one run.

use std::path::Path;

use super::TdXiangqiConfig;
use crate::experiment::contract::{Context, ExperimentError};
use crate::net::dense::DenseShape;
use crate::runs::manifest::{FileError, write_file};
use crate::runs::training::{Data, Learned, TdConfig, learn_for};
use crate::train::{Checkpoint, NoRecord, TrainingContext};

/// What a network is called in tables and in the names of files.
pub fn name(hidden: usize, passes: usize) -> String {
    format!("N = {hidden}, {passes} {}", if passes == 1 { "pass" } else { "passes" })
}

/// The networks with `hidden` neurons after each pass of the settings.
///
/// Every stage has a checkpoint of its own in the state of the run. That of the next one begins as a copy of it, so each pass is made once, and
/// an interrupted run goes on in the middle of a pass.
pub fn stages(
    data: &Data,
    config: &TdXiangqiConfig,
    hidden: usize,
    context: &Context<'_>,
) -> Result<Vec<Learned>, ExperimentError> {
    let td = TdConfig { network: DenseShape::one_layer(hidden), training: config.td.clone() };
    let fingerprint = data.fingerprint(&format!("TD {hidden}"), &td);
    let checkpoint = |passes: usize| {
        Checkpoint::new(context.state(&format!("td-{hidden}-{passes}.checkpoint")), fingerprint.clone())
    };
    let mut after = Vec::with_capacity(config.td.passes);
    for passes in 1..=config.td.passes {
        let here = checkpoint(passes);
        if passes > 1 && !here.path().exists() {
            copy(checkpoint(passes - 1).path(), here.path())?;
        }
        let (beginning, training) = td.start(data);
        let context = TrainingContext { checkpoint: Some(&here), recorder: &mut NoRecord, observer: context.observer };
        after.push(learn_for(data, beginning, &training, passes, &name(hidden, passes), context)?);
    }
    Ok(after)
}

/// Copies a file: the whole of it, or nothing.
fn copy(from: &Path, to: &Path) -> Result<(), FileError> {
    let bytes = std::fs::read(from).map_err(FileError::of("read", from))?;
    write_file(to, &bytes)
}
