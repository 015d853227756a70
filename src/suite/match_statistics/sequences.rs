//! Sequential tests as they run: result by result, and many times over.

use std::iter::repeat_with;

use rand::RngExt;
use serde_json::json;

use super::figure::Figure;
use super::{decision, sprt_of};
use crate::random::stream;
use crate::stats::{EloScale, Pentanomial, Sprt, SprtRun, Verdict, drawn_pair, elo_of_score, pair_moments};
use crate::suite::Report;
use crate::suite::entry::{ContentError, Entry};

/// The shares below which the generator of the document gives 0, 1, 2, 3 half points.
const THRESHOLDS: [f64; 4] = [0.05, 0.2, 0.5, 0.8];
/// Simulated tests are cut off after so many pairs and first looked at after so many, as the document says.
const LIMIT: usize = 5000;
const FIRST_LOOK: u64 = 8;
/// Two simulations may differ by this many standard errors of their difference.
const DEVIATIONS: f64 = 4.0;
/// Seed of the simulations.
const SEED: u64 = 1;

/// The linear congruential generator that the document describes.
struct Generator(u64);

impl Generator {
    /// The half points of the next pair.
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let uniform = (self.0 >> 33) as f64 / f64::from(1_u32 << 31);
        THRESHOLDS.iter().filter(|&&threshold| uniform >= threshold).count()
    }
}

/// A test on the results of a generator: its course, its end and its verdict.
pub(super) fn check(entry: &Entry<'_>, report: &mut Report) -> Result<(), ContentError> {
    if entry.text("model")? != "logistic pentanomial exact" {
        return Err(entry.wrong("model", "logistic pentanomial exact"));
    }
    let sprt = sprt_of(entry, EloScale::Logistic)?;
    let (mut generator, mut outcomes) = (Generator(entry.whole("seed")?), Vec::new());
    let next = || {
        outcomes.push(generator.next());
        outcomes[outcomes.len() - 1]
    };
    let run = sprt.run(repeat_with(next).take(LIMIT), |pairs| sprt.llr(pairs));
    let stated = entry.reals("first_outcomes")?.len();
    let reals = |values: &mut dyn Iterator<Item = u64>| Figure::Reals(values.map(|value| value as f64).collect());
    let figures = [
        ("pairs_played", Figure::real(run.pairs.count() as f64)),
        ("counts", reals(&mut run.pairs.pairs.into_iter())),
        ("decision", decision(run.verdict)),
        ("first_outcomes", reals(&mut outcomes.iter().take(stated).map(|&outcome| outcome as u64))),
    ];
    entry.check(&["seed", "lcg", "model", "elo0", "elo1", "alpha", "beta", "trace"], &figures, report)?;
    check_trace(entry, &sprt, &outcomes, report)
}

/// Each point of the trace: after so many pairs, this log-likelihood ratio. Behind the end of the test there is none.
fn check_trace(entry: &Entry<'_>, sprt: &Sprt, outcomes: &[usize], report: &mut Report) -> Result<(), ContentError> {
    for (_, point) in entry.list("trace")? {
        let played = point[0].as_u64().ok_or_else(|| entry.wrong("trace", "a list of [pairs, ratio]"))?;
        let run = usize::try_from(played).ok().and_then(|played| outcomes.get(..played));
        let mut pairs = Pentanomial::default();
        run.into_iter().flatten().for_each(|&outcome| pairs.pairs[outcome] += 1);
        let stated = json!({ "llr": point[1] });
        let at = Entry { name: format!("{}, after {played} pairs", entry.name), value: &stated };
        at.check(&[], &[("llr", Figure::Real(run.map(|_| sprt.llr(pairs))))], report)?;
    }
    Ok(())
}

/// What a test does on pairs of given probabilities: by theory exactly, by simulation within its error.
pub(super) fn check_characteristic(entry: &Entry<'_>, report: &mut Report) -> Result<(), ContentError> {
    let probabilities: [f64; 5] = entry
        .reals("pair_probs")?
        .try_into()
        .map_err(|_| entry.wrong("pair_probs", "the probabilities of 0, 1, 2, 3 and 4 half points"))?;
    let sprt = sprt_of(entry, EloScale::Logistic)?;
    let (score, variance) = pair_moments(&probabilities);
    let prospect = sprt.prospect(score, variance);
    let figures = [
        ("true_elo", Figure::real(elo_of_score(score))),
        ("p_accept_H1_brownian", Figure::real(prospect.accept_h1)),
        ("pairs_expected_brownian", Figure::real(prospect.units)),
    ];
    let simulated = ["p_accept_H1_simulated", "pairs_mean_simulated"];
    let given = ["pair_probs", "elo0", "elo1", "alpha", "beta", "sims", "note"];
    entry.check(&[&given[..], &simulated].concat(), &figures, report)?;
    let found = simulate(&sprt, &probabilities, entry.whole("sims")?);
    for (key, (mean, error)) in simulated.into_iter().zip(found) {
        let stated = entry.real(key)?;
        if (mean - stated).abs() <= DEVIATIONS * std::f64::consts::SQRT_2 * error {
            report.pass();
        } else {
            report.fail(format!("{}: {key}", entry.name), stated.to_string(), format!("{mean} ± {error}"));
        }
    }
    Ok(())
}

/// The share of tests that accept H1, and the mean number of pairs, each with its standard error; where all tests ended alike,
/// with what the others may make up that so many tests can miss.
fn simulate(sprt: &Sprt, probabilities: &[f64; 5], tests: u64) -> [(f64, f64); 2] {
    let run = |test: u64| {
        let mut random = stream(SEED, "operating characteristic", test);
        let drawn = repeat_with(|| drawn_pair(probabilities, random.random()));
        // A ratio of 0 lies between the bounds.
        let llr = |pairs: Pentanomial| if pairs.count() < FIRST_LOOK { 0.0 } else { sprt.llr_approximate(pairs) };
        sprt.run(drawn.take(LIMIT), llr)
    };
    let runs: Vec<SprtRun> = (0..tests).map(run).collect();
    let accepted = |run: &SprtRun| f64::from(u8::from(run.verdict == Verdict::AcceptH1));
    let n = tests as f64;
    // As in the bounds of a sample: all n end alike in one of twenty simulations, if so large a share ends otherwise.
    let missed = 1.0 - 0.05_f64.powf(1.0 / n);
    let figure = |of: &dyn Fn(&SprtRun) -> f64, range: f64| {
        let mean = runs.iter().map(of).sum::<f64>() / n;
        let variance = runs.iter().map(|run| (of(run) - mean).powi(2)).sum::<f64>() / n;
        (mean, if variance > 0.0 { (variance / n).sqrt() } else { missed * range })
    };
    [figure(&accepted, 1.0), figure(&|run| run.pairs.count() as f64, LIMIT as f64)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPRT: Sprt = Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05, scale: EloScale::Logistic };

    #[test]
    fn a_point_behind_the_end_of_a_test_fails() {
        let ratio = SPRT.llr(Pentanomial::new([0, 0, 1, 1, 0]));
        let checked = |played: u64| {
            let value = json!({ "trace": [[played, ratio]] });
            let mut report = Report::default();
            let entry = Entry { name: "sequence".to_owned(), value: &value };
            check_trace(&entry, &SPRT, &[2, 3], &mut report).unwrap();
            report
        };
        assert_eq!((checked(2).checked, checked(2).passed()), (1, 1));
        let report = checked(3);
        assert_eq!(
            (report.failures[0].what.as_str(), report.failures[0].got.as_str()),
            ("sequence, after 3 pairs: llr", "null")
        );
    }

    #[test]
    fn simulations_that_all_end_alike_leave_room_for_those_that_would_not() {
        let won = [0.0, 0.0, 0.0, 0.0, 1.0];
        let [(accepted, error), (pairs, pairs_error)] = simulate(&SPRT, &won, 1000);
        assert_eq!((accepted, pairs), (1.0, pairs.round()));
        assert!(0.0003 < error && error < 0.01 && 0.0 < pairs_error && pairs_error < 20.0, "{error} {pairs_error}");
        let stated = |share: f64| {
            let mut value =
                json!({ "pair_probs": won, "elo0": 0, "elo1": 50, "alpha": 0.05, "beta": 0.05, "sims": 1000 });
            value["p_accept_H1_simulated"] = share.into();
            value["pairs_mean_simulated"] = pairs.into();
            let mut report = Report::default();
            let entry = Entry { name: "test".to_owned(), value: &value };
            check_characteristic(&entry, &mut report).unwrap();
            (report.checked, report.passed())
        };
        assert_eq!([stated(0.9997), stated(0.9)], [(2, 2), (2, 1)]);
    }
}
