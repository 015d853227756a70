//! Settings of the library as options of the command line.

use std::error::Error;
use std::marker::PhantomData;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use roughboard::runs::{FolderError, RunsError};
use roughboard::settings::{Change, Changes, Choice, Choices, Kind, Leaf, SettingError, Settings, leaves};

use super::values::real;

/// The command whose settings are those of experiments.
const EXPERIMENTS: &str = "reproduce";

/// How an error about the settings of an experiment begins.
pub const OF_EXPERIMENT: &str = "settings of `";

/// The command that was asked for: the innermost of those that stand behind one another, with the names that lead to it and what
/// was said of it.
pub fn innermost<'a>(command: &'a Command, matches: &'a ArgMatches) -> (Vec<&'a str>, &'a Command, &'a ArgMatches) {
    let (mut path, mut found) = (Vec::new(), (command, matches));
    while let Some((name, matches)) = found.1.subcommand()
        && let Some(command) = found.0.find_subcommand(name)
    {
        path.push(name);
        found = (command, matches);
    }
    (path, found.0, found.1)
}

/// What an error says, from its outermost context inwards. The library calls settings by their names; those that are options
/// of `command` are called so here.
pub fn message(error: &anyhow::Error, command: &Command) -> String {
    let texts: Vec<String> = error.chain().map(|cause| text_of(cause, command)).collect();
    // What is said of an entrant or an experiment keeps the library's names: options of the same name mean something else.
    let is_theirs = |text: &String| ["entrant `", OF_EXPERIMENT].iter().any(|start| text.starts_with(start));
    let theirs = texts.iter().position(is_theirs).unwrap_or(texts.len());
    let spelled = |(at, text): (usize, &String)| if at < theirs { with_options(text, command) } else { text.clone() };
    texts.iter().enumerate().map(spelled).collect::<Vec<_>>().join(": ")
}

/// What one error says. The changed settings of another run are called by their options, if they are of one number: those of entrants and of
/// experiments have the names of options that mean something else.
fn text_of(cause: &(dyn Error + 'static), command: &Command) -> String {
    let of_run = || match cause.downcast_ref() {
        Some(RunsError::Folder(error)) => Some(error),
        _ => None,
    };
    match cause.downcast_ref().or_else(of_run) {
        Some(FolderError::Another(path, Changes(changes))) if command.get_name() != EXPERIMENTS => {
            let of_option = |change: &Change| Change { name: option_for(&change.name, command), ..change.clone() };
            let mut changes: Vec<Change> = changes.iter().map(of_option).collect();
            // One option may be several settings.
            changes.dedup();
            FolderError::Another(path.clone(), Changes(changes)).to_string()
        }
        _ => cause.to_string(),
    }
}

/// The option of a setting, or its name where it has none or stands in a list.
fn option_for(setting: &str, command: &Command) -> String {
    let is_listed = setting.split('.').any(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    // A match is told the games of one pairing, and knows itself by those of all; inputs of a run are files, and not those of a network.
    let means_else = ["games", "inputs"].contains(&setting);
    match option_of(setting, command).filter(|_| !is_listed && !means_else) {
        Some((option, "")) => format!("--{option}"),
        _ => setting.to_owned(),
    }
}

fn with_options(text: &str, command: &Command) -> String {
    // Only what is said of settings has this form; other errors quote words of the user.
    if !text.contains("` must be ") {
        return text.to_owned();
    }
    let quoted = |(at, part): (usize, &str)| match option_of(part, command) {
        Some((option, "")) if at % 2 == 1 => format!("--{option}"),
        Some((option, inner)) if at % 2 == 1 => format!("{inner}` of `--{option}"),
        _ => part.to_owned(),
    };
    text.split('`').enumerate().map(quoted).collect::<Vec<_>>().join("`")
}

/// The option of a setting, which may stand in groups of which the command line knows nothing; or the option that stands for a whole
/// group, with the setting's name in it.
fn option_of<'a>(setting: &'a str, command: &'a Command) -> Option<(&'a str, &'a str)> {
    let find = |is_meant: &dyn Fn(&clap::Arg) -> bool| {
        command.get_arguments().find(|arg| is_meant(arg)).and_then(clap::Arg::get_long)
    };
    let inner = || std::iter::successors(Some(setting), |name| name.split_once('.').map(|(_, rest)| rest));
    let mut groups = inner().flat_map(|name| name.rmatch_indices('.').map(|(end, _)| (&name[..end], &name[end + 1..])));
    let called = |name: &str| {
        let spelled = name.replace(['_', '.'], "-");
        find(&|arg| arg.get_id() == name || arg.get_long() == Some(&spelled))
    };
    let whole = |(group, name)| Some((find(&|arg| arg.get_id() == group)?, name));
    inner().find_map(called).map(|option| (option, "")).or_else(|| groups.find_map(whole))
}

/// A line of documentation as help has it: without full stop, links or indentation.
fn in_help(doc: &str) -> String {
    doc.trim().trim_end_matches('.').replace("[`", "`").replace("`]", "`")
}

/// Takes a value by its name; the help says of each what the first sentence of its documentation says.
pub fn named<T: Choices>() -> impl TypedValueParser<Value = T> {
    names(T::NAMES).try_map(|name| name.parse::<T>())
}

/// As [`named`], with values that the help does not list: another place refuses them, and says why.
pub fn named_but<T: Choices>(is_hidden: fn(T) -> bool) -> impl TypedValueParser<Value = T> {
    let hide = |(&value, choice): (&T, &'static Choice)| possible(choice).hide(is_hidden(value));
    let names: PossibleValuesParser = T::ALL.iter().zip(T::NAMES).map(hide).collect::<Vec<_>>().into();
    names.try_map(|name| name.parse::<T>())
}

/// Takes one of the names.
fn names(choices: &'static [Choice]) -> PossibleValuesParser {
    choices.iter().map(possible).collect::<Vec<_>>().into()
}

fn possible(choice: &Choice) -> PossibleValue {
    PossibleValue::new(choice.name).aliases(choice.aliases).help(first_sentence(choice.doc))
}

fn first_sentence(text: &'static str) -> &'static str {
    let text = text.trim();
    text.split_once(". ").map_or_else(|| text.trim_end_matches('.'), |(first, _)| first)
}

/// The settings `T` as options, one for each that is no group: what the command line says of them.
#[derive(Debug, Clone)]
pub struct Of<T> {
    /// Settings by their paths, with their values.
    given: Vec<(String, String)>,
    settings: PhantomData<T>,
}

impl<T: Settings + Default> Of<T> {
    /// The settings, usual ones where nothing was said.
    pub fn read(&self) -> Result<T, SettingError> {
        self.onto(T::default())
    }

    /// The settings, those of `usual` where nothing was said.
    pub fn onto(&self, mut usual: T) -> Result<T, SettingError> {
        self.given.iter().try_for_each(|(path, text)| usual.set(path, text))?;
        Ok(usual)
    }

    /// What was said of a setting, if anything.
    pub fn given(&self, path: &str) -> Option<&str> {
        self.given.iter().find(|(given, _)| given == path).map(|(_, text)| text.as_str())
    }
}

impl<T> Of<T> {
    /// Refuses what was said of the settings with the paths that `is_refused` names: they must be as `range` says, left out.
    pub fn refuse(&self, range: &str, is_refused: impl Fn(&str) -> bool) -> Result<(), SettingError> {
        let refused = self.given.iter().find(|(path, _)| is_refused(path));
        refused.map_or(Ok(()), |(path, text)| Err(SettingError::value(path, range, text)))
    }
}

impl<T: Settings + Default> Args for Of<T> {
    fn augment_args(command: Command) -> Command {
        command.args(leaves::<T>().into_iter().filter_map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: Settings + Default> FromArgMatches for Of<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_given = |leaf: &Leaf| {
            leaf.is_option()
                && matches.try_contains_id(&leaf.path).unwrap_or(false)
                && matches.value_source(&leaf.path) == Some(ValueSource::CommandLine)
        };
        let said = |leaf: Leaf| {
            let text = if leaf.takes_value() {
                matches.get_many::<String>(&leaf.path).unwrap_or_default().cloned().collect::<Vec<_>>().join(",")
            } else {
                leaf.flag.unwrap_or_else(|| true.to_string())
            };
            (leaf.path, text)
        };
        let given = leaves::<T>().into_iter().filter(is_given).map(said).collect();
        Ok(Self { given, settings: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The option of a setting; `None` of one that is set in another way.
fn option(leaf: Leaf) -> Option<Arg> {
    if !leaf.is_option() {
        return None;
    }
    let bounds = leaf.setting.bounds.to_string();
    let separator = if bounds.is_empty() { "" } else { ", " };
    let help = format!("{}{separator}{bounds}", in_help(leaf.setting.doc));
    let arg = Arg::new(leaf.path.clone()).long(leaf.option.clone()).help(help);
    if !leaf.takes_value() {
        return Some(arg.action(ArgAction::SetTrue));
    }
    let setting = leaf.setting;
    let (each, arg) = match &setting.kind {
        Kind::List(each) => (&**each, arg),
        kind => (kind, arg),
    };
    let arg = match each {
        Kind::Choice(choices) => {
            arg.value_delimiter(',').value_name(leaf.option.to_uppercase()).value_parser(names(choices))
        }
        _ => arg.allow_negative_numbers(true).value_name(value_name(&setting.kind)).value_parser(move |text: &str| {
            // The library reads decimals only.
            let is_fraction = matches!(setting.kind, Kind::Real) && text.contains('/');
            let decimal = if is_fraction { real(text)?.to_string() } else { text.to_owned() };
            if setting.reads(&decimal) { Ok(decimal) } else { Err(format!("expected {}", setting.expected())) }
        }),
    };
    Some(if leaf.is_optional { arg } else { arg.default_value(leaf.default) })
}

/// The option with words in the place of its default.
pub fn usual(arg: Arg, words: &str) -> Arg {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    arg.hide_default_value(true).help(format!("{help} [default: {words}]"))
}

fn value_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Whole { .. } => "N",
        Kind::Real => "X",
        Kind::List(_) => "N,N…",
        Kind::Flag => "BOOL",
        _ => "TEXT",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_are_options_are_called_so() {
        let options = [("rate.first", "rate"), ("ply_cap", "max-plies"), ("random_plies", "random-plies")];
        let command = Command::new("x").args(options.map(|(id, long)| Arg::new(id).long(long)));
        let spelled = |text: &str| with_options(text, &command);
        assert_eq!(spelled("`training.rate.first` must be in (0, 1], got 2"), "`--rate` must be in (0, 1], got 2");
        assert_eq!(spelled("`ply_cap` must be above `random_plies`"), "`--max-plies` must be above `--random-plies`");
        for other in ["`rate.last` must be in (0, 1], got 2", "there is no file `random_plies`"] {
            assert_eq!(spelled(other), other);
        }
    }

    #[test]
    fn settings_of_experiments_keep_their_names() {
        let command = Command::new("x").arg(Arg::new("games").long("games"));
        let error = || anyhow::anyhow!("`matches.games` must be even, got 3");
        assert_eq!(message(&error(), &command), "`--games` must be even, got 3");
        let of_experiment = error().context(format!("{OF_EXPERIMENT}y`"));
        assert_eq!(message(&of_experiment, &command), "settings of `y`: `matches.games` must be even, got 3");
    }

    #[test]
    fn changed_settings_are_called_by_their_options() {
        let change = |name: &str| Change { name: name.to_owned(), before: "1".to_owned(), now: "2".to_owned() };
        let changes = Changes(["games", "training.search.c_puct", "seats.1.c_puct", "inputs"].map(change).to_vec());
        let error: anyhow::Error = FolderError::Another("x".into(), changes).into();
        let told = |name: &'static str| {
            let options = ["games", "c-puct"].map(|long| Arg::new(long).long(long));
            message(&error, &Command::new(name).args(options))
        };
        let expected = "games: 1 before, 2 now; --c-puct: 1 before, 2 now; seats.1.c_puct: 1 before, 2 now; inputs: 1";
        assert!(told("match").contains(expected), "{}", told("match"));
        assert!(told("reproduce").contains("another run: games: 1 before"), "{}", told("reproduce"));
    }

    roughboard::settings! {
        #[derive(Debug, PartialEq)]
        struct Sight {
            /// Plies to look ahead.
            depth: u32 = 4, in 1..=64;
            /// How much of it is seen.
            share: f64 = 1.0, in 0.0..=1.0;
            /// Close the eyes.
            looks: bool = true, as "blind=false";
            /// Points to look at.
            points: Vec<usize> = Vec::new(), in ..=90;
        }
    }

    #[test]
    fn declared_settings_are_options() {
        let command = Of::<Sight>::augment_args(Command::new("x"));
        let read = |args: &[&str]| {
            let matches = command.clone().no_binary_name(true).try_get_matches_from(args);
            matches.map(|matches| Of::<Sight>::from_arg_matches(&matches).unwrap().read().unwrap())
        };
        assert_eq!(read(&[]).unwrap(), Sight::default());
        let said = read(&["--depth", "7", "--share", "2/3", "--blind", "--points", "1,2,3"]).unwrap();
        assert_eq!(said, Sight { depth: 7, share: 2.0 / 3.0, looks: false, points: vec![1, 2, 3] });
        let error = read(&["--depth", "x"]).unwrap_err().to_string();
        assert!(error.contains("expected a whole number in [1, 64]"), "{error}");
        let help = command.clone().render_help().to_string();
        assert!(help.contains("Plies to look ahead, in [1, 64] [default: 4]"), "{help}");
    }
}
