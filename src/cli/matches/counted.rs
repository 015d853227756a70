//! Counts of results on the command line.

use roughboard::settings::{SettingError, require};
use roughboard::stats::{Counts, Pentanomial, Wdl};

/// More than anybody plays, and few enough to be added up.
const MOST: u64 = 1_000_000_000_000_000;

/// Results as counts of games or of pairs.
#[derive(clap::Args)]
pub struct Counted {
    /// Games won, drawn and lost, all three: as 22 26 12 or 22,26,12
    // Of several names clap would show all but the first as optional; how many there are is checked here.
    #[arg(long, num_args = 1..=3, value_delimiter = ',', value_name = "W,D,L", conflicts_with = "pairs")]
    wdl: Vec<u64>,
    /// Pairs of games with 0, ½, 1, 1½ and 2 points, all five: both lost; one lost, one drawn; level; one won, one drawn; both won
    #[arg(long, num_args = 1..=5, value_delimiter = ',', value_name = PAIRS)]
    pairs: Vec<u64>,
}

/// What stands for the five counts of pairs in usage lines.
pub const PAIRS: &str = "LL,LD,LEVEL,WD,WW";

impl Counted {
    /// The counts; `None` if none are given.
    ///
    /// # Errors
    /// When there are too few or too many of them, or one is too large.
    pub fn counts(&self) -> Result<Option<Counts>, SettingError> {
        if !self.wdl.is_empty() {
            let [wins, draws, losses] = exactly(&self.wdl, "--wdl", "three counts up to 10^15: won, drawn, lost")?;
            return Ok(Some(Wdl::new(wins, draws, losses).into()));
        }
        Ok(pairs_of(&self.pairs)?.map(Counts::from))
    }
}

/// What `--pairs` says, if it says anything.
///
/// # Errors
/// When there are too few or too many counts, or one is too large.
pub fn pairs_of(counts: &[u64]) -> Result<Option<Pentanomial>, SettingError> {
    if counts.is_empty() {
        return Ok(None);
    }
    let range = "five counts up to 10^15: pairs with 0, ½, 1, 1½ and 2 points";
    exactly(counts, "--pairs", range).map(|pairs| Some(Pentanomial::new(pairs)))
}

fn exactly<const N: usize>(
    counts: &[u64],
    option: &'static str,
    range: &'static str,
) -> Result<[u64; N], SettingError> {
    let found = counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    let fits = counts.iter().all(|&count| count <= MOST);
    let array = <[u64; N]>::try_from(counts).ok().filter(|_| fits);
    require(array.is_some(), option, range, found)?;
    Ok(array.unwrap_or([0; N]))
}
