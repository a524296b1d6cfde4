//! Dates and times in fields of a table.

/// Which comes first where both could be either, as in `3/4/2024`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Day,
    Month,
}

const DAY: f64 = 86_400.0;

/// Reads `2024-03-31`, `2024/03/31`, `31.3.2024`, `3/31/2024`, `12:30` and `12:30:15.5`, a date before a
/// time, and a zone after it: `Z`, `+01:00`. In seconds since 1970 began, or since midnight.
pub(super) fn moment(field: &str, order: Order) -> Option<f64> {
    if !field.contains(':') {
        return Some(DAY * date(field, order)?);
    }
    match field.split_once(['T', 't', ' ']) {
        Some((day, time)) => Some(DAY * date(day, order)? + zoned(time.trim_start())?),
        None => zoned(field),
    }
}

/// The first two numbers of a date that ends in its year, between slashes or hyphens: day and month, in
/// an order that only other dates can show.
pub(super) fn two_numbers(field: &str) -> Option<[u32; 2]> {
    let day = field.split(['T', 't', ' ']).next()?;
    let [first, second, year] = parts(day, '/').or_else(|| parts(day, '-'))?;
    if year.len() == 4 && first.len() <= 2 {
        Some([first.parse().ok()?, second.parse().ok()?])
    } else {
        None
    }
}

/// Days since 1970 began.
fn date(field: &str, order: Order) -> Option<f64> {
    let pointed = parts(field, '.');
    let [a, b, c] = pointed.or_else(|| parts(field, '-')).or_else(|| parts(field, '/'))?;
    let (year, month, day) = match (a.len(), c.len(), order) {
        (4, ..=2, _) => (a, b, c),
        (..=2, 4, Order::Month) if pointed.is_none() => (c, a, b),
        (..=2, 4, _) => (c, b, a),
        _ => return None,
    };
    days(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
}

/// Three numbers between signs.
fn parts(field: &str, sign: char) -> Option<[&str; 3]> {
    let mut parts = field.split(sign);
    let found = [parts.next()?, parts.next()?, parts.next()?];
    let digits = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (parts.next().is_none() && found.iter().all(digits)).then_some(found)
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
    if let Some(time) = field.strip_suffix(['Z', 'z']) {
        return time_of_day(time);
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
        ];
        for (field, seconds) in seconds {
            assert_eq!(moment(field, Order::Day), Some(seconds), "{field}");
        }
    }

    #[test]
    fn what_is_no_moment_is_none() {
        let fields = "|2024|1.5|1.234.567|2023-02-29|2024-13-01|2024-00-01|24:00|1:60|1:2:3:4|a:b|12:00 PM|\
                      2024-01-01-01|1:2:inf|31/12/2024|é:é|1:00+é:";
        for field in fields.split('|') {
            assert_eq!(moment(field, Order::Month), None, "{field}");
        }
    }
}
