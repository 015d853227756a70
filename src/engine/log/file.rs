//! The file of a log: games are appended whole, and one that a kill has torn is cut off.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use memchr::memmem;

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

/// Where the last game of a log in `tail` begins, if it lacks its end and nothing stands behind it that others wrote.
fn torn(tail: &[u8]) -> Option<usize> {
    let first_line = format!("[Event \"{EVENT}\"]\n").into_bytes();
    let begins = |&at: &usize| {
        let (before, game) = tail.split_at(at);
        // What begins a line may also be the head of another tag; a game stands after a blank line.
        (at == 0 || before.ends_with(b"\n\n")) && (game.starts_with(&first_line) || first_line.starts_with(game))
    };
    let at = (0..tail.len()).rev().find(begins)?;
    let (tags, Some(moves)) = paragraph(&tail[at..]) else { return Some(at) };
    let is_head = memmem::find(tags, b"\n[Result \"").is_some();
    let (moves, behind) = paragraph(moves);
    (is_head && behind.is_none() && !is_whole(moves)).then_some(at)
}

/// A text up to its first blank line, and what follows that line.
fn paragraph(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    match memmem::find(text, b"\n\n") {
        Some(at) => (&text[..at], Some(&text[at + 2..])),
        None => (text, None),
    }
}

/// Whether the moves of a record go as far as its result.
fn is_whole(moves: &[u8]) -> bool {
    let last_word = moves.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
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

    #[test]
    fn what_others_have_written_behind_a_game_is_kept_with_that_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.pgn");
        let torn = GAME.strip_suffix("h9g7\n1-0\n").unwrap();
        for game in [GAME, torn, &GAME[..40]] {
            for foreign in ["; told on the phone\n", "[Event \"mine\"]\n[Result \"*\"]\n\nh2e2\n"] {
                let before = format!("{}\n\n{foreign}", game.trim_end());
                fs::write(&path, &before).unwrap();
                append(&path, GAME).unwrap();
                assert_eq!(fs::read_to_string(&path).unwrap(), format!("{before}\n{GAME}\n"));
            }
        }
    }
}
