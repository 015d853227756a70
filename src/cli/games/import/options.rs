//! Options of cleaning and of selection.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use regex::Regex;
use roughboard::game::{Outcome, Side};
use roughboard::record::clean::{COMPUTER_WORDS, Cleaning, FRAGMENT_FOLDERS, Sample, Step};
use roughboard::record::{Balance, EventClass, GameSelection, OWN_TAGS, Reason, TagPattern};
use roughboard::settings::{Choices, one_of};

use super::split::note_share;
use crate::cli::settings::named;

/// What is dropped.
#[derive(clap::Args)]
#[command(next_help_heading = "Cleaning")]
pub struct CleaningOptions {
    /// Steps to skip, so that the games that they would drop are kept; separated by commas. In their order: fragments (another start, or a folder of fragments), computer
    /// (games of programs), fill (take a missing result from mate on the board or from the title), no-result, after-moves,
    /// title, board (the result contradicts that after the moves, the words of the title, mate on the board), short, conflicts
    /// (copies with different results), duplicates, filed-again (copies under other headers), prefixes, mirrored, near
    #[arg(long, value_name = "STEPS", value_delimiter = ',', value_parser = step)]
    keep: Vec<Step>,
    /// The fewest plies of a game
    #[arg(long, default_value_t = 10, value_name = "N")]
    min_plies: usize,
    /// A game is a prefix of a longer record only from N plies on: different games share shorter openings
    #[arg(long, default_value_t = 30, value_name = "N")]
    prefix_plies: usize,
    /// Near-duplicates are games with the same first N plies, players and result
    #[arg(long, default_value_t = 40, value_name = "N")]
    near_plies: usize,
    /// Words that mark folders of fragments, instead of the built-in ones, separated by commas: a folder is one if its name, or a part of it
    /// between `_`, `-` and blanks, begins with one of these
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    fragment_folders: Option<Vec<String>>,
    /// Words in the names of folders, events and players that indicate programs, instead of the built-in ones, separated by commas
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    computer_words: Option<Vec<String>>,
}

fn step(name: &str) -> Result<Step, String> {
    name.parse().map_err(|_| format!("expected {}", one_of(Step::NAMES)))
}

impl CleaningOptions {
    /// The cleaning that these options ask for.
    pub fn with(&self, (selection, sample): (GameSelection, Option<Sample>), seed: u64) -> Cleaning {
        let words = |given: &Option<Vec<String>>, built_in: &[&str]| {
            let built_in = || built_in.iter().map(|&word| word.to_owned()).collect();
            given.clone().unwrap_or_else(built_in).into_iter().filter(|word| !word.is_empty()).collect()
        };
        Cleaning {
            off: self.keep.clone(),
            fragment_folders: words(&self.fragment_folders, &FRAGMENT_FOLDERS),
            computer_words: words(&self.computer_words, &COMPUTER_WORDS),
            min_plies: self.min_plies,
            prefix_plies: self.prefix_plies,
            near_plies: self.near_plies,
            selection,
            sample,
            seed,
        }
    }
}

/// Names of tags that are listed at most.
const MOST_TAGS: usize = 30;

/// Which games are wanted.
#[derive(clap::Args)]
#[command(next_help_heading = "Selection")]
pub struct SelectionOptions {
    /// Games whose tag Event has this text; may be repeated: one of them is enough
    #[arg(long, value_name = "TEXT", value_parser = text)]
    event: Vec<String>,
    /// Games of a kind of event, told by the tag Class or by words of the tag Event; may be repeated: one of them is enough
    #[arg(long, value_name = "CLASS", value_parser = named::<EventClass>())]
    class: Vec<EventClass>,
    /// Games in which the name of either player has this text; may be repeated: one of them is enough
    #[arg(long, value_name = "TEXT", value_parser = text)]
    player: Vec<String>,
    /// Games of these years, as 1990-2004, 1990- or 1990; those of unknown date are counted and left out
    #[arg(long, value_name = "A-B", value_parser = years)]
    years: Option<RangeInclusive<u16>>,
    /// Games with this result: the side that won, or draw; may be repeated: one of them is enough
    #[arg(long, value_name = "SIDE|draw")]
    result: Vec<String>,
    /// Games whose tag NAME matches the regular expression; may be repeated: all must match
    #[arg(long, value_name = "NAME=REGEX", value_parser = tag)]
    tag: Vec<TagPattern>,
    /// Draw N games, or P per cent, of what is left; by --seed
    #[arg(long, value_name = "N|P%", value_parser = sample)]
    sample: Option<Sample>,
}

impl SelectionOptions {
    /// The selection that these options ask for, in a game of these sides.
    pub fn read(&self, sides: [&str; 2]) -> anyhow::Result<(GameSelection, Option<Sample>)> {
        let selection = GameSelection {
            events: self.event.clone(),
            classes: self.class.clone(),
            players: self.player.clone(),
            years: self.years.clone(),
            results: self.result.iter().map(|name| outcome_of(name, sides)).collect::<anyhow::Result<_>>()?,
            tags: self.tag.clone(),
        };
        Ok((selection, self.sample))
    }

    /// Whether games are wanted by their tags.
    pub const fn asks_for_tags(&self) -> bool {
        !self.tag.is_empty()
    }

    /// Tells of a tag asked for that is not among the `tags` of the games, and of a sample that is not full, or far from its share.
    pub fn note_misses(&self, tags: &BTreeSet<String>, balance: &Balance) {
        let known = || tags.iter().take(MOST_TAGS).map(|tag| format!("`{tag}`")).collect::<Vec<_>>().join(", ");
        for TagPattern { name, .. } in self.tag.iter().filter(|pattern| !tags.contains(&pattern.name)) {
            eprintln!("note: no game has a tag `{name}`; there are {}", known());
        }
        let (kept, left) = (balance.kept, balance.dropped.get(&Reason::NotSampled).copied().unwrap_or_default());
        match self.sample {
            Some(Sample::Games(asked)) if kept < asked as u64 => {
                eprintln!("note: `--sample` asks for {asked} games, found only {kept}");
            }
            Some(Sample::Share(share)) => note_share("the sample", (kept, kept + left), share),
            _ => {}
        }
    }
}

/// The outcome that `name` stands for: the winning side, or `draw`.
fn outcome_of(name: &str, [first, second]: [&str; 2]) -> anyhow::Result<Outcome> {
    let known = [(first, Outcome::Win(Side::First)), ("draw", Outcome::Draw), (second, Outcome::Win(Side::Second))];
    let meant = known.into_iter().find(|(known, _)| *known == name).map(|(_, outcome)| outcome);
    meant.ok_or_else(|| anyhow::anyhow!("`--result` must be {first}, draw or {second}, got {name}"))
}

/// A text to look for. An empty one is in every game, and as a rule comes of a variable of a shell that was never set.
fn text(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("expected a text that is not empty".to_owned()) } else { Ok(text.to_owned()) }
}

fn years(text: &str) -> Result<RangeInclusive<u16>, String> {
    let wrong = |expected: &str| format!("expected {expected} such as 1990-2004, found `{text}`");
    let year = |text: &str, open: u16| match text.trim() {
        "" => Ok(open),
        year if year.len() == 4 => year.parse().map_err(|_| wrong("years")),
        _ => Err(wrong("years of four digits")),
    };
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let years = year(first, 0)?..=year(last, u16::MAX)?;
    match (text, years.is_empty()) {
        ("", _) => Err(wrong("years")),
        (_, true) => Err(wrong("the earlier year first")),
        _ => Ok(years),
    }
}

fn tag(text: &str) -> Result<TagPattern, String> {
    let parts = text.split_once('=').filter(|(name, pattern)| !name.trim().is_empty() && !pattern.is_empty());
    let (name, pattern) = parts.ok_or_else(|| format!("expected NAME=REGEX, such as Site=北京, found `{text}`"))?;
    let name = name.trim();
    if OWN_TAGS.contains(&name) {
        let own = OWN_TAGS.join(", ");
        return Err(format!("expected a tag other than {own}; `--result` asks for results"));
    }
    let pattern = Regex::new(pattern).map_err(|error| error.to_string())?;
    Ok(TagPattern { name: name.to_owned(), pattern })
}

fn sample(text: &str) -> Result<Sample, String> {
    let wrong = || format!("expected a number of games, or a share above 0 and at most 100%, found `{text}`");
    let Some(share) = text.strip_suffix('%') else { return text.parse().map(Sample::Games).map_err(|_| wrong()) };
    let share: f64 = share.trim().parse().map_err(|_| wrong())?;
    if share > 0.0 && share <= 100.0 { Ok(Sample::Share(share / 100.0)) } else { Err(wrong()) }
}
