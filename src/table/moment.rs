//! Dates and times as values: texts of ISO 8601, whose order is that of time from the year 0 to 9999, or numbers.

use super::reading::Wanted;
use super::value::Value;

const NANOSECONDS_OF_SECOND: i128 = 1_000_000_000;
const SECONDS_OF_DAY: i128 = 86_400;
const NANOSECONDS_OF_DAY: i128 = SECONDS_OF_DAY * NANOSECONDS_OF_SECOND;
const MILLISECONDS_OF_DAY: i64 = 86_400_000;
/// The first day of 1970, counted from 4713 BC.
#[cfg(feature = "parquet")]
const JULIAN_DAY_OF_1970: i128 = 2_440_588;

/// What times are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    /// Seconds.
    Second,
    /// Thousandths of a second.
    Milli,
    /// Millionths of a second.
    Micro,
    /// Thousand millionths of a second.
    Nano,
}

impl TimeUnit {
    /// The unit in words.
    #[cfg(feature = "parquet")]
    pub(super) const fn described(self) -> &'static str {
        match self {
            Self::Second => "seconds",
            Self::Milli => "milliseconds",
            Self::Micro => "microseconds",
            Self::Nano => "nanoseconds",
        }
    }

    /// The nanoseconds of so many units.
    pub(super) const fn nanoseconds(self, number: i64) -> i128 {
        let of_unit = match self {
            Self::Second => 1_000_000_000,
            Self::Milli => 1_000_000,
            Self::Micro => 1_000,
            Self::Nano => 1,
        };
        number as i128 * of_unit
    }
}

/// Which dates or times whole numbers stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Days since the beginning of 1970.
    Date,
    /// Milliseconds since the beginning of 1970, which mean the date.
    DateInMillis,
    /// Times since midnight.
    Time(TimeUnit),
    /// Times since the beginning of 1970.
    Timestamp(TimeUnit),
    /// Lengths of time.
    Duration(TimeUnit),
}

impl Moment {
    /// What `number` stands for: a text of ISO 8601, or the seconds of a duration.
    ///
    /// ```
    /// use roughboard::table::{Moment, TimeUnit, Value};
    /// assert_eq!(Moment::Date.value(19_782), Value::text("2024-02-29"));
    /// assert_eq!(Moment::DateInMillis.value(-1), Value::text("1969-12-31"));
    /// assert_eq!(Moment::Timestamp(TimeUnit::Milli).value(1_500), Value::text("1970-01-01T00:00:01.5"));
    /// assert_eq!(Moment::Duration(TimeUnit::Milli).value(1_500), Value::Real(1.5));
    /// ```
    pub fn value(self, number: i64) -> Value {
        self.value_as(number, Wanted::Any)
    }

    /// The same as a text, of a duration with all digits of its seconds, which a real number may lack.
    ///
    /// ```
    /// use roughboard::table::{Moment, TimeUnit};
    /// let duration = Moment::Duration(TimeUnit::Nano);
    /// assert_eq!(duration.spelled(1_700_000_000_000_000_001), "1700000000.000000001");
    /// ```
    pub fn spelled(self, number: i64) -> String {
        self.value_as(number, Wanted::Text).to_string()
    }

    /// What `number` stands for: where a number is wanted, of a date its days and of times their seconds.
    pub(super) fn value_as(self, number: i64, wanted: Wanted) -> Value {
        match self {
            Self::Date if wanted == Wanted::Number => Value::Integer(number),
            Self::Date => Value::Text(date(number)),
            Self::DateInMillis => Self::Date.value_as(number.div_euclid(MILLISECONDS_OF_DAY), wanted),
            Self::Time(unit) => time(unit.nanoseconds(number), wanted),
            Self::Timestamp(unit) => timestamp(unit.nanoseconds(number), wanted),
            Self::Duration(unit) => seconds(unit.nanoseconds(number), wanted),
        }
    }
}

/// What a text of ISO 8601 spells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelled {
    /// `2024-02-29`.
    Date,
    /// `23:59:01.5`.
    Time,
    /// `2024-02-29T23:59:01.5`; a blank may stand in place of the `T`, and `Z` behind it.
    Timestamp,
}

impl Spelled {
    /// The number that `text` stands for, where numbers are wanted: that of a [`Moment`] with this text.
    pub fn number(self, text: &str) -> Option<Value> {
        let nanoseconds = self.nanoseconds(text)?;
        Some(match self {
            Self::Date => Value::Integer((nanoseconds / NANOSECONDS_OF_DAY) as i64),
            Self::Time | Self::Timestamp => seconds(nanoseconds, Wanted::Number),
        })
    }

    /// The nanoseconds since the beginning of 1970, or of the day, that `text` stands for.
    pub fn nanoseconds(self, text: &str) -> Option<i128> {
        match self {
            Self::Date => Some(i128::from(days(text)?) * NANOSECONDS_OF_DAY),
            Self::Time => time_of_day(text),
            Self::Timestamp => {
                let (date, time) = text.split_once(['T', ' '])?;
                let time = time_of_day(time.strip_suffix('Z').unwrap_or(time))?;
                Some(Self::Date.nanoseconds(date)? + time)
            }
        }
    }
}

/// Nanoseconds since the beginning of 1970, from a day counted from 4713 BC and the nanoseconds of that day.
#[cfg(feature = "parquet")]
pub(crate) const fn of_julian_day(day: i32, nanoseconds: u64) -> i128 {
    (day as i128 - JULIAN_DAY_OF_1970) * NANOSECONDS_OF_DAY + nanoseconds as i128
}

/// The day so many days after the first of 1970: `2024-02-29`.
fn date(days: i64) -> String {
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

/// The days from the first of 1970 to the one with this text: what [`date`] undoes.
fn days(text: &str) -> Option<i64> {
    let [year, month, day] = numbers(text, 10, '-')?;
    let year = year - i64::from(month <= 2);
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = 365 * year_of_era + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = 146_097 * era + day_of_era - 719_468;
    // A day that the month lacks is another one.
    (date(days) == text).then_some(days)
}

/// The nanoseconds from midnight to the time of the day with this text: what [`clock`] undoes, but for zeros at the end.
fn time_of_day(text: &str) -> Option<i128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let [hours, minutes, seconds] = numbers(whole, 8, ':')?;
    let nanoseconds = i128::from(3_600 * hours + 60 * minutes + seconds) * NANOSECONDS_OF_SECOND;
    let is_time = (0..NANOSECONDS_OF_DAY).contains(&nanoseconds) && clock(nanoseconds) == whole;
    let is_fraction = matches!(fraction.len(), 1..=9) && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let fraction = if is_time && is_fraction { format!("{fraction:0<9}").parse::<i128>().ok() } else { None };
    Some(nanoseconds + fraction?)
}

/// The three numbers of a text of this length.
fn numbers(text: &str, length: usize, separator: char) -> Option<[i64; 3]> {
    let parts = text.split(separator).map(|part| part.parse().ok()).collect::<Option<Vec<i64>>>();
    parts.filter(|_| text.len() == length)?.try_into().ok()
}

/// The time of the day so many nanoseconds after midnight: `23:59:01.5`, or its seconds.
fn time(nanoseconds: i128, wanted: Wanted) -> Value {
    if wanted == Wanted::Number { seconds(nanoseconds, wanted) } else { Value::Text(clock(nanoseconds)) }
}

/// The moment so many nanoseconds after the beginning of 1970: `2024-02-29T23:59:01.5`, or the seconds since then.
pub(crate) fn timestamp(nanoseconds: i128, wanted: Wanted) -> Value {
    if wanted == Wanted::Number {
        return seconds(nanoseconds, wanted);
    }
    let (days, rest) = (nanoseconds.div_euclid(NANOSECONDS_OF_DAY), nanoseconds.rem_euclid(NANOSECONDS_OF_DAY));
    Value::Text(format!("{}T{}", date(days as i64), clock(rest)))
}

/// So many nanoseconds as seconds: the real number nearest to them, as from the digits in CSV, or where text is wanted these digits.
/// Many nanoseconds are no real number themselves, so a quotient of them would be rounded twice.
fn seconds(nanoseconds: i128, wanted: Wanted) -> Value {
    let (sign, size) = (if nanoseconds < 0 { "-" } else { "" }, nanoseconds.abs());
    let digits = format!("{sign}{}.{:09}", size / NANOSECONDS_OF_SECOND, size % NANOSECONDS_OF_SECOND);
    match wanted {
        Wanted::Text => Value::text(digits.trim_end_matches('0').trim_end_matches('.')),
        _ => digits.parse().map_or(Value::Missing, Value::Real),
    }
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
        let text = |millis: i64| timestamp(TimeUnit::Milli.nanoseconds(millis), Wanted::Any);
        let moments = [-1, 0, 1, 500, 1_000, 86_400_000].map(text);
        assert!(moments.is_sorted());
        assert_eq!(moments[0], Value::text("1969-12-31T23:59:59.999"));
        assert_eq!(moments[5], Value::text("1970-01-02T00:00:00"));
        assert_eq!(timestamp(TimeUnit::Micro.nanoseconds(1_500_000), Wanted::Number), Value::Real(1.5));
        assert_eq!(time(TimeUnit::Nano.nanoseconds(3_600_000_000_001), Wanted::Any), Value::text("01:00:00.000000001"));
        #[cfg(feature = "parquet")]
        assert_eq!(timestamp(of_julian_day(2_440_589, 0), Wanted::Any), moments[5]);
    }

    #[test]
    fn seconds_are_the_nearest_numbers() {
        let of_millis = |millis: i64| timestamp(TimeUnit::Milli.nanoseconds(millis), Wanted::Number);
        for (millis, digits) in [
            (1_730_779_568_291, "1730779568.291"),
            (-1_730_779_568_291, "-1730779568.291"),
            (-1, "-0.001"),
            (0, "0"),
            (60_050, "60.05"),
        ] {
            assert_eq!(of_millis(millis), Value::Real(digits.parse().unwrap()), "{millis}");
        }
        let least = Moment::Duration(TimeUnit::Micro).value(i64::MIN);
        assert_eq!(least, Value::Real("-9223372036854.775808".parse().unwrap()));
        // As texts all of them are different.
        let text = |number| Moment::Duration(TimeUnit::Nano).value_as(number, Wanted::Text);
        let numbers = [1_700_000_000_000_000_001, -60_050_000_000, 60_000_000_000, 0];
        assert_eq!(numbers.map(text), ["1700000000.000000001", "-60.05", "60", "0"].map(Value::text));
    }

    #[test]
    fn every_kind_of_moment_has_a_text_and_a_number() {
        let [second, milli, micro, nano] = [TimeUnit::Second, TimeUnit::Milli, TimeUnit::Micro, TimeUnit::Nano];
        for (moment, count, text, number) in [
            (Moment::Date, 1, "1970-01-02", Value::Integer(1)),
            (Moment::DateInMillis, 172_800_001, "1970-01-03", Value::Integer(2)),
            (Moment::DateInMillis, -1, "1969-12-31", Value::Integer(-1)),
            (Moment::Time(second), 3_661, "01:01:01", Value::Real(3_661.0)),
            (Moment::Time(milli), 86_399_500, "23:59:59.5", Value::Real(86_399.5)),
            (Moment::Timestamp(second), 86_400, "1970-01-02T00:00:00", Value::Real(86_400.0)),
            (Moment::Timestamp(micro), 1, "1970-01-01T00:00:00.000001", Value::Real(0.000_001)),
            (Moment::Timestamp(nano), 60_000_000_000, "1970-01-01T00:01:00", Value::Real(60.0)),
        ] {
            assert_eq!(moment.value(count), Value::text(text), "{moment:?}");
            assert_eq!(moment.value_as(count, Wanted::Number), number, "{moment:?}");
        }
        let length = Moment::Duration(second);
        assert_eq!((length.value(90), length.value_as(90, Wanted::Text)), (Value::Real(90.0), Value::text("90")));
    }

    #[test]
    fn texts_stand_for_the_numbers_of_their_moments() {
        for count in [0, -1, 59, 11_016, 19_782, -719_528, 2_932_896] {
            let text = Moment::Date.value(count).to_string();
            assert_eq!(Spelled::Date.number(&text), Some(Value::Integer(count)), "{text}");
        }
        for micros in [0, -1, 1, 1_500_000, 1_730_779_568_291_000, -62_167_219_200_000_000] {
            let moment = Moment::Timestamp(TimeUnit::Micro);
            let text = moment.value(micros).to_string();
            let expected = Some(moment.value_as(micros, Wanted::Number));
            for text in [text.clone(), text.replace('T', " "), format!("{text}Z")] {
                assert_eq!(Spelled::Timestamp.number(&text), expected, "{text}");
            }
        }
        assert_eq!(Spelled::Time.number("23:59:59.500"), Some(Value::Real(86_399.5)));
    }

    #[test]
    fn what_is_no_moment_stands_for_no_number() {
        for text in [
            "2023-02-29",
            "2024-13-01",
            "2024-00-10",
            "2024-1-01",
            "+024-01-01",
            "24-01-0001",
            "2024/01/01",
            "",
            "2024-01-01T",
        ] {
            assert_eq!(Spelled::Date.number(text), None, "{text}");
        }
        for text in [
            "24:00:00",
            "23:60:00",
            "23:59:60",
            "1:02:03",
            "-1:00:00",
            "01:02",
            "01:02:03.",
            "01:02:03.+5",
            "01:02:03.1234567890",
        ] {
            assert_eq!(Spelled::Time.number(text), None, "{text}");
        }
        for text in ["2024-01-01", "01:02:03", "2024-01-01T", "2024-01-01T01:02:03+01:00", "2024-01-01  01:02:03"] {
            assert_eq!(Spelled::Timestamp.number(text), None, "{text}");
        }
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn units_have_names_and_days_are_counted_from_1970() {
        let units = [TimeUnit::Second, TimeUnit::Milli, TimeUnit::Micro, TimeUnit::Nano];
        assert_eq!(units.map(TimeUnit::described), ["seconds", "milliseconds", "microseconds", "nanoseconds"]);
        let days = [(2_440_588, 7), (2_440_587, 7), (2_440_590, 0)].map(|(day, rest)| of_julian_day(day, rest));
        assert_eq!(days, [7, 7 - NANOSECONDS_OF_DAY, 2 * NANOSECONDS_OF_DAY]);
    }
}
