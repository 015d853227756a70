//! The options: what they are called in each protocol, what they may be, and what they are now.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::info::Scale;
use super::log::GameLog;
use super::own_book::{EMPTY, OwnBook};
use super::refusal::Refusal;
use super::task::Setup;
use super::{DEFAULT_HASH_MB, Dialect};
use crate::eval::{Catalogue, Factory, PolicyValue, values_of};
use crate::game::Ranks;
use crate::search::{MAX_MOVETIME_MS, MAX_TABLE_MB, SearchSettings};
use crate::settings::{self, Leaf, SettingError, Settings, leaves_of};

/// The most threads that a search may have.
const MAX_THREADS: i64 = 256;

/// The most lines that a search may give.
const MAX_LINES: i64 = 128;

/// The longest time, in milliseconds, that may be kept back for the way of a move.
const MAX_OVERHEAD: i64 = 10_000;

/// The setting that `Hash` and `hashsize` stand for.
const TABLE: &str = "transposition_mb";

/// The greatest seed of draws from the book.
const MAX_SEED: i64 = i32::MAX as i64;

/// What the options are now.
pub(super) struct Options<G: Catalogue> {
    /// What searches are made of.
    pub setup: Setup<G>,
    /// How many best lines to give.
    pub lines: usize,
    /// What each move loses between clock and engine.
    pub overhead: Duration,
    /// The milliseconds of a turn, where the protocol tells no time.
    pub turn_time: u64,
    /// Whether the client thinks on the opponent's time; it decides, so nothing follows from it.
    ponder: bool,
    /// Whether UCCI's times are in milliseconds.
    pub milliseconds: bool,
    pub ranks: Ranks,
    pub evaluator_name: String,
    pub scale: Scale,
    pub book: OwnBook<G>,
    /// Where the games that are played go.
    pub log: GameLog<G>,
}

/// What setting an option asks of the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing more.
    Set,
    /// What earlier searches remember has to go.
    Forget,
}

/// Which option.
#[derive(Debug, Clone, PartialEq)]
enum Id {
    Hash,
    Threads,
    Lines,
    Ponder,
    Overhead,
    TurnTime,
    Evaluator,
    BookFile,
    BookUsed,
    BookWeighted,
    BookSeed,
    Log,
    Forget,
    Variant,
    Milliseconds,
    /// A setting of the search under its own name, with that of its group before it.
    Search(String),
}

/// The type of an option with its present value.
#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Check(bool),
    Spin {
        value: i64,
        least: i64,
        most: i64,
    },
    Text(String),
    /// One of the variants of the game, the names of all of them with what they say.
    Ranks(Ranks, &'static [(&'static str, Ranks)]),
    Button,
}

/// An option as it is announced.
struct Spec {
    id: Id,
    /// The name in UCI; empty if it has no such option.
    uci: Cow<'static, str>,
    /// The name in UCCI, one word in lower case.
    ucci: Cow<'static, str>,
    kind: Kind,
}

impl Spec {
    const fn new(id: Id, uci: &'static str, ucci: &'static str, kind: Kind) -> Self {
        Self { id, uci: Cow::Borrowed(uci), ucci: Cow::Borrowed(ucci), kind }
    }

    /// The option of a setting of the search, which has its present value.
    fn of_search(leaf: Leaf) -> Self {
        let (kind, name) = (kind_of(&leaf), Cow::<'static, str>::Owned(leaf.path.clone()));
        Self { id: Id::Search(leaf.path), uci: name.clone(), ucci: name, kind }
    }

    fn name(&self, dialect: Dialect) -> Option<&str> {
        let name = if dialect == Dialect::Ucci { &self.ucci } else { &self.uci };
        Some(&**name).filter(|name| !name.is_empty())
    }

    /// The line that announces it; `None` if the protocol has no such option.
    fn line(&self, dialect: Dialect) -> Option<String> {
        let name = self.name(dialect)?;
        let kind = match &self.kind {
            Kind::Check(on) => format!("check default {on}"),
            Kind::Spin { value, least, most } => match dialect {
                Dialect::Uci | Dialect::Contest => format!("spin default {value} min {least} max {most}"),
                Dialect::Ucci => format!("spin min {least} max {most} default {value}"),
            },
            Kind::Text(text) => format!("string default {}", if text.is_empty() { EMPTY } else { text }),
            Kind::Ranks(now, variants) => {
                let default = variants.iter().find(|(_, ranks)| ranks == now).map_or("", |(name, _)| *name);
                let all: String = variants.iter().map(|(name, _)| format!(" var {name}")).collect();
                format!("combo default {default}{all}")
            }
            Kind::Button => "button".to_owned(),
        };
        let name_word = if dialect == Dialect::Ucci { "" } else { "name " };
        Some(format!("option {name_word}{name} type {kind}\n"))
    }
}

impl<G: Catalogue> Options<G> {
    pub fn new() -> Result<Self, Refusal> {
        let name = G::BEST.to_owned() + G::ADDITION.map_or("", |addition| addition.suffix);
        let (network, evaluator) = load::<G>("EvalFile", &name)?;
        let scale = Scale::of(&*evaluator());
        let search = SearchSettings { transposition_mb: DEFAULT_HASH_MB, ..SearchSettings::of_game::<G>() };
        Ok(Self {
            setup: Setup { search, threads: 1, evaluator: Arc::new(evaluator), network },
            lines: 1,
            overhead: Duration::from_millis(30),
            turn_time: 5_000,
            ponder: false,
            milliseconds: false,
            ranks: Ranks::FromZero,
            scale,
            evaluator_name: name,
            book: OwnBook::new(),
            log: GameLog::default(),
        })
    }

    /// The lines that announce all options with their present values.
    pub fn announcement(&self, dialect: Dialect) -> String {
        self.specs().iter().filter_map(|spec| spec.line(dialect)).collect()
    }

    /// Sets the option `name`, whose case does not matter.
    pub fn set(&mut self, dialect: Dialect, name: &str, value: &str) -> Result<Effect, Refusal> {
        let is_meant = |spec: &Spec| spec.name(dialect).is_some_and(|own| own.eq_ignore_ascii_case(name));
        let Some(spec) = self.specs().into_iter().find(is_meant) else {
            return Err(Refusal::NoOption(name.to_owned()));
        };
        let name = spec.name(dialect).unwrap_or(name);
        match spec.kind {
            Kind::Check(_) => self.set_flag(&spec.id, flag(name, value)?)?,
            Kind::Spin { least, most, .. } => {
                let number = number(name, value, least, most)?;
                self.set_number(dialect, (&spec.id, name), number)?;
            }
            Kind::Text(_) => self.set_text(&spec.id, name, value)?,
            Kind::Ranks(_, variants) => self.ranks = variant(name, value, variants)?,
            Kind::Button => return Ok(Effect::Forget),
        }
        Ok(Effect::Set)
    }

    fn specs(&self) -> Vec<Spec> {
        let spin = |value: usize, least: i64, most: i64| Kind::Spin { value: value as i64, least, most };
        let hash = self.setup.search.transposition_mb;
        let overhead = self.overhead.as_millis() as usize;
        let mut specs = vec![
            Spec::new(Id::Milliseconds, "", "usemillisec", Kind::Check(self.milliseconds)),
            Spec::new(Id::Hash, "Hash", "hashsize", spin(hash, 0, MAX_TABLE_MB as i64)),
            Spec::new(Id::Threads, "Threads", "", spin(self.setup.threads, 1, MAX_THREADS)),
            Spec::new(Id::Threads, "", "threads", spin(self.setup.threads, 0, MAX_THREADS)),
            Spec::new(Id::Lines, "MultiPV", "", spin(self.lines, 1, MAX_LINES)),
            Spec::new(Id::Ponder, "Ponder", "ponder", Kind::Check(self.ponder)),
            Spec::new(Id::Overhead, "Move Overhead", "moveoverhead", spin(overhead, 0, MAX_OVERHEAD)),
            Spec::new(Id::Evaluator, "EvalFile", "evalapi", Kind::Text(self.evaluator_name.clone())),
            Spec::new(Id::BookUsed, "OwnBook", "usebook", Kind::Check(self.book.used)),
            Spec::new(Id::BookFile, "BookFile", "bookfiles", Kind::Text(self.book.file.clone())),
            Spec::new(Id::BookWeighted, "BookWeighted", "bookweighted", Kind::Check(self.book.weighted)),
            Spec::new(Id::BookSeed, "BookSeed", "bookseed", spin(self.book.seed as usize, 0, MAX_SEED)),
            Spec::new(Id::Log, "GameLog", "gamelog", Kind::Text(self.log.file())),
            Spec::new(Id::Forget, "Clear Hash", "newgame", Kind::Button),
        ];
        if !G::PROTOCOL.variants.is_empty() {
            specs.push(Spec::new(Id::Variant, "UCI_Variant", "", Kind::Ranks(self.ranks, G::PROTOCOL.variants)));
        }
        if G::PROTOCOL.speaks_stones {
            let kind = spin(self.turn_time as usize, 1, MAX_MOVETIME_MS as i64);
            specs.push(Spec::new(Id::TurnTime, "Turn Time", "", kind));
        }
        let mut settings = leaves_of(self.setup.search);
        settings.retain(|leaf| leaf.path != TABLE && SearchSettings::has_effect::<G>(&leaf.path));
        settings.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        specs.extend(settings.into_iter().map(Spec::of_search));
        specs
    }

    fn set_flag(&mut self, id: &Id, on: bool) -> Result<(), Refusal> {
        match id {
            Id::Ponder => self.ponder = on,
            Id::Milliseconds => self.milliseconds = on,
            Id::BookUsed => self.book.used = on,
            Id::BookWeighted => self.book.weighted = on,
            Id::Search(setting) => self.set_search(setting, setting, &on.to_string())?,
            _ => {}
        }
        Ok(())
    }

    /// Sets a number that is within its bounds. UCCI says 0 for "as the engine likes".
    fn set_number(&mut self, dialect: Dialect, (id, name): (&Id, &str), number: i64) -> Result<(), Refusal> {
        let whole = usize::try_from(number).unwrap_or(0);
        match id {
            Id::Hash => {
                let megabytes = if dialect == Dialect::Ucci && whole == 0 { DEFAULT_HASH_MB } else { whole };
                self.set_search(name, TABLE, &megabytes.to_string())?;
            }
            Id::Threads if whole == 0 => {
                let cores = std::thread::available_parallelism().map_or(1, usize::from);
                self.setup.threads = cores.min(MAX_THREADS as usize);
            }
            Id::Threads => self.setup.threads = whole,
            Id::Lines => self.lines = whole,
            Id::BookSeed => self.book.seed = whole as u64,
            Id::TurnTime => self.turn_time = whole as u64,
            Id::Overhead => self.overhead = Duration::from_millis(whole as u64),
            Id::Search(setting) => self.set_search(name, setting, &number.to_string())?,
            _ => {}
        }
        Ok(())
    }

    /// Gives a `setting` of the search, which the client calls `name`, the value that `text` says.
    fn set_search(&mut self, name: &str, setting: &str, text: &str) -> Result<(), Refusal> {
        let mut changed = self.setup.search;
        let outcome = changed.set(setting, text).and_then(|()| changed.check()).and_then(|()| changed.check_for::<G>());
        outcome.map_err(|error| match error {
            SettingError::Value { range, found, .. } => out_of_range(name, range, &found),
            other => other.into(),
        })?;
        self.setup.search = changed;
        Ok(())
    }

    fn set_text(&mut self, id: &Id, name: &str, text: &str) -> Result<(), Refusal> {
        match id {
            Id::Search(setting) => return self.set_search(name, setting, text),
            Id::BookFile => return self.book.read(name, text),
            Id::Log => return check_log(name, text).and_then(|()| self.log.open(text)),
            _ => {}
        }
        let (network, evaluator) = load::<G>(name, text)?;
        self.scale = Scale::of(&*evaluator());
        self.setup.network = network;
        self.setup.evaluator = Arc::new(evaluator);
        text.clone_into(&mut self.evaluator_name);
        Ok(())
    }
}

/// How a setting of the search is announced that has its present value; whole numbers are those of the protocols.
fn kind_of(Leaf { setting, default: value, .. }: &Leaf) -> Kind {
    match setting.kind {
        settings::Kind::Flag => Kind::Check(value == "true"),
        settings::Kind::Whole { .. } => {
            let (least, most) = setting.bounds.whole((0, i32::MAX.into()));
            Kind::Spin { value: value.parse().unwrap_or_default(), least, most }
        }
        _ => Kind::Text(value.clone()),
    }
}

/// An evaluator, and the network that it is if that says which moves are promising.
type Loaded<G> = (Option<Arc<dyn PolicyValue<G>>>, Factory<G>);

/// The `evaluator` of that name, for an option.
fn load<G: Catalogue>(option: &str, evaluator: &str) -> Result<Loaded<G>, Refusal> {
    let found = G::policy(evaluator).and_then(|network| match network {
        Some(network) => Ok((Some(Arc::clone(&network)), values_of(network))),
        None => Ok((None, G::evaluator_factory(evaluator)?)),
    });
    found.map_err(|source| Refusal::Option { name: option.to_owned(), source: Box::new(source) })
}

fn out_of_range(name: &str, range: String, found: &str) -> Refusal {
    Refusal::Value { name: name.to_owned(), range, found: found.to_owned() }
}

/// Refuses a log whose name says that it is anything but plain PGN, to which games can be appended.
fn check_log(name: &str, file: &str) -> Result<(), Refusal> {
    let is_none = file.is_empty() || file == EMPTY;
    let is_plain = Path::new(file).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
    let range = || "a file whose name ends in `.pgn`, as games are appended unpacked, or empty for none".to_owned();
    if is_none || is_plain { Ok(()) } else { Err(out_of_range(name, range(), file)) }
}

fn variant(name: &str, value: &str, variants: &[(&str, Ranks)]) -> Result<Ranks, Refusal> {
    let meant = variants.iter().find(|(variant, _)| value.eq_ignore_ascii_case(variant));
    let names = || variants.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(" or ");
    meant.map(|(_, ranks)| *ranks).ok_or_else(|| out_of_range(name, names(), value))
}

fn flag(name: &str, value: &str) -> Result<bool, Refusal> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => Err(out_of_range(name, "`true` or `false`".into(), value)),
    }
}

fn number(name: &str, value: &str, least: i64, most: i64) -> Result<i64, Refusal> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| out_of_range(name, format!("a whole number in [{least}, {most}]"), value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect6::Connect6;
    use crate::games::xiangqi::Xiangqi;

    #[test]
    fn every_announced_option_takes_its_own_default() {
        for dialect in [Dialect::Uci, Dialect::Ucci] {
            let mut options = Options::<Xiangqi>::new().unwrap();
            let before = options.announcement(dialect);
            for spec in options.specs() {
                let (Some(name), Some(line)) = (spec.name(dialect), spec.line(dialect)) else { continue };
                let default =
                    line.split_once(" default ").and_then(|(_, rest)| rest.split_whitespace().next()).unwrap_or("");
                options.set(dialect, &name.to_uppercase(), default).unwrap();
            }
            assert_eq!(options.announcement(dialect), before);
        }
    }

    settings::settings! {
        #[derive(Debug)]
        struct Sight {
            /// Plies to look ahead.
            depth: u32 = 4, in 1..=64;
            /// Whether it sleeps.
            sleeps: bool = false;
        }
    }

    #[test]
    fn settings_are_announced_as_they_are_declared() {
        let kinds = leaves_of(Sight::default()).iter().map(kind_of).collect::<Vec<_>>();
        assert_eq!(kinds, [Kind::Spin { value: 4, least: 1, most: 64 }, Kind::Check(false)]);
        // All of them have an effect in Connect6.
        let announcement = Options::<Connect6>::new().unwrap().announcement(Dialect::Uci);
        for leaf in leaves_of(SearchSettings::default()).iter().filter(|leaf| leaf.path != TABLE) {
            assert!(announcement.contains(&format!("option name {} type ", leaf.path)), "{}", leaf.path);
        }
        assert!(announcement.contains("option name margins.futility type spin default 15 min 0 max 1000\n"));
    }

    #[test]
    fn values_out_of_range_change_nothing_and_say_why() {
        let mut options = Options::<Xiangqi>::new().unwrap();
        let before = options.announcement(Dialect::Uci);
        for (name, value, message) in [
            ("Hash", "65537", "option `Hash` must be a whole number in [0, 65536], got `65537`"),
            ("threads", "0", "option `Threads` must be a whole number in [1, 256], got `0`"),
            ("MultiPV", "", "option `MultiPV` must be a whole number in [1, 128], got ``"),
            ("Ponder", "maybe", "option `Ponder` must be `true` or `false`, got `maybe`"),
            ("killers", "1", "option `killers` must be `true` or `false`, got `1`"),
            ("UCI_Variant", "chess", "option `UCI_Variant` must be `iccs` or `xiangqi`, got `chess`"),
            (
                "GameLog",
                "x.pgn.gz",
                "option `GameLog` must be a file whose name ends in `.pgn`, as games are appended unpacked, or empty for none, got \
                 `x.pgn.gz`",
            ),
            ("Style", "risky", "unknown option `Style`"),
            ("usemillisec", "true", "unknown option `usemillisec`"),
        ] {
            assert_eq!(options.set(Dialect::Uci, name, value).unwrap_err().to_string(), message);
        }
        let error = options.set(Dialect::Uci, "EvalFile", "no/such/file").unwrap_err();
        assert_eq!(error.to_string(), "option `EvalFile`");
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains("no/such/file"), "{cause}");
        assert_eq!(options.announcement(Dialect::Uci), before);
    }

    #[test]
    fn options_arrive_where_they_are_used() {
        let mut options = Options::<Xiangqi>::new().unwrap();
        for (name, value) in [("hash", "1"), ("Move Overhead", "100"), ("KILLERS", "off"), ("quiescence_plies", "7")] {
            assert_eq!(options.set(Dialect::Uci, name, value).unwrap(), Effect::Set);
        }
        let (search, overhead) = (options.setup.search, options.overhead.as_millis());
        assert_eq!((search.transposition_mb, search.killers, search.quiescence_plies, overhead), (1, false, 7, 100));
        assert_eq!(options.set(Dialect::Uci, "Clear Hash", "").unwrap(), Effect::Forget);
        assert_eq!(options.set(Dialect::Ucci, "newgame", "").unwrap(), Effect::Forget);
        options.set(Dialect::Ucci, "hashsize", "0").unwrap();
        assert_eq!(options.setup.search.transposition_mb, DEFAULT_HASH_MB);
        options.set(Dialect::Uci, "UCI_Variant", "xiangqi").unwrap();
        assert_eq!(options.ranks, Ranks::FromOne);
    }
}
