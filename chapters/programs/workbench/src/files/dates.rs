//! Dates and times in fields of a table.

/// Which comes first where both could be either, as in `3/4/2024`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Day,
    Month,
}

const DAY: f64 = 86_400.0;

/// Reads a date, a time or both, as the table of [`read_columns`](super::read_columns) has them, and a zone
/// after a time: `Z`, `UTC`, `+01:00`. In seconds since 1970 began, or since midnight.
pub(super) fn moment(field: &str, order: Order) -> Option<f64> {
    let day = day(field);
    if field.is_empty() {
        return None;
    }
    let time = field[day.len()..].trim_start_matches(['T', 't', ' ', ',']);
    let time = if time.is_empty() { 0.0 } else { zoned(time)? };
    Some(time + if day.is_empty() { 0.0 } else { DAY * date(day, order)? })
}

/// What stands before a time of the day.
pub(super) fn day(field: &str) -> &str {
    let Some(colon) = field.find(':') else { return field };
    let day = field[..colon].trim_end_matches(|c: char| c.is_ascii_digit());
    day.trim_end_matches(['T', 't', ' ', ','])
}

/// A moment by a row alone: a date, with or without a time, that can be read in one way only.
pub fn unambiguous_moment(field: &str) -> Option<f64> {
    if day(field).is_empty() || two_numbers(field).is_some() {
        return None;
    }
    moment(field, Order::Day)
}

/// The numbers of a date that ends in its year, between slashes or hyphens: day and month, in an order that
/// only other dates can show, and the year.
pub(super) fn two_numbers(field: &str) -> Option<[u32; 3]> {
    let day = day(field);
    let parts = if day.contains('-') { day.split('-') } else { day.split('/') };
    let [first, second, year] = parts.collect::<Vec<_>>()[..] else { return None };
    let numbers = [first.parse().ok()?, second.parse().ok()?, year.parse().ok()?];
    (first.len() <= 2 && [2, 4].contains(&year.len())).then_some(numbers)
}

/// `20240331`, and hours, minutes, seconds after it: in seconds since 1970 began.
pub(super) fn packed(field: &str) -> Option<f64> {
    let is_packed =
        [8, 10, 12, 14].contains(&field.len()) && field.bytes().all(|b| b.is_ascii_digit());
    let part =
        |from: usize, to: usize| field.get(from..to).map_or(Some(0), |part| part.parse().ok());
    if !is_packed || !("1700".."2200").contains(&&field[..4]) {
        return None;
    }
    let (hours, minutes, seconds): (u32, u32, u32) = (part(8, 10)?, part(10, 12)?, part(12, 14)?);
    let day = days(part(0, 4)?.into(), part(4, 6)?.into(), part(6, 8)?.into())?;
    let in_day = 3600 * hours + 60 * minutes + seconds;
    (hours < 24 && minutes < 60 && seconds < 60).then(|| DAY * day + f64::from(in_day))
}

/// Days since 1970 began; of a month, to its first.
fn date(field: &str, order: Order) -> Option<f64> {
    let sign = ['-', '/', '.', ' '].into_iter().find(|sign| field.contains(*sign))?;
    let parts = field.split(sign).map(|part| part.trim_matches([' ', ',']));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let is_name = |part: &str| part.starts_with(|c: char| c.is_ascii_alphabetic());
    let (year, month, day) = match parts[..] {
        [a, b] if a.len() == 4 && sign != '.' && !is_name(a) => (a, b, "1"),
        [a, b] if b.len() == 4 && (sign != '.' || is_name(a)) => (b, a, "1"),
        [a, b, c] if a.len() == 4 && !is_name(a) => (a, b, c),
        [a, b, c] if !is_name(a) && (is_name(b) || sign == '.' || order == Order::Day) => (c, b, a),
        [a, b, c] => (c, a, b),
        _ => return None,
    };
    let number = |part: &str, most: usize| {
        let digits = part.len() <= most && part.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| part.parse::<i64>().ok())?
    };
    let year = match (year.len(), number(year, 4)?) {
        (4, year) => year,
        (2, year) => year + if year < 69 { 2000 } else { 1900 }, // as POSIX has it
        _ => return None,
    };
    let month = if is_name(month) { named(month)? } else { number(month, 2)? };
    days(year, month, number(day, 2)?)
}

/// The number of a month, by its name or by three letters of it.
fn named(month: &str) -> Option<i64> {
    const NAMES: &str =
        "january february march april may june july august september october november december";
    let month = month.to_ascii_lowercase();
    let is_it = |name: &str| name == month || name[..3] == month;
    NAMES.split(' ').zip(1..).find(|(name, _)| is_it(name)).map(|(_, number)| number)
}

/// How a moment is written, in seconds since 1970 began: `2024-03-31`, or with a time.
pub(super) fn instant(seconds: f64) -> String {
    let (day, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    let first = |year: i64, month: i64| days(year, month, 1).unwrap_or(f64::NAN);
    let mut year = 1970 + (day / 366.0).floor() as i64;
    while first(year + 1, 1) <= day {
        year += 1;
    }
    let month = (1..=12).rev().find(|month| first(year, *month) <= day).unwrap_or(1);
    let date = format!("{year:04}-{month:02}-{:02}", 1.0 + day - first(year, month));
    let (hours, minutes) = ((rest / 3600.0) as u32, (rest / 60.0) as u32 % 60);
    if rest == 0.0 { date } else { format!("{date} {hours:02}:{minutes:02}:{:02}", rest % 60.0) }
}

/// Days from the first of January 1970 to a day of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> Option<f64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let before = usize::try_from(month - 1).ok().filter(|before| *before < 12)?;
    if !(1..=lengths[before]).contains(&day) {
        return None;
    }
    let past = year - 1;
    let of_years = 365 * past + past / 4 - past / 100 + past / 400;
    let of_months: i64 = lengths[..before].iter().sum();
    Some((of_years + of_months + day - 1 - 719_162) as f64) // days before 1970
}

/// Seconds of a time of day, in the zone of Greenwich where it names one.
fn zoned(field: &str) -> Option<f64> {
    let zero = ["Z", "z", "UTC", "GMT"].iter().find_map(|zone| field.strip_suffix(zone));
    if let Some(time) = zero {
        return time_of_day(time.trim_end());
    }
    let Some(place) = field.rfind(['+', '-']) else { return time_of_day(field) };
    let (time, zone) = field.split_at(place);
    let (sign, zone) = zone.split_at(1);
    let zone = match zone.len() {
        4 if zone.is_ascii() && !zone.contains(':') => format!("{}:{}", &zone[..2], &zone[2..]),
        2 => format!("{zone}:00"),
        _ => zone.to_owned(),
    };
    let ahead = time_of_day(&zone)?;
    Some(time_of_day(time.trim_end())? - if sign == "+" { ahead } else { -ahead })
}

/// Seconds since midnight.
fn time_of_day(field: &str) -> Option<f64> {
    let half = field.len().checked_sub(2).and_then(|place| field.split_at_checked(place));
    if let Some((time, half)) =
        half.filter(|(_, half)| ["am", "pm"].contains(&&half.to_lowercase()[..]))
    {
        let time = time_of_day(time.trim_end())?;
        let noon = if half.eq_ignore_ascii_case("pm") { 43_200.0 } else { 0.0 };
        return (3600.0..46_800.0).contains(&time).then_some(time % 43_200.0 + noon);
    }
    let mut parts = field.split(':');
    let mut whole = |below: f64| {
        let part = parts.next()?;
        let digits = (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        part.parse().ok().filter(|number: &f64| digits && *number < below)
    };
    let (hours, minutes) = (whole(24.0)?, whole(60.0)?);
    let seconds = match parts.next() {
        Some(part) if part.starts_with(|c: char| c.is_ascii_digit()) => part.parse().ok()?,
        Some(_) => return None,
        None => 0.0,
    };
    let ends = parts.next().is_none() && (0.0..61.0).contains(&seconds); // a leap second has 60
    ends.then_some(3600.0 * hours + 60.0 * minutes + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_counted_from_1970() {
        let days = [
            ("1970-01-01", 0.0),
            ("2000-02-29", 11_016.0),
            ("1.3.2000", 11_017.0),
            ("2024/12/31", 20_088.0),
            ("12/31/2024", 20_088.0),
            ("1969-12-31", -1.0),
            ("1970-02", 31.0),
            ("Feb 1970", 31.0),
            ("2/1970", 31.0),
            ("12/31/24", 20_088.0),
            ("31.12.24", 20_088.0),
            ("31-Dec-2024", 20_088.0),
        ];
        for (field, days) in days {
            assert_eq!(moment(field, Order::Month), Some(DAY * days), "{field}");
        }
        let seconds = [
            ("00:00", 0.0),
            ("1970-01-02 01:02:03.5", 86_400.0 + 3723.5),
            ("1970-01-02T01:00Z", 90_000.0),
            ("1970-01-02T01:00+01:30", 84_600.0),
            ("1970-01-02T01:00:00-0100", 93_600.0),
            ("2/1/1970 1:00", 90_000.0),
            ("2/1/70 1:00 AM", 90_000.0),
            ("Jan 2, 1970, 12:30 pm", 131_400.0),
            ("2 January 1970 00:30 UTC", 88_200.0),
            ("02-Jan-70 12:00AM", 86_400.0),
        ];
        for (field, seconds) in seconds {
            assert_eq!(moment(field, Order::Day), Some(seconds), "{field}");
        }
    }

    #[test]
    fn what_is_no_moment_is_none() {
        let fields = "2024|1.5|1.234.567|2023-02-29|2024-13-01|2024-00-01|24:00|1:60|1:2:3:4|a:b|13:00 PM|\
                      2024-01-01-01|1:2:inf|31/12/2024|é:é|1:00+é:|-5|1e-5|1949.01|Jan-23|5|0:30 PM|Oct 5|a 2024";
        for field in fields.split('|') {
            assert_eq!(moment(field, Order::Month), None, "{field}");
        }
    }

    #[test]
    fn moments_are_written_as_they_were() {
        for field in ["1970-01-01", "1969-12-31", "2000-02-29", "1700-03-01", "2024-12-31 23:59:07"]
        {
            assert_eq!(instant(moment(field, Order::Day).unwrap()), field);
        }
        assert_eq!(packed("20240331").map(instant).unwrap(), "2024-03-31");
        assert_eq!(packed("2024033112").map(instant).unwrap(), "2024-03-31 12:00:00");
        assert_eq!(["20240231", "12345678", "2024033124"].map(packed), [None; 3]);
    }
}
