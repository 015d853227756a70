//! Entrants of a match: what a user writes for each of them.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use roughboard::arena::{AlphaBetaPlayer, Player, RandomPlayer, TimeControl};
use roughboard::eval::{Catalogue, PolicyValue, UniformPolicy};
use roughboard::experiment::config::line_of;
use roughboard::game::BoardGame;
use roughboard::search::mcts::MctsSettings;
use roughboard::search::mcts::single::SearcherSettings;
use roughboard::search::{Limits, MAX_DEPTH, SearchSettings};
use roughboard::settings::{Kind, Setting, SettingError, Settings, Value, assignment};
use serde::Deserialize;

use crate::cli::doctor::found_on_path;
use crate::cli::evaluators;
use crate::cli::games::generate::engine::{EngineSettings, Protocol};
use crate::cli::players::{ENGINE, TreeLimits, switches};

/// How entrants are written.
const ENTRANTS: &str = "Entrants: an evaluator; a network made by `roughboard train zero`, which plays by Monte Carlo tree search; `random`, \
    which makes every legal move with the same chance; or \
    `engine:COMMAND`, a program that speaks UCI, UCCI or the protocol of contests in Connect6. `@KEY=VALUE,KEY=VALUE…` behind one of them says how it differs from the others: \
    name; of an evaluator depth, nodes, movetime (ms), hash (MiB) and switches of the search; of a tree search simulations, movetime (ms), temperature, \
    trees (side by side, on threads), batch (positions evaluated at once) \
    and its settings such as c_puct and selection (puct, gumbel): `simulations` makes a tree search of any evaluator, with equal priors; \
    of an engine depth, nodes, movetime (ms), \
    protocol (auto, uci, uci-from-one, ucci, connect6), patience and longest_move (seconds) and option.NAME, as in `traditional@depth=5,null_move=false`, \
    `runs/zero@simulations=800` and `engine:pikafish@nodes=10000,option.Threads=1`.";

/// How those who play are named.
pub fn help() -> String {
    format!("{ENTRANTS}\n\n{}", evaluators())
}

/// The evaluator or the network that an entrant is; none of an engine or a random mover.
pub fn evaluator_of(text: &str) -> Option<&str> {
    let name = split(text).map_or(text, |(name, _)| name);
    Some(name).filter(|name| !name.starts_with(ENGINE) && *name != RandomPlayer::NAME)
}

/// What an option of an engine begins with.
const OPTION: &str = "option.";

/// The name of an entrant, and the settings behind it; of an option whose name has blanks, a shell may have left the beginning.
fn split(text: &str) -> Option<(&str, &str)> {
    text.rsplit_once('@').filter(|(_, settings)| settings.contains('=') || settings.starts_with(OPTION))
}

/// The name of an entrant with settings behind it, as [`split`] takes them apart.
fn written(name: &str, settings: impl Iterator<Item = String>) -> String {
    let settings: Vec<String> = settings.collect();
    if settings.is_empty() { name.to_owned() } else { format!("{name}@{}", settings.join(",")) }
}

/// Options of an engine by their names.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(transparent)]
struct Options(BTreeMap<String, String>);

impl Value for Options {
    fn kind() -> Kind {
        Kind::Other
    }

    fn is_absent(&self) -> bool {
        self.0.is_empty()
    }
}

roughboard::settings! {
    /// One entrant.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct EntrantSettings {
        /// An evaluator, `random`, or `engine:COMMAND`.
        player: String = String::new();
        /// What it is called.
        name: Option<String> = None;
        /// Plies that a search looks ahead.
        depth: Option<u32> = None;
        /// The most positions of a search.
        nodes: Option<u64> = None;
        /// The transposition table of a search, in MiB.
        hash: Option<usize> = None;
        /// Settings of the search, as for `--search`.
        search: String = String::new();
        /// Time for a move, in milliseconds.
        movetime: Option<u64> = None;
        /// Simulations of a tree search.
        simulations: Option<u32> = None;
        /// Temperature of a tree search.
        temperature: Option<f64> = None;
        /// How many trees of a tree search stand side by side.
        trees: Option<u32> = None;
        /// Positions that a tree search has evaluated at once.
        batch: Option<u32> = None;
        /// The protocol of an engine.
        protocol: Option<Protocol> = None;
        /// Seconds that an engine may take to answer.
        patience: Option<f64> = None;
        /// Seconds that a move of an engine may take.
        longest_move: Option<f64> = None;
        /// Options of an engine.
        options: Options = Options::default();
    }
}

/// A file of entrants.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entrants {
    entrant: Vec<EntrantSettings>,
}

/// The depth of a search that nothing else limits.
const DEFAULT_DEPTH: u32 = 3;

/// What entrants have in common that say nothing else of themselves.
#[derive(Default)]
pub struct Defaults {
    /// Plies that searches look ahead.
    pub depth: Option<u32>,
    /// Positions of a search.
    pub nodes: Option<u64>,
    /// Time for a move, in milliseconds.
    pub movetime: Option<u64>,
    /// Simulations of a tree search.
    pub simulations: Option<u32>,
    /// Of evaluators.
    pub search: SearchSettings,
    /// What was said of it, as `--search` has it.
    pub switches: String,
    /// The clocks of the games, if they have any.
    pub clock: Option<TimeControl>,
    /// The kinds of players that take their limits and their search from here.
    pub used: Cell<Used>,
}

/// Which kinds of players take something from [`Defaults`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Used {
    /// The limits of evaluators and engines.
    limits: bool,
    /// The limits of tree searches.
    tree_limits: bool,
    /// The search of evaluators.
    search: bool,
}

/// How far a search may go; what is given first is reached first.
#[derive(Debug, Clone, Copy)]
struct Reach {
    depth: Option<u32>,
    nodes: Option<u64>,
    movetime: Option<u64>,
}

impl Reach {
    const fn is_limited(self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some()
    }
}

impl Defaults {
    /// The limits of a player with limits of its `own`, which take the place of all common ones. A search that nothing limits, not even
    /// a clock, has a depth.
    fn reach(&self, own: Reach) -> Reach {
        if own.is_limited() {
            return own;
        }
        self.uses(|used| used.limits = true);
        let common = Reach { depth: self.depth, nodes: self.nodes, movetime: self.movetime };
        let usual = (!common.is_limited() && self.clock.is_none()).then_some(DEFAULT_DEPTH);
        Reach { depth: common.depth.or(usual), ..common }
    }

    /// The limits of an engine whose protocol knows none but a depth, and that has a usual one of its own.
    fn reach_of_turns(&self, own: Reach) -> Reach {
        if self.depth.is_none() || own.depth.is_some() {
            return own;
        }
        self.uses(|used| used.limits = true);
        Reach { depth: self.depth, ..own }
    }

    fn uses(&self, note: impl FnOnce(&mut Used)) {
        let mut used = self.used.get();
        note(&mut used);
        self.used.set(used);
    }

    /// Refuses what was asked for and no player goes by; `searches` are the options about the search of evaluators that were given.
    pub fn refuse_idle(&self, searches: &[&str]) -> anyhow::Result<()> {
        let Used { limits, tree_limits, search } = self.used.get();
        let given = [
            (self.depth.is_some() && !limits, "--depth"),
            (self.nodes.is_some() && !limits, "--nodes"),
            (self.movetime.is_some() && !limits && !tree_limits, "--movetime"),
            (self.simulations.is_some() && !tree_limits, "--simulations"),
        ];
        let idle = given.into_iter().filter(|(is_idle, _)| *is_idle).map(|(_, option)| option);
        match idle.chain(searches.iter().copied().filter(|_| !search)).next() {
            Some(option) => anyhow::bail!("`{option}` has no effect: no entrant goes by it; leave it out"),
            None => Ok(()),
        }
    }
}

/// Those who take part in a match.
pub struct Field<G: BoardGame> {
    /// The players, all under different names.
    pub players: Vec<Box<dyn Player<G>>>,
    /// As what each was entered, where its name does not say so.
    pub entered_as: Vec<Option<String>>,
}

impl<G: Catalogue> Field<G> {
    fn seat(&mut self, entrant: &EntrantSettings, defaults: &Defaults) -> anyhow::Result<()> {
        let (player, text) = entrant.seated(defaults, &self.players)?;
        self.players.push(player);
        self.entered_as.push(text);
        Ok(())
    }
}

/// The players that `texts` and the file describe, in this order.
pub fn players<G: Catalogue>(
    texts: &[String],
    file: Option<&PathBuf>,
    defaults: &Defaults,
) -> anyhow::Result<Field<G>> {
    let named = texts.iter().map(|text| EntrantSettings::parse(text)).collect::<anyhow::Result<Vec<_>>>()?;
    let listed = file.map(|path| read(path)).transpose()?.unwrap_or_default();
    let mut field = Field { players: Vec::new(), entered_as: Vec::new() };
    for entrant in &named {
        field.seat(entrant, defaults)?;
    }
    let Some(path) = file else { return Ok(field) };
    for (at, entrant) in listed.iter().enumerate() {
        let place = || format!("`{}`, entrant {}", path.display(), at + 1);
        field.seat(entrant, defaults).with_context(place)?;
    }
    let n = field.players.len();
    anyhow::ensure!(n >= 2, "`{}`: expected two entrants, here and on the command line, found {n}", path.display());
    Ok(field)
}

/// Whether the file may be run as a program; only Unix says so.
fn is_executable(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        path.extension().is_some_and(|ending| ending == "exe")
    }
}

/// `plain`, or with a number behind it where one of `others` has that name already.
fn distinct<G: Catalogue>(plain: &str, others: &[Box<dyn Player<G>>]) -> String {
    let is_taken = |name: &str| others.iter().any(|other| other.name() == name);
    let numbered = (2..).map(|number| format!("{plain} ({number})"));
    std::iter::once(plain.to_owned()).chain(numbered).find(|name| !is_taken(name)).unwrap_or_default()
}

/// A player, and as what it was entered if its name does not say so.
type Seated<G> = (Box<dyn Player<G>>, Option<String>);

/// What an entrant is called whose plain name is given.
type Naming<'a> = &'a dyn Fn(&str) -> String;

fn read(path: &Path) -> anyhow::Result<Vec<EntrantSettings>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let invalid = |error: toml::de::Error| {
        let place = line_of(&text, &error).map(|line| format!(", line {line}")).unwrap_or_default();
        anyhow!("`{}`{place}: {}", path.display(), error.message())
    };
    let entrants: Entrants = toml::from_str(&text).map_err(invalid)?;
    let nameless = entrants.entrant.iter().position(|entrant| entrant.player.is_empty());
    if let Some(at) = nameless {
        anyhow::bail!("`{}`: entrant {}: `player` must say who plays", path.display(), at + 1);
    }
    Ok(entrants.entrant)
}

impl EntrantSettings {
    /// The player beside `others`, whose name differs from theirs if none is given.
    fn seated<G: Catalogue>(&self, defaults: &Defaults, others: &[Box<dyn Player<G>>]) -> anyhow::Result<Seated<G>> {
        let name = |plain: &str| self.name.clone().unwrap_or_else(|| distinct(plain, others));
        self.player(defaults, &name).map_err(|error| self.or_engine(error))
    }

    /// `PLAYER` or `PLAYER@KEY=VALUE,…`.
    fn parse(text: &str) -> anyhow::Result<Self> {
        let Some((player, settings)) = split(text) else {
            return Ok(Self { player: text.to_owned(), ..Self::default() });
        };
        let mut entrant = Self { player: player.to_owned(), ..Self::default() };
        let mut given: Vec<&str> = Vec::new();
        for setting in settings.split(',') {
            let wrong = || {
                format!(
                    "entrant `{text}`: expected KEY=VALUE after `@`, found `{setting}`; put an entrant with blanks in quotation marks"
                )
            };
            let (key, value) = assignment(setting).ok().with_context(wrong)?;
            anyhow::ensure!(!given.contains(&key), "entrant `{text}`: expected `{key}` once, found it twice");
            given.push(key);
            entrant.say(key, value).with_context(|| format!("entrant `{text}`"))?;
        }
        if entrant.name.is_none() && !player.starts_with(ENGINE) {
            entrant.name = Some(text.to_owned());
        }
        Ok(entrant)
    }

    /// What is no setting of an entrant is one of its search.
    fn say(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        let is_own = |setting: &Setting| setting.name == key && !["player", "search"].contains(&key);
        if let Some(option) = key.strip_prefix(OPTION) {
            self.options.0.insert(option.to_owned(), value.to_owned());
        } else if Self::declared().iter().any(is_own) {
            self.set(key, value)?;
        } else {
            let separator = if self.search.is_empty() { "" } else { "," };
            self.search += &format!("{separator}{key}={value}");
        }
        Ok(())
    }

    fn player<G: Catalogue>(&self, defaults: &Defaults, name: Naming<'_>) -> anyhow::Result<Seated<G>> {
        let is_nameless = self.name.as_deref().is_some_and(|name| name.trim().is_empty());
        anyhow::ensure!(!is_nameless, "entrant `{}`: `name` must not be empty", self.player);
        // A name stands in lines of text, in tags of records and in rows of tables.
        let is_broken = self.name.as_deref().is_some_and(|name| name.contains(char::is_control));
        anyhow::ensure!(!is_broken, "entrant `{}`: `name` must be one line without control characters", self.player);
        match (self.player.strip_prefix(ENGINE), self.player.as_str()) {
            (Some(command), _) => self.engine(command, defaults, name),
            (None, RandomPlayer::NAME) => {
                let plain = Self { player: self.player.clone(), ..Self::default() };
                anyhow::ensure!(*self == plain, "entrant `{}` has no settings: it does not search", self.player);
                Ok((Box::new(RandomPlayer), None))
            }
            (None, evaluator) => match G::policy(evaluator)? {
                Some(network) => self.tree(network, defaults, name),
                None if self.simulations.is_some() => {
                    self.tree(Arc::new(UniformPolicy::new(G::evaluator_factory(evaluator)?)), defaults, name)
                }
                None => self.evaluator(defaults, name),
            },
        }
    }

    /// The error, with a word on how engines are written if the player is a program and no network.
    fn or_engine(&self, error: anyhow::Error) -> anyhow::Error {
        let name = &self.player;
        let is_program =
            if name.contains('/') { is_executable(Path::new(name)) } else { found_on_path(name).is_some() };
        if is_program { anyhow!("{error:#}; if it is an engine, write {ENGINE}{name}") } else { error }
    }

    /// A tree search by `network`.
    fn tree<G: Catalogue>(
        &self,
        network: Arc<dyn PolicyValue<G>>,
        defaults: &Defaults,
        name: Naming<'_>,
    ) -> anyhow::Result<Seated<G>> {
        let known = ["movetime", "simulations", "trees", "batch", "temperature", "search"];
        self.require_only(&known, "a tree search takes only simulations, movetime and its own settings")?;
        let is_limited = self.simulations.is_some() || self.movetime.is_some();
        let (simulations, movetime) = if is_limited {
            (self.simulations, self.movetime)
        } else {
            defaults.uses(|used| used.tree_limits = true);
            (defaults.simulations, defaults.movetime)
        };
        let limits = TreeLimits { simulations, movetime, has_clock: defaults.clock.is_some() };
        let mcts = self.searching(MctsSettings::default(), &known)?;
        let usual = SearcherSettings { mcts, ..SearcherSettings::default() };
        let search = SearcherSettings {
            trees: self.trees.unwrap_or(usual.trees),
            batch: self.batch.unwrap_or(usual.batch),
            temperature: self.temperature.unwrap_or(usual.temperature),
            ..usual
        };
        let place = || format!("entrant `{}`", self.player);
        let mut player = limits.player(&self.player, network, search).with_context(place)?;
        player.name = name(&player.name);
        Ok(self.entered(player, ""))
    }

    /// Refuses settings beside the name and those that are `known` to players of this kind.
    fn require_only(&self, known: &[&str], problem: &str) -> anyhow::Result<()> {
        let is_known = |setting: &Setting| ["player", "name"].contains(&setting.name) || known.contains(&setting.name);
        let mut said = Self::declared().iter().zip(self.values());
        let is_fine = said.all(|(setting, value)| value.is_absent() || is_known(setting));
        anyhow::ensure!(is_fine, "entrant `{}`: {problem}", self.player);
        Ok(())
    }

    /// `settings` with what is said of the search. A name that is none of theirs may be meant for one of those `beside` them.
    fn searching<S: Settings>(&self, settings: S, beside: &[&str]) -> anyhow::Result<S> {
        let beside: Vec<&str> =
            iter::once("name").chain(beside.iter().copied().filter(|&one| one != "search")).collect();
        let settings = settings.with(&switches(self.hash, &self.search)).map_err(|error| error.with_known(&beside));
        settings.with_context(|| format!("entrant `{}`", self.player))
    }

    /// The limits that it has of its own.
    fn reach(&self) -> Reach {
        Reach { depth: self.depth, nodes: self.nodes, movetime: self.movetime }
    }

    fn evaluator<G: Catalogue>(&self, defaults: &Defaults, name: Naming<'_>) -> anyhow::Result<Seated<G>> {
        let evaluator = &self.player;
        let own: &[&str] = &["depth", "nodes", "movetime", "hash", "search"];
        let of_trees: &[&str] = &["simulations", "trees", "batch", "temperature"];
        let are_for_engines = "protocol, patience, longest_move and options are for engines";
        let known = [own, of_trees].concat();
        self.require_only(&known, are_for_engines)?;
        let are_for_trees = "trees, batch and temperature are for tree searches: add simulations=N";
        self.require_only(own, are_for_trees)?;
        defaults.uses(|used| used.search = true);
        let search = self.searching(defaults.search, &known)?;
        search
            .check_for::<G>()
            .and_then(|()| search.check_given(&self.search))
            .with_context(|| format!("entrant `{evaluator}`"))?;
        let Reach { depth, nodes, movetime } = defaults.reach(self.reach());
        let limits = Limits::to_depth_or_nodes(depth.unwrap_or(MAX_DEPTH), nodes);
        let limits = limits.and_then(|limits| movetime.map_or(Ok(limits), |time| limits.and_movetime(time)));
        let is_own = self.reach().is_limited();
        let limits = if is_own { limits.with_context(|| format!("entrant `{evaluator}`"))? } else { limits? };
        let mut player = AlphaBetaPlayer::named(evaluator, search, limits)?;
        player.name = name(&player.name);
        Ok(self.entered(player, &defaults.switches))
    }

    fn engine<G: Catalogue>(&self, command: &str, defaults: &Defaults, name: Naming<'_>) -> anyhow::Result<Seated<G>> {
        let known = ["depth", "nodes", "movetime", "protocol", "patience", "longest_move", "options"];
        self.refuse_unknown(&known)?;
        let problem = "hash, simulations and settings of a search are for evaluators and networks; an engine is set by option.NAME";
        self.require_only(&known, problem)?;
        let usual = EngineSettings::default();
        let Reach { depth, nodes, movetime } = match self.protocol {
            Some(Protocol::Connect6) => defaults.reach_of_turns(self.reach()),
            _ => defaults.reach(self.reach()),
        };
        let settings = EngineSettings {
            protocol: self.protocol.unwrap_or_default(),
            depth,
            nodes,
            movetime,
            patience: self.patience.unwrap_or(usual.patience),
            longest_move: self.longest_move.unwrap_or(usual.longest_move),
        };
        let options = self.options.0.clone().into_iter().collect();
        let mut engine = settings.player::<G>(command, options, defaults.clock)?;
        engine.name = name(&self.told_apart(&engine.name));
        Ok(self.entered(engine, ""))
    }

    /// The player, with a word on what it is where its name does not say so, as one that is given does not, and that of an evaluator
    /// does not tell what is said of the `common` search.
    fn entered<G: BoardGame>(&self, player: impl Player<G> + 'static, common: &str) -> Seated<G> {
        let says_all = match player.name().strip_prefix(&self.player) {
            Some(rest) => (rest.is_empty() || rest.starts_with('@')) && common.is_empty(),
            // An engine has a name of its own, which tells it apart.
            None => self.player.starts_with(ENGINE) && self.name.is_none(),
        };
        let text = (!says_all).then(|| self.text(common));
        (Box::new(player), text)
    }

    /// What was said of the player, as it is written on the command line, without its name; of the search also what is `common`.
    fn text(&self, common: &str) -> String {
        let is_plain = |setting: &Setting| !["player", "name", "search", "options"].contains(&setting.name);
        let said = Self::declared().iter().zip(self.values());
        let plain = said.filter(|(setting, value)| is_plain(setting) && !value.is_absent());
        let plain = plain.map(|(setting, value)| format!("{}={}", setting.name, value.show()));
        let searches = [common, &self.search].into_iter().filter(|text| !text.is_empty()).map(str::to_owned);
        let options = self.options.0.iter().map(|(name, value)| format!("{OPTION}{name}={value}"));
        written(&self.player, plain.chain(searches).chain(options))
    }

    /// The name that an engine gives itself, with what decides here how well it plays: a program may enter more than once.
    fn told_apart(&self, plain: &str) -> String {
        let limits = self.reach();
        let limit = |name: &str, value: Option<u64>| value.map(|value| format!("{name}={value}"));
        let limits = [
            limit("depth", limits.depth.map(u64::from)),
            limit("nodes", limits.nodes),
            limit("movetime", limits.movetime),
        ];
        let options = self.options.0.iter().map(|(name, value)| format!("{name}={value}"));
        written(plain, limits.into_iter().flatten().chain(options))
    }

    /// Refuses a setting that no kind of player has, where those in `known` can be given.
    fn refuse_unknown(&self, known: &[&str]) -> anyhow::Result<()> {
        let searches = || SearchSettings::declared().iter().chain(MctsSettings::declared());
        let is_of_search = |name: &str| searches().any(|setting| name.split('.').next() == Some(setting.name));
        let mut names = self.search.split(',').filter_map(|setting| assignment(setting).ok()).map(|(name, _)| name);
        let Some(unknown) = names.find(|name| !is_of_search(name)) else { return Ok(()) };
        let written = known.iter().map(|&name| if name == "options" { "option.NAME" } else { name });
        let known: Vec<&str> = iter::once("name").chain(written).collect();
        let error = SettingError::unknown(unknown, &known);
        Err(error).with_context(|| format!("entrant `{}`", self.player))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stand_behind_the_last_at_sign() {
        let plain = |player: &str| EntrantSettings { player: player.to_owned(), ..EntrantSettings::default() };
        assert_eq!(EntrantSettings::parse("runs/me@home").unwrap(), plain("runs/me@home"));
        let deep = EntrantSettings::parse("traditional@depth=5,null_move=false,driver=mtdf-zero").unwrap();
        assert_eq!((deep.depth, deep.search.as_str()), (Some(5), "null_move=false,driver=mtdf-zero"));
        assert_eq!(deep.name.unwrap(), "traditional@depth=5,null_move=false,driver=mtdf-zero");
        let engine = EntrantSettings::parse("engine:a@b/c d@nodes=7,name=X,option.Hash=16").unwrap();
        assert_eq!((engine.player.as_str(), engine.name.as_deref()), ("engine:a@b/c d", Some("X")));
        assert_eq!(engine.options.0, BTreeMap::from([("Hash".to_owned(), "16".to_owned())]));
        for wrong in ["a@depth=x", "a@depth=1,nodes", "a@=,b", "engine:a@option.Skill"] {
            assert!(EntrantSettings::parse(wrong).is_err(), "{wrong}");
        }
    }
}
