//! `roughboard play`: a person against an evaluator, a network or an engine, in the terminal.

mod dialogue;

use anyhow::Context;
use roughboard::arena::{Adjudication, Chance, GameInPlay, Opening, Player, RandomPlayer};
use roughboard::eval::{Catalogue, LoadError};
use roughboard::game::Side;
use roughboard::games::GameName;
use roughboard::record::PGN_ENDINGS;
use roughboard::search::SearchSettings;
use roughboard::settings::Choices;

use self::dialogue::{Dialogue, Players};
use super::matches::entrants::{self, Defaults, players};
use super::rules::position_asked_for;
use super::session::Session;
use super::targets::OutPath;
use crate::cli::settings::named;

/// Plies that an evaluator looks ahead unless it is told otherwise.
const DEPTH: u32 = 4;

/// Arguments of `play`.
#[derive(clap::Args)]
#[command(after_help = entrants::help(), override_usage = "roughboard play [OPTIONS] [GAME] [OPPONENT]")]
pub struct Args {
    /// The game, xiangqi unless it is named here or by --game, and who plays against you [default: the strongest of the game: `rough`,
    /// `tdbp` or `zero`, in place of which `material` plays with --depth]
    #[arg(num_args = 0..=2, value_name = "GAME|OPPONENT")]
    words: Vec<String>,
    /// The game that is played
    #[arg(long, value_parser = named::<GameName>(), value_name = "GAME")]
    game: Option<GameName>,
    /// Search depth of an evaluator (against `random`, of the hints), in plies, 1 to 64 [default: 4, or none with --movetime]
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Simulations of each move, for an opponent that searches by Monte Carlo
    #[arg(long, value_name = "N")]
    simulations: Option<u32>,
    /// The most milliseconds for each of the opponent's moves (against `random`, for hints), 1 to 3600000
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..=3_600_000))]
    movetime: Option<u32>,
    /// The side that you play: `first`, `second`, or its name in the game
    #[arg(long, default_value = "first", value_name = "SIDE")]
    side: String,
    /// Position to begin with; without it, the initial position
    #[arg(long, value_name = "POSITION")]
    start: Option<String>,
    /// What ends a game whose rules can be set, if not the usual rules: quiet=PLIES,plies=PLIES,repetitions=TIMES
    #[arg(long, value_name = "KEY=NUMBER,…")]
    rules: Option<String>,
    /// What answers `eval` and `why` [default: the evaluator of the game]
    #[arg(long, value_name = "EVALUATOR")]
    evaluator: Option<String>,
    /// File that the game is written to as it goes on (.pgn, .pgn.gz, .pgn.zst or .pgn.xz)
    #[arg(long, value_parser = OutPath::file(&PGN_ENDINGS), value_name = "FILE")]
    record: Option<OutPath>,
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<()> {
    let (game, opponent) = args.named()?;
    let played = roughboard::by_game!(game, G => play::<G>(args, opponent, session));
    let is_unknown = |error: &anyhow::Error| matches!(error.downcast_ref(), Some(LoadError::Unknown { .. }));
    match (played, opponent) {
        // A single word may have been meant for a game.
        (Err(error), Some(word)) if args.words.len() == 1 && is_unknown(&error) => {
            let games = GameName::ALL.iter().map(GameName::to_string).collect::<Vec<_>>().join(", ");
            Err(error.context(format!("`{word}` is neither a game ({games}) nor an opponent")))
        }
        (played, _) => played,
    }
}

fn play<G: Catalogue>(args: &Args, opponent: Option<&str>, session: &Session) -> anyhow::Result<()> {
    let start = args.position::<G>()?;
    let side = side_called::<G>(&args.side)?;
    let opponent = opponent.map_or_else(|| args.strongest::<G>(), Ok)?;
    let defaults = args.defaults::<G>();
    let player = player_called::<G>(opponent, &defaults)?;
    let chance = Chance { seed: session.seed, game: 0 };
    let players = Players {
        person: side,
        name: player.name().to_owned(),
        opponent: player.sit(chance, side.other())?,
        adviser: if opponent == RandomPlayer::NAME { player_called(G::DEFAULT_EVALUATOR, &defaults)? } else { player },
        reasoner: entrants::evaluator_of(opponent).unwrap_or(G::DEFAULT_EVALUATOR).to_owned(),
        is_borrowed: entrants::evaluator_of(opponent).is_none(),
        evaluator: args.evaluator.clone().unwrap_or_else(|| G::DEFAULT_EVALUATOR.to_owned()),
    };
    Defaults { depth: args.depth, ..defaults }.refuse_idle(&[])?;
    // A wrong name is told before the game and not in the middle of it.
    drop(G::evaluator_factory(&players.evaluator)?);
    let game = GameInPlay::new(&Opening { start, moves: Vec::new() }, &Adjudication::RULES_ALONE);
    Dialogue::new(game, players, args.record.as_deref(), &session.targets).hold()
}

impl Args {
    /// The game and the opponent that the words name.
    fn named(&self) -> anyhow::Result<(GameName, Option<&str>)> {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let game_of = |word: &str| word.parse::<GameName>().ok();
        match (words.as_slice(), self.game) {
            ([], game) => Ok((game.unwrap_or_default(), None)),
            ([word], None) => Ok(game_of(word).map_or_else(|| (GameName::default(), Some(*word)), |game| (game, None))),
            ([word], Some(game)) => Ok((game, Some(*word).filter(|_| game_of(word) != Some(game)))),
            ([word, opponent, ..], None) => {
                let game =
                    game_of(word).with_context(|| format!("expected a game before `{opponent}`, found `{word}`"))?;
                Ok((game, Some(*opponent)))
            }
            ([word, opponent, ..], Some(game)) => {
                anyhow::ensure!(game_of(word) == Some(game), "`--game` names another game than `{word}`");
                Ok((game, Some(*opponent)))
            }
        }
    }

    /// Who plays where nobody is named: the strongest, unless it searches by simulations, which go by no `--depth`, and one is given.
    fn strongest<G: Catalogue>(&self) -> Result<&'static str, LoadError> {
        Ok(if self.depth.is_none() || G::policy(G::BEST)?.is_none() { G::BEST } else { G::DEFAULT_EVALUATOR })
    }

    fn position<G: Catalogue>(&self) -> anyhow::Result<G> {
        let start: G = position_asked_for(self.start.as_deref(), "start")?;
        self.rules.as_deref().map_or(Ok(start.clone()), |rules| start.under_rules(rules).context("`--rules`"))
    }

    /// What the options say of how a player searches.
    fn defaults<G: Catalogue>(&self) -> Defaults {
        Defaults {
            depth: self.depth.or(self.movetime.is_none().then_some(DEPTH)),
            movetime: self.movetime.map(u64::from),
            simulations: self.simulations,
            search: SearchSettings::of_game::<G>(),
            ..Defaults::default()
        }
    }
}

/// The player called `name`.
fn player_called<G: Catalogue>(name: &str, defaults: &Defaults) -> anyhow::Result<Box<dyn Player<G>>> {
    let mut found = players(&[name.to_owned()], None, defaults)?.players;
    found.pop().with_context(|| format!("there is no player `{name}`"))
}

/// The side that `name` means in `G`.
fn side_called<G: Catalogue>(name: &str) -> anyhow::Result<Side> {
    let sides = [Side::First, Side::Second];
    let is = |side: &Side| [["first", "second"][side.index()], G::SIDES[side.index()]].contains(&name);
    let [first, second] = G::SIDES;
    sides
        .into_iter()
        .find(is)
        .with_context(|| format!("`--side` must be `first` or `{first}`, `second` or `{second}`, got `{name}`"))
}
