//! BLEU as others print it: of sentences as people write them, cut into tokens by a fixed rule.

use crate::bleu::Counts;
pub use crate::bleu_13a::Case;
use crate::bleu_13a::{cut_marks, is_blank, set_apart, tokenize_13a};

/// The tokens that BLEU counts, named as sacreBLEU (Post 2018) names them with `-tok`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum BleuTokens {
    /// As mteval-v13a cuts words and marks: for languages with blanks between words.
    #[default]
    #[cfg_attr(feature = "program", value(name = "13a"))]
    Mteval13a,
    /// Every Chinese character, and marks as 13a has them: for Chinese.
    Zh,
    /// Every character: for any language without blanks.
    Char,
}

impl BleuTokens {
    /// The tokens of a sentence.
    ///
    /// ```
    /// use seq2seq::written::{BleuTokens, Case};
    /// let tokens = |rule: BleuTokens| rule.tokenize("我有3.5个GPU，好", Case::Mixed).join(" ");
    /// assert_eq!(tokens(BleuTokens::Zh), "我 有 3.5 个 GPU ， 好");
    /// assert_eq!(tokens(BleuTokens::Char), "我 有 3 . 5 个 G P U ， 好");
    /// assert_eq!(tokens(BleuTokens::Mteval13a), "我有3.5个GPU，好");
    /// ```
    pub fn tokenize(self, line: &str, case: Case) -> Vec<String> {
        let line = || case.of(line);
        match self {
            BleuTokens::Mteval13a => tokenize_13a(&line(), Case::Mixed),
            BleuTokens::Char => {
                line().chars().filter(|c| !is_blank(*c)).map(String::from).collect()
            }
            BleuTokens::Zh => cut_marks(&set_apart(line().trim_matches(is_blank), is_chinese)),
        }
    }

    fn name(self) -> &'static str {
        match self {
            BleuTokens::Mteval13a => "13a",
            BleuTokens::Zh => "zh",
            BleuTokens::Char => "char",
        }
    }
}

/// The ranges that sacreBLEU takes for Chinese characters, with two that its source writes with four digits
/// too few and that therefore hold other symbols (U+2001 to U+2A6D, with the curly quotation marks).
fn is_chinese(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{4db5}' | '\u{4e00}'..='\u{9fbb}' | '\u{f900}'..='\u{fa2d}'
        | '\u{fa30}'..='\u{fa6a}' | '\u{fa70}'..='\u{fad9}' | '\u{2001}'..='\u{2a6d}'
        | '\u{ff00}'..='\u{ffef}' | '\u{2e80}'..='\u{2eff}' | '\u{3000}'..='\u{303f}'
        | '\u{31c0}'..='\u{31ef}' | '\u{2f00}'..='\u{2fdf}' | '\u{2ff0}'..='\u{2fff}'
        | '\u{3100}'..='\u{312f}' | '\u{31a0}'..='\u{31bf}' | '\u{fe10}'..='\u{fe1f}'
        | '\u{fe30}'..='\u{fe4f}' | '\u{3200}'..='\u{33ff}')
}

/// What BLEU counts of one sentence and its one reference, both as people write them. BLEU of the sum over a corpus is
/// what sacreBLEU (Post 2018) prints with `-tok` of that name and, with [`Case::Lower`], with `-lc`.
///
/// A model's own tokens are none of the reader's concern: its words are first joined to a sentence,
/// and this sentence is held against the reference as it was written, whatever words the model
/// knows of it.
///
/// ```
/// use seq2seq::written::{BleuTokens, Case, text_counts};
/// let counts = |case| text_counts("le chat noir dort.", "Le chat noir dort.", BleuTokens::Mteval13a, case);
/// // of five tokens, 4 match, 3 of 4 pairs, 2 of 3 triples, 1 of 2 runs of four
/// let p: f64 = 4.0 / 5.0 * 3.0 / 4.0 * 2.0 / 3.0 * 1.0 / 2.0;
/// assert!((counts(Case::Mixed).bleu() - 100.0 * p.powf(0.25)).abs() < 1e-9);
/// assert!((counts(Case::Lower).bleu() - 100.0).abs() < 1e-9);
/// ```
pub fn text_counts(candidate: &str, reference: &str, tokens: BleuTokens, case: Case) -> Counts {
    Counts::of(&tokens.tokenize(candidate, case), &[tokens.tokenize(reference, case)])
}

/// How BLEU of [`text_counts`] was computed, in sacreBLEU's notation: the number of references, case,
/// effective order (whether lengths of runs that the candidates do not have are left out), tokens,
/// smoothing, and the program.
///
/// ```
/// use seq2seq::written::{BleuTokens, Case, signature};
/// let text = signature(BleuTokens::Mteval13a, Case::Mixed);
/// assert!(text.starts_with("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:seq2seq-"));
/// assert!(signature(BleuTokens::Zh, Case::Lower).contains("|case:lc|eff:no|tok:zh|"));
/// ```
pub fn signature(tokens: BleuTokens, case: Case) -> String {
    let case = match case {
        Case::Mixed => "mixed",
        Case::Lower => "lc",
    };
    let program = concat!(env!("CARGO_PKG_NAME"), "-", env!("CARGO_PKG_VERSION"));
    let tokens = tokens.name();
    format!("nrefs:1|case:{case}|eff:no|tok:{tokens}|smooth:exp|version:{program}")
}
