//! The tables of words, read once.

use super::{Adjective, Adverb, Conjugation, Expression, Modal, Name, Noun, Preposition, Verb};
use crate::features::Gender;
use std::sync::LazyLock;

pub static NOUNS: LazyLock<Vec<Noun>> = LazyLock::new(|| {
    rows(include_str!("../../lexicon/nouns.md"))
        .map(|[english, englishes, french, frenches, gender, class, owned]| Noun {
            english: [english, englishes],
            french: [french, frenches],
            gender: Gender::read(gender),
            class,
            owned: owned == "yes",
        })
        .collect()
});

pub static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
    let names = rows(include_str!("../../lexicon/names.md"));
    names.map(|[text, gender]| Name { text, gender: Gender::read(gender) }).collect()
});

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
    let states = rows(include_str!("../../lexicon/predicates.md"));
    states.map(|[english, french]| Expression { english, french }).collect()
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
    let mut verbs = VERBS.iter().filter(|verb| verb.english[0] == english);
    verbs.find(|verb| verb.objects.is_empty() != transitive).expect(english)
}
