//! Ratings of many entrants on one scale, from all games between them: the Bradley-Terry model.
//!
//! The expected score of i against j is 1/(1 + 10^((rⱼ − rᵢ)/400)), a draw counts as half a win and half a loss, and the
//! ratings r maximise the likelihood. (R. A. Bradley, M. E. Terry, *Rank analysis of incomplete block designs*, Biometrika
//! 39, 1952; when a maximum exists: L. R. Ford, American Mathematical Monthly 64, 1957.)

mod groups;
mod matrix;

use super::elo::ONE_SIDED_ERROR;
use super::normal::Z95;
use super::{Wdl, normal_cdf};
use groups::classes;
use matrix::Matrix;

/// Elo per unit of the natural logarithm of the odds.
pub(super) const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;
/// Newton's method ends when no rating moves by more than this, in logits.
const TOLERANCE: f64 = 1e-12;
/// Far more steps than Newton's method takes on a concave function, but for those that are shortened.
const MAX_STEPS: usize = 200;
/// Shortened steps for each entrant: results of 64 bits against half a point are ln(2·2⁶⁴), which is 45 steps, and at the worst
/// entrants stand so far above one another, all in a row.
const STEPS_EACH: usize = 50;
/// Bounds are looked for this far away, in logits, by so many bisections.
const FARTHEST: f64 = 1e4;
const BISECTIONS: usize = 80;

/// All games between two entrants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encounter {
    /// One entrant, by its number.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// The results from the side of the first.
    pub results: Wdl,
}

/// What a rating is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// The likelihood has its maximum here.
    Rated,
    /// The entrant, or its class, won every game against those below: its rating is at least this, 95 % sure.
    AtLeast,
    /// The entrant, or its class, lost every game against those above: its rating is at most this, 95 % sure.
    AtMost,
    /// The games leave both sides open: the entrant lost every game against some and won every game against others, or
    /// its rating hangs on a bound in the other direction.
    Open,
}

/// One entrant's rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// Elo, always finite. The mean over the entrants of the group that are [`Standing::Rated`] is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval of [`Rating::elo`] about that mean; `None` for a bound and for an entrant that
    /// is rated alone. It takes games as won or lost outright, so with many draws it is wider than need be.
    pub error: Option<f64>,
    /// What the number is worth.
    pub standing: Standing,
    /// The number of the group of entrants, from 0, whose games connect them. Ratings of two groups cannot be compared.
    pub group: usize,
}

/// The ratings of all entrants.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// By entrant.
    pub entrants: Vec<Rating>,
    /// The number of groups.
    pub groups: usize,
    /// Covariances of the ratings that are [`Standing::Rated`], in Elo²; 0 elsewhere.
    covariance: Matrix,
}

impl Ratings {
    /// By how much `first` is rated above `second`, in Elo, with half the width of the 95 % interval; `None` unless both
    /// are [`Standing::Rated`] in one group.
    pub fn difference(&self, first: usize, second: usize) -> Option<(f64, f64)> {
        let (a, b) = (self.entrants.get(first)?, self.entrants.get(second)?);
        let comparable = a.group == b.group && [a, b].iter().all(|rating| rating.standing == Standing::Rated);
        let covariance = |i, j| self.covariance.at(i, j);
        let variance = covariance(first, first) + covariance(second, second) - 2.0 * covariance(first, second);
        comparable.then(|| (a.elo - b.elo, Z95 * variance.max(0.0).sqrt()))
    }

    /// The likelihood that `first` is stronger than `second`, in [0, 1]; `None` unless their difference has an error.
    pub fn los(&self, first: usize, second: usize) -> Option<f64> {
        let (elo, error) = self.difference(first, second)?;
        (error > 0.0).then(|| normal_cdf(elo / error * Z95))
    }
}

/// Why entrants could not be rated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RatingError {
    /// An encounter names an entrant that is not there.
    #[error("encounter {encounter}: expected entrants below {entrants}, found {found}")]
    Unknown {
        /// The encounter, from 1.
        encounter: usize,
        /// How many entrants there are.
        entrants: usize,
        /// What it names.
        found: usize,
    },
    /// An encounter of an entrant with itself.
    #[error("encounter {encounter}: expected two entrants, found {found} against itself")]
    Itself {
        /// The encounter, from 1.
        encounter: usize,
        /// The entrant.
        found: usize,
    },
    /// Newton's method did not come to rest.
    #[error("ratings still move after {steps} steps")]
    NotConverged {
        /// The steps taken.
        steps: usize,
    },
}

/// Rates `entrants` entrants by all `encounters` between them.
///
/// The maximum of the likelihood is finite within a class of entrants in which everybody took points, directly or through
/// others, off everybody else. In each group of connected entrants the class with the most games between its members is
/// rated that way. The others are put at the distance from it at which results as one-sided as theirs have a probability of
/// 5 %, and marked; what such a class says about its own members is kept.
///
/// # Errors
/// When an encounter is not between two of the entrants, or the ratings do not come to rest.
pub fn rate(entrants: usize, encounters: &[Encounter]) -> Result<Ratings, RatingError> {
    let points = points(entrants, encounters)?;
    let (classes, groups) = classes(entrants, |i, j| points.at(i, j) > 0.0);
    let unplaced = Rating { elo: 0.0, error: None, standing: Standing::Open, group: 0 };
    let mut ratings = Ratings { entrants: vec![unplaced; entrants], groups, covariance: Matrix::zero(entrants) };
    for group in 0..groups {
        let classes: Vec<&[usize]> =
            classes.iter().filter(|class| class.group == group).map(|c| &c.members[..]).collect();
        rate_group(&points, &classes, &mut ratings)?;
        classes.concat().into_iter().for_each(|i| ratings.entrants[i].group = group);
    }
    Ok(ratings)
}

/// Entry (i, j): the points that i took off j.
fn points(entrants: usize, encounters: &[Encounter]) -> Result<Matrix, RatingError> {
    let mut points = Matrix::zero(entrants);
    for (encounter, &Encounter { first, second, results }) in (1..).zip(encounters) {
        if let Some(found) = [first, second].into_iter().find(|&entrant| entrant >= entrants) {
            return Err(RatingError::Unknown { encounter, entrants, found });
        }
        if first == second {
            return Err(RatingError::Itself { encounter, found: first });
        }
        *points.at_mut(first, second) += results.points();
        *points.at_mut(second, first) += results.swapped().points();
    }
    Ok(points)
}

/// Rates the connected entrants of `classes`.
fn rate_group(points: &Matrix, classes: &[&[usize]], ratings: &mut Ratings) -> Result<(), RatingError> {
    let mut logits = vec![0.0; points.size()];
    for class in classes {
        fit(points, class, &mut logits)?;
    }
    let games = |class: &[usize]| class.iter().flat_map(|&i| class.iter().map(move |&j| points.at(i, j))).sum::<f64>();
    // The first of those with the most games.
    let Some(core) = (0..classes.len()).rev().max_by(|&a, &b| games(classes[a]).total_cmp(&games(classes[b]))) else {
        return Ok(());
    };
    let mut placed: Vec<(usize, Standing)> = classes[core].iter().map(|&i| (i, Standing::Rated)).collect();
    let mut waiting: Vec<&[usize]> =
        classes.iter().enumerate().filter(|&(at, _)| at != core).map(|(_, c)| *c).collect();
    // Whoever is connected to nobody placed yet waits for the next round.
    while let Some(next) = waiting.iter().position(|class| !Link::between(points, class, &placed).is_empty()) {
        let class = waiting.remove(next);
        let link = Link::between(points, class, &placed);
        let distance = link.distance(&logits);
        class.iter().for_each(|&i| logits[i] += distance);
        placed.extend(class.iter().map(|&i| (i, link.standing)));
    }
    for (i, standing) in placed {
        ratings.entrants[i] = Rating { elo: logits[i] * ELO_PER_LOGIT, standing, ..ratings.entrants[i] };
    }
    set_errors(points, classes[core], &logits, ratings);
    Ok(())
}

/// The information about the logits of `members`: a Laplacian with weights n·p·(1 − p).
fn information(points: &Matrix, members: &[usize], logits: &[f64]) -> Matrix {
    let mut information = Matrix::zero(members.len());
    for (a, &i) in members.iter().enumerate() {
        for (b, &j) in members.iter().enumerate().filter(|&(b, _)| b != a) {
            let chances = expected_score(logits[i] - logits[j]) * expected_score(logits[j] - logits[i]);
            let weight = (points.at(i, j) + points.at(j, i)) * chances;
            *information.at_mut(a, a) += weight;
            *information.at_mut(a, b) -= weight;
        }
    }
    information
}

/// Maximises the likelihood of the games between `members`, whose mean logit becomes 0, by Newton's method.
///
/// A step is shortened until no difference moves by more than 1: the log-likelihood then rises in every step, as its third
/// derivatives are bounded by the second (generalised self-concordance).
fn fit(points: &Matrix, members: &[usize], logits: &mut [f64]) -> Result<(), RatingError> {
    let most = MAX_STEPS + STEPS_EACH * members.len();
    for _ in 0..most {
        let surplus = |&i: &usize| -> f64 {
            let against = |&j: &usize| {
                // Points less expected points, without the cancellation.
                points.at(i, j) * expected_score(logits[j] - logits[i])
                    - points.at(j, i) * expected_score(logits[i] - logits[j])
            };
            members.iter().filter(|&&j| j != i).map(against).sum()
        };
        let gradient: Vec<f64> = members.iter().map(surplus).collect();
        let step = information(points, members, logits).pseudo_inverse().times(&gradient);
        let spread = step.iter().copied().fold(0.0, f64::max) - step.iter().copied().fold(0.0, f64::min);
        let shortened = 1.0 / spread.max(1.0);
        members.iter().zip(&step).for_each(|(&i, step)| logits[i] += shortened * step);
        if spread <= TOLERANCE {
            return Ok(());
        }
    }
    Err(RatingError::NotConverged { steps: most })
}

/// The errors of the entrants of `core` and their covariances: the inverse of the information, for mean 0.
fn set_errors(points: &Matrix, core: &[usize], logits: &[f64], ratings: &mut Ratings) {
    let covariance = information(points, core, logits).pseudo_inverse();
    for (a, &i) in core.iter().enumerate() {
        for (b, &j) in core.iter().enumerate() {
            *ratings.covariance.at_mut(i, j) = covariance.at(a, b) * ELO_PER_LOGIT * ELO_PER_LOGIT;
        }
        ratings.entrants[i].error = (core.len() > 1).then(|| Z95 * ratings.covariance.at(i, i).max(0.0).sqrt());
    }
}

/// The games between a class and the entrants that are placed already, all of which were won by the same side.
struct Link {
    /// (member of the class, placed entrant, points of the member).
    won: Vec<(usize, usize, f64)>,
    /// The same with the points of the placed entrant.
    lost: Vec<(usize, usize, f64)>,
    /// What the place of the class is worth.
    standing: Standing,
}

impl Link {
    fn between(points: &Matrix, class: &[usize], placed: &[(usize, Standing)]) -> Self {
        let pairs = || class.iter().flat_map(|&i| placed.iter().map(move |&(j, _)| (i, j)));
        let won: Vec<_> = pairs().map(|(i, j)| (i, j, points.at(i, j))).filter(|&(_, _, w)| w > 0.0).collect();
        let lost: Vec<_> = pairs().map(|(i, j)| (i, j, points.at(j, i))).filter(|&(_, _, w)| w > 0.0).collect();
        let hangs_on = |games: &[(usize, usize, f64)], bound: Standing| {
            let sound = |&(j, standing): &(usize, Standing)| {
                standing == Standing::Rated || standing == bound || games.iter().all(|game| game.1 != j)
            };
            if placed.iter().all(sound) { bound } else { Standing::Open }
        };
        let standing = match (won.is_empty(), lost.is_empty()) {
            (false, true) => hangs_on(&won, Standing::AtLeast),
            (true, false) => hangs_on(&lost, Standing::AtMost),
            _ => Standing::Open,
        };
        Self { won, lost, standing }
    }

    fn is_empty(&self) -> bool {
        self.won.is_empty() && self.lost.is_empty()
    }

    /// By how much to move the class: to where results this one-sided have a probability of 5 %, or, between entrants that
    /// it beat and entrants that it lost to, to where they are most likely.
    fn distance(&self, logits: &[f64]) -> f64 {
        let sum = |games: &[(usize, usize, f64)], of: &dyn Fn(f64) -> f64| {
            games.iter().map(|&(i, j, weight)| weight * of(logits[i] - logits[j])).sum::<f64>()
        };
        let rising = |moved: f64| match (self.won.is_empty(), self.lost.is_empty()) {
            (_, true) => sum(&self.won, &|x| log_expected_score(x + moved)) - ONE_SIDED_ERROR.ln(),
            (true, _) => ONE_SIDED_ERROR.ln() - sum(&self.lost, &|x| log_expected_score(-x - moved)),
            (false, false) => {
                sum(&self.lost, &|x| expected_score(x + moved)) - sum(&self.won, &|x| expected_score(-x - moved))
            }
        };
        let (mut low, mut high) = (-FARTHEST, FARTHEST);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            if rising(middle) < 0.0 { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }
}

/// 1/(1 + e^(−x)).
fn expected_score(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// ln of [`expected_score`], without overflow.
pub(super) fn log_expected_score(logit: f64) -> f64 {
    if logit < 0.0 { logit - logit.exp().ln_1p() } else { -(-logit).exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    fn encounter(first: usize, second: usize, [wins, draws, losses]: [u64; 3]) -> Encounter {
        Encounter { first, second, results: Wdl::new(wins, draws, losses) }
    }

    /// Odds of 3, known from four games of 3/4 · 1/4 each.
    #[test]
    fn two_entrants_differ_by_the_odds_of_their_points() {
        let ratings = rate(2, &[encounter(0, 1, [3, 0, 1])]).unwrap();
        let (elo, error) = ratings.difference(0, 1).unwrap();
        let deviation = (4.0_f64 / 3.0).sqrt();
        assert_abs_diff_eq!(elo, 400.0 * 3_f64.log10(), epsilon = 1e-6);
        assert_abs_diff_eq!(error, Z95 * ELO_PER_LOGIT * deviation, epsilon = 1e-6);
        let [first, second] = [0, 1].map(|at| ratings.entrants[at]);
        assert_abs_diff_eq!(first.elo, 0.5 * elo, epsilon = 1e-6);
        assert_abs_diff_eq!(second.elo, -0.5 * elo, epsilon = 1e-6);
        assert_abs_diff_eq!(first.error.unwrap(), 0.5 * error, epsilon = 1e-6);
        assert_abs_diff_eq!(ratings.los(0, 1).unwrap(), normal_cdf(3_f64.ln() / deviation), epsilon = 1e-9);
        assert_eq!((ratings.difference(0, 2), ratings.los(1, 1)), (None, None));
        let apart = rate(4, &[encounter(0, 1, [1, 0, 1]), encounter(3, 2, [1, 2, 1])]).unwrap();
        assert_eq!((apart.groups, apart.difference(0, 2), apart.difference(2, 3).is_some()), (2, None, true));
    }

    #[test]
    fn entrants_of_a_class_have_the_points_that_their_ratings_expect() {
        let encounters = [
            encounter(0, 1, [5, 1, 2]),
            encounter(0, 2, [3, 2, 3]),
            encounter(2, 1, [2, 0, 4]),
            encounter(3, 0, [1, 4, 0]),
        ];
        let elos: Vec<f64> = rate(4, &encounters).unwrap().entrants.iter().map(|entrant| entrant.elo).collect();
        assert_abs_diff_eq!(elos.iter().sum::<f64>(), 0.0, epsilon = 1e-6);
        let mut surplus = [0.0; 4];
        for Encounter { first, second, results } in encounters {
            let expected = 1.0 / (1.0 + 10_f64.powf((elos[second] - elos[first]) / 400.0));
            let more = results.points() - results.games() as f64 * expected;
            surplus[first] += more;
            surplus[second] -= more;
        }
        assert!(surplus.iter().all(|surplus: &f64| surplus.abs() < 1e-6), "{surplus:?}");
    }

    /// Two games won against an entrant rated 0 have a chance of 5 % where one has that of its root.
    #[test]
    fn who_won_or_lost_every_game_stands_where_that_has_a_chance_of_5_percent() {
        let one = ONE_SIDED_ERROR.sqrt();
        let least = 400.0 * (one / (1.0 - one)).log10();
        for (results, standing, elo) in [([2, 0, 0], Standing::AtLeast, least), ([0, 0, 2], Standing::AtMost, -least)] {
            let ratings = rate(3, &[encounter(0, 1, [1, 0, 1]), encounter(2, 0, results)]).unwrap();
            let [level, other, last] = [0, 1, 2].map(|at| ratings.entrants[at]);
            assert_eq!((level.standing, other.standing, last.standing), (Standing::Rated, Standing::Rated, standing));
            assert_abs_diff_eq!(last.elo, elo, epsilon = 1e-6);
            assert_abs_diff_eq!(level.elo, 0.0, epsilon = 1e-6);
            assert_abs_diff_eq!(other.error.unwrap(), Z95 * ELO_PER_LOGIT * 0.5_f64.sqrt(), epsilon = 1e-6);
            assert_eq!((last.error, ratings.difference(2, 0)), (None, None));
        }
    }

    /// Entrant 0 won all of ten games against entrant 1 and played nobody else; 1 is placed only by its ten games lost to 2.
    #[test]
    fn who_has_played_nobody_that_is_placed_waits() {
        let level = encounter(2, 3, [1, 0, 1]);
        let ratings = rate(4, &[encounter(0, 1, [10, 0, 0]), level, encounter(2, 1, [10, 0, 0])]).unwrap();
        let elo = |at: usize| ratings.entrants[at].elo;
        assert!(elo(1) < elo(2) - 50.0);
        assert_abs_diff_eq!(elo(0), elo(2), epsilon = 1e-6);
    }
}
