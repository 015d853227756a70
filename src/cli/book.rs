//! `roughboard book`: builds, shows and merges opening books.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Subcommand;
use roughboard::book::{Book, BookMove, BookSettings, Builder, merge};
use roughboard::eval::Catalogue;
use roughboard::games::GameName;
use roughboard::report::{Cell, Heading, Table};
use serde_json::json;

use super::form::{Form, Sheet};
use super::rules::position_asked_for;
use super::session::Session;
use super::sources::{Copies, GameSources};
use super::targets::{Endings, OutPath};
use crate::cli::settings::{Of, named, usual};

/// What databases of SQLite are called.
pub(super) const BOOK_ENDINGS: Endings = &[".db", ".sqlite", ".sqlite3"];

#[derive(clap::Args)]
pub struct Args {
    /// The game of the book
    #[arg(long, value_parser = named::<GameName>(), default_value_t, global = true, value_name = "GAME")]
    pub game: GameName,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Count game records into a book
    Build(BuildArgs),
    /// The known moves of a position
    Show(ShowArgs),
    /// What a book was made of, and how much it knows
    Info {
        /// The book
        #[arg(value_name = "BOOK")]
        book: PathBuf,
        #[command(flatten)]
        form: Form,
    },
    /// Add the counts of two books
    Merge(MergeArgs),
}

#[derive(clap::Args)]
#[command(mut_arg("plies", |arg| usual(arg, "40; of Surakarta 30, of Connect6 23 stones, six turns of each side")))]
struct BuildArgs {
    /// Game files (.pgn, .pgn.gz, .pgn.zst and others); without any, the embedded self-play games of Xiangqi
    #[arg(value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// Leave out games that are invalid, with a count, instead of stopping at the first
    #[arg(long)]
    drop_invalid: bool,
    /// The book to write, .db, .sqlite or .sqlite3
    #[arg(long, value_parser = OutPath::file(BOOK_ENDINGS), value_name = "BOOK")]
    out: OutPath,
    #[command(flatten)]
    settings: Of<BookSettings>,
    #[command(flatten)]
    form: Form,
}

#[derive(clap::Args)]
struct ShowArgs {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// The position; the initial one by default
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Moves to make from there, separated by commas, such as h2e2,h9g7
    #[arg(long, value_name = "MOVES", value_delimiter = ',')]
    moves: Vec<String>,
    #[command(flatten)]
    form: Form,
}

#[derive(clap::Args)]
struct MergeArgs {
    /// One book
    #[arg(value_name = "A")]
    a: PathBuf,
    /// Another book, of other games: games in both count twice, which a note says
    #[arg(value_name = "B")]
    b: PathBuf,
    /// The book to write, .db, .sqlite or .sqlite3
    #[arg(long, value_parser = OutPath::file(BOOK_ENDINGS), value_name = "BOOK")]
    out: OutPath,
    #[command(flatten)]
    form: Form,
}

/// Runs the command.
pub fn run<G: Catalogue>(args: Args, session: &Session) -> anyhow::Result<()> {
    match args.command {
        Command::Build(args) => build::<G>(args, session),
        Command::Show(args) => show::<G>(&args),
        Command::Info { book, form } => inform(&book, &Book::<G>::open(&book)?, form),
        Command::Merge(args) => merge_books::<G>(&args, session),
    }
}

fn build<G: Catalogue>(args: BuildArgs, session: &Session) -> anyhow::Result<()> {
    let usual = BookSettings { plies: G::BOOK_PLIES, ..BookSettings::default() };
    let mut builder = Builder::new(args.settings.onto(usual)?)?;
    let games = GameSources::of(args.games, Some(args.drop_invalid)).read::<G>(session)?;
    check_distinct(&games.inputs)?;
    games.note_duplicates(Copies::Count);
    games.records.iter().for_each(|record| builder.add(record));
    let book = builder.finish(games.inputs);
    book.save(&args.out, &session.progress)?;
    inform(&args.out, &book, args.form)
}

/// Refuses files that hold the same games, as `merge` refuses books of them.
fn check_distinct(inputs: &[(String, String)]) -> anyhow::Result<()> {
    let again = |&at: &usize| inputs[..at].iter().any(|(_, sum)| *sum == inputs[at].1);
    match (0..inputs.len()).find(again) {
        Some(at) => {
            bail!("`{}` holds the games of a file named before it, which would count twice: leave it out", inputs[at].0)
        }
        None => Ok(()),
    }
}

fn merge_books<G: Catalogue>(args: &MergeArgs, session: &Session) -> anyhow::Result<()> {
    let (a, b) = (Book::<G>::open(&args.a)?, Book::<G>::open(&args.b)?);
    let book = merge(&a, &b)?;
    note_shared(args, &a, &b);
    book.save(&args.out, &session.progress)?;
    inform(&args.out, &book, args.form)
}

/// Tells of games that count twice, or that this cannot be known.
fn note_shared<G: Catalogue>(args: &MergeArgs, a: &Book<G>, b: &Book<G>) {
    for (path, book) in [(&args.a, a), (&args.b, b)] {
        if book.different_games().is_none() {
            eprintln!(
                "note: `{}` does not say which games it counts, so games in both books may count twice: build it again",
                path.display()
            );
        }
    }
    if let Some(shared @ 1..) = a.games_shared_with(b) {
        eprintln!("note: games that are in both books and count twice: {shared}; `games import` keeps one of each");
    }
}

/// Prints what a book says of itself.
fn inform<G: Catalogue>(path: &Path, book: &Book<G>, form: Form) -> anyhow::Result<()> {
    let meta = book.meta();
    let inputs: Vec<_> = meta.inputs.iter().map(|(name, sha256)| json!({"name": name, "sha256": sha256})).collect();
    let document = json!({
        "book": path.display().to_string(),
        "game": G::NAME,
        "games": meta.games,
        "different_games": book.different_games(),
        "plies": meta.plies,
        "min_games": meta.min_games,
        "positions": book.positions(),
        "moves": book.len(),
        "program": meta.program,
        "inputs": inputs,
    });
    let rows: [(&str, Cell); 8] = [
        ("game", G::NAME.into()),
        ("games", meta.games.into()),
        ("different games", book.different_games().into()),
        ("plies of each game", u64::from(meta.plies).into()),
        ("fewest games of a move", u64::from(meta.min_games).into()),
        ("positions", book.positions().into()),
        ("moves", book.len().into()),
        ("written by", meta.program.as_str().into()),
    ];
    let rows = rows.map(|(name, cell)| [name.into(), cell]);
    let table = Table::new(path.display().to_string(), &["book"], &["value"]).with_rows(rows);
    let inputs = meta.inputs.iter().map(|(name, sha256)| format!("{sha256}  {name}\n"));
    form.give(&document, Sheet::ALL_FIELDS, &(table.to_text() + &inputs.collect::<String>()))
}

fn show<G: Catalogue>(args: &ShowArgs) -> anyhow::Result<()> {
    let book = Book::<G>::open(&args.book)?;
    let position = position::<G>(args)?;
    let moves = book.moves(&position);
    let total: u64 = moves.iter().map(|known| known.wdl.games()).sum();
    let table = table_of(position.notation(), &moves, total);
    let moves: Vec<_> = moves.iter().map(|known| as_json(known, total)).collect();
    let document = json!({"position": position.notation(), "games": total, "moves": moves});
    args.form.give(&document, Sheet::Made(&|| table.to_csv()), &table.to_text())
}

/// The moves of a position after which `total` games are known, one row each: of their results a reader sees shares, and CSV has counts.
fn table_of<M: Display>(caption: String, moves: &[BookMove<M>], total: u64) -> Table {
    let percent = |count: u64, of: u64| Cell::real(100.0 * count as f64 / of as f64, 1);
    let rows = moves.iter().map(|known| {
        let (wdl, (low, high)) = (known.wdl, known.interval());
        let results = [wdl.wins, wdl.draws, wdl.losses].map(|count| Cell::Several {
            shown: format!("{:.1}", 100.0 * count as f64 / wdl.games() as f64),
            values: vec![count.into()],
        });
        let scores = [known.score(), low, high].map(|score| Cell::real(100.0 * score, 1));
        let names = [known.mv.to_string().into(), wdl.games().into(), percent(wdl.games(), total)];
        names.into_iter().chain(results).chain(scores)
    });
    let shares =
        [("won %", "won"), ("drawn %", "drawn"), ("lost %", "lost"), ("score %", "score"), ("low %", "score_low")];
    let named = shares.into_iter().chain([("high %", "score_high")]).map(|(shown, name)| Heading::named(shown, [name]));
    Table::new(caption, &["move"], &["games", "share %"]).and_numbers(named).with_rows(rows)
}

/// The position asked for.
fn position<G: Catalogue>(args: &ShowArgs) -> anyhow::Result<G> {
    let mut position: G = position_asked_for(args.fen.as_deref(), "fen")?;
    for (index, text) in args.moves.iter().enumerate() {
        let mv = position.parse_move(text.trim()).with_context(|| format!("`--moves`, move {}", index + 1))?;
        position.play(mv);
    }
    Ok(position)
}

fn as_json<M: Display>(known: &BookMove<M>, total: u64) -> serde_json::Value {
    let (low, high) = known.interval();
    json!({
        "move": known.mv.to_string(),
        "games": known.wdl.games(),
        "share": known.wdl.games() as f64 / total as f64,
        "won": known.wdl.wins,
        "drawn": known.wdl.draws,
        "lost": known.wdl.losses,
        "score": known.score(),
        "score_low": low,
        "score_high": high,
    })
}
