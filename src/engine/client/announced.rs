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
    /// The names of its options.
    options: Vec<String>,
    /// The games that it can be told to play, if there are several.
    variants: Vec<String>,
}

impl Announced {
    /// Takes one line; those that mean nothing are passed over.
    pub fn take(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = Some(name.trim().to_owned());
        } else if let Some(option) = option_name(line) {
            if option == VARIANT {
                self.variants = line.split(" var ").skip(1).map(|variant| variant.trim().to_owned()).collect();
            }
            self.options.push(option.to_owned());
        }
    }

    /// Whether it has this option; the protocols do not tell capitals from small letters.
    pub fn has(&self, option: &str) -> bool {
        self.options.iter().any(|known| known.eq_ignore_ascii_case(option))
    }

    /// Whether it can be told to play `variant`.
    pub fn plays(&self, variant: &str) -> bool {
        self.variants.iter().any(|known| known == variant)
    }

    /// Refuses an option that the engine does not have; one that says nothing of its options may have any.
    pub fn check(&self, option: &str, program: &str) -> Result<(), ClientError> {
        if self.options.is_empty() || self.has(option) {
            return Ok(());
        }
        let nearest = nearest(option, self.options.iter().map(String::as_str)).map(str::to_owned);
        let (program, known) = (program.to_owned(), self.options.join(", "));
        Err(ClientError::UnknownOption { program, option: option.to_owned(), nearest, known })
    }
}

/// The name in an `option` line, in either protocol's form.
fn option_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("option ")?.trim_start();
    let rest = rest.strip_prefix("name ").unwrap_or(rest);
    rest.split(" type ").next().map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_names_are_found_in_both_forms() {
        assert_eq!(option_name("option name Clear Hash type button"), Some("Clear Hash"));
        assert_eq!(option_name("option usemillisec type check default true"), Some("usemillisec"));
        assert_eq!(option_name("options"), None);
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
        announced.check("hash", "many").unwrap();
        let error = announced.check("Hahs", "many").unwrap_err().to_string();
        assert_eq!(error, "the engine `many` has no option `Hahs` (did you mean `Hash`?); it has UCI_Variant, Hash");
        Announced::default().check("Hahs", "silent").unwrap();
    }
}
