//! Dates and times in fields of a table.

use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Timestamp};

const DAY: f64 = 86_400.0;

/// How dates and times are written in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A time of the day.
    Clock,
    /// A date after this pattern, and perhaps a time; of a month to its first.
    Date(&'static str),
    Month(&'static str),
}

use Format::{Clock, Month};

/// With the year last and slashes, either number may be the day.
pub(super) const DAY_FIRST: Format = Format::Date("%d/%m/%Y");
pub(super) const MONTH_FIRST: Format = Format::Date("%m/%d/%Y");
/// Eight digits, which are a number, too.
pub(super) const PACKED: Format = Format::Date("%Y%m%d");

/// What can be read in one way only.
const FORMATS: [Format; 9] = [
    Format::Date("%Y-%m-%d"),
    Format::Date("%d.%m.%Y"),
    Format::Date("%Y/%m/%d"),
    Format::Date("%d %b %Y"),
    Format::Date("%d-%b-%Y"),
    Format::Date("%b %d, %Y"),
    Month("%Y-%m"),
    Month("%b %Y"),
    Clock,
];

impl Format {
    /// The format of a column, by its fields; `None`: the first is no date.
    ///
    /// # Errors
    /// When nothing shows whether the day or the month is first.
    pub(super) fn of<'f>(
        fields: impl Iterator<Item = &'f str> + Clone,
    ) -> Result<Option<Format>, String> {
        let Some(first) = fields.clone().next() else { return Ok(None) };
        let read = |format: Format| {
            fields.clone().take_while(|field| format.seconds(field).is_some()).count()
        };
        let all = fields.clone().count();
        if read(PACKED) == all {
            return Ok(Some(PACKED));
        }
        let both = [DAY_FIRST, MONTH_FIRST];
        if both.iter().all(|format| read(*format) == all) {
            return Err(format!(
                "holds `{first}`: is the day or the month first? (write the year first, as in 2024-03-31)"
            ));
        }
        let formats = FORMATS.into_iter().chain(both);
        let known = formats.filter(|format| format.seconds(first).is_some());
        Ok(known.max_by_key(|format| read(*format)))
    }

    /// Seconds since 1970 began, or since midnight.
    pub(super) fn seconds(self, field: &str) -> Option<f64> {
        if self == FORMATS[0]
            && let Ok(moment) = field.parse::<Timestamp>()
        // with a zone
        {
            return Some(moment.as_duration().as_secs_f64());
        }
        let (day, time) = match field.rsplit_once([' ', 'T']) {
            Some((day, time)) if time.contains(':') => (day.trim_end_matches(','), clock(time)?),
            _ => (field, 0.0),
        };
        let date = match self {
            Clock => return clock(field),
            Format::Date(pattern) => Date::strptime(pattern, day),
            Month(pattern) => Date::strptime(format!("{pattern} %d"), format!("{day} 1")),
        };
        let date = date.ok().filter(|date| date.year() >= 1000)?;
        let days = date.duration_since(Date::constant(1970, 1, 1));
        Some(days.as_secs_f64() + time)
    }
}

/// Seconds since midnight.
fn clock(field: &str) -> Option<f64> {
    let time = Time::strptime("%H:%M", field).or_else(|_| Time::strptime("%H:%M:%S%.f", field));
    Some(time.ok()?.duration_since(Time::midnight()).as_secs_f64())
}

/// A moment by a row alone: a date, with or without a time, that can be read in one way only.
pub fn unambiguous_moment(field: &str) -> Option<f64> {
    FORMATS.iter().filter(|format| **format != Clock).find_map(|format| format.seconds(field))
}

/// Makes seconds days, or seconds since the first, and says so.
pub(super) fn since_the_first(name: &str, format: Format, keys: &mut [f64]) -> String {
    let first = keys.iter().copied().fold(f64::INFINITY, f64::min);
    let whole = keys.iter().all(|key| key.rem_euclid(DAY) == 0.0);
    let (unit, names) = if whole { (DAY, "days") } else { (1.0, "seconds") };
    keys.iter_mut().for_each(|key| *key = (*key - first) / unit);
    let since = if format == Clock { "the first of them".to_owned() } else { instant(first) };
    format!("`{name}` holds dates or times: {names} since {since}")
}

/// How a moment is written, in seconds since 1970 began: `2024-03-31`, or with a time.
fn instant(seconds: f64) -> String {
    let begin = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
    let moment = begin.saturating_add(SignedDuration::from_secs_f64(seconds));
    let pattern = if seconds.rem_euclid(DAY) == 0.0 { "%Y-%m-%d" } else { "%Y-%m-%d %H:%M:%S" };
    moment.strftime(pattern).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_counted_from_1970() {
        for (field, seconds) in [
            ("1970-01-01", 0.0),
            ("2000-02-29", DAY * 11_016.0),
            ("1.3.2000", DAY * 11_017.0),
            ("2024/12/31", DAY * 20_088.0),
            ("31-Dec-2024", DAY * 20_088.0),
            ("31 Dec 2024", DAY * 20_088.0),
            ("1969-12-31", -DAY),
            ("1970-02", DAY * 31.0),
            ("Feb 1970", DAY * 31.0),
            ("1970-01-02 01:02:03.5", DAY + 3723.5),
            ("1970-01-02T01:00Z", 90_000.0),
            ("1970-01-02T01:00+01:30", 84_600.0),
            ("2.1.1970 1:00", 90_000.0),
            ("Jan 2, 1970, 12:30", 131_400.0),
        ] {
            assert_eq!(unambiguous_moment(field), Some(seconds), "{field}");
        }
        assert_eq!(Clock.seconds("0:30"), Some(1800.0));
        assert_eq!(instant(-DAY), "1969-12-31");
        assert_eq!(instant(DAY + 3723.0), "1970-01-02 01:02:03");
    }

    #[test]
    fn what_is_no_moment_is_none() {
        let fields = "|2024|1.5|1.234.567|2023-02-29|2024-13-01|2024-00-01|1:60|1:2:3:4|a:b|13:00 PM|\
                      2024-01-01-01|31/12/24|é:é|-5|1e-5|1949.01|Jan-23|5|Oct 5|a 2024|12:30|1/2/2024";
        for field in fields.split('|') {
            assert_eq!(unambiguous_moment(field), None, "{field}");
        }
    }
}
