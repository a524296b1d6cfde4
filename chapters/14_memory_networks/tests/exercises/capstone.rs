//! 14.9, the capstone: the reader's functions run a trained network.

use crate::found::{EXERCISE as FOUND, Found};
use crate::hops::{EXERCISE as HOPS, Hops};
use crate::sentence::{EXERCISE as SENTENCE, Sentence};
use crate::solutions;
use crate::support::{dot, softmax};
use rand::RngExt;
use serde_json::Value;
use shared::Rng;
use tests::exercises::{Exercise, show, unhinted};
use tests::expect;

/// The answers that the network is made of.
#[derive(Clone, Copy)]
pub struct Parts {
    pub sentence: Sentence,
    pub hops: Hops,
    pub found: Found,
}

/// Which exercises ask for them.
pub const NEEDS: [u32; 3] = [1, 3, 6];

pub const SOLVED: Parts =
    Parts { sentence: solutions::sentence, hops: solutions::hops, found: solutions::found };

pub const EXERCISE: Exercise<Parts> = Exercise {
    check,
    wrong: &[
        unhinted(SENTENCE.wrong[0].text, Parts { sentence: SENTENCE.wrong[0].answer, ..SOLVED }),
        unhinted(HOPS.wrong[0].text, Parts { hops: HOPS.wrong[0].answer, ..SOLVED }),
        unhinted(FOUND.wrong[1].text, Parts { found: FOUND.wrong[1].answer, ..SOLVED }),
    ],
};

const WORDS: [&str; 12] = [
    "anna", "paul", "nina", "garden", "kitchen", "cellar", "attic", "apple", "cup", "went", "took",
    "where",
];

/// What `examples/smallest.rs` trains, in columns: tables of words and of times.
struct Network {
    words: Vec<Vec<Vec<f64>>>,
    times: Vec<Vec<Vec<f64>>>,
}

impl Network {
    fn read() -> Network {
        let all: Value = serde_json::from_str(include_str!("network.json")).expect("a network");
        let tables = |name: &str| serde_json::from_value(all[name].clone()).expect("tables");
        Network { words: tables("words"), times: tables("times") }
    }
}

/// Six lines, a question, its place, and the supporting facts.
struct Story {
    told: Vec<[usize; 3]>,
    asked: [usize; 2],
    answer: usize,
    supports: [usize; 2],
}

fn story(rng: &mut Rng) -> Story {
    loop {
        let (mut told, mut at, mut holder) = (Vec::new(), [None; 3], [None; 2]);
        while told.len() < 6 {
            let (who, thing) = (rng.random_range(0..3), rng.random_range(0..2));
            if rng.random_bool(0.3) && holder[thing].is_none() {
                holder[thing] = Some((who, told.len()));
                told.push([who, 10, 7 + thing]);
            } else {
                let place = rng.random_range(3..7);
                at[who] = Some((place, told.len()));
                told.push([who, 9, place]);
            }
        }
        let thing = rng.random_range(0..2);
        if let Some((who, taken)) = holder[thing]
            && let Some((answer, moved)) = at[who]
        {
            return Story { told, asked: [11, 7 + thing], answer, supports: [taken, moved] };
        }
    }
}

/// The word that is said, and the weights of both hops.
fn answer(parts: Parts, network: &Network, story: &Story) -> (usize, Vec<Vec<f64>>) {
    let table = |k: usize| -> Vec<Vec<f64>> {
        let slot = |(words, time): (&[usize; 3], &Vec<f64>)| {
            let words = (parts.sentence)(words, &network.words[k]);
            words.iter().zip(time).map(|(x, t)| x + t).collect()
        };
        let times = network.times[k][..story.told.len()].iter().rev(); // the last sentence has time 0
        story.told.iter().zip(times).map(slot).collect()
    };
    let tables: Vec<_> = (0..3).map(table).collect();
    let question = (parts.sentence)(&story.asked, &network.words[0]);
    let scores = (parts.hops)(&question, &tables, &network.words[2]);
    let said = (0..scores.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b])).unwrap_or(0);
    let (mut u, mut weights) = (question, Vec::new());
    for pair in tables.windows(2) {
        let p = softmax(&pair[0].iter().map(|key| dot(&u, key)).collect::<Vec<_>>());
        for (p, value) in p.iter().zip(&pair[1]) {
            u.iter_mut().zip(value).for_each(|(u, c)| *u += p * c);
        }
        weights.push(p);
    }
    (said, weights)
}

/// Each part says what ours says: a trained network forgives many wrong parts.
fn must_agree(parts: Parts) {
    let table = |k: usize| -> Vec<Vec<f64>> {
        (0..3).map(|i| (0..2).map(|e| ((2 * k + 3 * i + e) as f64).sin()).collect()).collect()
    };
    let tables: Vec<_> = (0..3).map(table).collect();
    let of = |parts: Parts| {
        let weights = [vec![vec![0.7, 0.3], vec![0.1, 0.9]], vec![vec![0.8, 0.2], vec![0.4, 0.6]]];
        let (share, hop) = (parts.found)(&weights, &[1, 1]);
        [
            ("sentence (14.1)", (parts.sentence)(&[2, 0, 1], &table(5))),
            ("hops (14.3)", (parts.hops)(&[0.4, -1.0], &tables, &table(7))),
            ("found (14.6)", vec![share, hop as f64]),
        ]
    };
    for ((name, yours), (_, ours)) in of(parts).into_iter().zip(of(SOLVED)) {
        expect(yours, ours, 1e-6).of(format!("your {name}, beside ours,")).check();
    }
}

fn check(parts: Parts) {
    must_agree(parts);
    let (network, rng) = (Network::read(), &mut shared::rng(14));
    let stories: Vec<Story> = (0..200).map(|_| story(rng)).collect();
    let answers: Vec<_> = stories.iter().map(|story| answer(parts, &network, story)).collect();
    let right = stories.iter().zip(&answers).filter(|(story, (said, _))| story.answer == *said);
    let right = right.count();
    let weights: Vec<Vec<Vec<f64>>> = answers.iter().map(|(_, weights)| weights.clone()).collect();
    let supports = |fact: usize| stories.iter().map(|s| s.supports[fact]).collect::<Vec<_>>();
    let [first, second] = [0, 1].map(|fact| (parts.found)(&weights, &supports(fact)));
    show(format_args!(
        "\n{right} of 200 new questions right\nwho has it: largest weight in {:.0} % of them, in hop {}\n\
         where that one went: {:.0} %, in hop {}\n\n{}",
        100.0 * first.0,
        first.1 + 1,
        100.0 * second.0,
        second.1 + 1,
        drawn(&stories[0], &answers[0])
    ));
    assert!(right >= 195, "{right} of 200 right: do the parts' own tests pass?");
    let looked = first.1 == 0 && second.1 == 1 && first.0 > 0.9 && second.0 > 0.9;
    assert!(looked, "the hops look at {first:?} and {second:?}: does 14.6 pass its own test?");
}

fn drawn(story: &Story, (said, weights): &(usize, Vec<Vec<f64>>)) -> String {
    let text = |words: &[usize]| words.iter().map(|w| WORDS[*w]).collect::<Vec<_>>().join(" ");
    let line = |(i, words): (usize, &[usize; 3])| {
        format!(
            "{:3.0} %  {:3.0} %  {}\n",
            100.0 * weights[0][i],
            100.0 * weights[1][i],
            text(words)
        )
    };
    let lines: String = story.told.iter().enumerate().map(line).collect();
    format!("hop 1  hop 2\n{lines}{}? {}\n", text(&story.asked), WORDS[*said])
}
