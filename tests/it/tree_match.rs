//! Tree searches as entrants of matches, and networks of policy and value wherever an evaluator can stand.

use roughboard::eval::{Catalogue, priors_of};
use roughboard::game::{Game, Notation};
use roughboard::games::surakarta::Surakarta;
use roughboard::net::residual::{Shape, Weights, store};

use crate::command::{Files, Run, contents, roughboard, roughboard_told};
use crate::conversation::Conversation;

/// The file of a small network that was never trained.
fn network(files: &Files, name: &str, seed: u64) -> String {
    let shape = Shape { channels: 8, layers: 2, ..Shape::new(6, 6, 7) };
    let weights = Weights::random(shape, seed, "test").unwrap();
    let path = files.path(name);
    let about = store::About { game: Surakarta::NAME.to_owned(), ..store::About::default() };
    store::save(&path, &weights, &about).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A match of few short games.
fn played(entrants: &[&str], more: &[&str]) -> Run {
    let settings = ["--game", "surakarta", "--games", "4", "--random-plies", "3", "--rules", "quiet=10,plies=40"];
    roughboard(&[&["match"], entrants, &settings, more].concat())
}

#[test]
fn a_match_of_trees_is_the_same_on_any_number_of_threads_and_in_parts() {
    let files = Files::new();
    let (net, trees) = (network(&files, "a.safetensors", 1), "material@simulations=12,selection=gumbel,name=counting");
    let run = |name: &str, more: &[&str]| {
        let folder = files.path(name);
        played(&[&net, trees, "random"], &[&["--simulations", "12", "--out", folder.to_str().unwrap()], more].concat());
        folder
    };
    let whole = contents(&run("whole", &["--threads", "1"]));
    assert!(whole == contents(&run("threads", &["--threads", "2"])));
    let parts = [run("first", &["--shard", "1/2"]), run("second", &["--shard", "2/2"])];
    let merged = files.path("merged");
    let [first, second] = parts.each_ref().map(|path| path.to_str().unwrap());
    let merge = ["match", "merge", first, second, "--game", "surakarta", "--out", merged.to_str().unwrap()];
    roughboard(&merge).ended(0);
    assert!(whole == contents(&merged), "parts make the whole");
    let plan = String::from_utf8(whole["plan.json"].clone()).unwrap();
    assert!(plan.contains("\"simulations\":12") || plan.contains("\"simulations\": 12"), "{plan}");
}

#[test]
fn trees_side_by_side_share_the_threads_of_the_games() {
    let files = Files::new();
    let entrants = [network(&files, "a.safetensors", 1) + "@trees=3,simulations=30", "random".to_owned()];
    let entrants = entrants.each_ref().map(String::as_str);
    let [one, two] = ["1", "2"].map(|threads| played(&entrants, &["--threads", threads, "--json"]).ended(0).stdout);
    assert_eq!(one, two);
}

#[test]
fn games_of_moves_that_are_drawn_repeat_none() {
    let files = Files::new();
    let net = network(&files, "a.safetensors", 1);
    let opening = files.write("openings.txt", "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r 0\n");
    let openings = ["--openings", opening.to_str().unwrap(), "--reuse-openings", "--games", "4", "--max-plies", "2"];
    let repeats = |settings: &str| {
        let entrant = format!("{net}@simulations=2,{settings}");
        let entrants = ["match", "--game", "surakarta", &entrant, "material"];
        let told = roughboard(&[&entrants[..], &openings, &["--depth", "1", "--json"]].concat()).ended(0).json();
        told["repeats"].as_u64().unwrap()
    };
    // Where one move alone was tried it is drawn always, and so are the same games.
    let settings = ["temperature=0", "temperature=0.01", "temperature=0.01,selection=gumbel"];
    assert_eq!(settings.map(repeats), [2, 0, 2]);
}

/// And not by a number of simulations, unless one is given.
#[test]
fn a_tree_search_goes_by_its_clock() {
    let files = Files::new();
    let net = network(&files, "a.safetensors", 1);
    let clock = ["--tc", "0.5", "--time-margin", "60000", "--max-plies", "20"];
    let effort = |name: &str, more: &[&str]| {
        let out = files.argument(name);
        played(&[&net, "random"], &[&clock[..], more, &["--out", &out]].concat()).ended(0);
        let plan = std::fs::read_to_string(files.path(name).join("plan.json")).unwrap();
        let after = plan.split("\"simulations\":").nth(1).unwrap();
        after.trim_start().split([',', '}']).next().unwrap().trim_end().to_owned()
    };
    assert_eq!([effort("all", &[]), effort("few", &["--simulations", "3"])], ["null", "3"]);
    let error = played(&[&format!("{net}@selection=gumbel"), "random"], &clock).refusal();
    assert!(error.contains("`simulations` must be in [1, 1000000] with selection=gumbel, got no number"), "{error}");
}

#[test]
fn simulations_make_a_player_stronger() {
    let entrants = ["material@simulations=200,name=many", "material@simulations=2,name=few"];
    let settings = ["--game", "surakarta", "--games", "20", "--random-plies", "4", "--json"];
    let result = &roughboard(&[&["match"], &entrants[..], &settings].concat()).ended(0).json()["pairings"][0];
    let [won, lost] = ["won", "lost"].map(|key| result[key].as_u64().unwrap());
    assert!(won > 2 * lost + 5, "{result}");
}

#[test]
fn a_network_is_an_evaluator_with_priors() {
    let files = Files::new();
    let net = network(&files, "a.safetensors", 3);
    let said = roughboard(&["eval", "--game", "surakarta", "--evaluator", &net, "--explain", "--json"]).ended(0).json();
    let priors = said["priors"].as_array().unwrap();
    let policy = Surakarta::policy(&net).unwrap().unwrap();
    let expected = priors_of(&*policy, &Surakarta::start());
    assert_eq!(priors.len(), Surakarta::start().count_legal_moves());
    let sum: f32 = expected.iter().map(|&(_, prior)| prior).sum();
    approx::assert_abs_diff_eq!(sum, 1.0, epsilon = 1e-6);
    let best = expected.iter().map(|&(_, prior)| prior).fold(0.0, f32::max);
    approx::assert_abs_diff_eq!(priors[0]["prior"].as_f64().unwrap(), f64::from(best), epsilon = 1e-6);
    let lines = "hint\na2a3\nquit\n";
    let text = roughboard_told(&["play", "surakarta", &net, "--simulations", "8"], lines).ended(0).stdout;
    assert!(text.contains("black plays "), "{text}");
}

#[test]
fn what_does_not_belong_to_a_tree_search_is_refused() {
    let files = Files::new();
    let (net, other) = (network(&files, "a.safetensors", 1), files.write("b.safetensors", "nothing"));
    for (entrant, expected) in [
        (format!("{net}@depth=3"), "a tree search takes only simulations"),
        (format!("{net}@simulations=0"), "`simulations` must be in [1, 100000000], got 0"),
        (format!("{net}@temperature=-1"), "`temperature` must be in [0, 100], got -1"),
        (format!("{net}@c_puct=0"), "`c_puct` must be in (0, 100], got 0"),
        (format!("{net}@movetime=5,selection=gumbel"), "`simulations` must be in [1, 1000000] with selection=gumbel"),
        (format!("{net}@trees=0"), "`trees` must be in [1, 1024], got 0"),
        ("material@temperature=1".to_owned(), "add simulations=N"),
        (other.to_str().unwrap().to_owned(), "b.safetensors"),
    ] {
        let error = played(&[&entrant, "random"], &[]).refusal();
        assert!(error.contains(expected), "{error}");
    }
    let foreign = roughboard(&["match", &net, "random", "--games", "2", "--random-plies", "2"]).refusal();
    assert!(foreign.contains("a.safetensors"), "{foreign}");
}

#[test]
fn the_engine_searches_with_trees_where_the_network_knows_moves() {
    let files = Files::new();
    let mut conversation = Conversation::<Surakarta>::new();
    conversation.session.set_option("EvalFile", &network(&files, "a.safetensors", 1)).unwrap();
    let mut said_to = |line: &str| conversation.say(line);
    let best = |said: &str| said.lines().last().unwrap().split(' ').nth(1).unwrap().to_owned();
    let nodes = |said: &str| -> Vec<String> {
        let of = |line: &str| line.split(" nodes ").nth(1).map(|rest| rest.split(' ').next().unwrap().to_owned());
        said.lines().filter_map(of).collect()
    };
    let said = said_to("go nodes 200");
    assert_eq!(nodes(&said), ["64", "128", "200"], "{said}");
    let mut position = Surakarta::start();
    position.play(position.parse_move(&best(&said)).unwrap());
    // The same search from the same beginning; then the tree is kept, and nothing has to be found out for so few.
    assert_eq!(said_to("ucinewgame"), "");
    assert_eq!(best(&said_to("go nodes 200")), best(&said));
    assert_eq!(said_to(&format!("position startpos moves {}", best(&said))), "");
    assert_eq!(nodes(&said_to("go nodes 1")), ["0"]);
    position.parse_move(&best(&said_to("go depth 2"))).unwrap();
    position.parse_move(&best(&said_to("go movetime 20"))).unwrap();
    // A proof is a mate; where the game is over by its past, there is a move all the same.
    assert_eq!(said_to("position fen 6/6/6/1r4/3b2/6 r 0"), "");
    let won = said_to("go nodes 300");
    assert!(won.contains("score mate 1") && best(&won) == "b3d2", "{won}");
    let over = said_to("position fen bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r 50") + &said_to("go nodes 10 depth 1");
    assert!(!over.contains("(none)") && over.contains("bestmove "), "{over}");
    assert_eq!(said_to("position startpos"), "");
    // Moves left out, and several lines, are searched for by alpha-beta.
    let left = said_to("go depth 1 searchmoves a2a3");
    assert!(left.contains("bestmove a2a3"), "{left}");
    said_to("setoption name MultiPV value 2");
    assert!(said_to("go depth 1").contains("multipv 2"));
}
