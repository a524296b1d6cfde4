//! Words as numbers.

use super::Pair;
use super::subwords::{CLOSE, Merge, Subwords, learn};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::Range;
use workbench::files::shorten;

/// The number of all words that a vocabulary does not know.
pub const UNKNOWN: usize = 0;
/// The number that stands before a sentence's first word, when it is translated word by word.
pub const BEGIN: usize = 1;
/// The number after a sentence's last word.
pub const END: usize = 2;

const SPECIAL: [&str; 3] = ["<unk>", "<bos>", "<eos>"];

/// The words a model knows, numbered: first the special ones, then the others, the most frequent
/// first, equally frequent ones by their letters. The same text gives the same numbers.
///
/// Text cannot name a special word: whoever writes `<eos>` gets [`UNKNOWN`], as for any word that
/// is not known.
///
/// A vocabulary [`of_pieces`](Vocabulary::of_pieces) has several numbers for a word.
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
    subwords: Option<Subwords>,
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
        let numbers = known.map(|(number, word)| (word, number)).collect();
        Vocabulary { numbers, words, subwords: None }
    }

    /// Pieces of words, by byte-pair encoding: so many together with the special words, letters
    /// first, then what was merged, in the order of the merges. The same words in any order, on any
    /// number of threads, give the same pieces. A word's last piece ends in a blank.
    ///
    /// A text of other letters than these has [`UNKNOWN`] for each of them, and pieces for the rest
    /// of the word. (Single bytes would be no better: no training has met theirs.)
    ///
    /// ```
    /// use corpora::{UNKNOWN, Vocabulary, tokenize};
    /// let words = tokenize("low lower lowest slow slower slowest low low");
    /// let vocabulary = Vocabulary::of_pieces(words.iter(), 14).unwrap();
    /// let numbers = vocabulary.encode(&tokenize("slowest row"));
    /// let pieces: Vec<&str> = numbers.iter().map(|number| vocabulary.word(*number)).collect();
    /// assert_eq!(pieces, ["s", "low", "e", "s", "t", " ", /**/ "r", "o", "w", " "]);
    /// assert_eq!(vocabulary.decode(&numbers), ["slowest", "row"]);
    /// assert_eq!(vocabulary.encode(&tokenize("cow"))[0], UNKNOWN);
    /// ```
    ///
    /// # Errors
    /// With the reason, when so many are too few for the letters of the words, or more than their
    /// pairs of pieces that occur twice.
    pub fn of_pieces<'a>(
        words: impl Iterator<Item = &'a String> + Clone + Send,
        size: usize,
    ) -> Result<Vocabulary, String> {
        let special = SPECIAL.map(str::to_owned);
        let words = words.filter(|word| !SPECIAL.iter().any(|special| word.contains(special)));
        let (pieces, merges) = learn(words, size, special.len())?;
        Vocabulary::try_from([&special[..], &pieces].concat())?.with_merges(merges)
    }

    /// The same list as pieces of words, which these merges make of letters.
    ///
    /// # Errors
    /// With the reason, when the merges are of another list.
    pub fn with_merges(self, merges: Vec<Merge>) -> Result<Vocabulary, String> {
        let known = |piece: &str| self.id(piece).is_some();
        for (a, b) in &merges {
            if !(known(a) && known(b) && known(&format!("{a}{b}"))) {
                let (a, b) = (shorten(a), shorten(b));
                return Err(format!("the merge of `{a}` and `{b}` is of another vocabulary"));
            }
        }
        let subwords = Subwords::new(merges, SPECIAL[UNKNOWN], &self.words)?;
        Ok(Vocabulary { subwords: Some(subwords), ..self })
    }

    /// The merges of a vocabulary of pieces.
    pub fn merges(&self) -> Option<&[Merge]> {
        self.subwords.as_ref().map(|subwords| subwords.merges.as_slice())
    }

    /// How many words there are, the special ones included.
    #[allow(clippy::len_without_is_empty)] // the special words are always there
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The numbers of the words, [`UNKNOWN`] for those that are not known; of pieces all those of a
    /// word in turn. Nothing is added.
    pub fn encode(&self, words: &[String]) -> Vec<usize> {
        match &self.subwords {
            None => words.iter().map(|word| self.id(word).unwrap_or(UNKNOWN)).collect(),
            Some(subwords) => words.iter().flat_map(|word| subwords.cut(word)).collect(),
        }
    }

    /// The words of the numbers, `<unk>`, `<bos>` and `<eos>` for the special ones.
    pub fn decode(&self, numbers: &[usize]) -> Vec<String> {
        let words = self.spans(numbers).into_iter().map(|range| {
            let pieces = numbers[range].iter().map(|number| self.word(*number));
            pieces.collect::<String>().trim_end().to_owned()
        });
        words.collect()
    }

    /// Which of the numbers belong to each word: one each, or pieces up to one that ends in a blank.
    /// What a model puts together need not be words: a last one without its end is taken as it is,
    /// and a blank after a blank belongs to none.
    ///
    /// ```
    /// use corpora::{Vocabulary, tokenize};
    /// let words = tokenize("the cat and the dog and the rat");
    /// let vocabulary = Vocabulary::of_pieces(words.iter(), 19).unwrap();
    /// let numbers = vocabulary.encode(&tokenize("the hat"));
    /// assert_eq!(vocabulary.word(numbers[0]), "the ");
    /// assert_eq!(vocabulary.spans(&numbers), [0..1, 1..4]); // "h" "at" " "
    /// ```
    pub fn spans(&self, numbers: &[usize]) -> Vec<Range<usize>> {
        let mut spans = Vec::new();
        let mut start = 0;
        for (place, number) in numbers.iter().enumerate() {
            let piece = self.word(*number);
            let closes = self.subwords.is_none() || piece.ends_with(CLOSE);
            if closes && (place > start || piece.trim_end() != "") {
                spans.push(start..place + 1);
            }
            if closes {
                start = place + 1;
            }
        }
        spans.extend((start < numbers.len()).then_some(start..numbers.len()));
        spans
    }

    /// The word of a number.
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
