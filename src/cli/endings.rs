//! `roughboard endings`: exact knowledge of endings of Xiangqi with few pieces.

use std::path::Path;

use roughboard::disk::sha256;
use roughboard::game::{Game, Notation};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::games::xiangqi::endings::{self, Ending, Material, Results, Solver, Survey, Value};
use roughboard::observe::Observer;
use roughboard::report::{Cell, Table};
use serde_json::json;

use super::form::{Form, Sheet};
use super::output::{print, write};
use super::rules::position_asked_for;
use super::session::Session;
use super::targets::OutPath;

/// What `endings` can do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Solve all positions of some material and count their results
    Solve {
        /// The pieces of Red, such as KR
        red: String,
        /// The pieces of Black, such as KAA
        black: String,
        #[command(flatten)]
        form: Form,
    },
    /// What is known of a position
    Show(ShowArgs),
    /// Survey all endings that the program knows; takes minutes
    Table {
        /// The file to write
        #[arg(long, value_parser = OutPath::file(&[".json"]), value_name = "FILE.json")]
        out: OutPath,
    },
}

#[derive(clap::Args)]
pub struct ShowArgs {
    /// The position
    #[arg(long, value_name = "FEN")]
    fen: String,
    /// Also solve the position's material for the exact value
    #[arg(long)]
    exact: bool,
    #[command(flatten)]
    form: Form,
}

/// Runs the command.
pub fn run(command: Command, session: &Session) -> anyhow::Result<()> {
    match command {
        Command::Solve { red, black, form } => solve(&format!("{red} {black}"), form),
        Command::Show(args) => show(&args),
        Command::Table { out } => table(&out, session),
    }
}

fn solve(material: &str, form: Form) -> anyhow::Result<()> {
    let material: Material = material.parse()?;
    let survey = Survey::of(material, &mut Solver::new())?;
    let [strong, weak] = ["the first side to move", "the second side to move"];
    let of_side = |name: &str, side: usize| {
        let kinds = [("", &survey.all), (", settled", &survey.settled), (", unthreatened", &survey.unthreatened)];
        kinds.map(|(kind, results)| row(&format!("{name}{kind}"), results[side]))
    };
    let rows = [of_side(strong, 0), of_side(weak, 1)].concat();
    let numbers = ["all", "won", "drawn", "lost", "won %"];
    let table = Table::new(survey.material.clone(), &["positions"], &numbers).with_rows(rows);
    let last = format!("results of the first side; its longest win takes {} plies\n", survey.longest_win);
    form.give(&survey, Sheet::Made(&|| table.to_csv()), &(table.to_text() + &last))
}

fn row(name: &str, results: Results) -> [Cell; 6] {
    let share = 100.0 * results.won as f64 / results.positions() as f64;
    let [all, won, drawn, lost] = [results.positions(), results.won, results.drawn, results.lost].map(Cell::from);
    [name.into(), all, won, drawn, lost, Cell::real(share, 1)]
}

fn show(args: &ShowArgs) -> anyhow::Result<()> {
    let game: Xiangqi = position_asked_for(Some(&args.fen), "fen")?;
    let (known, settled) = (endings::known(&game), endings::is_settled(&game));
    let exact = if args.exact { endings::exact(&game, &mut Solver::new())? } else { None };
    let document = json!({
        "position": game.notation(),
        "material": Material::of(&game).to_string(),
        "settled": settled,
        "known": known.map(in_words),
        "exact": exact.map(value_in_words),
    });
    let mut rows: Vec<[Cell; 2]> = vec![
        ["material".into(), Material::of(&game).to_string().into()],
        ["settled".into(), if settled { "yes" } else { "no" }.into()],
        ["known".into(), known.map_or("nothing".to_owned(), in_words).into()],
    ];
    if args.exact {
        rows.push(["exact, for the side to move".into(), exact.map(value_in_words).into()]);
    }
    let text = Table::new(game.notation(), &["ending", "is"], &[]).with_rows(rows).to_text();
    args.form.give(&document, Sheet::ALL_FIELDS, &text)
}

fn in_words(ending: Ending) -> String {
    match ending {
        Ending::Win(side) => format!("{} wins", Xiangqi::SIDES[side.index()]),
        Ending::Draw => "draw".to_owned(),
        Ending::Drawish { strong, scale } => {
            format!("{} wins {scale} in 64", strong.map_or("each side", |side| Xiangqi::SIDES[side.index()]))
        }
    }
}

fn value_in_words(value: Value) -> String {
    match value {
        Value::Won(plies) => format!("won in {plies} plies"),
        Value::Drawn => "drawn".to_owned(),
        Value::Lost(plies) => format!("lost in {plies} plies"),
    }
}

fn table(out: &Path, session: &Session) -> anyhow::Result<()> {
    session.progress.begin("solving endings", endings::catalogue().len() as u64);
    let surveys = endings::survey_all(|survey| {
        session.progress.advance(1);
        session.progress.remark(&survey.material);
    });
    session.progress.end();
    let count = surveys.len();
    let text = endings::to_json(surveys)?;
    write(out, &text)?;
    print(&format!("{count} endings written to {}\nSHA-256 {}\n", out.display(), sha256(text.as_bytes())))
}
