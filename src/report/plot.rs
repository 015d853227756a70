//! Plots for a page or a paper, as SVG or PNG by the name of the file.

mod bars;
mod canvas;
mod curves;
mod ticks;

use std::path::{Path, PathBuf};

pub use bars::{Bar, Bars};
pub use curves::{Curves, Series};

/// A plot that is drawn into a file.
pub trait Picture {
    /// Draws it into the file `path`; `.svg` and `.png` are understood. The same plot gives the same bytes.
    ///
    /// # Errors
    /// When there is nothing to draw, the format is unknown, or the file cannot be written.
    fn render(&self, path: &Path) -> Result<(), PlotError>;
}

/// Why a plot could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The name of the file does not say which kind of picture it is to be.
    #[error("cannot tell the format of plot `{}`: expected a name ending in .svg or .png", .0.display())]
    UnknownFormat(PathBuf),
    /// There is nothing to draw in the plot of this title; what a plot of this kind is made of.
    #[error("nothing to draw in plot `{0}`: expected at least one {1}")]
    Empty(String, &'static str),
    /// Drawing or writing failed, as the drawing backend says.
    #[error("cannot draw plot `{path}`: {1}", path = .0.display())]
    Draw(PathBuf, String),
}
