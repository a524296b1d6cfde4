//! The words, read from the Markdown tables in `corpora/lexicon`, which are also the tables the
//! book prints: one row a word, its forms in both languages, and what it goes with.

use super::tree::{Features, Gender, Number};
use std::sync::LazyLock;

/// A noun of both languages.
#[derive(Debug)]
pub struct Noun {
    /// Singular and plural; the plural of what is not counted (bread) is empty.
    pub english: [&'static str; 2],
    /// Singular and plural.
    pub french: [&'static str; 2],
    /// The gender of the French noun.
    pub gender: Gender,
    /// What kind of thing it is: verbs and adjectives choose by it.
    pub class: &'static str,
    /// Whether somebody can call it theirs.
    pub owned: bool,
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

    /// The form in French.
    pub fn french(&self, number: Number) -> &'static str {
        self.french[number as usize]
    }

    /// The form in English.
    pub fn english(&self, number: Number) -> &'static str {
        self.english[number as usize]
    }
}

/// Somebody's name, the same in both languages.
#[derive(Debug)]
pub struct Name {
    /// The name.
    pub text: &'static str,
    /// Whose.
    pub gender: Gender,
}

/// An adjective of both languages.
#[derive(Debug)]
pub struct Adjective {
    /// The English form.
    pub english: &'static str,
    /// `taller`, or `more` where the comparative is *more …*, or empty where nobody compares.
    pub comparative: &'static str,
    /// Masculine singular, the same before a vowel, feminine singular, both plurals.
    french: [&'static str; 5],
    /// Whether the French adjective stands before its noun.
    pub before: bool,
    /// What it is about: size, age, colour, mood, … Two of a kind would contradict each other.
    pub kind: &'static str,
    /// The nouns it describes.
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
    /// With je, il, nous, vous, ils.
    pub present: [&'static str; 5],
    /// The same; empty strings where the past is the compound one.
    pub imperfect: [&'static str; 5],
    /// The infinitive.
    pub infinitive: &'static str,
    /// The past participle, masculine singular; empty where there is no compound past.
    pub participle: &'static str,
    /// Whether the compound past is made with *être*.
    pub with_etre: bool,
    /// Whether it takes *me, se, nous, vous*: se reposer.
    pub reflexive: bool,
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
    /// What follows the English verb: `at` of *look at*; often empty.
    pub particle: &'static str,
    /// The French forms.
    pub french: Conjugation,
    /// What follows the French verb: `à` of *obéir à*; often empty.
    pub preposition: &'static str,
    /// Whether one does it on purpose, so that one can want or try to.
    pub meant: bool,
    /// Whether it is always a mishap, which nobody announces.
    pub accident: bool,
    /// Who or what does it.
    pub subjects: Vec<&'static Noun>,
    /// To whom or what; empty for a verb without object.
    pub objects: Vec<&'static Noun>,
    /// Who receives the object; empty for all but giving and the like.
    pub recipients: Vec<&'static Noun>,
    /// Whether a clause follows: says that.
    pub reports: bool,
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
    /// What follows: `to`, `going to`, or nothing.
    pub rest: &'static str,
    /// The French forms.
    pub french: Conjugation,
    /// What stands before the French infinitive: `à`, `de` or nothing.
    pub preposition: &'static str,
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
    /// The English words.
    pub english: &'static str,
    /// The French words.
    pub french: &'static str,
}

/// A preposition and the nouns it places things at.
#[derive(Debug)]
pub struct Preposition {
    /// Its words.
    pub words: Expression,
    /// The places.
    pub places: Vec<&'static Noun>,
}

/// An adverb.
#[derive(Debug)]
pub struct Adverb {
    /// Its words.
    pub words: Expression,
    /// frequency, past, present, future or manner.
    pub kind: &'static str,
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

/// All nouns.
pub static NOUNS: LazyLock<Vec<Noun>> = LazyLock::new(|| {
    let noun =
        |[english, englishes, french, frenches, gender, class, owned]: [&'static str; 7]| Noun {
            english: [english, englishes],
            french: [french, frenches],
            gender: Gender::read(gender),
            class,
            owned: owned == "yes",
        };
    rows(include_str!("../../lexicon/nouns.md")).map(noun).collect()
});

/// All names.
pub static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
    let name = |[text, gender]: [&'static str; 2]| Name { text, gender: Gender::read(gender) };
    rows(include_str!("../../lexicon/names.md")).map(name).collect()
});

/// All adjectives.
pub static ADJECTIVES: LazyLock<Vec<Adjective>> = LazyLock::new(|| {
    rows(include_str!("../../lexicon/adjectives.md"))
        .map(|[english, comparative, il, vowel, elle, ils, elles, place, kind, describes]| {
            Adjective {
                english,
                comparative,
                french: [il, vowel, elle, ils, elles],
                before: place == "before",
                kind,
                describes: nouns(describes),
            }
        })
        .collect()
});

/// All verbs, those that report a clause among them.
pub static VERBS: LazyLock<Vec<Verb>> = LazyLock::new(|| {
    rows(include_str!("../../lexicon/verbs.md"))
        .map(|row: [&'static str; 15]| {
            let (english, particle) = row[0].split_once(' ').unwrap_or((row[0], ""));
            let first = |form: &'static str| form.split(' ').next().unwrap_or_default();
            let (french, preposition) = conjugation(&row[3..10].try_into().unwrap(), row[10]);
            Verb {
                english: [english, first(row[1]), first(row[2])],
                particle,
                french,
                preposition,
                meant: row[11] == "yes",
                accident: row[11] == "accident",
                subjects: nouns(row[12]),
                objects: if row[13] == "clause" { Vec::new() } else { nouns(row[13]) },
                recipients: nouns(row[14]),
                reports: row[13] == "clause",
            }
        })
        .collect()
});

/// All verbs that another verb follows.
pub static MODALS: LazyLock<Vec<Modal>> = LazyLock::new(|| {
    rows(include_str!("../../lexicon/modals.md"))
        .map(|row: [&'static str; 11]| {
            let (english, rest) = row[0].split_once(' ').unwrap_or((row[0], ""));
            let first = |form: &'static str| form.split(' ').next().unwrap_or_default();
            let (french, preposition) = conjugation(&row[3..10].try_into().unwrap(), "avoir");
            let english = [english, first(row[1]), first(row[2])];
            Modal { english, rest, french, preposition, with: row[10] }
        })
        .collect()
});

/// All prepositions that say where.
pub static PREPOSITIONS: LazyLock<Vec<Preposition>> = LazyLock::new(|| {
    rows(include_str!("../../lexicon/prepositions.md"))
        .map(|[english, french, places]| Preposition {
            words: Expression { english, french },
            places: nouns(places),
        })
        .collect()
});

/// All adverbs.
pub static ADVERBS: LazyLock<Vec<Adverb>> = LazyLock::new(|| {
    rows(include_str!("../../lexicon/adverbs.md"))
        .map(|[english, french, kind, with]| Adverb {
            words: Expression { english, french },
            kind,
            with,
        })
        .collect()
});

/// What one *is* in English and *has* in French: hungry, *avoir faim*.
pub static STATES: LazyLock<Vec<Expression>> = LazyLock::new(|| {
    let state = |[english, french]: [&'static str; 2]| Expression { english, french };
    rows(include_str!("../../lexicon/predicates.md")).map(state).collect()
});

/// The rows below the heading of a Markdown table; a dash is an empty cell.
fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    table.lines().filter(|line| line.starts_with('|')).skip(2).map(|line| {
        let cells = line.trim_matches('|').split('|').map(str::trim);
        let cells: Vec<_> = cells.map(|cell| if cell == "–" { "" } else { cell }).collect();
        cells.try_into().unwrap_or_else(|_| panic!("{N} cells expected: {line}"))
    })
}

/// Nouns given by their class, by `human`, or one by one.
fn nouns(selection: &str) -> Vec<&'static Noun> {
    let mut chosen: Vec<&'static Noun> = Vec::new();
    for word in selection.split_whitespace() {
        let before = chosen.len();
        chosen.extend(NOUNS.iter().filter(|noun| {
            noun.class == word || (word == "human" && noun.human()) || noun.english[0] == word
        }));
        assert!(chosen.len() > before, "the lexicon has no {word}");
    }
    chosen
}

/// The columns from `je` to `participle`, and what the infinitive is followed by.
fn conjugation(row: &[&'static str; 7], auxiliary: &str) -> (Conjugation, &'static str) {
    let [je, il, nous, vous, ils, infinitive, participle] = *row;
    let bare = infinitive.strip_prefix("se ").or(infinitive.strip_prefix("s'"));
    let (verb, preposition) =
        bare.unwrap_or(infinitive).split_once(' ').unwrap_or((bare.unwrap_or(infinitive), ""));
    let french = Conjugation {
        present: [je, il, nous, vous, ils],
        imperfect: [""; 5],
        infinitive: verb,
        participle,
        with_etre: auxiliary == "être",
        reflexive: bare.is_some(),
    };
    (french, preposition)
}

/// The noun whose English singular is `english`. Panics when there is none.
pub fn noun(english: &str) -> &'static Noun {
    NOUNS.iter().find(|noun| noun.english[0] == english).expect(english)
}

/// The adjective `english`. Panics when there is none.
pub fn adjective(english: &str) -> &'static Adjective {
    ADJECTIVES.iter().find(|adjective| adjective.english == english).expect(english)
}

/// The first verb whose English base is `english` and which has an object or not. Panics when there is none.
pub fn verb(english: &str, transitive: bool) -> &'static Verb {
    let wanted = |verb: &&Verb| verb.english[0] == english && verb.objects.is_empty() != transitive;
    VERBS.iter().find(wanted).expect(english)
}
