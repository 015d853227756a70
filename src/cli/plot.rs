//! `roughboard plot`: pictures of what was measured.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use roughboard::report::Picture;
use roughboard::runs::training::{
    Band, FinishedRun, Measured, Progress, SeedPlot, SeedsError, group_by_settings, relabel,
};

use super::output;

/// What `plot` can do.
#[derive(clap::Subcommand)]
pub enum What {
    /// Learning curves of training runs; runs that differ in the seed alone make one curve, with a band
    Curves(CurvesArgs),
}

#[derive(ClapArgs)]
pub struct CurvesArgs {
    /// Folders of finished training runs
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Picture to write
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    out: PathBuf,
    /// What runs along the horizontal axis
    #[arg(long, default_value = "passes")]
    x: Horizontal,
    /// The error of which games is drawn
    #[arg(long, default_value = "held-out")]
    y: Games,
    /// What the band around a curve of several seeds shows: their standard deviation, or the 95 % interval of their mean
    #[arg(long, default_value = "sd")]
    band: BandKind,
    /// The name of a curve in the legend; one for each curve, in their order [default: the names of the folders]
    #[arg(long = "label", value_name = "NAME")]
    labels: Vec<String>,
    /// The title
    #[arg(long, default_value = "Learning curves")]
    title: String,
    /// Write the numbers too
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Horizontal {
    Passes,
    Positions,
}

#[derive(Clone, Copy, ValueEnum)]
enum Games {
    HeldOut,
    Training,
}

#[derive(Clone, Copy, ValueEnum)]
enum BandKind {
    Sd,
    Ci95,
    None,
}

/// Runs the command.
pub fn run(command: &What) -> anyhow::Result<()> {
    match command {
        What::Curves(args) => plot_curves(args),
    }
}

impl CurvesArgs {
    fn plot(&self) -> SeedPlot {
        SeedPlot {
            progress: match self.x {
                Horizontal::Passes => Progress::Passes,
                Horizontal::Positions => Progress::Positions,
            },
            measured: match self.y {
                Games::HeldOut => Measured::HeldOut,
                Games::Training => Measured::Training,
            },
            band: match self.band {
                BandKind::Sd => Band::Deviation,
                BandKind::Ci95 => Band::Confidence,
                BandKind::None => Band::None,
            },
        }
    }
}

fn plot_curves(args: &CurvesArgs) -> anyhow::Result<()> {
    let runs: Result<Vec<FinishedRun>, SeedsError> = args.runs.iter().map(|run| FinishedRun::read(run)).collect();
    let mut groups = group_by_settings(runs?)?;
    relabel(&mut groups, &args.labels)?;
    let plot = args.plot();
    plot.curves(&args.title, &groups).render(&args.out)?;
    if let Some(csv) = &args.csv {
        let table = plot.table(&groups).to_csv();
        output::write(csv, table)?;
    }
    output::print(&format!("{}\nplot: {}\n", plot.ends(&groups).to_text(), args.out.display()))
}
