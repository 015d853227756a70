//! Settings and limits of a search.

use serde::{Deserialize, Serialize};

/// The largest depth, in plies, that a search accepts.
pub const MAX_DEPTH: u32 = 64;

/// The largest transposition table, in MiB.
pub const MAX_TABLE_MB: usize = 65_536;

/// A setting out of its range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The depth is outside of `1..=MAX_DEPTH`.
    #[error("`--depth` must be in [1, {MAX_DEPTH}], got {found}")]
    Depth {
        /// What was asked for.
        found: u32,
    },
    /// A limit of no nodes at all.
    #[error("`--nodes` must be at least 1, got 0")]
    Nodes,
    /// The transposition table is larger than `MAX_TABLE_MB`.
    #[error("`--hash` must be in [0, {MAX_TABLE_MB}], got {found}")]
    Table {
        /// What was asked for, in MiB.
        found: usize,
    },
}

/// How far one search may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limits {
    depth: u32,
    nodes: Option<u64>,
}

impl Limits {
    /// A search of `depth` plies, whatever it costs.
    ///
    /// # Errors
    /// [`SettingsError::Depth`] when `depth` is outside of `1..=MAX_DEPTH`.
    pub fn to_depth(depth: u32) -> Result<Self, SettingsError> {
        if (1..=MAX_DEPTH).contains(&depth) {
            Ok(Self { depth, nodes: None })
        } else {
            Err(SettingsError::Depth { found: depth })
        }
    }

    /// The same limits, and at most `nodes` positions. The first iteration is always finished, so that there is a move.
    ///
    /// # Errors
    /// [`SettingsError::Nodes`] when `nodes` is 0.
    pub fn and_nodes(self, nodes: u64) -> Result<Self, SettingsError> {
        if nodes == 0 { Err(SettingsError::Nodes) } else { Ok(Self { nodes: Some(nodes), ..self }) }
    }

    /// The depth, in plies, at which iterative deepening ends.
    #[must_use]
    pub const fn depth(self) -> u32 {
        self.depth
    }

    /// The number of positions after which the search stops, if there is one.
    #[must_use]
    pub const fn nodes(self) -> Option<u64> {
        self.nodes
    }
}

/// What a search does where its depth ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaf {
    /// Takes the evaluator's word.
    Static,
    /// Plays noisy moves on, and every answer to a threat, until the position is quiet.
    Quiescence {
        /// After this many plies the evaluator's word is taken after all.
        plies: u32,
    },
}

/// Which parts of the alpha-beta search are on. None of them changes the value of the root, save `quiescence` (another leaf
/// value) and `deeper_entries`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchSettings {
    /// Size of the transposition table in MiB, at most [`MAX_TABLE_MB`]; 0 for none.
    pub transposition_mb: usize,
    /// Whether an entry of a deeper search than needed may cut off. It makes play stronger and the value differ from
    /// minimax at equal depth, as some lines are then seen further than others.
    pub deeper_entries: bool,
    /// Whether leaves are searched on until they are quiet.
    pub quiescence: bool,
    /// After how many plies quiescence falls back to the static value.
    pub quiescence_plies: u32,
    /// Try the move that the table remembers first.
    pub table_move_first: bool,
    /// Try noisy moves before quiet ones, the noisiest first.
    pub noisy_first: bool,
    /// Try quiet moves that refuted a sibling before other quiet moves.
    pub killers: bool,
    /// Order quiet moves by how often they refuted anything.
    pub history: bool,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            transposition_mb: 8,
            deeper_entries: true,
            quiescence: true,
            quiescence_plies: 32,
            table_move_first: true,
            noisy_first: true,
            killers: true,
            history: true,
        }
    }
}

impl SearchSettings {
    /// Checks the settings that have a range.
    ///
    /// # Errors
    /// [`SettingsError::Table`] when the transposition table is larger than [`MAX_TABLE_MB`].
    pub const fn check(&self) -> Result<(), SettingsError> {
        if self.transposition_mb > MAX_TABLE_MB {
            return Err(SettingsError::Table { found: self.transposition_mb });
        }
        Ok(())
    }

    /// What happens at the leaves.
    #[must_use]
    pub const fn leaf(&self) -> Leaf {
        if self.quiescence { Leaf::Quiescence { plies: self.quiescence_plies } } else { Leaf::Static }
    }

    /// The bare alpha-beta search: no table, no quiescence, moves in the order in which they are generated.
    #[must_use]
    pub const fn bare() -> Self {
        Self {
            transposition_mb: 0,
            deeper_entries: false,
            quiescence: false,
            quiescence_plies: 0,
            table_move_first: false,
            noisy_first: false,
            killers: false,
            history: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_checked_once() {
        assert_eq!(Limits::to_depth(0).unwrap_err().to_string(), "`--depth` must be in [1, 64], got 0");
        assert!(Limits::to_depth(MAX_DEPTH + 1).is_err());
        let limits = Limits::to_depth(3).unwrap();
        assert_eq!(limits.and_nodes(0), Err(SettingsError::Nodes));
        assert_eq!(limits.and_nodes(7).map(Limits::nodes), Ok(Some(7)));
    }
    #[test]
    fn tables_have_a_largest_size() {
        let with = |transposition_mb| SearchSettings { transposition_mb, ..SearchSettings::default() }.check();
        assert_eq!((with(0), with(MAX_TABLE_MB)), (Ok(()), Ok(())));
        assert_eq!(with(MAX_TABLE_MB + 1).unwrap_err().to_string(), "`--hash` must be in [0, 65536], got 65537");
    }
}
