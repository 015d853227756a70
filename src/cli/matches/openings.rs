//! Where the games of a match start.

use std::error::Error;
use std::path::{Path, PathBuf};

use anyhow::Context;
use roughboard::arena::{
    MatchError, MatchSettings, Opening, OpeningSettings, OpeningsError, draw_openings, parse_openings, played_openings,
    random_openings,
};
use roughboard::book::{Book, BookChoice};
use roughboard::eval::Catalogue;
use roughboard::game::BoardGame;
use roughboard::random::Stream;

use crate::cli::book::BOOK_ENDINGS;
use crate::cli::session::Session;
use crate::cli::sources::{GameSources, checksums, lasting};
use crate::cli::targets::Endings;

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
    /// taken in order; or a book (.db), whose moves are drawn as often as they were played. Without any, the embedded self-play games
    /// of Xiangqi
    #[arg(long, num_args = 1.., value_name = "FILE")]
    openings: Vec<PathBuf>,
    /// Plies of each drawn opening, 0 to 200
    #[arg(long, default_value_t = 10, value_name = "N")]
    opening_plies: usize,
    /// Make the openings of so many random plies instead, 0 to 200; in Connect6 of stones near others
    #[arg(long, value_name = "N", conflicts_with = "openings")]
    random_plies: Option<usize>,
    /// What ends games whose rules can be set, if not the usual rules: quiet=PLIES,plies=PLIES,repetitions=TIMES. Games
    /// longer than `--max-plies` are draws in any case
    #[arg(long, value_name = "KEY=NUMBER,…")]
    rules: Option<String>,
}

/// What a user can do about too few openings: the end of the message, of a `command` that knows the option.
pub fn advice(error: &anyhow::Error, command: &clap::Command) -> &'static str {
    let are_too_few = |cause: &(dyn Error + 'static)| {
        matches!(cause.downcast_ref(), Some(OpeningsError::TooFew { .. }))
            || matches!(cause.downcast_ref(), Some(MatchError::TooFewOpenings { found: 1.., .. }))
    };
    let knows_option = command.get_arguments().any(|arg| arg.get_id() == "reuse_openings");
    if knows_option && error.chain().any(are_too_few) {
        "; without `--sprt`, `--reuse-openings` plays them again"
    } else {
        ""
    }
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
        let MatchSettings { games, seed, reuse_openings: at_most, .. } = *settings;
        let drawing = OpeningSettings { count: games / 2, plies, seed, at_most };
        if self.random_plies.is_some() {
            return Ok(Openings { openings: random_openings(drawing, G::OPENING_WIDTH)?, sources: Vec::new() });
        }
        if let Some(path) = self.openings.iter().find(|path| is_book(path)) {
            anyhow::ensure!(
                self.openings.len() == 1,
                "`--openings` must be one book without other files, got `{}` beside them",
                path.display()
            );
            return from_book(path, drawing);
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
                Ok(Openings { openings: draw_openings(&games.records, drawing)?, sources: games.inputs })
            }
            lists if lists == self.openings.len() => read_lists(&self.openings),
            _ => anyhow::bail!("`--openings` must be either game files or lists of positions, got both"),
        }
    }
}

/// Openings whose moves are drawn from the book at `path`, as often as they were played.
fn from_book<G: Catalogue>(path: &Path, drawing: OpeningSettings) -> anyhow::Result<Openings<G>> {
    let book = Book::<G>::open(path)?;
    let draw = |position: &G, draws: &mut Stream| book.choose(position, BookChoice::Weighted, draws);
    let origin =
        format!("different, unfinished positions after {} plies of the book `{}`", drawing.plies, path.display());
    let openings = played_openings(drawing, ("book openings", &origin), draw)?;
    Ok(Openings { openings, sources: checksums(&[path])? })
}

/// Lets the game that begins with `opening` go on under other rules.
fn put_under<G: Catalogue>(opening: &mut Opening<G>, rules: &str) -> anyhow::Result<()> {
    opening.start = opening.start.clone().under_rules(rules)?;
    let over = opening.position().end();
    over.map_or(Ok(()), |end| Err(anyhow::anyhow!("a game is over before it begins ({})", end.reason)))
}

fn is_list(path: &Path) -> bool {
    has_ending(path, &[".fen", ".epd", ".txt"])
}

fn is_book(path: &Path) -> bool {
    has_ending(path, BOOK_ENDINGS)
}

fn has_ending(path: &Path, endings: Endings) -> bool {
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy().to_lowercase()));
    extension.is_some_and(|extension| endings.contains(&extension.as_str()))
}

fn read_lists<G: BoardGame>(paths: &[PathBuf]) -> anyhow::Result<Openings<G>> {
    let lasting = lasting(paths);
    let read = |path: &PathBuf| {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{name}`"))?;
        Ok((name, text))
    };
    let lists = paths.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(Openings { openings: parse_openings(&lists)?, sources: checksums(&lasting)? })
}
