//! Which words stand together in a sentence.

use super::lexicon::Noun;
use super::tree::*;

/// Two words that belong together, by their English forms: an adjective and the noun it describes,
/// or a verb and its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Combination(pub &'static str, pub &'static str);

impl Combination {
    /// Whether no sentence shows it but those of the split *compositional*: one in sixteen, chosen
    /// by a hash of the words (FNV-1a) and so by nothing that matters. (The remainder 12 leaves the
    /// combinations of [`examples`](super::examples) to the other splits.)
    pub fn held_out(self) -> bool {
        let letters = self.0.bytes().chain([b' ']).chain(self.1.bytes());
        let hash = letters.fold(0xcbf2_9ce4_8422_2325_u64, |hash, letter| {
            (hash ^ u64::from(letter)).wrapping_mul(0x100_0000_01b3)
        });
        (hash >> 32) % 16 == 12
    }
}

impl Sentence {
    /// Every adjective with the noun it describes, every verb with its object.
    pub fn combinations(&self) -> Vec<Combination> {
        let mut found = Combinations(Vec::new());
        match self {
            Sentence::Statement(_, clause)
            | Sentence::Question(clause)
            | Sentence::Asking(_, clause)
            | Sentence::What(clause)
            | Sentence::Whom(clause) => found.clause(clause),
            Sentence::Who(predicate) => found.predicate(predicate, &[]),
            Sentence::There { what, place, .. } => {
                found.phrase(what);
                found.nominal(&place.place);
            }
            Sentence::Compound(first, _, second) | Sentence::Fronted(_, first, second) => {
                found.clause(first);
                found.clause(second);
            }
        }
        found.0
    }
}

struct Combinations(Vec<Combination>);

impl Combinations {
    fn add(&mut self, word: &'static str, nouns: &[&'static Noun]) {
        self.0.extend(nouns.iter().map(|noun| Combination(word, noun.english[0])));
    }

    fn nominal(&mut self, nominal: &Nominal) {
        match nominal {
            Nominal::Pronoun(_) | Nominal::Name(_) => {}
            Nominal::Noun(phrase) => self.phrase(phrase),
            Nominal::Both(one, other) => {
                self.nominal(one);
                self.nominal(other);
            }
        }
    }

    fn phrase(&mut self, phrase: &NounPhrase) {
        let noun = [phrase.noun];
        for adjective in [phrase.before, phrase.after].into_iter().flatten() {
            self.add(adjective.english, &noun);
        }
        if let Determiner::Of(owner) = &phrase.determiner {
            self.nominal(owner);
        }
        match &phrase.complement {
            None => {}
            Some(Complement::Place(place)) => self.nominal(&place.place),
            Some(Complement::Subject(predicate)) => self.predicate(predicate, &noun),
            Some(Complement::Object(clause)) => {
                self.clause(clause);
                if let Head::Verb { verb, .. } = &clause.predicates[0].head {
                    self.add(verb.english[0], &noun);
                }
            }
        }
    }

    fn clause(&mut self, clause: &Clause) {
        self.nominal(&clause.subject);
        let subjects = nouns(&clause.subject);
        clause.predicates.iter().for_each(|predicate| self.predicate(predicate, &subjects));
    }

    fn predicate(&mut self, predicate: &VerbPhrase, subjects: &[&'static Noun]) {
        match &predicate.head {
            Head::Be(Predicative::Quality(adjective, _)) => self.add(adjective.english, subjects),
            Head::Be(Predicative::Comparison(adjective, than)) => {
                self.add(adjective.english, subjects);
                self.add(adjective.english, &nouns(than));
                self.nominal(than);
            }
            Head::Be(Predicative::State(_)) => {}
            Head::Be(Predicative::Place(place)) => self.nominal(&place.place),
            Head::Report(_, clause) => self.clause(clause),
            Head::Verb { verb, object, recipient } => {
                if let Some(Object::Nominal(object)) = object {
                    self.add(verb.english[0], &nouns(object));
                    self.nominal(object);
                }
                if let Some(Object::Nominal(recipient)) = recipient {
                    self.nominal(recipient);
                }
            }
        }
        if let Some(place) = &predicate.place {
            self.nominal(&place.place);
        }
    }
}

/// The nouns that a nominal names: one, two, or none.
fn nouns(nominal: &Nominal) -> Vec<&'static Noun> {
    match nominal {
        Nominal::Pronoun(_) | Nominal::Name(_) => Vec::new(),
        Nominal::Noun(phrase) => vec![phrase.noun],
        Nominal::Both(one, other) => [nouns(one), nouns(other)].concat(),
    }
}
