//! Settings of the library as options of the command line.

use clap::{ArgMatches, Command};

/// The command that was asked for: the innermost of those that stand behind one another.
pub fn innermost<'a>(command: &'a Command, matches: &ArgMatches) -> &'a Command {
    let inner = matches.subcommand().and_then(|(name, inner)| Some((command.find_subcommand(name)?, inner)));
    inner.map_or(command, |(command, matches)| innermost(command, matches))
}

/// What an error says, from its outermost context inwards. The library calls settings by their names; those that are options
/// of `command` are called so here.
pub fn message(error: &anyhow::Error, command: &Command) -> String {
    let texts: Vec<String> = error.chain().map(ToString::to_string).collect();
    // Behind an entrant stand the library's names.
    let of_entrant = texts.iter().position(|text| text.starts_with("entrant `")).unwrap_or(texts.len());
    let spelled =
        |(at, text): (usize, &String)| if at < of_entrant { with_options(text, command) } else { text.clone() };
    texts.iter().enumerate().map(spelled).collect::<Vec<_>>().join(": ")
}

fn with_options(text: &str, command: &Command) -> String {
    // Only what is said of settings has this form; other errors quote words of the user.
    if !text.contains("` must be ") {
        return text.to_owned();
    }
    let quoted = |(at, part): (usize, &str)| match option_of(part, command) {
        Some(option) if at % 2 == 1 => format!("--{option}"),
        _ => part.to_owned(),
    };
    text.split('`').enumerate().map(quoted).collect::<Vec<_>>().join("`")
}

/// The option of a setting: a setting may stand in groups of which the command line knows nothing.
fn option_of<'a>(setting: &str, command: &'a Command) -> Option<&'a str> {
    let option_called = |name: &str| {
        let spelled = name.replace(['_', '.'], "-");
        let is_meant = |arg: &&clap::Arg| arg.get_id() == name || arg.get_long() == Some(&spelled);
        command.get_arguments().find(is_meant).and_then(clap::Arg::get_long)
    };
    let mut names = std::iter::successors(Some(setting), |name| name.split_once('.').map(|(_, rest)| rest));
    names.find_map(option_called)
}

#[cfg(test)]
mod tests {
    use clap::Arg;

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
}
