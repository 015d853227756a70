//! Whether games are held out that the network to go on from has learned from.

use std::fmt;

use super::{Basis, Data, DataSettings};
use crate::net::store::About;

/// How games were split into those to learn from and those held out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Split {
    /// SHA-256 of the files of games, in order.
    games: Vec<String>,
    seed: u64,
    /// The share held out.
    share: f64,
}

impl Split {
    /// The split behind a network, if its file tells of one. What learned by playing has learned from no game of a file.
    pub(super) fn of_network(about: &About) -> Option<Self> {
        if about.settings.pointer("/method/training/opponent").is_some() {
            return None;
        }
        let seed = about.settings.get("seed")?.as_u64()?;
        let data = about.settings.get("data")?;
        let share = data.get("held_out")?.as_f64()?;
        let settings: Option<DataSettings> = serde_json::from_value(data.clone()).ok();
        let n_evaluators = settings.map_or(0, |settings| settings.evaluators().count());
        let n_networks = usize::from(about.settings.get("init").is_some());
        Some(Self { games: games(&about.inputs, n_evaluators + n_networks), seed, share })
    }

    /// The split of `data`.
    pub(super) fn of_data(data: &Data) -> Self {
        let Basis { settings, seed, inputs } = &data.basis;
        let n_evaluators = settings.evaluators().count();
        Self { games: games(inputs, n_evaluators), seed: *seed, share: settings.held_out }
    }

    /// Why `now` may hold out games that are learned from by this split. By one seed a smaller share is part of a greater one.
    fn change_to(&self, now: &Self) -> Option<Change> {
        if !self.games.iter().any(|file| now.games.contains(file)) {
            None
        } else if self.seed != now.seed {
            Some(Change::Seed(self.seed))
        } else if self.games != now.games {
            Some(Change::Files)
        } else {
            (now.share > self.share).then_some(Change::Share(self.share))
        }
    }
}

/// The checksums of `inputs` before the last `n_others`, which are no games.
pub(super) fn games(inputs: &[(String, String)], n_others: usize) -> Vec<String> {
    let n_games = inputs.len().saturating_sub(n_others);
    inputs[..n_games].iter().map(|(_, checksum)| checksum.clone()).collect()
}

/// What the network's split had otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Change {
    Seed(u64),
    Files,
    Share(f64),
}

/// Games may be held out that a network has learned from, so that its error on them says too little.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenGames {
    network: String,
    change: Change,
}

impl SeenGames {
    /// Whether `data` holds out games that the network of this name may have learned from by the split `before`.
    pub(super) fn among(data: &Data, network: &str, before: &Split) -> Option<Self> {
        let change = before.change_to(&Split::of_data(data))?;
        Some(Self { network: network.to_owned(), change })
    }
}

impl fmt::Display for SeenGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (how, keep) = match self.change {
            Change::Seed(seed) => (format!("with seed {seed}"), format!("keep seed {seed}")),
            Change::Files => {
                ("among other files or in another order".into(), "name the same files in the same order".into())
            }
            Change::Share(share) => {
                (format!("with {share} of them held out"), format!("hold out {share} of them or less"))
            }
        };
        write!(
            f,
            "`{}` learned from some of these games {how}, so games held out here may be among those it has learned from: \
             {keep}, or hold out games that it has not seen",
            self.network
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_splits_of_the_same_games_are_told_apart() {
        let split =
            |games: &[&str], seed, share| Split { games: games.iter().map(|&file| file.into()).collect(), seed, share };
        let before = split(&["a", "b"], 1, 0.25);
        for (now, change) in [
            (before.clone(), None),
            (split(&["a", "b"], 1, 0.125), None),
            (split(&["c"], 2, 0.5), None),
            (split(&["a", "b"], 1, 0.5), Some(Change::Share(0.25))),
            (split(&["b", "c"], 2, 0.25), Some(Change::Seed(1))),
            (split(&["b", "a"], 1, 0.25), Some(Change::Files)),
        ] {
            assert_eq!(before.change_to(&now), change, "{now:?}");
        }
    }
}
