//! Where the games of a match start.

use std::path::{Path, PathBuf};

use anyhow::Context;
use roughboard::arena::{
    MatchSettings, Opening, OpeningSettings, draw_openings, draw_openings_at_most, parse_openings, random_openings,
    random_openings_at_most,
};
use roughboard::eval::Catalogue;
use roughboard::game::BoardGame;
use roughboard::record::checksum;

use crate::cli::session::Session;
use crate::cli::sources::GameSources;

/// Where games start, and what that was taken from.
pub struct Openings<G: BoardGame> {
    pub openings: Vec<Opening<G>>,
    /// Name and checksum of each file.
    pub sources: Vec<(String, String)>,
}

/// What the openings of a match are made from.
#[derive(clap::Args)]
pub struct Options {
    /// Game files to draw openings from, the initial position being the first; or lists of positions (.fen, .epd, .txt; one a line),
    /// taken in order. Without any, the embedded self-play games of Xiangqi
    #[arg(long, num_args = 1.., value_name = "FILE")]
    openings: Vec<PathBuf>,
    /// Plies of each drawn opening, 0 to 200
    #[arg(long, default_value_t = 10, value_name = "N")]
    opening_plies: usize,
    /// Make the openings of so many random plies instead, 0 to 200; in Connect6 of stones near others
    #[arg(long, value_name = "N", conflicts_with = "openings")]
    random_plies: Option<usize>,
    /// What ends games whose rules can be set, where it is not as usual: quiet=PLIES,plies=PLIES,repetitions=TIMES. Games
    /// longer than `--max-plies` are draws all the same
    #[arg(long, value_name = "KEY=NUMBER,…")]
    rules: Option<String>,
}

impl Options {
    /// Openings for all pairs of a match, or as many as there are if they may be played more than once, under the rules asked for.
    pub fn make<G: Catalogue>(&self, settings: &MatchSettings, session: &Session) -> anyhow::Result<Openings<G>> {
        let mut made = self.make_as_usual(settings, session)?;
        if let Some(rules) = &self.rules {
            made.openings.iter_mut().try_for_each(|opening| put_under(opening, rules)).context("`--rules`")?;
        }
        Ok(made)
    }

    fn make_as_usual<G: Catalogue>(&self, settings: &MatchSettings, session: &Session) -> anyhow::Result<Openings<G>> {
        let plies = self.random_plies.unwrap_or(self.opening_plies);
        let drawing = OpeningSettings { count: settings.games / 2, plies, seed: settings.seed };
        let at_most = settings.reuse_openings;
        if self.random_plies.is_some() {
            let make = if at_most { random_openings_at_most } else { random_openings };
            return Ok(Openings { openings: make(drawing, G::OPENING_WIDTH)?, sources: Vec::new() });
        }
        match self.openings.iter().filter(|path| is_list(path)).count() {
            0 => {
                anyhow::ensure!(
                    !self.openings.is_empty() || G::SUPPLIED.is_some(),
                    "no games of {} come with the program to draw openings from: make openings by `--random-plies`, or name game files \
                     or lists of positions by `--openings`",
                    G::NAME
                );
                let games = GameSources::of(self.openings.clone(), None).read(session)?;
                let draw = if at_most { draw_openings_at_most } else { draw_openings };
                Ok(Openings { openings: draw(&games.records, drawing)?, sources: games.inputs })
            }
            lists if lists == self.openings.len() => read_lists(&self.openings),
            _ => anyhow::bail!("`--openings` must be either game files or lists of positions, got both"),
        }
    }
}

/// Lets the game that begins with `opening` go on under other rules.
fn put_under<G: Catalogue>(opening: &mut Opening<G>, rules: &str) -> anyhow::Result<()> {
    opening.start = opening.start.clone().under_rules(rules)?;
    let over = opening.position().end();
    over.map_or(Ok(()), |end| Err(anyhow::anyhow!("a game is over before it begins ({})", end.reason)))
}

fn is_list(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    matches!(extension.as_deref(), Some("fen" | "epd" | "txt"))
}

fn read_lists<G: BoardGame>(paths: &[PathBuf]) -> anyhow::Result<Openings<G>> {
    let mut all = Openings { openings: Vec::new(), sources: Vec::new() };
    for path in paths {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        all.openings.extend(parse_openings(&text).with_context(|| format!("`{}`", path.display()))?);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        all.sources.push((name, checksum(path)?));
    }
    Ok(all)
}
