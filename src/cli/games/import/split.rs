//! Files of games that are divided by a hash of their moves.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use roughboard::game::Notation;
use roughboard::record::clean::lot;
use roughboard::record::{GameFile, PositionFile, RecordError, stem_and_ending};

/// Shares of two or three parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    /// Per cent of each part; they add up to 100.
    shares: Vec<f64>,
}

impl FromStr for Split {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("expected two or three numbers above 0 that add up to 100, such as 80/10/10, found `{text}`");
        let shares: Vec<f64> = text.split('/').map(str::parse).collect::<Result<_, _>>().map_err(|_| wrong())?;
        let adds_up = (shares.iter().sum::<f64>() - 100.0).abs() < 1e-6;
        let fits = matches!(shares.len(), 2 | 3) && shares.iter().all(|&share| share > 0.0) && adds_up;
        if fits { Ok(Self { shares }) } else { Err(wrong()) }
    }
}

impl Split {
    const fn names(&self) -> &'static [&'static str] {
        if self.shares.len() == 2 { &["train", "test"] } else { &["train", "valid", "test"] }
    }
}

/// The files that games go to.
pub struct Targets {
    parts: Vec<(PathBuf, Option<PathBuf>)>,
    /// Where each part ends, in [0, 1].
    bounds: Vec<f64>,
}

impl Targets {
    /// One file, or one a part of the split; and as many for positions, if they are asked for.
    pub fn new(split: Option<&Split>, games: &Path, positions: Option<&Path>) -> Self {
        let Some(split) = split else {
            return Self { parts: vec![(games.to_owned(), positions.map(Path::to_owned))], bounds: vec![1.0] };
        };
        let named = |path: &Path, part: &str| path.with_file_name(part_name(path, part));
        let parts = split.names().iter().map(|part| (named(games, part), positions.map(|path| named(path, part))));
        let mut end = 0.0;
        let bounds = split.shares.iter().map(|share| {
            end += share / 100.0;
            end
        });
        Self { parts: parts.collect(), bounds: bounds.collect() }
    }

    /// All files.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.parts.iter().flat_map(|(games, positions)| std::iter::once(games).chain(positions)).map(PathBuf::as_path)
    }

    /// The names of the files of games.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.parts.iter().map(|(games, _)| games.display().to_string())
    }

    /// The files of games, to be written.
    pub fn create<G: Notation>(&self, level: i32) -> Result<Vec<GameFile>, RecordError> {
        self.parts.iter().map(|(games, _)| GameFile::create::<G>(games, level)).collect()
    }

    /// The files of positions, where they are asked for.
    pub fn create_positions(&self) -> Result<Vec<Option<PositionFile>>, RecordError> {
        self.parts.iter().map(|(_, path)| path.as_deref().map(PositionFile::create).transpose()).collect()
    }

    /// Tells of parts that are far from their shares of the games in them all.
    pub fn note_shares(&self, parts: &[(String, u64)]) {
        let begins = std::iter::once(0.0).chain(self.bounds.iter().copied());
        let of = parts.iter().map(|(_, count)| count).sum();
        for ((name, count), (begin, end)) in parts.iter().zip(begins.zip(&self.bounds)) {
            note_share(&format!("`{name}`"), (*count, of), end - begin);
        }
    }

    /// Which part a game falls into.
    pub fn part_of(&self, seed: u64, key: u64) -> usize {
        // Another draw than that of a sample, so that a sample is split like the whole.
        let lot = lot(!seed, key);
        self.bounds.iter().position(|&end| lot < end).unwrap_or(self.bounds.len() - 1)
    }
}

/// How many standard deviations a number of games may be off its share before it is told of.
const FAR: f64 = 5.0;

/// Tells that `what` got `count` of so many games where a hash of their moves gives each a chance of `share`, if that is far from it.
pub fn note_share(what: &str, (count, of): (u64, u64), share: f64) {
    let expected = of as f64 * share;
    if (count as f64 - expected).abs() > FAR * (expected * (1.0 - share)).sqrt() {
        eprintln!(
            "note: {what} got {count} of {of} games, where {:.0} % are {expected:.0}: games that `import` drew or divided before \
             are drawn and divided differently only with another `--seed`",
            100.0 * share
        );
    }
}

/// `games.pgn.zst` → `games.train.pgn.zst`.
fn part_name(path: &Path, part: &str) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, ending) = stem_and_ending(&name);
    format!("{stem}.{part}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_and_parts_have_names() {
        assert_eq!(part_name(Path::new("a/G.PGN.Zst"), "train"), "G.train.PGN.Zst");
        for text in ["80", "80/10", "80/10/5/5", "110/-10", "a/b", "0/100", ""] {
            assert!(text.parse::<Split>().is_err(), "{text}");
        }
        let split: Split = "80/10/10".parse().expect("a split");
        let targets = Targets::new(Some(&split), Path::new("out/games.pgn.zst"), None);
        let names: Vec<_> = targets.names().collect();
        assert_eq!(names, ["out/games.train.pgn.zst", "out/games.valid.pgn.zst", "out/games.test.pgn.zst"]);
        let mut counts = [0_usize; 3];
        (0..10_000).for_each(|key| counts[targets.part_of(1, key)] += 1);
        assert!((7800..8200).contains(&counts[0]) && counts[1].abs_diff(counts[2]) < 200, "{counts:?}");
    }
}
