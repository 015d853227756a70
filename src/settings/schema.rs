//! What is declared of settings, and all that follows from it.

use std::fmt::Display;
use std::str::FromStr;

use super::bounds::Bounds;
use super::error::{SettingError, assignment};

/// One of the values that have names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The name.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
}

/// One that has no other names.
pub const fn choice(name: &'static str, doc: &'static str) -> Choice {
    Choice { name, doc, aliases: &[] }
}

/// The value of a setting.
pub trait Value {
    /// What values there are.
    fn kind() -> Kind
    where
        Self: Sized;

    /// The value as text; nothing of what has a form of its own.
    fn show(&self) -> String {
        String::new()
    }

    /// Takes the value that a text says; `false` if it says none, and then nothing has changed.
    fn read(&mut self, _text: &str) -> bool {
        false
    }

    /// Whether there is no value.
    fn is_absent(&self) -> bool {
        false
    }

    /// Whether the value is within bounds, which only numbers have.
    fn is_within(&self, bounds: &Bounds) -> bool {
        self.show().parse().map_or(true, |number| bounds.contain(number))
    }

    /// Checks what the value knows of itself.
    ///
    /// # Errors
    /// When it cannot be.
    fn check_itself(&self) -> Result<(), SettingError> {
        Ok(())
    }

    /// The settings that the value consists of, if it does.
    fn group(&mut self) -> Option<&mut dyn Settings> {
        None
    }
}

/// A type whose values have names, as [`choices!`](crate::choices!) declares it.
pub trait Choices: Copy + Default + Display + FromStr<Err = SettingError> + Send + Sync + 'static {
    /// All values, in the order of the declaration.
    const ALL: &'static [Self];

    /// Their names, and what is to be said of them.
    const NAMES: &'static [Choice];

    /// The name.
    fn name(self) -> &'static str;
}

/// The names, as messages say it.
pub fn one_of(choices: &[Choice]) -> String {
    format!("one of {}", choices.iter().map(|choice| choice.name).collect::<Vec<_>>().join(", "))
}

/// What values a setting has.
#[derive(Debug, Clone)]
pub enum Kind {
    /// On or off.
    Flag,
    /// A whole number.
    Whole {
        /// The greatest that the type can hold.
        most: u64,
    },
    /// A number.
    Real,
    /// One of these.
    Choice(&'static [Choice]),
    /// Any text.
    Text,
    /// Several with commas between.
    List(Box<Self>),
    /// Settings of their own.
    Group(fn() -> &'static [Setting]),
    /// Something that has a form of its own in files and is set in no other way.
    Other,
}

/// A setting as it is declared.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The name in files and lists.
    pub name: &'static str,
    /// One line of documentation.
    pub doc: &'static str,
    /// What values it has.
    pub kind: Kind,
    /// What a number may be.
    pub bounds: Bounds,
    option: Option<&'static str>,
    reads: fn(&str) -> bool,
}

impl Setting {
    /// A setting of type `T` without bounds.
    pub fn of<T: Value + Default>(name: &'static str, doc: &'static str) -> Self {
        let reads = |text: &str| T::default().read(text);
        Self { name, doc, kind: T::kind(), bounds: Bounds::default(), option: None, reads }
    }

    /// The same with bounds.
    #[must_use]
    pub fn within(self, bounds: impl Into<Bounds>) -> Self {
        Self { bounds: bounds.into(), ..self }
    }

    /// The same with a spelling of its own on the command line: `{}` stands for that of the group that the setting stands
    /// in, `name=value` for a flag that gives it this value, and `-` for no option.
    #[must_use]
    pub fn spelled(self, option: &'static str) -> Self {
        Self { option: Some(option), ..self }
    }

    /// Whether a text is a value of this setting, in its bounds or not.
    pub fn reads(&self, text: &str) -> bool {
        (self.reads)(text)
    }

    /// Checks that a value of this setting, which is called `name`, is in its bounds.
    fn check(&self, name: &str, value: &dyn Value) -> Result<(), SettingError> {
        let is_within = value.is_within(&self.bounds);
        if is_within { Ok(()) } else { Err(SettingError::value(name, &self.bounds.to_string(), value.show())) }
    }

    /// The values that it may have, as messages say it.
    pub fn expected(&self) -> String {
        let of = |noun: &str| format!("{noun} {}", self.bounds).trim_end().to_owned();
        match &self.kind {
            Kind::Flag => "`true` or `false`".to_owned(),
            Kind::Whole { .. } => of("a whole number"),
            Kind::Real => of("a number"),
            Kind::Choice(choices) => one_of(choices),
            Kind::List(_) => of("values with commas between, or `none`"),
            Kind::Text | Kind::Group(_) | Kind::Other => "set in another way".to_owned(),
        }
    }
}

/// A struct of settings, as [`settings!`](crate::settings!) declares it.
pub trait Settings {
    /// What is declared of each field, in their order.
    fn declared() -> &'static [Setting]
    where
        Self: Sized;

    /// The same, of a value whose type is not known.
    fn schema(&self) -> &'static [Setting];

    /// The fields.
    fn values(&self) -> Vec<&dyn Value>;

    /// The fields.
    fn values_mut(&mut self) -> Vec<&mut dyn Value>;

    /// Checks all settings, and how they go together.
    ///
    /// # Errors
    /// For the first that cannot be.
    fn check(&self) -> Result<(), SettingError>;

    /// Checks each setting by itself.
    ///
    /// # Errors
    /// For the first that cannot be.
    fn check_each(&self) -> Result<(), SettingError> {
        for (setting, value) in self.schema().iter().zip(self.values()) {
            setting.check(setting.name, value)?;
            value.check_itself().map_err(|error| error.within(setting.name))?;
        }
        Ok(())
    }

    /// The value of a setting as text.
    fn get(&self, name: &str) -> Option<String> {
        let at = self.schema().iter().position(|setting| setting.name == name)?;
        Some(self.values()[at].show())
    }

    /// The setting called `name`, and its value; dots stand between the groups that it stands in and its own name.
    ///
    /// # Errors
    /// When there is no such setting.
    fn setting_mut(&mut self, name: &str) -> Result<(&'static Setting, &mut dyn Value), SettingError> {
        let (first, rest) = name.split_once('.').map_or((name, None), |(first, rest)| (first, Some(rest)));
        let schema = self.schema();
        let at = schema.iter().position(|setting| setting.name == first).ok_or_else(|| unknown(first, schema))?;
        let value = self.values_mut().swap_remove(at);
        let Some(rest) = rest else { return Ok((&schema[at], value)) };
        let group = value.group().ok_or_else(|| unknown(name, schema))?;
        group.setting_mut(rest).map_err(|error| error.within(first))
    }

    /// Gives the setting called `name`, as [`Settings::setting_mut`] takes it, the value that `text` says, in its range or not.
    ///
    /// # Errors
    /// When there is no such setting, or `text` is no value of it.
    fn set(&mut self, name: &str, text: &str) -> Result<(), SettingError> {
        let (setting, value) = self.setting_mut(name)?;
        if value.read(text) { Ok(()) } else { Err(SettingError::value(name, &setting.expected(), text)) }
    }

    /// These settings with some changed: `name=value`, separated by commas. An empty text changes nothing.
    ///
    /// # Errors
    /// When a part is not of that form, names no setting or one that an earlier part names, or gives it a value that it cannot
    /// have, and when the settings do not fit together.
    fn with(mut self, list: &str) -> Result<Self, SettingError>
    where
        Self: Sized,
    {
        let mut given: Vec<(&str, &str)> = Vec::new();
        for part in list.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, text) = assignment(part)?;
            // The value that stands first would have no effect.
            if let Some((_, earlier)) = given.iter().find(|(known, _)| *known == name) {
                return Err(SettingError::value(name, "given once", format!("{earlier} and {text}")));
            }
            given.push((name, text));
            self.set(name, text)?;
            let (setting, value) = self.setting_mut(name)?;
            setting.check(name, value)?;
        }
        // Not before: a later part may change what an earlier one does not fit.
        self.check()?;
        Ok(self)
    }
}

fn unknown(name: &str, schema: &[Setting]) -> SettingError {
    SettingError::unknown(name, &schema.iter().map(|setting| setting.name).collect::<Vec<_>>())
}

impl SettingError {
    /// The error that no setting is called `name`, where there are those of these `names`.
    pub fn unknown(name: &str, names: &[&str]) -> Self {
        let nearest = nearest(name, names.iter().copied()).map(str::to_owned);
        Self::Unknown { setting: name.to_owned(), nearest, known: names.join(", ") }
    }

    /// The same error where settings of these `names` can be given, too.
    #[must_use]
    pub fn with_known(self, names: &[&str]) -> Self {
        match self {
            Self::Unknown { setting, known, .. } => {
                Self::unknown(&setting, &names.iter().copied().chain(known.split(", ")).collect::<Vec<_>>())
            }
            other => other,
        }
    }
}

/// The name among `known` that was probably meant by `name`, which is none of them.
pub(crate) fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let name = name.trim().to_lowercase();
    let distance = |known: &str| strsim::damerau_levenshtein(&known.trim().to_lowercase(), &name);
    let nearest = known.into_iter().map(|known| (distance(known), known)).min();
    nearest.filter(|(distance, known)| 3 * distance <= known.len()).map(|(_, known)| known)
}

/// A setting that is no group, with what the groups around it make of it.
#[derive(Debug, Clone)]
pub struct Leaf {
    /// Its name with those of its groups before it, dots between them.
    pub path: String,
    /// How the command line calls it.
    pub option: String,
    /// The value that the option stands for where it takes none.
    pub flag: Option<String>,
    /// What is declared of it.
    pub setting: &'static Setting,
    /// Its usual value.
    pub default: String,
    /// Whether it may be absent, and usually is.
    pub is_optional: bool,
}

impl Leaf {
    /// Whether it is an option of the command line.
    pub fn is_option(&self) -> bool {
        self.option != HIDDEN && !matches!(self.setting.kind, Kind::Other)
    }

    /// Whether its option has a value: flags turn on what is off, or stand for a value.
    pub fn takes_value(&self) -> bool {
        let is_off = matches!(self.setting.kind, Kind::Flag) && self.default != "true";
        self.flag.is_none() && !is_off
    }
}

/// All settings of `T` that are no groups.
pub fn leaves<T: Settings + Default>() -> Vec<Leaf> {
    leaves_of(T::default())
}

/// As [`leaves`], with the values that they have in `settings` in place of the usual ones.
pub fn leaves_of<T: Settings>(mut settings: T) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(&mut settings, &Place::default(), &mut found);
    found
}

/// The spelling of what is no option.
const HIDDEN: &str = "-";

/// Where settings stand.
#[derive(Debug, Clone, Default)]
struct Place {
    /// What comes before their names.
    prefix: String,
    /// How the command line calls their group.
    option: String,
    /// Whether the group may be absent, and usually is.
    is_optional: bool,
}

fn collect(settings: &mut dyn Settings, place: &Place, found: &mut Vec<Leaf>) {
    for (setting, value) in settings.schema().iter().zip(settings.values_mut()) {
        let path = format!("{}{}", place.prefix, setting.name);
        let kebab = setting.name.replace('_', "-");
        let spelled = if place.option == HIDDEN { HIDDEN } else { setting.option.unwrap_or(&kebab) };
        let spelled = spelled.replace("{}", &place.option);
        let (default, is_optional) = (value.show(), place.is_optional || value.is_absent());
        if let (Kind::Group(_), Some(group)) = (&setting.kind, value.group()) {
            collect(group, &Place { prefix: format!("{path}."), option: spelled, is_optional }, found);
            continue;
        }
        let (option, flag) = match spelled.split_once('=') {
            Some((option, value)) => (option.to_owned(), Some(value.to_owned())),
            None => (spelled, None),
        };
        found.push(Leaf { path, option, flag, setting, default, is_optional });
    }
}
