//! Which words look where: the weights while the references are dictated, sorted by kind of word.

use corpora::Alignment;
use parallel::lexicon::{ADJECTIVES, Adjective, Conjugation, MODALS, NAMES, NOUNS, VERBS};
use parallel::tree::{Features, Gender, Number};
use seq2seq::Translator;
use seq2seq::alignment::AlignmentErrors;
use seq2seq::translating::corpus::Part;
use seq2seq::translating::judge::forced_alignment;
use serde::{Deserialize, Serialize};
use shared::Matrix;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;
use workbench::study::rounded;

/// A kind of French word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// le, la, les, l', un, une, des
    Article,
    /// Also names.
    Noun,
    /// In all its forms.
    Adjective,
    /// In all its forms, participles included, without être and avoir.
    Verb,
    /// ne, n'
    Ne,
    /// The other half of a negation.
    Pas,
    /// . and ?
    Punctuation,
    /// Pronouns, prepositions, auxiliaries, adverbs …
    Other,
}

/// The class of a French word, where it is written in several ways the first of those above.
///
/// ```
/// use bahdanau::program::{Class, class_of};
/// assert_eq!(class_of("chevaux"), Class::Noun);
/// assert_eq!(class_of("blanche"), Class::Adjective);
/// assert_eq!(class_of("mangée"), Class::Verb);
/// assert_eq!(class_of("lui"), Class::Other);
/// ```
pub fn class_of(word: &str) -> Class {
    match word {
        "le" | "la" | "les" | "l'" | "un" | "une" | "des" => Class::Article,
        "ne" | "n'" => Class::Ne,
        "pas" => Class::Pas,
        "." | "?" | "!" => Class::Punctuation,
        "être" | "avoir" | "a" | "ont" | "est" | "sont" | "était" | "étaient" => Class::Other,
        _ => CONTENT.get(word).copied().unwrap_or(Class::Other),
    }
}

/// Every form of the lexicon's nouns, adjectives and verbs.
static CONTENT: LazyLock<HashMap<String, Class>> = LazyLock::new(|| {
    let mut classes = HashMap::new();
    for verb in VERBS.iter().map(|v| &v.french).chain(MODALS.iter().map(|m| &m.french)) {
        classes.extend(forms(verb).map(|form| (form, Class::Verb)));
    }
    for (number, gender) in [Number::Singular, Number::Plural].into_iter().flat_map(both_genders) {
        let features = Features::third(number, gender);
        let forms = |a: &Adjective| [a.french(features), a.before_vowel(features)];
        let forms = ADJECTIVES.iter().flat_map(forms);
        classes.extend(forms.map(|form| (form.to_owned(), Class::Adjective)));
    }
    let nouns = NOUNS.iter().flat_map(|noun| noun.french).chain(NAMES.iter().map(|name| name.text));
    classes.extend(nouns.map(|form| (form.to_owned(), Class::Noun)));
    classes.remove("");
    classes
});

fn both_genders(number: Number) -> [(Number, Gender); 2] {
    [(number, Gender::Masculine), (number, Gender::Feminine)]
}

fn forms(verb: &'static Conjugation) -> impl Iterator<Item = String> {
    let participles = ["", "e", "s", "es"].map(|ending| format!("{}{ending}", verb.participle));
    let finite = verb.present.iter().chain(&verb.imperfect).chain([&verb.infinitive]);
    finite.map(|form| form.to_string()).chain(participles)
}

/// Where the weights of words lie, in shares of the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// How many words: those that are linked to a source word.
    pub words: usize,
    /// On the source words that they translate.
    pub own: f64,
    /// On the source words that the *next* target word translates, if they are others.
    pub next: f64,
    /// On the end word of the source.
    pub end: f64,
    /// How often the largest weight lies on a source word that they translate.
    pub largest: f64,
}

impl Look {
    fn count(&mut self, weights: &[shared::Float], own: &[usize], next: &[usize]) {
        let mass = |words: &[usize]| -> f64 { words.iter().map(|j| f64::from(weights[*j])).sum() };
        let all: f64 = weights.iter().map(|w| f64::from(*w)).sum();
        let largest = (0..weights.len()).max_by(|a, b| weights[*a].total_cmp(&weights[*b]));
        let others: Vec<usize> = next.iter().filter(|j| !own.contains(j)).copied().collect();
        self.words += 1;
        self.own += mass(own);
        self.next += mass(&others);
        self.end += 1.0 - all;
        self.largest += f64::from(u8::from(largest.is_some_and(|j| own.contains(&j))));
    }

    /// Each number with that of another; the words are its own.
    pub(super) fn zip(self, other: Look, of: impl Fn(f64, f64) -> f64) -> Look {
        Look {
            words: self.words,
            own: of(self.own, other.own),
            next: of(self.next, other.next),
            end: of(self.end, other.end),
            largest: of(self.largest, other.largest),
        }
    }

    /// Each number divided by how many it is a sum of.
    pub(super) fn mean(self, count: usize) -> Look {
        self.zip(self, |sum, _| rounded(sum / count as f64))
    }
}

/// Where a model looks while the references of a part are dictated; nothing without attention.
pub fn looks(model: &impl Translator, part: &Part) -> BTreeMap<Class, Look> {
    looks_of(part, |source, target| forced_alignment(model, source, target))
}

/// Where the weights of the pairs of a part lie: (source words, target words), without the end words.
pub fn looks_of(
    part: &Part,
    weights: impl Fn(&[usize], &[usize]) -> Option<Matrix>,
) -> BTreeMap<Class, Look> {
    let mut looks: BTreeMap<Class, Look> = BTreeMap::new();
    for (number, pair) in part.pairs.iter().enumerate() {
        let (source, target) = part.numbers(number);
        let Some(gold) = &pair.alignment else { continue };
        let Some(weights) = weights(source, target) else { continue };
        let links = linked(gold, weights.ncols());
        for (i, word) in pair.target.iter().enumerate().filter(|(i, _)| !links[*i].is_empty()) {
            let next = links.get(i + 1).map_or(&[][..], |next| next);
            let look = looks.entry(class_of(word)).or_default();
            look.count(weights.column(i).as_slice(), &links[i], next);
        }
    }
    looks.into_iter().map(|(class, look)| (class, look.mean(look.words))).collect()
}

/// For each of `n` target words the source words that it translates, possible ones included.
pub(super) fn linked(gold: &Alignment, n: usize) -> Vec<Vec<usize>> {
    let mut links = vec![Vec::new(); n];
    gold.sure.iter().chain(&gold.possible).for_each(|(j, i)| links[*i].push(*j));
    links
}

/// The alignment error rate of somebody who knows the gold alignment but, as we do, must link each
/// target word to exactly one source word.
pub fn best_possible(part: &Part) -> f64 {
    let mut sum = AlignmentErrors::default();
    for pair in &part.pairs {
        let Some(gold) = &pair.alignment else { continue };
        let link = |j: usize| {
            let of = |links: &[(usize, usize)]| links.iter().find(|link| link.1 == j).copied();
            let nowhere = (pair.source.len(), j); // a word that translates nothing is linked all the same
            of(&gold.sure).or(of(&gold.possible)).unwrap_or(nowhere)
        };
        let links: Vec<_> = (0..pair.target.len()).map(link).collect();
        sum.add(&AlignmentErrors::new(&links, &gold.sure, &gold.possible));
    }
    sum.rate()
}
