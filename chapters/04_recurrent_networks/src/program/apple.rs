//! The apple task: in 我 喜欢 苹果 the apple may be a fruit or a company; later words decide.

use super::config::Config;
use crate::bidirectional::Bidirectional;
use crate::layers::{Gru, Recurrent};
use crate::steps::{Direction, Steps};
use corpora::Vocabulary;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use shared::{
    Embedding, Float, Linear, Matrix, Module, Rng, Tape, Var, Visitor, cross_entropy, elementwise,
    rng,
};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::study::{mean, short, trainings, with_seeds};
use workbench::training::{Drill, Schedule};

const WIDTH: usize = 16;
/// Entries of a state: one direction has all, two directions have half each.
const HIDDEN: usize = 32;
const BATCH: usize = 32;
/// Sentences of each sense that begin with one prefix: for training, and for the test.
const PER_PREFIX: [usize; 2] = [12, 3];

/// Two sentences that are in neither part of every corpus for sure, but in the grammar: one of each
/// sense.
pub const EXAMPLES: [&str; 2] =
    ["我 喜欢 苹果 ， 因为 它 很 好吃", "我 喜欢 苹果 ， 因为 它 比 安卓 稳定"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    Fruit,
    Company,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    pub words: Vec<String>,
    pub sense: Sense,
}

impl Sentence {
    pub fn apple(&self) -> usize {
        self.words.iter().position(|word| word == "苹果").expect("every sentence has one")
    }
}

// ANCHOR: grammar
/// I, you, he, she, we, teacher, mum, friend.
const WHO: [&str; 8] = ["我", "你", "他", "她", "我们", "老师", "妈妈", "朋友"];
/// –, always, lately, also.
const HOW: [&str; 4] = ["", "一直", "最近", "也"];
/// likes, recommends, chooses, buys, wants.
const DOES: [&str; 5] = ["喜欢", "推荐", "选", "买", "想要"];
/// because, it is said that, everybody says.
const WHY: [&str; 3] = ["因为", "听说", "大家 都 说"];
/// very, really, extraordinarily.
const VERY: [&str; 3] = ["很", "真", "非常"];
/// tasty, sweet, crisp, fresh, juicy – and stable, fluent, safe, clever, sparing of power.
const GOOD: [[&str; 5]; 2] =
    [["好吃", "甜", "脆", "新鲜", "多汁"], ["稳定", "流畅", "安全", "智能", "省电"]];
/// banana, pear, orange, grape – and Android, Samsung, Huawei, Xiaomi.
const THAN: [[&str; 4]; 2] = [["香蕉", "梨", "橙子", "葡萄"], ["安卓", "三星", "华为", "小米"]];
/// good, cheap, popular: true of either.
const BOTH: [&str; 3] = ["好", "便宜", "受欢迎"];
/// make juice, make salad, be kept long – and install programs, take pictures, play music.
const CAN: [[&str; 3]; 2] = [["做 果汁", "做 沙拉", "放 很久"], ["装 软件", "拍 照片", "放 音乐"]];

/// What may stand before 苹果, and 苹果: who – how – does.
fn prefixes() -> Vec<String> {
    let with = |who| HOW.map(|how| DOES.map(|does| format!("{who} {how} {does} 苹果")));
    WHO.map(with).into_iter().flatten().flatten().collect()
}

/// What may follow in one sense: it is very …, it is more … than …, one can … with it.
fn endings(sense: Sense) -> Vec<String> {
    let (good, than) = (GOOD[sense as usize], THAN[sense as usize]);
    let mut endings: Vec<String> = Vec::new();
    for why in WHY {
        let mut add = |what: String| endings.push(format!("， {why} 它 {what}"));
        VERY.iter().for_each(|very| good.iter().for_each(|good| add(format!("{very} {good}"))));
        for than in than {
            BOTH.iter().chain(&good[..2]).for_each(|more| add(format!("比 {than} {more}")));
        }
        CAN[sense as usize].iter().for_each(|can| add(format!("可以 {can}")));
    }
    endings
}
// ANCHOR_END: grammar

/// Sentences for training and for the test, in which no sentence of the training occurs.
///
/// In both, every prefix goes on equally often in either sense: whoever has read as far as 苹果 can
/// only guess.
pub fn corpus(rng: &mut Rng) -> [Vec<Sentence>; 2] {
    let mut parts = [Vec::new(), Vec::new()];
    for prefix in prefixes() {
        for sense in [Sense::Fruit, Sense::Company] {
            let mut endings = endings(sense);
            endings.shuffle(rng);
            let mut endings = endings.into_iter();
            for (part, count) in parts.iter_mut().zip(PER_PREFIX) {
                for ending in endings.by_ref().take(count) {
                    let text = format!("{prefix} {ending}");
                    let words = text.split_whitespace().map(String::from).collect();
                    part.push(Sentence { words, sense });
                }
            }
        }
    }
    parts
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    Forward,
    Backward,
    Bidirectional,
}

impl Reading {
    pub const ALL: [Reading; 3] = [Reading::Forward, Reading::Backward, Reading::Bidirectional];

    pub fn name(self) -> &'static str {
        ["forward", "backward", "bidirectional"][self as usize]
    }
}

pub struct Tagger {
    words: Embedding,
    layer: Layer,
    readout: Linear,
}

enum Layer {
    One(Gru, Direction),
    Two(Bidirectional<Gru>),
}

impl Tagger {
    fn new(reading: Reading, vocabulary: usize, rng: &mut Rng) -> Tagger {
        let words = Embedding::new(vocabulary, WIDTH, rng);
        let mut one = |direction| Layer::One(Gru::new(WIDTH, HIDDEN, rng), direction);
        let layer = match reading {
            Reading::Forward => one(Direction::Forward),
            Reading::Backward => one(Direction::Backward),
            Reading::Bidirectional => Layer::Two(Bidirectional::new(WIDTH, HIDDEN / 2, rng)),
        };
        Tagger { words, layer, readout: Linear::new(HIDDEN, 2, rng) }
    }

    /// Logits (2, N) of the senses at every word.
    fn forward<'t>(&self, tape: &'t Tape, packed: &Packed) -> Var<'t> {
        let x = self.words.forward(tape, &packed.words); // (16, N)
        let h = match &self.layer {
            Layer::One(gru, direction) => gru.read(x, &packed.steps, None, *direction),
            Layer::Two(both) => both.forward(x, &packed.steps),
        }; //                                               (32, N)
        self.readout.forward(h)
    }
}

impl Module for Tagger {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        match &mut self.layer {
            Layer::One(gru, _) => visitor.module("layer", gru),
            Layer::Two(both) => visitor.module("layer", both),
        }
        visitor.module("readout", &mut self.readout);
    }
}

struct Packed {
    steps: Steps,
    words: Vec<usize>,
    senses: Vec<usize>,
    apples: Vec<usize>,
}

impl Packed {
    fn new(sentences: &[&Sentence], vocabulary: &Vocabulary) -> Packed {
        let mut sorted = sentences.to_vec();
        sorted.sort_by_key(|sentence| std::cmp::Reverse(sentence.words.len()));
        let lengths: Vec<usize> = sorted.iter().map(|sentence| sentence.words.len()).collect();
        let steps = Steps::new(&lengths);
        let (mut words, mut senses) = (vec![0; steps.tokens()], vec![0; steps.tokens()]);
        for (i, sentence) in sorted.iter().enumerate() {
            for (t, word) in vocabulary.encode(&sentence.words).into_iter().enumerate() {
                words[steps.column(i, t)] = word;
                senses[steps.column(i, t)] = sentence.sense as usize;
            }
        }
        let apples = sorted.iter().enumerate().map(|(i, s)| steps.column(i, s.apple())).collect();
        Packed { steps, words, senses, apples }
    }
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Accuracy {
    /// At 苹果.
    pub apple: Float,
    /// At the last word, when one who reads forward has read everything.
    pub last: Float,
    /// At the first word, when one who reads backward has.
    pub first: Float,
}

pub struct Trained {
    tagger: Tagger,
    vocabulary: Vocabulary,
    pub accuracy: Accuracy,
    pub parameters: usize,
    pub sentences: [usize; 2],
}

pub fn learn(reading: Reading, config: &Config, seed: u64) -> Result<Trained> {
    let [training, test] = corpus(&mut rng(config.stream(300 + seed)));
    let vocabulary = Vocabulary::new(training.iter().map(|s| s.words.as_slice()), 1);
    let mut tagger = Tagger::new(reading, vocabulary.len(), &mut rng(config.stream(400 + seed)));
    let drill = Drill {
        examples: training.len(),
        batch: BATCH,
        epochs: config.epochs,
        schedule: Schedule::constant(5e-3),
        clip: None,
        seed: config.stream(seed),
    };
    let packed = |batch: &[usize]| {
        let sentences: Vec<&Sentence> = batch.iter().map(|i| &training[*i]).collect();
        Packed::new(&sentences, &vocabulary)
    };
    drill.train(
        &mut tagger,
        |batch, _| (packed(batch), batch.iter().map(|i| training[*i].words.len()).sum()),
        |tagger, tape, packed: &Packed| cross_entropy(tagger.forward(tape, packed), &packed.senses),
    )?;
    let accuracy = accuracy(&tagger, &vocabulary, &test);
    let parameters = tagger.parameter_count();
    let sentences = [training.len(), test.len()];
    Ok(Trained { tagger, vocabulary, accuracy, parameters, sentences })
}

fn accuracy(tagger: &Tagger, vocabulary: &Vocabulary, test: &[Sentence]) -> Accuracy {
    let all: Vec<&Sentence> = test.iter().collect();
    let packed = Packed::new(&all, vocabulary);
    let logits = tagger.forward(&Tape::without_gradients(), &packed).value();
    let right = |column: &usize| logits.column(*column).imax() == packed.senses[*column];
    let share = |columns: &[usize]| {
        columns.iter().filter(|column| right(column)).count() as Float / columns.len() as Float
    };
    let first: Vec<usize> = packed.steps.columns(0).collect();
    Accuracy {
        apple: share(&packed.apples),
        last: share(&packed.steps.last()),
        first: share(&first),
    }
}

impl Trained {
    /// The probability that 苹果 is a fruit, asked at every word of a sentence.
    ///
    /// `words` are separated by spaces.
    pub fn fruit(&self, words: &str) -> Vec<Float> {
        let words: Vec<String> = words.split_whitespace().map(String::from).collect();
        let sentence = Sentence { words, sense: Sense::Fruit };
        let packed = Packed::new(&[&sentence], &self.vocabulary);
        let mut p =
            Matrix::clone(&self.tagger.forward(&Tape::without_gradients(), &packed).value());
        elementwise::softmax_columns(&mut p);
        p.row(0).iter().copied().collect()
    }
}

/// By reading: means over the seeds, and the range at 苹果.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Apple {
    pub accuracy: BTreeMap<String, Accuracy>,
    pub lowest: BTreeMap<String, Float>,
    pub highest: BTreeMap<String, Float>,
    pub parameters: BTreeMap<String, usize>,
    pub sentences: [usize; 2],
    /// For each of [`EXAMPLES`]: the probability of "fruit" at every word.
    pub examples: BTreeMap<String, Vec<Vec<Float>>>,
}

/// All trainings.
pub(super) fn apples(config: &Config) -> Result<Apple> {
    let jobs = with_seeds(&Reading::ALL, config.seeds);
    let runs = trainings("the apple task", &jobs, |(reading, s)| learn(*reading, config, *s))?;
    let by_reading = || Reading::ALL.into_iter().zip(runs.chunks(config.seeds));
    fn named<'a, T>(
        readings: impl Iterator<Item = (Reading, &'a [Trained])>,
        of: impl Fn(&[Trained]) -> T,
    ) -> BTreeMap<String, T> {
        readings.map(|(reading, runs)| (reading.name().to_string(), of(runs))).collect()
    }
    let at_apple =
        |runs: &[Trained]| -> Vec<Float> { runs.iter().map(|run| run.accuracy.apple).collect() };
    Ok(Apple {
        accuracy: named(by_reading(), |runs| {
            let over = |of: fn(&Accuracy) -> Float| {
                mean(&runs.iter().map(|run| of(&run.accuracy)).collect::<Vec<_>>())
            };
            Accuracy { apple: over(|a| a.apple), last: over(|a| a.last), first: over(|a| a.first) }
        }),
        lowest: named(by_reading(), |runs| at_apple(runs).into_iter().fold(1.0, Float::min)),
        highest: named(by_reading(), |runs| at_apple(runs).into_iter().fold(0.0, Float::max)),
        parameters: named(by_reading(), |runs| runs[0].parameters),
        sentences: runs[0].sentences,
        examples: named(by_reading(), |runs| {
            EXAMPLES.map(|words| runs[0].fruit(words).into_iter().map(short).collect()).into()
        }),
    })
}
