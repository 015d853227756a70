//! The simulated as tables, plots and a page.

use super::{Simulated, SprtSimulationConfig, TestCounts};
use crate::experiment::contract::Findings;
use crate::report::{Cell, Curves, Series, Table, in_percent};
use crate::runs::Figure;
use crate::stats::Z95;

/// At the two hypotheses: how often the wrong one is accepted.
fn error_table(config: &SprtSimulationConfig, simulated: &[Simulated]) -> Table {
    let at = |elo: f64| simulated.iter().find(move |one| one.elo == elo);
    let rows = [(config.elo0, "H1", config.alpha), (config.elo1, "H0", config.beta)];
    let rows = rows.into_iter().filter_map(|(elo, wrong, nominal)| {
        let one = at(elo)?;
        let rate = |tally: &TestCounts| {
            let (low, share, high) = tally.accepted();
            let (low, share, high) =
                if wrong == "H1" { (low, share, high) } else { (1.0 - high, 1.0 - share, 1.0 - low) };
            Cell::from(format!("{:.2} [{:.2}, {:.2}]", 100.0 * share, 100.0 * low, 100.0 * high))
        };
        let nominal = Cell::real(100.0 * nominal, 1);
        let (exact, approximate) = (rate(&one.exact), rate(&one.approximate));
        Some([format!("{elo} Elo").into(), wrong.into(), nominal, exact, approximate])
    });
    let numbers = ["set to", "exact ratio", "approximation"];
    Table::new("Error rates, % (Wilson's 95 % interval)", &["truth", "wrong verdict"], &numbers).with_rows(rows)
}

/// The error rates in percent.
fn headline(config: &SprtSimulationConfig, simulated: &[Simulated]) -> Vec<Figure> {
    let accepted = |elo: f64| simulated.iter().find(|one| one.elo == elo).map(|one| one.exact.accepted().1);
    let at_h0 = accepted(config.elo0).map(|share| ("accepts H1 at elo0 %".to_owned(), 100.0 * share));
    let at_h1 = accepted(config.elo1).map(|share| ("accepts H0 at elo1 %".to_owned(), 100.0 * (1.0 - share)));
    at_h0.into_iter().chain(at_h1).collect()
}

fn acceptance_table(simulated: &[Simulated]) -> Table {
    let numbers = ["true Elo", "exact ratio", "95 % interval", "approximation", "95 % interval", "theory"];
    let rows = simulated.iter().map(|one| {
        let cells = |tally: &TestCounts| {
            let (low, share, high) = tally.accepted();
            [Cell::real(100.0 * share, 2), format!("{:.2} to {:.2}", 100.0 * low, 100.0 * high).into()]
        };
        let ([exact, exact_interval], [rough, rough_interval]) = (cells(&one.exact), cells(&one.approximate));
        let theory = Cell::real(100.0 * one.theory.accept_h1, 2);
        [Cell::real(one.elo, 2), exact, exact_interval, rough, rough_interval, theory]
    });
    Table::new("How often H1 is accepted, %", &[], &numbers).with_rows(rows)
}

fn length_table(simulated: &[Simulated]) -> Table {
    let columns = ["true Elo", "exact ratio", "± (95 %)", "approximation", "± (95 %)", "theory", "cut off"];
    let rows = simulated.iter().map(|one| {
        let cells = |tally: &TestCounts| {
            let (mean, error) = tally.games();
            [Cell::real(mean, 1), Cell::real(Z95 * error, 1)]
        };
        let ([exact, exact_error], [rough, rough_error]) = (cells(&one.exact), cells(&one.approximate));
        let theory = Cell::real(2.0 * one.theory.units, 1);
        let elo = Cell::real(one.elo, 2);
        [elo, exact, exact_error, rough, rough_error, theory, one.exact.cut_off.into()]
    });
    Table::new("Games until the verdict, mean", &[], &columns).with_rows(rows)
}

/// Everything, for programs.
fn full_table(simulated: &[Simulated]) -> Table {
    let pair = ["p 0", "p 1/2", "p 1", "p 3/2", "p 2"];
    let of_tally = ["tests", "accepted H1", "cut off", "mean games", "standard error"];
    let tallies = ["exact", "approximate"].map(|which| of_tally.map(|column| format!("{which}: {column}")));
    let rows = simulated.iter().map(|one| {
        let real = |value: f64| Cell::real(value, 4);
        let tally = |tally: &TestCounts| {
            let (mean, error) = tally.games();
            [tally.tests.into(), tally.accepted_h1.into(), tally.cut_off.into(), real(mean), real(error)]
        };
        let theory = [real(one.theory.accept_h1), real(2.0 * one.theory.units)];
        let cells = std::iter::once(real(one.elo)).chain(one.pair.map(real));
        cells.chain(tally(&one.exact)).chain(tally(&one.approximate)).chain(theory)
    });
    let empty = Table::new("", &[], &["true Elo"]).and_numbers(pair).and_numbers(tallies.into_iter().flatten());
    empty.and_numbers(["theory: accept H1", "theory: games"]).with_rows(rows)
}

/// Both ratios by the true difference, each with its error, and the theory.
fn by_difference(
    simulated: &[Simulated],
    measured: fn(&TestCounts) -> (f64, f64),
    theory: fn(&Simulated) -> f64,
) -> Vec<Series> {
    let series = |name: &str, counts: fn(&Simulated) -> &TestCounts| {
        let points: Vec<(f64, (f64, f64))> = simulated.iter().map(|one| (one.elo, measured(counts(one)))).collect();
        Series {
            errors: points.iter().map(|(_, (_, error))| *error).collect(),
            ..Series::new(name, points.iter().map(|&(elo, (value, _))| (elo, value)).collect())
        }
    };
    vec![
        series("exact ratio", |one| &one.exact),
        series("approximation", |one| &one.approximate),
        Series::new("Wald's theory", simulated.iter().map(|one| (one.elo, theory(one))).collect()),
    ]
}

/// How often H1 is accepted.
fn rate_curves(config: &SprtSimulationConfig, simulated: &[Simulated]) -> Curves {
    let rate = |counts: &TestCounts| {
        let (low, share, high) = counts.accepted();
        (share, 0.5 * (high - low))
    };
    let title = format!("Share of tests [{}, {}] that accept H1", config.elo0, config.elo1);
    let series = by_difference(simulated, rate, |one| one.theory.accept_h1);
    let levels = vec![("α".to_owned(), config.alpha), ("1 − β".to_owned(), 1.0 - config.beta)];
    Curves { levels, ..Curves::new(title, ["true difference, Elo", "accept H1"], series) }
}

/// How many games a verdict takes.
fn length_curves(config: &SprtSimulationConfig, simulated: &[Simulated]) -> Curves {
    let length = |counts: &TestCounts| {
        let (mean, error) = counts.games();
        (mean, Z95 * error)
    };
    let title = format!("Games until a test [{}, {}] ends", config.elo0, config.elo1);
    let series = by_difference(simulated, length, |one| 2.0 * one.theory.units);
    Curves::new(title, ["true difference, Elo", "games, mean"], series)
}

/// The page that shows it all.
pub fn findings(config: &SprtSimulationConfig, simulated: &[Simulated]) -> Findings {
    let &SprtSimulationConfig { seed, tests, elo0, elo1, alpha, beta, draws, correlation, limit, .. } = config;
    let (lower, upper) = config.sprt().bounds();
    let cut_off: u64 = simulated.iter().map(|one| one.exact.cut_off + one.approximate.cut_off).sum();
    Findings::titled("The sequential test, simulated")
        .points([
            format!(
                "test of H0: {elo0} Elo against H1: {elo1} Elo (logistic), α = {alpha}, β = {beta}: bounds [{lower:.3}, {upper:.3}]"
            ),
            format!(
                "{tests} tests for each true difference, seed {seed}, looked at after every pair, cut off after {limit} pairs \
                 ({cut_off} were)"
            ),
            format!(
                "pairs: {} % of the games are drawn whatever the difference, the scores of a pair's games have a correlation of \
                 {correlation}",
                in_percent(draws)
            ),
            "both ratios see the same results; zero counts are replaced by 0.001 in both, and from one pair the approximation takes \
             its variance from these alone, so that it leaves the bounds at once: programs that use it wait for some pairs first"
                .to_owned(),
            "theory: Wald's, for a ratio that moves as a Brownian motion and stops exactly on a bound; ratios of real tests step \
             over it, so they err less often and take longer, and estimating the distribution from few pairs works against that"
                .to_owned(),
        ])
        .summary(error_table(config, simulated))
        .summary(acceptance_table(simulated))
        .summary(length_table(simulated))
        .data("rates", &full_table(simulated))
        .picture("rates", "rates", rate_curves(config, simulated))
        .picture("games", "games", length_curves(config, simulated))
        .headline(headline(config, simulated))
}
