//! The findings as tables, plots and a page.

use super::{Finding, SprtSimulationConfig, Tally};
use crate::report::{Cell, Curves, Series, Table};
use crate::runs::results::Figure;

/// The error rates; how often H1 is accepted; how many games it takes.
pub fn tables(config: &SprtSimulationConfig, findings: &[Finding]) -> [Table; 3] {
    [errors(config, findings), acceptance(findings), lengths(findings)]
}

/// At the two hypotheses: how often the wrong one is accepted.
fn errors(config: &SprtSimulationConfig, findings: &[Finding]) -> Table {
    let mut table = Table::new(
        "Error rates, % (Wilson's 95 % interval)",
        &["truth", "wrong verdict"],
        &["set to", "exact ratio", "approximation"],
    );
    let at = |elo: f64| findings.iter().find(move |finding| finding.elo == elo);
    let rows = [(config.elo0, "H1", config.alpha), (config.elo1, "H0", config.beta)];
    for (elo, wrong, nominal) in rows {
        let Some(finding) = at(elo) else { continue };
        let rate = |tally: &Tally| {
            let (low, share, high) = tally.accepted();
            let (low, share, high) =
                if wrong == "H1" { (low, share, high) } else { (1.0 - high, 1.0 - share, 1.0 - low) };
            Cell::from(format!("{:.2} [{:.2}, {:.2}]", 100.0 * share, 100.0 * low, 100.0 * high))
        };
        let nominal = Cell::real(100.0 * nominal, 1);
        let (exact, approximate) = (rate(&finding.exact), rate(&finding.approximate));
        table.push([format!("{elo} Elo").into(), wrong.into(), nominal, exact, approximate]);
    }
    table
}

/// The error rates in percent.
pub fn headline(config: &SprtSimulationConfig, findings: &[Finding]) -> Vec<Figure> {
    let accepted =
        |elo: f64| findings.iter().find(|finding| finding.elo == elo).map(|finding| finding.exact.accepted().1);
    let at_h0 = accepted(config.elo0).map(|share| ("accepts H1 at elo0 %".to_owned(), 100.0 * share));
    let at_h1 = accepted(config.elo1).map(|share| ("accepts H0 at elo1 %".to_owned(), 100.0 * (1.0 - share)));
    at_h0.into_iter().chain(at_h1).collect()
}

fn acceptance(findings: &[Finding]) -> Table {
    let mut table = Table::new(
        "How often H1 is accepted, %",
        &[],
        &["true Elo", "exact ratio", "95 % interval", "approximation", "95 % interval", "theory"],
    );
    for finding in findings {
        let cells = |tally: &Tally| {
            let (low, share, high) = tally.accepted();
            [Cell::real(100.0 * share, 2), format!("{:.2} to {:.2}", 100.0 * low, 100.0 * high).into()]
        };
        let ([exact, exact_interval], [rough, rough_interval]) = (cells(&finding.exact), cells(&finding.approximate));
        let theory = Cell::real(100.0 * finding.theory.accept_h1, 2);
        table.push([Cell::real(finding.elo, 2), exact, exact_interval, rough, rough_interval, theory]);
    }
    table
}

fn lengths(findings: &[Finding]) -> Table {
    let columns = ["true Elo", "exact ratio", "± (95 %)", "approximation", "± (95 %)", "theory", "cut off"];
    let mut table = Table::new("Games until the verdict, mean", &[], &columns);
    for finding in findings {
        let cells = |tally: &Tally| {
            let (mean, error) = tally.games();
            [Cell::real(mean, 1), Cell::real(crate::stats::Z95 * error, 1)]
        };
        let ([exact, exact_error], [rough, rough_error]) = (cells(&finding.exact), cells(&finding.approximate));
        let theory = Cell::real(2.0 * finding.theory.units, 1);
        let elo = Cell::real(finding.elo, 2);
        table.push([elo, exact, exact_error, rough, rough_error, theory, finding.exact.cut_off.into()]);
    }
    table
}

/// Everything, for programs.
pub fn full(findings: &[Finding]) -> Table {
    let pair = ["p 0", "p 1/2", "p 1", "p 3/2", "p 2"];
    let of_tally = ["tests", "accepted H1", "cut off", "mean games", "standard error"];
    let columns: Vec<String> = [vec!["true Elo".to_owned()], pair.map(str::to_owned).to_vec()]
        .into_iter()
        .chain(["exact", "approximate"].map(|which| of_tally.map(|column| format!("{which}: {column}")).to_vec()))
        .chain([vec!["theory: accept H1".to_owned(), "theory: games".to_owned()]])
        .flatten()
        .collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new("", &[], &columns);
    for finding in findings {
        let real = |value: f64| Cell::real(value, 4);
        let tally = |tally: &Tally| {
            let (mean, error) = tally.games();
            [tally.tests.into(), tally.accepted_h1.into(), tally.cut_off.into(), real(mean), real(error)]
        };
        let theory = [real(finding.theory.accept_h1), real(2.0 * finding.theory.units)];
        let cells = std::iter::once(real(finding.elo)).chain(finding.pair.map(real));
        table.push(cells.chain(tally(&finding.exact)).chain(tally(&finding.approximate)).chain(theory));
    }
    table
}

/// How often H1 is accepted, by the true difference.
pub fn rates(config: &SprtSimulationConfig, findings: &[Finding]) -> Curves {
    let simulated = |name: &str, of: fn(&Finding) -> &Tally| {
        let rate = |finding: &Finding| of(finding).accepted();
        Series {
            errors: findings.iter().map(|finding| 0.5 * (rate(finding).2 - rate(finding).0)).collect(),
            ..Series::new(name, findings.iter().map(|finding| (finding.elo, rate(finding).1)).collect())
        }
    };
    let theory = findings.iter().map(|finding| (finding.elo, finding.theory.accept_h1)).collect();
    Curves {
        title: format!("Share of tests [{}, {}] that accept H1", config.elo0, config.elo1),
        x_label: "true difference, Elo".to_owned(),
        y_label: "accept H1".to_owned(),
        series: vec![
            simulated("exact ratio", |finding| &finding.exact),
            simulated("approximation", |finding| &finding.approximate),
            Series::new("Wald's theory", theory),
        ],
        levels: vec![("α".to_owned(), config.alpha), ("1 − β".to_owned(), 1.0 - config.beta)],
        limits: None,
    }
}

/// How many games a verdict takes, by the true difference.
pub fn games(config: &SprtSimulationConfig, findings: &[Finding]) -> Curves {
    let simulated = |name: &str, of: fn(&Finding) -> &Tally| Series {
        errors: findings.iter().map(|finding| crate::stats::Z95 * of(finding).games().1).collect(),
        ..Series::new(name, findings.iter().map(|finding| (finding.elo, of(finding).games().0)).collect())
    };
    let theory = findings.iter().map(|finding| (finding.elo, 2.0 * finding.theory.units)).collect();
    Curves {
        title: format!("Games until a test [{}, {}] ends", config.elo0, config.elo1),
        x_label: "true difference, Elo".to_owned(),
        y_label: "games, mean".to_owned(),
        series: vec![
            simulated("exact ratio", |finding| &finding.exact),
            simulated("approximation", |finding| &finding.approximate),
            Series::new("Wald's theory", theory),
        ],
        ..Curves::default()
    }
}

/// The page that shows it all.
pub fn page(config: &SprtSimulationConfig, findings: &[Finding], tables: &[Table]) -> String {
    let tables: String = tables.iter().map(|table| table.to_markdown() + "\n").collect();
    let (lower, upper) = config.sprt().bounds();
    let cut_off: u64 = findings.iter().map(|finding| finding.exact.cut_off + finding.approximate.cut_off).sum();
    format!(
        "# The sequential test, simulated\n\n\
         * test of H0: {} Elo against H1: {} Elo (logistic), α = {}, β = {}: bounds [{lower:.3}, {upper:.3}]\n\
         * {} tests for each true difference, seed {}, looked at after every pair, cut off after {} pairs ({cut_off} were)\n\
         * pairs: {} % of the games are drawn whatever the difference, the scores of a pair's games have a correlation of {}\n\
         * both ratios see the same results; zero counts are replaced by 0.001 in both, and from one pair the approximation takes \
         its variance from these alone, so that it leaves the bounds at once: programs that use it wait for some pairs first\n\
         * theory: Wald's, for a ratio that moves as a Brownian motion and stops exactly on a bound; ratios of real tests step \
         over it, so they err less often and take longer, and estimating the distribution from few pairs works against that\n\n\
         {tables}![rates](rates.svg)\n\n![games](games.svg)\n",
        config.elo0,
        config.elo1,
        config.alpha,
        config.beta,
        config.tests,
        config.seed,
        config.limit,
        100.0 * config.draws,
        config.correlation,
    )
}
