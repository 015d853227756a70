//! Figures of match results: scores, Elo, intervals, sequential tests, ratings, plans.

mod figure;
mod sequences;

use serde_json::Value as Json;

use super::entry::{ContentError, Entry};
use super::{Document, Report, Settings};
use crate::stats::{
    BayesTest, Counts, EloScale, Encounter, GameVariance, Pentanomial, Sample, Sprt, Verdict, Wdl, Z95, bayes_llr,
    clopper_pearson, elo_of_score, games_for_error, holm, rate, score_of_elo, wilson,
};
use figure::{Figure, entries};

/// The mark of the format.
const SCHEMA: &str = "xq-match-stats-ground-truth/1";
/// The 95 % quantile that cutechess computes, by S. Winitzki's approximation of the inverse error function.
const CUTECHESS_Z: f64 = 1.957_161_931_656_077_8;

/// Whether the document names the format.
pub fn matches(document: &Json) -> bool {
    document["schema"] == SCHEMA
}

/// What checks one entry of a section.
type Check = fn(&Entry<'_>, &mut Report) -> Result<(), ContentError>;

/// The sections with figures.
const SECTIONS: [(&str, Check); 11] = [
    ("elo_score", elo_score),
    ("sprt_bounds", sprt_bounds),
    ("trinomial", trinomial),
    ("pentanomial", pentanomial),
    ("paired_vs_unpaired", paired_vs_unpaired),
    ("sprt_llr", sprt_llr),
    ("sprt_sequences", sequences::check),
    ("sprt_operating_characteristic", sequences::check_characteristic),
    ("bradley_terry", bradley_terry),
    ("planning", planning),
    ("multiple_comparisons", multiple_comparisons),
];

/// What else a document may say; constants among it are checked.
const REMARKS: [&str; 9] =
    ["schema", "order", "tolerance", "formulas", "sources", "conventions_found", "z95", "nelo_per_nt", "note"];

/// Checks every figure of every section.
///
/// # Errors
/// When there are no figures, a section or figure is unknown, or a value has a wrong shape.
pub fn check(document: Document<'_>, settings: Settings<'_>, report: &mut Report) -> Result<(), ContentError> {
    let sections = document.content.as_object().into_iter().flatten();
    let checked = report.checked;
    settings.observer.begin("sections", SECTIONS.len() as u64);
    for (name, value) in sections.filter(|(name, _)| !REMARKS.contains(&name.as_str())) {
        settings.observer.remark(name);
        let known = SECTIONS.iter().find(|(section, _)| section == name);
        let (_, check) = known.ok_or_else(|| ContentError::new(format!("unknown section `{name}`")))?;
        entries(name, value).iter().try_for_each(|entry| check(entry, report))?;
        settings.observer.advance(1);
    }
    settings.observer.end();
    constants(document.content, report)?;
    if report.checked == checked { Err(ContentError::nothing("no figures")) } else { Ok(()) }
}

fn constants(document: &Json, report: &mut Report) -> Result<(), ContentError> {
    let entry = Entry { name: "constants".to_owned(), value: document };
    let found = [("z95", Z95), ("nelo_per_nt", 800.0 / std::f64::consts::LN_10)];
    let stated = found.into_iter().filter(|(key, _)| document.get(key).is_some());
    stated.into_iter().try_for_each(|(key, value)| entry.compare(key, &Figure::real(value), report))
}

fn elo_score(entry: &Entry<'_>, report: &mut Report) -> Result<(), ContentError> {
    let (elo, score) = (entry.real("elo")?, entry.real("score")?);
    entry.check(&[], &[("elo", Figure::real(elo_of_score(score))), ("score", Figure::real(score_of_elo(elo)))], report)
}

/// The test that an entry describes.
fn sprt_of(entry: &Entry<'_>, scale: EloScale) -> Result<Sprt, ContentError> {
    let [elo0, elo1] = [entry.real("elo0")?, entry.real("elo1")?];
    Ok(Sprt { elo0, elo1, alpha: entry.real("alpha")?, beta: entry.real("beta")?, scale })
}

fn sprt_bounds(entry: &Entry<'_>, report: &mut Report) -> Result<(), ContentError> {
    let (alpha, beta) = (entry.real("alpha")?, entry.real("beta")?);
    let (lower, upper) = Sprt { elo0: 0.0, elo1: 1.0, alpha, beta, scale: EloScale::Logistic }.bounds();
    entry.check(&["alpha", "beta"], &[("lower", Figure::real(lower)), ("upper", Figure::real(upper))], report)
}

/// What follows from mean and variance, whatever the unit.
fn sample_figures(sample: Sample) -> Vec<(&'static str, Figure)> {
    let elo = elo_of_score(sample.score);
    let (low, high) = sample.elo_interval();
    let half_width_at = |z: f64| {
        let ends = [1.0, -1.0].map(|side| elo_of_score(sample.score + side * z * sample.standard_error()));
        0.5 * (ends[0] - ends[1])
    };
    vec![
        ("score", Figure::real(sample.score)),
        ("var", Figure::real(sample.variance)),
        ("se", Figure::real(sample.standard_error())),
        ("elo", Figure::real(elo)),
        ("elo_lo95", Figure::real(low)),
        ("elo_hi95", Figure::real(high)),
        ("elo_err95_half_width", Figure::Real(sample.elo_error())),
        ("nelo", Figure::Real(sample.normalised_elo())),
        ("nelo_err95", Figure::Real(sample.normalised_elo_error())),
        ("los_normal", Figure::Real(sample.los())),
        ("elo_err95_cutechess_z", Figure::real(half_width_at(CUTECHESS_Z))),
        ("elo_err95_max_side_openbench", Figure::real((high - elo).max(elo - low))),
    ]
}

fn game_figures(wdl: Wdl) -> Vec<(&'static str, Figure)> {
    let mut figures = wdl.sample().map(sample_figures).unwrap_or_default();
    let exact = clopper_pearson(wdl.wins, wdl.games());
    let ends = |(low, high): (f64, f64)| Figure::Reals(vec![low, high]);
    figures.extend([
        ("los_cutechess", Figure::Real(wdl.los_decisive())),
        ("los_beta_exact", Figure::real(wdl.los_exact())),
        ("draw_ratio", Figure::Real(wdl.draw_ratio())),
        ("decisive_wilson95", ends(wilson(wdl.wins, wdl.games()))),
        ("decisive_clopper_pearson95", ends(exact)),
        ("decisive_clopper_elo", ends((elo_of_score(exact.0), elo_of_score(exact.1)))),
    ]);
    figures
}

fn pair_figures(pairs: Pentanomial) -> Vec<(&'static str, Figure)> {
    let mut figures = pairs.sample().map(sample_figures).unwrap_or_default();
    figures.extend([
        ("draw_ratio_pairs", Figure::Real(pairs.level_ratio())),
        ("pairs_ratio", Figure::Real(pairs.pairs_ratio())),
    ]);
    figures
}

fn trinomial(entry: &Entry<'_>, report: &mut Report) -> Result<(), ContentError> {
    let [losses, draws, wins] = entry.counts("ldw")?;
    let figures = game_figures(Wdl::new(wins, draws, losses));
    entry.check_published(&figures, report)?;
    entry.check(&["ldw", "published"], &figures, report)
}

fn pentanomial(entry: &Entry<'_>, report: &mut Report) -> Result<(), ContentError> {
    let figures = pair_figures(Pentanomial::new(entry.counts("pairs")?));
    entry.check_published(&figures, report)?;
    entry.check(&["pairs", "published"], &figures, report)
}

/// The same games, as pairs and as if they were independent.
fn paired_vs_unpaired(entry: &Entry<'_>, report: &mut Report) -> Result<(), ContentError> {
    let pairs = Pentanomial::new(entry.counts("pairs")?);
    let [losses, draws, wins] = entry.counts("as_games_ldw")?;
    entry.part("pentanomial")?.check(&[], &pair_figures(pairs), report)?;
    entry.part("trinomial")?.check(&[], &game_figures(Wdl::new(wins, draws, losses)), report)?;
    entry.check(&["note", "pairs", "as_games_ldw", "check", "pentanomial", "trinomial"], &[], report)
}

fn sprt_llr(entry: &Entry<'_>, report: &mut Report) -> Result<(), ContentError> {
    let model = entry.text("model")?;
    let scale = if model.starts_with("normalised") { EloScale::Normalised } else { EloScale::Logistic };
    let sprt = sprt_of(entry, scale)?;
    let games = || entry.counts("counts").map(|[losses, draws, wins]| Wdl::new(wins, draws, losses));
    let counts = if model.contains("pentanomial") {
        Counts::Pairs(Pentanomial::new(entry.counts("counts")?))
    } else {
        Counts::Games(games()?)
    };
    let bayes = |test| Ok::<_, ContentError>(bayes_llr(&sprt, games()?, test));
    let llr = match model.split_once(" trinomial ").or_else(|| model.split_once(" pentanomial ")) {
        Some(("logistic" | "normalised", "exact")) => Some(sprt.llr(counts)),
        Some(("logistic" | "normalised", "approx" | "approx (c-chess-cli)")) => Some(sprt.llr_approximate(counts)),
        Some(("bayesian", kind)) if kind.starts_with("(plain") => bayes(BayesTest::Plain)?,
        Some(("bayesian", kind)) if kind.starts_with("(cutechess") => bayes(BayesTest::Cutechess)?,
        Some(("bayesian", kind)) if kind.starts_with("(fastchess") => bayes(BayesTest::Fastchess)?,
        _ => return Err(entry.wrong("model", "a known model of the likelihood")),
    };
    let verdict = llr.map_or(Verdict::Continue, |llr| sprt.verdict(llr));
    let (lower, upper) = sprt.bounds();
    let figures = [
        ("llr", Figure::Real(llr)),
        ("lower", Figure::real(lower)),
        ("upper", Figure::real(upper)),
        ("decision", decision(verdict)),
    ];
    entry.check_published(&figures, report)?;
    entry.check(&["model", "counts", "elo0", "elo1", "alpha", "beta", "published"], &figures, report)
}

fn decision(verdict: Verdict) -> Figure {
    Figure::Text(match verdict {
        Verdict::AcceptH0 => "H0",
        Verdict::AcceptH1 => "H1",
        Verdict::Continue => "continue",
    })
}

/// Ratings from the results of pairings `i-j`, as differences from the anchor.
fn bradley_terry(entry: &Entry<'_>, report: &mut Report) -> Result<(), ContentError> {
    let ratings = entry.part("ratings")?;
    let names = ratings.keys()?;
    let number = |name: &str| names.iter().position(|known| known == name);
    let pairings = entry.part("pairs")?;
    let mut encounters = Vec::new();
    for pairing in pairings.keys()? {
        let sides = pairing.split_once('-').and_then(|(a, b)| Some((number(a)?, number(b)?)));
        let (first, second) = sides.ok_or_else(|| pairings.wrong(&pairing, "two rated entrants, `a-b`"))?;
        let [wins, draws, losses] = pairings.counts(&pairing)?;
        encounters.push(Encounter { first, second, results: Wdl::new(wins, draws, losses) });
    }
    let anchor = entry.text("anchor")?;
    let anchor = number(anchor).ok_or_else(|| entry.wrong("anchor", "a rated entrant"))?;
    let unrated = |source| ContentError::because(format!("{} cannot be rated", pairings.name), source);
    let found = rate(names.len(), &encounters).map_err(unrated)?;
    for (index, name) in names.iter().enumerate() {
        let difference = found.difference(index, anchor);
        let figures = [
            ("elo", Figure::Real(difference.map(|(elo, _)| elo))),
            ("err95_binomial", Figure::Real(difference.map(|(_, error)| error))),
        ];
        ratings.part(name)?.check(&[], &figures, report)?;
    }
    entry.check(&["pairs", "meaning", "anchor", "ratings"], &[], report)
}

fn planning(entry: &Entry<'_>, report: &mut Report) -> Result<(), ContentError> {
    for row in entry.parts("games_for_half_width")? {
        let draws = row.real("draw_ratio")?;
        let variance = GameVariance::of_draws(draws).ok_or_else(|| row.wrong("draw_ratio", "a share in [0, 1)"))?;
        let games = games_for_error(row.real("elo")?, variance);
        row.check(&["elo", "draw_ratio"], &[("games", Figure::real(games as f64))], report)?;
    }
    entry.check(&["formula", "games_for_half_width"], &[], report)
}

fn multiple_comparisons(entry: &Entry<'_>, report: &mut Report) -> Result<(), ContentError> {
    for row in entry.parts("holm")? {
        let adjusted = holm(&row.reals("p")?, 0.05).iter().map(|test| test.adjusted).collect();
        row.check(&["p"], &[("adjusted", Figure::Reals(adjusted))], report)?;
    }
    entry.check(&["holm", "note"], &[], report)
}
