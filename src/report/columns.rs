//! The columns of the CSV files that programs read: their names, and what they mean.
//!
//! A table has headings for readers; in CSV its columns have names in snake case. Most names follow from the heading by a rule,
//! the others stand here.

/// Headings whose columns the rule would not name well, with the names.
const NAMES: &[(&str, &[&str])] = &[
    ("#", &["rank"]),
    ("Elo ± 95 %", &["elo", "elo_low", "elo_high"]),
    ("Elo of a ± 95 %", &["elo", "elo_low", "elo_high"]),
    ("Elo against the teacher ± 95 %", &["elo_teacher", "elo_teacher_low", "elo_teacher_high"]),
    ("Elo in comparison ± 95 %", &["elo_comparison", "elo_comparison_low", "elo_comparison_high"]),
    ("rating ± 95 %", &["rating", "rating_low", "rating_high", "rating_group"]),
    ("pairs by points 0 ½ 1 1½ 2", &["pairs_ll", "pairs_ld", "pairs_even", "pairs_wd", "pairs_ww"]),
    ("score %", &["score"]),
    ("± %", &["score_error"]),
    ("S1 score %", &["s1_score"]),
    ("S5 score %", &["s5_score"]),
    ("BP score %", &["bp_score"]),
    ("BP ± %", &["bp_score_error"]),
    ("TD score %", &["td_score"]),
    ("TD ± %", &["td_score_error"]),
    ("comparison score %", &["comparison_score"]),
    ("by", &["end"]),
    ("a move", &["simulations_a_move"]),
    ("classes U/IND(C)", &["classes_c"]),
    ("classes U/IND(R)", &["classes_r"]),
    ("change / before", &["change_ratio"]),
    ("mobility × S3's", &["mobility_factor"]),
    ("p 0", &["p_0"]),
    ("p 1/2", &["p_half"]),
    ("p 1", &["p_1"]),
    ("p 3/2", &["p_one_and_half"]),
    ("p 2", &["p_2"]),
    ("error", &["mse", "mse_sd"]),
    ("mean squared error", &["mse", "mse_sd"]),
    ("winner predicted, %", &["winner_predicted", "winner_predicted_sd"]),
    ("untrained", &["mse_after_0", "mse_after_0_sd"]),
    ("1 pass", &["mse_after_1", "mse_after_1_sd"]),
    ("2 passes", &["mse_after_2", "mse_after_2_sd"]),
    ("3 passes", &["mse_after_3", "mse_after_3_sd"]),
    ("4 passes", &["mse_after_4", "mse_after_4_sd"]),
];

/// Signs that stand for words in the names of columns.
const SIGNS: [(&str, &str); 8] = [
    ("'s", ""),
    ("%", " percent "),
    ("±", " error "),
    ("½", " half "),
    ("α", " alpha "),
    ("γ", " gamma "),
    ("λ", " lambda "),
    ("ω", " omega "),
];

/// The names of the columns under a heading: those of the list, or one by the rule: in lower case, with signs as words, and `_` for
/// whatever is no letter or digit of ASCII. A name begins with a letter.
pub fn names_of(heading: &str) -> Vec<String> {
    if let Some((_, names)) = NAMES.iter().find(|(known, _)| *known == heading) {
        return names.iter().map(|&name| name.to_owned()).collect();
    }
    let spelled = SIGNS.iter().fold(heading.to_lowercase(), |text, (sign, word)| text.replace(sign, word));
    let words: Vec<&str> =
        spelled.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let name = words.join("_");
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphabetic());
    vec![if begins_well { name } else { format!("x{}{name}", if name.is_empty() { "" } else { "_" }) }]
}

/// A CSV file that the program writes.
struct CsvFile {
    /// Its name; `*` stands for any characters.
    name: &'static str,
    /// What writes it.
    by: &'static str,
    /// What a row is about.
    row: &'static str,
    /// The names of its columns in order; one with `*` stands for any number of columns, none included.
    columns: &'static str,
}

const fn file(name: &'static str, by: &'static str, row: &'static str, columns: &'static str) -> CsvFile {
    CsvFile { name, by, row, columns }
}

const FILES: &[CsvFile] = &[
    file("headline.csv", "`reproduce`", "a figure that sums up the run", "figure value"),
    file(
        "summary.csv",
        "`reproduce`, of a sweep",
        "a run: the settings that were changed, then the figures of its `headline.csv`, both under their own names",
        "*",
    ),
    file(
        "games.csv",
        "experiments that play",
        "a game of a match",
        "a b red black end game opening result_of_a plies nodes_a nodes_b",
    ),
    file(
        "matches.csv",
        "experiments that play",
        "a match",
        "a b elo elo_low elo_high won drawn lost score score_error mean_plies",
    ),
    file(
        "matches.csv",
        "`evaluation-terms`",
        "an evaluator with fewer terms",
        "terms elo elo_low elo_high won drawn lost score score_error mean_plies",
    ),
    file(
        "table-1*.csv",
        "`rnn-xiangqi`",
        "a cell of S1's Table 1",
        "opponent reading training_games won drawn lost score score_error s1_won s1_drawn s1_lost s1_score bp_score \
         bp_score_error td_score td_score_error",
    ),
    file(
        "reduction.csv",
        "`rnn-xiangqi`",
        "a reading and a number of games",
        "reading games_in kept kept_in_s1 no_position positions classes_c gamma_c reduct_size classes_r gamma_r",
    ),
    file("reducts.csv", "`rnn-xiangqi`", "a reading and a number of games", "reading games_in reduct"),
    file("errors.csv", "`rnn-xiangqi`", "a network or a baseline", "method inputs weights positions mse_after_*"),
    file("errors.csv", "`held-out-error`", "a method, over all seeds", "kind method weights mse_after_*"),
    file("errors.csv", "`connect6-records`", "a method, over all seeds", "method features stones_*"),
    file("right.csv", "`connect6-records`", "a method, over all seeds", "method features stones_*"),
    file(
        "methods.csv",
        "`connect6-records`",
        "a method, over all seeds",
        "method features weights mse mse_sd winner_predicted winner_predicted_sd",
    ),
    file("curves.csv", "`rnn-xiangqi`", "a measurement", "method pass positions training_mse held_out_mse"),
    file(
        "curve.csv",
        "`train rough|bp|td|baseline`",
        "a measurement",
        "method pass positions training_mse held_out_mse",
    ),
    file("curves.csv", "`held-out-error`", "a measurement", "kind method seed pass training_mse held_out_mse"),
    file("curves.csv", "`inclusion-start`", "a measurement", "way seed pass held_out_mse"),
    file(
        "curves.csv",
        "`td-xiangqi`",
        "a measurement",
        "hidden_neurons pass games positions training_mse held_out_mse",
    ),
    file(
        "passes.csv",
        "`inclusion-start`",
        "an error",
        "error_level inclusion_degrees inclusion_degrees_sd random_weights random_weights_sd saved saved_sd",
    ),
    file("reduction.csv", "`inclusion-start`", "a way of learning", "way attributes examples weights mse mse_sd"),
    file(
        "cells.csv",
        "`td-xiangqi`",
        "a cell of S5's tables",
        "elo elo_low elo_high hidden_neurons passes score score_error s5_score mean_plies held_out_mse",
    ),
    file(
        "table-*.csv",
        "`td-xiangqi`",
        "a size, or a number of passes; also `passes-N.csv`",
        "hidden_neurons won drawn lost games score score_error s5_won s5_drawn s5_lost s5_score",
    ),
    file(
        "table-*.csv",
        "`td-xiangqi`",
        "a number of passes; also `hidden-N.csv`",
        "passes won drawn lost games score score_error s5_won s5_drawn s5_lost s5_score",
    ),
    file(
        "passes-*.csv",
        "`td-xiangqi`",
        "as `table-1.csv`",
        "hidden_neurons won drawn lost games score score_error s5_won s5_drawn s5_lost s5_score",
    ),
    file(
        "hidden-*.csv",
        "`td-xiangqi`",
        "as `table-4.csv`",
        "passes won drawn lost games score score_error s5_won s5_drawn s5_lost s5_score",
    ),
    file(
        "exact.csv",
        "`mtdf-steps`, `connect6-steps`",
        "a driver and a depth",
        "driver depth searches null_windows nodes",
    ),
    file(
        "heuristics.csv",
        "`mtdf-steps`, `connect6-steps`",
        "a driver and a depth",
        "driver depth searches null_windows nodes",
    ),
    file("figure-3.csv", "`td-random-walk`", "a λ", "lambda rms_error sd standard_error"),
    file("figure-*.csv", "`td-random-walk`", "a λ and an α", "lambda alpha rms_error sd standard_error"),
    file(
        "rates.csv",
        "`sprt-simulation`",
        "a true difference",
        "true_elo p_0 p_half p_1 p_one_and_half p_2 exact_tests exact_accepted_h1 exact_cut_off exact_mean_games \
         exact_standard_error approximate_tests approximate_accepted_h1 approximate_cut_off approximate_mean_games \
         approximate_standard_error theory_accept_h1 theory_games",
    ),
    file(
        "curve.csv",
        "`connect6-tdbp`",
        "a match of a checkpoint",
        "features opponent seed games won drawn lost score score_error",
    ),
    file(
        "final.csv",
        "`connect6-tdbp`",
        "a match of the last network",
        "features opponent elo elo_low elo_high won drawn lost score score_error mean_stones",
    ),
    file("grid.csv", "`connect6-tdbp`", "an α", "alpha lambda_*"),
    file(
        "compared.csv",
        "`surakarta-zero`",
        "a match of two checkpoints",
        "run elo elo_low elo_high won drawn lost score score_error",
    ),
    file(
        "effort.csv",
        "`surakarta-searches`",
        "a variant of the search",
        "variant search moves simulations simulations_a_move draws_percent plies policy_loss value_loss",
    ),
    file(
        "curve*.csv",
        "`train zero`, `surakarta-zero`, `surakarta-searches`",
        "a lesson",
        "lesson games pool steps policy_loss value_loss l2_loss finished mean_plies draws first_score moves simulations batch \
         cache_hits entropy given_up wrongly_given_up",
    ),
    file(
        "alphas.csv",
        "`position-tables`",
        "a strength of the regularisation",
        "alpha positions log_loss_held_out points_a_unit_of_log_odds mobility_factor hand_in_hand",
    ),
    file("terms.csv", "`position-tables`", "a set of terms", "terms fitted_here built_in"),
    file("pieces.csv", "`position-tables`", "a piece", "piece log_odds points s3_points"),
    file(
        "pairings.csv",
        "`match`, `surakarta-zero`, `surakarta-searches`",
        "a pairing",
        "a b elo elo_low elo_high pairs_ll pairs_ld pairs_even pairs_wd pairs_ww won drawn lost score score_error p_holm \
         mean_plies",
    ),
    file(
        "standings.csv",
        "`match`",
        "an entrant, the best first",
        "entrant rating rating_low rating_high rating_group limits games won drawn lost points score",
    ),
    file(
        "standings.csv",
        "`surakarta-searches`",
        "an entrant, the best first",
        "entrant rating rating_low rating_high rating_group games won drawn lost points score",
    ),
    file(
        "ladder.csv",
        "`surakarta-zero`",
        "an entrant, the best first",
        "entrant rating rating_low rating_high rating_group games won drawn lost points score",
    ),
    file("crosstable.csv", "`match`", "an entrant, the best first", "rank entrant points_* games_*"),
    file("ends.csv", "`match`", "a rule that ended games", "end games"),
    file(
        "games.csv",
        "`match`",
        "a game",
        "game pair opening first second result value end failure plies nodes_first nodes_second moves",
    ),
    file("scores.csv", "`train td`, by playing others", "a measurement", "games positions learner_score held_out_mse"),
    file("scores.csv", "`train td`, by self-play", "a measurement", "games positions first_side_score held_out_mse"),
    file(
        "rounds.csv",
        "`train iterate`",
        "a round",
        "network elo_teacher elo_teacher_low elo_teacher_high taken elo_comparison elo_comparison_low elo_comparison_high \
         round positions error_before error_after gate_games comparison_score",
    ),
    file("coverage.csv", "`diagnosis/` of rough networks", "a number of rules", "rules positions share_percent"),
    file("gradient.csv", "`diagnosis/`", "a layer", "layer weights norm share_percent zero_percent"),
    file("distance.csv", "`diagnosis/`", "a layer", "layer norm_before norm_of_the_change change_ratio cosine"),
    file(
        "sharpest.csv",
        "`diagnosis/`",
        "a value of an attribute in a rule",
        "value speaks_for rule positions factor factor_before",
    ),
    file(
        "rules.csv",
        "`diagnosis/`",
        "a rule",
        "words state rule matched mean_v largest_omega_v held omega_before omega",
    ),
    file("FILE.csv", "`plot curves`", "a point of a curve", "series runs pass positions mean low high"),
    file(
        "overview.csv",
        "`games stats`",
        "a figure, first what was read, and how many games are duplicates",
        "figure value",
    ),
    file("years.csv", "`games stats`", "a year", "year games won drawn lost score"),
    file("players.csv", "`games stats`", "a player", "player games won drawn lost score"),
    file("events.csv", "`games stats`", "an event", "event games won drawn lost score"),
    file("openings.csv", "`games stats`", "a letter of the ECCO", "letter games won drawn lost score"),
    file("codes.csv", "`games stats`", "an opening of the ECCO", "code games won drawn lost score"),
    file("first-moves.csv", "`games stats`", "a first move", "move games won drawn lost score"),
    file("plies.csv", "`games stats`", "a range of lengths", "plies_from plies_to games"),
];

/// What columns mean, wherever they stand; `*` stands for any characters.
const MEANINGS: &[(&str, &str)] = &[
    ("a, b", "the two players of a match; counts, scores and Elo are those of `a`"),
    ("alpha", "learning rate α; in `alphas.csv` the strength of the regularisation"),
    ("approximate_*", "as `exact_*`, of the test with the normal approximation"),
    ("attributes", "attributes that the network reads"),
    ("batch", "positions in one evaluation of the network, mean"),
    ("bp_score, bp_score_error", "as `score` and `score_error`, of the BP network"),
    ("cache_hits", "share of evaluations that came from the cache, 0 to 1"),
    ("change_ratio", "`norm_of_the_change` over `norm_before`"),
    ("classes_c, classes_r", "classes of indiscernibility under all attributes C and under the reduct R"),
    ("code, letter", "the opening in the Encyclopaedia of Chinese Chess Openings: its code, or its first letter"),
    ("comparison_score", "score in per cent against the evaluator for comparison"),
    ("cosine", "cosine between the weights before and after training"),
    ("depth", "depth of the search, in plies"),
    ("drawn", "drawn games"),
    ("draws", "share of drawn games, 0 to 1"),
    ("draws_percent", "drawn games in per cent"),
    ("driver", "what drives the search"),
    (
        "elo, elo_low, elo_high",
        "Elo difference of the first player, and the ends of its 95 % interval; `inf` and `-inf` where the games set no limit",
    ),
    ("elo_comparison, elo_comparison_low, elo_comparison_high", "the same, against the evaluator for comparison"),
    ("elo_teacher, elo_teacher_low, elo_teacher_high", "the same, against the teacher"),
    ("end", "what ended the game"),
    ("entrant", "a player of the tournament"),
    ("entropy", "entropy of the policy, in nats"),
    ("error_before, error_after", "held-out mean squared error before and after the round's training"),
    ("error_level", "the held-out error that is reached"),
    ("event, move, player, year", "what the games of the row have in common"),
    (
        "exact_*",
        "of the test with the exact ratio: tests, tests that accepted H1, tests cut off, games until the verdict and the standard error of their mean",
    ),
    ("examples", "positions to learn from"),
    ("factor, factor_before", "the factor of the value in the rule's strength, after and before training"),
    ("failure", "how a player failed, if one did"),
    ("features", "the feature set"),
    (
        "figure, value",
        "a figure's name, and the number; in `sharpest.csv` the `value` is an attribute with its value, in games the result as a number",
    ),
    ("finished", "games of self-play that ended since the last row"),
    ("first, second", "who moved first, and who second"),
    ("first_score", "points a game of the side that moves first, 0 to 1"),
    (
        "first_side_score, learner_score",
        "points a game of the first side in self-play, and of the learner against others, 0 to 1; empty before the first game",
    ),
    ("fitted_here, built_in", "log loss in nats of the tables fitted here, and of those of the program"),
    ("game, pair, opening", "numbers of the game, of its pair, and of the opening, from 1"),
    ("games", "games played, or learned from"),
    ("games_*", "games against the entrant of this rank"),
    ("games_in", "games before the reduction"),
    ("gamma_c, gamma_r", "quality of approximation γ under C and under R, 0 to 1"),
    ("gate_games", "games of the match against the teacher"),
    ("given_up, wrongly_given_up", "games given up; those of a sample played on that the giver did not lose"),
    ("hand_in_hand", "points for pairs of pieces that protect each other"),
    ("held", "weight changes that ended at a bound"),
    ("held_out_mse, training_mse", "mean squared error of the result on held-out and on training games"),
    ("hidden_neurons", "N, the size of the hidden layer"),
    (
        "inclusion_degrees, inclusion_degrees_sd",
        "passes until the error is reached from inclusion degrees: mean and standard deviation over the seeds",
    ),
    ("inputs", "attributes that the network reads"),
    ("kept, kept_in_s1", "games that the reduction keeps, here and in S1"),
    ("kind", "the kind of the method"),
    ("l2_loss, policy_loss, value_loss", "parts of the loss"),
    ("lambda", "λ"),
    ("lambda_*", "score in per cent at this λ; `…_error` is half the width of its 95 % interval"),
    ("largest_omega_v", "the largest |ω v| of the rule"),
    ("layer", "the layer of the network"),
    ("lesson", "number of the lesson"),
    ("log_loss_held_out", "log loss on held-out games, in nats"),
    ("log_odds", "what a piece adds to the log-odds of a win"),
    ("lost", "lost games"),
    ("matched", "positions that meet the rule's conditions"),
    ("mean, low, high", "mean over the seeds, and the ends of the band around it; empty ends with one seed"),
    ("mean_plies, mean_stones, plies", "length of games in plies (stones), mean over the games of a row"),
    ("mean_v", "mean strength v of the rule"),
    ("method, reading, run, search, variant, way", "what the row is about, in words"),
    ("mobility_factor", "weights of mobility, as multiples of S3's"),
    ("moves", "moves played since the last row; of a single game its moves"),
    ("mse, mse_sd", "held-out mean squared error of the result: mean and standard deviation over the seeds"),
    (
        "mse_after_*",
        "held-out mean squared error after so many passes; `…_sd` is the standard deviation over the seeds",
    ),
    ("network", "the network"),
    ("no_position", "games without a position that could be used"),
    ("nodes", "positions that a search visits, mean"),
    ("nodes_a, nodes_b, nodes_first, nodes_second", "positions that the player's searches visited in the game"),
    (
        "norm, norm_before, norm_of_the_change",
        "Euclidean norm of the layer's gradient, of its weights before training, and of their change",
    ),
    ("null_windows", "searches with a null window at the root, mean"),
    ("omega, omega_before", "weight ω of the rule after and before training"),
    ("opponent", "whom it plays"),
    ("p_0, p_half, p_1, p_one_and_half, p_2", "probability of a pair of games with these points"),
    (
        "p_holm",
        "p-value of \"neither is stronger\", two-sided, from pairs, adjusted for the number of pairings by Holm's method",
    ),
    ("pairs_ll, pairs_ld, pairs_even, pairs_wd, pairs_ww", "pairs of games in which `a` has 0, ½, 1, 1½ and 2 points"),
    ("pass, passes", "passes over the training positions"),
    ("piece", "the piece"),
    ("plies_from, plies_to", "lengths of the games of the row, both included"),
    (
        "points",
        "points of games: 1 a win, ½ a draw; in `pieces.csv` what the piece is worth, in points of the evaluator",
    ),
    ("points_*", "points against the entrant of this rank"),
    ("points_a_unit_of_log_odds", "points of the evaluator for a unit of log-odds"),
    ("pool", "positions to learn from"),
    ("positions", "positions: learned from, seen so far, or counted"),
    ("random_weights, random_weights_sd", "as `inclusion_degrees`, from random weights"),
    ("limits", "how far the entrant may think at each move, such as `depth 3`; empty for one that does not think"),
    ("rank", "place in the standings"),
    (
        "rating, rating_low, rating_high",
        "Elo on one scale with mean 0 (Bradley-Terry), and the ends of the 95 % interval; `inf` and `-inf` with one-sided results, empty where the games tell nothing",
    ),
    (
        "rating_group",
        "number of the group of entrants that games connect, from 1; ratings of two groups cannot be compared",
    ),
    ("red, black", "who played each side"),
    ("reduct, reduct_size", "the attributes of the reduct, and how many there are"),
    ("result", "the result as in PGN"),
    ("result_of_a", "1 a win of `a`, 0 a draw, -1 a loss"),
    (
        "rms_error, sd, standard_error",
        "root mean square error, its standard deviation over the training sets, and the standard error of the mean",
    ),
    ("round", "number of the round, from 1"),
    ("rule, rules", "number of the rule, from 1; how many rules a position meets"),
    ("runs", "runs behind the curve"),
    ("s1_*, s5_*", "the same figure in the paper; empty where it has none"),
    ("s3_points", "what the piece is worth in S3"),
    ("saved, saved_sd", "passes that the start from inclusion degrees saves"),
    (
        "score, score_error",
        "points in per cent, 0 to 100, and half the width of the 95 % interval by pairs of games; empty if all pairs ended alike",
    ),
    ("searches", "searches that finished this iteration"),
    ("seed", "the seed"),
    ("series", "the name of the curve"),
    ("share_percent, zero_percent", "share in per cent; of weights whose gradient is zero"),
    ("simulations, simulations_a_move", "simulations of the tree search, and how many a move"),
    ("speaks_for", "the decision that the value speaks for"),
    ("state", "`dead` if the rule has no effect, else `alive`"),
    ("steps", "training steps so far"),
    (
        "stones_*",
        "the figure on positions with so many stones: winners predicted in per cent in `right.csv`, mean squared error in `errors.csv`; `…_sd` is the standard deviation over the seeds",
    ),
    ("taken", "whether the network took the place of the teacher: `yes`, `no`"),
    ("td_score, td_score_error", "as `score` and `score_error`, of the TD(λ) network"),
    ("terms", "the terms of the evaluator"),
    ("theory_accept_h1, theory_games", "probability that H1 is accepted and games until then, by Wald's theory"),
    ("training_games", "games before the reduction that the network learned from"),
    ("true_elo", "the true difference"),
    ("weights", "weights of the network, or of the layer"),
    (
        "winner_predicted, winner_predicted_sd",
        "decided games whose winner is predicted, in per cent: mean and standard deviation over the seeds",
    ),
    ("won", "won games"),
    ("words", "the rule in words"),
];

/// The data dictionary in Markdown: every CSV file with its columns, and every column with its meaning.
pub fn dictionary() -> String {
    let file = |file: &CsvFile| {
        let columns = file.columns.split_whitespace().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        format!("| `{}` | {} | {} | {columns} |\n", file.name, file.by, file.row)
    };
    let meaning = |(names, meaning): &(&str, &str)| format!("| `{}` | {meaning} |\n", names.replace(", ", "`, `"));
    let files: String = FILES.iter().map(file).collect();
    let meanings: String = MEANINGS.iter().map(meaning).collect();
    format!(
        "| file | written by | a row is | columns |\n|---|---|---|---|\n{files}\n| column | means |\n|---|---|\n{meanings}"
    )
}

/// Whether the dictionary has a file of this `name` with these columns.
pub fn is_described(name: &str, columns: &[&str]) -> bool {
    let fits = |file: &CsvFile| fits(file.name, name) && are_columns_of(file, columns);
    FILES.iter().any(fits)
}

/// Whether the columns of the file are these, in order but for the repeated ones.
fn are_columns_of(file: &CsvFile, columns: &[&str]) -> bool {
    let (open, fixed): (Vec<&str>, Vec<&str>) = file.columns.split_whitespace().partition(|name| name.contains('*'));
    let is_open = |column: &&&str| !fixed.contains(*column) && open.iter().any(|pattern| fits(pattern, column));
    let others: Vec<&str> = columns.iter().filter(|column| !is_open(column)).copied().collect();
    others == fixed
}

/// Whether `text` is `pattern`, in which one `*` may stand for any characters.
fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => text.len() >= start.len() + end.len() && text.starts_with(start) && text.ends_with(end),
        None => text == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_snake_case_in_ascii() {
        for (heading, name) in [
            ("mean plies", "mean_plies"),
            ("p (Holm)", "p_holm"),
            ("λ = 0.3", "lambda_0_3"),
            ("share %", "share_percent"),
            ("S3's points", "s3_points"),
            ("largest |omega v|", "largest_omega_v"),
            ("exact: accepted H1", "exact_accepted_h1"),
            ("10-19", "x_10_19"),
            ("許", "x"),
        ] {
            assert_eq!(names_of(heading), [name], "{heading}");
        }
        assert_eq!(names_of("Elo of a ± 95 %"), ["elo", "elo_low", "elo_high"]);
    }

    #[test]
    fn every_column_of_a_file_has_a_meaning() {
        let known: Vec<&str> = MEANINGS.iter().flat_map(|(names, _)| names.split(", ")).collect();
        for file in FILES {
            for column in file.columns.split_whitespace().filter(|&column| column != "*") {
                assert!(known.iter().any(|known| fits(known, column)), "{} of {}", column, file.name);
            }
        }
    }

    #[test]
    fn repeated_columns_may_be_many() {
        let columns = ["rank", "entrant", "points_1", "games_1", "points_2", "games_2"];
        assert!(is_described("crosstable.csv", &columns) && !is_described("crosstable.csv", &columns[1..]));
        assert!(!is_described("ends.csv", &["end", "games", "other"]));
    }
}
