//! What came out of training in some sentences, from its curves.

use crate::report::html::Answer;
use crate::runs::training::{Band, MeanPoint, Measured, SeedGroup};

/// What came out of training: of the ways of learning whose errors were measured on the same games.
pub fn answer(groups: &[SeedGroup]) -> Answer {
    let sets = SeedGroup::by_measure(groups);
    let sentences = match sets.as_slice() {
        [one] => of_same_games(one),
        several => {
            let n = several.len();
            let apart = format!(
                "Errors on {n} different sets of games or positions are not compared; the seed chooses the games held out."
            );
            [apart].into_iter().chain(several.iter().map(|set| of_same_games(set).join(" "))).collect()
        }
    };
    Answer { sentences, scores: Vec::new() }
}

/// The end of the best curve, and whether the next one is told from it.
fn of_same_games(groups: &[&SeedGroup]) -> Vec<String> {
    let end = |group: &&SeedGroup| {
        let MeanPoint { mean, half, .. } = group.end(Measured::HeldOut, Band::Confidence)?;
        Some((group.name.clone(), group.seeds().len(), mean, half))
    };
    let mut ends: Vec<_> = groups.iter().filter_map(end).collect();
    ends.sort_by(|one, other| one.2.total_cmp(&other.2));
    let told = |(name, runs, mean, half): &(String, usize, f64, Option<f64>)| {
        let half = half.map(|half| format!(" ± {half:.4}")).unwrap_or_default();
        let seeds = if *runs == 1 { "1 run".to_owned() } else { format!("{runs} seeds, 95 % interval of the mean") };
        format!("{name}: {mean:.4}{half} ({seeds})")
    };
    match ends.as_slice() {
        [] => Vec::new(),
        [one] => vec![format!("Mean squared error on held-out games at the end: {}.", told(one))],
        [best, next, ..] => vec![
            format!("{} ended with the lowest error on held-out games of {} ways of learning.", best.0, ends.len()),
            format!("Mean squared error at the end: {}; next {}.", told(best), told(next)),
            apart(best, next).to_owned(),
        ],
    }
}

fn apart(best: &(String, usize, f64, Option<f64>), next: &(String, usize, f64, Option<f64>)) -> &'static str {
    match (best.3, next.3) {
        (Some(best_half), Some(next_half)) if best.2 + best_half < next.2 - next_half => {
            "Their intervals do not meet: other seeds would hardly change the order."
        }
        (Some(_), Some(_)) => "Their intervals meet: other seeds could change the order.",
        _ => "A single run does not tell how much seeds matter: repeat it with other seeds.",
    }
}
