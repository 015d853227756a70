//! `roughboard plot`: pictures of what was measured.

use std::path::PathBuf;

use roughboard::report::Picture;
use roughboard::runs::training::{FinishedRun, SeedGroup, SeedPlot, SeedsError, group_by_settings, relabel};

use super::output;
use super::settings::Of;
use super::targets::OutPath;

/// What `plot` can do.
#[derive(clap::Subcommand)]
pub enum What {
    /// Learning curves of training runs; runs that differ in the seed alone make one curve, with a band
    Curves(CurvesArgs),
}

#[derive(clap::Args)]
pub struct CurvesArgs {
    /// Folders of finished training runs
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Picture to write
    #[arg(long, value_parser = OutPath::file(&[".svg", ".png"]), value_name = "FILE.svg|FILE.png")]
    out: OutPath,
    #[command(flatten)]
    plot: Of<SeedPlot>,
    /// The name of a curve in the legend; one for each curve, in their order [default: the names of the folders]
    #[arg(long = "label", value_name = "NAME")]
    labels: Vec<String>,
    /// The title
    #[arg(long, default_value = "Learning curves")]
    title: String,
    /// Also write the numbers
    #[arg(long, value_parser = OutPath::file(&[".csv"]), value_name = "FILE.csv")]
    csv: Option<OutPath>,
}

/// Runs the command.
pub fn run(What::Curves(args): &What) -> anyhow::Result<()> {
    let runs: Result<Vec<FinishedRun>, SeedsError> = args.runs.iter().map(|run| FinishedRun::read(run)).collect();
    let mut groups = group_by_settings(runs?)?;
    relabel(&mut groups, &args.labels)?;
    // A picture in SVG is no XML with such characters in it.
    let mut texts = groups.iter().map(|group| &group.name).chain([&args.title]);
    if let Some(text) = texts.find(|text| text.contains(char::is_control)) {
        anyhow::bail!("`--title` and names of curves must be one line without control characters, got {text:?}");
    }
    let plot = args.plot.read()?;
    plot.curves(&args.title, &groups).render(&args.out)?;
    let n_sets = SeedGroup::by_measure(&groups).len();
    if n_sets > 1 {
        eprintln!(
            "note: the errors were measured on {n_sets} different sets of games or positions, and do not compare"
        );
    }
    output::note(groups.iter().filter_map(SeedGroup::cut));
    if let Some(csv) = &args.csv {
        let table = plot.table(&groups).to_csv();
        output::write(csv, table)?;
    }
    output::print(&format!("{}\nplot: {}\n", plot.ends(&groups).to_text(), args.out.display()))
}
