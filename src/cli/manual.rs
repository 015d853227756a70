//! `roughboard man` and `roughboard completions`: the commands as other programs read them.

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use roughboard::arena::RandomPlayer;
use roughboard::eval::Catalogue;
use roughboard::games::GameName;
use roughboard::net::SUPPLIED_NETWORKS;
use roughboard::settings::Choices;

use super::output;
use super::targets::OutPath;

#[derive(clap::Args)]
pub struct PagesArgs {
    /// Folder for the pages
    #[arg(long, value_parser = OutPath::folder(), value_name = "DIR")]
    out: OutPath,
}

#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Writes a page for `program` and one for each command below it.
///
/// # Errors
/// When a page cannot be written.
pub fn write_pages(args: &PagesArgs, program: Command) -> anyhow::Result<()> {
    let mut program = in_full(program.disable_help_subcommand(true));
    program.build();
    std::fs::create_dir_all(&*args.out).with_context(|| format!("cannot make the folder `{}`", args.out.display()))?;
    let written = write_below(&program, args)?;
    output::print(&format!("{written} pages: {}\n", args.out.display()))
}

/// The command with the options that its short help leaves out, which pages would not explain.
fn in_full(command: Command) -> Command {
    command.mut_subcommands(in_full).mut_args(|arg| arg.hide_short_help(false))
}

/// Writes the page of a command and those below it; gives back how many.
fn write_below(command: &Command, args: &PagesArgs) -> anyhow::Result<usize> {
    let page = Man::new(command.clone()).source(roughboard::PROGRAM);
    let mut text = Vec::new();
    page.render(&mut text)?;
    output::write(&args.out.join(page.get_filename()), in_sections(&String::from_utf8(text)?))?;
    command.get_subcommands().try_fold(1, |written, inner| Ok(written + write_below(inner, args)?))
}

/// The page with what stands below the options in sections as manual pages have them.
fn in_sections(page: &str) -> String {
    let Some((above, below)) = page.split_once(".SH EXTRA\n") else { return page.to_owned() };
    if let Some(codes) = below.strip_prefix("Exit codes:\n") {
        return format!("{above}.SH \"EXIT STATUS\"\n{codes}");
    }
    let Some(examples) = below.strip_prefix("Examples:\n") else { return format!("{above}.SH NOTES\n{below}") };
    match examples.split_once("\n\n") {
        Some((examples, notes)) if !notes.trim().is_empty() => {
            format!("{above}.SH EXAMPLES\n{examples}\n.SH NOTES\n{notes}")
        }
        _ => format!("{above}.SH EXAMPLES\n{examples}"),
    }
}

/// The command with the names that stand for networks, evaluators and entrants, beside which paths may be given.
fn with_names(command: Command) -> Command {
    command.mut_subcommands(with_names).mut_args(|arg| match names_of(&arg) {
        Some(names) => arg.value_parser(PossibleValuesParser::new(names)),
        None => arg,
    })
}

/// The names that the values of an argument may have, by what it is called.
fn names_of(arg: &Arg) -> Option<Vec<&'static str>> {
    match arg.get_value_names()?.first()?.as_str() {
        "NET" => Some(networks()),
        "EVALUATOR" => Some(evaluators()),
        "ENTRANT" | "GAME|OPPONENT" => Some(entrants()),
        _ => None,
    }
}

fn networks() -> Vec<&'static str> {
    SUPPLIED_NETWORKS.iter().map(|network| network.name).collect()
}

fn evaluators() -> Vec<&'static str> {
    let of_game = |&game: &GameName| roughboard::by_game!(game, G => <G as Catalogue>::NAMES);
    GameName::ALL.iter().flat_map(of_game).copied().collect()
}

fn entrants() -> Vec<&'static str> {
    evaluators().into_iter().chain([RandomPlayer::NAME]).collect()
}

/// A script that offers names, so that it offers files beside them. That of bash does so where no name fits. In that of zsh a colon ends
/// what stands behind an option, unless a backslash precedes it.
fn with_files(script: &str, shell: Shell) -> String {
    [networks(), evaluators(), entrants()].iter().fold(script.to_owned(), |script, names| match shell {
        Shell::Zsh => {
            let list = format!("({})", names.join(" "));
            script.replace(
                &format!(":{list}"),
                &format!(":{{_alternative \"names\\:name\\:{list}\" \"files\\:file\\:_files\"}}"),
            )
        }
        Shell::Fish => {
            let list: String = names.iter().map(|name| format!("{name}\\t''\n")).collect();
            script.replace(&format!("-f -a \"{}\"", list.trim_end()), &format!("-F -a \"{}\"", list.trim_end()))
        }
        _ => script,
    })
}

/// Prints a script that completes the command line of `program`.
///
/// # Errors
/// When standard output cannot be written.
pub fn print_completions(args: &CompletionsArgs, program: Command) -> anyhow::Result<()> {
    let (mut program, mut script) = (with_names(program), Vec::new());
    clap_complete::generate(args.shell, &mut program, "roughboard", &mut script);
    output::print(&with_files(&String::from_utf8(script)?, args.shell))
}
