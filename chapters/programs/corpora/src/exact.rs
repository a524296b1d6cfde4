//! Words of any language, which can be put together again exactly.
//!
//! Where a token touches its neighbour without a blank, one of the two has a *joiner* on that side, as in
//! OpenNMT's tokenizer: `(yes), no` → `(￭` `yes` `￭)` `￭,` `no`. Marks carry it rather than words, so that a
//! word is the same token with a comma after it and without.

use super::tokens::parts;
use unicode_segmentation::UnicodeSegmentation;

/// Nothing stands between this side of a token and its neighbour.
const JOINER: char = '￭';
/// A blank that is one of several in a row: a lone one is known by the lack of joiners.
const BLANK: char = '␠';
/// Stands before one of these three characters where the text itself has it.
const ESCAPE: char = '␛';

/// The longest token, in characters; what is longer is no word, and is cut.
const LONGEST: usize = 48;

/// What a piece of text is to its neighbours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Letters or digits of a script that separates words by blanks.
    Word,
    /// Letters of one that does not.
    Dense,
    /// A French or Italian word before its apostrophe, with it.
    Elided,
    /// Anything else.
    Mark,
}

struct Segment {
    text: String,
    kind: Kind,
    /// Whether exactly one ordinary blank stands before it.
    after_blank: bool,
}

/// The line as the tokens have it: control characters are blanks, and none stands at the ends.
pub(crate) fn tidy(line: &str) -> String {
    line.replace(char::is_control, " ").trim().to_owned()
}

/// The tokens of a [`tidy`] line, by the boundaries of Unicode (UAX 29), French elisions and English clitics
/// apart.
pub(crate) fn cut(line: &str) -> Vec<String> {
    let segments = segments(line);
    let neighbour = |place: Option<usize>| place.and_then(|place| segments.get(place));
    let tokens = segments.iter().enumerate().map(|(i, segment)| {
        let (_, before) = joiners(neighbour(i.checked_sub(1)), Some(segment));
        let (behind, _) = joiners(Some(segment), neighbour(Some(i + 1)));
        let joiner = |needed: bool| if needed { JOINER.to_string() } else { String::new() };
        joiner(before) + &escaped(&segment.text) + &joiner(behind)
    });
    tokens.collect()
}

/// Whether the left one of two neighbours has a joiner after it, and the right one before it.
fn joiners(left: Option<&Segment>, right: Option<&Segment>) -> (bool, bool) {
    let dense = |side: Option<&Segment>| side.is_some_and(|segment| segment.kind == Kind::Dense);
    match (left, right) {
        (_, Some(right)) if right.after_blank => (false, false),
        _ if dense(left) || dense(right) => (dense(left), dense(right)), // at the ends of a line, too
        (Some(left), Some(right)) => {
            let leans = matches!(left.kind, Kind::Mark | Kind::Elided) && right.kind != Kind::Mark;
            (leans, !leans)
        }
        _ => (false, false),
    }
}

fn segments(line: &str) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let mut blanks = String::new();
    for text in line.split_word_bounds() {
        if text.chars().all(char::is_whitespace) {
            blanks += text;
            continue;
        }
        let after_blank = blanks == " ";
        let is_word = text.contains(char::is_alphanumeric);
        // A single blank of another kind belongs to a mark: the narrow one of French to its `!`.
        let single = !after_blank && blanks.chars().count() == 1;
        let with_blank = match segments.last_mut() {
            _ if single && !is_word => std::mem::take(&mut blanks) + text,
            Some(mark) if single && mark.kind == Kind::Mark => {
                mark.text += &std::mem::take(&mut blanks);
                text.to_owned()
            }
            _ => text.to_owned(),
        };
        let blanks = std::mem::take(&mut blanks);
        if !blanks.is_empty() && !after_blank {
            segments.push(Segment { text: blanks, kind: Kind::Mark, after_blank: false });
        }
        let first = segments.len();
        if is_word {
            segments.extend(pieces(&with_blank))
        } else {
            segments.push(Segment { text: with_blank, kind: Kind::Mark, after_blank: false })
        }
        segments[first].after_blank = after_blank;
    }
    segments
}

/// A word in its parts, none of them longer than a word can be.
fn pieces(word: &str) -> Vec<Segment> {
    let small: String = word.chars().map(small).collect();
    let mut rest = word;
    let mut pieces = Vec::new();
    for part in parts(&small) {
        let (text, others) = rest.split_at(bytes(rest, part.chars().count()));
        let kind = match part.chars().next() {
            Some(first) if is_dense(first) => Kind::Dense,
            _ if part.ends_with('\'') => Kind::Elided,
            _ => Kind::Word,
        };
        rest = others;
        let mut text = text;
        while !text.is_empty() {
            let (piece, others) = text.split_at(bytes(text, LONGEST));
            pieces.push(Segment { text: piece.to_owned(), kind, after_blank: false });
            text = others;
        }
    }
    pieces
}

/// How many bytes the first so many characters take.
fn bytes(text: &str, characters: usize) -> usize {
    text.char_indices().nth(characters).map_or(text.len(), |(place, _)| place)
}

/// One character for one, so that both texts are cut at the same places.
fn small(c: char) -> char {
    let mut small = c.to_lowercase();
    match (c, small.next(), small.next()) {
        ('’', ..) => '\'',
        (_, Some(small), None) => small,
        _ => c,
    }
}

/// Whether a letter is of a script without blanks between words: Thai, Lao, Burmese, Khmer, Japanese, Chinese.
fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            JOINER | BLANK | ESCAPE => escaped.extend([ESCAPE, c]),
            ' ' => escaped.push(BLANK),
            c => escaped.push(c),
        }
    }
    escaped
}

/// What stands in a token, and whether it is joined to what is before and after it.
pub(crate) fn content(token: &str) -> (bool, String, bool) {
    let (before, rest) = match token.strip_prefix(JOINER) {
        Some(rest) => (true, rest),
        None => (false, token),
    };
    let mut text = String::with_capacity(rest.len());
    let mut characters = rest.chars();
    while let Some(c) = characters.next() {
        match c {
            JOINER if characters.as_str().is_empty() => return (before, text, true),
            ESCAPE => text.extend(characters.next()),
            BLANK => text.push(' '),
            c => text.push(c),
        }
    }
    (before, text, false)
}

/// The line of its tokens: the one that [`cut`] was given, and some line of anything else.
pub(crate) fn joined(tokens: &[String]) -> String {
    let mut line = String::new();
    let mut glued = true; // at the beginning
    for token in tokens {
        let (before, text, behind) = content(token);
        if !(glued || before) {
            line.push(' ');
        }
        line += &text;
        glued = behind;
    }
    line
}
