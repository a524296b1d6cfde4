//! Pairs of sentences from files.

use super::pair_columns::{Columns, is_number, must_not_be_numbers};
use super::{Pair, Tokenizer};
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::files::{Fault, Lines, shorten};
use workbench::memory::{free_memory, readable};
use workbench::program::counted;

/// The pairs of a file, and what was left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// The pairs, in the order of the file; none comes twice.
    pub pairs: Vec<Pair>,
    /// Lines without any text.
    pub empty_lines: usize,
    /// Pairs left out since the same words, on both sides, came before.
    pub duplicates: usize,
    /// Pairs left out since one of the sentences has too many words.
    pub long: usize,
    /// How many words were not yet too many.
    pub max_words: usize,
    /// Columns of a file with more than two, of which the first two were read unasked.
    pub columns: Option<usize>,
    /// Lines, or pairs of lines, left out since something was wrong with them, by what it was.
    pub bad: BTreeMap<&'static str, usize>,
}

impl Pairs {
    /// One line that says what was left out, when anything was, and which columns were read.
    ///
    /// ```
    /// use corpora::Pairs;
    /// let pairs = Pairs { empty_lines: 1, long: 2, max_words: 100, ..Pairs::default() };
    /// let notice = pairs.notice().unwrap();
    /// assert_eq!(notice, "left out: 1 empty line, 2 pairs of more than 100 words");
    /// assert_eq!(Pairs::default().notice(), None);
    /// ```
    pub fn notice(&self) -> Option<String> {
        let count = |count: usize, noun: &str, end: &str| {
            (count > 0).then(|| format!("{}{end}", counted(count, noun)))
        };
        let long = format!(" of more than {} words", self.max_words);
        let counts = [
            count(self.empty_lines, "empty line", ""),
            count(self.duplicates, "pair", " that came before"),
            count(self.long, "pair", &long),
        ];
        let bad = self.bad.iter();
        let bad = bad.filter_map(|(kind, lines)| count(*lines, "bad line", &format!(" ({kind})")));
        let counts: Vec<String> = counts.into_iter().flatten().chain(bad).collect();
        let left_out = (!counts.is_empty()).then(|| format!("left out: {}", counts.join(", ")));
        let told = self.columns.map(|count| {
            format!(
                "columns 1 and 2 of {count} are sentence and translation (--columns says others)"
            )
        });
        let notices: Vec<String> = told.into_iter().chain(left_out).collect();
        (!notices.is_empty()).then(|| notices.join("; "))
    }
}

/// How files of pairs are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Pairs with a longer sentence are left out: a recurrent network keeps a state for each word, and one
    /// sentence of 10,000 words would take the memory and the time of thousands.
    pub max_words: usize,
    /// What lines become.
    pub tokenizer: Tokenizer,
    /// The columns of sentence and translation in one file, from 1; the first two by default.
    pub columns: Option<[usize; 2]>,
    /// Whether lines that cannot be read are left out and counted, instead of ending everything.
    pub skip_bad: bool,
}

impl Reading {
    /// Reads by the course's own rules.
    pub fn new(max_words: usize) -> Reading {
        Reading { max_words, tokenizer: Tokenizer::Course, columns: None, skip_bad: false }
    }
}

/// Reads pairs that are learnt from: of one file, lines `sentence⇥translation`, as the exports of
/// Tatoeba have them; of two files, a sentence a line, the second the translations of the first.
///
/// A third column is ignored, of four and more two must be named; and every line must have as many as the
/// first: else a lost tab would make a licence a translation. A byte-order mark, CRLF line ends and any kind of blank are
/// fine. Empty lines, pairs that came before and pairs with too long a sentence are left out and counted.
///
/// ```
/// let file = tempfile::NamedTempFile::new()?;
/// std::fs::write(file.path(), "Run!\tCours !\tCC-BY\r\n\r\nIt's me.\tC'est moi.\tCC-BY\r\n")?;
/// let read = corpora::read_pairs(&[file.path().to_owned()], corpora::Reading::new(100))?;
/// assert_eq!(read.pairs[0].source, ["run", "!"]);
/// assert_eq!(read.pairs[1].target, ["c'", "est", "moi", "."]);
/// assert_eq!((read.pairs.len(), read.empty_lines), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a file cannot be read or is no ordinary file; when a line has not the columns, no word on one side,
/// or another number of columns than the first, is not UTF-8, or is longer than a mebibyte; when the column
/// of sentences or translations has nothing but numbers, and nobody said that it is that column; of two
/// files when only one of two lines is empty, or one has more lines than the other (empty ones at the end
/// do not count); when no pair is left, when there are no files or more than two.
pub fn read_pairs(paths: &[PathBuf], reading: Reading) -> Result<Pairs> {
    Collected::new(reading, false).of(paths, "--data")
}

/// Reads files to judge by, which the argument of this name gave: as [`read_pairs`], but no pair is left out.
/// One that came before comes again, and a long one or a bad line is an error.
///
/// # Errors
/// Those of [`read_pairs`], and when a sentence has more than `max_words`.
pub fn read_whole(paths: &[PathBuf], name: &str, reading: Reading) -> Result<Pairs> {
    Collected::new(Reading { skip_bad: false, ..reading }, true).of(paths, name)
}

/// From here on the longer file must be empty: else the first line too many, and both counts, are
/// told.
fn no_more_text(
    longer: &mut Lines,
    line: std::result::Result<String, Fault>,
    shorter: &Lines,
) -> Result<()> {
    let mut line = Some(line);
    let (mut first, mut last) = (None, 0);
    while let Some(text) = line {
        if text.is_ok_and(|text| !text.trim().is_empty()) {
            last = longer.number;
            first.get_or_insert(last);
        }
        line = longer.next_or_fault()?;
    }
    let Some(first) = first else { return Ok(()) };
    let (ended, count) = (shorter.path.display(), shorter.number);
    let reason = format!(
        "no line of {ended} belongs to this one: that file has {count} lines, this one {last}"
    );
    Err(Error::line(longer.path, first, reason))
}

/// Pairs so far.
struct Collected {
    pairs: Pairs,
    reading: Reading,
    /// Whether none may be left out.
    whole: bool,
    seen: HashSet<[u64; 2]>,
    /// Bytes that they take, about, and that they may take.
    bytes: u64,
    limit: u64,
}

/// Words of a sentence, those of its translation, and this as it was written.
type Cut<'a> = (Vec<String>, Vec<String>, &'a str);

impl Collected {
    fn new(reading: Reading, whole: bool) -> Collected {
        let pairs = Pairs { max_words: reading.max_words, ..Pairs::default() };
        let limit = free_memory().unwrap_or(u64::MAX);
        Collected { pairs, reading, whole, seen: HashSet::new(), bytes: 0, limit }
    }

    fn of(self, paths: &[PathBuf], name: &str) -> Result<Pairs> {
        match (paths, self.reading.columns) {
            ([pairs], _) => self.pairs_of(pairs),
            ([source, target], None) => self.parallel_of(source, target),
            ([_, _], Some(_)) => {
                Err(Error::argument(format!("--columns are those of one file; {name} has two")))
            }
            _ => Err(Error::argument(format!(
                "{name} takes one file of tab-separated pairs or two files, not {}",
                paths.len()
            ))),
        }
    }

    fn pairs_of(mut self, path: &Path) -> Result<Pairs> {
        let mut lines = Lines::open(path)?;
        let mut first: Option<Columns> = None;
        let mut numbers = [0; 2]; // lines that have nothing else in the two columns
        let mut read = 0;
        while let Some(line) = lines.next_or_fault()? {
            if line.as_ref().is_ok_and(|line| line.trim().is_empty()) {
                self.pairs.empty_lines += 1;
                continue;
            }
            let cut = match &line {
                Ok(line) => self.cut(line, lines.number, &mut first).map(|(chosen, cut)| {
                    numbers = [0, 1].map(|i| numbers[i] + usize::from(is_number(chosen[i])));
                    cut
                }),
                Err(fault) => Err(fault.clone()),
            };
            match cut {
                Ok((source, target, written)) => {
                    read += 1;
                    self.add(source, target, written).map_err(|reason| lines.refuse(reason))?;
                }
                Err(fault) => self.leave_out(fault, &lines)?,
            }
        }
        if let Some(first) = first.filter(|_| self.reading.columns.is_none()) {
            self.pairs.columns = Some(first.count).filter(|count| *count > 2);
            must_not_be_numbers(path, &first, numbers.map(|count| count == read && read > 1))?;
        }
        self.finish(path)
    }

    /// The two columns of a line, and the words of both.
    fn cut<'a>(
        &self,
        line: &'a str,
        number: u64,
        first: &mut Option<Columns>,
    ) -> std::result::Result<([&'a str; 2], Cut<'a>), Fault> {
        let fault =
            |kind, reason: &str| Err(Fault::new(kind, format!("{reason}: `{}`", shorten(line))));
        let columns: Vec<&str> = line.split('\t').collect();
        let wanted = self.reading.columns.unwrap_or([1, 2]);
        let [Some(source), Some(target)] = wanted.map(|column| columns.get(column - 1).copied())
        else {
            let needed = "one column; a sentence, a tab and its translation are needed";
            return match (self.reading.columns, columns.len()) {
                (None, _) => fault("one column", needed),
                (Some([a, b]), n) => {
                    fault("too few columns", &format!("columns {a} and {b} of {n}"))
                }
            };
        };
        let count = columns.len();
        let expected = first.get_or_insert_with(|| Columns::of(&columns, number));
        if expected.count > 3 && self.reading.columns.is_none() {
            let reason = format!(
                "{} columns: say which are sentence and translation ({}?)",
                expected.count,
                expected.proposal()
            );
            return Err(Fault { kind: "unknown columns", reason });
        }
        if count != expected.count {
            let Columns { count: expected, number, .. } = expected;
            let reason = format!("{count} columns, but line {number} has {expected}");
            return fault("other number of columns", &reason);
        }
        let words = [source, target].map(|text| self.reading.tokenizer.tokenize(text));
        match words {
            [source, _] if source.is_empty() => fault("no words", "no words before the tab"),
            [_, target] if target.is_empty() => {
                fault("no words", "no words of a translation after the tab")
            }
            [source_words, target_words] => {
                Ok(([source, target], (source_words, target_words, target)))
            }
        }
    }

    /// Counts a line that cannot be used, if such lines may be left out.
    fn leave_out(&mut self, fault: Fault, lines: &Lines) -> Result<()> {
        if !self.reading.skip_bad {
            return Err(lines.refuse(fault.reason));
        }
        *self.pairs.bad.entry(fault.kind).or_default() += 1;
        Ok(())
    }

    fn parallel_of(mut self, source: &Path, target: &Path) -> Result<Pairs> {
        let (mut sources, mut targets) = (Lines::open(source)?, Lines::open(target)?);
        loop {
            let (line, translation) = match (sources.next_or_fault()?, targets.next_or_fault()?) {
                (None, None) => break,
                (Some(line), None) => {
                    no_more_text(&mut sources, line, &targets)?;
                    break;
                }
                (None, Some(line)) => {
                    no_more_text(&mut targets, line, &sources)?;
                    break;
                }
                (Some(line), Some(translation)) => (line, translation),
            };
            let (line, written) = match (line, translation) {
                (Ok(line), Ok(translation)) => (line, translation),
                (Err(fault), _) => {
                    self.leave_out(fault, &sources)?;
                    continue;
                }
                (_, Err(fault)) => {
                    self.leave_out(fault, &targets)?;
                    continue;
                }
            };
            let [words, translation] =
                [&line, &written].map(|text| self.reading.tokenizer.tokenize(text));
            let only = |other: &Path| {
                let reason =
                    format!("an empty line, but the same line of {} has words", other.display());
                Fault::new("no words", reason)
            };
            match (words.is_empty(), translation.is_empty()) {
                (false, false) => self
                    .add(words, translation, &written)
                    .map_err(|reason| sources.refuse(reason))?,
                (true, true) => self.pairs.empty_lines += 1,
                (true, false) => self.leave_out(only(target), &sources)?,
                (false, true) => self.leave_out(only(source), &targets)?,
            }
        }
        self.finish(source)
    }

    /// # Errors
    /// With the reason, when no memory is left for more, or a pair may not be left out.
    fn add(
        &mut self,
        source: Vec<String>,
        target: Vec<String>,
        written: &str,
    ) -> std::result::Result<(), String> {
        const WORD: u64 = 48; // its letters, the vector that holds it, and its number later
        let words = source.len().max(target.len());
        let most = self.pairs.max_words;
        if words > most && self.whole {
            return Err(format!("a sentence of {words} words; {most} are the most here"));
        } else if words > most {
            self.pairs.long += 1;
        } else if self.whole || self.seen.insert(name(&source, &target)) {
            self.bytes += (source.len() + target.len()) as u64 * WORD + written.len() as u64;
            let written = Some(written.trim().to_owned());
            self.pairs.pairs.push(Pair { source, target, alignment: None, written });
        } else {
            self.pairs.duplicates += 1;
        }
        if self.bytes <= self.limit {
            return Ok(());
        }
        Err(format!(
            "the {} pairs up to here take the {} of memory that were free",
            self.pairs.pairs.len(),
            readable(self.limit)
        ))
    }

    fn finish(self, path: &Path) -> Result<Pairs> {
        match self.pairs.notice() {
            _ if !self.pairs.pairs.is_empty() => Ok(self.pairs),
            None => Err(Error::file(path, "the file is empty")),
            Some(notice) => Err(Error::file(path, format!("no pair can be used; {notice}"))),
        }
    }
}

/// 128 bits that two different pairs do not share, for all practical purposes: much smaller than a
/// copy of the pair.
fn name(source: &[String], target: &[String]) -> [u64; 2] {
    [0u8, 1].map(|half| {
        let mut hasher = DefaultHasher::new();
        (half, source, target).hash(&mut hasher);
        hasher.finish()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_memory_can_hold_is_not_read() {
        let words = |count: usize| vec!["word".to_owned(); count];
        let mut collected =
            Collected { limit: 48 * 100, ..Collected::new(Reading::new(50), false) };
        assert_eq!(collected.add(words(50), words(50), ""), Ok(()));
        let told = collected.add(words(1), words(2), "").unwrap_err();
        assert_eq!(told, "the 2 pairs up to here take the 4.7 KiB of memory that were free");
    }
}
