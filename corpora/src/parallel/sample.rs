//! Sentences at random: which of all the trees is drawn, how often, and what goes with what.

mod clauses;
mod nouns;

use super::lexicon::*;
use super::tree::*;
use rand::{Rng, RngExt};

/// A sentence with about `room` words more than it needs.
pub fn sample(room: usize, rng: &mut impl Rng) -> Sentence {
    Sampler { room: room as i32, rng }.sentence()
}

struct Sampler<'a, R> {
    /// How many words may still be added to what must be said.
    room: i32,
    rng: &'a mut R,
}

const WHERE: Expression = Expression { english: "where", french: "où" };
const WHY: Expression = Expression { english: "why", french: "pourquoi" };
const WHEN: Expression = Expression { english: "when", french: "quand" };
const WHILE: Expression = Expression { english: "while", french: "*pendant* que" };
const BECAUSE: Expression = Expression { english: "because", french: "*parce* que" };
const AND: Expression = Expression { english: "and", french: "et" };
const BUT: Expression = Expression { english: "but", french: "mais" };

static CONSTANTS: [&Expression; 7] = [&WHERE, &WHY, &WHEN, &WHILE, &BECAUSE, &AND, &BUT];

/// What a clause is told as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tense {
    Present,
    Past,
    Future,
}

/// What the pronouns of a clause can stand for.
#[derive(Clone, Copy, Debug)]
enum Around {
    /// The clause stands alone: *it* and *they* stand for what is not in the sentence.
    Alone,
    /// Another clause stands beside it: nothing that could be misunderstood.
    Beside,
    /// *it* and *they* stand for this.
    After(Option<Pronoun>),
}

impl<R: Rng> Sampler<'_, R> {
    fn chance(&mut self, probability: f64) -> bool {
        self.rng.random_bool(probability)
    }

    /// Whether something of `words` words is added.
    fn spend(&mut self, words: i32, probability: f64) -> bool {
        let yes = self.room >= words && self.chance(probability);
        if yes {
            self.room -= words;
        }
        yes
    }

    /// One of `weights`, in proportion.
    fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut ticket = self.rng.random_range(0..weights.iter().sum());
        weights
            .iter()
            .position(|&weight| {
                let here = ticket < weight;
                ticket = ticket.saturating_sub(weight);
                here
            })
            .expect("a ticket below the sum")
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.random_range(0..of.len())]
    }

    fn one_of<T>(&mut self, of: &'static [T], fits: impl Fn(&T) -> bool) -> Option<&'static T> {
        let fitting: Vec<&'static T> = of.iter().filter(|item| fits(item)).collect();
        (!fitting.is_empty()).then(|| self.one(&fitting))
    }

    fn tense(&mut self) -> Tense {
        [Tense::Present, Tense::Past, Tense::Future][self.weighted(&[5, 3, 2])]
    }

    fn sentence(&mut self) -> Sentence {
        let long = self.room >= 10;
        let compound = if self.room >= 4 { if long { 60 } else { 14 } } else { 0 };
        let fronted = if self.room >= 5 { if long { 20 } else { 4 } } else { 0 };
        let weights = [60, 10, 6, 4, 3, 3, 6, compound, fronted];
        match self.weighted(&weights) {
            0 => self.statement(),
            1 => self.question(),
            2 => self.asking(),
            3 => self.who(),
            4 => self.object_question(true),
            5 => self.object_question(false),
            6 => self.there(),
            7 => self.compound(),
            _ => self.fronted(),
        }
    }

    fn statement(&mut self) -> Sentence {
        let tense = self.tense();
        let kind = ["present", "past", "future"][tense as usize];
        if self.spend(2, 0.12) {
            let adverb = self.one_of(&ADVERBS, |adverb| adverb.kind == kind);
            let mut clause = self.clause(tense, Around::Alone);
            clause.predicates.iter_mut().for_each(|predicate| {
                predicate.adverb = predicate.adverb.filter(|adverb| adverb.kind == "manner");
                predicate.frequency = None;
            });
            return Sentence::Statement(adverb, clause);
        }
        Sentence::Statement(None, self.clause(tense, Around::Alone))
    }

    /// two clauses that stand side by side, or the second gives the reason of the first
    fn compound(&mut self) -> Sentence {
        let tense = self.tense();
        let room = self.room - 4;
        self.room = room / 2;
        let first = self.clause(tense, Around::Beside);
        self.room += room - room / 2;
        let conjunction = *CONSTANTS[3 + self.weighted(&[2, 4, 3, 3])..].first().expect("four");
        let (conjunction, tense) = match conjunction.english {
            "while" if tense != Tense::Present => (&BECAUSE, tense),
            _ => (conjunction, tense),
        };
        let second = self.clause(tense, Around::After(antecedent(&first)));
        Sentence::Compound(first, conjunction, second)
    }

    fn fronted(&mut self) -> Sentence {
        let room = self.room - 5;
        self.room = room / 2;
        let first = self.clause(Tense::Present, Around::Beside);
        self.room += room - room / 2;
        let second = self.clause(Tense::Present, Around::After(antecedent(&first)));
        let conjunction = if self.chance(0.5) { &WHEN } else { &WHILE };
        Sentence::Fronted(conjunction, first, second)
    }

    fn there(&mut self) -> Sentence {
        let preposition = &PREPOSITIONS[self.rng.random_range(0..PREPOSITIONS.len())];
        let place = self.noun_at(preposition);
        let mut classes = vec!["person", "animal"];
        match preposition.words.english {
            "on" | "under" | "in" => classes.extend(["thing", "clothing"]),
            _ => classes.extend(["vehicle", "plant"]),
        }
        let noun = loop {
            let noun = &NOUNS[self.rng.random_range(0..NOUNS.len())];
            if classes.contains(&noun.class) && noun.english[0] != "tree" {
                break noun;
            }
        };
        let question = self.chance(0.2);
        let past = self.chance(0.3);
        let number = if self.chance(0.5) { Number::Singular } else { Number::Plural };
        let determiner = match number {
            _ if !question && self.chance(0.25) => Determiner::No,
            Number::Singular => Determiner::A,
            Number::Plural if question || self.chance(0.4) => Determiner::Some,
            Number::Plural if self.chance(0.5) => Determiner::Many,
            Number::Plural => Determiner::Count,
        };
        let count = matches!(determiner, Determiner::Count).then(|| self.count());
        let mut what = NounPhrase::new(determiner, noun, number);
        what.count = count;
        self.describe(&mut what);
        Sentence::There { question, past, what, place: Place { preposition, place } }
    }
}

/// What *it* or *they* in the next clause stand for: the subject, or, if that is *he* or *she*, the
/// object.
fn antecedent(clause: &Clause) -> Option<Pronoun> {
    let subject = clause.subject.features();
    let object = match &clause.predicates[0].head {
        Head::Verb { object: Some(Object::Nominal(object)), recipient: None, .. } => Some(object),
        _ => None,
    };
    if clause.predicates.len() > 1
        || !matches!(clause.subject, Nominal::Noun(_) | Nominal::Both(..))
    {
        return None;
    }
    match &clause.subject {
        _ if subject.number == Number::Plural => Some(Pronoun { features: subject, neuter: false }),
        Nominal::Noun(phrase) if !phrase.noun.human() => {
            Some(Pronoun { features: subject, neuter: true })
        }
        _ => object.and_then(stands_for),
    }
}

/// The pronoun for an object: *them*, or *it* if it is not a person.
fn stands_for(object: &Nominal) -> Option<Pronoun> {
    match object {
        Nominal::Noun(phrase) => {
            let neuter = phrase.number == Number::Singular;
            (!phrase.noun.human() || !neuter)
                .then(|| Pronoun { features: phrase.features(), neuter })
        }
        _ => None,
    }
}
