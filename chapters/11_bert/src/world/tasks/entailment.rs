//! Does the second text follow from the first?

use super::{Parts, Sizes, Source, parts};
use crate::world::lexicon::{Cell, table};
use crate::world::sentences::{plain, settle_articles, words_of};
use crate::world::told::{Sentence, Story, Tense, Word};
use crate::world::world::{Pronoun, Tag};
use std::slice::from_mut;

/// What the first text says about the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// It is so.
    Entailed,
    /// It is not so.
    Contradicted,
    /// Nothing.
    Unrelated,
}

impl Relation {
    /// All three, in the order of their numbers.
    pub const ALL: [Relation; 3] =
        [Relation::Entailed, Relation::Contradicted, Relation::Unrelated];
}

/// Facts, a claim, and how they are related.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PairExample {
    /// The beginning of a story.
    pub first: String,
    /// A claim about somebody's job or home.
    pub second: String,
    /// What `first` says about it.
    pub label: Relation,
}

/// Claims about the people of a story, whose first sentences say that it is so, or otherwise, or
/// nothing about it.
///
/// Everybody has one job and one home, so another one contradicts. Where a passage tells what hero
/// and friend are, the claim gives one of them, or somebody who is not in the story, what one of them
/// has: the label follows from who has what. Where it tells this of one of them, the claim gives him
/// or her the same, or another one, or gives the same to the other. Both kinds are equally frequent
/// with all labels, and a passage is chosen before its label.
///
/// # Errors
/// As [`sense`](super::sense()).
pub fn entailment(sizes: &Sizes, seed: u64) -> Result<Parts<PairExample>, String> {
    parts(sizes, seed, 1, example, |one| from_mut(&mut one.label), &Relation::ALL)
}

/// What a claim is about.
#[derive(Clone, Copy)]
enum Topic {
    Job,
    Home,
}

/// How much a passage says about a topic.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    Nothing,
    /// Something that agrees with some claims, and not with others.
    Partly,
    /// Everything a claim could say.
    Fully,
}

fn example(source: &mut Source) -> PairExample {
    let topic = [Topic::Job, Topic::Home][source.below(2)];
    let both = source.below(2) == 0;
    let (story, end) = passage(topic, both, source);
    let label = Relation::ALL[source.below(3)];
    let known = if both { source.below(2) } else { known(&story, end, topic) };
    let names = [0, 1].map(|person| name(&story, person));
    let facts = |person| cells(&story, topic, person);
    let (name, cells) = match (label, both) {
        (Relation::Entailed, _) => (names[known], facts(known)),
        (Relation::Contradicted, true) => (names[known], facts(1 - known)),
        (Relation::Contradicted, false) => (names[known], elsewhere(facts(known), source)),
        (Relation::Unrelated, true) => (stranger(&story, known, source), facts(known)),
        (Relation::Unrelated, false) => (names[1 - known], facts(known)),
    };
    let first: Vec<String> = story.sentences[..end].iter().map(Sentence::text).collect();
    let second = claim(name, cells, story.tense, source);
    PairExample { first: first.join(" "), second, label }
}

/// A beginning of a story, with hero and friend, that tells what is asked of both, or of one and
/// nothing about the other.
fn passage(topic: Topic, both: bool, source: &mut Source) -> (Story, usize) {
    let wanted = if both { Told::Fully } else { Told::Nothing };
    loop {
        let story = source.story();
        let suits = |end: &usize| {
            let [hero, friend] = [0, 1].map(|person| told(&story, *end, topic, person));
            (0..2).all(|person| is_named(&story, *end, person))
                && (hero == Told::Fully && friend == wanted
                    || friend == Told::Fully && hero == wanted)
        };
        let ends: Vec<usize> = (3..=6.min(story.sentences.len())).filter(suits).collect();
        if !ends.is_empty() {
            let end = ends[source.below(ends.len())];
            return (story, end);
        }
    }
}

/// Which of the two the passage tells of.
fn known(story: &Story, end: usize, topic: Topic) -> usize {
    usize::from(told(story, end, topic, 0) != Told::Fully)
}

/// The cells that the first sentences have of an entity.
fn seen(story: &Story, end: usize, entity: usize) -> impl Iterator<Item = Cell> {
    let words = story.sentences[..end].iter().flat_map(|sentence| &sentence.words);
    words.filter(move |word| word.entity == Some(entity)).filter_map(|word| word.cell)
}

fn is_named(story: &Story, end: usize, person: usize) -> bool {
    seen(story, end, person).any(|cell| cell.table == "people")
}

/// The entity that has the job, or is the home, of hero or friend.
fn owner(story: &Story, topic: Topic, person: usize) -> usize {
    let role = match topic {
        Topic::Job => ["a", "b"],
        Topic::Home => ["home", "home2"],
    };
    story.role(role[person])
}

/// What a claim about the person would say: job and workplace, or colour and kind of the home.
fn cells(story: &Story, topic: Topic, person: usize) -> [Cell; 2] {
    let columns = match topic {
        Topic::Job => ["job", "works"],
        Topic::Home => ["colour", "home"],
    };
    let entity = &story.entities[owner(story, topic, person)];
    columns.map(|column| entity.cell(column).expect("people have jobs, homes have colours"))
}

/// A job is told by any cell of its row, as the tables have each only once; a home by its colour
/// and kind.
fn told(story: &Story, end: usize, topic: Topic, person: usize) -> Told {
    let seen: Vec<Cell> = seen(story, end, owner(story, topic, person)).collect();
    match topic {
        Topic::Job if seen.iter().any(|cell| cell.table == "jobs") => Told::Fully,
        Topic::Job => Told::Nothing,
        Topic::Home if cells(story, topic, person).iter().all(|cell| seen.contains(cell)) => {
            Told::Fully
        }
        Topic::Home if seen.is_empty() => Told::Nothing,
        Topic::Home => Told::Partly,
    }
}

/// What is not so: another job, or another colour and kind of home.
fn elsewhere(cells: [Cell; 2], source: &mut Source) -> [Cell; 2] {
    let mut other = |cell: Cell| {
        let rows = table(cell.table).rows.len();
        Cell { row: (cell.row + 1 + source.below(rows - 1)) % rows, ..cell }
    };
    let [first, second] = cells;
    if first.table == second.table {
        let first = other(first);
        [first, Cell { row: first.row, ..second }]
    } else {
        [other(first), other(second)]
    }
}

fn name(story: &Story, person: usize) -> &'static str {
    story.entities[person].cell("name").expect("people have names").text()
}

/// Somebody of the same gender who is not in the story.
fn stranger(story: &Story, person: usize, source: &mut Source) -> &'static str {
    let column = usize::from(story.entities[person].pronoun == Pronoun::He);
    let rows = &table("people").rows;
    loop {
        let name = rows[source.below(rows.len())][column];
        let mut cells =
            story.entities.iter().flat_map(|one| [one.cell("name"), one.cell("called")]);
        if !cells.any(|cell| cell.is_some_and(|cell| cell.text() == name)) {
            return name;
        }
    }
}

/// The second text.
fn claim(name: &str, cells: [Cell; 2], tense: Tense, source: &mut Source) -> String {
    let past = tense == Tense::Past;
    let verbs = |present: &'static str, then: &'static str| if past { then } else { present };
    let [first, second] = cells;
    let (before, cells): (&[&str], &[Cell]) = match (first.table, source.below(2)) {
        ("jobs", 0) => (&[verbs("is", "was"), "a"], &[first]),
        ("jobs", _) => (&[verbs("works", "worked")], &[second]),
        (_, 0) => (&[verbs("lives", "lived"), "in", "the"], &cells),
        _ => (&[verbs("has", "had"), "a"], &cells),
    };
    let mut words: Vec<Word> =
        [name].iter().chain(before).map(|text| plain(text, Tag::Other)).collect();
    words.extend(cells.iter().flat_map(|cell| words_of(*cell, None, tense)));
    words.push(plain(".", Tag::Other));
    settle_articles(&mut words);
    Sentence { words }.text()
}
