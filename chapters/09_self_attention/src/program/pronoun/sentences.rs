//! Sentences with two nouns, an *it* that could be either, and an ending that says which.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use shared::Rng;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Kind,
    /// Their part in what happens: of two things, one is to fit into the other.
    Fit,
    Catch,
}

impl Family {
    pub const ALL: [Family; 3] = [Family::Kind, Family::Fit, Family::Catch];

    pub fn name(self) -> &'static str {
        ["kind", "fit", "catch"][self as usize]
    }

    /// Whether the nouns may change places and the sentence still makes sense.
    pub fn swaps(self) -> bool {
        self != Family::Kind
    }
}

const ANIMALS: [&str; 18] = [
    "animal", "dog", "cat", "horse", "cow", "goat", "sheep", "fox", "hen", "rabbit", "donkey",
    "camel", "bear", "wolf", "pig", "mouse", "duck", "tiger",
];
const WAYS: [&str; 12] = [
    "street", "road", "bridge", "river", "field", "path", "square", "valley", "hill", "forest",
    "meadow", "beach",
];
const THINGS: [&str; 18] = [
    "box", "bag", "basket", "suitcase", "trunk", "drawer", "lamp", "vase", "clock", "drum",
    "kettle", "bottle", "jar", "cup", "pot", "parcel", "bucket", "trophy",
];

/// What happens, in four ways: A is the animal, what is to fit, the one that catches; B the other.
const FRAMES: [[&str; 4]; 3] = [
    [
        "the A did not cross the B",
        "the A never liked the B",
        "the B did not tempt the A",
        "the B was never crossed by the A",
    ],
    [
        "the A did not fit into the B",
        "the A never went into the B",
        "the B could not hold the A",
        "the B had no room for the A",
    ],
    [
        "the A caught the B",
        "the A easily overtook the B",
        "the B was caught by the A",
        "the B did not escape from the A",
    ],
];

/// What A can be, and what B can be.
const ENDINGS: [[[&str; 6]; 2]; 3] = [
    [
        ["tired", "hungry", "thirsty", "sleepy", "lazy", "shy"],
        ["wide", "steep", "icy", "muddy", "busy", "dusty"],
    ],
    [
        ["big", "large", "bulky", "thick", "huge", "broad"],
        ["small", "little", "tiny", "narrow", "short", "tight"],
    ],
    [
        ["fast", "quick", "strong", "clever", "agile", "alert"],
        ["slow", "weak", "lame", "careless", "clumsy", "drowsy"],
    ],
];

/// Words that decide nothing, and move those that do.
const FIRST: [&str; 4] = ["", "yesterday", "last night", "as we know"];
const COLOURS: [&str; 6] = ["", "", "black", "white", "brown", "grey"];
const BEHIND: [&str; 5] = ["", "", "", "from the village", "that we saw"];
const BECAUSE: [&str; 4] = ["because", "since", "that day because", "once more because"];
const DEGREE: [&str; 3] = ["too", "much too", "far too"];

/// Lists of words that may stand in one another's place: nouns, endings of either kind, colours.
pub fn alike() -> Vec<Vec<&'static str>> {
    let nouns: [&[&str]; 3] = [&ANIMALS, &WAYS, &THINGS];
    let endings = ENDINGS.map(|endings| endings.concat());
    let lists = nouns.map(<[&str]>::to_vec).into_iter().chain(endings);
    lists.chain([COLOURS[2..].to_vec()]).collect()
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    pub words: Vec<String>,
    pub family: Family,
    pub nouns: [usize; 2],
    pub it: usize,
    pub referent: usize,
}

impl Sentence {
    pub fn answer(&self) -> &String {
        &self.words[self.referent]
    }
}

/// The pairs of sentences that the page shows, kept for the test: an animal and a street, a trophy
/// and a suitcase (after Winograd's schema).
const SHOWN: [(Family, [&str; 2], [&str; 2]); 2] = [
    (Family::Kind, ["animal", "street"], ["tired", "wide"]),
    (Family::Fit, ["trophy", "suitcase"], ["big", "small"]),
];

/// The two pairs of `SHOWN`: their sentences differ in the last word.
pub fn examples() -> [[Sentence; 2]; 2] {
    SHOWN.map(|(family, nouns, endings)| {
        let frame = FRAMES[family as usize][0];
        endings.map(|ending| {
            let text = format!("{frame} because it was too {ending}");
            let first = endings[0] == ending;
            sentence(family, &text, nouns, if first { "A" } else { "B" })
        })
    })
}

/// `text`, in which A and B stand for `nouns` and *it* for one of them.
fn sentence(family: Family, text: &str, nouns: [&str; 2], referent: &str) -> Sentence {
    let letters: Vec<&str> = text.split_whitespace().collect();
    let place = |word: &str| letters.iter().position(|other| *other == word).expect("it is there");
    let mut places = ["A", "B"].map(place);
    let (it, referent) = (place("it"), place(referent));
    let named = |word: &&str| match *word {
        "A" => nouns[0].to_owned(),
        "B" => nouns[1].to_owned(),
        other => other.to_owned(),
    };
    let words = letters.iter().map(named).collect();
    places.sort_unstable();
    Sentence { words, family, nouns: places, it, referent }
}

/// How many sentences are drawn for each pair of nouns: for training, validation, test.
#[derive(Clone, Copy, Debug)]
pub struct Sizes(pub [usize; 3]);

/// Sentences for training, validation and test; two nouns that meet in one part meet in no other.
///
/// Each drawn sentence comes with the one of the other ending; and where the nouns may change places,
/// with both of these again after the change. So in every part either noun is right equally often;
/// and in the latter families, two sentences of the same words always have different answers.
pub fn corpus(sizes: Sizes, rng: &mut Rng) -> [Vec<Sentence>; 3] {
    let mut parts = [Vec::new(), Vec::new(), Vec::new()];
    for family in Family::ALL {
        let mut pairs = pairs(family);
        pairs.shuffle(rng);
        let cuts = [pairs.len() * 3 / 5, pairs.len() * 4 / 5];
        for (k, pair) in pairs.into_iter().enumerate() {
            let shown = SHOWN.iter().any(|(_, nouns, _)| *nouns == pair);
            let part = if shown { 2 } else { cuts.iter().filter(|cut| k >= **cut).count() };
            for _ in 0..sizes.0[part] {
                parts[part].extend(twins(family, pair, rng));
            }
        }
    }
    parts
}

/// All pairs of a family; of two that differ in their order, one.
fn pairs(family: Family) -> Vec<[&'static str; 2]> {
    let (these, those): (&[&str], &[&str]) = match family {
        Family::Kind => (&ANIMALS, &WAYS),
        Family::Fit => (&THINGS, &THINGS),
        Family::Catch => (&ANIMALS, &ANIMALS),
    };
    let all = these.iter().flat_map(|one| those.iter().map(move |other| [*one, *other]));
    all.filter(|[one, other]| !family.swaps() || one > other).collect()
}

/// One sentence with either ending, in either order of the nouns if they may change places.
fn twins(family: Family, pair: [&str; 2], rng: &mut Rng) -> Vec<Sentence> {
    let mut draw = |of: &[&'static str]| *of.choose(rng).expect("some words");
    let frame = draw(&FRAMES[family as usize]);
    let [a, b] = ["A", "B"].map(|noun| format!("{} {noun} {}", draw(&COLOURS), draw(&BEHIND)));
    let end = format!("{} it was {}", draw(&BECAUSE), draw(&DEGREE));
    let frame = frame.replace('A', "\0").replace('B', &b).replace('\0', &a);
    let (first, endings) = (draw(&FIRST), ENDINGS[family as usize].map(|endings| draw(&endings)));
    let mut orders = vec![pair];
    if family.swaps() {
        orders.push([pair[1], pair[0]]);
        if rng.random_bool(0.5) {
            orders.reverse();
        }
    }
    let told = |nouns: [&str; 2]| {
        let told = [("A", endings[0]), ("B", endings[1])];
        told.map(|(who, what)| {
            sentence(family, &format!("{first} {frame} {end} {what}"), nouns, who)
        })
    };
    orders.into_iter().flat_map(told).collect()
}
