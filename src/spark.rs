//! Decision tables that a cluster reads: exact answers from group-bys of a Spark Connect server, such as Spark's own or Sail's.
//!
//! Rows stay where they are. What comes back is numbers, the distinct rows where they are few enough, and else samples of rows
//! that show why some attributes are not enough. An [`Engine`] is a connection, a [`RemoteTable`] a table that it has looked
//! at, and [`Labelled`] its rows with the labels of a notion of decision, which [`crate::rough::Asking`] asks for core and reducts.
//!
//! Values are compared as the reader of Parquet files compares them: a missing value is a value of its own, NaN is missing, and 0 has
//! no sign.

mod answer;
mod connect;
mod engine;
mod error;
mod labelled;
mod remote;
mod sql;

pub use engine::Engine;
pub use error::EngineError;
pub use labelled::{Labelled, ValuesApart};
pub use remote::{RemoteColumn, RemoteFile, RemoteTable, RemoteView, Summary};
