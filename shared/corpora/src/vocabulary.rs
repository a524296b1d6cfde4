//! Words as numbers.

use super::Pair;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use workbench::files::shorten;

/// The number of all words that a vocabulary does not know.
pub const UNKNOWN: usize = 0;
/// The number that stands before a sentence's first word, when it is translated word by word.
pub const BEGIN: usize = 1;
/// The number behind a sentence's last word.
pub const END: usize = 2;

const SPECIAL: [&str; 3] = ["<unk>", "<bos>", "<eos>"];

/// The words a model knows, numbered: first the special ones, then the others, the most frequent
/// first, equally frequent ones by their letters. The same text gives the same numbers.
///
/// Text cannot name a special word: whoever writes `<eos>` gets [`UNKNOWN`], as for any word that
/// is not known.
///
/// ```
/// use corpora::{END, UNKNOWN, Vocabulary, tokenize};
/// let sentences = ["the cat sees the dog", "the dog sleeps"].map(tokenize);
/// let vocabulary = Vocabulary::new(sentences.iter().map(Vec::as_slice), 1);
/// assert_eq!(vocabulary.len(), 8);
/// assert_eq!(vocabulary.encode(&tokenize("The dog barks")), [3, 4, UNKNOWN]);
/// assert_eq!(vocabulary.decode(&[3, 5, END]), ["the", "cat", "<eos>"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Vocabulary {
    words: Vec<String>,
    numbers: HashMap<String, usize>, // without the special words
}

impl Vocabulary {
    /// The words that occur at least `min_frequency` times.
    pub fn new<'a>(
        sentences: impl IntoIterator<Item = &'a [String]>,
        min_frequency: usize,
    ) -> Vocabulary {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for word in sentences.into_iter().flatten() {
            *counts.entry(word).or_default() += 1;
        }
        let mut counts: Vec<(&str, usize)> = counts
            .into_iter()
            .filter(|(word, count)| *count >= min_frequency && !SPECIAL.contains(word))
            .collect();
        counts.sort_unstable_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
        let words = SPECIAL.into_iter().chain(counts.into_iter().map(|(word, _)| word));
        Vocabulary::from_words(words.map(str::to_owned).collect())
    }

    /// The special words and the most frequent others, at most so many together.
    ///
    /// ```
    /// use corpora::{UNKNOWN, Vocabulary, tokenize};
    /// let words = tokenize("the cat sees the other cat");
    /// let vocabulary = Vocabulary::new([&words[..]], 1).at_most(5);
    /// assert_eq!(vocabulary.encode(&words), [4, 3, UNKNOWN, 4, UNKNOWN, 3]);
    /// ```
    pub fn at_most(mut self, words: usize) -> Vocabulary {
        self.words.truncate(words.max(SPECIAL.len()));
        Vocabulary::from_words(self.words)
    }

    fn from_words(words: Vec<String>) -> Vocabulary {
        let known = words.iter().cloned().enumerate().skip(SPECIAL.len());
        Vocabulary { numbers: known.map(|(number, word)| (word, number)).collect(), words }
    }

    /// How many words there are, the special ones included.
    #[allow(clippy::len_without_is_empty)] // the special words are always there
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The numbers of the words, [`UNKNOWN`] for those that are not known. Nothing is added.
    pub fn encode(&self, words: &[String]) -> Vec<usize> {
        words.iter().map(|word| self.id(word).unwrap_or(UNKNOWN)).collect()
    }

    /// The words of the numbers, `<unk>`, `<bos>` and `<eos>` for the special ones.
    ///
    /// # Panics
    /// When there is no such number.
    pub fn decode(&self, numbers: &[usize]) -> Vec<String> {
        numbers.iter().map(|number| self.word(*number).to_owned()).collect()
    }

    /// The word of a number.
    ///
    /// # Panics
    /// When there is no such number.
    pub fn word(&self, number: usize) -> &str {
        let words = self.words.len();
        assert!(number < words, "word {number} of a vocabulary of {words} words");
        &self.words[number]
    }

    /// The number of a word, if it is known; the special words are known by constants alone.
    pub fn id(&self, word: &str) -> Option<usize> {
        self.numbers.get(word).copied()
    }
}

/// A list of words, as [`From`] makes it of a vocabulary and a file may have it: the special words
/// must stand in front, and no word may be empty or stand there twice.
impl TryFrom<Vec<String>> for Vocabulary {
    type Error = String;

    fn try_from(words: Vec<String>) -> Result<Vocabulary, String> {
        if !words.iter().take(SPECIAL.len()).eq(&SPECIAL) {
            return Err(format!("a vocabulary must begin with {SPECIAL:?}"));
        }
        let vocabulary = Vocabulary::from_words(words);
        for (number, word) in vocabulary.words.iter().enumerate().skip(SPECIAL.len()) {
            let fault = match vocabulary.id(word) {
                _ if word.is_empty() => "is empty",
                _ if word.contains(char::is_control) => "has a control character",
                _ if SPECIAL.contains(&word.as_str()) => "is a special word once more",
                Some(last) if last != number => "stands there twice",
                _ => continue,
            };
            return Err(format!("word {number}, `{}`, {fault}", shorten(word)));
        }
        Ok(vocabulary)
    }
}

impl From<Vocabulary> for Vec<String> {
    fn from(vocabulary: Vocabulary) -> Vec<String> {
        vocabulary.words
    }
}

/// Pairs of sentences as numbers; [`END`] closes each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentences {
    /// The sentences to translate.
    pub source: Vec<Vec<usize>>,
    /// Their translations.
    pub target: Vec<Vec<usize>>,
}

impl Sentences {
    /// The numbers of the words, by the vocabulary of each side, and [`END`].
    pub fn new(pairs: &[Pair], source: &Vocabulary, target: &Vocabulary) -> Sentences {
        let closed = |vocabulary: &Vocabulary, words: &[String]| {
            let mut numbers = vocabulary.encode(words);
            numbers.push(END);
            numbers
        };
        Sentences {
            source: pairs.iter().map(|pair| closed(source, &pair.source)).collect(),
            target: pairs.iter().map(|pair| closed(target, &pair.target)).collect(),
        }
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.source.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.source.is_empty()
    }

    /// The lengths (source, target) of each pair, with [`END`]: what
    /// [`bucketed_batches`](super::bucketed_batches) asks for.
    pub fn lengths(&self) -> Vec<(usize, usize)> {
        self.source.iter().zip(&self.target).map(|(s, t)| (s.len(), t.len())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn rare_words_are_left_out_and_ties_go_by_letters() {
        let sentences = [words("b a c c b d <eos> <eos> <eos>"), words("é é z")];
        let vocabulary = |min| Vocabulary::new(sentences.iter().map(Vec::as_slice), min).words;
        assert_eq!(vocabulary(1)[..3], SPECIAL);
        assert_eq!(vocabulary(0)[3..], ["b", "c", "é", "a", "d", "z"]);
        assert_eq!(vocabulary(1), vocabulary(0));
        assert_eq!(vocabulary(2)[3..], ["b", "c", "é"]);
        assert_eq!(vocabulary(3), SPECIAL);
    }

    #[test]
    fn text_cannot_name_a_special_word() {
        let vocabulary = Vocabulary::new([&words("<bos> a")[..]], 1);
        assert_eq!(vocabulary.encode(&words("<unk> <bos> <eos> a")), [0, 0, 0, 3]);
        assert_eq!(vocabulary.id("<eos>"), None);
    }

    #[test]
    fn sentences_are_closed() {
        let pair =
            Pair { source: words("a b"), target: words("c"), alignment: None, written: None };
        let source = Vocabulary::new([&pair.source[..]], 1);
        let target = Vocabulary::new([&pair.target[..]], 2);
        let sentences = Sentences::new(&[pair], &source, &target);
        assert_eq!((&sentences.source[0], &sentences.target[0]), (&vec![3, 4, END], &vec![0, END]));
        assert_eq!(sentences.lengths(), [(3, 2)]);
    }

    #[test]
    fn what_is_written_is_read_and_what_is_wrong_is_told() {
        let vocabulary = Vocabulary::new([&words("a \" \\ é \u{1f600} b a")[..]], 1);
        let text = serde_json::to_string(&vocabulary).unwrap();
        assert_eq!(serde_json::from_str::<Vocabulary>(&text).unwrap(), vocabulary);

        let list = |words: &str| format!(r#"["<unk>", "<bos>", "<eos>"{words}]"#);
        let cases = [
            (list(r#", "a", "b", "a""#), "word 3, `a`, stands there twice"),
            (list(r#", "\u001b[31mred""#), "word 3, ` [31mred`, has a control character"),
            (list(r#", "<bos>""#), "word 3, `<bos>`, is a special word once more"),
            (list(r#", """#), "word 3, ``, is empty"),
            (
                r#"["<unk>", "<bos>", "a"]"#.to_owned(),
                r#"a vocabulary must begin with ["<unk>", "<bos>", "<eos>"]"#,
            ),
            (list(", 3"), "invalid type: integer `3`, expected a string"),
        ];
        for (text, message) in cases {
            let error = serde_json::from_str::<Vocabulary>(&text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
