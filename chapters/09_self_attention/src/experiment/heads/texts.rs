//! English sentences of the parallel corpus, and which of their words belong together.

use rand::RngExt;
use shared::Rng;
use std::collections::HashSet;
use worlds::parallel::{EXAMPLES, Link, Relation, sample};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub words: Vec<String>,
    pub links: Vec<Link>,
}

/// Sentences for training, validation and test; no two are the same, and none is an example of the
/// book.
pub fn texts(sizes: [usize; 3], rng: &mut Rng) -> [Vec<Text>; 3] {
    let mut seen: HashSet<String> = EXAMPLES.iter().map(|pair| pair.0.to_owned()).collect();
    sizes.map(|size| {
        let mut part = Vec::with_capacity(size);
        while part.len() < size {
            let sentence = sample(rng.random_range(0..10), rng);
            let words = sentence.pair().source;
            if seen.insert(words.join(" ")) {
                part.push(Text { words, links: sentence.links() });
            }
        }
        part
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    NounOfDeterminer,
    DeterminerOfNoun,
    NounOfAdjective,
    AdjectiveOfNoun,
    SubjectOfVerb,
    VerbOfSubject,
}

impl Asked {
    pub const ALL: [Asked; 6] = [
        Asked::NounOfDeterminer,
        Asked::DeterminerOfNoun,
        Asked::NounOfAdjective,
        Asked::AdjectiveOfNoun,
        Asked::SubjectOfVerb,
        Asked::VerbOfSubject,
    ];

    pub fn name(self) -> &'static str {
        [
            "noun_of_determiner",
            "determiner_of_noun",
            "noun_of_adjective",
            "adjective_of_noun",
            "subject_of_verb",
            "verb_of_subject",
        ][self as usize]
    }

    /// The positions of those who ask, and of what they should find; one who has several is left out.
    pub fn questions(self, text: &Text) -> Vec<(usize, usize)> {
        use Relation::*;
        let relation = [Determiner, Determiner, Adjective, Adjective, Subject, Subject];
        let own = text.links.iter().filter(|link| link.relation == relation[self as usize]);
        let turned =
            matches!(self, Asked::DeterminerOfNoun | Asked::AdjectiveOfNoun | Asked::SubjectOfVerb);
        let question = |link: &Link| {
            if turned { (link.head, link.dependent) } else { (link.dependent, link.head) }
        };
        let all: Vec<(usize, usize)> = own.map(question).collect();
        let alone =
            |one: &&(usize, usize)| all.iter().filter(|other| other.0 == one.0).count() == 1;
        all.iter().filter(alone).copied().collect()
    }
}
