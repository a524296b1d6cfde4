//! A world whose next word has a probability that is known: four people, five places, four things.
//!
//! ```text
//! there is a cup in the attic . anna went to the attic . anna took the cup . anna went to the garden .
//! where is the cup ? the cup is in the garden .
//! ```
//!
//! Nothing is said that is not so: nobody takes what lies elsewhere, and an answer is true. [`World`] reads a text word
//! by word and says what may come next, so it is the perfect language model of its own texts. The mean of `−ln p` of
//! their words is the loss that no model falls below but by chance.

use rand::RngExt;
use shared::Rng;

/// The words: marks, then people, places and things.
pub const WORDS: [&str; 26] = [
    "<begin>", ".", "?", "there", "is", "a", "in", "the", "went", "to", "took", "left",
    "where", // marks
    "anna", "paul", "nina", "omar", // people
    "garden", "kitchen", "cellar", "attic", "hall", // places
    "coin", "cup", "book", "ball", // things
];

/// The word before every text.
pub const BEGIN: usize = 0;
const PEOPLE: [&str; 4] = ["anna", "paul", "nina", "omar"];
const PLACES: [&str; 5] = ["garden", "kitchen", "cellar", "attic", "hall"];
const THINGS: [&str; 4] = ["coin", "cup", "book", "ball"];

/// Of sentences, the share that ask, and that show a new thing, as long as they can.
const SHARE: f64 = 0.3;

/// Where a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    Unseen,
    At(usize),   // a place
    With(usize), // a person
}

/// What is so after the words that were read, and the sentence that is not complete yet.
#[derive(Clone, Debug)]
pub struct World {
    people: [Option<usize>; PEOPLE.len()], // the place of each
    things: [Thing; THINGS.len()],
    sentence: Vec<&'static str>,
}

impl Default for World {
    fn default() -> World {
        World { people: [None; 4], things: [Thing::Unseen; 4], sentence: Vec::new() }
    }
}

/// The number of a word of the world.
pub fn number(word: &str) -> Option<usize> {
    WORDS.iter().position(|other| *other == word)
}

/// Which of some words it is.
fn index(words: &[&str], word: &str) -> usize {
    words.iter().position(|other| *other == word).expect("a word of its kind")
}

impl World {
    // ANCHOR: next
    /// The words that may come next, each with its probability. None, after a word that could not come.
    pub fn next(&self) -> Vec<(usize, f64)> {
        let mut found = Vec::new();
        let mut may = |word: &str, weight: f64| found.push((number(word).expect("a word"), weight));
        if let Some(mark) = self.sentence.iter().position(|word| *word == "?") {
            // What was asked about, again, and the truth.
            let asked = &self.sentence[2..mark];
            let place = self.place(asked[asked.len() - 1]).expect("asked for what is known");
            let answer = [asked, &["is", "in", "the", PLACES[place], "."]].concat();
            may(answer[self.sentence.len() - mark - 1], 1.0);
            return found;
        }
        match self.sentence[..] {
            [] => {
                let [unseen, known] = [self.unseen().count() > 0, self.known().count() > 0];
                let [show, ask] = [unseen, known].map(|can| if can { SHARE } else { 0.0 });
                may("there", show);
                may("where", ask);
                PEOPLE.iter().for_each(|name| may(name, (1.0 - show - ask) / 4.0));
            }
            ["there" | "where"] => may("is", 1.0),
            ["there", "is"] => may("a", 1.0),
            ["there", "is", "a"] => self.unseen().for_each(|thing| may(thing, 1.0)),
            ["there", "is", "a", _] => may("in", 1.0),
            ["there", .., "in"] | [_, "went", "to"] | [_, "took" | "left"] => may("the", 1.0),
            ["there", .., "in", "the"] => PLACES.iter().for_each(|place| may(place, 1.0)),
            ["where", "is"] => {
                may("the", self.known().count() as f64);
                let seen = PEOPLE.iter().zip(self.people).filter(|(_, place)| place.is_some());
                seen.for_each(|(name, _)| may(name, 1.0));
            }
            ["where", "is", "the"] => self.known().for_each(|thing| may(thing, 1.0)),
            ["where", "is", "the", _] => may("?", 1.0),
            ["where", "is", _] => may("?", 1.0),
            [_, "went"] => may("to", 1.0),
            [name, "went", "to", "the"] => {
                let here = self.place(name).map(|place| PLACES[place]);
                PLACES.iter().filter(|place| Some(**place) != here).for_each(|p| may(p, 1.0));
            }
            [name, "took", "the"] => self.lying(name).for_each(|thing| may(thing, 1.0)),
            [name, "left", "the"] => self.held(name).for_each(|thing| may(thing, 1.0)),
            [name] => {
                may("went", 1.0);
                may("took", if self.lying(name).count() > 0 { 1.0 } else { 0.0 });
                may("left", if self.held(name).count() > 0 { 1.0 } else { 0.0 });
            }
            _ => may(".", 1.0),
        }
        let sum: f64 = found.iter().map(|(_, weight)| weight).sum();
        found.retain(|(_, weight)| *weight > 0.0);
        found.iter_mut().for_each(|(_, weight)| *weight /= sum);
        found
    }
    // ANCHOR_END: next

    /// Reads a word. The sentence that a full stop ends becomes so; one that could not be said changes nothing.
    pub fn read(&mut self, word: usize) {
        if word == BEGIN {
            return;
        }
        if WORDS[word] != "." {
            self.sentence.push(WORDS[word]);
            return;
        }
        let sentence = std::mem::take(&mut self.sentence);
        match sentence[..] {
            ["there", "is", "a", thing, "in", "the", place] => {
                self.things[index(&THINGS, thing)] = Thing::At(index(&PLACES, place));
            }
            [name, "went", "to", "the", place] => {
                self.people[index(&PEOPLE, name)] = Some(index(&PLACES, place));
            }
            [name, "took", "the", thing] => {
                self.things[index(&THINGS, thing)] = Thing::With(index(&PEOPLE, name));
            }
            [name, "left", "the", thing] => {
                let place = self.place(name).expect("who holds a thing is somewhere");
                self.things[index(&THINGS, thing)] = Thing::At(place);
            }
            _ => {}
        }
    }

    /// The place of a person or a thing.
    fn place(&self, what: &str) -> Option<usize> {
        if let Some(person) = PEOPLE.iter().position(|name| *name == what) {
            return self.people[person];
        }
        match self.things[index(&THINGS, what)] {
            Thing::Unseen => None,
            Thing::At(place) => Some(place),
            Thing::With(person) => self.people[person],
        }
    }

    fn things(&self, which: impl Fn(Thing) -> bool) -> impl Iterator<Item = &'static str> {
        THINGS.into_iter().zip(self.things).filter(move |(_, at)| which(*at)).map(|(name, _)| name)
    }

    fn unseen(&self) -> impl Iterator<Item = &'static str> {
        self.things(|thing| thing == Thing::Unseen)
    }

    fn known(&self) -> impl Iterator<Item = &'static str> {
        self.things(|thing| thing != Thing::Unseen)
    }

    /// What lies where the person is.
    fn lying(&self, name: &str) -> impl Iterator<Item = &'static str> {
        let place = self.place(name);
        self.things(move |thing| place.is_some_and(|place| thing == Thing::At(place)))
    }

    /// What the person holds.
    fn held(&self, name: &str) -> impl Iterator<Item = &'static str> {
        let person = index(&PEOPLE, name);
        self.things(move |thing| thing == Thing::With(person))
    }
}

/// [`BEGIN`] and `length` words of a text of the world.
pub fn text(length: usize, rng: &mut Rng) -> Vec<usize> {
    let (mut world, mut words) = (World::default(), vec![BEGIN]);
    while words.len() <= length {
        let next = world.next();
        let mut ticket = rng.random::<f64>();
        let drawn = next.iter().find(|(_, p)| {
            ticket -= p;
            ticket < 0.0
        });
        let (word, _) = drawn.or(next.last()).expect("a word that may come");
        words.push(*word);
        world.read(*word);
    }
    words
}

/// `−ln p` of every word of a text but the first, in nats; infinite where a word could not come.
pub fn surprisals(text: &[usize]) -> Vec<f64> {
    let mut world = World::default();
    let surprisals = text.iter().skip(1).map(|word| {
        let p = world.next().iter().find(|(next, _)| next == word).map_or(0.0, |(_, p)| *p);
        if p > 0.0 {
            world.read(*word);
        }
        -p.ln()
    });
    surprisals.collect()
}

/// The places of the words of a text that answer a question: what was asked about is there.
pub fn answers(text: &[usize]) -> Vec<usize> {
    let mut world = World::default();
    let mut found = Vec::new();
    for (i, word) in text.iter().enumerate() {
        if world.sentence.contains(&"?") && world.sentence.ends_with(&["in", "the"]) {
            found.push(i);
        }
        world.read(*word);
    }
    found
}
