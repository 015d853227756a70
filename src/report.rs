//! Tables and plots, as files and as text: results made to be read.

mod events;
pub mod matches;
mod plot;
mod table;

pub use events::{Measurement, event_file};
pub use plot::{Bar, Bars, Curves, PlotError, Series};
pub use table::{Align, Cell, Column, Table};
