//! Writes games as PGN.

use std::borrow::Borrow;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use super::entry::GameRecord;
use super::error::RecordError;
use super::pgn::{MoveNumber, one_line};
use crate::disk::{FileError, Packer, Packing, Partial, check_target, packer};
use crate::game::{Notation, Side};
use crate::settings::{SettingError, require};

/// The Zstandard level that games are packed with unless another is asked for: small files, slowly written.
pub const DEFAULT_LEVEL: i32 = 19;

/// The Zstandard level for collections and matches, whose games may be cheaper to make than to pack: a fifth larger in a tenth of the time.
pub const COLLECTION_LEVEL: i32 = 9;

/// What the names of files of PGN end in, packed ones included.
pub const PGN_ENDINGS: [&str; 4] = [".pgn", ".pgn.gz", ".pgn.zst", ".pgn.xz"];

/// Lines of moves are no longer than this, unless one word is.
const COLUMNS: usize = 100;

/// Writes `games` to the file `path`, packed as its name asks (`.gz`, `.zst`), at the Zstandard level `level` (1 to
/// 22). The file appears when it is complete; the same games give the same bytes.
///
/// # Errors
/// When the file cannot be written; then there is no new file, and an old one is as it was.
pub fn write_games<G: Notation, R: Borrow<GameRecord<G>>>(
    path: &Path,
    games: impl IntoIterator<Item = R>,
    level: i32,
) -> Result<(), RecordError> {
    write_games_in(path, games, level, 0)
}

/// Writes `games` as [`write_games`] does, with moves in the notation with this index in [`Notation::NOTATIONS`].
///
/// # Errors
/// As [`write_games`].
pub fn write_games_in<G: Notation, R: Borrow<GameRecord<G>>>(
    path: &Path,
    games: impl IntoIterator<Item = R>,
    level: i32,
    notation: usize,
) -> Result<(), RecordError> {
    let mut file = PgnFile::create(path, level)?;
    games.into_iter().try_for_each(|game| file.push(&to_pgn_in(game.borrow(), notation)))?;
    file.finish()
}

/// Checks that [`write_games`] can write to `path`, so that long work does not find out at its end. Leaves no trace.
///
/// # Errors
/// [`RecordError::NoFolder`] when the folder is missing; [`RecordError::File`] when `path` is a folder itself or no file can
/// be made in its folder.
pub fn check_writable(path: &Path) -> Result<(), RecordError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(RecordError::NoFolder { path: path.to_owned(), folder: folder.to_owned() });
    }
    Ok(check_target(path).map_err(FileError::of("write file", path))?)
}

/// Checks that `level` is one of the format that the name of `path` asks for: [`write_games`] takes the nearest where it is none.
///
/// # Errors
/// When it is none, with the name of the format and its levels.
///
/// ```
/// use roughboard::record::check_level;
/// let error = check_level("games.pgn.gz".as_ref(), 22).unwrap_err();
/// assert_eq!(error.to_string(), "`level` must be in [1, 9] for gzip, got 22");
/// ```
pub fn check_level(path: &Path, level: i32) -> Result<(), SettingError> {
    let Some((format, levels)) = Packing::of_name(path).levels() else { return Ok(()) };
    let range = format!("in [{}, {}] for {format}", levels.start(), levels.end());
    require(levels.contains(&level), "level", &range, level)
}

/// A file that the texts of games are written to one by one, packed as its name asks. It appears when it is finished; until then,
/// and if it never is, an old file of its name stays.
pub(crate) struct PgnFile {
    pub(super) partial: Partial,
    packer: Box<dyn Packer>,
    is_empty: bool,
}

impl PgnFile {
    /// A file without games; `level` is that of Zstandard.
    pub fn create(path: &Path, level: i32) -> Result<Self, RecordError> {
        let partial = Partial::new(path);
        let packer = File::create(partial.path()).and_then(|file| packer(file, Packing::of_name(path), level));
        let packer = packer.map_err(|cause| partial.failed(cause))?;
        Ok(Self { partial, packer, is_empty: true })
    }

    /// Appends the text of a game, a blank line before it if it is not the first.
    pub fn push(&mut self, text: &str) -> Result<(), RecordError> {
        let separator: &[u8] = if std::mem::take(&mut self.is_empty) { b"" } else { b"\n" };
        let written = self.packer.write_all(separator).and_then(|()| self.packer.write_all(text.as_bytes()));
        Ok(written.map_err(|cause| self.partial.failed(cause))?)
    }

    /// Completes the file.
    pub fn finish(self) -> Result<(), RecordError> {
        let written = self.packer.finish().and_then(|file| file.sync_all());
        written.map_err(|cause| self.partial.failed(cause))?;
        Ok(self.partial.appear()?)
    }
}

/// The text of one game, without a blank line after it. Reading it gives the same record, as long as its comments are
/// single lines without repeated blanks and not empty.
pub fn to_pgn<G: Notation>(game: &GameRecord<G>) -> String {
    to_pgn_in(game, 0)
}

/// The text of one game as [`to_pgn`] gives it, with its moves in the notation with this index in [`Notation::NOTATIONS`].
pub fn to_pgn_in<G: Notation>(game: &GameRecord<G>, notation: usize) -> String {
    let mut out = String::new();
    let (standard, others) = game.tags_by_place();
    let start = game.start.notation();
    standard.iter().for_each(|(name, value)| push_tag(&mut out, name, value));
    push_tag(&mut out, "Result", game.result());
    if start != G::start().notation() {
        push_tag(&mut out, "FEN", &start);
    }
    if let Some(name) = G::NOTATIONS.get(notation) {
        push_tag(&mut out, "Format", name);
    }
    others.iter().for_each(|(name, value)| push_tag(&mut out, name, value));
    out.push('\n');
    push_moves(&mut out, game, notation);
    out
}

fn push_tag(out: &mut String, name: &str, value: &str) {
    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
    *out += &format!("[{name} \"{escaped}\"]\n");
}

fn push_moves<G: Notation>(out: &mut String, game: &GameRecord<G>, notation: usize) {
    let mut text = Wrapped { out, column: 0 };
    text.comment(game.prologue.as_deref());
    let mut number = MoveNumber::default();
    let mut comments = game.comments.iter();
    // Numbers help whoever reads the comments; without any, they would only make a packed database a fifth larger. Notations
    // for people to read always have them.
    let numbered = notation > 0 || game.comments.iter().any(Option::is_some);
    let mut word = String::new();
    game.replay(|position, played| {
        let Some(mv) = played else { return };
        let side = position.side_to_move();
        word.clear();
        if numbered && number.step(side) {
            word += &format!("{}{} ", number.current, if side == Side::First { "." } else { "..." });
        }
        position.write_move(mv, notation, &mut word);
        text.word(&word);
        text.comment(comments.next().and_then(Option::as_deref));
    });
    text.word(game.result());
    text.end_line();
}

/// Text that is broken into lines between words.
struct Wrapped<'o> {
    out: &'o mut String,
    column: usize,
}

impl Wrapped<'_> {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        // At the start of a line, a bracket within a comment would begin the tags of another game.
        let may_begin_a_line = !word.starts_with('[');
        if self.column > 0 && self.column + 1 + length > COLUMNS && may_begin_a_line {
            self.end_line();
        }
        if self.column > 0 {
            self.out.push(' ');
            self.column += 1;
        }
        self.out.push_str(word);
        self.column += length;
    }

    fn end_line(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }

    /// A comment in braces, or to the end of its line if it holds a brace itself.
    fn comment(&mut self, comment: Option<&str>) {
        let comment = one_line(comment.unwrap_or_default());
        if comment.is_empty() {
            return;
        }
        if comment.contains(['{', '}']) {
            self.word(&format!("; {comment}"));
            self.end_line();
            return;
        }
        for word in format!("{{{comment}}}").split(' ') {
            self.word(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_a_comment_begins_with_a_bracket() {
        for padding in 0..100 {
            let mut out = String::new();
            let mut text = Wrapped { out: &mut out, column: 0 };
            let comment = format!("{} [Event \"b\"] [ c", "x".repeat(padding));
            text.comment(Some(&comment));
            assert!(!out.lines().any(|line| line.starts_with('[')), "{out}");
            assert_eq!(out.replace('\n', " "), format!("{{{}}}", comment.trim()));
        }
    }

    #[test]
    fn lines_break_between_words() {
        let mut out = String::new();
        let mut text = Wrapped { out: &mut out, column: 0 };
        for _ in 0..30 {
            text.word("1. h2e2");
        }
        text.comment(Some("a } b"));
        text.word("*");
        assert!(out.lines().all(|line| line.chars().count() <= COLUMNS));
        assert!(out.ends_with("; a } b\n*"));
    }
}
