//! `roughboard threats`: threats of a Connect6 position, what stops them, and a win by nothing but threats.

use std::path::Path;

use anyhow::{Context, ensure};
use roughboard::game::{Game, Notation, Side};
use roughboard::games::connect6::threats::{
    Answer, Found, Limits, MAX_TURNS, Proof, Solver, minimal_blocks, threat_count,
};
use roughboard::games::connect6::{Connect6, Point};
use serde_json::{Value, json};

use super::form::{Form, Sheet};
use super::output::write;
use super::rules::position_asked_for;
use super::targets::OutPath;

/// Arguments of `threats`.
#[derive(clap::Args)]
pub struct Args {
    /// Position; without it, the initial position
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Stones to place first, such as "j10 k11 i11"
    #[arg(long, default_value = "", hide_default_value = true, value_name = "STONES")]
    moves: String,
    /// The most double-threat turns of a win, 1 to 100
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_TURNS)))]
    turns: u8,
    /// Give up after looking at this many positions
    #[arg(long, default_value_t = 1_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Write the whole proof of a win to this file: JSON if its name ends in .json, else text
    #[arg(long, value_parser = OutPath::file(&[".txt", ".json"]), value_name = "FILE")]
    proof: Option<OutPath>,
    #[command(flatten)]
    form: Form,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let game = position(args)?;
    let found = Solver::new().solve(&game, Limits { turns: args.turns, nodes: args.nodes });
    args.form.give(&to_json(&game, &found), SHEET, &to_text(&game, &found))?;
    match (&args.proof, &found.answer) {
        (Some(path), Answer::Win(proof)) => write_proof(path, &game, proof),
        (Some(path), _) => anyhow::bail!("`{}` was not written: no win to prove", path.display()),
        (None, _) => Ok(()),
    }
}

fn position(args: &Args) -> anyhow::Result<Connect6> {
    let mut game: Connect6 = position_asked_for(args.fen.as_deref(), "fen")?;
    for (number, text) in (1..).zip(args.moves.split_whitespace()) {
        let stone = game.parse_move(text).with_context(|| format!("`--moves`: stone {number}"))?;
        game.play(stone);
    }
    if let Some(end) = game.end() {
        ensure!(false, "the game is over: {}", end.reason);
    }
    Ok(game)
}

fn write_proof(path: &Path, game: &Connect6, proof: &Proof) -> anyhow::Result<()> {
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let text = if is_json {
        serde_json::to_string_pretty(&json!({"position": game.notation(), "proof": proof}))? + "\n"
    } else {
        format!("{}\n{proof}", game.notation())
    };
    write(path, text)
}

/// The defences of the side to move: sets of no more stones than it has left.
fn defences(game: &Connect6) -> Vec<Vec<Point>> {
    let mut blocks = minimal_blocks(game, game.side_to_move().other());
    blocks.retain(|block| block.len() <= usize::from(game.stones_left()));
    blocks
}

fn names(points: &[Point]) -> Vec<&'static str> {
    points.iter().map(|point| point.name()).collect()
}

/// What CSV has of the answer: all but the proof, which is a tree.
const SHEET: Sheet<'_> =
    Sheet::Fields(&["position", "verdict", "turns", "threats", "enemy_threats", "blocks", "line", "nodes"]);

fn to_json(game: &Connect6, found: &Found) -> Value {
    let side = game.side_to_move();
    // What the answer says in a word, and the turns that it is about.
    let (verdict, turns) = match &found.answer {
        Answer::Win(proof) => ("win", Some(proof.turns())),
        Answer::Never => ("none", None),
        Answer::NotWithin(turns) => ("none within", Some(u32::from(*turns))),
        Answer::Unknown(turns) => ("unknown beyond", Some(u32::from(*turns))),
    };
    let blocks: Vec<_> = defences(game).iter().map(|block| names(block)).collect();
    let mut document = json!({
        "position": game.notation(),
        "threats": threat_count(game, side),
        "enemy_threats": threat_count(game, side.other()),
        "blocks": blocks,
        "verdict": verdict,
        "turns": turns,
        "nodes": found.nodes,
    });
    if let Answer::Win(proof) = &found.answer {
        document["line"] = json!(names(&proof.line(game)));
        document["proof"] = serde_json::to_value(proof).unwrap_or(Value::Null);
    }
    document
}

fn to_text(game: &Connect6, found: &Found) -> String {
    let side = game.side_to_move();
    let mut text = format!("{}\n", game.notation());
    text += &threats_in_words(game, side);
    text += &threats_in_words(game, side.other());
    if threat_count(game, side.other()) > 0 {
        let blocks: Vec<_> = defences(game).iter().map(|block| names(block).join(" ")).collect();
        let blocks = if blocks.is_empty() { "nothing".to_owned() } else { blocks.join(", ") };
        text += &format!("stopped by {blocks}\n");
    }
    text + &answer_in_words(game, &found.answer) + &format!("{} positions looked at\n", found.nodes)
}

fn threats_in_words(game: &Connect6, side: Side) -> String {
    let name = Connect6::SIDES[side.index()];
    match threat_count(game, side) {
        0 => format!("{name} has no threats\n"),
        1 => format!("{name}'s threats need 1 stone to stop\n"),
        stones => format!("{name}'s threats need {stones} stones to stop\n"),
    }
}

fn answer_in_words(game: &Connect6, answer: &Answer) -> String {
    let name = Connect6::SIDES[game.side_to_move().index()];
    match answer {
        Answer::Win(proof) => {
            let line = names(&proof.line(game)).join(" ");
            let first = names(&proof.stones).join(" ");
            match proof.turns() {
                0 => format!("{name} wins at once with {first}\n"),
                1 => format!("{name} wins with {first}, 1 double-threat turn\nline {line}\n"),
                turns => format!("{name} wins with {first}, {turns} double-threat turns\nline {line}\n"),
            }
        }
        Answer::Never => format!("{name} has no win by continuous double threats\n"),
        Answer::NotWithin(turns) => format!("{name} has no win by at most {turns} double-threat turns\n"),
        Answer::Unknown(turns) => {
            format!(
                "{name} has no win by at most {turns} double-threat turns; more are unknown, as `--nodes` was reached\n"
            )
        }
    }
}
