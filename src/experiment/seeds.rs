//! Runs of an experiment that differ in their seed alone.

use crate::settings::{SettingError, require_in};

/// Seeds that follow each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seeds {
    /// The first.
    pub first: u64,
    /// How many.
    pub n: usize,
}

impl Seeds {
    /// Checks the setting `seeds`, the number of them.
    ///
    /// # Errors
    /// When it is not in [1, 20].
    pub fn check(self) -> Result<(), SettingError> {
        require_in("seeds", 1..=20, self.n)
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = u64> + Clone {
        (0..self.n as u64).map(move |number| self.first.wrapping_add(number))
    }

    /// Whether a result is one of several.
    pub const fn are_several(self) -> bool {
        self.n > 1
    }

    /// `name`, with its seed where there are several.
    pub fn name(self, name: &str, seed: u64) -> String {
        if self.are_several() { format!("{name}, seed {seed}") } else { name.to_owned() }
    }

    /// Which they are, and how curves over them are drawn, for readers.
    pub fn line(self) -> String {
        let (first, last) = (self.first, self.first.wrapping_add(self.n as u64 - 1));
        if self.are_several() {
            format!("curves are means over the seeds {first} to {last}, with a band of one standard deviation")
        } else {
            format!("seed {first}")
        }
    }
}
