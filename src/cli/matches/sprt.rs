//! The sequential test on the command line.

use roughboard::stats::{Counts, EloScale, Sprt};
use serde_json::{Value as Json, json};

/// What is tested, and how sure the test is to be.
#[derive(clap::Args)]
pub struct SprtOptions {
    /// Sequential test (SPRT) of H0, that the first is ELO0 Elo stronger than the second, against H1, that it is ELO1 Elo stronger
    #[arg(long, num_args = 2, action = clap::ArgAction::Set, allow_negative_numbers = true, value_names = ["ELO0", "ELO1"])]
    sprt: Vec<f64>,
    /// The test's chance to accept H1 where H0 holds, in (0, 0.5)
    #[arg(long, default_value_t = 0.05, value_name = "P")]
    alpha: f64,
    /// The test's chance to accept H0 where H1 holds, in (0, 0.5)
    #[arg(long, default_value_t = 0.05, value_name = "P")]
    beta: f64,
    /// ELO0 and ELO1 are normalised Elo
    #[arg(long)]
    normalised: bool,
}

impl SprtOptions {
    /// The sequential test, if one is asked for.
    pub fn test(&self) -> anyhow::Result<Option<Sprt>> {
        let [elo0, elo1] = self.sprt[..] else { return Ok(None) };
        let scale = if self.normalised { EloScale::Normalised } else { EloScale::Logistic };
        let sprt = Sprt { elo0, elo1, alpha: self.alpha, beta: self.beta, scale };
        sprt.check()?;
        Ok(Some(sprt))
    }
}

/// What the test says of these counts.
pub fn test_as_json(sprt: &Sprt, counts: impl Into<Counts>) -> Json {
    let (llr, (lower, upper)) = (sprt.llr(counts), sprt.bounds());
    json!({
        "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
        "scale": sprt.scale.to_string(),
        "llr": llr, "lower_bound": lower, "upper_bound": upper, "verdict": sprt.verdict(llr).to_string(),
    })
}
