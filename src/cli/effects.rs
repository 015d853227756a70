//! Options that have an effect in some modes of a command only. Where they have none they are refused, so that nobody takes the
//! answer for one to another question.

use anyhow::{bail, ensure};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use super::settings::innermost;

/// A mode of a command: an option has one of some values or, without values, is given.
struct Mode {
    option: &'static str,
    values: &'static [&'static str],
}

/// Options, and the modes in which they have an effect.
struct Effect {
    options: &'static [&'static str],
    /// One of these must hold, if there are any. A value that begins with a dot is the ending of a file's name.
    needs: &'static [Mode],
    /// None of these may hold.
    excludes: &'static [Mode],
    /// Whether what is asked for would make sense beside what is excluded, and is only not there.
    is_wanting: bool,
}

const fn is(option: &'static str, values: &'static [&'static str]) -> Mode {
    Mode { option, values }
}

const fn given(option: &'static str) -> Mode {
    Mode { option, values: &[] }
}

const fn only(options: &'static [&'static str], needs: &'static [Mode]) -> Effect {
    Effect { options, needs, excludes: &[], is_wanting: false }
}

const fn never(options: &'static [&'static str], excludes: &'static [Mode]) -> Effect {
    Effect { options, needs: &[], excludes, is_wanting: false }
}

const fn wanting(options: &'static [&'static str], excludes: &'static [Mode]) -> Effect {
    Effect { options, needs: &[], excludes, is_wanting: true }
}

/// What holds wherever a command has these options.
const EVERYWHERE: &[Effect] = &[
    only(&["radius", "metric"], &[is("relation", &["neighbourhood"])]),
    only(&["time-margin"], &[given("tc")]),
    only(&["drop-invalid", "encoding", "max-unpacked"], &[given("games")]),
];

/// What a cluster does not do: its tables have types, and rows stay where they are.
const AT_ENGINE: Effect = never(
    &["na", "separator", "no-header", "decimal", "text", "number", "relation", "epsilon", "memory"],
    &[given("engine")],
);

const FETCHING: Effect = only(&["fetch"], &[given("engine")]);

const DISCRETIZE: &[Effect] =
    &[never(&["bins", "only"], &[given("cuts")]), only(&["bins"], &[is("method", &["width", "frequency"])])];

const REDUCT: &[Effect] = &[
    only(&["measure"], &[given("epsilon")]),
    only(&["time-limit"], &[given("minimum")]),
    wanting(&["minimum", "certificate", "epsilon"], &[is("missing", &["tolerance"])]),
    AT_ENGINE,
    FETCHING,
];

const REDUCTS: &[Effect] = &[
    // These draw objects, and would draw others of merged ones.
    never(&["memory"], &[given("dynamic"), given("bireducts")]),
    wanting(&["count", "stream", "epsilon", "permutations", "dynamic", "bireducts"], &[is("missing", &["tolerance"])]),
    wanting(
        &["epsilon"],
        &[given("count"), given("stream"), given("permutations"), given("dynamic"), given("bireducts")],
    ),
    only(&["measure"], &[given("epsilon")]),
    never(&["limit"], &[given("permutations"), given("bireducts")]),
    never(
        &["time-limit"],
        &[
            given("permutations"),
            given("dynamic"),
            given("bireducts"),
            is("missing", &["tolerance"]),
            is("relation", &["tolerance", "neighbourhood"]),
        ],
    ),
    only(&["samples"], &[given("dynamic"), given("bireducts")]),
    only(&["fraction", "stability", "generalised"], &[given("dynamic")]),
    only(&["ratio"], &[given("bireducts")]),
];

const RULES: &[Effect] = &[
    only(&["method"], &[is("from", &["reduct"])]),
    only(&["approximation"], &[is("from", &["lem2", "mlem2"])]),
    only(&["beta"], &[is("from", &["minimal", "cover", "inclusion"])]),
    only(&["limit"], &[is("from", &["reduct", "minimal", "cover"])]),
    only(&["n-rules"], &[is("from", &["inclusion"])]),
];

const DOMINANCE: &[Effect] = &[only(&["limit"], &[given("reducts")])];

const FUZZY: &[Effect] = &[only(&["share"], &[given("reduct")])];

const CLASSIFY: &[Effect] = &[
    only(&["method"], &[is("from", &["reduct"]), is("pipeline", &["reduct-tree"])]),
    only(&["reducts", "limit"], &[is("from", &["reduct"])]),
    only(&["per-class"], &[is("from", &["minimal"])]),
    only(&["n-rules", "max-length", "min-support"], &[is("from", &["inclusion"])]),
    only(&["k"], &[is("baseline", &["knn", "frnn"])]),
    only(&["similarity", "t-norm"], &[is("baseline", &["frnn"])]),
    only(&["k-max"], &[is("baseline", &["riona"])]),
    only(&["bins"], &[is("discretize", &["width", "frequency"])]),
    only(&["only", "cut-for"], &[given("discretize")]),
    only(&["nominal"], &[is("baseline", &["knn", "logistic"])]),
];

const PREDICT: &[Effect] = &[
    never(&["vote", "unmatched"], &[given("classifier")]),
    only(&["k"], &[is("classifier", &["knn", "frnn"])]),
    only(&["similarity", "t-norm"], &[is("classifier", &["frnn"])]),
    only(&["k-max"], &[is("classifier", &["riona"])]),
    only(&["nominal"], &[is("classifier", &["knn", "logistic"])]),
];

/// Of the sequential test of matches.
const SPRT: Effect = only(&["alpha", "beta", "normalised"], &[given("sprt")]);

const MATCH: &[Effect] = &[
    SPRT,
    only(&["force"], &[given("out"), given("pgn")]),
    never(&["opening-plies"], &[given("random-plies"), is("openings", &[".fen", ".epd", ".txt"])]),
];

/// Of games of a random mover against itself.
const RANDOM: &[Effect] =
    &[only(&["depth", "nodes", "hash", "search", "evaluations", "resign", "draw", "tc"], &[given("against")])];

/// Of games of an engine.
const ENGINE: &[Effect] = &[only(&["opponent-depth", "opponent-nodes"], &[given("opponent")])];

/// Where the first wrong record ends the command there is no share of them.
const STRICT: Effect = never(&["max-wrong"], &[given("strict")]);

const IMPORT: &[Effect] = &[
    PACKED,
    never(&["min-plies"], &[is("keep", &["short"])]),
    never(&["prefix-plies"], &[is("keep", &["prefixes"])]),
    never(&["near-plies"], &[is("keep", &["near"])]),
    never(&["fragment-folders"], &[is("keep", &["fragments"])]),
    never(&["computer-words"], &[is("keep", &["computer"])]),
];

const PACKED: Effect = only(&["level"], &[is("out", &[".pgn.zst", ".pgn.gz", ".pgn.xz"])]);

/// A step size that stays what it is has no other at the end.
const STEP: Effect = never(&["final-rate", "final-alpha"], &[is("schedule", &["constant"])]);

const PLAIN: &[Effect] = &[
    // A network that learning goes on from has its form.
    never(&["hidden", "activation", "one-hot"], &[given("init")]),
    never(&["activation"], &[is("hidden", &["none"])]),
    never(&["by-errors"], &[is("learn-from", &["leaves"])]),
    // The parser lets an option stand alone where what it requires is in conflict with another one that was given.
    only(&["opponent-depth", "score-games", "save-games"], &[given("play")]),
    STEP,
];

/// Of self-play by tree search. Of `--extend`, `--actors` and `--shard` holds what is said of `--play`.
const ZERO: &[Effect] = &[
    only(&["extend"], &[given("resume")]),
    never(
        &["c-puct", "noise-alpha", "noise-fraction", "temperature", "temperature-plies", "late-temperature"],
        &[given("gumbel")],
    ),
    only(&["late-temperature"], &[given("temperature-plies")]),
    never(&["noise-alpha"], &[is("noise-fraction", &["0"])]),
    never(&["fast-simulations"], &[is("full-share", &["1"])]),
    only(&["actors", "shard"], &[given("sync-generation")]),
    STEP,
];

const ROUGH: &[Effect] = &[
    never(
        &[
            "rules",
            "max-conditions",
            "min-support",
            "rules-from",
            "per-decision",
            "at-most-inputs",
            "certainty",
            "rule-objects",
            "tau",
            "smoothing",
            "sharpness",
            "form",
            "product",
            "inclusion",
            "normalised",
            "random-start",
        ],
        &[given("init")],
    ),
    only(&["max-conditions", "min-support"], &[is("rules-from", &["covering", "exhaustive"])]),
    only(&["certainty"], &[is("rules-from", &["exhaustive"])]),
    only(&["rule-objects"], &[is("rules-from", &["lem2", "mlem2", "exhaustive"])]),
    wanting(&["symmetric"], &[is("form", &["literal"])]),
    // Each position teaches the same as its image with colours exchanged.
    never(&["flip-colours"], &[given("symmetric")]),
    STEP,
];

/// What holds of the command with this path, beside [`EVERYWHERE`].
fn of_command(path: &[&str]) -> &'static [Effect] {
    match path {
        ["games", "generate", "random"] => RANDOM,
        ["games", "generate", "engine"] => ENGINE,
        ["match"] => MATCH,
        ["match", "stats"] => &[SPRT],
        ["rough", "discretize"] => DISCRETIZE,
        ["rough", "info" | "approx"] => &[AT_ENGINE],
        ["rough", "core"] => &[AT_ENGINE, FETCHING],
        ["rough", "reduct"] => REDUCT,
        ["rough", "reducts"] => REDUCTS,
        ["rough", "rules"] => RULES,
        ["rough", "dominance"] => DOMINANCE,
        ["rough", "fuzzy"] => FUZZY,
        ["rough", "classify"] => CLASSIFY,
        ["rough", "predict"] => PREDICT,
        ["games", "read"] => &[STRICT],
        ["games", "convert"] => &[PACKED, STRICT],
        ["games", "import"] => IMPORT,
        ["train", "bp" | "td"] => PLAIN,
        ["train", "rough"] => ROUGH,
        ["train", "zero"] => ZERO,
        ["train", "iterate"] => &[STEP],
        _ => &[],
    }
}

/// Refuses an option that has no effect beside the others that were given.
pub fn check(command: &Command, matches: &ArgMatches) -> anyhow::Result<()> {
    let (path, command, matches) = innermost(command, matches);
    let said = Said { command, matches };
    EVERYWHERE.iter().chain(of_command(&path)).try_for_each(|effect| said.check(effect))
}

/// What the reader is told of `option`: why it has no effect, and what to do instead of leaving it out.
pub fn no_effect(option: &str, why: &str, instead: Option<&str>) -> String {
    let instead = instead.map(|instead| format!(", or use {instead}")).unwrap_or_default();
    format!("`--{option}` has no effect {why}: leave it out{instead}")
}

/// Whether `value` is the one that a mode names, the same number, or a file of the ending that it names.
fn is_value(value: &str, known: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    let is_ending = known.starts_with('.') && value.to_lowercase().ends_with(known);
    value == known || is_ending || number(known).is_some() && number(value) == number(known)
}

/// What the command line says.
struct Said<'a> {
    command: &'a Command,
    matches: &'a ArgMatches,
}

impl Said<'_> {
    fn check(&self, effect: &Effect) -> anyhow::Result<()> {
        let Some(option) = effect.options.iter().find(|option| self.is_given(option)) else { return Ok(()) };
        if let Some(mode) = effect.excludes.iter().find(|mode| self.holds(mode)) {
            let mode = self.shown(mode);
            ensure!(!effect.is_wanting, "`--{option}` is not available with {mode}: leave one of them out");
            bail!(no_effect(option, &format!("with {mode}"), None));
        }
        let needs: Vec<&Mode> = effect.needs.iter().filter(|mode| self.option(mode.option).is_some()).collect();
        if needs.is_empty() || needs.iter().any(|mode| self.holds(mode)) {
            return Ok(());
        }
        let chosen: Vec<String> = needs.iter().filter_map(|mode| self.chosen(mode)).collect();
        let wanted = needs.iter().flat_map(|mode| mode.spelled()).collect::<Vec<_>>().join(" or ");
        if chosen.is_empty() {
            bail!(no_effect(option, &format!("without {wanted}"), None));
        }
        bail!(no_effect(option, &format!("with {}", chosen.join(" and ")), Some(&wanted)))
    }

    fn option(&self, long: &str) -> Option<&Arg> {
        self.command.get_arguments().find(|arg| arg.get_long() == Some(long))
    }

    fn is_given(&self, long: &str) -> bool {
        let source = self.option(long).and_then(|arg| self.matches.value_source(arg.get_id().as_str()));
        source == Some(ValueSource::CommandLine)
    }

    fn holds(&self, mode: &Mode) -> bool {
        if mode.values.is_empty() {
            return self.is_given(mode.option);
        }
        self.values(mode.option).iter().any(|value| mode.values.iter().any(|known| is_value(value, known)))
    }

    /// The values of an option, given or usual, each by its first name.
    fn values(&self, long: &str) -> Vec<String> {
        let Some(arg) = self.option(long) else { return Vec::new() };
        let known = arg.get_possible_values();
        let name = |text: &str| {
            let called = known.iter().find(|value| value.matches(text, false));
            called.map_or(text, |value| value.get_name()).to_owned()
        };
        let texts = self.matches.get_raw(arg.get_id().as_str()).into_iter().flatten();
        texts.map(|text| name(&text.to_string_lossy())).collect()
    }

    /// The option of a mode with its values as they are; none of an option without values.
    fn chosen(&self, mode: &Mode) -> Option<String> {
        let values = if mode.values.is_empty() { Vec::new() } else { self.values(mode.option) };
        (!values.is_empty()).then(|| format!("`--{} {}`", mode.option, values.join(",")))
    }

    /// A mode that holds.
    fn shown(&self, mode: &Mode) -> String {
        self.chosen(mode).unwrap_or_else(|| format!("`--{}`", mode.option))
    }
}

impl Mode {
    /// The ways to ask for it.
    fn spelled(&self) -> Vec<String> {
        if self.values.is_empty() {
            return vec![format!("`--{}`", self.option)];
        }
        let stem = |value: &str| if value.starts_with('.') { "FILE" } else { "" };
        self.values.iter().map(|value| format!("`--{} {}{value}`", self.option, stem(value))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{ArgAction, CommandFactory};

    /// The commands of `rough` by name.
    fn commands() -> Vec<Command> {
        let cli = crate::cli::Cli::command();
        cli.find_subcommand("rough").unwrap().get_subcommands().cloned().collect()
    }

    fn option<'c>(command: &'c Command, long: &str) -> &'c Arg {
        let named = |arg: &&Arg| arg.get_long() == Some(long);
        command.get_arguments().find(named).unwrap_or_else(|| panic!("{} has no --{long}", command.get_name()))
    }

    /// What `--OPTION` is to be followed by: a value that it takes, or nothing.
    fn said(arg: &Arg, value: Option<&str>) -> Vec<String> {
        let long = format!("--{}", arg.get_long().unwrap());
        if !matches!(arg.get_action(), ArgAction::Set | ArgAction::Append) {
            return vec![long];
        }
        let known = arg.get_possible_values().first().map(|value| value.get_name().to_owned());
        vec![long, value.map(str::to_owned).or(known).unwrap_or_else(|| "2".to_owned())]
    }

    /// A command line that breaks an effect.
    fn broken(command: &Command, arg: &Arg, effect: &Effect) -> Vec<String> {
        let mut line = said(arg, None);
        let of_mode = |mode: &Mode, values: &[&str]| said(option(command, mode.option), values.first().copied());
        if let Some(mode) = effect.excludes.first() {
            line.extend(of_mode(mode, mode.values));
        }
        for mode in effect.needs.iter().filter(|mode| !mode.values.is_empty()) {
            let all = option(command, mode.option).get_possible_values();
            let names: Vec<&str> = all.iter().map(|value| value.get_name()).collect();
            let others: Vec<&str> = names.iter().copied().filter(|name| !mode.values.contains(name)).collect();
            if !others.is_empty() {
                line.extend(of_mode(mode, &others));
            }
        }
        line
    }

    fn refusal(command: &Command, options: Vec<String>) -> String {
        let name = command.get_name().to_owned();
        // Before the table stands what decides about it.
        let decides: &[&str] = if name == "predict" { &["t.csv"] } else { &[] };
        let start = [&["roughboard", "rough", &name], decides, &["t.csv", "--decision", "d"]].concat();
        let start = start.into_iter().map(str::to_owned);
        let cli = crate::cli::Cli::command();
        let matches = cli.clone().try_get_matches_from(start.chain(options.clone()));
        let matches = matches.unwrap_or_else(|error| panic!("{options:?}: {error}"));
        check(&cli, &matches).map_or_else(|error| error.to_string(), |()| panic!("{name} takes {options:?}"))
    }

    #[test]
    fn every_option_of_rough_without_effect_is_refused() {
        for command in commands() {
            let everywhere = EVERYWHERE.iter().filter(|effect| effect.needs[0].option == "relation");
            for effect in everywhere.chain(of_command(&["rough", command.get_name()])) {
                let has = |long: &&&str| command.get_arguments().any(|arg| arg.get_long() == Some(long));
                for long in effect.options.iter().filter(has) {
                    let error = refusal(&command, broken(&command, option(&command, long), effect));
                    let verdict = if effect.is_wanting { "is not available" } else { "has no effect" };
                    assert!(error.starts_with(&format!("`--{long}` {verdict} with")), "{error}");
                }
            }
        }
    }

    /// The help of an option of one mode says so at its beginning.
    #[test]
    fn what_is_for_one_mode_says_where_it_has_an_effect() {
        for command in commands() {
            let effects = of_command(&["rough", command.get_name()]).iter().chain(EVERYWHERE);
            let known: Vec<&str> = effects.flat_map(|effect| effect.options).copied().collect();
            for arg in command.get_arguments() {
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                let long = arg.get_long().unwrap_or_default();
                assert!(
                    !help.starts_with("For --") || known.contains(&long),
                    "{} --{long}: {help}",
                    command.get_name()
                );
            }
        }
    }

    #[test]
    fn values_are_names_numbers_and_endings() {
        for (value, known) in [("lem2", "lem2"), ("0.00", "0"), ("1.0", "1"), ("a.PGN.gz", ".pgn.gz")] {
            assert!(is_value(value, known), "{value} {known}");
        }
        for (value, known) in [("mlem2", "lem2"), ("0.25", "0"), ("x", "0"), ("0", "none"), ("a.pgn", ".pgn.gz")] {
            assert!(!is_value(value, known), "{value} {known}");
        }
    }

    #[test]
    fn modes_are_named_as_they_are_and_as_they_may_be() {
        let command = commands().into_iter().find(|command| command.get_name() == "rules").unwrap();
        let line = ["--method", "gini", "--from", "lem2"].map(str::to_owned).to_vec();
        let expected = "`--method` has no effect with `--from lem2`: leave it out, or use `--from reduct`";
        assert_eq!(refusal(&command, line), expected);
        let command = commands().into_iter().find(|command| command.get_name() == "reducts").unwrap();
        let line = ["--samples", "5"].map(str::to_owned).to_vec();
        assert_eq!(
            refusal(&command, line),
            "`--samples` has no effect without `--dynamic` or `--bireducts`: leave it out"
        );
    }
}
