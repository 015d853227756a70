//! Which games of a collection are wanted: by event, player, year, result and any tag.

use std::ops::RangeInclusive;

use regex::Regex;

use super::account::{Flaw, Reason};
use super::entry::{GameRecord, result_text};
use crate::game::{Game, Outcome, Side};
use crate::settings::choices;

choices! {
    /// A kind of event, told by words of the tags `Event` and `Class`.
    pub enum EventClass = NationalTeam {
        /// The national team championship of China.
        NationalTeam,
        /// The national individual championship of China.
        NationalIndividual,
        /// The Wuyang Cup.
        Wuyang,
    }
}

impl EventClass {
    /// The value of the tag `Class` in collections that sort their games themselves; and groups of words, traditional and simplified,
    /// of each of which the event has one.
    const fn told_by(self) -> (&'static str, &'static [&'static [&'static str]]) {
        match self {
            Self::NationalTeam => ("nat-team", &[&["全國", "全国"], &["團體", "团体"]]),
            Self::NationalIndividual => (
                "nat-indiv",
                &[&[
                    "個人賽",
                    "個人錦標",
                    "全國個人",
                    "全國象棋個人",
                    "个人赛",
                    "个人锦标",
                    "全国个人",
                    "全国象棋个人",
                ]],
            ),
            Self::Wuyang => ("wuyang", &[&["五羊杯", "五羊盃"]]),
        }
    }

    /// Whether the game is of this class: its tag `Class` says so (a `?` behind it, for a guess, is passed over), or
    /// its event has the words.
    pub fn holds<G: Game>(self, record: &GameRecord<G>) -> bool {
        let (label, words) = self.told_by();
        let event = record.tag("Event").unwrap_or_default();
        record.tag("Class").is_some_and(|class| class.trim_end_matches('?') == label)
            || words.iter().all(|group| group.iter().any(|word| event.contains(word)))
    }
}

/// A tag and what its value must match.
#[derive(Debug, Clone)]
pub struct TagPattern {
    /// The name of the tag.
    pub name: String,
    /// Found somewhere in its value; a missing tag counts as empty.
    pub pattern: Regex,
}

/// What games must be like. Of several events, players, classes or results one is enough; patterns must all be found.
#[derive(Debug, Clone, Default)]
pub struct GameSelection {
    /// Words of the tag `Event`.
    pub events: Vec<String>,
    /// Kinds of events.
    pub classes: Vec<EventClass>,
    /// Words of the tag `Red` or `Black` (or `White`).
    pub players: Vec<String>,
    /// The years of [`GameRecord::date`].
    pub years: Option<RangeInclusive<u16>>,
    /// Results.
    pub results: Vec<Outcome>,
    /// Patterns of tags.
    pub tags: Vec<TagPattern>,
}

impl GameSelection {
    /// Whether the game is wanted.
    ///
    /// # Errors
    /// [`Flaw::Other`] with the first filter that leaves it out, in the order of [`Reason`].
    pub fn check<G: Game>(&self, record: &GameRecord<G>) -> Result<(), Flaw> {
        let tag = |name| record.tag(name).unwrap_or_default();
        let has_one = |words: &[String], value: &str| words.is_empty() || words.iter().any(|word| value.contains(word));
        require(has_one(&self.events, tag("Event")), Reason::OtherEvent, || format!("event `{}`", tag("Event")))?;
        let of_class = self.classes.is_empty() || self.classes.iter().any(|class| class.holds(record));
        require(of_class, Reason::OtherClass, || format!("event `{}`", tag("Event")))?;
        let plays = SIDE_TAGS.iter().any(|side| has_one(&self.players, tag(side)));
        let [first, second] = [Side::First, Side::Second].map(|side| record.player(side).unwrap_or_default());
        require(plays, Reason::OtherPlayer, || format!("{first} against {second}"))?;
        self.check_years(record)?;
        let result = self.results.is_empty() || record.outcome.is_some_and(|outcome| self.results.contains(&outcome));
        require(result, Reason::OtherResult, || result_text(record.outcome).to_owned())?;
        self.tags.iter().try_for_each(|TagPattern { name, pattern }| {
            require(pattern.is_match(tag(name)), Reason::OtherTag, || {
                format!("{name} `{}` without `{pattern}`", tag(name))
            })
        })
    }

    fn check_years<G: Game>(&self, record: &GameRecord<G>) -> Result<(), Flaw> {
        let Some(years) = &self.years else { return Ok(()) };
        let tag = || format!("date `{}`", record.tag("Date").unwrap_or_default());
        match record.date() {
            None => require(false, Reason::UnknownDate, tag),
            Some(date) => require(years.contains(&date.year), Reason::OtherYear, tag),
        }
    }
}

/// The tags that hold players.
const SIDE_TAGS: [&str; 3] = ["Red", "Black", "White"];

fn require(met: bool, reason: Reason, found: impl Fn() -> String) -> Result<(), Flaw> {
    if met { Ok(()) } else { Err(Flaw::Other(reason, found())) }
}
