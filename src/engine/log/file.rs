//! The file of a log: games are appended whole, and one that a kill has torn is cut off.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::EVENT;

/// No game is longer than this, in bytes.
const LONGEST: u64 = 1 << 20;

/// How a record says that it ends.
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// Checks that games can be appended to `path`; makes the file if there is none.
pub fn check(path: &Path) -> io::Result<()> {
    open(path).map(drop)
}

fn open(path: &Path) -> io::Result<File> {
    File::options().read(true).append(true).create(true).open(path)
}

/// Appends the record `game`. Other processes that do the same wait meanwhile.
pub fn append(path: &Path, game: &str) -> io::Result<()> {
    let mut file = open(path)?;
    file.lock()?;
    let length = file.seek(SeekFrom::End(0))?;
    let before = length.saturating_sub(LONGEST);
    file.seek(SeekFrom::Start(before))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    if let Some(at) = torn(&tail) {
        file.set_len(before + at as u64)?;
        tail.truncate(at);
    }
    let gap = match tail[..] {
        [] | [.., b'\n', b'\n'] => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    };
    // In one piece: what another process reads meanwhile is then most likely whole.
    file.write_all(format!("{gap}{game}\n").as_bytes())?;
    file.sync_data()?;
    file.unlock()
}

/// Where the last game of `tail` begins, if it is one of a log and lacks its end.
fn torn(tail: &[u8]) -> Option<usize> {
    let first_line = format!("[Event \"{EVENT}\"]\n").into_bytes();
    let begins = |&at: &usize| {
        let (before, game) = tail.split_at(at);
        // What begins a line may also be the head of another tag; a game stands after a blank line.
        (at == 0 || before.ends_with(b"\n\n")) && (game.starts_with(&first_line) || first_line.starts_with(game))
    };
    let at = (0..tail.len()).rev().find(begins)?;
    (!is_whole(&tail[at..])).then_some(at)
}

/// Whether a record goes as far as its result.
fn is_whole(game: &[u8]) -> bool {
    let last_word = game.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    RESULTS.contains(&last_word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const GAME: &str = "[Event \"roughboard engine\"]\n[Red \"?\"]\n[Result \"1-0\"]\n\nh2e2 h9g7\n1-0\n";

    #[test]
    fn a_game_that_is_cut_anywhere_harms_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.pgn");
        append(&path, GAME).unwrap();
        let one = fs::read_to_string(&path).unwrap();
        append(&path, GAME).unwrap();
        let two = fs::read_to_string(&path).unwrap();
        assert_eq!(two, one.repeat(2));
        for cut in one.len()..=two.len() {
            fs::write(&path, &two[..cut]).unwrap();
            append(&path, GAME).unwrap();
            let text = fs::read_to_string(&path).unwrap();
            let whole = if two[..cut].trim_end().len() == two.trim_end().len() { 3 } else { 2 };
            assert_eq!(text, one.repeat(whole), "cut at {cut}");
        }
    }

    #[test]
    fn what_others_have_written_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.pgn");
        for foreign in ["[Event \"mine\"]\n\nh2e2", "h2e2 *\n", "; notes\n\n"] {
            fs::write(&path, foreign).unwrap();
            append(&path, GAME).unwrap();
            let text = fs::read_to_string(&path).unwrap();
            assert_eq!(text, format!("{}\n\n{GAME}\n", foreign.trim_end()));
        }
    }
}
