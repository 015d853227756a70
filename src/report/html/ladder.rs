//! Ratings of entrants that games connect, on one scale.

use std::fmt::Write as _;

use super::escaped;
use crate::stats::signed_elo;

/// An entrant with a rating.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rung {
    /// Who it is.
    pub name: String,
    /// The number of the group of entrants that games connect: ratings of two groups cannot be compared.
    pub group: u64,
    /// The rating and the ends of its 95 % interval, in Elo.
    pub rating: [f64; 3],
}

/// A ladder for each group; the rungs of a group stand together, the best entrant first.
pub fn ladders(rungs: &[Rung]) -> String {
    let groups = || rungs.chunk_by(|one, other| one.group == other.group);
    let is_one = groups().count() == 1;
    let heading = |group: u64| if is_one { "Ladder".to_owned() } else { format!("Ladder of group {group}") };
    groups().map(|rungs| ladder(&heading(rungs[0].group), rungs)).collect()
}

/// The ladder of one group; nothing where there is nothing to compare.
fn ladder(heading: &str, rungs: &[Rung]) -> String {
    let finite = rungs.iter().flat_map(|rung| rung.rating).filter(|elo| elo.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), elo| (low.min(elo), high.max(elo)));
    if rungs.len() < 3 || low >= high {
        return String::new();
    }
    let place = |elo: f64| (100.0 * (elo - low) / (high - low)).clamp(0.0, 100.0);
    let mut html = format!("<h3>{heading}</h3>\n<ul class=\"ladder\">\n");
    for Rung { name, rating: [elo, least, most], .. } in rungs {
        let [at, from, to] = [*elo, *least, *most].map(place);
        let (name, zero) = (escaped(name), place(0.0));
        let [elo, least, most] = [*elo, *least, *most].map(signed_elo);
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
        let rung = |name: &str, rating| Rung { name: name.to_owned(), group: 1, rating };
        let rungs =
            [rung("<a>", [100.0, 50.0, 200.0]), rung("b", [0.0, -50.0, 50.0]), rung("c", [-100.0, -200.0, -0.1])];
        let html = ladders(&rungs);
        for part in ["<h3>Ladder</h3>", "<span>&lt;a&gt;</span>", "M62.50 5H100.00", "M75.00 0V10", "-100 [-200, +0]"] {
            assert!(html.contains(part), "{part} in {html}");
        }
        assert_eq!(ladders(&rungs[..2]), "", "two are told by their score");
    }

    #[test]
    fn every_group_has_a_ladder_of_its_own() {
        let rung = |group, elo| Rung { name: "x".to_owned(), group, rating: [elo, elo - 50.0, elo + 50.0] };
        let of_group = |group| [100.0, 0.0, -100.0].map(|elo| rung(group, elo));
        let html = ladders(&[of_group(1), of_group(2)].concat());
        assert_eq!(html.matches("<h3>Ladder of group ").count(), 2);
        let [first, second] = [1, 2].map(|group| ladder("", &of_group(group)));
        assert_eq!(first, second);
        // Groups of two have no ladder, and are in no other.
        assert_eq!(ladders(&[of_group(1)[..2].to_vec(), of_group(2)[..2].to_vec()].concat()), "");
    }
}
