//! Where sentences end.

/// What ends a sentence: also in Devanagari, Arabic and Urdu, and, the last three without a blank after
/// it, in Chinese and Japanese.
const MARKS: [char; 11] = ['.', '!', '?', '…', '।', '॥', '؟', '۔', '。', '！', '？'];
const WIDE: [&str; 3] = ["。", "！", "？"];
/// What may follow a mark and belongs to its sentence.
const CLOSING: [char; 11] = ['"', '\'', '”', '’', '»', ')', ']', '」', '』', '）', '}'];
/// What a sentence may begin with, apart from letters and digits.
const OPENING: [char; 26] = [
    '"', '\'', '“', '‘', '„', '‚', '«', '‹', '»', '(', '[', '{', '<', '¿', '¡', '-', '–', '—', '$',
    '€', '£', '#', '@', '「', '『', '（',
];
/// Abbreviations that a capital follows.
const TITLES: [&str; 31] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "gen", "col", "lt", "sgt", "capt", "cmdr", "maj", "adm",
    "rev", "hon", "gov", "sen", "rep", "pres", "mt", "messrs", "mme", "mlle", "mgr", "vs", "cf",
    "approx", "esp", "viz", "al",
];
/// Words that a number follows, as in `no. 5`; before anything else they end a sentence.
const NUMBERED: [&str; 19] = [
    "no", "nos", "nr", "vol", "p", "pp", "fig", "figs", "ch", "art", "sec", "jan", "feb", "aug",
    "sept", "oct", "nov", "dec", "ca",
];

/// The sentences of a paragraph, without blanks around them; none is empty.
///
/// A sentence ends after `. ! ? … । ॥ ؟ ۔` (and the quotes and brackets that close after it) when a blank
/// follows and then a capital, a digit, an opening quote or the like; in texts without any `capitals`
/// every letter will do. It does not end after an initial (`J.`), an abbreviation with points in it
/// (`U.S.`), a title (`Mr.`) or, before a digit, a word like `no.`; so a sentence that does end there
/// stays together with the next. A blank that must not break a line breaks no sentence either.
/// Behind `。！？` no blank is needed.
///
/// ```
/// let text = "Mr. Day stayed in. \"It rains!\" he said… No. 5 was empty.";
/// assert_eq!(
///     corpora::texts::split_sentences(text, true),
///     ["Mr. Day stayed in.", "\"It rains!\" he said…", "No. 5 was empty."]
/// );
/// ```
pub fn split_sentences(paragraph: &str, capitals: bool) -> Vec<&str> {
    let ends = sentence_ends(paragraph, capitals).chain([paragraph.len()]);
    let mut start = 0;
    let sentences = ends.map(|end| paragraph[std::mem::replace(&mut start, end)..end].trim());
    sentences.filter(|sentence| !sentence.is_empty()).collect()
}

/// Whether a line ends with a sentence.
pub(super) fn ends_sentence(line: &str) -> bool {
    line.trim_end().trim_end_matches(CLOSING).trim_end().ends_with(MARKS)
}

/// The places after which a new sentence begins. What stands further right than the first letter
/// after a place does not change it, nor does what stands left of the place before it.
pub(super) fn sentence_ends(text: &str, capitals: bool) -> impl Iterator<Item = usize> {
    let mut begin = 0;
    text.match_indices(MARKS).filter_map(move |(place, mark)| {
        let behind = text[place + mark.len()..].trim_start_matches(CLOSING);
        let end = text.len() - behind.len();
        let next = behind.trim_start_matches(breaks);
        let spaced = next.len() < behind.len() || WIDE.contains(&mark);
        let first = next.chars().next().filter(|_| spaced && !behind.starts_with(MARKS))?;
        let abbreviated = mark == "." && is_abbreviation(last_word(&text[begin..place]), first);
        let ends = may_begin(first, capitals) && !abbreviated;
        begin = if ends { end } else { begin };
        ends.then_some(end)
    })
}

/// Whether a blank may end a line, and a sentence.
fn breaks(c: char) -> bool {
    c.is_whitespace() && !['\u{a0}', '\u{202f}', '\u{2007}'].contains(&c)
}

/// Whether a sentence may begin with it.
fn may_begin(first: char, capitals: bool) -> bool {
    let letter = first.is_alphanumeric() && !(capitals && first.is_lowercase());
    letter || OPENING.contains(&first)
}

fn last_word(text: &str) -> &str {
    text.rsplit(|c: char| c.is_whitespace() || OPENING.contains(&c)).next().unwrap_or_default()
}

/// Whether a point after the word belongs to it, when `next` follows.
fn is_abbreviation(word: &str, next: char) -> bool {
    let short = |part: &str| (1..=2).contains(&part.chars().count());
    let letters = |part: &str| part.chars().all(char::is_alphabetic);
    let pointed = word.contains('.') && word.split('.').all(|part| short(part) && letters(part));
    let initial = word.chars().count() == 1 && letters(word) && !["I", "i"].contains(&word);
    let lower = word.to_lowercase();
    let numbered = next.is_numeric() && NUMBERED.contains(&&lower[..]);
    pointed || initial || numbered || TITLES.contains(&&lower[..])
}
