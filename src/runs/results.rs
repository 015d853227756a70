//! The files of a run's results.

use std::borrow::Borrow;
use std::path::Path;

use super::error::RunsError;
use super::folder::{NETS, RunFolder};
use super::manifest::{FileError, Manifest, TABLES};
use crate::disk::write_file;
use crate::game::BoardGame;
use crate::record::{DEFAULT_LEVEL, GameRecord, MATCH_GAMES, write_games};
use crate::report::{Picture, Table};
use crate::table::csv_text;

/// All settings of a run.
pub const CONFIG: &str = "config.toml";
/// The figures that runs of a sweep are compared by.
pub(super) const HEADLINE: &str = "headline.csv";
/// Measured times; no part of the manifest.
pub const TIMES: &str = "times.md";

/// The games of a run's matches.
pub(super) const GAMES: &str = MATCH_GAMES;

/// A figure that sums up a run, with its name.
pub type Figure = (String, f64);

/// The files of a run's results, as they are written one after the other, and last the manifest over all of them.
#[derive(Debug)]
pub struct Results<'a> {
    folder: &'a RunFolder,
    names: Vec<String>,
}

impl<'a> Results<'a> {
    /// The results that go into `folder`.
    pub fn new(folder: &'a RunFolder) -> Self {
        Self { folder, names: Vec::new() }
    }

    /// Writes a text.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn text(&mut self, name: &str, text: &str) -> Result<(), FileError> {
        write_file(&self.folder.results.join(name), text.as_bytes())?;
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Writes the page for readers.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn page(&mut self, text: &str) -> Result<(), FileError> {
        self.text(TABLES, text)
    }

    /// Writes games.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn games<G: BoardGame, R: Borrow<GameRecord<G>>>(
        &mut self,
        records: impl IntoIterator<Item = R>,
    ) -> Result<(), RunsError> {
        write_games(&self.folder.results.join(GAMES), records, DEFAULT_LEVEL)?;
        self.names.push(GAMES.to_owned());
        Ok(())
    }

    /// Draws a picture in place of one of the same name: as SVG, and as PNG too if `png`.
    ///
    /// # Errors
    /// When it cannot be drawn.
    pub fn picture(&mut self, name: &str, png: bool, picture: &dyn Picture) -> Result<(), RunsError> {
        for (format, wanted) in [("svg", true), ("png", png)] {
            let file = format!("{name}.{format}");
            let path = self.folder.results.join(&file);
            if wanted {
                picture.render(&path)?;
                self.names.push(file);
            } else if path.exists() {
                // A picture of an earlier run, which had more of them.
                std::fs::remove_file(&path).map_err(FileError::of("remove", &path))?;
            }
        }
        Ok(())
    }

    /// Adds files that were written by others.
    pub fn others(&mut self, names: impl IntoIterator<Item = String>) {
        self.names.extend(names);
    }

    /// Writes measured times, which differ from run to run and are no part of the manifest.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn times(&self, tables: &[Table]) -> Result<(), FileError> {
        let note =
            "# Times\n\nMeasured on one machine on one day: no part of the manifest, and different on every run.\n\n";
        let texts: Vec<String> = tables.iter().map(Table::to_markdown).collect();
        write_file(&self.folder.results.join(TIMES), (note.to_owned() + &texts.join("\n")).as_bytes())
    }

    /// The figures that runs of a sweep are compared by.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn headline(&mut self, figures: &[Figure]) -> Result<(), FileError> {
        let lines = figures.iter().map(|(name, value)| [figure_name(name), value.to_string()]);
        self.text(HEADLINE, &csv_text(["figure", "value"], lines))
    }

    /// Writes a network by `save` to `file` in the folder of networks; the first takes the place of all those of an earlier run.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn network(&mut self, file: &str, save: &dyn Fn(&Path) -> Result<(), RunsError>) -> Result<(), RunsError> {
        let folder = self.folder.results.join(NETS);
        if !self.names.iter().any(|name| name.starts_with(NETS)) {
            empty_folder(&folder)?;
        }
        save(&folder.join(file))?;
        self.names.push(format!("{NETS}/{file}"));
        Ok(())
    }

    /// The names of the files written so far.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Writes the manifest over all files and forgets the state for resuming: the run is finished.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn finish(self, manifest: Manifest) -> Result<(), FileError> {
        self.folder.finish(manifest, &self.names)
    }
}

/// Makes the folder `path` and empties it.
fn empty_folder(path: &Path) -> Result<(), FileError> {
    if path.exists() {
        std::fs::remove_dir_all(path).map_err(FileError::of("replace", path))?;
    }
    std::fs::create_dir_all(path).map_err(FileError::of("create", path))
}

/// The name of a figure as files have it and as it is read from them again: without what would divide fields and lines.
pub(crate) fn figure_name(name: &str) -> String {
    name.replace([',', '"', '\n'], "")
}

/// The figures that [`Results::headline`] wrote into `folder`; none if there are none.
pub fn read_headline(folder: &Path) -> Vec<Figure> {
    let text = std::fs::read_to_string(folder.join(HEADLINE)).unwrap_or_default();
    let figure =
        |line: &str| line.rsplit_once(',').and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
    text.lines().skip(1).filter_map(figure).collect()
}
