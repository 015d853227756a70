//! From records to trained networks: the steps that `train` and the experiments share.

mod curves;
mod data;
mod data_settings;
mod dense;
mod error;
mod rough;
mod run;

pub use curves::{curve_plot, curve_table};
pub use data::Data;
pub use data_settings::DataSettings;
pub use dense::{BpConfig, Predecessor, TdConfig};
pub use error::LearnError;
pub use rough::{Knowledge, RoughPlan, RuleConfig, reduct_of};
pub use run::{Beginning, Learned, Training, learn};
