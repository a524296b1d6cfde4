//! Sentences with two nouns, an *it* that could be either, and an ending that says which.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use shared::Rng;

/// How the two nouns differ; in all but the first family they may change places.
pub const FAMILIES: [&str; 3] = ["kind", "fit", "catch"];

const ANIMALS: &str = "animal dog cat horse cow goat sheep fox hen rabbit donkey camel bear wolf pig mouse duck tiger";
const WAYS: &str = "street road bridge river field path square valley hill forest meadow beach";
const THINGS: &str = "box bag basket suitcase trunk drawer lamp vase clock drum kettle bottle jar cup pot parcel bucket trophy";
pub const NOUNS: [[&str; 2]; 3] = [[ANIMALS, WAYS], [THINGS, THINGS], [ANIMALS, ANIMALS]];

/// The event, told in four ways: A is the animal, what is to fit, the one that catches; B the other.
const FRAMES: [&str; 3] = [
    "the A did not cross the B|the A never liked the B|the B did not tempt the A|the B was never crossed by the A",
    "the A did not fit into the B|the A never went into the B|the B could not hold the A|the B had no room for the A",
    "the A caught the B|the A easily overtook the B|the B was caught by the A|the B did not escape from the A",
];

/// What A can be, and what B can be.
pub const ENDINGS: [[&str; 2]; 3] = [
    ["tired hungry thirsty sleepy lazy shy", "wide steep icy muddy busy dusty"],
    ["big large bulky thick huge broad", "small little tiny narrow short tight"],
    ["fast quick strong clever agile alert", "slow weak lame careless clumsy drowsy"],
];

/// Words that decide nothing, and move those that do.
const FIRST: &str = "|yesterday|last night|as we know";
pub const COLOURS: &str = "||black|white|brown|grey";
const AFTER: &str = "|||from the village|that we saw";
const BECAUSE: &str = "because|since|that day because|once more because";
const DEGREE: &str = "too|much too|far too";

pub fn list(words: &'static str) -> Vec<&'static str> {
    words.split(if words.contains('|') { '|' } else { ' ' }).collect()
}

/// Words, and the positions of the two nouns, of *it* and of the noun that it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    pub words: Vec<String>,
    pub family: usize,
    pub nouns: [usize; 2],
    pub it: usize,
    pub referent: usize,
}

/// The pairs that the page shows, kept for the test (after Winograd's schema).
const SHOWN: [[&str; 2]; 2] = [["animal", "street"], ["trophy", "suitcase"]];

/// Their sentences, which differ in the last word.
pub fn examples() -> [[Sentence; 2]; 2] {
    [0, 1].map(|family| {
        let frame = list(FRAMES[family])[0];
        let endings = [["tired", "wide"], ["big", "small"]][family];
        let text = |i: usize| format!("{frame} because it was too {}", endings[i]);
        [0, 1].map(|i| sentence(family, &text(i), SHOWN[family], ["A", "B"][i]))
    })
}

/// `text`, in which A and B stand for `nouns` and *it* for one of them.
fn sentence(family: usize, text: &str, nouns: [&str; 2], referent: &str) -> Sentence {
    let letters: Vec<&str> = text.split_whitespace().collect();
    let place = |word: &str| letters.iter().position(|other| *other == word).expect("it is there");
    let mut places = ["A", "B"].map(place);
    let (it, referent) = (place("it"), place(referent));
    let mut words: Vec<String> = letters.iter().map(|word| (*word).to_owned()).collect();
    for (place, noun) in places.into_iter().zip(nouns) {
        words[place] = noun.to_owned();
    }
    places.sort_unstable();
    Sentence { words, family, nouns: places, it, referent }
}

/// Sentences for training, validation and test, so many drawn for each pair of nouns; a pair is in one part alone.
///
/// Each drawn sentence comes with the one of the other ending; and where the nouns may change places,
/// with both of these again after the change. So in every part either noun is right equally often.
pub fn corpus(sizes: [usize; 3], rng: &mut Rng) -> [Vec<Sentence>; 3] {
    let mut parts = [Vec::new(), Vec::new(), Vec::new()];
    for family in 0..FAMILIES.len() {
        let [these, those] = NOUNS[family].map(list);
        let all = these.iter().flat_map(|one| those.iter().map(move |other| [*one, *other]));
        let mut pairs: Vec<_> = all.filter(|[a, b]| family == 0 || a > b).collect();
        pairs.shuffle(rng);
        let cuts = [pairs.len() * 3 / 5, pairs.len() * 4 / 5];
        for (k, pair) in pairs.into_iter().enumerate() {
            let by_order = cuts.iter().filter(|cut| k >= **cut).count();
            let part = if SHOWN.contains(&pair) { 2 } else { by_order };
            for _ in 0..sizes[part] {
                parts[part].extend(variants(family, pair, rng));
            }
        }
    }
    parts
}

/// One sentence with either ending, in either order of the nouns if they may change places.
fn variants(family: usize, pair: [&str; 2], rng: &mut Rng) -> Vec<Sentence> {
    let mut draw = |of: &'static str| *list(of).choose(rng).expect("some words");
    let frame = draw(FRAMES[family]);
    let [a, b] = ["A", "B"].map(|noun| format!("{} {noun} {}", draw(COLOURS), draw(AFTER)));
    let end = format!("{} it was {}", draw(BECAUSE), draw(DEGREE));
    let frame = frame.replace('A', "\0").replace('B', &b).replace('\0', &a);
    let (first, endings) = (draw(FIRST), ENDINGS[family].map(&mut draw));
    let swapped = [pair[1], pair[0]];
    let orders = match family {
        0 => vec![pair],
        _ if rng.random_bool(0.5) => vec![swapped, pair],
        _ => vec![pair, swapped],
    };
    let both = orders.into_iter().flat_map(|nouns| {
        [0, 1].map(|i| {
            let text = format!("{first} {frame} {end} {}", endings[i]);
            sentence(family, &text, nouns, ["A", "B"][i])
        })
    });
    both.collect()
}
