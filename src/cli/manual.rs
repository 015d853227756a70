//! `roughboard man` and `roughboard completions`: the commands as other programs read them.

use anyhow::Context;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;

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
    output::write(&args.out.join(page.get_filename()), text)?;
    command.get_subcommands().try_fold(1, |written, inner| Ok(written + write_below(inner, args)?))
}

/// Prints a script that completes the command line of `program`.
///
/// # Errors
/// When standard output cannot be written.
pub fn print_completions(args: &CompletionsArgs, mut program: Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "roughboard", &mut script);
    output::print(&String::from_utf8(script)?)
}
