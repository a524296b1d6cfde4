//! 11.9: what loss is normal?

use crate::support::FIRST_FIVE as SPECIAL;
use bert::{Config, Examples, Ladder, Pretraining, Tokens};
use shared::{Tape, rng};
use std::cmp::Ordering;
use std::collections::HashMap;
use tests::exercises::{Exercise, Kind, Wrong};

type Losses = fn() -> [f64; 7];

pub fn exercise() -> Exercise<Losses> {
    Exercise {
        number: 9,
        title: "what loss is normal?",
        kind: Kind::Predict,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "bits",
                hint: "nats, not bits",
                answer: || crate::solutions::losses().map(|loss| loss / 2f64.ln()),
            },
            Wrong {
                name: "perplexities",
                hint: "a perplexity",
                answer: || crate::solutions::losses().map(f64::exp),
            },
            Wrong {
                name: "an untrained model knows what is special",
                hint: "15 pieces",
                answer: || with(0, 10f64.ln()),
            },
            Wrong {
                name: "special pieces occur",
                hint: "the special pieces",
                answer: || with(1, 15f64.ln()),
            },
            Wrong {
                name: "every word once",
                hint: "“the” is one word in five",
                answer: || with(2, 10f64.ln()),
            },
            Wrong {
                name: "each word's own cost, every word once",
                hint: "“the” is one word in five",
                answer: || with(2, (2.0 * 5f64.ln() + 4.0 * 10f64.ln() + 4.0 * 20f64.ln()) / 10.0),
            },
            Wrong {
                name: "where it is uncertain",
                hint: "the other places are certain",
                answer: || with(3, 2f64.ln()),
            },
            Wrong {
                name: "only the noun is uncertain",
                hint: "three places of five",
                answer: || with(3, 2f64.ln() / 5.0),
            },
            Wrong {
                name: "what comes after says nothing",
                hint: "the verb is certain",
                answer: || with(4, 0.6 * 2f64.ln()),
            },
            Wrong {
                name: "two neighbours are enough",
                hint: "“milk” or “water”",
                answer: || with(4, 0.0),
            },
            Wrong {
                name: "it never is quite certain",
                hint: "one sentence is left",
                answer: || with(5, 0.2 * 2f64.ln()),
            },
            Wrong {
                name: "the sum of two",
                hint: "the mean of the two",
                answer: || with(6, 2.0 * 2f64.ln()),
            },
            Wrong {
                name: "one tells the other",
                hint: "neither is seen",
                answer: || with(6, 0.5 * 2f64.ln()),
            },
            Wrong {
                name: "less than frequencies tell",
                hint: "2.000 is too low",
                answer: || with(2, 2.0),
            },
            Wrong {
                name: "more than frequencies tell",
                hint: "2.400 is too high",
                answer: || with(2, 2.4),
            },
        ],
    }
}

fn with(which: usize, loss: f64) -> [f64; 7] {
    let mut losses = crate::solutions::losses();
    losses[which] = loss;
    losses
}

/// “the” is 5 and “.” is 6; cats and dogs; drink and eat; milk, water, fish and meat.
const SENTENCES: [[usize; 5]; 4] =
    [[5, 7, 9, 11, 6], [5, 8, 9, 12, 6], [5, 7, 10, 13, 6], [5, 8, 10, 14, 6]];

const VOCABULARY: usize = 15;

const NAMES: [&str; 7] = [
    "never trained",
    "what never occurs",
    "how frequent every word is",
    "the word before",
    "the words before and after",
    "the whole sentence",
    "the whole sentence with two words hidden",
];

const WHY: [&str; 7] = [
    "all 15 pieces of the vocabulary are about equally likely",
    "the special pieces never occur, all others are equally likely",
    "“the” is one word in five, and so is “.”: the mean is over places, not over the list of words",
    "noun, verb and object have two answers each, three places of five; the other places are certain, and count",
    "between its neighbours the verb is certain, but “the _ drink” is said of cats and dogs, and “drink _ .” of \
     “milk” or “water”",
    "whatever place is hidden, one sentence is left",
    "neither is seen when the other is to be told: the verb leaves two answers for each, and this is the mean of \
     the two",
];

fn check(losses: Losses) {
    let (found, right) = (losses(), measured());
    let near = |found: f64, right: f64| (found - right).abs() <= 0.02;
    let all = |unit: fn(f64) -> f64| found.iter().zip(&right).all(|(f, r)| near(unit(*f), *r));
    assert!(
        !all(|loss| loss * 2f64.ln()),
        "{found:.3?}\nhint: in nats, not bits: natural logarithms"
    );
    assert!(!all(f64::ln), "{found:.3?}\nhint: each is a perplexity; the loss is its logarithm");
    let mut wrong = String::new();
    for (i, (found, right)) in found.into_iter().zip(right).enumerate() {
        if !near(found, right) {
            let (name, why) = (NAMES[i], WHY[i]);
            let off = match found.partial_cmp(&right) {
                Some(Ordering::Greater) => "is too high",
                Some(_) => "is too low",
                None => "is no number",
            };
            wrong += &format!("{i}, {name}: {found:.3} {off}\nhint: {why}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The seven losses: models, the chapter's ladder, and counts.
fn measured() -> [f64; 7] {
    let mut ladder = Ladder::new(VOCABULARY, &SPECIAL);
    for _ in 0..500 {
        SENTENCES.iter().for_each(|sentence| ladder.count(SPECIAL.cls, sentence));
    }
    let before = |sentence: &[usize], place: usize| match place {
        0 => SPECIAL.cls,
        place => sentence[place - 1],
    };
    let places = |sentence: &'static [usize; 5]| {
        (0..5).map(move |place| (before(sentence, place), sentence[place]))
    };
    let rungs = ladder.rungs(SENTENCES.iter().flat_map(places));
    let around = |sentence: &[usize; 5], place: usize| {
        vec![place.checked_sub(1).map(|i| sentence[i]), sentence.get(place + 1).copied()]
    };
    let but = |sentence: &[usize; 5], hidden: &[usize]| -> Vec<Option<usize>> {
        (0..5).map(|place| (!hidden.contains(&place)).then_some(sentence[place])).collect()
    };
    let all = [0, 1, 2, 3, 4];
    [
        untrained(),
        rungs.uniform,
        rungs.unigram,
        rungs.bigram,
        knowing(&all, around),
        knowing(&all, |sentence, place| but(sentence, &[place])),
        knowing(&[1, 3], |sentence, place| {
            [but(sentence, &[1, 3]), vec![Some(place)]].concat() // which of the two is told
        }),
    ]
}

/// The mean over these places of `−ln p(word | what is seen)`, by counting the sentences.
fn knowing<S: std::hash::Hash + Eq>(
    places: &[usize],
    seen: impl Fn(&[usize; 5], usize) -> S,
) -> f64 {
    let all =
        || SENTENCES.iter().flat_map(|sentence| places.iter().map(move |place| (sentence, *place)));
    let mut contexts: HashMap<S, HashMap<usize, f64>> = HashMap::new();
    for (sentence, place) in all() {
        let words = contexts.entry(seen(sentence, place)).or_default();
        *words.entry(sentence[place]).or_default() += 1.0;
    }
    let loss = |(sentence, place): (&[usize; 5], usize)| {
        let words = &contexts[&seen(sentence, place)];
        (words.values().sum::<f64>() / words[&sentence[place]]).ln()
    };
    all().map(loss).sum::<f64>() / all().count() as f64
}

/// The mean loss of fresh models, every place of every sentence hidden once.
fn untrained() -> f64 {
    const MODELS: u64 = 8;
    let config = Config {
        vocabulary: VOCABULARY,
        width: 8,
        feed_forward: 16,
        heads: 2,
        blocks: 1,
        longest: 7,
        dropout: 0.0,
        ..Config::BASE
    };
    let mut parts = Vec::new();
    for sentence in SENTENCES {
        for place in 0..5 {
            let mut pieces = sentence;
            pieces[place] = SPECIAL.mask;
            parts.push((Tokens::of(&pieces, None, &SPECIAL), place + 1, sentence[place]));
        }
    }
    let tokens: Vec<Tokens> = parts.iter().map(|(tokens, ..)| tokens.clone()).collect();
    let examples = Examples {
        tokens: Tokens::side_by_side(&tokens),
        hidden: parts.iter().enumerate().map(|(i, (_, place, _))| 7 * i + place).collect(),
        originals: parts.iter().map(|(.., original)| *original).collect(),
        follows: vec![0; parts.len()],
    };
    let loss = |seed| {
        let (model, tape) = (Pretraining::new(&config, &mut rng(seed)), Tape::new());
        let sum = model.losses(&tape, &examples).hidden.value()[0];
        f64::from(sum) / parts.len() as f64
    };
    (0..MODELS).map(loss).sum::<f64>() / MODELS as f64
}
