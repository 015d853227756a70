//! Ratings of entrants on one scale.

use std::fmt::Write as _;

use super::escaped;

/// An entrant with a rating.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rung {
    /// Who it is.
    pub name: String,
    /// The rating and the ends of its 95 % interval, in Elo.
    pub rating: [f64; 3],
}

/// A rating with its sign; infinite where the games set no limit.
pub fn signed(elo: f64) -> String {
    match elo {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "-∞".to_owned(),
        _ => format!("{elo:+.0}"),
    }
}

/// The ladder, the best entrant first; nothing where there is nothing to compare.
pub fn ladder(rungs: &[Rung]) -> String {
    let finite = rungs.iter().flat_map(|rung| rung.rating).filter(|elo| elo.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), elo| (low.min(elo), high.max(elo)));
    if rungs.len() < 3 || low >= high {
        return String::new();
    }
    let place = |elo: f64| (100.0 * (elo - low) / (high - low)).clamp(0.0, 100.0);
    let mut html = String::from("<h3>Ladder</h3>\n<ul class=\"ladder\">\n");
    for Rung { name, rating: [elo, least, most] } in rungs {
        let [at, from, to] = [*elo, *least, *most].map(place);
        let (name, zero) = (escaped(name), place(0.0));
        let [elo, least, most] = [*elo, *least, *most].map(signed);
        // Writing to a string cannot fail.
        let _ = writeln!(
            html,
            "<li><span>{name}</span><svg viewBox=\"-1 0 102 10\" preserveAspectRatio=\"none\" role=\"img\" \
             aria-label=\"{elo} Elo, {least} to {most}\"><path class=\"zero\" d=\"M{zero:.2} 0V10\"/>\
             <path class=\"whisker\" d=\"M{from:.2} 5H{to:.2}\"/><path class=\"rating\" d=\"M{at:.2} 0V10\"/></svg>\
             <span class=\"number\">{elo} [{least}, {most}]</span></li>"
        );
    }
    html + "</ul>\n<p class=\"key\">Ratings in Elo with 95 % intervals, all on one scale; the thin line is the mean of all.</p>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_share_a_scale() {
        let rung = |name: &str, rating| Rung { name: name.to_owned(), rating };
        let rungs =
            [rung("<a>", [100.0, 50.0, 200.0]), rung("b", [0.0, -50.0, 50.0]), rung("c", [-100.0, -200.0, 0.0])];
        let html = ladder(&rungs);
        for part in ["<span>&lt;a&gt;</span>", "M62.50 5H100.00", "M75.00 0V10", "-100 [-200, +0]"] {
            assert!(html.contains(part), "{part} in {html}");
        }
        assert_eq!(ladder(&rungs[..2]), "", "two are told by their score");
    }
}
