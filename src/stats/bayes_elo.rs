//! The BayesElo model: a draw parameter beside the difference in strength. Other programs test hypotheses in it.

use super::ratings::{ELO_PER_LOGIT, log_expected_score};
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
        let Self { elo, draw_elo } = *self;
        let (win, loss) = (score_of_elo(elo - draw_elo), score_of_elo(-elo - draw_elo));
        // 1 − win − loss without the cancellation: neither won nor lost, but for what a parameter of 0 leaves of that.
        let draw =
            score_of_elo(draw_elo - elo) * score_of_elo(draw_elo + elo) * -(-2.0 * draw_elo / ELO_PER_LOGIT).exp_m1();
        [win, draw, loss]
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
    // A draw is as likely as a win times a loss times a number that depends on the draw parameter alone, which both hypotheses
    // share. In logarithms no chance is too small.
    let [win, loss] = [1.0, -1.0].map(|side| {
        let [zero, one] =
            [zero, one].map(|model| log_expected_score((side * model.elo - model.draw_elo) / ELO_PER_LOGIT));
        one - zero
    });
    let [wins, draws, losses] = counts;
    Some(wins * win + draws * (win + loss) + losses * loss)
}

#[cfg(test)]
mod tests {
    use super::super::EloScale;
    use super::*;
    use approx::assert_abs_diff_eq;

    const SPRT: Sprt = Sprt { elo0: -5.0, elo1: 20.0, alpha: 0.05, beta: 0.05, scale: EloScale::Logistic };

    const GAMES: Wdl = Wdl { wins: 30, draws: 50, losses: 20 };

    /// Win, draw and loss, as the definition has them.
    fn chances(elo: f64, draw_elo: f64) -> [f64; 3] {
        let chance = |elo: f64| 1.0 / (1.0 + 10_f64.powf((draw_elo - elo) / 400.0));
        [chance(elo), 1.0 - chance(elo) - chance(-elo), chance(-elo)]
    }

    /// Σ n·ln(p₁/p₀).
    fn ratio(counts: [f64; 3], [zero, one]: [[f64; 3]; 2]) -> f64 {
        (0..3).map(|result| counts[result] * (one[result].ln() - zero[result].ln())).sum()
    }

    #[test]
    fn the_parameters_give_the_shares_back() {
        let model = BayesElo::of_counts([30.0, 50.0, 20.0]).unwrap();
        for (found, expected) in model.probabilities().into_iter().zip([0.3, 0.5, 0.2]) {
            assert_abs_diff_eq!(found, expected, epsilon = 1e-12);
        }
        assert_abs_diff_eq!(model.score(), 0.55, epsilon = 1e-12);
        assert_eq!(model.probabilities().map(|p| p as f32), chances(model.elo, model.draw_elo).map(|p| p as f32));
        // Without draws the odds of a win are 10^(elo/400), here 9.
        let sure = BayesElo::of_counts([9.0, 0.0, 1.0]).unwrap();
        assert_abs_diff_eq!(sure.elo, 800.0 * 3_f64.log10(), epsilon = 1e-9);
        assert_abs_diff_eq!(sure.draw_elo, 0.0, epsilon = 1e-9);
        for counts in [[0.0, 5.0, 5.0], [5.0, 5.0, 0.0]] {
            assert_eq!(BayesElo::of_counts(counts), None);
        }
    }

    #[test]
    fn the_scale_is_that_of_its_formula() {
        assert_eq!(BayesElo { elo: 7.0, draw_elo: 0.0 }.scale(), 1.0);
        assert_abs_diff_eq!(BayesElo { elo: 7.0, draw_elo: 400.0 }.scale(), 0.4 / 1.21, epsilon = 1e-12);
    }

    #[test]
    fn ratios_are_those_of_their_definitions() {
        let draw_elo = |counts| BayesElo::of_counts(counts).unwrap().draw_elo;
        let plain = draw_elo([30.0, 50.0, 20.0]);
        let expected = ratio([30.0, 50.0, 20.0], [SPRT.elo0, SPRT.elo1].map(|elo| chances(elo, plain)));
        assert_abs_diff_eq!(bayes_llr(&SPRT, GAMES, BayesTest::Plain).unwrap(), expected, epsilon = 1e-9);

        let counts = [30.5, 50.5, 20.5];
        let with_halves = draw_elo(counts);
        let x = 10_f64.powf(with_halves / -400.0);
        let hypotheses = [SPRT.elo0, SPRT.elo1].map(|elo| elo * (1.0 + x) * (1.0 + x) / (4.0 * x));
        let expected = ratio(counts, hypotheses.map(|elo| chances(elo, with_halves)));
        assert_abs_diff_eq!(bayes_llr(&SPRT, GAMES, BayesTest::Cutechess).unwrap(), expected, epsilon = 1e-9);

        let logistic = |elo: f64| {
            let [win, draw, _] = chances(elo, plain);
            let score = win + draw / 2.0;
            400.0 * (score / (1.0 - score)).log10()
        };
        let expected = Sprt { elo0: logistic(SPRT.elo0), elo1: logistic(SPRT.elo1), ..SPRT }.llr(GAMES);
        assert_abs_diff_eq!(bayes_llr(&SPRT, GAMES, BayesTest::Fastchess).unwrap(), expected, epsilon = 1e-9);
    }

    #[test]
    fn without_draws_or_losses_there_is_a_ratio_where_it_is_defined() {
        let won = Wdl { wins: 9, draws: 4, losses: 0 };
        assert_eq!(bayes_llr(&SPRT, won, BayesTest::Plain), None);
        assert!(bayes_llr(&SPRT, won, BayesTest::Cutechess).is_some_and(|ratio| ratio > 0.0));
        // A result that did not occur adds nothing, even where its chance is 0 under both hypotheses.
        let drawless = bayes_llr(&SPRT, Wdl { wins: 9, draws: 0, losses: 4 }, BayesTest::Plain).unwrap();
        assert!(drawless.is_finite());
    }
}
