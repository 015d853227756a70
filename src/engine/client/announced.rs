//! What an engine says of itself when it is greeted.

use super::error::ClientError;
use crate::settings::nearest;

/// The option that chooses among the games of an engine of many.
const VARIANT: &str = "UCI_Variant";

/// Name and options of an engine.
#[derive(Debug, Clone, Default)]
pub(super) struct Announced {
    /// What it calls itself.
    pub name: Option<String>,
    options: Vec<EngineOption>,
}

/// An option as the engine describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EngineOption {
    name: String,
    /// `check`, `spin`, `combo`, `button` or `string`; empty if it does not say.
    kind: String,
    /// The least and the largest number.
    range: [Option<i64>; 2],
    /// What may be chosen.
    choices: Vec<String>,
}

impl Announced {
    /// Takes one line; those that mean nothing are passed over.
    pub fn take(&mut self, line: &str) {
        match line.strip_prefix("id name ") {
            Some(name) => self.name = Some(name.trim().to_owned()),
            None => self.options.extend(EngineOption::read(line)),
        }
    }

    /// The option called `name`; the protocols do not tell capitals from small letters.
    fn option(&self, name: &str) -> Option<&EngineOption> {
        self.options.iter().find(|known| known.name.eq_ignore_ascii_case(name))
    }

    /// Whether it has this option.
    pub fn has(&self, name: &str) -> bool {
        self.option(name).is_some()
    }

    /// Whether it can be told to play `variant`.
    pub fn plays(&self, variant: &str) -> bool {
        self.option(VARIANT).is_some_and(|option| option.choices.iter().any(|known| known == variant))
    }

    /// Refuses an option that the engine does not have, and a value that it says not to take; one that says nothing of its options may
    /// have any.
    pub fn check(&self, name: &str, value: &str, program: &str) -> Result<(), ClientError> {
        let program = program.to_owned();
        match self.option(name) {
            Some(option) => option.refusal(value).map_or(Ok(()), |expected| {
                let (option, found) = (option.name.clone(), value.to_owned());
                Err(ClientError::OptionValue { program, option, expected, found })
            }),
            None if self.options.is_empty() => Ok(()),
            None => {
                let names: Vec<&str> = self.options.iter().map(|option| option.name.as_str()).collect();
                let nearest = nearest(name, names.iter().copied()).map(str::to_owned);
                Err(ClientError::UnknownOption { program, option: name.to_owned(), nearest, known: names.join(", ") })
            }
        }
    }
}

impl EngineOption {
    /// What an `option` line describes, in either protocol's form.
    fn read(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("option ")?.trim_start();
        let rest = rest.strip_prefix("name ").unwrap_or(rest);
        let (name, description) = rest.split_once(" type ").unwrap_or((rest, ""));
        let words: Vec<&str> = description.split_whitespace().collect();
        let number = |name: &str| {
            let at = words.iter().position(|&word| word == name)?;
            words.get(at + 1)?.parse().ok()
        };
        Some(Self {
            name: name.trim().to_owned(),
            kind: words.first().copied().unwrap_or_default().to_owned(),
            range: ["min", "max"].map(number),
            choices: description.split(" var ").skip(1).map(|choice| choice.trim().to_owned()).collect(),
        })
    }

    /// What is expected in place of `value`, if the engine says not to take that.
    fn refusal(&self, value: &str) -> Option<String> {
        let [least, most] = [self.range[0].unwrap_or(i64::MIN), self.range[1].unwrap_or(i64::MAX)];
        let is_choice = || self.choices.iter().any(|choice| choice.eq_ignore_ascii_case(value));
        match self.kind.as_str() {
            "spin" if !value.parse().is_ok_and(|number| (least..=most).contains(&number)) => {
                Some(format!("a whole number in [{least}, {most}]"))
            }
            "check" if !["true", "false"].contains(&value) => Some("true or false".to_owned()),
            "combo" if !self.choices.is_empty() && !is_choice() => Some(self.choices.join(", ")),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_names_are_found_in_both_forms() {
        let name = |line: &str| EngineOption::read(line).map(|option| option.name);
        assert_eq!(name("option name Clear Hash type button").as_deref(), Some("Clear Hash"));
        assert_eq!(name("option usemillisec type check default true").as_deref(), Some("usemillisec"));
        assert_eq!(name("options"), None);
    }

    #[test]
    fn an_engine_is_known_by_what_it_says() {
        let mut announced = Announced::default();
        let lines = [
            "id name Many Games 3",
            "option name UCI_Variant type combo default chess var chess var mini xiangqi var xiangqi",
            "option name Hash type spin default 16 min 1 max 1024",
        ];
        lines.iter().for_each(|line| announced.take(line));
        assert_eq!(announced.name.as_deref(), Some("Many Games 3"));
        assert!(announced.plays("xiangqi") && !announced.plays("shogi"));
        announced.check("hash", "1024", "many").unwrap();
        for wrong in ["0", "1025", "much", ""] {
            let error = announced.check("hash", wrong, "many").unwrap_err().to_string();
            let expected =
                format!("the option `Hash` of the engine `many` takes a whole number in [1, 1024], got `{wrong}`");
            assert_eq!(error, expected);
        }
        let error = announced.check("UCI_Variant", "go", "many").unwrap_err().to_string();
        assert!(error.contains("takes chess, mini xiangqi, xiangqi, got `go`"), "{error}");
        let error = announced.check("Hahs", "1", "many").unwrap_err().to_string();
        assert_eq!(error, "the engine `many` has no option `Hahs` (did you mean `Hash`?); it has UCI_Variant, Hash");
        Announced::default().check("Hahs", "1", "silent").unwrap();
    }
}
