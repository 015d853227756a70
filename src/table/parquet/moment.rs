//! Dates and times as values: texts of ISO 8601, whose order is that of time from the year 0 to 9999, or numbers.

use parquet::basic::TimeUnit;

use crate::table::Value;
use crate::table::reading::Wanted;

const NANOSECONDS_OF_SECOND: i128 = 1_000_000_000;
const SECONDS_OF_DAY: i128 = 86_400;
const NANOSECONDS_OF_DAY: i128 = SECONDS_OF_DAY * NANOSECONDS_OF_SECOND;
/// The first day of 1970, counted from 4713 BC.
const JULIAN_DAY_OF_1970: i128 = 2_440_588;

/// What times are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Of durations only.
    Second,
    Milli,
    Micro,
    Nano,
}

impl Unit {
    /// The unit in words.
    pub const fn described(self) -> &'static str {
        match self {
            Self::Second => "seconds",
            Self::Milli => "milliseconds",
            Self::Micro => "microseconds",
            Self::Nano => "nanoseconds",
        }
    }

    pub const fn of(unit: &TimeUnit) -> Self {
        match unit {
            TimeUnit::MILLIS => Self::Milli,
            TimeUnit::MICROS => Self::Micro,
            TimeUnit::NANOS => Self::Nano,
        }
    }

    /// The nanoseconds of so many units.
    pub const fn nanoseconds(self, number: i64) -> i128 {
        let of_unit = match self {
            Self::Second => 1_000_000_000,
            Self::Milli => 1_000_000,
            Self::Micro => 1_000,
            Self::Nano => 1,
        };
        number as i128 * of_unit
    }
}

/// Nanoseconds since the beginning of 1970, from a day counted from 4713 BC and the nanoseconds of that day.
pub const fn of_julian_day(day: i32, nanoseconds: u64) -> i128 {
    (day as i128 - JULIAN_DAY_OF_1970) * NANOSECONDS_OF_DAY + nanoseconds as i128
}

/// The day so many days after the first of 1970: `2024-02-29`.
pub fn date(days: i64) -> String {
    // Years begin with March here, so that the day that is put in is their last; 400 of them are an era.
    let days = i128::from(days) + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * era + year_of_era + i128::from(month <= 2);
    match year {
        0..=9999 => format!("{year:04}-{month:02}-{day:02}"),
        _ => format!("{year:+05}-{month:02}-{day:02}"),
    }
}

/// The time of the day so many nanoseconds after midnight: `23:59:01.5`, or its seconds.
pub fn time(nanoseconds: i128, wanted: Wanted) -> Value {
    if wanted == Wanted::Number { seconds(nanoseconds) } else { Value::Text(clock(nanoseconds)) }
}

/// The moment so many nanoseconds after the beginning of 1970: `2024-02-29T23:59:01.5`, or the seconds since then.
pub fn timestamp(nanoseconds: i128, wanted: Wanted) -> Value {
    if wanted == Wanted::Number {
        return seconds(nanoseconds);
    }
    let (days, rest) = (nanoseconds.div_euclid(NANOSECONDS_OF_DAY), nanoseconds.rem_euclid(NANOSECONDS_OF_DAY));
    Value::Text(format!("{}T{}", date(days as i64), clock(rest)))
}

/// So many nanoseconds as seconds.
pub fn seconds(nanoseconds: i128) -> Value {
    Value::Real(nanoseconds as f64 / NANOSECONDS_OF_SECOND as f64)
}

fn clock(nanoseconds: i128) -> String {
    let (seconds, fraction) =
        (nanoseconds.div_euclid(NANOSECONDS_OF_SECOND), nanoseconds.rem_euclid(NANOSECONDS_OF_SECOND));
    let whole = format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    // The shorter of two texts that begin alike is the smaller, as it is the earlier time.
    if fraction == 0 { whole } else { format!("{whole}.{}", format!("{fraction:09}").trim_end_matches('0')) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let days = [0, -1, 59, 11_016, 11_017, 19_782, 19_783, -719_528, -719_529, 2_932_896, 2_932_897];
        let dates = [
            "1970-01-01",
            "1969-12-31",
            "1970-03-01",
            "2000-02-29",
            "2000-03-01",
            "2024-02-29",
            "2024-03-01",
            "0000-01-01",
            "-0001-12-31",
            "9999-12-31",
            "+10000-01-01",
        ];
        assert_eq!(days.map(date), dates);
    }

    #[test]
    fn times_are_texts_in_their_order_or_seconds() {
        let text = |millis: i64| timestamp(Unit::Milli.nanoseconds(millis), Wanted::Any);
        let moments = [-1, 0, 1, 500, 1_000, 86_400_000].map(text);
        assert!(moments.is_sorted());
        assert_eq!(moments[0], Value::text("1969-12-31T23:59:59.999"));
        assert_eq!(moments[5], Value::text("1970-01-02T00:00:00"));
        assert_eq!(timestamp(Unit::Micro.nanoseconds(1_500_000), Wanted::Number), Value::Real(1.5));
        assert_eq!(time(Unit::Nano.nanoseconds(3_600_000_000_001), Wanted::Any), Value::text("01:00:00.000000001"));
        assert_eq!(timestamp(of_julian_day(2_440_589, 0), Wanted::Any), moments[5]);
    }
}
