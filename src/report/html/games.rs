//! Games on a page: boards that are worked out beforehand, so that the page's script knows no rules.

use std::fmt::Write as _;

use serde::Serialize;

use super::board::Board;
use super::escaped;

/// The games of a run that a page shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Games {
    /// What the sides are called; the first one begins.
    pub sides: [&'static str; 2],
    /// How pieces are drawn.
    pub pieces: Vec<Piece>,
    /// The games.
    pub games: Vec<ShownGame>,
    /// The rules of networks that plies refer to, in words.
    pub rules: Vec<String>,
    /// How many games the run has in all.
    #[serde(skip)]
    pub total: usize,
}

/// How a piece is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Its letter on boards.
    pub letter: char,
    /// Whose it is: 0 or 1.
    pub side: usize,
    /// What stands on it in Latin letters, and in its own script; empty for nothing.
    pub labels: [String; 2],
    /// What it is called.
    pub name: &'static str,
}

/// A game, ply by ply.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ShownGame {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Who plays, the first side before the second.
    pub names: [String; 2],
    /// The result as PGN writes it.
    pub result: &'static str,
    /// What ended it.
    pub end: String,
    /// The board.
    #[serde(flatten)]
    pub board: Board,
    /// The letter on each point before the first move, row by row from the upper left.
    pub start: String,
    /// The moves.
    pub moves: Vec<Ply>,
    /// The ply, from 1, at which the players disagree most, if both said what they expect, and by how much, in thousandths.
    pub widest: Option<(usize, i32)>,
}

/// A move and what it changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Ply {
    /// The move, as the game writes it.
    #[serde(rename = "m")]
    pub text: String,
    /// Who made it: 0 or 1.
    #[serde(rename = "s")]
    pub side: usize,
    /// The points that changed, by their index, and the letters that stand there now.
    #[serde(rename = "d")]
    pub changes: Vec<(usize, char)>,
    /// The result that the mover expected for the **first** side, in thousandths.
    #[serde(rename = "v", skip_serializing_if = "Option::is_none")]
    pub expected: Option<i32>,
    /// The comment on the move.
    #[serde(rename = "c", skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The rule of the mover's network that has the largest share in the position before the move, by its place in [`Games::rules`], and
    /// that share in per cent.
    #[serde(rename = "r", skip_serializing_if = "Option::is_none")]
    pub rule: Option<(usize, u32)>,
}

impl Games {
    /// The place of a rule among the rules, to which it is added if it is new.
    pub fn number_of_rule(&mut self, words: String) -> usize {
        self.rules.iter().position(|known| *known == words).unwrap_or_else(|| {
            self.rules.push(words);
            self.rules.len() - 1
        })
    }
}

/// The place of the games on the page, for the script to fill; `id` is that of the data.
pub(crate) fn viewer(id: &str, games: &Games) -> String {
    let (shown, total) = (games.games.len(), games.total);
    let which = match (shown, total) {
        (shown, total) if shown == total => format!("All {total} games."),
        _ => format!(
            "{shown} of {total} games: for each pairing some that were won, drawn and lost, chosen by how far the \
             players' evaluations differ."
        ),
    };
    let mut html = format!(
        "<h3>Games</h3>\n<p class=\"key\">{which}</p>\n<noscript><p>Boards are drawn by the page's script, which is switched off.</p></noscript>\n"
    );
    // Writing to a string cannot fail.
    let _ = writeln!(html, "<div class=\"viewer\" data-games=\"{}\"></div>", escaped(id));
    let _ = writeln!(html, "<script type=\"application/json\" id=\"{}\">{}</script>", escaped(id), json(games));
    html
}

/// `games` as JSON that can stand in a page: nothing in it ends the element.
fn json(games: &Games) -> String {
    // Only maps with keys that are no texts could fail.
    serde_json::to_string(games).unwrap_or_default().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_records_cannot_end_the_data() {
        let hostile = "</script><script>alert(1)</script><!--";
        let game = ShownGame { names: [hostile.to_owned(), "\"><img onerror=x>".to_owned()], ..ShownGame::default() };
        let html = viewer("games-1", &Games { games: vec![game], total: 3, ..Games::default() });
        assert_eq!(html.matches("</script").count(), 1);
        assert!(html.contains("1 of 3 games") && !html.contains("<img") && !html.contains("<!--"));
        let data = html.split_once("id=\"games-1\">").unwrap().1.split_once("</script>").unwrap().0;
        let read: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(read["games"][0]["names"][0], hostile);
    }
}
