//! What the help of a command says beside the meaning of its options: which of them `-h` shows where there are many, and
//! examples.

use clap::Command;
use clap::builder::StyledStr;

/// A paragraph for each command: its name and the options that `-h` shows, all if none are named; then what one may want to
/// do, and the command that does it.
const GUIDES: &str = include_str!("help.txt");

/// What is said of a command.
struct Guide {
    /// Its name, behind those of the commands above it.
    command: &'static str,
    /// The options that `-h` shows, all if none are named. `--help` shows all.
    main: Vec<&'static str>,
    /// Lines that say what one may want to do, each above the command that does it.
    examples: Vec<&'static str>,
}

fn guides() -> impl Iterator<Item = Guide> {
    GUIDES.split("\n\n").filter_map(|paragraph| {
        let mut lines = paragraph.lines();
        let (command, main) = lines.next()?.split_once(':')?;
        Some(Guide { command, main: main.split_whitespace().collect(), examples: lines.collect() })
    })
}

/// The command with what is said of it and of those below it.
pub fn guided(program: Command) -> Command {
    below(program, "")
}

fn below(command: Command, name: &str) -> Command {
    let command = command.mut_subcommands(|inner| {
        let name = format!("{name} {}", inner.get_name());
        below(inner, name.trim_start())
    });
    let guide = guides().find(|guide| guide.command == name);
    let main = guide.as_ref().map_or(&[][..], |guide| &guide.main);
    let notes = notes(guide.as_ref(), command.get_after_help());
    let command = command.after_help(None::<&str>).mut_args(|arg| {
        let is_minor = arg.get_long().is_some_and(|long| !main.contains(&long));
        if is_minor && !main.is_empty() { arg.hide_short_help(true) } else { arg }
    });
    if notes.is_empty() { command } else { command.after_long_help(notes) }
}

/// What stands below the options in long help: examples, and what else there is to say.
fn notes(guide: Option<&Guide>, words: Option<&StyledStr>) -> String {
    let examples = guide.map(|guide| format!("Examples:\n  {}\n", guide.examples.join("\n  ")));
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
        for guide in guides() {
            let command = find(&program, guide.command);
            let has = |option: &str| command.get_arguments().any(|arg| arg.get_long() == Some(option));
            guide.main.iter().for_each(|option| assert!(has(option), "{}: --{option}", guide.command));
        }
    }

    #[test]
    fn every_command_that_does_something_has_an_example() {
        fn check(command: &Command, name: &str) {
            let guide = guides().find(|guide| guide.command == name);
            let has = guide.is_some_and(|guide| !guide.examples.is_empty());
            assert!(
                has || command.has_subcommands(),
                "`roughboard {name}` needs a line with an example in `src/cli/help.txt`"
            );
            let below = |inner: &Command| check(inner, format!("{name} {}", inner.get_name()).trim_start());
            command.get_subcommands().for_each(below);
        }
        check(&program(), "");
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
