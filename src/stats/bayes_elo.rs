//! The BayesElo model: a draw parameter beside the difference in strength. Other programs test hypotheses in it.

use super::sprt::Sprt;
use super::{Wdl, elo_of_score, score_of_elo};

/// Strength and draw parameter of the model: a win has probability 1/(1 + 10^((draw_elo − elo)/400)), a loss
/// 1/(1 + 10^((draw_elo + elo)/400)).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BayesElo {
    /// How much stronger the player is.
    pub elo: f64,
    /// How likely draws are; 0 for none.
    pub draw_elo: f64,
}

impl BayesElo {
    /// The parameters under which the shares of won and lost games are those of `wins`, `draws`, `losses`, which need not
    /// be whole; `None` unless games were both won and lost.
    pub fn of_counts([wins, draws, losses]: [f64; 3]) -> Option<Self> {
        if wins <= 0.0 || losses <= 0.0 {
            return None;
        }
        let games = wins + draws + losses;
        let (win, loss) = (elo_of_score(wins / games), elo_of_score(losses / games));
        Some(Self { elo: 0.5 * (win - loss), draw_elo: -0.5 * (win + loss) })
    }

    /// Probabilities of win, draw and loss.
    pub fn probabilities(&self) -> [f64; 3] {
        let (win, loss) = (score_of_elo(self.elo - self.draw_elo), score_of_elo(-self.elo - self.draw_elo));
        [win, 1.0 - win - loss, loss]
    }

    /// The expected score.
    pub fn score(&self) -> f64 {
        let [win, draw, _] = self.probabilities();
        win + 0.5 * draw
    }

    /// The factor from logistic Elo to this scale is 1/`scale`: 4x/(1 + x)² with x = 10^(−draw_elo/400).
    pub fn scale(&self) -> f64 {
        let x = 10_f64.powf(-self.draw_elo / 400.0);
        4.0 * x / (1.0 + x).powi(2)
    }
}

/// Whose reading of `elo0` and `elo1` to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BayesTest {
    /// BayesElo itself, likelihoods of the model.
    Plain,
    /// Likelihoods of the model; half a game is added to each count, and the hypotheses are logistic Elo, scaled
    /// (cutechess).
    Cutechess,
    /// The hypotheses are scores of the model, tested as logistic ones by maximum likelihood (fastchess).
    Fastchess,
}

/// The log-likelihood ratio of `sprt`'s hypotheses in the BayesElo model, the draw parameter being that of the sample.
/// `None` where the sample has none: without wins or without losses, unless `test` adds them.
pub fn bayes_llr(sprt: &Sprt, games: Wdl, test: BayesTest) -> Option<f64> {
    let added = if test == BayesTest::Cutechess { 0.5 } else { 0.0 };
    let counts = [games.wins, games.draws, games.losses].map(|count| count as f64 + added);
    let sample = BayesElo::of_counts(counts)?;
    let factor = if test == BayesTest::Cutechess { 1.0 / sample.scale() } else { 1.0 };
    let [zero, one] = [sprt.elo0, sprt.elo1].map(|elo| BayesElo { elo: factor * elo, ..sample });
    if test == BayesTest::Fastchess {
        let [elo0, elo1] = [zero, one].map(|hypothesis| elo_of_score(hypothesis.score()));
        return Some(Sprt { elo0, elo1, ..*sprt }.llr(games));
    }
    let ratios = one.probabilities().into_iter().zip(zero.probabilities());
    Some(
        counts
            .iter()
            .zip(ratios)
            .filter(|(count, _)| **count > 0.0)
            .map(|(count, (p1, p0))| count * (p1 / p0).ln())
            .sum(),
    )
}
