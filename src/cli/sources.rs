//! Where commands take their games from: files, or the embedded data set.

use std::path::{Path, PathBuf};

use anyhow::Context;
use roughboard::disk::sha256;
use roughboard::eval::Catalogue;
use roughboard::game::BoardGame;
use roughboard::games::GameName;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::record::{
    Account, DEFAULT_MAX_UNPACKED, Dropped, Duplicates, Encoding, Flaw, GameRecord, Policy, ReadSettings, Reason,
    RecordError, Scrutiny, checksum, count_first, for_each_game, supplied, to_pgn,
};
use roughboard::settings::{Choices, SettingError, first_of, one_of};

use super::session::Session;
use super::settings::named;

/// How documents are read.
#[derive(clap::Args)]
pub struct Reading {
    /// The encoding of text documents: auto, utf-8, gb18030, gbk, big5, windows-1252 (Latin-1), utf-16, utf-16le or utf-16be
    #[arg(long, default_value = "auto", value_parser = parse_encoding, value_name = "NAME")]
    encoding: Encoding,
    /// The most bytes that one packed file or one member of an archive may unpack to
    #[arg(long, default_value_t = DEFAULT_MAX_UNPACKED, value_parser = clap::value_parser!(u64).range(1..), value_name = "BYTES")]
    max_unpacked: u64,
}

/// What a command reads that takes any collection.
#[derive(clap::Args)]
pub struct Collection {
    /// Files of games, folders of them, archives (.tar, .zip), each also packed (.gz, .zst, .xz); - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The game whose rules apply
    #[arg(long, value_parser = named::<GameName>(), default_value_t, value_name = "GAME")]
    pub game: GameName,
    #[command(flatten)]
    pub reading: Reading,
}

impl Default for Reading {
    fn default() -> Self {
        Self { encoding: Encoding::Auto, max_unpacked: DEFAULT_MAX_UNPACKED }
    }
}

impl Reading {
    /// The settings of the library, with these of the command.
    pub const fn settings(&self, policy: Policy, scrutiny: Scrutiny) -> ReadSettings {
        ReadSettings { policy, encoding: self.encoding, max_unpacked: self.max_unpacked, scrutiny, part: [0, 1] }
    }
}

fn parse_encoding(name: &str) -> Result<Encoding, String> {
    let encoding = name.to_ascii_lowercase().parse();
    encoding.map_err(|_| format!("expected {}, found `{name}`", one_of(Encoding::NAMES)))
}

/// The path of standard input, and the name of what came through pipes among inputs.
const STREAM: &str = "-";

/// Whether `path` is standard input, a pipe or a device: what was read of it does not come again.
pub fn is_stream(path: &Path) -> bool {
    path == Path::new(STREAM) || std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The files and folders among `paths`, which can be read again.
pub fn lasting(paths: &[PathBuf]) -> Vec<&PathBuf> {
    paths.iter().filter(|path| !is_stream(path)).collect()
}

/// Name and SHA-256 of each; the name without the folder above it, so that manifests do not depend on where it lies.
pub fn checksums(paths: &[impl AsRef<Path>]) -> anyhow::Result<Vec<(String, String)>> {
    let one = |path: &Path| {
        let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
        Ok((name, checksum(path)?))
    };
    paths.iter().map(|path| one(path.as_ref())).collect()
}

/// The SHA-256 of the file that `games convert` makes of these games. It stands for bytes that do not come again.
fn checksum_of_games<G: BoardGame>(games: &[GameRecord<G>]) -> String {
    let mut text = String::new();
    for game in games {
        if !text.is_empty() {
            text.push('\n');
        }
        text += &to_pgn(game);
    }
    sha256(text.as_bytes())
}

/// How many records are looked at to tell what game they are of.
const LOOKED_AT: u64 = 20;

/// The game of which most of the first records under `paths` are, where none of these is of the game called `asked`.
pub fn other_game(paths: &[PathBuf], reading: &Reading, asked: &str) -> Option<GameName> {
    let look = Look::new(paths, reading);
    if look.has(asked, &|_| true) { None } else { look.other_than(asked, &|_| true) }
}

/// A look at the first records of files, to tell of what game they are.
struct Look<'a> {
    paths: Vec<&'a PathBuf>,
    settings: ReadSettings,
}

/// Which files are looked at, by their names.
type Meant<'a> = &'a dyn Fn(&str) -> bool;

impl<'a> Look<'a> {
    fn new(paths: &'a [PathBuf], reading: &Reading) -> Self {
        Self { paths: lasting(paths), settings: reading.settings(Policy::Drop, Scrutiny::Moves) }
    }

    /// How many of the first records are games of `game`, and how many records there are.
    fn count(&self, game: GameName, is_meant: Meant<'_>) -> [u64; 2] {
        roughboard::by_game!(game, G => count_first::<G>(&self.paths, self.settings, LOOKED_AT, is_meant))
    }

    /// Whether there are games of the game called `asked`.
    fn has(&self, asked: &str, is_meant: Meant<'_>) -> bool {
        GameName::ALL.iter().any(|game| game.name() == asked && self.count(*game, is_meant)[0] > 0)
    }

    /// The game other than that called `asked` of which most are.
    fn other_than(&self, asked: &str, is_meant: Meant<'_>) -> Option<GameName> {
        let is_of = |game: GameName| {
            let [games, records] = self.count(game, is_meant);
            games > 0 && 2 * games >= records
        };
        GameName::ALL.iter().copied().find(|game| game.name() != asked && is_of(*game))
    }
}

/// What is to be said where the file that `error` is about holds another game than `asked`, and other files that one.
fn odd_file(error: &anyhow::Error, look: &Look<'_>, asked: &str) -> Option<String> {
    let Some(RecordError::Invalid(dropped)) = error.downcast_ref() else { return None };
    let odd = &*dropped.place.file.shown;
    let other = look.other_than(asked, &|file| file == odd)?;
    let has_both = look.has(asked, &|file| file != odd);
    has_both.then(|| {
        format!("`{odd}` holds games of {other}, the other files games of {asked}: name files of one game only")
    })
}

/// The games that a command works on.
#[derive(clap::Args)]
pub struct GameSources {
    /// Game files, folders or archives, packed or not; without any, the embedded self-play games
    #[arg(long, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    #[command(flatten)]
    reading: Reading,
    /// Leave out games that are invalid, with a count, instead of stopping at the first
    #[arg(long)]
    drop_invalid: bool,
    /// Whether the command has the option.
    #[arg(skip = true)]
    knows_drop_invalid: bool,
}

/// Games that were read, and what they were read from.
pub struct Games<G: BoardGame = Xiangqi> {
    /// The games kept, all with a result.
    pub records: Vec<GameRecord<G>>,
    /// SHA-256 of each file, by name; if something came through a pipe, behind them that of all games.
    pub inputs: Vec<(String, String)>,
}

impl GameSources {
    /// These files, or the embedded games if there are none; invalid games are errors unless `drop_invalid`, which is none where the
    /// command has no such option.
    pub fn of(games: Vec<PathBuf>, drop_invalid: Option<bool>) -> Self {
        let knows_drop_invalid = drop_invalid.is_some();
        Self { games, reading: Reading::default(), drop_invalid: drop_invalid.unwrap_or(false), knows_drop_invalid }
    }

    /// The first game file, if there is one.
    pub fn first_file(&self) -> Option<&Path> {
        self.games.first().map(PathBuf::as_path)
    }

    /// Reads the games.
    ///
    /// # Errors
    /// When there are none, or some are invalid which are not to be left out; of games of another kind it says of which.
    pub fn read<G: Catalogue>(&self, session: &Session) -> anyhow::Result<Games<G>> {
        self.gather(session).map_err(|error| self.explained::<G>(error, true))
    }

    /// As [`GameSources::read`], where no option of the command says whose rules apply.
    ///
    /// # Errors
    /// As [`GameSources::read`].
    pub fn read_of_its_game<G: Catalogue>(&self, session: &Session) -> anyhow::Result<Games<G>> {
        self.gather(session).map_err(|error| self.explained::<G>(error, false))
    }

    fn gather<G: Catalogue>(&self, session: &Session) -> anyhow::Result<Games<G>> {
        let (mut records, lasting) = (Vec::new(), lasting(&self.games));
        self.visit_all(session, |game| records.push(game))?;
        let mut inputs = self.inputs::<G>(&lasting)?;
        if lasting.len() < self.games.len() {
            inputs.push((STREAM.to_owned(), checksum_of_games(&records)));
        }
        Ok(Games { records, inputs })
    }

    /// Hands each game to `visit`, in order, so that not all need be in memory; gives their number.
    ///
    /// # Errors
    /// As [`GameSources::read`]; games may have been visited before an error shows.
    pub fn each<G: Catalogue>(&self, session: &Session, visit: impl FnMut(GameRecord<G>)) -> anyhow::Result<usize> {
        self.visit_all(session, visit).map_err(|error| self.explained::<G>(error, true))
    }

    /// The error, with what game the files hold in place of `G`, of a command that can be told the game or not.
    fn explained<G: Catalogue>(&self, error: anyhow::Error, knows_game: bool) -> anyhow::Error {
        if let Some(odd) = odd_file(&error, &Look::new(&self.games, &self.reading), G::NAME) {
            return error.context(odd);
        }
        match other_game(&self.games, &self.reading, G::NAME) {
            Some(other) if !knows_game => {
                error.context(format!("these are games of {other}, and the command takes those of {}", G::NAME))
            }
            Some(other) => {
                error.context(SettingError::value("game", &format!("{} for these games", other.name()), G::NAME))
            }
            None if self.knows_drop_invalid && is_of_invalid_game(&error) => {
                error.context("invalid game (`--drop-invalid` leaves such games out)")
            }
            None => error,
        }
    }

    fn visit_all<G: Catalogue>(&self, session: &Session, visit: impl FnMut(GameRecord<G>)) -> anyhow::Result<usize> {
        let account = self.for_each(session, visit)?;
        let quoted = |path: &PathBuf| format!("`{}`", path.display());
        let names = || self.games.iter().map(quoted).collect::<Vec<_>>().join(", ");
        anyhow::ensure!(account.kept() > 0, "no usable games in {}: {}", names(), account);
        note_dropped(&account)?;
        Ok(account.kept() as usize)
    }

    /// Hands each game to `visit`, in order.
    fn for_each<G: Catalogue>(&self, session: &Session, visit: impl FnMut(GameRecord<G>)) -> anyhow::Result<Account> {
        if !self.games.is_empty() {
            let policy = if self.drop_invalid { Policy::Drop } else { Policy::Strict };
            let settings = self.reading.settings(policy, Scrutiny::Full);
            return Ok(for_each_game(&self.games, settings, &session.progress, visit)?);
        }
        let missing = || format!("no games of {} come with the program: name files of games with `--games`", G::NAME);
        let (games, account) = supplied::games::<G>().with_context(missing)??;
        games.into_iter().for_each(visit);
        Ok(account)
    }

    /// Name and SHA-256 of each of the files that are `lasting`, or of the embedded games.
    fn inputs<G: Catalogue>(&self, lasting: &[&PathBuf]) -> anyhow::Result<Vec<(String, String)>> {
        if self.games.is_empty() { Ok(supplied::checksum::<G>().into_iter().collect()) } else { checksums(lasting) }
    }
}

impl<G: BoardGame> Games<G> {
    /// Tells of games that are there again.
    pub fn note_duplicates(&self, copies: Copies) {
        let mut duplicates = Duplicates::default();
        self.records.iter().for_each(|game| _ = duplicates.add(game));
        note_duplicates(&duplicates, self.records.len(), copies);
    }
}

/// What copies of games do where games are used.
#[derive(Clone, Copy)]
pub enum Copies {
    /// They count each time.
    Count,
    /// They do that, and may stand on both sides of the split between training and held-out games.
    Straddle,
}

/// As [`Games::note_duplicates`], of so many games that were looked at one by one.
pub fn note_duplicates(duplicates: &Duplicates, all: usize, copies: Copies) {
    let effect = match copies {
        Copies::Count => "",
        Copies::Straddle => " and may be held out and learned from at once",
    };
    if let Some(note) = duplicates.note(all as u64) {
        eprintln!("note: {note}{effect}; `games import` keeps one of each");
    }
}

/// Tells of records that were dropped.
///
/// # Errors
/// When a file was not read to its end: its games would pass for a smaller collection.
pub fn note_dropped(account: &Account) -> anyhow::Result<()> {
    let unread = unread(account);
    anyhow::ensure!(unread.is_empty(), "{}", unread_files(&unread));
    if account.kept() < account.read() {
        eprintln!("note: {account}");
    }
    Ok(())
}

/// Whether `error` is about a game that can be left out.
fn is_of_invalid_game(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(RecordError::Invalid(dropped)) if !is_unread(dropped))
}

/// The files that could not be read, or not to their end.
pub fn unread(account: &Account) -> Vec<Dropped> {
    account.dropped().iter().filter(|dropped| is_unread(dropped)).cloned().collect()
}

/// Whether this is a file that could not be read to its end.
pub fn is_unread(dropped: &Dropped) -> bool {
    dropped.flaw.reason() == Reason::Unreadable
}

/// Which files could not be read to their end, and where that was.
pub fn unread_files(unread: &[Dropped]) -> String {
    const NAMED: usize = 5;
    format!("not read to the end: {}", first_of(unread.iter().map(failure), NAMED))
}

/// Where a file could not be read any further, and why.
fn failure(Dropped { place, flaw }: &Dropped) -> String {
    let cause = if let Flaw::Unreadable(cause) = flaw { cause.clone() } else { flaw.to_string() };
    match place.game.saturating_sub(1) {
        0 => format!("`{}` ({cause})", place.file.shown),
        records => format!("`{}` after record {records} ({cause})", place.file.shown),
    }
}
