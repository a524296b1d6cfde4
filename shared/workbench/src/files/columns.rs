//! Columns of numbers from a table in a text file, as spreadsheets and programs write it.

use super::dates::{Order, moment, two_numbers};
use super::{as_text, line_at, read, shorten};
use crate::error::{Error, Result};
use csv::StringRecord;
use std::borrow::Cow;
use std::path::Path;

/// Columns that were read, row by row.
#[derive(Debug)]
pub struct Columns<const N: usize> {
    /// The numbers. In double precision: a time in seconds has more digits than `f32`.
    pub numbers: [Vec<f64>; N],
    /// What a reader should know of how they were read, a line each.
    pub notices: Vec<String>,
}

/// Reads columns of numbers, by name, from a table with a header. The first of them may hold dates.
///
/// | in the file | is |
/// |---|---|
/// | comma, semicolon or tab between columns | what stands between the names in the header |
/// | `1234.5`, `1,234.5`, `1 234,5`, `1.234,5` | a number; the decimal mark is one for the file |
/// | nothing, `NA`, `N/A`, `NaN`, `null`, `-` | missing: the row is left out, and counted |
/// | `2024-03-31`, `31.3.2024`, `3/31/2024` | days since the first day |
/// | a time, `12:30` or `12:30:15`, also behind a date | seconds since the first moment |
///
/// A byte-order mark, any ends of lines, quoted fields, blanks around fields and empty lines are fine;
/// columns that are not asked for are ignored.
///
/// ```
/// let file = tempfile::NamedTempFile::new()?;
/// std::fs::write(file.path(), "day;y;x\n1;0,5;2\n2;0,75;4\n")?;
/// let read = workbench::files::read_columns(file.path(), ["x", "y"])?;
/// assert_eq!(read.numbers, [vec![2.0, 4.0], vec![0.5, 0.75]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be read, is no UTF-8 text, is empty, has no row, or lacks a column; when a
/// row is not as long as the header, or a field is not a finite number.
pub fn read_columns<const N: usize>(path: &Path, names: [&str; N]) -> Result<Columns<N>> {
    let bytes = read(path)?;
    let text = as_text(path, &bytes)?;
    if text.trim().is_empty() {
        return Err(Error::file(path, "the file is empty"));
    }
    let table = Table::open(path, text, names)?;
    let mut seen = Seen::default();
    table.each(|_, fields| {
        seen.note(&fields);
        Ok(())
    })?;
    let style = seen.style(table.separator);
    let (mut numbers, mut missing, mut first) = ([const { Vec::new() }; N], 0, None);
    table.each(|record, fields| {
        if fields.iter().any(|field| is_missing(field)) {
            missing += 1;
            first = first.or_else(|| record.position().map(|place| table.line(Some(place))));
            return Ok(());
        }
        for (i, field) in fields.iter().enumerate() {
            let number = if i == 0 { style.key(field) } else { style.number(field) };
            let refuse = |reason| table.refuse(record, format!("column `{}` {reason}", names[i]));
            numbers[i].push(number.map_err(refuse)?);
        }
        Ok(())
    })?;
    if numbers[0].is_empty() {
        return Err(Error::file(
            path,
            match missing {
                0 => "there is a header, but no row of data follows it".to_owned(),
                _ => format!("`{}` are missing in every row", names.join("` or `")),
            },
        ));
    }
    let mut notices = Vec::new();
    if let Some(line) = first {
        let of = missing + numbers[0].len();
        let names = names.map(|name| format!("`{}`", shorten(name))).join(" or ");
        notices.push(format!(
            "rows left out for a missing {names}: {missing} of {of} (the first in line {line})"
        ));
    }
    notices.extend(style.notice().map(str::to_owned));
    notices.extend(style.since_the_first(names[0], &mut numbers[0]));
    Ok(Columns { numbers, notices })
}

/// What may stand between columns.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// A table with a header in which columns were found.
struct Table<'a, const N: usize> {
    path: &'a Path,
    text: Cow<'a, str>,
    separator: u8,
    places: [usize; N],
}

impl<'a, const N: usize> Table<'a, N> {
    /// Finds the columns, whatever stands between them.
    fn open(path: &'a Path, text: &'a str, names: [&str; N]) -> Result<Self> {
        let mut refused: Option<(usize, Error)> = None;
        for separator in SEPARATORS {
            let text = without_blanks_before_quotes(text, separator);
            let mut table = Table { path, text, separator, places: [0; N] };
            let mut reader = table.reader();
            let header = reader.headers().map_err(|error| table.malformed(&error))?.clone();
            drop(reader);
            let mut failed = None;
            for (place, name) in table.places.iter_mut().zip(names) {
                match find(&header, name) {
                    Ok(found) => *place = found,
                    Err(reason) => failed = failed.or(Some(reason)),
                }
            }
            let Some(reason) = failed else { return Ok(table) };
            if refused.as_ref().is_none_or(|(columns, _)| header.len() > *columns) {
                refused = Some((header.len(), table.refuse(&header, reason)));
            }
        }
        Err(refused.expect("three were tried").1)
    }

    fn reader(&self) -> csv::Reader<&[u8]> {
        csv::ReaderBuilder::new().delimiter(self.separator).from_reader(self.text.as_bytes())
    }

    /// Hands on the fields of every row.
    fn each(&self, mut row: impl FnMut(&StringRecord, [&str; N]) -> Result<()>) -> Result<()> {
        let (mut reader, mut record) = (self.reader(), StringRecord::new());
        while reader.read_record(&mut record).map_err(|error| self.malformed(&error))? {
            self.must_be_closed(&record, reader.position())?;
            row(&record, self.places.map(|place| record[place].trim()))?;
        }
        Ok(())
    }

    /// A quote that is opened and not closed swallows all rows behind it.
    fn must_be_closed(&self, record: &StringRecord, end: &csv::Position) -> Result<()> {
        let goes_on = || record.iter().any(|field| field.contains(['\n', '\r']));
        match end.byte() as usize >= self.text.len()
            && goes_on()
            && !self.text.trim_end().ends_with('"')
        {
            true => {
                Err(self
                    .refuse(record, "a quotation mark that opens here is never closed".to_owned()))
            }
            false => Ok(()),
        }
    }

    /// An error in the line of a record.
    fn refuse(&self, record: &StringRecord, reason: String) -> Error {
        Error::line(self.path, self.line(record.position()), reason)
    }

    fn malformed(&self, error: &csv::Error) -> Error {
        match error.kind() {
            csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
                let reason =
                    format!("the number of fields is {len}, but the header has {expected_len}");
                Error::line(self.path, self.line(pos.as_ref()), reason)
            }
            _ => Error::file(self.path, error),
        }
    }

    /// The line a row stands on. The reader's own count stops before empty lines that it skips.
    fn line(&self, position: Option<&csv::Position>) -> u64 {
        let text = &self.text;
        let start = position.map_or(0, |position| position.byte() as usize).min(text.len());
        let skipped = text.len() - start - text[start..].trim_start_matches(['\r', '\n']).len();
        line_at(text.as_bytes(), start + skipped)
    }
}

/// The place of a column in the header.
fn find(header: &StringRecord, name: &str) -> Result<usize, String> {
    let mut places = (0..header.len()).filter(|i| header[*i].trim() == name);
    match (places.next(), places.next()) {
        (Some(place), None) => Ok(place),
        (Some(_), Some(_)) => Err(format!("the header names column `{name}` twice")),
        (None, _) => Err(no_column(header, name)),
    }
}

fn no_column(header: &StringRecord, name: &str) -> String {
    const SHOWN: usize = 10;
    let name = shorten(name);
    let quoted = |name: &str| format!("`{}`", shorten(name.trim()));
    if header.len() == 1 {
        let only = quoted(&header[0]);
        let hint = "between columns stand commas, semicolons or tabs";
        return format!("there is no column `{name}`; the only column is {only} ({hint})");
    }
    let mut known: Vec<String> = header.iter().take(SHOWN).map(quoted).collect();
    if let Some(more @ 1..) = header.len().checked_sub(SHOWN) {
        known.push(format!("and {more} more"));
    }
    format!("there is no column `{name}`; the columns are {}", known.join(", "))
}

/// The text with quotes right behind what separates columns, where some programs put a blank between.
fn without_blanks_before_quotes(text: &str, separator: u8) -> Cow<'_, str> {
    let separator = separator as char;
    if !text.contains(&format!("{separator} ")) || !text.contains(" \"") {
        return text.into();
    }
    let (mut fixed, mut quoted, mut begins) = (String::with_capacity(text.len()), false, true);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let behind = rest.trim_start_matches(' ');
        if begins && !quoted && c == ' ' && behind.starts_with('"') {
            rest = behind;
            continue;
        }
        quoted ^= c == '"' && (quoted || begins);
        begins = [separator, '\n', '\r'].contains(&c);
        fixed.push(c);
        rest = &rest[c.len_utf8()..];
    }
    fixed.into()
}

/// Whether nothing was measured.
fn is_missing(field: &str) -> bool {
    const WORDS: [&str; 8] = ["", "-", "–", "na", "n/a", "#n/a", "nan", "null"];
    WORDS.iter().any(|word| field.eq_ignore_ascii_case(word))
}

/// What the fields of a table let see of how numbers and dates are written in it.
#[derive(Default)]
struct Seen {
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
    fn note<const N: usize>(&mut self, fields: &[&str; N]) {
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

    fn style(&self, separator: u8) -> Style {
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
struct Style {
    dates: bool,
    /// Of dates in which either number may be the day; `None`: nothing tells.
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
    fn key(&self, field: &str) -> Result<f64, String> {
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
    fn number(&self, field: &str) -> Result<f64, String> {
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
    fn notice(&self) -> Option<&'static str> {
        match (self.comma, self.thousands) {
            (true, _) => Some("numbers have decimal commas: 1,5 is one and a half"),
            (_, true) => Some("numbers have commas between thousands: 1,234 is 1234"),
            _ if self.points => Some("numbers have decimal points: 1.234 is little more than 1"),
            _ => None,
        }
    }

    /// Makes seconds of the first column days, or seconds since the first; and says so.
    fn since_the_first(&self, name: &str, keys: &mut [f64]) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(bytes: &[u8]) -> Result<Columns<2>, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let path = file.path().display().to_string();
        read_columns(file.path(), ["x", "y"])
            .map_err(|error| error.to_string().replace(&path, "FILE"))
    }

    #[test]
    fn what_spreadsheets_write_is_read() {
        let cases: [(&str, [Vec<f64>; 2]); 10] = [
            (
                "\u{feff}time,y,x\r\n\"a, b\",\"1.5\", 2\r\n\r\n,-1e-3,\"4\"\r\n",
                [vec![2.0, 4.0], vec![1.5, -1e-3]],
            ),
            ("x,y\r1,2\r3,4\r", [vec![1.0, 3.0], vec![2.0, 4.0]]),
            ("who;x;y\n;1;0,5\n;-2,25;1,5E+03\n", [vec![1.0, -2.25], vec![0.5, 1500.0]]),
            ("x\ty\n1\t0,5\n2\t1.234,5\n", [vec![1.0, 2.0], vec![0.5, 1234.5]]),
            ("x;y\n1;1,234\n2;2,5\n", [vec![1.0, 2.0], vec![1.234, 2.5]]),
            ("x, y\n1, \"1,234\"\n2, \"2,345,678.5\"\n", [vec![1.0, 2.0], vec![1234.0, 2345678.5]]),
            ("x;y\n1;1\u{202f}234,5\n2;12'000\n", [vec![1.0, 2.0], vec![1234.5, 12_000.0]]),
            ("x;y\n1;0.123\n2;1.234\n", [vec![1.0, 2.0], vec![0.123, 1.234]]),
            ("x,y\n1,NA\n2,-\n,3\nnan,4\n5,6\n", [vec![5.0], vec![6.0]]),
            ("a,x,y\n\"say \"\"1, 2\"\"\", \"1\",2\n", [vec![1.0], vec![2.0]]),
        ];
        for (text, numbers) in cases {
            assert_eq!(columns(text.as_bytes()).unwrap().numbers, numbers, "{text}");
        }
    }

    #[test]
    fn dates_are_days_or_seconds_since_the_first() {
        let read = |text: &str| columns(text.as_bytes()).map(|read| read.numbers[0].clone());
        assert_eq!(read("x,y\n2024-03-01,1\n2024-02-28,2\n").unwrap(), [2.0, 0.0]);
        assert_eq!(read("x;y\n28.2.2023;1\n1.3.2023;2\n").unwrap(), [0.0, 1.0]);
        assert_eq!(read("x,y\n3/4/2024,1\n3/31/2024,2\n").unwrap(), [0.0, 27.0]);
        assert_eq!(read("x,y\n3/4/2024,1\n31/3/2024,2\n").unwrap(), [3.0, 0.0]);
        assert_eq!(read("x,y\n23:59,1\n00:01:30,2\n").unwrap(), [86_250.0, 0.0]);
        assert_eq!(
            read("x,y\n2024-02-28T12:00Z,1\n2024-02-29 12:00,2\n").unwrap(),
            [0.0, 86_400.0]
        );
    }

    #[test]
    fn how_it_was_read_is_told() {
        let told = |text: &str| columns(text.as_bytes()).unwrap().notices;
        assert!(told("x,y\n1,2\n2,1.234\n").is_empty());
        let points = "numbers have decimal points: 1.234 is little more than 1";
        assert_eq!(told("x;y\n1;900\n2;1.050\n"), [points]);
        assert_eq!(
            told("x\ty\n1\t1,234\n")[0],
            "numbers have commas between thousands: 1,234 is 1234"
        );
        assert_eq!(
            told("x;y\n\n2024-01-02;\n2024-01-01;1,5\n"),
            [
                "rows left out for a missing `x` or `y`: 1 of 2 (the first in line 3)",
                "numbers have decimal commas: 1,5 is one and a half",
                "`x` holds dates or times: days since the first of them",
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let many: String = (0..100_000).map(|i| format!("a,{i}")).collect();
        let cases: [(&[u8], &str); 22] = [
            (b"", "FILE: the file is empty"),
            (b" \r\n\n", "FILE: the file is empty"),
            (b"x,y\n", "FILE: there is a header, but no row of data follows it"),
            (b"x,y\n1,\n,2\n", "FILE: `x` or `y` are missing in every row"),
            (b"x,z, t\n1,2,3\n", "FILE:1: there is no column `y`; the columns are `x`, `z`, `t`"),
            (b"x,y,x\n1,2,3\n", "FILE:1: the header names column `x` twice"),
            (
                b"x y\n1 2\n",
                "FILE:1: there is no column `x`; the only column is `x y` (between columns stand \
                 commas, semicolons or tabs)",
            ),
            (b"x,y\n1,2\n3\n", "FILE:3: the number of fields is 1, but the header has 2"),
            (b"x,y\n1,2,3\n", "FILE:2: the number of fields is 3, but the header has 2"),
            (
                b"x,y,z\n1,2,\n2,3,\"5 inch\n3,4,ok\n",
                "FILE:3: a quotation mark that opens here is never closed",
            ),
            (b"x,y\n\n1,two\n", "FILE:3: column `y` holds `two`, which is not a number"),
            (b"x;y\n1;1,5\n2;1.5\n", "FILE:3: column `y` holds `1.5`, which is not a number"),
            (b"x,y\n1,-inf\n", "FILE:2: column `y` holds `-inf`, a finite number is needed"),
            (b"x,y\n1,1e999\n", "FILE:2: column `y` holds `1e999`, a finite number is needed"),
            (
                b"x,y\n3/4/2024,1\n",
                "FILE:2: column `x` holds `3/4/2024`: is the day or the month first? (write the year \
                 first, as in 2024-03-31)",
            ),
            (b"x,y\n1,2\n1,\xff\n", "FILE:3: this is not valid UTF-8 text"),
            (b"x,y\n1,2\n\0\0", "FILE:3: a zero byte: this is not a text file"),
            (b"x,y\r1,2\r\r3,two\r", "FILE:4: column `y` holds `two`, which is not a number"),
            (b"\n\r\nx,z\n1,2\n", "FILE:3: there is no column `y`; the columns are `x`, `z`"),
            (b"x,y\r1,\xff", "FILE:2: this is not valid UTF-8 text"),
            (
                b"x,y\n12:30,1\nnoon,2\n",
                "FILE:3: column `x` holds `noon`, which is not a date or time as the first one in \
                 this column",
            ),
            (
                many.as_bytes(),
                "FILE:1: there is no column `x`; the columns are `a`, `0a`, `1a`, `2a`, `3a`, `4a`, \
                 `5a`, `6a`, `7a`, `8a`, and 99991 more",
            ),
        ];
        for (bytes, message) in cases {
            assert_eq!(columns(bytes).unwrap_err(), message);
        }
    }
}
