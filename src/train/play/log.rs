//! The games of a run as a file that grows while they are played.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::disk::{FileError, partial_path};
use crate::game::BoardGame;
use crate::record::{GameRecord, to_pgn};

/// A file of games in PGN that appears whole at the end; until then they are in the partial file beside it, from which a
/// run that was interrupted takes up those that its checkpoint knows. It never takes the place of a file that is there.
#[derive(Debug)]
pub struct GameLog {
    path: PathBuf,
    file: Option<File>,
}

impl GameLog {
    /// A log that is to appear at `path`. Nothing is read or written yet.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), file: None }
    }

    /// Appends games of which the first is number `first`, from 0.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn append<'g, G: BoardGame>(
        &mut self,
        first: usize,
        games: impl IntoIterator<Item = &'g GameRecord<G>>,
    ) -> Result<(), FileError> {
        let text: String = games.into_iter().map(|game| to_pgn(game) + "\n").collect();
        let path = partial_path(&self.path);
        let written = self.open(first).and_then(|file| file.write_all(text.as_bytes()));
        written.map_err(FileError::of("write", &path))
    }

    /// The file, with `games` games in it when it is opened first.
    fn open(&mut self, games: usize) -> io::Result<&mut File> {
        match self.file.take() {
            Some(file) => Ok(self.file.insert(file)),
            None if self.path.exists() => {
                let path = self.path.display();
                let told = format!("`{path}` exists, and this run has not written it: expected a new file");
                Err(io::Error::new(io::ErrorKind::AlreadyExists, told))
            }
            None => {
                let path = partial_path(&self.path);
                if games == 0 {
                    return Ok(self.file.insert(File::create(path)?));
                }
                let known = match fs::read(&path) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
                    read => read?,
                };
                let length = length_of_games(&known, games).ok_or_else(|| lacking(games))?;
                let mut file = File::options().write(true).open(path)?;
                file.set_len(length as u64)?;
                io::Seek::seek(&mut file, io::SeekFrom::End(0))?;
                Ok(self.file.insert(file))
            }
        }
    }

    /// Lets the file appear, with `games` games.
    ///
    /// # Errors
    /// When it cannot be.
    pub fn finish(mut self, games: usize) -> Result<(), FileError> {
        if self.file.is_none() && self.path.exists() && !partial_path(&self.path).exists() {
            // A run that was interrupted between this and its very end is taken up again.
            return Ok(());
        }
        let synced = self.open(games).and_then(|file| file.sync_all());
        let named = synced.and_then(|()| fs::rename(partial_path(&self.path), &self.path));
        named.map_err(FileError::of("write", &self.path))
    }
}

/// The error of a file without the `games` games that its run has played.
fn lacking(games: usize) -> io::Error {
    let told = format!(
        "the {games} games that were played before are not in it: the run was begun without this file, or the file was \
         removed or changed"
    );
    io::Error::new(io::ErrorKind::NotFound, told)
}

/// The bytes that the first `games` games take, at least one; `None` if there are not so many. A game is its tags, a blank line,
/// its moves, a blank line; what a kill left of another game behind them does not count.
fn length_of_games(bytes: &[u8], games: usize) -> Option<usize> {
    let blank_lines = bytes.windows(2).enumerate().filter(|(_, pair)| pair == b"\n\n");
    blank_lines.map(|(at, _)| at + 2).nth(2 * games - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::xiangqi::Xiangqi;

    #[test]
    fn a_log_goes_on_behind_the_games_that_are_known() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let game = |round: usize| {
            let mut record = GameRecord::new(Xiangqi::start());
            record.set_tag("Event", "[Event test");
            record.set_tag("Round", round.to_string());
            record
        };
        let games: Vec<_> = (0..4).map(game).collect();
        let mut log = GameLog::new(&path);
        log.append(0, &games).unwrap();
        drop(log);
        let whole = fs::read(partial_path(&path)).unwrap();
        // What follows game 2 is forgotten, torn or not.
        let two = length_of_games(&whole, 2).unwrap();
        for length in [two, two + 1, two + 9, whole.len() - 7, whole.len()] {
            fs::write(partial_path(&path), &whole[..length]).unwrap();
            let mut log = GameLog::new(&path);
            log.append(2, &games[2..]).unwrap();
            assert_eq!(fs::read(partial_path(&path)).unwrap(), whole);
        }
        assert!(!path.exists());
        let log = GameLog::new(&path);
        log.finish(4).unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
        assert!(!partial_path(&path).exists());
        for first in [0, 3] {
            assert!(GameLog::new(&path).append(first, &games[first..]).is_err());
        }
        assert_eq!(fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn a_file_without_the_games_of_its_run_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other.pgn");
        let told = || {
            let error = GameLog::new(&path).append::<Xiangqi>(2, []).unwrap_err();
            error.source.to_string()
        };
        let expected = "the 2 games that were played before are not in it";
        assert!(told().starts_with(expected), "{}", told());
        fs::write(partial_path(&path), "").unwrap();
        assert!(told().starts_with(expected), "{}", told());
    }
}
