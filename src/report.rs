//! Tables and plots, as files and as text: results made to be read.

mod plot;
mod table;

pub use plot::{Bar, Bars, Curves, PlotError, Series};
pub use table::{Align, Cell, Column, Table};
