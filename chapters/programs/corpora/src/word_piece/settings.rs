//! The settings by which a text is cut into words.

use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;
use tokenizers::{
    NormalizedString, Normalizer, OffsetReferential, OffsetType, PreTokenizedString, PreTokenizer,
};

/// What becomes of a text before it is cut. Control characters are left out in any case; blanks
/// separate words, and every punctuation mark is a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether capitals become small letters.
    pub lowercase: bool,
    /// Whether letters lose their accents; unless it is said, they do if they become small.
    pub strip_accents: Option<bool>,
    /// Whether every Chinese character is a word.
    pub chinese: bool,
}

/// BERT uncased.
impl Default for Settings {
    fn default() -> Settings {
        Settings { lowercase: true, strip_accents: None, chinese: true }
    }
}

impl Settings {
    pub(super) fn normalizer(self) -> BertNormalizer {
        BertNormalizer::new(true, self.chinese, self.strip_accents, self.lowercase)
    }

    /// The words of a text.
    pub(super) fn words(self, text: &str) -> Vec<String> {
        let mut text = NormalizedString::from(text);
        self.normalizer().normalize(&mut text).expect("every text can be normalised");
        let mut text = PreTokenizedString::from(text);
        BertPreTokenizer.pre_tokenize(&mut text).expect("every text can be split");
        let words = text.get_splits(OffsetReferential::Normalized, OffsetType::None);
        words.into_iter().map(|(word, _, _)| word.to_owned()).collect()
    }
}

/// The blanks of ASCII that separate words; BERT leaves out the others as control characters.
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// A text between blanks. What BERT does to a text it does to each of these alone, so that frequent
/// ones need not be done again.
pub(super) fn chunks(text: &str) -> impl Iterator<Item = &str> {
    text.split(BLANKS).filter(|chunk| !chunk.is_empty())
}
