//! Numbers on the command line: shares as fractions, and what is said of values that are none.

use std::error::Error;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use clap::error::{ContextKind, ContextValue};
use roughboard::rough::Fraction;

/// The largest numbers of types, which are no bounds that a reader has to know.
const LARGEST: [u64; 5] = [u8::MAX as u64, u16::MAX as u64, u32::MAX as u64, i64::MAX as u64, u64::MAX];

/// Reads a number: as a decimal, or as a fraction such as 2/3.
pub fn real(text: &str) -> Result<f64, String> {
    if text.contains('/') {
        text.parse().map(Fraction::value).map_err(|error| error.to_string())
    } else {
        text.parse().map_err(|_| "expected a number such as 0.8 or a fraction such as 4/5".to_owned())
    }
}

/// Ends the program with what the parser has to say.
pub fn exit(error: clap::Error) -> ! {
    let Some(text) = plain(&error) else { error.exit() };
    eprintln!("{}", text.trim_end());
    std::process::exit(error.exit_code())
}

/// The message of the parser, with what the standard library and the parser say of numbers in plain words; none of other errors.
fn plain(error: &clap::Error) -> Option<String> {
    let source = error.source()?;
    let value = match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(value)) => value,
        _ => return None,
    };
    let said = source.to_string();
    let expected = match (source.downcast_ref::<ParseIntError>(), source.downcast_ref::<ParseFloatError>()) {
        (Some(error), _) => whole_number(error, value).to_owned(),
        (_, Some(_)) => "expected a number".to_owned(),
        _ => range(&said)?,
    };
    Some(error.to_string().replacen(&format!(": {said}"), &format!(": {expected}"), 1))
}

fn whole_number(error: &ParseIntError, value: &str) -> &'static str {
    match error.kind() {
        IntErrorKind::Zero => "expected a whole number from 1 on",
        IntErrorKind::PosOverflow => "expected a smaller whole number",
        _ if value.starts_with('-') => "expected a whole number from 0 on",
        _ => "expected a whole number",
    }
}

/// The bounds in `1 is not in 2..=65535`.
fn range(said: &str) -> Option<String> {
    let (_, bounds) = said.split_once(" is not in ")?;
    let (least, most) = bounds.split_once("..")?;
    least.parse::<i64>().ok()?;
    let most = most.trim_start_matches('=');
    let is_open = most.parse().is_ok_and(|most| LARGEST.contains(&most));
    Some(if is_open {
        format!("expected a whole number from {least} on")
    } else {
        format!("expected a whole number from {least} to {most}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn shares_are_decimals_or_fractions() {
        assert_eq!((real("2/4"), real(".75"), real("-1"), real("1e-3")), (Ok(0.5), Ok(0.75), Ok(-1.0), Ok(0.001)));
        for wrong in ["x", "1/0", "1/2/3", "-1/2", ""] {
            assert!(real(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_no_number_is_told_in_plain_words() {
        let told = |line: &str| {
            let error = crate::cli::Cli::command().try_get_matches_from(line.split(' ')).unwrap_err();
            plain(&error).unwrap_or_else(|| panic!("{error}"))
        };
        let discretize = "roughboard rough discretize t.csv --decision d --method width";
        let bins = |value: &str| told(&format!("{discretize} --bins {value}"));
        assert!(bins("2.5").starts_with("error: invalid value '2.5' for '--bins <K>': expected a whole number\n"));
        assert!(bins("1").contains(": expected a whole number from 2 on\n"));
        let reducts = "roughboard rough reducts t.csv --limit";
        assert!(told(&format!("{reducts} 0")).contains(": expected a whole number from 1 on\n"));
        assert!(told(&format!("{reducts} 1{}", "0".repeat(20))).contains(": expected a smaller whole number\n"));
        assert!(told("roughboard match a b --sprt 0 x").contains(": expected a number\n"));
        let level = told("roughboard games convert a.pgn --out b.pgn.zst --level 40");
        assert!(level.contains(": expected a whole number from 0 to 22\n"), "{level}");
    }
}
