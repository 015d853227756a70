//! The slow and obviously right move generator: scans the board matrix, makes every move and looks whether the king
//! could be taken. Only tests and comparisons should use it.

use super::moves::Move;
use super::piece::{Piece, Role};
use super::squares::{FILES, RANKS, SQUARES};
use crate::game::Side;

type Board = [u8; SQUARES];

const ORTHOGONAL: [(i32, i32); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The legal moves of `side` on `board`, ordered by origin and destination.
pub fn legal_moves(board: &Board, side: Side) -> Vec<Move> {
    let mut moves = pseudo_legal_moves(board, side);
    moves.retain(|&mv| {
        let mut after = *board;
        after[mv.to()] = after[mv.from()];
        after[mv.from()] = 0;
        !in_check(&after, side)
    });
    moves.sort_unstable();
    moves
}

/// Whether the king of `side` could be taken by the opponent's next move, or faces the other king.
pub fn in_check(board: &Board, side: Side) -> bool {
    let king = Piece::new(side, Role::King).code();
    pseudo_legal_moves(board, side.other()).iter().any(|mv| board[mv.to()] == king) || kings_face(board)
}

fn kings_face(board: &Board) -> bool {
    let find = |side| board.iter().position(|&code| code == Piece::new(side, Role::King).code());
    let (Some(red), Some(black)) = (find(Side::First), find(Side::Second)) else { return false };
    red % FILES == black % FILES && (red + FILES..black).step_by(FILES).all(|square| board[square] == 0)
}

/// The moves of `side` that follow each piece's way of moving, whether or not they expose the king.
pub fn pseudo_legal_moves(board: &Board, side: Side) -> Vec<Move> {
    let mut moves = Vec::new();
    for from in 0..SQUARES {
        if let Some(piece) = Piece::from_code(board[from])
            && piece.side() == side
        {
            Scan { board, side, from, moves: &mut moves }.piece(piece.role());
        }
    }
    moves
}

/// Looks around one piece.
struct Scan<'a> {
    board: &'a Board,
    side: Side,
    from: usize,
    moves: &'a mut Vec<Move>,
}

impl Scan<'_> {
    fn piece(&mut self, role: Role) {
        let steps = if matches!(role, Role::Advisor | Role::Elephant) { DIAGONAL } else { ORTHOGONAL };
        for step in steps {
            match role {
                Role::King | Role::Advisor => self.palace_step(step),
                Role::Elephant => self.elephant_step(step),
                Role::Horse => self.horse_jumps(step),
                Role::Rook => self.rook_ride(step),
                Role::Cannon => self.cannon_ride(step),
                Role::Pawn => self.pawn_step(step),
            }
        }
    }

    /// The point `files` to the right and `ranks` up, if it is on the board.
    fn point(&self, files: i32, ranks: i32) -> Option<usize> {
        let file = (self.from % FILES) as i32 + files;
        let rank = (self.from / FILES) as i32 + ranks;
        let inside = (0..FILES as i32).contains(&file) && (0..RANKS as i32).contains(&rank);
        inside.then(|| rank as usize * FILES + file as usize)
    }

    fn piece_at(&self, square: usize) -> Option<Piece> {
        Piece::from_code(self.board[square])
    }

    /// Adds the move to a point unless an own piece stands there.
    fn add(&mut self, to: Option<usize>) {
        if let Some(to) = to
            && self.piece_at(to).is_none_or(|piece| piece.side() != self.side)
        {
            self.moves.push(Move::new(self.from, to));
        }
    }

    fn palace_step(&mut self, (files, ranks): (i32, i32)) {
        let own_palace = |square: &usize| {
            let rank = square / FILES;
            (3..=5).contains(&(square % FILES)) && if self.side == Side::First { rank <= 2 } else { rank >= 7 }
        };
        self.add(self.point(files, ranks).filter(own_palace));
    }

    fn elephant_step(&mut self, (files, ranks): (i32, i32)) {
        let eye_open = self.point(files, ranks).is_some_and(|eye| self.piece_at(eye).is_none());
        let own_half = |square: &usize| (square / FILES <= 4) == (self.side == Side::First);
        if eye_open {
            self.add(self.point(2 * files, 2 * ranks).filter(own_half));
        }
    }

    fn horse_jumps(&mut self, (files, ranks): (i32, i32)) {
        if self.point(files, ranks).is_some_and(|leg| self.piece_at(leg).is_none()) {
            self.add(self.point(2 * files + ranks, 2 * ranks + files));
            self.add(self.point(2 * files - ranks, 2 * ranks - files));
        }
    }

    /// The points from the piece outwards.
    fn outwards(&self, (files, ranks): (i32, i32)) -> Vec<usize> {
        (1..RANKS as i32).map_while(|steps| self.point(files * steps, ranks * steps)).collect()
    }

    fn rook_ride(&mut self, step: (i32, i32)) {
        for to in self.outwards(step) {
            self.add(Some(to));
            if self.piece_at(to).is_some() {
                break;
            }
        }
    }

    fn cannon_ride(&mut self, step: (i32, i32)) {
        let points = self.outwards(step);
        let mut filled = points.iter().copied().filter(|&square| self.board[square] != 0);
        let (screen, victim) = (filled.next(), filled.next());
        for &to in points.iter().take_while(|&&square| Some(square) != screen) {
            self.add(Some(to));
        }
        self.add(victim);
    }

    fn pawn_step(&mut self, (files, ranks): (i32, i32)) {
        let crossed = (self.from / FILES >= 5) == (self.side == Side::First);
        if ranks == self.side.sign() || (ranks == 0 && crossed) {
            self.add(self.point(files, ranks));
        }
    }
}
