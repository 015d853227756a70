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
pub use dense::{BpConfig, Predecessor, TdConfig, bp, td, td_from};
pub use error::LearnError;
pub use rough::{Knowledge, RoughPlan, RuleConfig, reduct_of, rough};
pub use run::Learned;
