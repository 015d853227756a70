//! What came out of a run in three sentences, from the tables that it wrote.

use super::pairing::{FEW_GAMES, Pairing};
use super::tables::{Row, RunFiles};
use crate::report::html::{Answer, Rung, Score};
use crate::report::matches::comparable;
use crate::runs::results::{HEADLINE, read_headline};
use crate::stats::signed_elo;

/// Tables of pairings: those of matches, and those of experiments.
const PAIRINGS: [&str; 3] = ["pairings.csv", "matches.csv", "final.csv"];
/// Ratings of entrants.
const STANDINGS: &str = "standings.csv";

/// The sequential test that ended a match, or might have.
const TEST: &str = "sprt.csv";

/// S1's Table 1, of all games where a cell has more than the paper's.
const TABLE_1: [&str; 2] = ["table-1-all.csv", "table-1.csv"];

/// What came out of the experiment or the match with these `files`, whose page for readers is `text`.
pub(crate) fn of_results(files: RunFiles<'_>, text: &str) -> Answer {
    let pairings = PAIRINGS.iter().flat_map(|name| files.rows(name));
    let pairings: Vec<Pairing> = pairings.filter_map(|row| Pairing::read(&row)).collect();
    let sentences = match pairings.as_slice() {
        [] => Some(of_figures(files)).filter(|told| !told.is_empty()).unwrap_or_else(|| points_of(text)),
        [one] => of_match(one, files.rows(TEST).first().and_then(|row| of_test(row, &one.names[0]))),
        _ => of_pairings(&pairings, &files.rows(STANDINGS)),
    };
    let table_1 = table_1(files);
    let (first, scores) = match table_1 {
        Some((sentence, scores)) => (Some(sentence), scores),
        None => (None, pairings.iter().map(Pairing::bar).collect()),
    };
    // What an experiment repeats is told right behind its outcome.
    let mut sentences = first.into_iter().chain(sentences);
    let sentences = sentences.next().into_iter().chain(beside_the_paper(text)).chain(sentences).take(3).collect();
    Answer { sentences, scores }
}

/// S1's Table 1 in a sentence, and its cells against the first opponent as bars, those after most games first.
fn table_1(files: RunFiles<'_>) -> Option<(String, Vec<Score>)> {
    let all = TABLE_1.iter().map(|name| files.rows(name)).find(|rows| !rows.is_empty())?;
    let opponent = all[0].text("opponent")?.to_owned();
    let mut cells: Vec<&Row> = all.iter().filter(|row| row.text("opponent") == Some(&opponent)).collect();
    let games = |row: &&Row| row.number::<u64>("training_games").unwrap_or_default();
    cells.sort_by_key(|row| std::cmp::Reverse(games(row)));
    let score =
        |row: &Row| Some(format!("{:.1} ± {:.1} %", row.number::<f64>("score")?, row.number::<f64>("score_error")?));
    let bar = |row: &&Row| {
        let counts = ["won", "drawn", "lost"].map(|name| row.number(name).unwrap_or_default());
        let names = format!("{}, {} training games – {opponent}", row.text("reading")?, games(row));
        Some(Score { names, figures: score(row)?, counts })
    };
    let (most, paper) = (games(cells.first()?), cells[0].number::<f64>("s1_score"));
    let last: Option<Vec<String>> = cells
        .iter()
        .take_while(|row| games(row) == most)
        .map(|row| Some(format!("{} ({})", score(row)?, row.text("reading")?)))
        .collect();
    let paper = paper.map(|score| format!("; the paper has {score:.1} %")).unwrap_or_default();
    let sentence = format!(
        "Table 1: after {most} training games the rough network scores {} against {opponent}{paper}.",
        last?.join(", ")
    );
    Some((sentence, cells.iter().filter_map(bar).collect()))
}

/// A match of two; `test` is what its sequential test said, beside which an interval says nothing.
fn of_match(one: &Pairing, test: Option<String>) -> Vec<String> {
    let one = one.of_leader();
    let ([leader, other], [won, drawn, lost], games) = (&one.names, one.counts, one.games());
    // Games that repeat others count in the score alone: without them the other may even be the stronger one.
    let stronger = one.stronger();
    let outcome = match (stronger == Some(0), won == lost) {
        (true, _) => format!("{leader} beat {other}"),
        (_, true) => format!("{leader} and {other} scored the same"),
        _ if test.is_some() => format!("{leader} scored more than {other}"),
        _ => format!("{leader} scored more than {other}, but not clearly"),
    };
    let sure = match stronger {
        Some(0) => "The interval leaves out 0: a difference beyond chance at the 95 % level.".to_owned(),
        Some(_) => format!("In these {other} is the stronger one, beyond chance at the 95 % level."),
        None if one.different < FEW_GAMES => {
            format!(
                "These are too few games to tell which of them is stronger (fewer than {FEW_GAMES} different ones)."
            )
        }
        None if one.elo[1] > 0.0 || one.elo[2] < 0.0 => {
            let p = one.p_value.unwrap_or(1.0);
            format!(
                "The interval leaves out 0, but pairs won and lost do not tell which of them is stronger (p = {p:.3})."
            )
        }
        None => "The interval holds 0: these games do not tell which of them is stronger.".to_owned(),
    };
    let repeats = repeats_of(one.repeats(), games);
    vec![
        format!("{outcome}: {won} won, {drawn} drawn, {lost} lost in {games} games."),
        format!("The score of {leader} is {}, the difference {}.", one.score(), one.elo()),
        test.unwrap_or_else(|| format!("{repeats}{sure}")),
    ]
}

/// What a sequential test said of how strong `first` is, who need not be the one that scored more; from its row.
fn of_test(row: &Row, first: &str) -> Option<String> {
    let [elo0, elo1, llr] = ["elo0", "elo1", "llr"].map(|name| row.number::<f64>(name));
    let [pairs, most] = ["pairs", "most_pairs"].map(|name| row.number::<u64>(name));
    let (pairs, most) = (pairs?, most?);
    let outcome = match row.text("verdict")? {
        "continue" => format!("came to no verdict in {most} pairs of games"),
        verdict => format!("says {verdict} after {pairs} of at most {most} pairs of games"),
    };
    // As they were given: they need not be whole numbers. Adding 0 leaves no -0.
    let [elo0, elo1] = [elo0?, elo1?].map(|elo| elo + 0.0);
    let elo = if row.text("scale")? == "normalised" { "normalised Elo" } else { "Elo" };
    let hypotheses = format!("{elo0:+} (H0) against {elo1:+} {elo} (H1)");
    Some(format!("The sequential test of {hypotheses} for {first} {outcome}, LLR {}.", rounded(llr?)))
}

/// What is said of games that repeat others, in front of what follows from the rest; nothing if there are none.
fn repeats_of(repeats: u64, games: u64) -> String {
    let told = || {
        let different = games - repeats;
        format!(
            "{repeats} of the {games} games repeat others and add no evidence, which leaves {different} different games. "
        )
    };
    (repeats > 0).then(told).unwrap_or_default()
}

fn of_pairings(pairings: &[Pairing], standings: &[Row]) -> Vec<String> {
    let games: u64 = pairings.iter().map(Pairing::games).sum();
    let decided = pairings.iter().filter(|one| one.stronger().is_some()).count();
    let are = if decided == 1 { "is" } else { "are" };
    let counts = format!(
        "{}Each by itself, {decided} of {} pairings {are} decided at the 95 % level, over {games} games.",
        repeats_of(pairings.iter().map(Pairing::repeats).sum(), games),
        pairings.len()
    );
    let leaders: Vec<Pairing> = pairings.iter().map(Pairing::of_leader).collect();
    let by_score = |one: &&Pairing, other: &&Pairing| one.score.total_cmp(&other.score);
    let by_bound = |one: &&Pairing, other: &&Pairing| one.elo[1].total_cmp(&other.elo[1]);
    let told = |what: &str, one: &Pairing| {
        let ([first, second], place) = (&one.names, &one.place);
        format!("The {what} result: {first} against {second}{place}, {}, {}.", one.score(), one.elo())
    };
    let clearest =
        leaders.iter().filter(|one| one.stronger() == Some(0)).max_by(by_bound).map(|one| told("clearest", one));
    let closest = leaders.iter().min_by(by_score).map(|one| told("closest", one));
    // Standings are of games under the first limit, where all play all.
    let place = pairings.first().map_or("", |one| &one.place);
    first_of(standings, place).into_iter().chain([counts]).chain(clearest).chain(closest).collect()
}

/// Who leads the standings, whose rows are the best first, group by group, of games in this `place`. Of several groups it is told of the
/// first in which there are two to compare.
fn first_of(standings: &[Row], place: &str) -> Option<String> {
    let ranked = standings.chunk_by(|one, other| group_of(one) == group_of(other)).find(|group| group.len() > 1)?;
    let is_all = ranked.len() == standings.len();
    let group = if is_all { String::new() } else { format!(" of group {}", group_of(&ranked[0])) };
    // Each game is one of two entrants.
    let games = ranked.iter().map(|row| row.number::<u64>("games")).sum::<Option<u64>>()? / 2;
    let all = format!("{} entrants{group} in {games} games{place}", ranked.len());
    let [first, second] = [&ranked[0], &ranked[1]].map(rated);
    let (first, second) = (first?, second?);
    Some(match ranked.iter().take_while(|row| height(row) == height(&ranked[0])).count() {
        0 | 1 => format!("{first} came first of {all}, before {second}."),
        2 => format!("{first} and {second} share the first place of {all}."),
        leaders => format!("{first}, {second} and {} more share the first place of {all}.", leaders - 2),
    })
}

/// An entrant with its score and its rating, as far as there is one.
fn rated(row: &Row) -> Option<String> {
    let rating = match ["rating", "rating_low", "rating_high"].map(|name| row.number::<f64>(name)) {
        [Some(rating), low, high] if rating.is_infinite() => {
            let bound = if rating > 0.0 {
                format!("above {}", signed_elo(low?))
            } else {
                format!("below {}", signed_elo(high?))
            };
            format!(", rated {bound} Elo")
        }
        [Some(rating), Some(low), Some(high)] => {
            let [rating, low, high] = [rating, low, high].map(signed_elo);
            format!(", rated {rating} Elo [{low}, {high}]")
        }
        _ => String::new(),
    };
    Some(format!("{} ({:.1} % of its points{rating})", row.text("entrant")?, row.number::<f64>("score")?))
}

/// What standings are in the order of: entrants of equal heights share a place.
fn height(row: &Row) -> [Option<f64>; 2] {
    [row.number("rating").map(comparable), row.number("score")]
}

/// The number of the group of entrants that games connect.
fn group_of(row: &Row) -> u64 {
    row.number("rating_group").unwrap_or(1)
}

/// The ratings of the entrants of a match; none of those whose games set no limit.
pub fn ladder(files: RunFiles<'_>) -> Vec<Rung> {
    let rung = |row: &Row| {
        let [elo, low, high] = ["rating", "rating_low", "rating_high"].map(|name| row.number(name));
        Some(Rung { name: row.text("entrant")?.to_owned(), group: group_of(row), rating: [elo?, low?, high?] })
    };
    files.rows(STANDINGS).iter().filter_map(rung).collect()
}

/// What the figures that sum a run up say where nobody played: their ends. Figures are compared that begin with the same words.
fn of_figures(files: RunFiles<'_>) -> Vec<String> {
    let figures = files.path(HEADLINE).map(|_| read_headline(files.folder)).unwrap_or_default();
    let mut kinds: Vec<(&str, Vec<(&str, f64)>)> = Vec::new();
    for (name, value) in &figures {
        let kind = name.split_whitespace().next().unwrap_or_default();
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, group)) => group.push((name, *value)),
            None => kinds.push((kind, vec![(name, *value)])),
        }
    }
    kinds.iter().map(|(_, group)| ends_of(group)).collect()
}

fn ends_of(figures: &[(&str, f64)]) -> String {
    let by_value = |one: &&(&str, f64), other: &&(&str, f64)| one.1.total_cmp(&other.1);
    let told = |figure: Option<&(&str, f64)>| figure.map(|(name, value)| format!("{name}: {}", rounded(*value)));
    let ends = [figures.iter().min_by(by_value), figures.iter().max_by(by_value)].map(told);
    match (figures.len(), ends) {
        (1, [Some(only), _]) => format!("{only}."),
        (n, [Some(least), Some(most)]) => format!("Of {n} figures, the lowest is {least}, and the highest {most}."),
        _ => String::new(),
    }
}

/// Four significant digits at most, without trailing zeros.
fn rounded(value: f64) -> String {
    let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let text = format!("{value:.*}", (3 - magnitude).clamp(0, 12) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// The points that a page for readers begins with, as sentences: of self-play, which has no other summary.
fn points_of(text: &str) -> Vec<String> {
    let points = text.lines().filter_map(|line| line.strip_prefix("* "));
    let sentence = |point: &str| {
        let mut letters = point.chars().filter(|letter| *letter != '`');
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).chain(['.']).collect()
    };
    points.take(3).map(sentence).collect()
}

/// How many comparisons with a paper's figures agree, from the verdicts in a page for readers.
fn beside_the_paper(text: &str) -> Option<String> {
    let count = |verdicts: &[&str]| {
        let is_one = |line: &&str| line.starts_with("* ") && verdicts.iter().any(|verdict| line.contains(verdict));
        text.lines().filter(is_one).count()
    };
    let [agree, part] = [": agrees (", ": agrees in part ("].map(|verdict| count(&[verdict]));
    let differ = count(&[": does not agree (", ": not seen here (", ": seen here only ("]);
    let open = count(&["leave it open (", "leaves it open (", "neither moves beyond the errors ("]);
    let all = agree + part + differ + open;
    (all > 0).then(|| {
        format!(
            "Beside the paper, {agree} of {all} comparisons agree, {part} in part, {differ} do not, and {open} are left open by the errors."
        )
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::runs::Manifest;
    use crate::runs::page::tables::rows;

    fn pairing(counts: [u64; 3], score: f64, elo: [f64; 3]) -> Pairing {
        let names = ["a", "b"].map(str::to_owned);
        let different = counts.iter().sum();
        Pairing { names, place: String::new(), counts, different, score, error: Some(5.0), elo, p_value: None }
    }

    #[test]
    fn a_match_is_told_from_the_side_of_who_scored_more() {
        let lost = pairing([1, 3, 20], 10.4, [-374.0, f64::NEG_INFINITY, -229.0]);
        let told = of_match(&lost, None);
        assert_eq!(told[0], "b beat a: 20 won, 3 drawn, 1 lost in 24 games.");
        assert_eq!(told[1], "The score of b is 89.6 ± 5.0 %, the difference +374 Elo (95 % interval +229 to +∞).");
        assert!(told[2].contains("leaves out 0"));
        let few = of_match(&pairing([4, 0, 0], 100.0, [f64::INFINITY, -216.0, f64::INFINITY]), None);
        assert!(few[0].contains("not clearly") && few[2].contains("too few games"), "{few:?}");
        let one_sided = pairing([100, 0, 0], 100.0, [f64::INFINITY, 484.0, f64::INFINITY]);
        let same = of_match(&Pairing { different: 4, ..one_sided }, None);
        let repeats =
            "96 of the 100 games repeat others and add no evidence, which leaves 4 different games. These are too few";
        assert!(same[0].contains("not clearly") && same[2].starts_with(repeats), "{same:?}");
        let turned = pairing([30, 0, 70], 30.0, [120.0, 30.0, 230.0]);
        let turned = of_match(&Pairing { different: 40, ..turned }, None);
        assert!(turned[0].starts_with("b scored more than a, but not clearly"), "{turned:?}");
        let expected = "40 different games. In these a is the stronger one, beyond chance at the 95 % level.";
        assert!(turned[2].ends_with(expected), "{turned:?}");
        let unsure = Pairing { p_value: Some(0.125), ..pairing([5, 1, 14], 27.5, [-168.0, -475.0, -8.0]) };
        let unsure = of_match(&unsure, None);
        assert!(unsure[0].contains("not clearly") && unsure[2].contains("(p = 0.125)"), "{unsure:?}");
        let open = of_match(&pairing([15, 0, 14], 51.7, [12.0, -116.0, 140.0]), None);
        assert!(
            open[0].starts_with("a scored more than b, but not clearly") && open[2].contains("holds 0"),
            "{open:?}"
        );
    }

    #[test]
    fn a_test_is_told_as_it_was_asked_for_and_of_whom() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(TEST);
        let head = "verdict,scale,elo0,elo1,pairs,most_pairs,llr\n";
        std::fs::write(&path, format!("{head}accept H0,logistic,-0.5,2,40,90,-2.96\n")).unwrap();
        let told = of_test(&rows(&path)[0], "b").unwrap();
        let hypotheses = "The sequential test of -0.5 (H0) against +2 Elo (H1) for b";
        assert_eq!(told, format!("{hypotheses} says accept H0 after 40 of at most 90 pairs of games, LLR -2.96."));
    }

    #[test]
    fn several_pairings_are_counted_and_their_ends_named() {
        let clear = pairing([18, 0, 2], 90.0, [380.0, 100.0, 600.0]);
        let told = of_pairings(&[clear.clone(), clear.turned(), pairing([1, 0, 1], 50.0, [0.0, -99.0, 99.0])], &[]);
        assert_eq!(told[0], "Each by itself, 2 of 3 pairings are decided at the 95 % level, over 42 games.");
        assert!(told[1].contains("clearest") && told[2].contains("closest"), "{told:?}");
    }

    /// The standings in a table with these rows.
    fn standings(lines: &[&str]) -> Vec<Row> {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(STANDINGS);
        let head = "entrant,rating,rating_low,rating_high,rating_group,games,score\n";
        std::fs::write(&path, head.to_owned() + &lines.join("\n")).unwrap();
        rows(&path)
    }

    #[test]
    fn equal_ratings_share_a_place_whatever_their_last_bits() {
        let lines = ["a,-3e-12,-50,50,1,20,50", "b,2e-12,-50,50,1,20,50", "c,0,-50,50,1,20,50", "d,-1,-50,50,1,20,49"];
        let told = |lines: &[&str]| first_of(&standings(lines), ", depth 2").unwrap();
        let a_and_b = "a (50.0 % of its points, rated +0 Elo [-50, +50]), b (50.0 % of its points, rated +0 Elo [-50, +50]) \
            and 1 more";
        assert_eq!(told(&lines), format!("{a_and_b} share the first place of 4 entrants in 40 games, depth 2."));
        let two = told(&[lines[0], lines[1], lines[3]]);
        assert!(
            two.contains(") and b (") && two.contains("share the first place of 3 entrants in 30 games, depth 2."),
            "{two}"
        );
        assert!(told(&[lines[0], lines[3]]).contains(") came first of 2 entrants in 20 games, depth 2, before d ("));
    }

    #[test]
    fn entrants_that_no_games_connect_are_not_compared() {
        let lines = ["a,30,10,50,1,8,60", "b,-30,-50,-10,1,8,40", "c,400,300,500,2,6,90", "d,-400,-500,-300,2,6,10"];
        let told = first_of(&standings(&lines), "").unwrap();
        assert!(
            told.contains("a (60.0 % of its points, rated +30 Elo [+10, +50]) came first of 2 entrants of group 1"),
            "{told}"
        );
        assert!(told.contains(" in 8 games, before b (") && !told.contains("c ("), "{told}");
        // Whoever met nobody came first of nobody.
        let alone = first_of(&standings(&["x,,,,1,0,", lines[2], lines[3]]), "").unwrap();
        assert!(alone.starts_with("c (") && alone.contains("of group 2 in 6 games"), "{alone}");
    }

    #[test]
    fn a_difference_of_nothing_has_one_sign() {
        let even = pairing([5, 0, 5], 50.0, [0.0, -99.0, 99.0]).turned();
        assert!(even.elo().starts_with("+0 Elo"), "{}", even.elo());
    }

    fn answer_in(folder: &Path, manifest: &Manifest) -> Answer {
        of_results(RunFiles { folder, manifest }, &std::fs::read_to_string(folder.join("tables.md")).unwrap())
    }

    /// A folder with the files that a run has `written`, and with `others`.
    fn folder_with(written: &[(&str, &str)], others: &[(&str, &str)]) -> (tempfile::TempDir, Manifest) {
        let place = tempfile::tempdir().unwrap();
        written.iter().chain(others).for_each(|(name, text)| std::fs::write(place.path().join(name), text).unwrap());
        let names: Vec<String> = written.iter().map(|(name, _)| (*name).to_owned()).collect();
        let manifest = Manifest::new("x", 1, serde_json::Value::Null, Vec::new());
        manifest.write(crate::runs::MANIFEST, place.path(), &names).unwrap();
        let manifest = Manifest::read(place.path()).unwrap();
        (place, manifest)
    }

    #[test]
    fn matches_under_several_limits_are_told_apart() {
        let matches = "limit,a,b,elo,elo_low,elo_high,won,drawn,lost,score,score_error\n\
            depth 2,x,y,49.5,1,101,12,0,9,57.1,7\ndepth 4,x,y,436,237,834,35,4,1,92.5,12.9\n";
        let standings = "entrant,rating,rating_low,rating_high,rating_group,games,won,drawn,lost,points,score\n\
            x,25,0,50,1,21,12,0,9,12,57.1\ny,-25,-50,0,1,21,9,0,12,9,42.9\n";
        let written = [("tables.md", "# Page\n"), ("matches.csv", matches), (STANDINGS, standings)];
        let (place, manifest) = folder_with(&written, &[]);
        let answer = answer_in(place.path(), &manifest);
        let first = "x (57.1 % of its points, rated +25 Elo [+0, +50]) came first of 2 entrants in 21 games, depth 2, before y (42.9 %";
        assert!(answer.sentences[0].starts_with(first), "{:?}", answer.sentences);
        assert!(answer.sentences[2].starts_with("The clearest result: x against y, depth 4, 92.5 ± 12.9 %"));
        let bars: Vec<&str> = answer.scores.iter().map(|score| score.names.as_str()).collect();
        assert_eq!(bars, ["x – y, depth 2", "x – y, depth 4"]);
    }

    /// A run that another has left its tables to, as one with fewer games does that takes the place of a larger one.
    #[test]
    fn tables_that_the_run_did_not_write_are_none_of_its_answer() {
        let table = |reading: &str, score: u32| {
            let head = "opponent,reading,training_games,won,drawn,lost,score,score_error";
            format!("{head}\ntraditional,{reading},100,1,2,3,{score},4\n")
        };
        let pairings = "a,b,won,drawn,lost,score,elo,elo_low,elo_high\nx,y,9,0,1,90,381,100,600\n";
        let standings = "entrant,rating,rating_low,rating_high\nx,90,1,2\n";
        let (own, foreign) = (table("own", 40), table("foreign", 60));
        let written = [("tables.md", "# Page\n"), ("table-1.csv", &own)];
        let others = [("table-1-all.csv", foreign.as_str()), ("matches.csv", pairings), (STANDINGS, standings)];
        let others = [&others[..], &[(HEADLINE, "figure,value\nmse a,1\n")]].concat();
        let (place, manifest) = folder_with(&written, &others);
        let answer = answer_in(place.path(), &manifest);
        let told = "Table 1: after 100 training games the rough network scores 40.0 ± 4.0 % (own) against traditional.";
        assert_eq!(answer.sentences, [told]);
        assert_eq!(answer.scores.len(), 1);
        assert!(ladder(RunFiles { folder: place.path(), manifest: &manifest }).is_empty());
    }

    /// The committed results of two experiments: one plays matches, the other repeats a table of a paper.
    #[test]
    fn answers_name_the_winner_and_the_table_of_the_paper() {
        let answer = |name: &str| {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results").join(name);
            answer_in(&folder, &Manifest::read(&folder).unwrap())
        };
        let connect6 = answer("connect6-tdbp");
        assert!(connect6.sentences[0].ends_with("6 of 6 pairings are decided at the 95 % level, over 6000 games."));
        assert_eq!(connect6.scores[5].names, "patterns-all-turn – static");
        let s1 = answer("rnn-xiangqi");
        assert!(
            s1.sentences[0].contains("scores 0.7 ± 0.5 % (raw), 47.6 ± 2.5 % (default), 55.3"),
            "{:?}",
            s1.sentences
        );
        assert!(s1.sentences[0].ends_with("against traditional; the paper has 45.5 %."), "{:?}", s1.sentences);
        assert_eq!(s1.scores[1].names, "default, 6000 training games – traditional");
        assert_eq!(s1.scores.len(), 9);
    }

    #[test]
    fn figures_of_one_kind_are_compared() {
        let told = ends_of(&[("mse a", 0.27227), ("mse b", 0.3), ("mse c", 0.28)]);
        assert_eq!(told, "Of 3 figures, the lowest is mse a: 0.2723, and the highest mse b: 0.3.");
        assert_eq!([0.0, 1234.5678, 84.75, 0.00012345].map(rounded), ["0", "1235", "84.75", "0.0001234"]);
    }

    #[test]
    fn a_run_without_figures_is_told_by_the_points_of_its_page() {
        let told = points_of("# Self-play\n\n* 12 games\n* matches at `depth 2`\n\n| a |\n");
        assert_eq!(told, ["12 games.", "Matches at depth 2."]);
    }

    #[test]
    fn verdicts_beside_a_paper_are_counted() {
        let text = "* order of the cells: agrees (of 3)\n* size: does not agree (0 of 3)\n* x: our errors leave it open (y)\n* z: agrees in part (1 of 2)\nagrees (\n";
        let told = beside_the_paper(text).unwrap();
        assert_eq!(
            told,
            "Beside the paper, 1 of 4 comparisons agree, 1 in part, 1 do not, and 1 are left open by the errors."
        );
        assert_eq!(beside_the_paper("* nothing: here"), None);
    }
}
