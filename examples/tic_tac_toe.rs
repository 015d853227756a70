//! A complete game through the public API: tic-tac-toe becomes a decision table, teaches a network and is played in a match.
//! `docs/adding-a-game.md` explains it. Run with `cargo run --release --example tic_tac_toe`.

use std::error::Error;
use std::fmt;

use roughboard::arena::{
    AlphaBetaPlayer, Generation, GenerationSettings, MatchSettings, OpeningSettings, Player, RandomPlayer, Shard,
    Tournament, random_openings,
};
use roughboard::eval::network::NetworkEvaluator;
use roughboard::features::tabulate::tabulate;
use roughboard::features::{AttributeSpec, FeatureSet};
use roughboard::game::{End, Game, MoveError, Notation, Outcome, PositionError, SearchHints, Side};
use roughboard::net::{Coding, DenseNet, Net, dense::DenseShape};
use roughboard::observe::Silent;
use roughboard::random::mix;
use roughboard::rough::{Method, Notion, Reduct};
use roughboard::search::{Limits, SearchSettings};
use roughboard::settings::SettingError;
use roughboard::stats::Wdl;
use roughboard::table::{DecisionTable, TableError};
use roughboard::train::{self, NoRecord, PositionSet, Schedule, TdLambda, TdSettings, TrainingContext, TrainingPlan};

/// The rows, columns and diagonals.
const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// A move: the point that is marked, row by row from the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(usize);

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", ['a', 'b', 'c'][self.0 % 3], 3 - self.0 / 3)
    }
}

/// A game in progress: the marks, and the moves that can be taken back.
#[derive(Debug, Clone)]
pub struct TicTacToe {
    points: [Option<Side>; 9],
    made: Vec<Point>,
}

impl TicTacToe {
    fn winner(&self) -> Option<Side> {
        let owns = |side: &Side| LINES.iter().any(|line| line.iter().all(|&at| self.points[at] == Some(*side)));
        [Side::First, Side::Second].into_iter().find(owns)
    }
}

// The rules. What they need of the past would stand beside the board: here nothing does.
impl Game for TicTacToe {
    type Move = Point;
    const NAME: &'static str = "tic-tac-toe";
    const SIDES: [&'static str; 2] = ["cross", "nought"];

    fn start() -> Self {
        Self { points: [None; 9], made: Vec::new() }
    }

    fn side_to_move(&self) -> Side {
        if self.points.iter().flatten().count().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn legal_moves(&self, out: &mut Vec<Point>) {
        if self.winner().is_none() {
            out.extend((0..9).filter(|&at| self.points[at].is_none()).map(Point));
        }
    }

    fn play(&mut self, mv: Point) {
        self.points[mv.0] = Some(self.side_to_move());
        self.made.push(mv);
    }

    #[allow(clippy::expect_used, reason = "the trait documents this panic")]
    fn undo(&mut self) {
        self.points[self.made.pop().expect("undo without a move made").0] = None;
    }

    fn key(&self) -> u64 {
        // The number of the position in base 3; the marks tell the side to move.
        let digit = |point: &Option<Side>| point.map_or(0, |side| 1 + side.index() as u64);
        mix(self.points.iter().fold(0, |number, point| 3 * number + digit(point)))
    }

    fn plies(&self) -> usize {
        self.made.len()
    }

    fn end(&self) -> Option<End> {
        let draw = End { outcome: Outcome::Draw, reason: "full board" };
        let won = |side| End { outcome: Outcome::Win(side), reason: "three in a row" };
        self.winner().map(won).or_else(|| self.points.iter().all(Option::is_some).then_some(draw))
    }
}

// The notation: `xo..x....` is a position, `b2` a move.
impl Notation for TicTacToe {
    fn from_notation(text: &str) -> Result<Self, PositionError> {
        let owners = [None, Some(Side::First), Some(Side::Second)];
        let owner = |letter| Some(owners[".xo".find(letter)?]);
        let points: Vec<_> = text.chars().map_while(owner).collect();
        let found = text.chars().nth(points.len()).map_or_else(|| "the end".to_owned(), String::from);
        let error = PositionError::new(text, points.len() + 1, "nine of `x`, `o`, `.`", found);
        let points = points.try_into().ok().filter(|_| text.len() == 9);
        Ok(Self { points: points.ok_or(error)?, made: Vec::new() })
    }

    fn notation(&self) -> String {
        self.points.iter().map(|point| point.map_or('.', |side| ['x', 'o'][side.index()])).collect()
    }

    fn parse_move(&self, text: &str) -> Result<Point, MoveError> {
        let point = (0..9).map(Point).find(|point| point.to_string() == text);
        let point = point.ok_or_else(|| MoveError::syntax(text, "a point such as `b2`"))?;
        if self.points[point.0].is_none() && self.winner().is_none() {
            return Ok(point);
        }
        Err(MoveError::illegal(text, "the game is over or the point is marked"))
    }
}

// What a search must know; everything else has a default.
impl SearchHints for TicTacToe {
    const MOVE_SLOTS: usize = 9;

    fn move_slot(mv: Point) -> usize {
        mv.0
    }
}

/// The condition attributes: the mark of each point, 1, 0 or -1.
#[derive(Debug, Clone)]
pub struct Points;

impl FeatureSet<TicTacToe> for Points {
    fn name(&self) -> &str {
        "points"
    }

    fn attributes(&self) -> Vec<AttributeSpec> {
        (0..9).map(|at| AttributeSpec::of_values(Point(at).to_string(), &[-1, 0, 1])).collect()
    }

    fn encode(&self, position: &TicTacToe, codes: &mut [u8]) {
        let code = |point: Option<Side>| (1 + point.map_or(0, Side::sign)) as u8;
        codes.iter_mut().zip(position.points).for_each(|(target, point)| *target = code(point));
    }
}

/// The positions of games between random movers.
pub fn positions() -> Result<PositionSet, Box<dyn Error>> {
    let settings = GenerationSettings { games: 4000, ..GenerationSettings::default() };
    let games = Generation::<TicTacToe> { event: "random", players: [&RandomPlayer; 2], drawer: None, settings };
    Ok(PositionSet::from_records(&games.play(None, &Silent)?, &Points, 0))
}

/// The decision table of these positions, equal ones merged; the decision is the result of the game.
pub fn table(positions: &PositionSet) -> Result<DecisionTable, TableError> {
    tabulate(&Points.attributes(), (0..positions.len()).map(|at| positions.row(at)), positions.results())
}

/// A player that looks one ply ahead with a network.
fn player(name: &str, net: Net) -> Result<Box<dyn Player<TicTacToe>>, SettingError> {
    Ok(Box::new(AlphaBetaPlayer {
        name: name.to_owned(),
        checksum: name.to_owned(),
        evaluator: Box::new(move || Box::new(NetworkEvaluator::new(&net, Points))),
        search: SearchSettings::default(),
        limits: Limits::to_depth(1)?,
    }))
}

/// What a network scores, after TD(λ) on these games, against the network that it was before.
pub fn learned(positions: &PositionSet) -> Result<Wdl, Box<dyn Error>> {
    let coding = Coding::new(&Points.attributes().into_iter().map(|point| point.inputs).collect::<Vec<_>>());
    let before = Net::Dense(DenseNet::random(coding, DenseShape::one_layer(20), 1, "weights"));
    let mut after = before.clone();
    let mut method = TdLambda::new(TdSettings { alpha: Schedule::constant(0.1), ..TdSettings::default() });
    let plan = TrainingPlan { passes: 40, parts: 1, patience: None };
    let context = TrainingContext { checkpoint: None, recorder: &mut NoRecord, observer: &Silent };
    train::run(&mut method, &mut after, (positions, positions), plan, context)?;
    let openings = random_openings(OpeningSettings { count: 50, plies: 2, seed: 1, at_most: false }, 0)?;
    let players = vec![player("after", after)?, player("before", before)?];
    let tournament = Tournament::new(players, openings, &MatchSettings::default(), Vec::new())?;
    Ok(tournament.play(Shard::WHOLE, None, &Silent)?.finished_match()?.result.wdl)
}

/// Makes the table, trains and plays.
pub fn main() -> Result<(), Box<dyn Error>> {
    let positions = positions()?;
    let table = table(&positions)?;
    println!("{} positions, {} of them different", positions.len(), table.n_objects());
    println!("a reduct: {}", table.names(Reduct::of(&table, Notion::Information, Method::Short).attrs()).join(", "));
    println!("a network after training against itself before: {}", learned(&positions)?);
    Ok(())
}
