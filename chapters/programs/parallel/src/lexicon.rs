//! The words, read from the Markdown tables in `chapters/programs/parallel/lexicon`, which are also the tables the
//! book prints: one row a word, its forms in both languages, and what it goes with.

mod tables;

use super::features::{Features, Gender, Number};
pub use tables::*;

/// A noun of both languages.
#[derive(Debug)]
pub struct Noun {
    /// Singular and plural; the plural of what is not counted (bread) is empty.
    pub english: [&'static str; 2],
    pub french: [&'static str; 2], // singular and plural
    pub gender: Gender,            // the gender of the French noun
    pub class: &'static str,       // what kind of thing it is: verbs and adjectives choose by it
    pub owned: bool,               // whether somebody can call it theirs
}

impl Noun {
    /// Whether there can be two of it.
    pub fn countable(&self) -> bool {
        !self.english[1].is_empty()
    }

    /// Whether it is somebody: *who*, not *which*.
    pub fn human(&self) -> bool {
        matches!(self.class, "person" | "kin")
    }

    pub fn french(&self, number: Number) -> &'static str {
        self.french[number as usize]
    }

    pub fn english(&self, number: Number) -> &'static str {
        self.english[number as usize]
    }
}

/// Somebody's name, the same in both languages.
#[derive(Debug)]
pub struct Name {
    pub text: &'static str,
    pub gender: Gender,
}

/// An adjective of both languages.
#[derive(Debug)]
pub struct Adjective {
    pub english: &'static str,
    /// `taller`, or `more` where the comparative is *more …*, or empty where nobody compares.
    pub comparative: &'static str,
    /// Masculine singular, the same before a vowel, feminine singular, both plurals.
    french: [&'static str; 5],
    pub before: bool, // whether the French adjective stands before its noun
    /// What it is about: size, age, colour, mood, … Two of a kind would contradict each other.
    pub kind: &'static str,
    pub describes: Vec<&'static Noun>,
}

impl Adjective {
    /// The French form that agrees with `features`.
    pub fn french(&self, features: Features) -> &'static str {
        match (features.number, features.gender) {
            (Number::Singular, Gender::Masculine) => self.french[0],
            (Number::Singular, Gender::Feminine) => self.french[2],
            (Number::Plural, Gender::Masculine) => self.french[3],
            (Number::Plural, Gender::Feminine) => self.french[4],
        }
    }

    /// Whether what is so today may be otherwise tomorrow.
    pub fn passes(&self) -> bool {
        matches!(self.kind, "condition" | "mood" | "noise" | "warmth")
    }

    /// The form before a noun that begins with a vowel: *un vieil homme*.
    pub fn before_vowel(&self, features: Features) -> &'static str {
        match (features.number, features.gender) {
            (Number::Singular, Gender::Masculine) => self.french[1],
            _ => self.french(features),
        }
    }
}

/// The forms of a French verb.
#[derive(Debug)]
pub struct Conjugation {
    pub present: [&'static str; 5],   // with je, il, nous, vous, ils
    pub imperfect: [&'static str; 5], // the same; empty strings where the past is the compound one
    pub infinitive: &'static str,
    /// The past participle, masculine singular; empty where there is no compound past.
    pub participle: &'static str,
    pub with_etre: bool, // whether the compound past is made with *être*
    pub reflexive: bool, // whether it takes *me, se, nous, vous*: se reposer
}

impl Conjugation {
    /// Whether the compound past is made with *être*: je suis allé, je me suis reposé.
    pub fn takes_etre(&self) -> bool {
        self.with_etre || self.reflexive
    }
}

/// A verb of both languages, with what it says it of.
#[derive(Debug)]
pub struct Verb {
    /// Base, third person singular, past (empty for states, which are told in the present only).
    pub english: [&'static str; 3],
    pub particle: &'static str, // what follows the English verb: `at` of *look at*; often empty
    pub french: Conjugation,
    pub preposition: &'static str, // what follows the French verb: `à` of *obéir à*; often empty
    pub meant: bool,               // whether one does it on purpose, so that one can want or try to
    pub accident: bool,            // whether it is always a mishap, which nobody announces
    pub subjects: Vec<&'static Noun>, // who or what does it
    pub objects: Vec<&'static Noun>, // to whom or what; empty for a verb without object
    /// Who receives the object; empty for all but giving and the like.
    pub recipients: Vec<&'static Noun>,
    pub reports: bool, // whether a clause follows: says that
}

impl Verb {
    /// Whether it is told in the past, and can follow another verb.
    pub fn is_action(&self) -> bool {
        !self.english[2].is_empty()
    }

    /// Whether its object is a place: go to, live in.
    pub fn with_place(&self) -> bool {
        !self.preposition.is_empty() && self.objects.iter().all(|noun| !noun.human())
    }

    /// Whether the French object may become a pronoun before the verb: all but places one goes to.
    pub fn takes_pronoun(&self) -> bool {
        !self.objects.is_empty() && !self.with_place()
    }
}

/// A verb that another verb follows: can, want to, be going to.
#[derive(Debug)]
pub struct Modal {
    /// Base, third person singular, past (may be empty), without the rest of the expression.
    pub english: [&'static str; 3],
    pub rest: &'static str, // what follows: `to`, `going to`, or nothing
    pub french: Conjugation,
    pub preposition: &'static str, // what stands before the French infinitive: `à`, `de` or nothing
    with: &'static str,
}

impl Modal {
    /// Whether `verb` may follow.
    pub fn admits(&self, verb: &Verb) -> bool {
        verb.is_action()
            && match self.with {
                "any" => true,
                "meant" => verb.meant,
                verbs => verbs.split(' ').any(|english| english == verb.english[0]),
            }
    }
}

/// A word or an expression that never changes. In those of several words, one star marks the words
/// that translate each other, two stars other words that do.
#[derive(Debug)]
pub struct Expression {
    pub english: &'static str,
    pub french: &'static str,
}

/// A preposition and the nouns it places things at.
#[derive(Debug)]
pub struct Preposition {
    pub words: Expression,
    pub places: Vec<&'static Noun>,
}

/// An adverb.
#[derive(Debug)]
pub struct Adverb {
    pub words: Expression,
    pub kind: &'static str, // frequency, past, present, future or manner
    with: &'static str,
}

impl Adverb {
    /// Whether it goes with `not`: *not often*, but hardly *not sometimes*.
    pub fn negatable(&self) -> bool {
        self.with == "not"
    }

    /// Whether it says when something happens in a tense. Animals keep no calendar.
    pub fn dates(&self, tense: &str, animal: bool) -> bool {
        self.kind == tense
            && !(animal && (tense == "future" || self.words.english.contains("week")))
    }

    /// Whether this adverb of manner says how `verb` is done.
    pub fn says_how(&self, verb: &Verb) -> bool {
        self.kind == "manner" && self.with.split(' ').any(|word| word == verb.english[0])
    }
}
