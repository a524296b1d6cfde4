//! How numbers and dates are written in a table, as its fields let see.

use super::dates::{Order, moment, two_numbers};
use super::shorten;

/// Whether nothing was measured.
pub(super) fn is_missing(field: &str) -> bool {
    const WORDS: [&str; 8] = ["", "-", "–", "na", "n/a", "#n/a", "nan", "null"];
    WORDS.iter().any(|word| field.eq_ignore_ascii_case(word))
}

/// What the fields of a table let see of how numbers and dates are written in it.
#[derive(Default)]
pub(super) struct Seen {
    /// Whether the first column begins with a date, or a time.
    dates: Option<bool>,
    /// The largest of the first and of the second numbers of dates in which either may be the day.
    either: [u32; 2],
    /// Whether a number has a decimal point, a decimal comma, or one that may stand between thousands.
    point: bool,
    comma: bool,
    maybe_point: bool,
    maybe_comma: bool,
}

impl Seen {
    pub(super) fn note<const N: usize>(&mut self, fields: &[&str; N]) {
        for (i, field) in fields.iter().enumerate().filter(|(_, field)| !is_missing(field)) {
            let is_date = || moment(field, Order::Day).or(moment(field, Order::Month)).is_some();
            if i == 0 && *self.dates.get_or_insert_with(is_date) {
                let numbers = two_numbers(field).unwrap_or_default();
                self.either = std::array::from_fn(|k| self.either[k].max(numbers[k]));
            } else {
                self.note_number(field);
            }
        }
    }

    /// Where both signs are, the last is the decimal mark; a sign that comes twice is none, nor need one
    /// be that three digits follow.
    fn note_number(&mut self, field: &str) {
        let Some(place) = field.rfind(['.', ',']) else { return };
        let (before, behind) = field.split_at(place);
        let before = before.trim_start_matches(['+', '-', '−']);
        let thousands =
            behind.len() == 4 && (1..=3).contains(&before.len()) && !before.starts_with('0');
        let counts = ['.', ','].map(|sign| field.matches(sign).count());
        let seen = match (counts, behind.starts_with('.')) {
            ([1, 0], _) if thousands => &mut self.maybe_point,
            ([0, 1], _) if thousands => &mut self.maybe_comma,
            ([_, (2..)], _) | ([1, _], true) => &mut self.point,
            _ => &mut self.comma,
        };
        *seen = true;
    }

    pub(super) fn style(&self, separator: u8) -> Style {
        // `1,234` alone may be either. Tables with semicolons are from where the comma is decimal.
        let comma = self.maybe_comma && separator == b';' && !self.point && !self.maybe_point;
        let comma = self.comma || comma;
        let order = match self.either {
            [0..=12, (13..)] => Some(Order::Month),
            [(13..), 0..=12] => Some(Order::Day),
            _ => None,
        };
        Style {
            dates: self.dates == Some(true),
            order,
            comma,
            thousands: !comma && self.maybe_comma,
            points: separator != b','
                && self.maybe_point
                && !(comma || self.point || self.maybe_comma),
        }
    }
}

/// How numbers and dates are written in a table.
pub(super) struct Style {
    dates: bool,
    /// Of dates in which either number may be the day; `None`: nothing shows it.
    order: Option<Order>,
    /// Whether the decimal mark is a comma.
    comma: bool,
    /// Whether commas that could be decimal marks are taken for signs between thousands.
    thousands: bool,
    /// Whether points that could be signs between thousands are taken for decimal marks.
    points: bool,
}

impl Style {
    /// A field of the first column: a number, or seconds.
    pub(super) fn key(&self, field: &str) -> Result<f64, String> {
        if !self.dates {
            return self.number(field);
        }
        let shown = shorten(field);
        if two_numbers(field).is_some() && self.order.is_none() {
            let example = "write the year first, as in 2024-03-31";
            return Err(format!("holds `{shown}`: is the day or the month first? ({example})"));
        }
        let moment = moment(field, self.order.unwrap_or(Order::Day));
        moment.ok_or_else(|| {
            format!("holds `{shown}`, which is not a date or time as the first one in this column")
        })
    }

    /// A finite number, or what the field is instead.
    pub(super) fn number(&self, field: &str) -> Result<f64, String> {
        let number = match field.parse::<f64>() {
            Ok(number) if !(self.comma && field.contains('.')) => Some(number),
            _ => self.grouped(field),
        };
        match number {
            Some(number) if number.is_finite() => Ok(number),
            Some(_) => Err(format!("holds `{}`, a finite number is needed", shorten(field))),
            None => Err(format!("holds `{}`, which is not a number", shorten(field))),
        }
    }

    /// A number with this decimal mark, and perhaps signs between thousands.
    fn grouped(&self, field: &str) -> Option<f64> {
        let [decimal, other] = if self.comma { [',', '.'] } else { ['.', ','] };
        let (sign, digits) = match field.strip_prefix(['-', '−']) {
            Some(digits) => ("-", digits),
            None => ("", field.strip_prefix('+').unwrap_or(field)),
        };
        let place = digits.find([decimal, 'e', 'E']).unwrap_or(digits.len());
        let (whole, rest) = digits.split_at(place);
        let between = |c: char| c == other || c.is_whitespace() || ['\'', '’'].contains(&c);
        let mut groups = whole.split(between);
        let first = groups.next().unwrap_or_default();
        let is_group = |group: &str| group.len() == 3;
        if whole.contains(between) && !((1..=3).contains(&first.len()) && groups.all(is_group)) {
            return None;
        }
        let plain: String = whole.chars().filter(|c| !between(*c)).collect();
        let is_number =
            plain.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with(decimal);
        let rest = rest.replacen(decimal, ".", 1);
        is_number.then(|| format!("{sign}{plain}{rest}").parse().ok())?
    }

    /// What is to be said of it.
    pub(super) fn notice(&self) -> Option<&'static str> {
        match (self.comma, self.thousands) {
            (true, _) => Some("numbers have decimal commas: 1,5 is one and a half"),
            (_, true) => Some("numbers have commas between thousands: 1,234 is 1234"),
            _ if self.points => Some("numbers have decimal points: 1.234 is little more than 1"),
            _ => None,
        }
    }

    /// Makes seconds of the first column days, or seconds since the first; and says so.
    pub(super) fn since_the_first(&self, name: &str, keys: &mut [f64]) -> Option<String> {
        const DAY: f64 = 86_400.0;
        if !self.dates {
            return None;
        }
        let first = keys.iter().copied().fold(f64::INFINITY, f64::min);
        let whole = keys.iter().all(|key| key.rem_euclid(DAY) == 0.0);
        let (unit, names) = if whole { (DAY, "days") } else { (1.0, "seconds") };
        keys.iter_mut().for_each(|key| *key = (*key - first) / unit);
        Some(format!("`{}` holds dates or times: {names} since the first of them", shorten(name)))
    }
}
