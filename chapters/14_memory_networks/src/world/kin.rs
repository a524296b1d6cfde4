//! Facts that do not change, (subject, relation) → object, and the same facts as sentences.
//!
//! ```text
//! (anna, likes) → paul      anna likes paul
//! (paul, lives) → garden    paul lives in the garden
//! where does the person live whom anna likes?  garden
//! ```
//!
//! Everybody likes somebody and is liked by somebody, so a bag of words does not say who likes whom.

use super::names::{PEOPLE, PLACES};
use corpora::{Question, Story};
use rand::RngExt;
use rand::seq::SliceRandom;
use shared::Rng;

/// A relation of a subject to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    pub subject: &'static str,  // who
    pub relation: &'static str, // `likes` or `lives`
    pub object: &'static str,   // whom, or where
}

impl Fact {
    /// The words that it is found by.
    pub fn key(&self) -> Vec<String> {
        vec![self.subject.to_owned(), self.relation.to_owned()]
    }

    /// The words that it holds.
    pub fn value(&self) -> Vec<String> {
        vec![self.object.to_owned()]
    }

    pub fn sentence(&self) -> Vec<String> {
        let Fact { subject, relation, object } = self;
        let between = if *relation == "lives" { " in the" } else { "" };
        corpora::stories::words(&format!("{subject} {relation}{between} {object}"))
    }
}

/// Facts about four people, and a story that says the same with a question of one fact or of two.
pub fn facts(steps: usize, rng: &mut Rng) -> (Vec<Fact>, Story) {
    let mut liked: Vec<usize> = (0..PEOPLE.len()).collect();
    while liked.iter().enumerate().any(|(who, whom)| who == *whom) {
        liked.shuffle(rng);
    }
    let homes: Vec<usize> = PEOPLE.iter().map(|_| rng.random_range(0..PLACES.len())).collect();
    let fact =
        |subject: usize, relation, object| Fact { subject: PEOPLE[subject], relation, object };
    let likes = liked.iter().enumerate().map(|(who, whom)| fact(who, "likes", PEOPLE[*whom]));
    let lives = homes.iter().enumerate().map(|(who, home)| fact(who, "lives", PLACES[*home]));
    let mut facts: Vec<Fact> = likes.chain(lives).collect();
    facts.shuffle(rng);
    let who = rng.random_range(0..PEOPLE.len());
    let find = |subject: usize, relation| {
        let i = facts.iter().position(|f| [f.subject, f.relation] == [PEOPLE[subject], relation]);
        i.expect("a fact about everybody")
    };
    let (question, supports) = match (steps, rng.random_bool(0.5)) {
        (1, true) => (format!("whom {} likes", PEOPLE[who]), vec![find(who, "likes")]),
        (1, false) => (format!("where {} lives", PEOPLE[who]), vec![find(who, "lives")]),
        (_, true) => {
            let supports = vec![find(who, "likes"), find(liked[who], "likes")];
            (format!("whom the friend of {} likes", PEOPLE[who]), supports)
        }
        (_, false) => {
            let supports = vec![find(who, "likes"), find(liked[who], "lives")];
            (format!("where the friend of {} lives", PEOPLE[who]), supports)
        }
    };
    let answer = facts[*supports.last().expect("a fact")].object.to_owned();
    let words = corpora::stories::words(&question);
    let question = Question { words, answer, supports, told: facts.len(), line: 0 };
    let sentences = facts.iter().map(Fact::sentence).collect();
    (facts, Story { sentences, questions: vec![question] })
}
