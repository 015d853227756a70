//! Runs in folders: what all have in common, training, matches, self-play, and finished runs read for one page.
//!
//! [`RunFolder`], [`Manifest`] and [`Results`] keep a run's state and write what it found; [`RunsError`] says why one stopped.
//! [`training`] holds the steps from records to trained networks, [`repeat`] repeats them with several seeds, and [`position_tables`]
//! fits the traditional evaluator; [`mod@matches`] keeps matches in folders that can be resumed and merged; [`zero`] runs self-play;
//! [`sections`] puts finished runs on one page.

mod error;
mod folder;
mod identity;
pub mod iterate;
mod manifest;
pub mod matches;
mod page;
pub mod position_tables;
mod repeats;
mod results;
pub mod training;
pub mod zero;

pub use error::RunsError;
pub(crate) use folder::STATE;
pub use folder::{FolderError, Kind, RunFolder, SUMMARY, Start, file_name};
pub use identity::identity_of;
pub use manifest::{Differences, FileError, MANIFEST, Manifest, TABLES};
pub use page::sections;
pub(crate) use repeats::mean_and_variance;
pub use repeats::{Repetition, kept, mean_and_sd, repeat, series_of_means, spread};
pub(crate) use results::figure_name;
pub use results::{CONFIG, Figure, Results, TIMES, read_headline};
