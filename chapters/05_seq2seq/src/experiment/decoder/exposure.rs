//! What it costs a decoder to read its own words.

use crate::own_words::{with_own_words, word_losses};
use crate::translating::Spread;
use crate::translating::corpus::Part;
use crate::translating::judge::together;
use crate::{BEGIN, Batch, EncoderDecoder};
use serde::{Deserialize, Serialize};
use shared::rng;

/// How far behind the first wrong word is looked.
const BEHIND: usize = 5;

/// The cross-entropy of the references' words, in nats a word, over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Exposure {
    /// After the true words.
    pub after_true: Spread,
    /// After the model's own, the most probable one at every place.
    pub after_own: Spread,
    /// The share of sentences in which a word of the model's own was another than the true one.
    pub with_mistake: Spread,
    /// Of these: behind the first such word, 1, 2, … words on, after the true words and after its own.
    pub behind: Vec<Behind>,
}

/// The same words of the same sentences.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Behind {
    /// After the true words.
    pub after_true: Spread,
    /// After the model's own.
    pub after_own: Spread,
}

/// Of one model.
pub(in super::super) struct Losses {
    all: [f64; 2],
    with_mistake: f64,
    behind: Vec<[f64; 2]>,
}

/// Reads a part twice: the true words, and its own.
pub(in super::super) fn losses(model: &EncoderDecoder, part: &Part) -> Losses {
    let read = together(part.len(), |some| {
        let pairs: Vec<_> = some.map(|i| part.numbers(i)).collect();
        let batch = Batch::new(&pairs, BEGIN);
        let own = with_own_words(model, &batch, 1.0, &mut rng(0)); // nothing is left to chance
        let [truly, owned] = [&batch, &own].map(|batch| word_losses(model, batch));
        let given = batch.previous.iter().zip(own.previous.iter());
        let first = given.map(|(a, b)| a.iter().zip(b).position(|(a, b)| a != b));
        first.zip(truly.into_iter().zip(owned)).collect::<Vec<_>>()
    });
    let mean = |numbers: Vec<f64>| numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    let side = |k: usize, both: &(Vec<f64>, Vec<f64>)| match k {
        0 => both.0.clone(),
        _ => both.1.clone(),
    };
    let all = [0, 1].map(|k| mean(read.iter().flat_map(|(_, both)| side(k, both)).collect()));
    let behind = |n: usize| {
        [0, 1].map(|k| {
            let word =
                |(first, both): &(Option<usize>, _)| side(k, both).get((*first)? + n).copied();
            mean(read.iter().filter_map(word).collect())
        })
    };
    let mistaken = read.iter().filter(|(first, _)| first.is_some()).count();
    Losses {
        all,
        with_mistake: mistaken as f64 / read.len() as f64,
        behind: (0..BEHIND).map(behind).collect(),
    }
}

impl Exposure {
    pub(in super::super) fn of(seeds: &[&Losses]) -> Exposure {
        let spread = |of: &dyn Fn(&Losses) -> f64| Spread::of(seeds.iter().map(|seed| of(seed)));
        let behind = |n: usize| Behind {
            after_true: spread(&|seed| seed.behind[n][0]),
            after_own: spread(&|seed| seed.behind[n][1]),
        };
        Exposure {
            after_true: spread(&|seed| seed.all[0]),
            after_own: spread(&|seed| seed.all[1]),
            with_mistake: spread(&|seed| seed.with_mistake),
            behind: (0..BEHIND).map(behind).collect(),
        }
    }
}
