//! Which tokens a text has.

use super::{detokenize, exact, tokenize};
use serde::{Deserialize, Serialize};

/// How lines become tokens, and tokens lines again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tokenizer {
    /// By the course's own rules for English and French, in small letters: [`tokenize`], [`detokenize`].
    #[default]
    Course,
    /// By Unicode's boundaries of words, in any language. Nothing is lost: tokens know whether a blank stood
    /// beside them.
    Exact,
    /// The same of the line in small letters.
    ExactLower,
}

impl Tokenizer {
    /// The tokens of a line.
    ///
    /// ```
    /// use corpora::Tokenizer::{Exact, ExactLower};
    /// let tokens = |line| Exact.tokenize(line).join(" ");
    /// assert_eq!(tokens("L’homme dort (ici)\u{202f}!"), "L’￭ homme dort (￭ ici ￭) ￭\u{202f}!");
    /// assert_eq!(tokens("Don't: 3.5 %"), "Do ￭n't ￭: 3.5 %");
    /// assert_eq!(tokens("विद्यार्थी。我爱你"), "विद्यार्थी ￭。 ￭我￭ ￭爱￭ ￭你￭");
    /// assert_eq!(ExactLower.tokenize("¿Qué?"), ["¿￭", "qué", "￭?"]);
    /// ```
    pub fn tokenize(self, line: &str) -> Vec<String> {
        match self {
            Tokenizer::Course => tokenize(line),
            _ => exact::cut(&self.tidy(line)),
        }
    }

    /// The line that exact tokens give back: control characters are blanks, none stands at the ends, and
    /// letters are small if they are to be.
    pub fn tidy(self, line: &str) -> String {
        let line = exact::tidy(line);
        if self == Tokenizer::Exact { line } else { line.to_lowercase() }
    }

    /// Tokens as a line to show. Of exact tokens, the very line that they were:
    ///
    /// ```
    /// use corpora::Tokenizer::Exact;
    /// let line = "« Où\u{a0}?! »,  dit-il – 100\u{202f}€…";
    /// assert_eq!(Exact.detokenize(&Exact.tokenize(line)), line);
    /// ```
    pub fn detokenize(self, tokens: &[String]) -> String {
        match self {
            Tokenizer::Course => detokenize(tokens),
            _ => exact::joined(tokens),
        }
    }

    /// A token alone, to show: without its joiners.
    pub fn shown(self, token: &str) -> String {
        match self {
            Tokenizer::Course => token.to_owned(),
            _ => exact::content(token).1,
        }
    }
}
