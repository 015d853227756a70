//! e2: what each point is worth for each piece, fitted on game records.

use std::collections::BTreeMap;

use crate::game::Side;
use crate::games::xiangqi::{FILES, RANKS, Role, SQUARES};

/// The committed tables, in points.
const FITTED: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/xiangqi-position-tables/tables.json"));

/// One table of points for each role, seen from Red.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionTables {
    points: [[i32; SQUARES]; 7],
}

/// Why a text holds no position tables.
#[derive(Debug, thiserror::Error)]
pub enum PositionTablesError {
    /// It is not JSON of the right shape.
    #[error("position tables must be a JSON object of role names to 10 rows of 9 whole numbers")]
    Json(#[from] serde_json::Error),
    /// A role is missing.
    #[error("position tables lack the role `{role}`")]
    Missing {
        /// The role.
        role: &'static str,
    },
}

impl PositionTables {
    /// The tables that come with the library.
    pub fn fitted() -> Self {
        // A test proves that the embedded text is valid; without tables the term is zero.
        Self::from_json(FITTED).unwrap_or(Self { points: [[0; SQUARES]; 7] })
    }

    /// Tables from the points of each role (in the order of [`Role::ALL`]) on each point of the board, seen from Red.
    pub fn new(points: [[i32; SQUARES]; 7]) -> Self {
        Self { points }
    }

    /// Reads tables; rows are ranks, Black's back rank first, as one looks at the board from Red's side.
    ///
    /// # Errors
    /// When the text is not such a table.
    pub fn from_json(text: &str) -> Result<Self, PositionTablesError> {
        let rows: BTreeMap<String, [[i32; FILES]; RANKS]> = serde_json::from_str(text)?;
        let mut points = [[0; SQUARES]; 7];
        for role in Role::ALL {
            let table = rows.get(role.name()).ok_or(PositionTablesError::Missing { role: role.name() })?;
            for (row, values) in table.iter().enumerate() {
                let first = (RANKS - 1 - row) * FILES;
                points[role as usize][first..first + FILES].copy_from_slice(values);
            }
        }
        Ok(Self { points })
    }

    /// Writes tables as [`PositionTables::from_json`] reads them, one rank a line.
    pub fn to_json(&self) -> String {
        let tables = Role::ALL.map(|role| {
            let ranks: Vec<String> = (0..RANKS).rev().map(|rank| self.rank_text(role, rank)).collect();
            format!("  \"{}\": [\n    {}\n  ]", role.name(), ranks.join(",\n    "))
        });
        format!("{{\n{}\n}}\n", tables.join(",\n"))
    }

    fn rank_text(&self, role: Role, rank: usize) -> String {
        let row = &self.points[role as usize][rank * FILES..(rank + 1) * FILES];
        let cells: Vec<String> = row.iter().map(|value| format!("{value:4}")).collect();
        format!("[{}]", cells.join(","))
    }

    /// Points of the piece with the role of index `role` that `side` has on `square`.
    pub fn points(&self, role: usize, side: Side, square: usize) -> i32 {
        let seen = match side {
            Side::First => square,
            Side::Second => SQUARES - 1 - square,
        };
        self.points[role][seen]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_tables_are_valid_and_symmetric() {
        let tables = PositionTables::from_json(FITTED).unwrap();
        assert_eq!(PositionTables::from_json(&tables.to_json()).unwrap(), tables);
        assert_ne!(tables, PositionTables { points: [[0; SQUARES]; 7] });
        for role in 0..7 {
            for square in 0..SQUARES {
                let mirrored = square / FILES * FILES + (FILES - 1 - square % FILES);
                let value = tables.points(role, Side::First, square);
                assert_eq!(value, tables.points(role, Side::First, mirrored));
                assert_eq!(value, tables.points(role, Side::Second, SQUARES - 1 - square));
            }
        }
    }

    #[test]
    fn a_missing_role_is_named() {
        assert!(PositionTables::from_json("{}").unwrap_err().to_string().contains("`king`"));
    }
}
