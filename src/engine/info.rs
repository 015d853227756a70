//! What a search reports, in the words of the protocol.

use std::fmt::Display;

use super::Dialect;
use crate::eval::{Evaluator, Score};
use crate::game::{Game, Ranks};
use crate::search::{Iteration, SearchResult, WIN, mate_distance};

/// Centipawns c stand for an expected result of tanh(c / 600): under the traditional evaluator they are its points, of which a
/// rook is worth 600, and every other evaluator is brought to the same scale.
pub(super) const CENTIPAWN_UNIT: f64 = 600.0;

/// UCCI has no word for a mate: one in n plies scores this much less n.
const UCCI_MATE: i64 = 30_000;

/// Evaluations beyond this are cut, so that none looks like a mate.
const MAX_CENTIPAWNS: f64 = 20_000.0;

/// From an evaluator's unit to centipawns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    /// Centipawns of one unit.
    factor: f64,
}

impl Scale {
    /// The scale of `evaluator`, from the slope of its expected result at 0.
    pub fn of<G: Game>(evaluator: &dyn Evaluator<G>) -> Self {
        Self { factor: CENTIPAWN_UNIT * evaluator.expected_result(1) }
    }

    /// `score` in whole centipawns.
    pub fn centipawns(self, score: Score) -> i64 {
        (f64::from(score) * self.factor).round().clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS) as i64
    }
}

/// The value `score` of `evaluator` in whole centipawns, as the engine tells it.
pub fn centipawns<G: Game>(evaluator: &dyn Evaluator<G>, score: Score) -> i64 {
    Scale::of(evaluator).centipawns(score)
}

/// How one client wants its answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Style {
    pub dialect: Dialect,
    pub ranks: Ranks,
    pub scale: Scale,
    /// How many plies count as one move in the distance of a mate.
    pub plies_of_mate_move: i32,
}

impl Style {
    /// The lines on a finished iteration; UCCI knows the best line only.
    pub fn iteration<M: Display>(self, found: &Iteration<'_, M>) -> String {
        let Iteration { depth, seldepth, line, nodes, hashfull, .. } = *found;
        let (score, time) = (self.score(found.score), found.elapsed.as_millis());
        let nps = (nodes as f64 / found.elapsed.as_secs_f64().max(1e-6)) as u64;
        let mut text = match self.dialect {
            Dialect::Uci => format!(
                "info depth {depth} seldepth {seldepth} multipv {line} score {score} \
                 nodes {nodes} nps {nps} time {time} hashfull {hashfull} pv"
            ),
            Dialect::Contest => return String::new(),
            Dialect::Ucci if line > 1 => return String::new(),
            Dialect::Ucci => format!("info time {time} nodes {nodes}\ninfo depth {depth} score {score} pv"),
        };
        for mv in found.pv {
            text.push(' ');
            self.ranks.write(mv, &mut text);
        }
        text + "\n"
    }

    /// The line on a position that is not searched.
    pub(crate) fn static_score(self, score: Score) -> String {
        format!("info depth 0 score {}\n", self.score(score))
    }

    /// The answer to `go`.
    pub fn best<M: Display>(self, found: &SearchResult<M>) -> String {
        match (&found.best, self.dialect) {
            (None, Dialect::Uci | Dialect::Contest) => "bestmove (none)\n".to_owned(),
            (None, Dialect::Ucci) => "nobestmove\n".to_owned(),
            (Some(mv), _) => {
                let mut text = "bestmove ".to_owned();
                self.ranks.write(mv, &mut text);
                if let Some(ponder) = found.pv.get(1) {
                    text += " ponder ";
                    self.ranks.write(ponder, &mut text);
                }
                text + "\n"
            }
        }
    }

    /// A message that is not part of the game.
    pub fn message(self, text: &str) -> String {
        match self.dialect {
            Dialect::Uci => format!("info string {text}\n"),
            Dialect::Ucci => format!("info message {text}\n"),
            Dialect::Contest => format!("{text}\n"),
        }
    }

    /// A score for the side to move: UCI in centipawns, or as mate in its own moves; UCCI in one number.
    fn score(self, score: Score) -> String {
        match (mate_distance(score), self.dialect) {
            (None, Dialect::Uci | Dialect::Contest) => format!("cp {}", self.scale.centipawns(score)),
            (None, Dialect::Ucci) => self.scale.centipawns(score).to_string(),
            (Some(plies), Dialect::Uci | Dialect::Contest) => {
                // Mate in 0 is a loss: who has won already is a move away from it.
                let plies = if score > 0 { plies.max(1) } else { plies };
                format!("mate {}", moves_to_mate(plies, self.plies_of_mate_move))
            }
            (Some(plies), Dialect::Ucci) => {
                let sign = i64::from(score.signum());
                (sign * (UCCI_MATE - i64::from(plies.unsigned_abs()))).to_string()
            }
        }
    }
}

/// Moves up to a forced end in `plies` plies, of which so many count as one move, negative when the side to move loses; 0 when
/// it has lost already.
const fn moves_to_mate(plies: i32, plies_of_move: i32) -> i32 {
    plies.signum() * ((plies.abs() + plies_of_move - 1) / plies_of_move)
}

/// The result of a search that had no move to choose.
pub(super) fn nothing_found<G: Game>(position: &G) -> SearchResult<G::Move> {
    let over = position.end().filter(|_| position.count_legal_moves() == 0);
    let result = over.map_or(0, |end| end.outcome.value_for(position.side_to_move()));
    SearchResult { best: None, score: result * WIN, depth: 0, nodes: 0, null_windows: 0, pv: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::xiangqi::Traditional;
    use crate::games::xiangqi::Move;
    use std::time::Duration;

    fn style(dialect: Dialect, ranks: Ranks) -> Style {
        Style { dialect, ranks, scale: Scale::of(&Traditional::default()), plies_of_mate_move: 2 }
    }

    #[test]
    fn points_of_the_traditional_evaluator_are_centipawns() {
        let scale = Scale::of(&Traditional::default());
        for points in [-3000, -600, -1, 0, 1, 37, 600, 9999] {
            assert_eq!(scale.centipawns(points), i64::from(points));
        }
        assert_eq!(scale.centipawns(1_000_000), 20_000);
    }

    #[test]
    fn mates_are_told_in_own_moves() {
        let found = [1, 2, 3, 4, 0, -1, -2, -3, -4].map(|plies| moves_to_mate(plies, 2));
        assert_eq!(found, [1, 1, 2, 2, 0, -1, -1, -2, -2]);
        assert_eq!([3, 2, 0, -1, -4].map(|plies| moves_to_mate(plies, 1)), [3, 2, 0, -1, -4], "or counted in plies");
        let [uci, ucci] = [Dialect::Uci, Dialect::Ucci].map(|dialect| style(dialect, Ranks::FromZero));
        assert_eq!(
            [WIN - 3, 2 - WIN, -WIN, WIN].map(|score| uci.score(score)),
            ["mate 2", "mate -1", "mate 0", "mate 1"]
        );
        assert_eq!((ucci.score(WIN - 3), ucci.score(2 - WIN)), ("29997".into(), "-29998".into()));
    }

    #[test]
    fn iterations_read_as_each_protocol_wants_them() {
        let pv = ["h2e2", "h9g7"].map(|text| Move::parse(text).unwrap());
        let elapsed = Duration::from_millis(50);
        let found = Iteration {
            depth: 4,
            seldepth: 9,
            line: 1,
            score: 12,
            nodes: 1000,
            null_windows: 0,
            elapsed,
            hashfull: 3,
            pv: &pv,
        };
        assert_eq!(
            style(Dialect::Uci, Ranks::FromOne).iteration(&found),
            "info depth 4 seldepth 9 multipv 1 score cp 12 nodes 1000 nps 20000 time 50 hashfull 3 pv h3e3 h10g8\n"
        );
        let ucci = style(Dialect::Ucci, Ranks::FromZero);
        assert_eq!(ucci.iteration(&found), "info time 50 nodes 1000\ninfo depth 4 score 12 pv h2e2 h9g7\n");
        assert_eq!(ucci.iteration(&Iteration { line: 2, ..found }), "");
    }
}
