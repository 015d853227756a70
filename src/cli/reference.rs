//! The page of all commands in the documentation, and how long their short help may be.
//!
//! `ROUGHBOARD_UPDATE=1` makes the test write the page anew.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use clap::builder::PossibleValue;
use clap::{Arg, Command};

use super::program;

const PAGE: &str = "docs/commands.md";

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All commands, with the options of each: those that are shared stand at the program alone.
fn built() -> Command {
    let mut program = program().disable_help_subcommand(true);
    program.build();
    program
}

/// `command` and all below it, each after those above it.
fn all(command: &Command) -> Vec<&Command> {
    std::iter::once(command).chain(command.get_subcommands().flat_map(all)).collect()
}

fn name(command: &Command) -> &str {
    command.get_bin_name().unwrap_or("roughboard")
}

fn page() -> String {
    let program = built();
    let mut text = String::from(HEAD);
    let commands = all(&program);
    for command in &commands[1..] {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        writeln!(text, "* [`{}`](#{}): {about}", name(command), name(command).replace(' ', "-")).unwrap();
    }
    commands.into_iter().for_each(|command| text += &section(command));
    text
}

const HEAD: &str = "\
# Commands

All commands and their options, as `roughboard COMMAND --help` gives them; `roughboard COMMAND -h` shows the main ones.
This page is made from the program: `ROUGHBOARD_UPDATE=1 cargo test --release --bin roughboard` writes it anew. In a
shell, `roughboard completions bash` (or `zsh`, `fish`, `elvish`, `powershell`) prints a script that completes all of
them, and `roughboard man --out DIR` writes manual pages.

";

fn section(command: &Command) -> String {
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let is_here = |arg: &&Arg| {
        let is_shared = arg.is_global_set() && name(command) != "roughboard";
        !arg.is_hide_set() && !is_shared && !["help", "version"].contains(&arg.get_id().as_str())
    };
    let rows: String = command.get_arguments().filter(is_here).map(row).collect();
    let table =
        if rows.is_empty() { rows } else { format!("\n| argument | meaning | default |\n|---|---|---|\n{rows}") };
    let notes = command.get_after_long_help().map(|notes| in_markdown(&notes.to_string())).unwrap_or_default();
    format!("\n## {}\n\n{about}\n\n```text\n{usage}\n```\n{table}{notes}", name(command))
}

/// An argument as a row of a table.
fn row(arg: &Arg) -> String {
    let takes_value = arg.get_action().takes_values();
    let values = arg.get_value_names().filter(|_| takes_value).unwrap_or_default().join(" ");
    let spelled = [arg.get_long().map(|long| format!("--{long}")), Some(values)].into_iter().flatten();
    let spelled = spelled.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let (meaning, said) = without_default(&help);
    let declared: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let is_declared = takes_value && !arg.is_hide_default_value_set();
    let usual = said.unwrap_or_else(|| if is_declared { declared.join(",") } else { String::new() });
    let in_cell = |text: String| text.replace('\n', " ").replace('|', "\\|");
    format!("| `{}` | {}{} | {} |\n", in_cell(spelled), in_cell(meaning), in_cell(choices(arg)), in_cell(usual))
}

/// What help says of an argument, and what it says of its default.
fn without_default(help: &str) -> (String, Option<String>) {
    let Some((before, rest)) = help.split_once(" [default: ") else { return (help.to_owned(), None) };
    let Some((usual, after)) = rest.split_once(']') else { return (help.to_owned(), None) };
    (format!("{before}{after}"), Some(usual.to_owned()))
}

/// The values that an argument may have, with what they mean, if they are named.
fn choices(arg: &Arg) -> String {
    let choices = if arg.get_action().takes_values() { arg.get_possible_values() } else { Vec::new() };
    let choice = |value: &PossibleValue| {
        let help = value.get_help().map(|help| format!(" ({help})")).unwrap_or_default();
        format!("`{}`{help}", value.get_name())
    };
    let list = choices.iter().filter(|choice| !choice.is_hide_set()).map(choice).collect::<Vec<_>>().join(", ");
    if list.is_empty() { list } else { format!(": {list}") }
}

/// What stands below the options: examples as a block, and the rest as it is.
fn in_markdown(notes: &str) -> String {
    let (examples, rest) = match notes.strip_prefix("Examples:\n") {
        Some(notes) => notes.split_once("\n\n").unwrap_or((notes, "")),
        None => ("", notes),
    };
    let examples = examples.lines().map(str::trim_start).collect::<Vec<_>>().join("\n");
    // A list of names and their meanings keeps its columns.
    let is_list = rest.lines().any(|line| line.starts_with("  "));
    let block = |kind: &str, text: &str| format!("\n```{kind}\n{text}\n```\n");
    let rest = if is_list { block("text", rest.trim_end()) } else { format!("\n{}\n", rest.trim()) };
    let examples = if examples.is_empty() { examples } else { block("sh form", &examples) };
    examples + if rest.trim().is_empty() { "" } else { &rest }
}

#[test]
fn the_page_of_commands_is_that_of_the_program() {
    let path = root().join(PAGE);
    if std::env::var_os("ROUGHBOARD_UPDATE").is_some() {
        fs::write(&path, page()).unwrap();
    } else {
        assert!(fs::read_to_string(&path).unwrap() == page(), "ROUGHBOARD_UPDATE=1 writes {PAGE} anew");
    }
}

/// Short help fits on a screen, and ends with the examples of none: these are for the long one.
#[test]
fn short_help_is_short() {
    for command in all(&built()) {
        let help = command.clone().term_width(100).render_help().to_string();
        let lines = help.lines().count();
        assert!(lines < 40, "{}: {lines} lines: name its main options in `src/cli/help.txt`", name(command));
        assert!(!help.contains("Examples:"), "{}", name(command));
    }
}

/// Options that a command takes in from elsewhere go by the name of their type. Where two have one name, builds with debug assertions panic.
#[test]
fn groups_of_options_have_names_of_their_own() {
    let twice = |command: &&Command| {
        let mut names: Vec<&str> = command.get_groups().map(|group| group.get_id().as_str()).collect();
        names.sort_unstable();
        names.windows(2).any(|two| two[0] == two[1])
    };
    let built = built();
    let wrong: Vec<&str> = all(&built).into_iter().filter(twice).map(name).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
