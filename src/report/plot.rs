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
    #[error("cannot tell the format of plot `{}`: expected a name ending in .svg or .png", path.display())]
    UnknownFormat {
        /// The file asked for.
        path: PathBuf,
    },
    /// There is nothing to draw.
    #[error("nothing to draw in plot `{title}`: expected at least one {expected}")]
    Empty {
        /// The title of the plot.
        title: String,
        /// What a plot of this kind is made of.
        expected: &'static str,
    },
    /// Drawing or writing failed.
    #[error("cannot draw plot `{}`: {reason}", path.display())]
    Draw {
        /// The file asked for.
        path: PathBuf,
        /// What the drawing backend said.
        reason: String,
    },
}
