//! BLEU as others print it: of sentences as people write them, cut into tokens by a fixed rule.

use crate::bleu::Counts;

/// Whether capitals count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// *Le* and *le* are two words: what sacreBLEU prints unless told otherwise.
    Mixed,
    /// Everything is lower-cased first: sacreBLEU's option `-lc`.
    Lower,
}

/// What BLEU counts of one sentence and its one reference, both as text; see [`text_bleu`].
pub fn text_counts(candidate: &str, reference: &str, case: Case) -> Counts {
    Counts::of(&tokenize_13a(candidate, case), &[tokenize_13a(reference, case)])
}

/// BLEU of a corpus of sentences as people write them, in per cent, one reference a candidate:
/// [`corpus_bleu`](crate::bleu::corpus_bleu) of the tokens of [`tokenize_13a`]. Equal to what
/// sacreBLEU (Post 2018) prints by default or, with [`Case::Lower`], with `-lc`.
///
/// A model's own tokens are none of the reader's concern: its words are first joined to a sentence,
/// and this sentence is held against the reference as it was written, whatever words the model
/// knows of it.
///
/// ```
/// use seq2seq::bleu_13a::{Case, text_bleu};
/// let (candidate, reference) = (["le chat noir dort."], ["Le chat noir dort."]);
/// // of five tokens, 4 match, 3 of 4 pairs, 2 of 3 triples, 1 of 2 runs of four
/// let p: f64 = 4.0 / 5.0 * 3.0 / 4.0 * 2.0 / 3.0 * 1.0 / 2.0;
/// let mixed = text_bleu(&candidate, &reference, Case::Mixed);
/// assert!((mixed - 100.0 * p.powf(0.25)).abs() < 1e-9);
/// assert!((text_bleu(&candidate, &reference, Case::Lower) - 100.0).abs() < 1e-9);
/// ```
///
/// # Panics
/// When there are not as many references as candidates.
pub fn text_bleu(
    candidates: &[impl AsRef<str>],
    references: &[impl AsRef<str>],
    case: Case,
) -> f64 {
    let (c, r) = (candidates.len(), references.len());
    assert!(c == r, "{c} candidates, but {r} references");
    let mut sum = Counts::default();
    for (candidate, reference) in candidates.iter().zip(references) {
        sum += &text_counts(candidate.as_ref(), reference.as_ref(), case);
    }
    sum.bleu()
}

/// How [`text_bleu`] was computed, in sacreBLEU's notation: the number of references, case,
/// effective order (whether lengths of runs that the candidates do not have are left out), tokens,
/// smoothing, and the program.
///
/// ```
/// use seq2seq::bleu_13a::{Case, signature};
/// let told = signature(Case::Mixed);
/// assert!(told.starts_with("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:seq2seq-"));
/// assert!(signature(Case::Lower).contains("|case:lc|"));
/// ```
pub fn signature(case: Case) -> String {
    let case = match case {
        Case::Mixed => "mixed",
        Case::Lower => "lc",
    };
    let program = concat!(env!("CARGO_PKG_NAME"), "-", env!("CARGO_PKG_VERSION"));
    format!("nrefs:1|case:{case}|eff:no|tok:13a|smooth:exp|version:{program}")
}

// ANCHOR: tokens
/// The tokens of a sentence by the rules of `mteval-v13a.pl` (NIST 2009), as sacreBLEU has them:
///
/// 1. Four names of SGML are replaced by their characters: `&quot;` `&amp;` `&lt;` `&gt;`.
/// 2. A mark of ASCII is a token, but for `'`, `-`, `.` and `,`. Marks beyond ASCII, such as `«`, `’`
///    and `…`, are letters to this rule.
/// 3. A dot or comma is a token unless a digit stands before it, and unless one stands behind it.
/// 4. A hyphen behind a digit is a token.
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
    let line = match case {
        Case::Mixed => line.to_owned(),
        Case::Lower => line.to_lowercase(),
    };
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
    let marks_apart = |c: char| if is_mark(c) { vec![' ', c, ' '] } else { vec![c] };
    let text: Vec<char> = format!(" {text} ").chars().flat_map(marks_apart).collect();
    let text = cut(&text, |a, b| !a.is_ascii_digit() && is_point(b), |a, b| [a, ' ', b, ' ']);
    let text = cut(&text, |a, b| is_point(a) && !b.is_ascii_digit(), |a, b| [' ', a, ' ', b]);
    let text = cut(&text, |a, b| a.is_ascii_digit() && b == '-', |a, b| [a, ' ', b, ' ']);
    text.split(|c| is_blank(*c)).filter(|token| !token.is_empty()).map(String::from_iter).collect()
}

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
// ANCHOR_END: tokens

/// What separates words in Python, and so in sacreBLEU: Unicode's blanks, and four separators of ASCII.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}
