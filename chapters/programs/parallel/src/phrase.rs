//! Words of both languages side by side, and what they share.

use corpora::{Alignment, Pair};

/// Something said once and expressed by words of both languages. Two words are linked when they
/// share a concept: surely, when both *mean* it; possibly, when one of them only *hints* at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concept(u16);

/// Hands out concepts.
#[derive(Debug, Default)]
pub struct Concepts(u16);

impl Concepts {
    /// A new one.
    pub fn new_concept(&mut self) -> Concept {
        self.0 += 1;
        Concept(self.0)
    }
}

/// A word in its place.
#[derive(Clone, Debug)]
pub struct Word {
    text: &'static str,
    before_vowel: &'static str,
    suffix: &'static str,
    contracts: bool,
    means: Vec<Concept>,
    hints: Vec<Concept>,
}

impl Word {
    /// A word that stands for nothing yet.
    fn new(text: &'static str, before_vowel: &'static str) -> Word {
        let (means, hints) = (Vec::new(), Vec::new());
        Word { text, before_vowel, suffix: "", contracts: false, means, hints }
    }

    /// An English word. *a* is *an* before a vowel.
    pub fn english(text: &'static str) -> Word {
        Word::new(text, if text == "a" { "an" } else { text })
    }

    /// A French word. Before a vowel, short words lose theirs, and others take another form.
    pub fn french(text: &'static str) -> Word {
        let before_vowel = match text {
            "le" | "la" => "l'",
            "je" => "j'",
            "me" => "m'",
            "se" => "s'",
            "ne" => "n'",
            "de" => "d'",
            "que" => "qu'",
            "ce" => "cet",
            "ma" => "mon",
            "sa" => "son",
            other => other,
        };
        Word::new(text, before_vowel)
    }

    /// Its form before a vowel: *vieil* of *vieux*.
    pub fn or(mut self, before_vowel: &'static str) -> Word {
        self.before_vowel = before_vowel;
        self
    }

    /// What is written at its end: the *-es* of *mangées*.
    pub fn with_suffix(mut self, suffix: &'static str) -> Word {
        self.suffix = suffix;
        self
    }

    /// An article: it contracts with *à* and *de*.
    pub fn article(mut self) -> Word {
        self.contracts = true;
        self
    }

    /// It is the word for `concept`.
    pub fn means(mut self, concept: Concept) -> Word {
        self.means.push(concept);
        self
    }

    /// It belongs to the words for `concept`.
    pub fn hints(mut self, concept: Concept) -> Word {
        self.hints.push(concept);
        self
    }

    fn all(&self) -> impl Iterator<Item = &Concept> {
        self.means.iter().chain(&self.hints)
    }
}

/// The same in both languages.
#[derive(Clone, Debug, Default)]
pub struct Phrase {
    /// English words.
    pub english: Vec<Word>,
    /// French words.
    pub french: Vec<Word>,
}

impl Phrase {
    /// Words of both languages.
    pub fn new(
        english: impl IntoIterator<Item = Word>,
        french: impl IntoIterator<Item = Word>,
    ) -> Phrase {
        let (english, french) = (english.into_iter().collect(), french.into_iter().collect());
        Phrase { english, french }
    }

    /// Both languages, part after part.
    pub fn concat(parts: impl IntoIterator<Item = Phrase>) -> Phrase {
        let mut whole = Phrase::default();
        for part in parts {
            whole.english.extend(part.english);
            whole.french.extend(part.french);
        }
        whole
    }

    /// The pair of sentences: words take the form that the next word's sound asks for, *à* and *de*
    /// contract with articles, and shared concepts become links.
    pub fn into_pair(self) -> Pair {
        let english = adapted(self.english, begins_with_english_vowel);
        let french = contracted(adapted(self.french, begins_with_french_vowel));
        let alignment = Some(links(&english, &french));
        let text = |words: &[Word]| words.iter().map(|w| [w.text, w.suffix].concat()).collect();
        Pair { source: text(&english), target: text(&french), alignment, written: None }
    }
}

// ANCHOR: sound
/// Each word in the form that its successor's first sound asks for.
fn adapted(mut words: Vec<Word>, vowel: fn(&str) -> bool) -> Vec<Word> {
    for i in 1..words.len() {
        if vowel(words[i].text) {
            words[i - 1].text = words[i - 1].before_vowel;
        }
    }
    words
}

/// Our English words are regular: *an* stands before those that are spelt with a vowel.
fn begins_with_english_vowel(word: &str) -> bool {
    word.starts_with(['a', 'e', 'i', 'o', 'u'])
}

/// Also before a silent *h*, but not before the *h* of these words, which is silent too, yet counts.
fn begins_with_french_vowel(word: &str) -> bool {
    const ASPIRATED: [&str; 5] = ["héros", "hibou", "hiboux", "hache", "haches"];
    word.starts_with(|letter| "aàâeéèêiîoôœuûyh".contains(letter)) && !ASPIRATED.contains(&word)
}

/// *de le* → *du*, *de les* → *des*, *à le* → *au*, *à les* → *aux*; one word then has the links of two.
fn contracted(words: Vec<Word>) -> Vec<Word> {
    let mut whole: Vec<Word> = Vec::with_capacity(words.len());
    for word in words {
        let contraction = match whole.last() {
            Some(last) if word.contracts => match (last.text, word.text) {
                ("de", "le") => Some("du"),
                ("de", "les") => Some("des"),
                ("à", "le") => Some("au"),
                ("à", "les") => Some("aux"),
                _ => None,
            },
            _ => None,
        };
        match (contraction, whole.last_mut()) {
            (Some(text), Some(last)) => {
                last.text = text;
                last.means.extend(word.means);
                last.hints.extend(word.hints);
            }
            _ => whole.push(word),
        }
    }
    whole
}
// ANCHOR_END: sound

// ANCHOR: links
/// Every pair of words that share a concept.
fn links(english: &[Word], french: &[Word]) -> Alignment {
    let mut alignment = Alignment::default();
    for (i, source) in english.iter().enumerate() {
        for (j, target) in french.iter().enumerate() {
            if source.means.iter().any(|concept| target.means.contains(concept)) {
                alignment.sure.push((i, j));
            } else if source.all().any(|concept| target.all().any(|other| other == concept)) {
                alignment.possible.push((i, j));
            }
        }
    }
    alignment
}
// ANCHOR_END: links

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contraction_keeps_the_links_of_both_words() {
        let mut concepts = Concepts::default();
        let [of, the] = [(); 2].map(|()| concepts.new_concept());
        let english = [Word::english("of").means(of), Word::english("the").means(the)];
        let french = [Word::french("de").means(of), Word::french("le").article().means(the)];
        let pair = Phrase::new(english, french).into_pair();
        assert_eq!(pair.target, ["du"]);
        assert_eq!(pair.alignment.unwrap().sure, [(0, 0), (1, 0)]);
    }

    #[test]
    fn hints_make_possible_links() {
        let mut concepts = Concepts::default();
        let [see, past] = [(); 2].map(|()| concepts.new_concept());
        let english = [Word::english("saw").means(see).hints(past)];
        let french = [Word::french("a").hints(see), Word::french("vu").means(see).hints(past)];
        let alignment = Phrase::new(english, french).into_pair().alignment.unwrap();
        assert_eq!((alignment.sure, alignment.possible), (vec![(0, 1)], vec![(0, 0)]));
    }
}
