//! Tables, plots and pages, as files and as text: results made to be read.

pub mod columns;
mod document;
mod events;
pub mod html;
pub mod matches;
#[cfg(feature = "plots")]
mod plot;
mod table;

pub use document::Document;
pub use events::{Measurement, event_file};
#[cfg(feature = "plots")]
pub use plot::{Bar, Bars, Curves, Picture, PlotError, Series};
pub use table::{Cell, Field, Heading, Table, in_percent};
