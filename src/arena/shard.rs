//! Shards: work on many games split over machines that know nothing of each other.

use std::fmt;

use crate::settings::{SettingError, require};

/// The most shards of one run.
const MAX_SHARDS: u64 = 1_000_000;

/// The number of a Slurm array task, from 1 in jobs submitted by `--array=1-N`.
const SLURM: &str = "SLURM_ARRAY_TASK_ID";
/// The number of a pod of an indexed Kubernetes job, from 0.
const KUBERNETES: &str = "JOB_COMPLETION_INDEX";

/// One of the parts that a run is split into. Which part a game belongs to follows from the game alone: in a tournament from the
/// identifier of its pair, and not from the order or the number of the pairs; among games that are made, from its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// From 0.
    index: u64,
    count: u64,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Part `number`, from 1, of `count`.
    ///
    /// # Errors
    /// When `count` is not in [1, 1000000] or `number` not in [1, `count`].
    pub fn new(number: u64, count: u64) -> Result<Self, SettingError> {
        require((1..=MAX_SHARDS).contains(&count), "shard", "I/N with N in [1, 1000000]", count)?;
        require((1..=count).contains(&number), "shard", "I/N with I in [1, N]", format!("{number}/{count}"))?;
        Ok(Self { index: number - 1, count })
    }

    /// `I/N`, or `env/N` for the part whose number is in one of the `variables` of the environment: `SLURM_ARRAY_TASK_ID`, which
    /// counts from 1 here, or `JOB_COMPLETION_INDEX`, which counts from 0.
    ///
    /// N is always written out: a scheduler that starts one failed task anew tells it that there is one task in all.
    ///
    /// # Errors
    /// When `text` is neither, a number is out of its range, or not exactly one of the variables is set to a number.
    pub fn parse(text: &str, variables: impl Fn(&str) -> Option<String>) -> Result<Self, SettingError> {
        let wrong = |range| SettingError::value("shard", range, text);
        let malformed = || wrong("I/N such as 3/16, or env/N");
        let (number, count) = text.split_once('/').ok_or_else(malformed)?;
        let count = count.parse().map_err(|_| malformed())?;
        let number = match number {
            "env" => match (number_in(variables(SLURM)), number_in(variables(KUBERNETES))) {
                (Some(task), None) => task,
                (None, Some(index)) => index.saturating_add(1),
                _ => {
                    return Err(wrong(
                        "I/N unless just one of SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX is a number",
                    ));
                }
            },
            number => number.parse().map_err(|_| malformed())?,
        };
        Self::new(number, count)
    }

    /// Whether there are no others.
    pub const fn is_whole(self) -> bool {
        self.count == 1
    }

    /// Which part it is, from 0, and how many there are.
    pub const fn numbers(self) -> [u64; 2] {
        [self.index, self.count]
    }

    /// How many parts there are.
    pub const fn count(self) -> u64 {
        self.count
    }

    /// The one among all parts that holds what hashes to `hash`.
    pub const fn holding(self, hash: u64) -> Self {
        Self { index: hash % self.count, ..self }
    }

    /// As a part of a file's name: `3-of-16`.
    pub fn in_names(self) -> String {
        self.to_string().replace('/', "-of-")
    }

    /// Whether something whose identifier hashes to `hash` belongs to this part.
    pub const fn holds(self, hash: u64) -> bool {
        hash % self.count == self.index
    }
}

fn number_in(variable: Option<String>) -> Option<u64> {
    variable?.trim().parse().ok()
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, variables: &[(&str, &str)]) -> Result<String, String> {
        let value = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Shard::parse(text, value).map(|shard| shard.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn numbers_come_from_the_text_or_from_the_scheduler() {
        assert_eq!(parse("3/16", &[]).unwrap(), "3/16");
        assert_eq!(parse("env/16", &[(SLURM, "16")]).unwrap(), "16/16");
        assert_eq!(parse("env/16", &[(KUBERNETES, "0")]).unwrap(), "1/16");
        for (text, variables) in [
            ("3", &[][..]),
            ("0/4", &[]),
            ("5/4", &[]),
            ("1/0", &[]),
            ("x/4", &[]),
            ("env/4", &[]),
            ("env/4", &[(SLURM, "1"), (KUBERNETES, "0")]),
            ("env/4", &[(SLURM, "5")]),
            ("env/4", &[(KUBERNETES, "18446744073709551615")]),
            ("env", &[(SLURM, "1")]),
        ] {
            let error = parse(text, variables).unwrap_err();
            assert!(error.starts_with("`shard` must be I/N"), "{error}");
        }
    }

    #[test]
    fn every_hash_belongs_to_one_part() {
        for hash in [0, 1, 7, 12, u64::MAX] {
            let parts: Vec<_> = (1..=5).filter(|&i| Shard::new(i, 5).unwrap().holds(hash)).collect();
            assert_eq!(parts, [hash % 5 + 1]);
            assert!(Shard::WHOLE.holds(hash));
        }
    }
}
