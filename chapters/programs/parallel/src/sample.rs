//! Sentences at random: which of all the trees is drawn, how often, and what goes with what.

mod clauses;
mod nouns;
mod objects;
mod questions;
mod states;

use super::lexicon::*;
use super::tree::*;
use rand::{Rng, RngExt};

/// A sentence with up to about `room` words more than it needs.
pub fn sample(room: usize, rng: &mut impl Rng) -> Sentence {
    Sampler { room: room as i32, rng }.sentence()
}

struct Sampler<'a, R> {
    room: i32, // how many words may still be added to what must be said
    rng: &'a mut R,
}

/// When a clause happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tense {
    Present,
    Past,
    Future,
}

impl Tense {
    /// The adverbs that go with it.
    fn name(self) -> &'static str {
        ["present", "past", "future"][self as usize]
    }
}

/// Somebody or something that a pronoun in the next clause can stand for.
#[derive(Clone, Copy, Debug)]
struct Referent {
    pronoun: Pronoun,
    noun: &'static Noun,
}

/// What else is in the sentence: it decides which pronouns would be understood.
#[derive(Clone, Debug)]
enum Around {
    Nothing,               // nothing: *it* and *they* stand for what is not in the sentence
    More, // another clause, or another part of this one: no *it*, *they* and *them*
    Before(Vec<Referent>), // A clause before it, with these
}

impl Around {
    fn alone(&self) -> bool {
        matches!(self, Around::Nothing)
    }
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

    /// The place of one of `weights`, in proportion to them.
    fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut ticket = self.rng.random_range(0..weights.iter().sum());
        for (place, weight) in weights.iter().enumerate() {
            if ticket < *weight {
                return place;
            }
            ticket -= weight;
        }
        unreachable!("a ticket below the sum")
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.random_range(0..of.len())]
    }

    /// One of those that fit, if any does.
    fn one_of<T>(&mut self, of: &'static [T], fits: impl Fn(&T) -> bool) -> Option<&'static T> {
        let fitting: Vec<&'static T> = of.iter().filter(|item| fits(item)).collect();
        (!fitting.is_empty()).then(|| self.one(&fitting))
    }

    fn tense(&mut self) -> Tense {
        [Tense::Present, Tense::Past, Tense::Future][self.weighted(&[6, 3, 2])]
    }

    fn sentence(&mut self) -> Sentence {
        let long = self.room >= 10;
        let compound = if self.room < 4 { 0 } else { [16, 60][long as usize] };
        let fronted = if self.room < 5 { 0 } else { [4, 20][long as usize] };
        match self.weighted(&[60, 10, 8, 3, 3, 3, 5, compound, fronted]) {
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

    /// One clause; an adverb of time may stand before it.
    fn statement(&mut self) -> Sentence {
        let tense = self.tense();
        if !self.spend(2, 0.12) {
            return Sentence::Statement(None, self.clause(tense, &Around::Nothing));
        }
        let mut clause = self.doing(tense, &Around::Nothing, false, |verb| verb.is_action());
        let animal = matches!(&clause.subject, Nominal::Noun(phrase) if !phrase.noun.human());
        let adverb = self.one_of(&ADVERBS, |adverb| adverb.dates(tense.name(), animal));
        for predicate in &mut clause.predicates {
            predicate.adverb = predicate.adverb.filter(|adverb| adverb.kind == "manner");
            predicate.frequency = None;
        }
        Sentence::Statement(adverb, clause)
    }

    /// Two clauses side by side, or the second gives the reason of the first.
    fn compound(&mut self) -> Sentence {
        static CONJUNCTIONS: [Expression; 4] = [
            Expression { english: "because", french: "*parce* que" },
            Expression { english: "while", french: "*pendant* que" },
            Expression { english: "and", french: "et" },
            Expression { english: "but", french: "mais" },
        ];
        let kind = self.weighted(&[5, 1, 3, 3]);
        let tense = if kind == 1 { Tense::Present } else { self.tense() };
        let (first_room, second_room) = self.shared_room(4);
        self.room = first_room;
        let first = match kind {
            0 | 1 => self.doing(tense, &Around::More, false, |verb| verb.is_action()),
            _ => self.clause(tense, &Around::More),
        };
        self.room += second_room;
        let around = Around::Before(referents(&first));
        let second = match kind {
            0 => self.reason(tense, &around),
            1 => meanwhile(self.doing(tense, &around, false, |verb| verb.is_action())),
            _ if matches!(first.predicates[0].head, Head::Be(_)) => {
                self.doing(tense, &around, false, |_| true)
            }
            _ => self.clause(tense, &around),
        };
        Sentence::Compound(first, &CONJUNCTIONS[kind], second)
    }

    /// When or while one thing happens, another does.
    fn fronted(&mut self) -> Sentence {
        static CONJUNCTIONS: [Expression; 2] = [
            Expression { english: "when", french: "quand" },
            Expression { english: "while", french: "*pendant* que" },
        ];
        let (first_room, second_room) = self.shared_room(5);
        self.room = first_room;
        let first =
            meanwhile(self.doing(Tense::Present, &Around::More, true, |verb| verb.is_action()));
        self.room += second_room;
        let around = Around::Before(referents(&first));
        let second = self.doing(Tense::Present, &around, false, |verb| verb.is_action());
        Sentence::Fronted(&CONJUNCTIONS[self.weighted(&[1, 1])], first, second)
    }

    /// Half of the room for each of two clauses, `needed` being gone.
    fn shared_room(&self, needed: i32) -> (i32, i32) {
        let room = (self.room - needed).max(0);
        (room / 2, room - room / 2)
    }

    /// there are two cats under the table
    fn there(&mut self) -> Sentence {
        const FOUND: [&str; 7] =
            ["person", "animal", "beast", "thing", "clothing", "vehicle", "plant"];
        let noun = self.one_of(&NOUNS, |noun| FOUND.contains(&noun.class)).expect("nouns");
        let place = self.place_of(noun);
        let (question, past) = (self.chance(0.2), self.chance(0.3));
        let number = if self.chance(0.5) { Number::Singular } else { Number::Plural };
        let determiner = match number {
            _ if !question && self.chance(0.25) => Determiner::No,
            Number::Singular => Determiner::A,
            Number::Plural if question || self.chance(0.4) => Determiner::Some,
            Number::Plural if self.chance(0.5) => Determiner::Many,
            Number::Plural => Determiner::Count,
        };
        let mut what = NounPhrase::new(determiner, noun, number);
        if matches!(what.determiner, Determiner::Count) {
            what.count = Some(self.count());
        }
        self.describe(&mut what);
        Sentence::There { question, past, what, place }
    }
}

/// A clause fit to stand after *when* or *while*: it happens, and it happens now.
fn meanwhile(mut clause: Clause) -> Clause {
    for predicate in &mut clause.predicates {
        predicate.form = Form::Present;
        predicate.polarity = Polarity::Yes;
        predicate.frequency = None;
        predicate.adverb = predicate.adverb.filter(|adverb| adverb.kind == "manner");
    }
    clause
}

/// What a pronoun in the clause after this one can stand for, so that a reader who knows these
/// rules cannot be wrong: *it* is a subject that is no person, or else the object; *they* is a
/// subject of several, or else the object.
fn referents(clause: &Clause) -> Vec<Referent> {
    let mut found: Vec<Referent> = referent(&clause.subject).into_iter().collect();
    let Some(subject) = found.first().copied() else { return found };
    if let [VerbPhrase { head: Head::Verb { object, recipient: None, .. }, .. }] =
        &clause.predicates[..]
        && let Some(Object::Nominal(Nominal::Noun(object))) = object
    {
        let several = object.number == Number::Plural;
        let taken = if several {
            subject.pronoun.features.row() == 4
        } else {
            object.noun.human() || subject.pronoun.neuter
        };
        let pronoun = Pronoun { features: object.features(), neuter: !several };
        found.extend((!taken).then_some(Referent { pronoun, noun: object.noun }));
    }
    found
}

/// The pronoun for a subject, and what it is.
fn referent(subject: &Nominal) -> Option<Referent> {
    let features = subject.features();
    let (noun, neuter) = match subject {
        Nominal::Noun(phrase) => {
            (phrase.noun, !phrase.noun.human() && phrase.number == Number::Singular)
        }
        Nominal::Pronoun(pronoun) if pronoun.neuter => return None,
        _ => (anybody(), false),
    };
    Some(Referent { pronoun: Pronoun { features, neuter }, noun })
}

/// Stands for whoever a name or a pronoun stands for, when an adjective is chosen.
fn anybody() -> &'static Noun {
    noun("brother")
}

/// Whether `noun` is in the list.
fn has(nouns: &[&'static Noun], noun: &Noun) -> bool {
    nouns.iter().any(|other| std::ptr::eq(*other, noun))
}
