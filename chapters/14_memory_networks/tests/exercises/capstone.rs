//! 14.9, the capstone: the reader's functions run a trained network.

use super::found::{EXERCISE as FOUND, Found};
use super::hops::Hops;
use super::sentence::Sentence;
use super::support::{dot, softmax};
use rand::RngExt;
use serde_json::Value;
use shared::Rng;
use tests::exercises::show;

tests::parts! {
    1 sentence: Sentence,
    3 hops: Hops,
    6 found: Found = [FOUND.wrong[1].answer],
}

const WORDS: &str = "anna paul nina garden kitchen cellar attic apple cup went took where";

/// What `examples/smallest.rs` trains, in columns: tables of words and of times.
fn network() -> [Vec<Vec<Vec<f64>>>; 2] {
    let all: Value = serde_json::from_str(include_str!("network.json")).expect("a network");
    ["words", "times"].map(|name| serde_json::from_value(all[name].clone()).expect("tables"))
}

/// Six lines, a question, its place, and the supporting facts.
struct Story {
    told: Vec<[usize; 3]>,
    asked: [usize; 2],
    answer: usize,
    supports: [usize; 2],
}

fn story(rng: &mut Rng) -> Story {
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
    match holder[thing].and_then(|(who, taken)| Some((taken, at[who]?))) {
        Some((taken, (answer, moved))) => {
            Story { told, asked: [11, 7 + thing], answer, supports: [taken, moved] }
        }
        None => story(rng),
    }
}

/// The word that is said, and the weights of both hops.
fn answer(
    parts: Parts,
    [of_words, times]: &[Vec<Vec<Vec<f64>>>; 2],
    story: &Story,
) -> (usize, Vec<Vec<f64>>) {
    let tables = (0..3).map(|k| {
        let times = times[k][..story.told.len()].iter().rev(); // the last sentence has time 0
        let slots = story.told.iter().zip(times).map(|(words, time)| {
            let words = (parts.sentence)(words, &of_words[k]);
            words.iter().zip(time).map(|(x, t)| x + t).collect()
        });
        slots.collect()
    });
    let tables: Vec<Vec<Vec<f64>>> = tables.collect();
    let question = (parts.sentence)(&story.asked, &of_words[0]);
    let scores = (parts.hops)(&question, &tables, &of_words[2]);
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

fn check(parts: Parts) {
    let (network, rng) = (network(), &mut shared::rng(14));
    let stories: Vec<Story> = (0..200).map(|_| story(rng)).collect();
    let answers: Vec<_> = stories.iter().map(|story| answer(parts, &network, story)).collect();
    let both = stories.iter().zip(&answers);
    let right = both.filter(|(story, (said, _))| story.answer == *said).count();
    let weights: Vec<Vec<Vec<f64>>> = answers.iter().map(|(_, weights)| weights.clone()).collect();
    let supports = [0, 1].map(|fact| stories.iter().map(|s| s.supports[fact]).collect::<Vec<_>>());
    let [first, second] = supports.map(|supports| (parts.found)(&weights, &supports));
    show(format!("\n{right} of 200 new questions right; {}", drawn(&stories[0], &answers[0])));
    for (what, (share, hop)) in [("who has it", first), ("where that one went", second)] {
        show(format!("{what}: largest weight in {:.0} %, in hop {}", 100.0 * share, hop + 1));
    }
    let looked = first.1 == 0 && second.1 == 1 && first.0 > 0.9 && second.0 > 0.9;
    assert!(right >= 195 && looked, "{right} of 200 right; the hops look at {first:?}, {second:?}");
}

fn drawn(story: &Story, (said, weights): &(usize, Vec<Vec<f64>>)) -> String {
    let names: Vec<&str> = WORDS.split(' ').collect();
    let text = |words: &[usize]| words.iter().map(|w| names[*w]).collect::<Vec<_>>().join(" ");
    let line = |(i, words): (usize, &[usize; 3])| {
        let [one, two] = [0, 1].map(|hop| 100.0 * weights[hop][i]);
        format!("{one:3.0} %  {two:3.0} %  {}\n", text(words))
    };
    let lines: String = story.told.iter().enumerate().map(line).collect();
    format!("hop 1  hop 2\n{lines}{}? {}\n", text(&story.asked), names[*said])
}
