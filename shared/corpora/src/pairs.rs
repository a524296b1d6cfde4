//! Pairs of sentences from files.

use super::lines::Lines;
use super::{Case, Pair, tokenize_as};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::files::shorten;
use workbench::memory::{free_memory, readable};

/// The longest sentence that chapters train on, in words: a recurrent network keeps a state for
/// each word, and one sentence of 10,000 words would take the memory and the time of thousands.
pub const MAX_WORDS: usize = 100;

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
}

impl Pairs {
    /// One line that says what was left out, when anything was.
    ///
    /// ```
    /// use corpora::Pairs;
    /// let pairs = Pairs { empty_lines: 1, long: 2, max_words: 100, ..Pairs::default() };
    /// let notice = pairs.notice().unwrap();
    /// assert_eq!(notice, "left out: 1 empty line, 2 pairs of more than 100 words");
    /// assert_eq!(Pairs::default().notice(), None);
    /// ```
    pub fn notice(&self) -> Option<String> {
        let count = |count: usize, one: &str, more: &str, end: &str| {
            let noun = if count == 1 { one } else { more };
            (count > 0).then(|| format!("{count} {noun}{end}"))
        };
        let long = format!(" of more than {} words", self.max_words);
        let counts = [
            count(self.empty_lines, "empty line", "empty lines", ""),
            count(self.duplicates, "pair", "pairs", " that came before"),
            count(self.long, "pair", "pairs", &long),
        ];
        let counts: Vec<String> = counts.into_iter().flatten().collect();
        (!counts.is_empty()).then(|| format!("left out: {}", counts.join(", ")))
    }
}

/// Reads a file of lines `sentence⇥translation`, as the exports of Tatoeba have them. Further columns
/// (their licences) are ignored, but every line must have as many as the first: else a lost tab
/// would make a licence a translation. Sentences are [`crate::tokenize`]d.
///
/// A byte-order mark, CRLF line ends and any kind of blank are fine. Empty lines, pairs that
/// came before and pairs with a sentence of more than `max_words` words ([`MAX_WORDS`] is a good
/// limit) are left out and counted.
///
/// ```
/// let file = tempfile::NamedTempFile::new()?;
/// std::fs::write(file.path(), "Run!\tCours !\tCC-BY\r\n\r\nIt's me.\tC'est moi.\tCC-BY\r\n")?;
/// let read = corpora::read_pairs(file.path(), 100)?;
/// assert_eq!(read.pairs[0].source, ["run", "!"]);
/// assert_eq!(read.pairs[1].target, ["c'", "est", "moi", "."]);
/// assert_eq!((read.pairs.len(), read.empty_lines), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be read or is no ordinary file; when a line has no tab, no word on one side
/// of it, or another number of columns than the first, is not UTF-8, or is longer than a mebibyte;
/// when no pair is left.
pub fn read_pairs(path: &Path, max_words: usize) -> Result<Pairs> {
    Collected::new(max_words).pairs_of(path)
}

/// Reads two files of which each has a sentence a line, the second the translations of the first.
/// Else as [`read_pairs`].
///
/// # Errors
/// As [`read_pairs`], and when only one of two lines is empty, or one file has more lines than the
/// other; empty lines at the end do not count.
pub fn read_parallel(source: &Path, target: &Path, max_words: usize) -> Result<Pairs> {
    Collected::new(max_words).parallel_of(source, target)
}

/// From here on the longer file must be empty: else the first line too many, and both counts, are
/// told.
fn no_more_text(longer: &mut Lines, line: &str, shorter: &Lines) -> Result<()> {
    let mut line = Some(line.to_owned());
    let (mut first, mut last) = (None, 0);
    while let Some(text) = line {
        if !text.trim().is_empty() {
            last = longer.number;
            first.get_or_insert(last);
        }
        line = longer.next()?;
    }
    let Some(first) = first else { return Ok(()) };
    let (ended, count) = (shorter.path.display(), shorter.number);
    let reason = format!(
        "no line of {ended} belongs to this one: that file has {count} lines, this one {last}"
    );
    Err(Error::line(longer.path, first, reason))
}

/// Reads what `--data` names: one file as [`read_pairs`], two files as [`read_parallel`], with their
/// capital letters or without.
///
/// # Errors
/// As those, and when there are no files or more than two.
pub fn read_data(paths: &[PathBuf], max_words: usize, case: Case) -> Result<Pairs> {
    read(paths, "--data", Collected { case, ..Collected::new(max_words) })
}

/// Reads files to judge by, which the argument of this name gave: as [`read_data`], but no pair is
/// left out. One that came before comes again, and a long one is an error.
///
/// # Errors
/// As [`read_data`], and when a sentence has more than `most_words`.
pub fn read_whole(paths: &[PathBuf], name: &str, most_words: usize, case: Case) -> Result<Pairs> {
    read(paths, name, Collected { whole: true, case, ..Collected::new(most_words) })
}

fn read(paths: &[PathBuf], name: &str, collected: Collected) -> Result<Pairs> {
    match paths {
        [pairs] => collected.pairs_of(pairs),
        [source, target] => collected.parallel_of(source, target),
        _ => Err(Error::argument(format!(
            "{name} takes one file of tab-separated pairs or two files, not {}",
            paths.len()
        ))),
    }
}

/// Pairs so far.
struct Collected {
    pairs: Pairs,
    /// Whether none may be left out.
    whole: bool,
    /// Whether capital letters stay.
    case: Case,
    seen: HashSet<[u64; 2]>,
    /// Bytes that they take, about, and that they may take.
    bytes: u64,
    limit: u64,
}

impl Collected {
    fn new(max_words: usize) -> Collected {
        let pairs = Pairs { max_words, ..Pairs::default() };
        let limit = free_memory().unwrap_or(u64::MAX);
        Collected { pairs, whole: false, case: Case::Lower, seen: HashSet::new(), bytes: 0, limit }
    }

    fn pairs_of(mut self, path: &Path) -> Result<Pairs> {
        let mut lines = Lines::open(path)?;
        let mut first: Option<(usize, u64)> = None; // columns, and the line that has them
        while let Some(line) = lines.next()? {
            if line.trim().is_empty() {
                self.pairs.empty_lines += 1;
                continue;
            }
            let found = shorten(&line);
            let refuse = |reason: &str| Err(lines.refuse(format!("{reason}: `{found}`")));
            let Some((source, rest)) = line.split_once('\t') else {
                return refuse("one column; a sentence, a tab and its translation are needed");
            };
            let columns = 1 + rest.split('\t').count();
            let (expected, number) = *first.get_or_insert((columns, lines.number));
            if columns != expected {
                return refuse(&format!("{columns} columns, but line {number} has {expected}"));
            }
            let target = rest.split('\t').next().unwrap_or(rest);
            let (source, written) = (tokenize_as(source, self.case), target);
            let target = tokenize_as(written, self.case);
            if source.is_empty() {
                return refuse("no words before the tab");
            } else if target.is_empty() {
                return refuse("no words of a translation behind the tab");
            }
            self.add(source, target, written).map_err(|reason| lines.refuse(reason))?;
        }
        self.finish(path)
    }

    fn parallel_of(mut self, source: &Path, target: &Path) -> Result<Pairs> {
        let (mut sources, mut targets) = (Lines::open(source)?, Lines::open(target)?);
        loop {
            let (line, translation) = match (sources.next()?, targets.next()?) {
                (None, None) => break,
                (Some(line), None) => {
                    no_more_text(&mut sources, &line, &targets)?;
                    break;
                }
                (None, Some(line)) => {
                    no_more_text(&mut targets, &line, &sources)?;
                    break;
                }
                (Some(line), Some(translation)) => (tokenize_as(&line, self.case), translation),
            };
            let words = tokenize_as(&translation, self.case);
            let (written, translation) = (translation.as_str(), words);
            let only = |path: &Path| {
                format!("an empty line, but the same line of {} has words", path.display())
            };
            match (line.is_empty(), translation.is_empty()) {
                (false, false) => {
                    self.add(line, translation, written)
                        .map_err(|reason| sources.refuse(reason))?;
                }
                (true, true) => self.pairs.empty_lines += 1,
                (true, false) => return Err(sources.refuse(only(target))),
                (false, true) => return Err(targets.refuse(only(source))),
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
        let (words, most) = (source.len().max(target.len()), self.pairs.max_words);
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
        match self.bytes > self.limit {
            false => Ok(()),
            true => Err(format!(
                "the {} pairs up to here take the {} of memory that were free",
                self.pairs.pairs.len(),
                readable(self.limit)
            )),
        }
    }

    fn finish(self, path: &Path) -> Result<Pairs> {
        match (self.pairs.pairs.is_empty(), self.pairs.notice()) {
            (false, _) => Ok(self.pairs),
            (true, None) => Err(Error::file(path, "the file is empty")),
            (true, Some(notice)) => {
                Err(Error::file(path, format!("no pair can be used; {notice}")))
            }
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
    use crate::lines::MAX_BYTES;

    /// A folder with the files `a` and `b`, gone when dropped.
    struct Folder(tempfile::TempDir);

    impl Folder {
        fn with(files: &[(&str, &[u8])]) -> Folder {
            let folder = tempfile::tempdir().unwrap();
            for (name, bytes) in files {
                std::fs::write(folder.path().join(name), bytes).unwrap();
            }
            Folder(folder)
        }

        /// The result as `source = target` lines, or the message, with paths cut to names.
        fn read(&self, names: &[&str], max_words: usize) -> std::result::Result<Pairs, String> {
            let paths: Vec<PathBuf> = names.iter().map(|name| self.0.path().join(name)).collect();
            let folder = format!("{}/", self.0.path().display());
            read_data(&paths, max_words, Case::Lower)
                .map_err(|error| error.to_string().replace(&folder, ""))
        }
    }

    fn lines(pairs: &[Pair]) -> Vec<String> {
        pairs
            .iter()
            .map(|pair| format!("{} = {}", pair.source.join(" "), pair.target.join(" ")))
            .collect()
    }

    #[test]
    fn what_tatoeba_and_spreadsheets_write_is_read() {
        let text = "\u{feff}Go.\tVa\u{202f}!\tCC-BY\r\n\r\n \t\t\r\nGO .\tva !\t\r\nGo.\tMarche.\t\r\none two three\tun\t\r\nun\tone two three\t\r\nHi.\tSalut.\tCC-BY";
        let folder = Folder::with(&[("a", text.as_bytes())]);
        let read = folder.read(&["a"], 2).unwrap();
        assert_eq!(lines(&read.pairs), ["go . = va !", "go . = marche .", "hi . = salut ."]);
        assert_eq!((read.empty_lines, read.duplicates, read.long), (2, 1, 2));
        assert_eq!(
            read.notice().unwrap(),
            "left out: 2 empty lines, 1 pair that came before, 2 pairs of more than 2 words"
        );
        assert!(read.pairs.iter().all(|pair| pair.alignment.is_none()));
        let written = read.pairs.iter().map(|pair| pair.written.as_deref().unwrap());
        assert!(written.eq(["Va\u{202f}!", "Marche.", "Salut."]));
    }

    #[test]
    fn two_files_are_read_side_by_side() {
        let folder = Folder::with(&[
            ("a", "\u{feff}Go.\r\n\r\nHi.\r\nGo.\n\n\n".as_bytes()),
            ("b", "\u{feff}Va\u{a0}!\n\u{202f}\nSalut.\nVa !".as_bytes()),
        ]);
        let read = folder.read(&["a", "b"], 9).unwrap();
        assert_eq!(lines(&read.pairs), ["go . = va !", "hi . = salut ."]);
        assert_eq!((read.empty_lines, read.duplicates, read.long), (1, 1, 0));
        assert_eq!(folder.read(&["b", "a"], 9).unwrap().pairs.len(), 2);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let long = [b"a\tb\n".as_slice(), &vec![b'x'; MAX_BYTES + 1], b"\ty"].concat();
        let cases: [(&[u8], &str); 15] = [
            (b"", "a: the file is empty"),
            (b"\r\n \n", "a: no pair can be used; left out: 2 empty lines"),
            (b"a b c\td\n", "a: no pair can be used; left out: 1 pair of more than 2 words"),
            (
                b"a\tb\n\nc\n",
                "a:3: one column; a sentence, a tab and its translation are needed: `c`",
            ),
            (b"\na\tb\tby\nc\tby\n", "a:3: 2 columns, but line 2 has 3: `c by`"),
            (b"a\tb\nc\td\te\n", "a:2: 3 columns, but line 1 has 2: `c d e`"),
            (b"a\t \tx", "a:1: no words of a translation behind the tab: `a   x`"),
            (b"a\t", "a:1: no words of a translation behind the tab: `a `"),
            (b"a\tb\n\tc", "a:2: no words before the tab: ` c`"),
            (b"a\tb\r\n\xff\tb", "a:2: this is not valid UTF-8 text"),
            (b"a\tb\n\xe2\x80", "a:2: this is not valid UTF-8 text"),
            (b"a\tb\n\0", "a:2: a zero byte: this is not a text file in UTF-8"),
            (b"\xff\xfea\0\t\0b\0", "a:1: a zero byte: this is not a text file in UTF-8"),
            (
                b"a\tb\rc\td\r",
                "a:1: a carriage return inside the line: lines must end in LF or CRLF",
            ),
            (&long, "a:2: the line is longer than 1048576 bytes"),
        ];
        for (bytes, message) in cases {
            assert_eq!(Folder::with(&[("a", bytes)]).read(&["a"], 2).unwrap_err(), message);
        }
    }

    #[test]
    fn two_files_that_do_not_fit_are_told() {
        let cases: [(&[u8], &[u8], &str); 5] = [
            (b"a\nb\n", b"a\n\n", "b:2: an empty line, but the same line of a has words"),
            (b"a\n\nc", b"a\nb\nc", "a:2: an empty line, but the same line of b has words"),
            (
                b"a\nb\n\nc\n",
                b"a\nb\n",
                "a:4: no line of b belongs to this one: that file has 2 lines, this one 4",
            ),
            (
                b"",
                b"a\n",
                "b:1: no line of a belongs to this one: that file has 0 lines, this one 1",
            ),
            (b"\n", b"\n", "a: no pair can be used; left out: 1 empty line"),
        ];
        for (a, b, message) in cases {
            let folder = Folder::with(&[("a", a), ("b", b)]);
            assert_eq!(folder.read(&["a", "b"], 2).unwrap_err(), message);
        }
    }

    #[test]
    fn what_is_no_file_is_told() {
        let error = |paths: &[&str]| {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            read_data(&paths, 9, Case::Lower).unwrap_err().to_string()
        };
        assert_eq!(error(&["/"]), "/: this is a directory, a file is needed");
        assert_eq!(error(&["/nowhere"]), "/nowhere: cannot be read: no such file or directory");
        #[cfg(unix)]
        assert_eq!(
            error(&["/dev/zero"]),
            "/dev/zero: this is a device or a pipe, a file is needed"
        );
        let three = "--data takes one file of tab-separated pairs or two files, not 3";
        assert_eq!(error(&["a", "b", "c"]), three);
    }
    #[test]
    fn more_than_memory_can_hold_is_not_read() {
        let words = |count: usize| vec!["word".to_owned(); count];
        let mut collected = Collected { limit: 48 * 100, ..Collected::new(50) };
        assert_eq!(collected.add(words(50), words(50), ""), Ok(()));
        let told = collected.add(words(1), words(2), "").unwrap_err();
        assert_eq!(told, "the 2 pairs up to here take the 4.7 KiB of memory that were free");
    }
}
