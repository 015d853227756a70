//! Settings of a Monte Carlo tree search, each with its range.

use serde::{Deserialize, Serialize};

use crate::settings::{SettingError, above, choices, require, settings};

/// The most nodes that a tree may be allowed, so that edges can be numbered in 32 bits where nodes have 511 each.
pub const MAX_NODES: u32 = 1 << 23;

choices! {
    /// How a search chooses among the moves of a node.
    pub enum Selection = Puct {
        /// The largest Q + U everywhere (S4; Silver et al. 2017).
        Puct,
        /// Gumbel-Top-k with sequential halving at the root, and below it the visits that follow the improved policy most
        /// closely (Danihelka et al. 2022).
        Gumbel,
    }
}

/// The most simulations of one move that Gumbel selection plans.
const MOST_PLANNED: u32 = 1_000_000;

impl Selection {
    /// Refuses more simulations of a move than can be planned, and no number of them, where they are planned beforehand.
    ///
    /// # Errors
    /// When Gumbel selection, which does so, is asked for none or too many.
    pub fn check_simulations(self, simulations: Option<u32>) -> Result<(), SettingError> {
        let can_plan = self != Self::Gumbel || simulations.is_some_and(|number| number <= MOST_PLANNED);
        let found = simulations.map_or_else(|| "no number".to_owned(), |number| number.to_string());
        require(can_plan, "simulations", "in [1, 1000000] with selection=gumbel", found)
    }
}

choices! {
    /// What a move that was never tried is taken to be worth.
    pub enum FirstPlay = Parent {
        /// A draw, as S4's initial Q = 0.
        Draw,
        /// As much as its node on average.
        Parent,
    }
}

settings! {
    /// How a Monte Carlo tree search goes about it. `docs/mcts.md` has the equations.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct MctsSettings {
        /// How moves are chosen.
        pub selection: Selection = Selection::Puct, as "gumbel=gumbel";
        /// The weight of the prior against the value, c in PUCT; S4: 2.
        pub c_puct: f64 = 1.3, in above(0.0).up_to(100.0);
        /// The concentration α of the Dirichlet noise at the root.
        pub noise_alpha: f64 = 0.3, in above(0.0).up_to(100.0);
        /// The share of the noise in the priors of the root where noise is asked for.
        pub noise_fraction: f64 = 0.25, in 0.0..=1.0;
        /// What a visit that waits for its answer is taken to lose.
        pub virtual_loss: f64 = 1.0, in 0.0..=1.0, as "-";
        /// What a move that was never tried is taken to be worth; S4: a draw.
        pub first_play: FirstPlay = FirstPlay::Parent, as "-";
        /// How much less than that, once other moves were tried: times the root of the priors of those that were.
        pub first_play_reduction: f64 = 0.3, in 0.0..=2.0, as "-";
        /// Whether ends of the game are proved backwards (MCTS-Solver).
        pub solve: bool = true, as "-";
        /// Whether a position that occurred before within the tree is taken for the end that its repetition would bring.
        pub cycles: bool = true, as "-";
        /// The moves at the root that Gumbel selection considers at most.
        pub considered: u32 = 16, in 1..=10_000, as "-";
        /// Gumbel's `c_visit`: how many visits the value counts for beyond those of the most visited move.
        pub c_visit: f64 = 50.0, in 0.0..=10_000.0, as "-";
        /// Gumbel's `c_scale`: how much the value counts against the logits.
        pub c_scale: f64 = 1.0, in 0.0..=100.0, as "-";
        /// The most nodes of a tree; the search ends when it would need more.
        pub max_nodes: u32 = 1 << 20, in 1..=MAX_NODES, as "-";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn switches_change_what_they_name() {
        let settings = MctsSettings::default();
        assert_eq!(settings.with(""), Ok(settings));
        let changed = settings.with("c_puct=1, selection=gumbel,solve=false,first_play=draw").unwrap();
        let expected = MctsSettings {
            c_puct: 1.0,
            selection: Selection::Gumbel,
            solve: false,
            first_play: FirstPlay::Draw,
            ..settings
        };
        assert_eq!(changed, expected);
    }
}
