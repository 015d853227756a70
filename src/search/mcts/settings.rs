//! Settings of a Monte Carlo tree search, each with its range.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::settings::{SettingError, require};

/// The most nodes that a tree may be allowed, so that edges can be numbered in 32 bits.
pub const MAX_NODES: u32 = 1 << 26;

/// A setting of the tree search that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MctsError {
    /// A setting outside its range.
    #[error(transparent)]
    Range(#[from] SettingError),
    /// A part of [`MctsSettings::with_switches`] that is none.
    #[error("search switch `{found}`: expected {expected}")]
    Switch {
        /// What was read.
        found: String,
        /// What belongs there.
        expected: String,
    },
}

/// How a search chooses among the moves of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// The largest Q + U everywhere (S4; Silver et al. 2017).
    #[default]
    Puct,
    /// Gumbel-Top-k with sequential halving at the root, and below it the visits that follow the improved policy most
    /// closely (Danihelka et al. 2022).
    Gumbel,
}

/// What a move that was never tried is taken to be worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstPlay {
    /// A draw, as S4's initial Q = 0.
    #[default]
    Draw,
    /// As much as its node on average.
    Parent,
}

/// How a Monte Carlo tree search goes about it. `docs/mcts.md` has the equations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MctsSettings {
    /// How moves are chosen.
    pub selection: Selection,
    /// The weight of the prior against the value, c in PUCT; S4: 2. In (0, 100].
    pub c_puct: f64,
    /// The concentration α of the Dirichlet noise at the root, in (0, 100].
    pub noise_alpha: f64,
    /// The share of the noise in the priors of the root where noise is asked for, in [0, 1].
    pub noise_fraction: f64,
    /// What a visit that waits for its answer is taken to lose, in [0, 1].
    pub virtual_loss: f64,
    /// What a move that was never tried is taken to be worth.
    pub first_play: FirstPlay,
    /// How much less than that, once all moves but such ones were tried: times the root of the priors of those that were. In [0, 2].
    pub first_play_reduction: f64,
    /// Whether ends of the game are proved backwards (MCTS-Solver).
    pub solve: bool,
    /// Whether a position that occurred before within the tree is taken for the end that its repetition would bring.
    pub cycles: bool,
    /// The moves at the root that Gumbel selection considers at most, in [1, 10000].
    pub considered: u32,
    /// Gumbel's `c_visit`: how many visits the value counts for beyond those of the most visited move. In [0, 10000].
    pub c_visit: f64,
    /// Gumbel's `c_scale`: how much the value counts against the logits. In [0, 100].
    pub c_scale: f64,
    /// The most nodes of a tree, in [1, [`MAX_NODES`]]; the search ends when it would need more.
    pub max_nodes: u32,
}

impl Default for MctsSettings {
    fn default() -> Self {
        Self {
            selection: Selection::Puct,
            c_puct: 2.0,
            noise_alpha: 0.3,
            noise_fraction: 0.25,
            virtual_loss: 1.0,
            first_play: FirstPlay::Draw,
            first_play_reduction: 0.0,
            solve: true,
            cycles: true,
            considered: 16,
            c_visit: 50.0,
            c_scale: 1.0,
            max_nodes: 1 << 20,
        }
    }
}

impl MctsSettings {
    /// Checks every setting's range.
    ///
    /// # Errors
    /// When one is outside of it.
    pub fn check(&self) -> Result<(), SettingError> {
        let within = |found: f64, most: f64| (0.0..=most).contains(&found);
        let positive = |found: f64| found > 0.0 && found <= 100.0;
        require(positive(self.c_puct), "c_puct", "in (0, 100]", self.c_puct)?;
        require(positive(self.noise_alpha), "noise_alpha", "in (0, 100]", self.noise_alpha)?;
        require(within(self.noise_fraction, 1.0), "noise_fraction", "in [0, 1]", self.noise_fraction)?;
        require(within(self.virtual_loss, 1.0), "virtual_loss", "in [0, 1]", self.virtual_loss)?;
        let reduction = self.first_play_reduction;
        require(within(reduction, 2.0), "first_play_reduction", "in [0, 2]", reduction)?;
        require((1..=10_000).contains(&self.considered), "considered", "in [1, 10000]", self.considered)?;
        require(within(self.c_visit, 10_000.0), "c_visit", "in [0, 10000]", self.c_visit)?;
        require(within(self.c_scale, 100.0), "c_scale", "in [0, 100]", self.c_scale)?;
        require((1..=MAX_NODES).contains(&self.max_nodes), "max_nodes", "in [1, 67108864]", self.max_nodes)
    }

    /// These settings with some of their fields changed: `name=value`, separated by commas, such as
    /// `c_puct=1.5,selection=gumbel`. An empty text changes nothing.
    ///
    /// # Errors
    /// [`MctsError::Switch`] when a part is not of that form, names no field, or gives a field a value of another kind;
    /// [`MctsError::Range`] when a value is out of its range.
    pub fn with_switches(&self, text: &str) -> Result<Self, MctsError> {
        let mut parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.try_fold(*self, |settings, part| settings.with_switch(part))
    }

    fn with_switch(&self, part: &str) -> Result<Self, MctsError> {
        let wrong = |expected: String| MctsError::Switch { found: part.to_owned(), expected };
        let (name, text) = part.split_once('=').ok_or_else(|| wrong("`name=value`".to_owned()))?;
        let (name, text) = (name.trim(), text.trim());
        let Ok(Value::Object(mut fields)) = serde_json::to_value(self) else { return Ok(*self) };
        let names = || fields.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        let expected = if fields.contains_key(name) { kind_of(name) } else { format!("one of {}", names()) };
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
        fields.insert(name.to_owned(), value);
        let changed: Self = serde_json::from_value(Value::Object(fields)).map_err(|_| wrong(expected))?;
        changed.check()?;
        Ok(changed)
    }
}

/// What values a field has.
fn kind_of(name: &str) -> String {
    match name {
        "selection" => "`selection` one of puct, gumbel".to_owned(),
        "first_play" => "`first_play` one of draw, parent".to_owned(),
        "solve" | "cycles" => format!("`{name}=true` or `{name}=false`"),
        "considered" | "max_nodes" => format!("a whole number for `{name}`"),
        _ => format!("a number for `{name}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_change_what_they_name() {
        let settings = MctsSettings::default();
        assert_eq!(settings.with_switches(""), Ok(settings));
        let changed = settings.with_switches("c_puct=1, selection=gumbel,solve=false,first_play=parent").unwrap();
        let expected = MctsSettings {
            c_puct: 1.0,
            selection: Selection::Gumbel,
            solve: false,
            first_play: FirstPlay::Parent,
            ..settings
        };
        assert_eq!(changed, expected);
    }

    #[test]
    fn wrong_switches_say_what_is_expected() {
        let error = |text: &str| MctsSettings::default().with_switches(text).unwrap_err().to_string();
        assert_eq!(error("c_puct=0"), "`c_puct` must be in (0, 100], got 0");
        assert_eq!(error("solve=1"), "search switch `solve=1`: expected `solve=true` or `solve=false`");
        assert_eq!(error("selection=ucb"), "search switch `selection=ucb`: expected `selection` one of puct, gumbel");
        assert!(error("cpuct=1").contains("expected one of c_puct, "), "{}", error("cpuct=1"));
        assert!(error("c_puct").contains("`name=value`"));
        assert!(error("max_nodes=-1").contains("a whole number"));
    }
}
