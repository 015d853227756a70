//! What the help of a command says beside the meaning of its options: which of them `-h` shows where there are many, and
//! examples.

use clap::Command;
use clap::builder::StyledStr;

/// What is said of a command.
struct Guide {
    /// Its name, behind those of the commands above it.
    command: &'static str,
    /// The options that `-h` shows, all if none are named. `--help` shows all.
    main: &'static [&'static str],
    /// What one may want to do, and the arguments that do it.
    examples: &'static [(&'static str, &'static str)],
}

const GUIDES: &[Guide] = &[
    Guide {
        command: "games import",
        main: &["out", "positions", "account", "split", "class", "years", "sample", "json", "force"],
        examples: &[
            (
                "Clean a collection, with a row for each record that says what became of it",
                "collection.tar.zst --out games.pgn.zst --account account.csv",
            ),
            (
                "Divide the games for training, validation and test",
                "collection.tar.zst --out games.pgn.zst --split 80/10/10",
            ),
        ],
    },
    Guide {
        command: "games read",
        main: &[],
        examples: &[("Say what a file holds, and which records are wrong", "games.pgn.zst")],
    },
    Guide {
        command: "games generate random",
        main: &["against", "depth", "games", "random-plies", "max-plies", "out", "force"],
        examples: &[
            ("Games of a mover by chance against itself", "--games 1000 --out random.pgn.zst"),
            ("Games of an evaluator against one", "--against traditional --games 1000 --out games.pgn.zst"),
        ],
    },
    Guide {
        command: "games generate fixed-opponent",
        main: &["evaluator", "opponent", "depth", "opponent-depth", "games", "random-plies", "out", "force"],
        examples: &[(
            "A network against an evaluator that does not learn",
            "--evaluator runs/td --opponent traditional --games 1000 --out games.pgn.zst",
        )],
    },
    Guide {
        command: "games generate self-play",
        main: &["evaluator", "depth", "nodes", "games", "random-plies", "margin", "max-plies", "out", "force"],
        examples: &[
            ("Games of the traditional evaluator against itself", "--games 1000 --depth 2 --out self.pgn.zst"),
            ("The same in Connect6", "--game connect6 --games 500 --out connect6.pgn"),
        ],
    },
    Guide {
        command: "games generate engine",
        main: &["engine", "engine-option", "depth", "nodes", "movetime", "opponent", "games", "out", "force"],
        examples: &[(
            "An engine against an evaluator, 1000 positions a move",
            "--engine pikafish --nodes 1000 --opponent traditional --games 100 --out games.pgn.zst",
        )],
    },
    Guide {
        command: "book build",
        main: &[],
        examples: &[("Count what was played in each position", "games.pgn.zst --out book.db")],
    },
    Guide {
        command: "table build",
        main: &[],
        examples: &[
            ("A decision table of the games that come with the program", "--out table.parquet"),
            ("The terms of the traditional evaluator for attributes", "--features terms --out terms.parquet"),
        ],
    },
    Guide {
        command: "rough info",
        main: &["decision", "weight", "attributes", "ignore", "missing", "json", "all", "out", "force"],
        examples: &[
            ("What a file holds", "table.csv"),
            ("Whether the attributes decide the decision", "table.csv --decision class"),
        ],
    },
    Guide {
        command: "rough discretize",
        main: &["decision", "ignore", "missing", "method", "bins", "cuts", "save-cuts", "out", "json", "force"],
        examples: &[
            (
                "Cut numbers where the decision changes, and keep the cut points",
                "table.csv --decision class --method mdlp --save-cuts cuts.json --out intervals.csv",
            ),
            (
                "Cut another table at the same points",
                "new.csv --decision class --cuts cuts.json --out new-intervals.csv",
            ),
        ],
    },
    Guide {
        command: "rough classes",
        main: &["decision", "weight", "attributes", "ignore", "missing", "relation", "json", "all", "out", "force"],
        examples: &[("The classes over two attributes", "table.csv --decision class --attributes age,income")],
    },
    Guide {
        command: "rough approx",
        main: &[
            "decision",
            "attributes",
            "ignore",
            "missing",
            "relation",
            "beta",
            "concept",
            "json",
            "all",
            "out",
            "force",
        ],
        examples: &[
            ("Approximations of every decision", "table.csv --decision class"),
            ("With variable precision", "table.csv --decision class --beta 0.8"),
        ],
    },
    Guide {
        command: "rough core",
        main: &["decision", "attributes", "ignore", "missing", "relation", "notion", "json", "out", "force"],
        examples: &[("The attributes that no reduct can do without", "table.csv --decision class")],
    },
    Guide {
        command: "rough significance",
        main: &["decision", "weight", "attributes", "ignore", "missing", "json", "out", "force"],
        examples: &[("What each attribute says by itself, and what is lost without it", "table.csv --decision class")],
    },
    Guide {
        command: "rough reduct",
        main: &[
            "decision",
            "ignore",
            "missing",
            "notion",
            "method",
            "minimum",
            "epsilon",
            "certificate",
            "json",
            "out",
            "force",
        ],
        examples: &[
            ("A short reduct, quickly", "table.csv --decision class"),
            (
                "A reduct with the fewest attributes, with a certificate for `rough verify`",
                "table.csv --decision class --minimum --certificate reduct.json",
            ),
            ("A reduct that may lose a twentieth of gamma", "table.csv --decision class --epsilon 0.05"),
        ],
    },
    Guide {
        command: "rough reducts",
        main: &[
            "decision",
            "ignore",
            "missing",
            "notion",
            "limit",
            "count",
            "permutations",
            "dynamic",
            "bireducts",
            "json",
            "out",
            "force",
        ],
        examples: &[
            ("How many reducts there are, by size", "table.csv --decision class --count"),
            ("How stable they are on parts of the table", "table.csv --decision class --dynamic"),
        ],
    },
    Guide {
        command: "rough rules",
        main: &["decision", "ignore", "missing", "from", "beta", "shorten", "measures", "json", "out", "force"],
        examples: &[
            ("Rules that cut numbers themselves", "table.csv --decision class --from mlem2"),
            ("Rules for `rough predict`", "table.csv --decision class --from lem2 --out rules.json"),
        ],
    },
    Guide {
        command: "rough predict",
        main: &[],
        examples: &[
            ("Decide about new objects", "rules.json new.csv"),
            ("The same with numbers cut as where the rules come from", "rules.json new.csv --cuts cuts.json"),
        ],
    },
    Guide {
        command: "rough classify",
        main: &[
            "decision",
            "ignore",
            "missing",
            "folds",
            "rules",
            "baseline",
            "discretize",
            "test",
            "json",
            "out",
            "force",
        ],
        examples: &[
            (
                "Cross-validation beside other classifiers, cut points found in each fold anew",
                "table.csv --decision class --discretize mdlp --baseline tree,logistic",
            ),
            ("Train on one table and test on another", "table.csv --decision class --test new.csv"),
        ],
    },
    Guide {
        command: "train rough",
        main: &["game", "games", "features", "target", "passes", "rate", "rules", "inputs", "out", "resume", "force"],
        examples: &[
            ("From the games that come with the program", "--out runs/rough"),
            (
                "Over the terms of the traditional evaluator, quiet positions and their images",
                "--features terms --quiescent --mirror --flip-colours --out runs/terms",
            ),
        ],
    },
    Guide {
        command: "train bp",
        main: &["game", "games", "features", "target", "one-hot", "hidden", "passes", "rate", "out", "resume", "force"],
        examples: &[
            ("Two hidden layers", "--games games.pgn.zst --hidden 64,16 --out runs/bp"),
            ("Values of a search 2 plies deep for targets", "--target search --teacher-depth 2 --out runs/search"),
        ],
    },
    Guide {
        command: "train td",
        main: &["game", "games", "features", "hidden", "passes", "alpha", "lambda", "play", "out", "resume", "force"],
        examples: &[
            ("From the results of games", "--games games.pgn.zst --lambda 0.7 --out runs/td"),
            (
                "On from a network, by playing against itself",
                "--init runs/td --play self --games-to-play 2000 --out runs/self",
            ),
        ],
    },
    Guide {
        command: "train baseline",
        main: &["model", "game", "games", "features", "target", "one-hot", "held-out", "out", "force"],
        examples: &[("What networks have to beat", "--model logistic --features terms --out runs/logistic")],
    },
    Guide {
        command: "train iterate",
        main: &["out", "rounds", "depth", "games", "target-depth", "gate-games", "passes", "resume", "force"],
        examples: &[(
            "Four rounds of self-play and learning",
            "runs/first --rounds 4 --games 2000 --out runs/iterated",
        )],
    },
    Guide {
        command: "train zero",
        main: &[
            "game",
            "out",
            "games",
            "simulations",
            "gumbel",
            "channels",
            "layers",
            "keep",
            "minutes",
            "resume",
            "force",
        ],
        examples: &[(
            "Surakarta from nothing; Ctrl-C stops, and --resume goes on",
            "--games 400 --simulations 64 --gumbel --out runs/zero",
        )],
    },
    Guide {
        command: "plot curves",
        main: &[],
        examples: &[("Five seeds of two networks, two curves with bands", "runs/bp-s* runs/deep-s* --out curves.svg")],
    },
    Guide {
        command: "eval",
        main: &[],
        examples: &[
            ("The initial position, term by term", "--explain"),
            ("What the rules of a network say of it", "--evaluator rough --explain"),
        ],
    },
    Guide {
        command: "inspect",
        main: &[],
        examples: &[("The rules of a network in words, three of them on a board", "rough --diagrams 3")],
    },
    Guide {
        command: "play",
        main: &["game", "depth", "simulations", "movetime", "side", "start", "record", "force"],
        examples: &[
            ("Xiangqi against the strongest network", ""),
            ("Surakarta as the second to move", "surakarta material --depth 6 --side second"),
        ],
    },
    Guide {
        command: "match",
        main: &["game", "games", "depth", "nodes", "movetime", "random-plies", "out", "resume", "shard", "force"],
        examples: &[
            ("Two evaluators", "rough traditional --games 400 --depth 4"),
            (
                "A network against an engine of another make, 2000 positions a move",
                "runs/rough engine:pikafish@option.Threads=1 --nodes 2000 --out runs/match",
            ),
            ("All against all, in parts on several machines", "rough bp td --shard 1/2 --out runs/part-1"),
        ],
    },
    Guide {
        command: "match plan",
        main: &[],
        examples: &[("Games that show a difference of 20 Elo", "--elo 20 --draws 0.3")],
    },
    Guide {
        command: "match stats",
        main: &[],
        examples: &[("Every figure that follows from 22 wins, 26 draws and 12 losses", "--wdl 22 26 12")],
    },
    Guide {
        command: "report",
        main: &[],
        examples: &[("Two runs on one page", "results/rnn-xiangqi runs/match --out report.html")],
    },
    Guide {
        command: "reproduce",
        main: &[
            "games",
            "profile",
            "smoke",
            "set",
            "sweep",
            "seeds",
            "print-config",
            "resume",
            "force",
            "shard",
            "out",
        ],
        examples: &[
            ("The main job, minutes on two cores", ""),
            ("The smallest run that goes through every step", "--smoke --out smoke"),
            ("Tables of two papers at their own size", "rnn-xiangqi td-xiangqi --profile paper --games games.pgn.zst"),
            ("One run for each value and seed", "td-xiangqi --sweep td.lambda=0.5,0.7,0.95 --seeds 1..3 --out lambda"),
        ],
    },
];

/// The command with what is said of it and of those below it.
pub fn guided(program: Command) -> Command {
    below(program, "")
}

fn below(command: Command, name: &str) -> Command {
    let command = command.mut_subcommands(|inner| {
        let name = format!("{name} {}", inner.get_name());
        below(inner, name.trim_start())
    });
    let guide = GUIDES.iter().find(|guide| guide.command == name);
    let main = guide.map_or(&[][..], |guide| guide.main);
    let notes = notes(guide, command.get_after_help());
    let command = command.after_help(None::<&str>).mut_args(|arg| {
        let is_minor = arg.get_long().is_some_and(|long| !main.contains(&long));
        if is_minor && !main.is_empty() { arg.hide_short_help(true) } else { arg }
    });
    if notes.is_empty() { command } else { command.after_long_help(notes) }
}

/// What stands below the options in long help: examples, and what else there is to say.
fn notes(guide: Option<&Guide>, words: Option<&StyledStr>) -> String {
    let example = |guide: &Guide, (aim, arguments): &(&str, &str)| {
        format!("  # {aim}\n  {}\n", format!("roughboard {} {arguments}", guide.command).trim_end())
    };
    let lines = guide.map(|guide| guide.examples.iter().map(|given| example(guide, given)).collect::<String>());
    let examples = lines.filter(|lines| !lines.is_empty()).map(|lines| format!("Examples:\n{lines}"));
    [examples, words.map(ToString::to_string)].into_iter().flatten().collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::program;

    /// The command called `name`.
    fn find<'a>(program: &'a Command, name: &str) -> &'a Command {
        let inner = |command: &'a Command, part| command.find_subcommand(part).unwrap_or_else(|| panic!("{name}"));
        name.split(' ').fold(program, inner)
    }

    #[test]
    fn guides_name_commands_and_options_that_exist() {
        let program = program();
        for guide in GUIDES {
            let command = find(&program, guide.command);
            let has = |option: &str| command.get_arguments().any(|arg| arg.get_long() == Some(option));
            guide.main.iter().for_each(|option| assert!(has(option), "{}: --{option}", guide.command));
        }
    }

    #[test]
    fn short_help_shows_main_options_and_long_help_all_with_examples() {
        let mut command = find(&program(), "rough reduct").clone();
        let (short, long) = (command.render_help().to_string(), command.render_long_help().to_string());
        assert!(short.contains("--minimum") && !short.contains("--radius"), "{short}");
        let example = "roughboard rough reduct table.csv --decision class --minimum";
        assert!(long.contains("--radius") && long.contains(example) && !short.contains(example), "{long}");
    }
}
