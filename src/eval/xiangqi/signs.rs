//! The signs that the terms coordination, king and threats look for, and how many of them each side has.

use super::terms::Term;
use crate::eval::Score;

/// Declares the signs: term, variant and name, with what is counted as the documentation of the variant.
macro_rules! signs {
    ($($(#[doc = $meaning:literal])+ $term:ident $sign:ident $name:literal;)+) => {
        /// Something that a side may have on the board, once or several times; counted for the side that profits.
        /// "Waiting" means that it is the other side's turn.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Sign {
            $($(#[doc = $meaning])+ $sign,)+
        }

        impl Sign {
            /// Every sign, by term.
            pub const ALL: &'static [Self] = &[$(Self::$sign),+];

            /// The term that the sign belongs to.
            pub const fn term(self) -> Term {
                match self { $(Self::$sign => Term::$term),+ }
            }

            /// The name in files and tables.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$sign => $name),+ }
            }
        }
    };
}

signs! {
    /// Pairs of own pawns beyond the river on neighbouring points of a rank (牵手兵).
    Coordination HandInHand "pawns hand in hand";
    /// Own horses that the other own horse protects (连环马).
    Coordination LinkedHorse "linked horses";
    /// Own cannons that the other own cannon protects, over the one piece between them (担子炮).
    Coordination TandemCannon "cannon behind cannon";
    /// Own rooks that the other own rook protects (霸王车).
    Coordination TwinRook "twin rooks";
    /// Own rooks on a file of the palace (d, e, f) that reach into the opponent's palace along it (肋车).
    Coordination PalaceFileRook "rook on palace file";
    /// The opponent's rooks, horses and cannons that may not leave: an own rook with nothing else, or an own cannon with
    /// one more piece, between it and the king.
    Coordination Pin "pinned pieces";
    /// Own cannons on the file of the opponent's king with nothing between (空头炮).
    King HollowCannon "hollow cannon";
    /// Own cannons on the central file with the opponent's king there too, and two pieces between (当头炮).
    King CentralCannon "central cannon";
    /// Own cannons on the opponent's back rank, outside the palace, while the king is on that rank (沉底炮).
    King BottomCannon "bottom cannon";
    /// Own rooks, horses, cannons and pawns beyond the river on files a to d, or f to i, whichever are more: those
    /// beyond the second (多子归边).
    King MassedWing "pieces massed on a wing";
    /// Own rooks times the opponent's missing advisors.
    King RookNoAdvisor "rooks, advisors missing";
    /// Own horses times the opponent's missing advisors.
    King HorseNoAdvisor "horses, advisors missing";
    /// Own cannons times the opponent's missing elephants.
    King CannonNoElephant "cannons, elephants missing";
    /// Own rooks, horses and cannons times the ranks that the opponent's king stands above its back rank.
    King RaisedKing "king raised";
    /// Points of the opponent's palace that own rooks reach.
    King RookOnPalace "palace reached by rooks";
    /// Points of the opponent's palace that own horses reach.
    King HorseOnPalace "palace reached by horses";
    /// Points of the opponent's palace that own cannons reach.
    King CannonOnPalace "palace reached by cannons";
    /// Points of the opponent's palace that own pawns reach.
    King PawnOnPalace "palace reached by pawns";
    /// 1 if the opponent's king has no step to a point that it does not hold itself and that is not attacked.
    King NoFlight "king without a step";
    /// The opponent's rooks attacked and not protected, to be taken now.
    Threats LooseRook "loose rooks";
    /// The opponent's horses attacked and not protected, to be taken now.
    Threats LooseHorse "loose horses";
    /// The opponent's cannons attacked and not protected, to be taken now.
    Threats LooseCannon "loose cannons";
    /// The opponent's advisors attacked and not protected, to be taken now.
    Threats LooseAdvisor "loose advisors";
    /// The opponent's elephants attacked and not protected, to be taken now.
    Threats LooseElephant "loose elephants";
    /// The opponent's pawns attacked and not protected, to be taken now.
    Threats LoosePawn "loose pawns";
    /// The opponent's protected pieces attacked by pieces worth less, to be taken now: rooks by any but rooks, horses and
    /// cannons by pawns, advisors and elephants.
    Threats Outranked "attacked by lesser";
    /// As loose rooks, waiting.
    Threats LooseRookWaiting "loose rooks, waiting";
    /// As loose horses, waiting.
    Threats LooseHorseWaiting "loose horses, waiting";
    /// As loose cannons, waiting.
    Threats LooseCannonWaiting "loose cannons, waiting";
    /// As loose advisors, waiting.
    Threats LooseAdvisorWaiting "loose advisors, waiting";
    /// As loose elephants, waiting.
    Threats LooseElephantWaiting "loose elephants, waiting";
    /// As loose pawns, waiting.
    Threats LoosePawnWaiting "loose pawns, waiting";
    /// As attacked by lesser, waiting.
    Threats OutrankedWaiting "attacked by lesser, waiting";
    /// Own rooks protected.
    Threats GuardedRook "guarded rooks";
    /// Own horses protected.
    Threats GuardedHorse "guarded horses";
    /// Own cannons protected.
    Threats GuardedCannon "guarded cannons";
    /// Own pawns beyond the river protected.
    Threats GuardedPawn "guarded pawns";
}

/// The number of signs.
pub const N_SIGNS: usize = Sign::ALL.len();
/// Room for them in whole vectors of the processor.
const PADDED: usize = N_SIGNS.next_multiple_of(8);

/// One number a sign: how often a side has it, or what it is worth in points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signs([i16; PADDED]);

impl Signs {
    /// Zero for every sign.
    pub const ZERO: Self = Self([0; PADDED]);

    /// The number of `sign`.
    #[inline(always)]
    pub const fn get(&self, sign: Sign) -> i16 {
        self.0[sign as usize]
    }

    /// Sets the number of `sign`.
    #[inline(always)]
    pub const fn set(&mut self, sign: Sign, number: i16) {
        self.0[sign as usize] = number;
    }

    /// Adds to the number of `sign`.
    #[inline(always)]
    pub(super) const fn add(&mut self, sign: Sign, number: usize) {
        self.0[sign as usize] += number as i16;
    }

    /// The sum over all signs of own number less `other`'s, times `weights`.
    #[inline(always)]
    pub(super) fn lead(&self, other: &Self, weights: &Self) -> Score {
        let products = self.0.iter().zip(&other.0).zip(&weights.0);
        products.map(|((own, other), weight)| Score::from(own - other) * Score::from(*weight)).sum()
    }

    /// The sum over the signs of `term` of the numbers times `weights`.
    pub(super) fn worth(&self, term: Term, weights: &Self) -> Score {
        let worth = |&sign: &Sign| Score::from(self.get(sign)) * Score::from(weights.get(sign));
        Sign::ALL.iter().filter(|sign| sign.term() == term).map(worth).sum()
    }
}
