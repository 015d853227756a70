//! The file that finished games are appended to.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::error::ZeroError;
use super::finished::FinishedGame;
use crate::disk::{FileError, whole_lines};
use crate::game::Notation;

/// How much of a file of finished games is taken over by a run that goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// So many bytes; what lies behind them, torn or whole, is cut off, since it will be played again.
    Bytes(u64),
    /// All whole lines, which are at least so many bytes.
    LinesFrom(u64),
}

/// The file that finished games are appended to, one line each.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    file: File,
    /// The length of the file, in bytes.
    pub length: u64,
}

impl GameFile {
    /// The file `path` with what is `known` of it, and the games in that, which all began at `start`.
    ///
    /// # Errors
    /// When the file cannot be read or written, is shorter than what is known, or holds something else than games.
    pub fn open<G: Notation>(path: &Path, known: Known, start: &G) -> Result<(Self, Vec<FinishedGame<G>>), ZeroError> {
        let broken = |problem| ZeroError::Broken { path: path.to_owned(), problem };
        let mut file =
            File::options().create(true).truncate(false).write(true).open(path).map_err(FileError::of("open", path))?;
        let text = fs::read(path).map_err(FileError::of("read", path))?;
        let length = match known {
            Known::Bytes(length) => length,
            Known::LinesFrom(least) => least.max(whole_lines(&text) as u64),
        };
        let known = usize::try_from(length).ok().and_then(|length| text.get(..length));
        let known = known.ok_or_else(|| broken(format!("expected {length} bytes, found {}", text.len())))?;
        let known = std::str::from_utf8(known).map_err(|error| broken(error.to_string()))?;
        let game = |(at, line): (usize, &str)| {
            FinishedGame::of_line(start, line).map_err(|problem| broken(format!("line {}: {problem}", at + 1)))
        };
        let games = known.lines().enumerate().map(game).collect::<Result<_, _>>()?;
        let cut = file.set_len(length).and_then(|()| file.seek(SeekFrom::Start(length)));
        cut.map_err(FileError::of("write", path))?;
        Ok((Self { path: path.to_owned(), file, length }, games))
    }

    /// Appends `games` and gives them to the operating system, so that they outlive this program.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn append<G: Notation>(&mut self, games: &[FinishedGame<G>]) -> Result<(), FileError> {
        let text: String = games.iter().map(|game| game.to_line() + "\n").collect();
        self.file.write_all(text.as_bytes()).map_err(FileError::of("write", &self.path))?;
        self.length += text.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::line::read_line;
    use crate::game::{Game, Outcome};
    use crate::games::xiangqi::Xiangqi;
    use crate::train::zero::finished::{Course, Searched};

    fn game(number: usize) -> FinishedGame<Xiangqi> {
        let course = Course {
            moves: read_line(&mut Xiangqi::start(), "h2e2").unwrap(),
            searched: vec![Searched { value: 0.5, policy: vec![(1, 2)] }],
            ..Course::begin(number, 0)
        };
        FinishedGame { course, outcome: Outcome::Draw, reason: "repetition".to_owned(), simulations: None }
    }

    #[test]
    fn what_a_kill_left_behind_the_known_length_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let (mut log, none) = GameFile::open(&path, Known::LinesFrom(0), &Xiangqi::start()).unwrap();
        assert!(none.is_empty());
        log.append(&[game(0), game(1)]).unwrap();
        let two = log.length;
        log.append(&[game(2)]).unwrap();
        let whole = fs::read(&path).unwrap();
        for cut in [two as usize, two as usize + 3, whole.len() - 1, whole.len()] {
            fs::write(&path, &whole[..cut]).unwrap();
            let (mut log, games) = GameFile::open(&path, Known::Bytes(two), &Xiangqi::start()).unwrap();
            let lines: Vec<String> = games.iter().map(FinishedGame::to_line).collect();
            assert_eq!(lines, [game(0).to_line(), game(1).to_line()]);
            log.append(&[game(2)]).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
        let error = GameFile::open(&path, Known::Bytes(10_000), &Xiangqi::start()).unwrap_err().to_string();
        assert!(error.contains("expected 10000 bytes"), "{error}");
        assert!(GameFile::open(&path, Known::Bytes(two - 4), &Xiangqi::start()).is_err());
    }

    #[test]
    fn all_whole_lines_are_taken_over_where_none_is_played_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let two = game(0).to_line() + "\n" + &game(1).to_line() + "\n";
        fs::write(&path, format!("{two}{{\"game\":2,")).unwrap();
        let (log, games) = GameFile::open(&path, Known::LinesFrom(0), &Xiangqi::start()).unwrap();
        assert_eq!((games.len(), log.length), (2, two.len() as u64));
        assert_eq!(fs::read_to_string(&path).unwrap(), two);
        // What the checkpoint knows of must be there.
        let error = GameFile::open(&path, Known::LinesFrom(10_000), &Xiangqi::start()).unwrap_err().to_string();
        assert!(error.contains("expected 10000 bytes"), "{error}");
    }
}
