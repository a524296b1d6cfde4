//! The tokens of sentences as people write them, by the rule that most published BLEU is counted with.

/// Whether capitals count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// *Le* and *le* are two words: what sacreBLEU prints by default.
    Mixed,
    /// Everything is lower-cased first: sacreBLEU's option `-lc`.
    Lower,
}

impl Case {
    pub(crate) fn of(self, line: &str) -> String {
        if self == Case::Lower { line.to_lowercase() } else { line.to_owned() }
    }
}

/// The tokens of a sentence by the rules of `mteval-v13a.pl` (NIST 2009), as sacreBLEU has them:
///
/// 1. Four names of SGML are replaced by their characters: `&quot;` `&amp;` `&lt;` `&gt;`.
/// 2. A mark of ASCII is a token, except for `'`, `-`, `.` and `,`. Marks beyond ASCII, such as `«`, `’`
///    and `…`, are letters to this rule.
/// 3. A dot or comma is a token unless a digit stands before it, and unless one stands after it.
/// 4. A hyphen after a digit is a token.
///
/// Blanks of all kinds, the narrow one before a French `!` as well, separate tokens.
///
/// ```
/// use seq2seq::bleu_13a::{Case, tokenize_13a};
/// let tokens = |line| tokenize_13a(line, Case::Mixed).join(" ");
/// assert_eq!(tokens("Est-ce l'été 2-0, à 3,5 % ?"), "Est-ce l'été 2 - 0 , à 3,5 % ?");
/// assert_eq!(tokens("«\u{a0}Non\u{202f}!\u{a0}»"), "« Non ! »");
/// assert_eq!(tokens("«Non»..."), "«Non» . . .");
/// ```
pub fn tokenize_13a(line: &str, case: Case) -> Vec<String> {
    let line = case.of(line);
    let line = line.trim_end_matches(is_blank);
    let replaced = [
        ("<skipped>", ""),
        ("-\n", ""), // a word that goes on in the next line
        ("\n", " "),
        ("&quot;", "\""),
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
    ];
    let text =
        replaced.into_iter().fold(line.to_owned(), |text, (old, new)| text.replace(old, new));
    cut_marks(&format!(" {text} "))
}

/// Rules 2 to 4.
// ANCHOR: marks
pub(crate) fn cut_marks(text: &str) -> Vec<String> {
    let text: Vec<char> = set_apart(text, is_mark).chars().collect();
    let text = cut(&text, |a, b| !a.is_ascii_digit() && is_point(b), |a, b| [a, ' ', b, ' ']);
    let text = cut(&text, |a, b| is_point(a) && !b.is_ascii_digit(), |a, b| [' ', a, ' ', b]);
    let text = cut(&text, |a, b| a.is_ascii_digit() && b == '-', |a, b| [a, ' ', b, ' ']);
    text.split(|c| is_blank(*c)).filter(|token| !token.is_empty()).map(String::from_iter).collect()
}

/// A text with blanks around every character that is a token by itself.
pub(crate) fn set_apart(text: &str, is_token: fn(char) -> bool) -> String {
    text.chars().flat_map(|c| if is_token(c) { vec![' ', c, ' '] } else { vec![c] }).collect()
}
// ANCHOR_END: marks

/// Replaces neighbours from left to right. What was replaced is no neighbour of what follows: of
/// the three dots in `a...`, the first goes with the `a`, and the other two with each other.
fn cut(
    text: &[char],
    found: impl Fn(char, char) -> bool,
    apart: impl Fn(char, char) -> [char; 4],
) -> Vec<char> {
    let mut result = Vec::new();
    let mut rest = text;
    loop {
        match *rest {
            [a, b, ..] if found(a, b) => {
                result.extend(apart(a, b));
                rest = &rest[2..];
            }
            [a, ..] => {
                result.push(a);
                rest = &rest[1..];
            }
            [] => return result,
        }
    }
}

fn is_mark(c: char) -> bool {
    c.is_ascii_punctuation() && !matches!(c, '\'' | '-' | '.' | ',')
}

fn is_point(c: char) -> bool {
    matches!(c, '.' | ',')
}

/// What separates words in Python, and so in sacreBLEU: Unicode's blanks, and four separators of ASCII.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}
