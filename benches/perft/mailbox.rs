//! The yardstick: a Xiangqi board of the classical kind, 16 x 16 points with piece numbers, bits of ranks and files that
//! index preset tables for rook and cannon, preset lists for the other pieces. Moves are generated as pieces move; every one
//! is made, tested for the safety of the king, and taken back.

use roughboard::random::mix;

/// The point `a0` is 0x33: three rows and columns of margin.
const EDGE: usize = 3;
const FILES: usize = 9;
const RANKS: usize = 10;
const ROW: usize = 16;

/// The first piece number of each role within a side, kings first.
const KING: u8 = 0;
const ADVISOR: u8 = 1;
const ELEPHANT: u8 = 3;
const HORSE: u8 = 5;
const ROOK: u8 = 7;
const CANNON: u8 = 9;
const PAWN: u8 = 11;
const LETTERS: [(char, u8); 7] =
    [('k', KING), ('a', ADVISOR), ('b', ELEPHANT), ('n', HORSE), ('r', ROOK), ('c', CANNON), ('p', PAWN)];

/// Along one line: the last empty points downwards and upwards, then the first and second pieces; a point stands for itself
/// where there is none.
#[derive(Clone, Copy, Default)]
struct Reach {
    quiet: [u8; 2],
    first: [u8; 2],
    second: [u8; 2],
}

fn reach(at: usize, length: usize, filled: usize) -> Reach {
    let mut reach = Reach { quiet: [at as u8; 2], first: [at as u8; 2], second: [at as u8; 2] };
    for (direction, step) in [(0, -1), (1, 1)] {
        let points = (1..length as i32).map(|n| at as i32 + n * step).take_while(|p| (0..length as i32).contains(p));
        let mut pieces = 0;
        for point in points {
            if filled >> point & 1 == 1 {
                pieces += 1;
                match pieces {
                    1 => reach.first[direction] = point as u8,
                    2 => reach.second[direction] = point as u8,
                    _ => break,
                }
            } else if pieces == 0 {
                reach.quiet[direction] = point as u8;
            }
        }
    }
    reach
}

/// A destination and the point that must be empty for it (0 for none), in lists that end with destination 0.
type Steps = [[(u8, u8); 9]; 256];

/// What is worked out once.
pub struct Tables {
    ranks: Vec<[Reach; 512]>,
    files: Vec<[Reach; 1024]>,
    /// By role's first number and side.
    king: Steps,
    advisor: Steps,
    elephant: Steps,
    horse: Steps,
    horse_origins: Steps,
    pawn: [Steps; 2],
    zobrist: Vec<[u64; 256]>,
}

fn on_board(square: i32) -> bool {
    let (row, column) = (square as usize / ROW, square as usize % ROW);
    (EDGE..EDGE + RANKS).contains(&row) && (EDGE..EDGE + FILES).contains(&column)
}

/// The lists of steps: `step` gives (destination, leg) relative to a point, `keep` says whether a destination may be entered.
fn steps(moves: &[(i32, i32)], keep: impl Fn(i32, i32) -> bool) -> Steps {
    let mut lists = [[(0, 0); 9]; 256];
    for from in (0..256).filter(|&square| on_board(square)) {
        let ends = moves.iter().filter(|(step, _)| on_board(from + step) && keep(from, from + step));
        for (entry, (step, leg)) in lists[from as usize].iter_mut().zip(ends) {
            *entry = ((from + step) as u8, if *leg == 0 { 0 } else { (from + leg) as u8 });
        }
    }
    lists
}

const JUMPS: [(i32, i32); 8] = [(33, 16), (31, 16), (-33, -16), (-31, -16), (18, 1), (-14, 1), (14, -1), (-18, -1)];

impl Tables {
    pub fn new() -> Self {
        let palace = |square: i32| matches!(square % 16, 6..=8) && matches!(square / 16, 3..=5 | 10..=12);
        let own_half = |from: i32, to: i32| (from / 16 < 8) == (to / 16 < 8);
        let in_palace = |from, to| palace(from) && palace(to);
        let pawn = |forward: i32| {
            let crossed = move |from: i32| (from / 16 >= 8) == (forward > 0);
            steps(&[(forward, 0), (1, 0), (-1, 0)], move |from, to| to - from == forward || crossed(from))
        };
        let origins = JUMPS.map(|(step, leg)| (-step, leg - step));
        Self {
            ranks: (0..FILES).map(|at| std::array::from_fn(|filled| reach(at, FILES, filled))).collect(),
            files: (0..RANKS).map(|at| std::array::from_fn(|filled| reach(at, RANKS, filled))).collect(),
            king: steps(&[(16, 0), (-16, 0), (1, 0), (-1, 0)], in_palace),
            advisor: steps(&[(17, 0), (15, 0), (-17, 0), (-15, 0)], in_palace),
            elephant: steps(&[(34, 17), (30, 15), (-34, -17), (-30, -15)], own_half),
            horse: steps(&JUMPS, |_, _| true),
            horse_origins: steps(&origins, |_, _| true),
            pawn: [pawn(16), pawn(-16)],
            zobrist: (0..48).map(|piece| std::array::from_fn(|square| mix(piece * 256 + square as u64))).collect(),
        }
    }
}

/// The position.
pub struct Mailbox<'t> {
    tables: &'t Tables,
    squares: [u8; 256],
    pieces: [u8; 48],
    ranks: [u16; 16],
    files: [u16; 16],
    side: usize,
    key: u64,
}

impl<'t> Mailbox<'t> {
    /// Reads board and side to move of a FEN that is known to be right.
    pub fn new(tables: &'t Tables, fen: &str) -> Self {
        let (board, turn) = fen.split_once(' ').unwrap_or((fen, "w"));
        let side = usize::from(turn.starts_with('b'));
        let mut new = Self { tables, squares: [0; 256], pieces: [0; 48], ranks: [0; 16], files: [0; 16], side, key: 0 };
        for (row, line) in board.split('/').enumerate() {
            let mut square = (EDGE + RANKS - 1 - row) * ROW + EDGE;
            for letter in line.chars() {
                match letter.to_digit(10) {
                    Some(empty) => square += empty as usize,
                    None => {
                        new.set_up(letter, square);
                        square += 1;
                    }
                }
            }
        }
        new
    }

    fn set_up(&mut self, letter: char, square: usize) {
        let side = usize::from(letter.is_ascii_lowercase());
        let first = LETTERS.iter().find(|(known, _)| *known == letter.to_ascii_lowercase()).map_or(0, |&(_, n)| n);
        let numbers = 16 + 16 * side + usize::from(first)..;
        if let Some(number) = numbers.into_iter().find(|&number| self.pieces[number] == 0) {
            self.put(number, square);
        }
    }

    #[inline(always)]
    fn put(&mut self, piece: usize, square: usize) {
        self.squares[square] = piece as u8;
        self.pieces[piece] = square as u8;
        self.flip(piece, square);
    }

    #[inline(always)]
    fn remove(&mut self, piece: usize, square: usize) {
        self.squares[square] = 0;
        self.pieces[piece] = 0;
        self.flip(piece, square);
    }

    #[inline(always)]
    fn flip(&mut self, piece: usize, square: usize) {
        self.ranks[square / ROW] ^= 1 << (square % ROW - EDGE);
        self.files[square % ROW] ^= 1 << (square / ROW - EDGE);
        self.key ^= self.tables.zobrist[piece][square];
    }

    /// Counts the paths of `lists.len()` plies; every move of every ply is made.
    pub fn paths(&mut self, lists: &mut [Vec<(u8, u8)>]) -> u64 {
        let Some((moves, deeper)) = lists.split_first_mut() else { return 1 };
        moves.clear();
        self.generate(moves);
        let mut nodes = 0;
        for &(from, to) in moves.iter() {
            let captured = self.make(from, to);
            if !self.is_checked() {
                self.side ^= 1;
                nodes += self.paths(deeper);
                self.side ^= 1;
            }
            self.unmake(from, to, captured);
        }
        nodes
    }

    fn make(&mut self, from: u8, to: u8) -> usize {
        let (piece, captured) =
            (usize::from(self.squares[usize::from(from)]), usize::from(self.squares[usize::from(to)]));
        if captured != 0 {
            self.remove(captured, usize::from(to));
        }
        self.remove(piece, usize::from(from));
        self.put(piece, usize::from(to));
        captured
    }

    fn unmake(&mut self, from: u8, to: u8, captured: usize) {
        let piece = usize::from(self.squares[usize::from(to)]);
        self.remove(piece, usize::from(to));
        self.put(piece, usize::from(from));
        if captured != 0 {
            self.put(captured, usize::from(to));
        }
    }

    fn generate(&self, moves: &mut Vec<(u8, u8)>) {
        let tables = self.tables;
        for number in 0..16 {
            let from = self.pieces[16 + 16 * self.side + usize::from(number)];
            match number {
                _ if from == 0 => {}
                KING => self.step(from, &tables.king, moves),
                ADVISOR..ELEPHANT => self.step(from, &tables.advisor, moves),
                ELEPHANT..HORSE => self.step(from, &tables.elephant, moves),
                HORSE..ROOK => self.step(from, &tables.horse, moves),
                ROOK..CANNON => self.ride(from, |reach| reach.first, moves),
                CANNON..PAWN => self.ride(from, |reach| reach.second, moves),
                _ => self.step(from, &tables.pawn[self.side], moves),
            }
        }
    }

    fn add(&self, from: u8, to: u8, moves: &mut Vec<(u8, u8)>) {
        if self.squares[usize::from(to)] & (16 << self.side) == 0 {
            moves.push((from, to));
        }
    }

    fn step(&self, from: u8, lists: &Steps, moves: &mut Vec<(u8, u8)>) {
        for &(to, leg) in lists[usize::from(from)].iter().take_while(|(to, _)| *to != 0) {
            if self.squares[usize::from(leg)] == 0 {
                self.add(from, to, moves);
            }
        }
    }

    #[inline(always)]
    fn lines(&self, square: u8) -> (&Reach, &Reach) {
        let (row, column) = (usize::from(square) / ROW, usize::from(square) % ROW);
        let along_rank = &self.tables.ranks[column - EDGE][usize::from(self.ranks[row])];
        (along_rank, &self.tables.files[row - EDGE][usize::from(self.files[column])])
    }

    #[inline(always)]
    fn ride(&self, from: u8, victims: impl Fn(&Reach) -> [u8; 2], moves: &mut Vec<(u8, u8)>) {
        let (along_rank, along_file) = self.lines(from);
        let on_rank = |file: u8| from / 16 * 16 + file + EDGE as u8;
        let on_file = |rank: u8| (rank + EDGE as u8) * 16 + from % 16;
        let quiet = |reach: &Reach| reach.quiet[0]..=reach.quiet[1];
        let empty = quiet(along_rank).map(on_rank).chain(quiet(along_file).map(on_file));
        moves.extend(empty.filter(|&to| to != from).map(|to| (from, to)));
        let victims = victims(along_rank).map(on_rank).into_iter().chain(victims(along_file).map(on_file));
        for to in victims.filter(|&to| to != from) {
            self.add(from, to, moves);
        }
    }

    /// Whether the king of the side to move is attacked.
    fn is_checked(&self) -> bool {
        let king = self.pieces[16 + 16 * self.side];
        let enemy = 32 - 16 * self.side as u8;
        let holds =
            |square: u8, low: u8, high: u8| (enemy + low..enemy + high).contains(&self.squares[usize::from(square)]);
        let jump = |&(from, leg): &(u8, u8)| self.squares[usize::from(leg)] == 0 && holds(from, HORSE, ROOK);
        let forward = if self.side == 0 { king + 16 } else { king - 16 };
        if [forward, king + 1, king - 1].into_iter().any(|from| holds(from, PAWN, 16))
            || self.tables.horse_origins[usize::from(king)].iter().take_while(|(from, _)| *from != 0).any(jump)
        {
            return true;
        }
        let (along_rank, along_file) = self.lines(king);
        let on_rank = |file: u8| king / 16 * 16 + file + EDGE as u8;
        let on_file = |rank: u8| (rank + EDGE as u8) * 16 + king % 16;
        along_rank.first.map(on_rank).into_iter().any(|at| holds(at, ROOK, CANNON))
            || along_rank.second.map(on_rank).into_iter().any(|at| holds(at, CANNON, PAWN))
            || along_file.first.map(on_file).into_iter().any(|at| holds(at, ROOK, CANNON) || holds(at, KING, ADVISOR))
            || along_file.second.map(on_file).into_iter().any(|at| holds(at, CANNON, PAWN))
    }
}
