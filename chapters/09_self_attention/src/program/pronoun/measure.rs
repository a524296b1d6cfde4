//! One training, all trainings, what they gave.

use super::guesser::{Guesser, looks, right, train};
use super::sentences::{Family, Sentence, Sizes, corpus, examples};
use crate::program::statistics::{commonest, share};
use crate::reader::{Head, NEAR, Reader, largest};
use corpora::Vocabulary;
use scoring_functions::Sight;
use scoring_functions::fused::Weights;
use serde::{Deserialize, Serialize};
use shared::{Float, Module, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::study::{Spread, over_seeds, short, trainings};

#[derive(Clone, Debug)]
pub struct Config {
    pub seed: u64,
    /// How often the training is repeated, with other sentences and other start values.
    pub seeds: usize,
    pub epochs: usize,
    pub sizes: Sizes,
}

impl Default for Config {
    fn default() -> Config {
        Config { seed: 0, seeds: 5, epochs: 14, sizes: Sizes([6, 1, 2]) }
    }
}

impl Config {
    fn stream(&self, number: u64) -> u64 {
        workbench::stream(self.seed, number)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Right<N = Spread> {
    pub all: N,
    pub family: BTreeMap<String, N>,
}

/// The share of sentences in which a head's largest weight, from *it*, lies on the noun it stands for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Looks<N = Spread> {
    /// The head that does so most often in the validation's sentences, in the test's.
    pub trained: N,
    /// The same head before training, and the best one of the untrained model, chosen in the same way.
    pub untrained: N,
    pub best_untrained: N,
    pub family: BTreeMap<String, N>,
}

/// What a seed found, or all of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Numbers<N = Spread> {
    /// For training, validation and test.
    pub sentences: [usize; 3],
    pub words: usize,
    /// Of the attention and of the bag.
    pub parameters: [usize; 2],
    pub attention: Right<N>,
    /// Attention again, whose first block sees everything as well.
    pub everywhere: Right<N>,
    pub bag: Right<N>,
    /// Right answers of the noun that is most often right in training, of the first, of the nearest to *it*.
    pub majority: N,
    pub first: N,
    pub nearest: N,
    pub looks: Looks<N>,
    /// Right answers without the head that looks, and without the other one that is missed most.
    pub without: N,
    pub without_another: N,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pronoun {
    #[serde(flatten)]
    pub numbers: Numbers,
    /// The head that looks, by seed.
    pub heads: Vec<Head>,
    /// The two pairs of sentences that the page shows, with the first seed's head.
    pub examples: Vec<[Example; 2]>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Example {
    pub words: Vec<String>,
    pub weights: Vec<Float>,
    pub follows: bool,
}

/// What the trainings of one seed gave.
struct Run {
    numbers: Numbers<Float>,
    head: Head,
    examples: Vec<[Example; 2]>,
}

pub fn measure(config: &Config) -> Result<Pronoun> {
    let seeds: Vec<u64> = (0..config.seeds as u64).collect();
    let runs = trainings("what \"it\" stands for", &seeds, |seed| one(config, *seed))?;
    let numbers: Vec<&Numbers<Float>> = runs.iter().map(|run| &run.numbers).collect();
    Ok(Pronoun {
        numbers: over_seeds(&numbers),
        heads: runs.iter().map(|run| run.head).collect(),
        examples: runs[0].examples.clone(),
    })
}

fn one(config: &Config, seed: u64) -> Result<Run> {
    let ([training, validation, test], vocabulary) = drawn(config, seed);
    let words = vocabulary.len();
    let start = |sight| Guesser::attention(words, sight, &mut rng(config.stream(600 + seed)));
    let mut untrained = start(NEAR);
    let mut guessers =
        [start(NEAR), start(Sight::All), Guesser::bag(words, &mut rng(config.stream(700 + seed)))];
    for guesser in &mut guessers {
        train(guesser, &training, &vocabulary, config.epochs, config.stream(800 + seed))?;
    }
    let asked: Vec<&Sentence> = test.iter().collect();
    let [attentive, everywhere, bag] = [0, 1, 2].map(|model| {
        let right = right(&guessers[model], &asked, &vocabulary);
        Right { all: share(right.iter().copied()), family: by_family(&right, &asked) }
    });
    let parameters = [0, 2].map(|model: usize| guessers[model].parameter_count());
    let attention = &mut guessers[0];
    let best = |reader: &Reader| best(reader, &validation, &vocabulary);
    let (head, fresh) = (best(attention.reader()), untrained.reader());
    let followed = follows(&looks(attention.reader(), &asked, &vocabulary), head, &asked);
    let at_first = looks(fresh, &asked, &vocabulary);
    let examples = shown(attention.reader(), head, &vocabulary);
    let mut without = |head: Head| {
        let kept = attention.reader().silence(head);
        let found = share(right(attention, &asked, &vocabulary));
        attention.reader().restore(head, kept);
        found
    };
    let common = commonest(training.iter().map(Sentence::answer));
    let others = fresh.heads().into_iter().filter(|other| *other != head);
    let noun = |place: usize| share(test.iter().map(|s| s.nouns[place] == s.referent));
    let numbers = Numbers {
        sentences: [training.len(), validation.len(), test.len()],
        words,
        parameters,
        attention: attentive,
        everywhere,
        bag,
        majority: share(asked.iter().map(|sentence| Some(sentence.answer()) == common)),
        first: noun(0),
        nearest: noun(1),
        looks: Looks {
            trained: share(followed.iter().copied()),
            untrained: share(follows(&at_first, head, &asked)),
            best_untrained: share(follows(&at_first, best(fresh), &asked)),
            family: by_family(&followed, &asked),
        },
        without: without(head),
        without_another: others.map(without).fold(1.0, Float::min),
    };
    Ok(Run { numbers, head, examples })
}

/// The sentences of a seed, and the words of those for training.
fn drawn(config: &Config, seed: u64) -> ([Vec<Sentence>; 3], Vocabulary) {
    let parts = corpus(config.sizes, &mut rng(config.stream(500 + seed)));
    let vocabulary = Vocabulary::new(parts[0].iter().map(|s| s.words.as_slice()), 1);
    (parts, vocabulary)
}

/// The first seed's model, its words, and the head that looks, for the page's live figure.
pub fn first(config: &Config) -> Result<(Guesser, Vocabulary, Head)> {
    let ([training, validation, _], vocabulary) = drawn(config, 0);
    let mut guesser = Guesser::attention(vocabulary.len(), NEAR, &mut rng(config.stream(600)));
    train(&mut guesser, &training, &vocabulary, config.epochs, config.stream(800))?;
    let head = best(guesser.reader(), &validation, &vocabulary);
    Ok((guesser, vocabulary, head))
}

/// The head whose largest weight from *it* lies most often on the noun that it stands for.
fn best(reader: &Reader, sentences: &[Sentence], vocabulary: &Vocabulary) -> Head {
    let sentences: Vec<&Sentence> = sentences.iter().collect();
    let looked = looks(reader, &sentences, vocabulary);
    let found = |head| share(follows(&looked, head, &sentences));
    let all = reader.heads().into_iter().map(|head| (found(head), head));
    all.reduce(|best, next| if next.0 > best.0 { next } else { best }).expect("heads").1
}

/// The share of sentences of which it is so, by what distinguishes the nouns.
fn by_family(so: &[bool], asked: &[&Sentence]) -> BTreeMap<String, Float> {
    let of_family = |family: Family| {
        let within = so.iter().zip(asked).filter(|(_, sentence)| sentence.family == family);
        (family.name().to_owned(), share(within.map(|(so, _)| *so)))
    };
    Family::ALL.into_iter().map(of_family).collect()
}

/// For each sentence, whether the head's largest weight from *it* lies on the noun it stands for.
fn follows(looked: &[Weights], head: Head, sentences: &[&Sentence]) -> Vec<bool> {
    let of = |(j, sentence): (usize, &&Sentence)| {
        largest(looked[head.block].of(j, head.head))[sentence.it] == sentence.referent
    };
    sentences.iter().enumerate().map(of).collect()
}

/// Where *it* looks in the sentences that the page shows.
fn shown(reader: &Reader, head: Head, vocabulary: &Vocabulary) -> Vec<[Example; 2]> {
    let example = |sentence: Sentence| {
        let weights = &looks(reader, &[&sentence], vocabulary)[head.block];
        let column = weights.of(0, head.head).column(sentence.it).into_owned();
        let follows = column.imax() == sentence.referent;
        let weights = column.iter().map(|weight| short(*weight)).collect();
        Example { words: sentence.words, weights, follows }
    };
    examples().into_iter().map(|two| two.map(example)).collect()
}
