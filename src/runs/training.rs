//! From records to trained networks: the steps that `train` and the experiments share.

mod baseline;
mod curves;
mod data;
mod data_settings;
mod dense;
mod diagnosis;
mod error;
mod folder;
mod origin;
mod play;
mod rough;
mod run;
mod seeds;
mod split;

pub use baseline::BaselinePlan;
pub use curves::{CURVE, baseline_levels, curve_plot, curve_table};
pub(crate) use curves::{EVENTS, PICTURE, curve_events, write_curve};
pub use data::{Basis, Data, Judging};
pub use data_settings::DataSettings;
pub use dense::{BpConfig, DenseConfig, TdConfig, WarmStart};
pub use diagnosis::DiagnosisReport;
pub use error::LearnError;
pub(crate) use folder::TRAINING;
pub use folder::{DIAGNOSIS, RunName, TrainingRun, TrainingTarget};
pub use origin::Origin;
pub use play::{Player, Rival, check_searched_data, learn_by_playing, learn_from_leaves};
pub use rough::{Inputs, InputsError, Knowledge, Reduced, Reduction, RoughPlan, RuleConfig, RuleOrigin};
pub use run::{Initialisation, Learned, Training, learn, learn_for};
pub use seeds::{
    Band, FinishedRun, MeanPoint, Measured, Progress, SeedGroup, SeedPlot, SeedsError, group_by_settings, relabel,
};
pub use split::SeenGames;
