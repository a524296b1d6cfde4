//! How numbers and dates are written in a table, as its fields let see.

use super::dates::{Order, day, instant, moment, packed, two_numbers};
use super::shorten;
use std::collections::BTreeSet;

/// Whether nothing was measured. What begins with `#` is a spreadsheet's error: `#DIV/0!`, `#NV`.
pub(super) fn is_missing(field: &str) -> bool {
    const WORDS: [&str; 15] = [
        "", "-", "–", "—", ".", "..", "...", "?", "na", "n/a", "n.a.", "n.v.", "nan", "null",
        "none",
    ];
    field.starts_with('#') || WORDS.iter().any(|word| field.eq_ignore_ascii_case(word))
}

/// What the fields of a table let see of how numbers and dates are written in it.
#[derive(Default)]
pub(super) struct Seen {
    /// Fields of the first column; how many of them are dates or times, of the day alone, or eight digits and
    /// more that are a date.
    keys: usize,
    moments: usize,
    clocks: usize,
    packed: usize,
    /// Of dates in which either may be the day, the largest of the first and of the second numbers; of those
    /// with a year of two digits, the first numbers and the last.
    either: [u32; 2],
    short: [BTreeSet<u32>; 2],
    /// The columns that are read, and the others.
    numbers: [Marks; 2],
}

/// How many numbers have a decimal point, or a decimal comma; whether a mark may also stand between thousands.
#[derive(Default)]
struct Marks {
    point: usize,
    comma: usize,
    maybe_point: bool,
    maybe_comma: bool,
}

impl Seen {
    pub(super) fn note(&mut self, fields: &[String], places: &[usize]) {
        for (place, field) in fields.iter().enumerate().filter(|(_, field)| !is_missing(field)) {
            if place == places[0] {
                self.note_key(field);
            }
            self.numbers[usize::from(!places.contains(&place))].note(field);
        }
    }

    fn note_key(&mut self, field: &str) {
        self.keys += 1;
        self.packed += usize::from(packed(field).is_some());
        if moment(field, Order::Day).or(moment(field, Order::Month)).is_none() {
            return;
        }
        self.moments += 1;
        self.clocks += usize::from(!day(field).contains(|c: char| c.is_ascii_digit()));
        if let Some([first, second, year]) = two_numbers(field) {
            self.either = [self.either[0].max(first), self.either[1].max(second)];
            if year < 100 {
                self.short[0].insert(first);
                self.short[1].insert(year);
            }
        }
    }

    pub(super) fn style(&self, separator: &str) -> Style {
        let [read, others] = &self.numbers;
        // What the columns that are read leave open, the others may tell; they must not disagree.
        let known = match (read.point + read.comma > 0, others.point > 0, others.comma > 0) {
            (true, ..) => Some(read.comma > 0 && read.comma >= read.point),
            (false, true, false) => Some(false),
            (false, false, true) => Some(true),
            // `1,234` alone may be either. Tables with semicolons are from where the comma is decimal.
            _ => (separator == ";" && read.maybe_comma && !read.maybe_point).then_some(true),
        };
        // A year of two digits is taken for one where it changes less than what stands first.
        let is_year = self.short[0].len() >= self.short[1].len();
        let order = match self.either {
            _ if !is_year => None,
            [0..=12, (13..)] => Some(Order::Month),
            [(13..), 0..=12] => Some(Order::Day),
            _ => None,
        };
        let keys = if self.keys > 0 && self.packed == self.keys {
            Keys::Packed
        } else if 2 * self.moments > self.keys {
            Keys::Moments { clock: self.clocks == self.moments }
        } else {
            Keys::Numbers
        };
        let comma = known == Some(true);
        Style {
            keys,
            order,
            comma,
            thousands: !comma && read.maybe_comma,
            points: separator != "," && known.is_none() && read.maybe_point && !read.maybe_comma,
            between: comma && read.maybe_point,
        }
    }
}

impl Marks {
    fn note(&mut self, field: &str) {
        match [false, true].map(|comma| number(field, comma)) {
            [Some(_), None] => self.point += 1,
            [None, Some(_)] => self.comma += 1,
            [Some(a), Some(b)] if a != b && field.contains('.') => self.maybe_point = true,
            [Some(a), Some(b)] if a != b => self.maybe_comma = true,
            _ => {}
        }
    }
}

/// What the first column holds.
#[derive(Clone, Copy, PartialEq)]
enum Keys {
    Numbers,
    /// Dates or times; of the day alone?
    Moments {
        clock: bool,
    },
    /// `20240331`, `202403311230`
    Packed,
}

/// How numbers and dates are written in a table.
pub(super) struct Style {
    keys: Keys,
    /// Of dates in which either number may be the day; `None`: nothing shows it.
    order: Option<Order>,
    /// Whether the decimal mark is a comma.
    comma: bool,
    /// Whether commas that could be decimal marks are taken for signs between thousands.
    thousands: bool,
    /// Whether points that could be signs between thousands are taken for decimal marks, and the other way.
    points: bool,
    between: bool,
}

const DATES: &str = "2024-03-31, 31.3.2024, 3/31/2024, 31 Mar 2024, 2024-03, 12:30 or 1:30 PM";

impl Style {
    /// A field of the first column: a number, or seconds.
    pub(super) fn key(&self, field: &str) -> Result<f64, String> {
        let shown = shorten(field);
        match self.keys {
            Keys::Packed => {
                packed(field).ok_or_else(|| format!("holds `{shown}`, which is no date"))
            }
            Keys::Numbers if number(field, self.comma).is_none() => Err(format!(
                "holds `{shown}`, which is not a number (dates and times are read as {DATES})"
            )),
            Keys::Numbers => self.number(field),
            _ if two_numbers(field).is_some() && self.order.is_none() => Err(format!(
                "holds `{shown}`: is the day or the month first? (write the year first, as in 2024-03-31)"
            )),
            _ => moment(field, self.order.unwrap_or(Order::Day)).ok_or_else(|| {
                format!("holds `{shown}`, which is not a date or time as the others in this column")
            }),
        }
    }

    /// A finite number, or what the field is instead.
    pub(super) fn number(&self, field: &str) -> Result<f64, String> {
        match number(field, self.comma) {
            Some(number) if number.is_finite() => Ok(number),
            Some(_) => Err(format!("holds `{}`, a finite number is needed", shorten(field))),
            None => Err(format!("holds `{}`, which is not a number", shorten(field))),
        }
    }

    /// What is to be said of it.
    pub(super) fn notice(&self) -> Option<&'static str> {
        match (self.comma, self.thousands) {
            (true, _) if self.between => {
                Some("numbers have points between thousands and decimal commas: 1.234 is 1234")
            }
            (true, _) => Some("numbers have decimal commas: 1,5 is one and a half"),
            (_, true) => Some("numbers have commas between thousands: 1,234 is 1234"),
            _ if self.points => Some("numbers have decimal points: 1.234 is little more than 1"),
            _ => None,
        }
    }

    /// Makes seconds of the first column days, or seconds since the first; and says so.
    pub(super) fn since_the_first(&self, name: &str, keys: &mut [f64]) -> Option<String> {
        const DAY: f64 = 86_400.0;
        if self.keys == Keys::Numbers {
            return None;
        }
        let is_clock = self.keys == Keys::Moments { clock: true };
        let nights = if is_clock { go_on_after_midnight(keys) } else { 0 };
        let first = keys.iter().copied().fold(f64::INFINITY, f64::min);
        let whole = keys.iter().all(|key| key.rem_euclid(DAY) == 0.0);
        let (unit, names) = if whole { (DAY, "days") } else { (1.0, "seconds") };
        keys.iter_mut().for_each(|key| *key = (*key - first) / unit);
        let since = if is_clock { "the first of them".to_owned() } else { instant(first) };
        let after = match nights {
            0 => String::new(),
            _ => format!("; {nights} times they fall by more than half a day: a new day begins"),
        };
        Some(format!("`{}` holds dates or times: {names} since {since}{after}", shorten(name)))
    }
}

/// Where times of the day never fall but by more than half a day, midnight was passed: returns how often, and
/// adds the days.
fn go_on_after_midnight(keys: &mut [f64]) -> usize {
    const HALF: f64 = 43_200.0;
    let mut nights = 0;
    let falls: Vec<f64> = keys.windows(2).map(|pair| pair[0] - pair[1]).collect();
    if falls.iter().any(|fall| *fall > 0.0 && *fall <= HALF) {
        return 0; // they stand in no order
    }
    for (key, fall) in keys.iter_mut().skip(1).zip(falls) {
        nights += usize::from(fall > HALF);
        *key += 2.0 * HALF * nights as f64;
    }
    nights
}

/// What is to be said of a number that may stand for none: -999, or an end that comes again, far from all
/// others.
pub(super) fn mark(name: &str, column: &[f64]) -> Option<String> {
    let mut sorted = column.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (*sorted.first()?, *sorted.last()?);
    let is_mark = |end: &f64| {
        let others = || sorted.iter().filter(|x| *x != end);
        let (Some(first), Some(last)) = (others().next(), others().next_back()) else {
            return false;
        };
        let text = end.abs().to_string();
        let nines = text.len() > 1 && text.bytes().all(|byte| b"9.".contains(&byte));
        let again = column.len() - others().count() > 1;
        let gap = (first - end).max(end - last) / (last - first);
        gap.is_finite() && (nines && gap > 1.0 || again && gap > 10.0)
    };
    let found = [low, high].into_iter().find(is_mark)?;
    Some(format!(
        "`{}` holds {found}, far from all else: where it stands for no value, leave the field empty",
        shorten(name)
    ))
}

/// A number with this decimal mark, and perhaps signs between thousands.
fn number(field: &str, comma: bool) -> Option<f64> {
    match field.parse() {
        Ok(number) if !(comma && field.contains('.')) => Some(number),
        _ => grouped(field, comma),
    }
}

fn grouped(field: &str, comma: bool) -> Option<f64> {
    let [decimal, other] = if comma { [',', '.'] } else { ['.', ','] };
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
    let begins = (1..=3).contains(&first.len()) && !first.starts_with('0');
    if whole.contains(between) && !(begins && groups.all(is_group)) {
        return None;
    }
    let plain: String = whole.chars().filter(|c| !between(*c)).collect();
    let is_number = plain.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with(decimal);
    let rest = rest.replacen(decimal, ".", 1);
    is_number.then(|| format!("{sign}{plain}{rest}").parse().ok())?
}
