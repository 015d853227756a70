//! One look at the reaches of a side's pieces, from which mobility, coordination, king and threats are counted.

use super::signs::{Sign, Signs};
use crate::game::Side;
use crate::games::xiangqi::{
    FILE_A, FILES, HALVES, PALACES, RANKS, Role, Squares, Xiangqi, file_of, king_steps, points_between, points_in_line,
    rank_of,
};

const CENTRAL_FILE: usize = 4;
/// Files a to d and f to i.
const WINGS: [Squares; 2] = [Squares(FILE_A * 0b1111), Squares(FILE_A * 0b1_1110_0000)];
/// Pieces on a wing beyond the river that are nothing special yet.
const USUAL_ON_WING: usize = 2;

/// What the pieces of one side reach.
pub struct Survey {
    side: Side,
    /// Points that each role could go to, by role: what S3 calls mobility.
    pub mobility: [i16; 8],
    /// Points on which a piece of the opponent could be taken, and own ones are protected. Of cannons, which take over a
    /// screen, only filled points.
    attacks: Squares,
    /// Those reached by pawns, advisors and elephants.
    by_minor: Squares,
    /// Those reached by any piece but rooks and the king.
    by_lesser: Squares,
    /// What own rooks, horses and cannons reach, by role.
    rooks: Squares,
    horses: Squares,
    cannons: Squares,
    /// How often each sign was met.
    pub signs: Signs,
}

impl Survey {
    /// Looks at the pieces of `side`.
    #[inline(always)]
    pub fn of(position: &Xiangqi, side: Side) -> Self {
        let mut survey = Self {
            side,
            mobility: [0; 8],
            attacks: Squares::EMPTY,
            by_minor: Squares::EMPTY,
            by_lesser: Squares::EMPTY,
            rooks: Squares::EMPTY,
            horses: Squares::EMPTY,
            cannons: Squares::EMPTY,
            signs: Signs::ZERO,
        };
        let (open, occupied) = (!position.side(side), position.occupied());
        let palace = PALACES[side.other().index()];
        position.visit_reaches(side, |role, from, reach| {
            survey.mobility[role as usize] += (reach & open).len() as i16;
            survey.note(role, from, reach, (occupied, palace));
        });
        survey.by_lesser = survey.by_minor | survey.horses | (survey.cannons & occupied);
        survey.attacks = survey.attacks | survey.by_lesser | survey.rooks;
        survey
    }

    /// Files the reach of one piece, or of all pawns in one direction, under its role, `palace` being the opponent's.
    #[inline(always)]
    fn note(&mut self, role: Role, from: Option<usize>, reach: Squares, (occupied, palace): (Squares, Squares)) {
        let in_palace = || (reach & palace).len();
        match role {
            Role::Rook => {
                self.rooks = self.rooks | reach;
                self.signs.add(Sign::RookOnPalace, in_palace());
                let file = from.map_or(Squares::EMPTY, |from| Squares(FILE_A << file_of(from)));
                let ahead = file & palace & reach;
                self.signs.add(Sign::PalaceFileRook, usize::from(!ahead.is_empty()));
            }
            Role::Cannon => {
                self.cannons = self.cannons | reach;
                self.signs.add(Sign::CannonOnPalace, in_palace());
            }
            Role::Horse => {
                self.horses = self.horses | reach;
                self.signs.add(Sign::HorseOnPalace, in_palace());
            }
            Role::Pawn => {
                self.by_minor = self.by_minor | reach;
                self.signs.add(Sign::PawnOnPalace, in_palace());
            }
            Role::Advisor | Role::Elephant => self.by_minor = self.by_minor | reach,
            Role::King => self.attacks = self.attacks | (reach & occupied),
        }
    }

    /// Counts the signs of coordination.
    #[inline(always)]
    pub(crate) fn count_coordination(&mut self, position: &Xiangqi) {
        let own = |role| position.pieces(self.side, role);
        let crossed = own(Role::Pawn) & HALVES[self.side.other().index()];
        let beside = Squares((crossed.0 & !(FILE_A << (FILES - 1))) << 1);
        let rooks = own(Role::Rook);
        let linked = [
            (Sign::LinkedHorse, own(Role::Horse) & self.horses),
            (Sign::TandemCannon, own(Role::Cannon) & self.cannons),
        ];
        linked.into_iter().for_each(|(sign, pieces)| self.signs.add(sign, pieces.len()));
        self.signs.add(Sign::HandInHand, (crossed & beside).len());
        self.signs.add(Sign::TwinRook, (rooks & self.rooks).len());
        self.count_pins(position);
    }

    #[inline(always)]
    fn count_pins(&mut self, position: &Xiangqi) {
        let (them, king) = (self.side.other(), position.king(self.side.other()));
        let cross = points_in_line(king);
        let heavy = [Role::Rook, Role::Horse, Role::Cannon].map(|role| position.pieces(them, role));
        let heavy = heavy[0] | heavy[1] | heavy[2];
        for (role, pieces_between) in [(Role::Rook, 1), (Role::Cannon, 2)] {
            (position.pieces(self.side, role) & cross).for_each(|piece| {
                let between = points_between(king, piece) & position.occupied();
                let is_pin = !(between & heavy).is_empty() && between.len() == pieces_between;
                self.signs.add(Sign::Pin, usize::from(is_pin));
            });
        }
    }

    /// Counts the signs of danger to the opponent's king.
    #[inline(always)]
    pub(crate) fn count_king(&mut self, position: &Xiangqi) {
        let (us, them) = (self.side, self.side.other());
        let count = |side, role| position.pieces(side, role).len();
        let [rooks, horses, cannons] = [Role::Rook, Role::Horse, Role::Cannon].map(|role| count(us, role));
        let missing = |role: Role| role.per_side().saturating_sub(count(them, role));
        let raised = rank_for(them, position.king(them));
        self.signs.add(Sign::RookNoAdvisor, rooks * missing(Role::Advisor));
        self.signs.add(Sign::HorseNoAdvisor, horses * missing(Role::Advisor));
        self.signs.add(Sign::CannonNoElephant, cannons * missing(Role::Elephant));
        self.signs.add(Sign::RaisedKing, (rooks + horses + cannons) * raised);
        self.signs.add(Sign::MassedWing, self.massed(position).saturating_sub(USUAL_ON_WING));
        self.count_cannons(position, raised);
        self.signs.add(Sign::NoFlight, usize::from(self.leaves_no_flight(position)));
    }

    /// The pieces beyond the river on the wing that has more of them.
    #[inline(always)]
    fn massed(&self, position: &Xiangqi) -> usize {
        let own = |role| position.pieces(self.side, role);
        let attackers = own(Role::Rook) | own(Role::Horse) | own(Role::Cannon) | own(Role::Pawn);
        let across = attackers & HALVES[self.side.other().index()];
        (across & WINGS[0]).len().max((across & WINGS[1]).len())
    }

    #[inline(always)]
    fn count_cannons(&mut self, position: &Xiangqi, raised: usize) {
        let them = self.side.other();
        let king = position.king(them);
        position.pieces(self.side, Role::Cannon).for_each(|cannon| {
            if file_of(cannon) == file_of(king) {
                let between = (points_between(king, cannon) & position.occupied()).len();
                let is_central = file_of(king) == CENTRAL_FILE && between == 2;
                self.signs.add(Sign::HollowCannon, usize::from(between == 0));
                self.signs.add(Sign::CentralCannon, usize::from(is_central));
            }
            let on_bottom = raised == 0 && rank_for(them, cannon) == 0;
            let is_bottom = on_bottom && !PALACES[them.index()].contains(cannon);
            self.signs.add(Sign::BottomCannon, usize::from(is_bottom));
        });
    }

    #[inline(always)]
    fn leaves_no_flight(&self, position: &Xiangqi) -> bool {
        let them = self.side.other();
        let steps = king_steps(position.king(them));
        (steps & !position.side(them) & !self.attacks).is_empty()
    }

    /// Counts what this side attacks and protects. `theirs` is the survey of the opponent; `to_move` says whether it is
    /// this side's turn.
    #[inline(always)]
    pub(crate) fn count_threats(&mut self, position: &Xiangqi, theirs: &Self, to_move: bool) {
        let (us, them) = (self.side, self.side.other());
        let attacked = self.attacks & position.side(them);
        let loose = attacked & !theirs.attacks;
        let signs = if to_move { TO_TAKE } else { WAITING };
        if !loose.is_empty() {
            for (role, sign) in VICTIMS.into_iter().zip(signs.0) {
                self.signs.add(sign, (loose & position.pieces(them, role)).len());
            }
        }
        let middle = position.pieces(them, Role::Horse) | position.pieces(them, Role::Cannon);
        let outranked = (position.pieces(them, Role::Rook) & self.by_lesser) | (middle & self.by_minor);
        self.signs.add(signs.1, (outranked & theirs.attacks).len());
        let guarded = |role| position.pieces(us, role) & self.attacks;
        let crossed = guarded(Role::Pawn) & HALVES[them.index()];
        let counts = [guarded(Role::Rook), guarded(Role::Horse), guarded(Role::Cannon), crossed].map(Squares::len);
        for (sign, count) in GUARDED.into_iter().zip(counts) {
            self.signs.add(sign, count);
        }
    }
}

/// The roles whose loose pieces are counted, in the order of the signs.
const VICTIMS: [Role; 6] = [Role::Rook, Role::Horse, Role::Cannon, Role::Advisor, Role::Elephant, Role::Pawn];
/// Loose pieces by role, and pieces attacked by lesser ones.
type ThreatSigns = ([Sign; 6], Sign);
const TO_TAKE: ThreatSigns = (
    [Sign::LooseRook, Sign::LooseHorse, Sign::LooseCannon, Sign::LooseAdvisor, Sign::LooseElephant, Sign::LoosePawn],
    Sign::Outranked,
);
const WAITING: ThreatSigns = (
    [
        Sign::LooseRookWaiting,
        Sign::LooseHorseWaiting,
        Sign::LooseCannonWaiting,
        Sign::LooseAdvisorWaiting,
        Sign::LooseElephantWaiting,
        Sign::LoosePawnWaiting,
    ],
    Sign::OutrankedWaiting,
);
const GUARDED: [Sign; 4] = [Sign::GuardedRook, Sign::GuardedHorse, Sign::GuardedCannon, Sign::GuardedPawn];

/// The rank of `square` counted from the back rank of `side`, 0 to 9.
#[inline(always)]
const fn rank_for(side: Side, square: usize) -> usize {
    match side {
        Side::First => rank_of(square),
        Side::Second => RANKS - 1 - rank_of(square),
    }
}
