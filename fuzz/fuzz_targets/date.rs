//! Dates in free text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use roughboard::record::Date;

fuzz_target!(|text: &str| {
    if let Some(date) = Date::parse(text) {
        assert_eq!(Date::parse(&date.to_string()), Some(date), "{text}");
    }
});
