//! Chapter 4: which cell carries a number over many steps, how well a network knows the next word, and what two
//! directions are worth.

use crate::claims::all_hold;
use crate::comparison::{Comparison, Expected, Numbers, Row};
use corpora::{BEGIN, Vocabulary};
use rand::seq::SliceRandom;
use recurrent_networks::flow::{LAGS, LENGTH, norms, with_radius};
use recurrent_networks::ngrams::Ngrams;
use recurrent_networks::program::adding::{self, ALWAYS_ONE, HIDDEN, LOOK, SOLVED, learn};
use recurrent_networks::program::next_word::{Language, Packed, Text, WIDTH, train, writer};
use recurrent_networks::{Bidirectional, Gru, LanguageModel, Lstm, Recurrent, Rnn, Steps, cells};
use serde::Serialize;
use serde_json::{Value, json};
use shared::{
    Embedding, Float, Linear, Matrix, Module, Rng, Tape, Var, Visitor, cross_entropy, elementwise,
    rng,
};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::colour::{self, PALETTE};
use workbench::figure::{Chart, Svg};
use workbench::statistics::significant;
use workbench::stream;
use workbench::training::{Drill, Schedule};

pub const EVIDENCE: &[Comparison] = &[
    Comparison {
        name: "adding",
        about: "The adding problem: three cells, four lengths; how a gradient fades",
        record: "04_recurrent_networks/figures/results.json",
        claims: ADDING_CLAIMS,
        figures: &[("radius", radius), ("gates", gates), ("adding_100", adding_100)],
        run: |this, arguments| {
            this.compare_and(arguments, "the adding problem", adding_rows(), judge_adding, || {
                Ok([("radius".to_owned(), faded()), ("gates".to_owned(), kept()?)].into())
            })
        },
    },
    Comparison {
        name: "language",
        about: "Networks that predict the next word, against counts",
        record: "04_recurrent_networks/figures/language.json",
        claims: LANGUAGE_CLAIMS,
        figures: &[],
        run: |this, arguments| {
            this.compare(arguments, "the parallel corpus", language_rows(), judge_language)
        },
    },
    Comparison {
        name: "apple",
        about: "Is 苹果 a fruit or a company, when the deciding word comes later?",
        record: "04_recurrent_networks/figures/apple.json",
        claims: APPLE_CLAIMS,
        figures: &[("apple", apple)],
        run: |this, arguments| {
            let rows = READINGS.map(|(name, _)| Row::new(name, name)).into();
            let judge = |name: &&str, seed| Ok(Tagger::learn(name, seed)?.accuracy());
            this.compare_and(arguments, "the apple task", rows, judge, examples)
        },
    },
];
fn list(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

const STEPS: usize = 3000;
const CELLS: [&str; 3] = ["rnn", "gru", "lstm"];
/// The longest come first.
fn adding_rows() -> Vec<Row<(&'static str, usize)>> {
    let all = [200, 100, 50, 10].into_iter().flat_map(|length| CELLS.map(|cell| (cell, length)));
    all.map(|(cell, length)| Row::new(format!("{cell}_{length}"), (cell, length))).collect()
}

/// The test's error at the end; at length 100, while training as well.
fn judge_adding((cell, length): &(&'static str, usize), seed: u64) -> Result<Vec<(String, f64)>> {
    let seed = stream(0, seed);
    let curve = match *cell {
        "rnn" => learn::<Rnn>(*length, STEPS, seed)?.1,
        "gru" => learn::<Gru>(*length, STEPS, seed)?.1,
        _ => learn::<Lstm>(*length, STEPS, seed)?.1,
    };
    let mut numbers = vec![("error".to_owned(), f64::from(curve[curve.len() - 1]))];
    if *length == LENGTH {
        for i in (1..curve.len()).step_by(2) {
            numbers.push((format!("error_{}", LOOK * (i + 1)), f64::from(curve[i])));
        }
    }
    Ok(numbers)
}

const ADDING_CLAIMS: &[Expected] = &[
    (
        "a_gated",
        "at length 100, GRU and LSTM solve the adding problem with every seed: error below 0.0017",
        |found| {
            let solved = |row| Some(Some(found.of(row, "error")?.highest < f64::from(SOLVED)));
            Some(all_hold([solved("gru_100")?, solved("lstm_100")?]))
        },
    ),
    (
        "b_plain",
        "at length 100, the plain network fails with every seed: error above 0.15",
        |found| found.at_least("rnn_100", "error", 0.15),
    ),
    (
        "c_short",
        "at length 10, the plain network learns too, with every seed: error below 0.08",
        |found| Some(Some(found.of("rnn_10", "error")?.highest < 0.08)),
    ),
];

fn adding_100(found: &Numbers) -> Svg {
    let shown = [("plain", colour::PLAIN), ("GRU", colour::GRU), ("LSTM", colour::LSTM)];
    let title = "The adding problem, length 100";
    let mut chart = Chart::new(title, "training step", "mean squared error");
    for (cell, (name, colour)) in CELLS.into_iter().zip(shown) {
        let steps = (2 * LOOK..=STEPS).step_by(2 * LOOK);
        let row = format!("{cell}_100");
        chart = chart.spread(name, found.series(&row, "error", steps)).coloured(colour);
    }
    let floor = f64::from(ALWAYS_ONE);
    let always = chart.dashed("always 1", &[(0.0, floor), (STEPS as f64, floor)]);
    always.coloured(colour::GIVEN).log(false, true).y_range(3e-5..0.4).draw()
}

const RADII: [(&str, Float); 3] = [("half", 0.5), ("one", 1.0), ("two", 2.0)];

/// The gradient's norm by distance in plain networks of three spectral radii.
fn faded() -> Value {
    let seed = stream(0, 500);
    let faded = RADII.map(|(name, radius)| {
        let norms = norms(&with_radius(radius, seed), seed);
        let norms: Vec<f64> = norms.into_iter().map(|norm| significant(norm.into())).collect();
        (name.to_owned(), json!(norms))
    });
    json!(BTreeMap::from(faded))
}

fn radius(found: &Numbers) -> Svg {
    let title = "Plain network, by spectral radius";
    let mut chart = Chart::new(title, "steps back", "norm of the gradient").log(false, true);
    for ((name, radius), colour) in RADII.into_iter().zip(PALETTE) {
        let norms = list(&found.once["radius"][name]);
        let curve = LAGS.into_iter().zip(norms);
        chart = chart.curve(&format!("radius {radius}"), curve).coloured(colour);
    }
    chart.draw()
}

/// Along one sequence, the gate z of a trained GRU, mean of the eight units that keep most where nothing is marked.
fn kept() -> Result<Value> {
    let (model, _) = learn::<Gru>(LENGTH, STEPS, stream(0, 0))?;
    let (x, steps, _) = adding::batch(LENGTH, &(0..64).map(|i| 2 * i).collect::<Vec<_>>());
    let tape = Tape::no_grad();
    let read = tape.constant(x.clone());
    let h = model.layer.forward(read, &steps, None).value();
    let mut before = Matrix::zeros(HIDDEN, steps.tokens()); // h_{t−1}
    let (sequences, later) = (steps.sequences(), steps.tokens() - steps.sequences());
    before.columns_mut(sequences, later).copy_from(&h.columns(0, later));
    let gates: cells::Gates = model.layer.weights().on(&tape);
    let (p, q) = (gates.project(read), gates.recur(tape.constant(before))); // r, z, n: 3H rows
    let z = (p.rows(HIDDEN, HIDDEN) + q.rows(HIDDEN, HIDDEN)).sigmoid().value();
    let unmarked: Vec<usize> = (0..steps.tokens()).filter(|j| x[(1, *j)] == 0.0).collect();
    let keeps = |unit: usize| unmarked.iter().map(|j| f64::from(z[(unit, *j)])).sum::<f64>();
    let mut units: Vec<usize> = (0..HIDDEN).collect();
    units.sort_by(|a, b| keeps(*b).total_cmp(&keeps(*a)));
    let columns = (0..LENGTH).map(|t| steps.column(0, t));
    let sums = columns.map(|j| units[..8].iter().map(|unit| f64::from(z[(*unit, j)])).sum());
    let kept: Vec<f64> = sums.map(|sum: f64| significant(sum / 8.0)).collect();
    let marks: Vec<usize> = (0..LENGTH).filter(|t| x[(1, steps.column(0, *t))] == 1.0).collect();
    Ok(json!({"kept": kept, "marks": marks}))
}

fn gates(found: &Numbers) -> Svg {
    let gates = &found.once["gates"];
    let mut chart =
        Chart::new("What is kept at every token", "token", "gate z, mean of eight units")
            .curve("GRU: z", (1..).zip(list(&gates["kept"])))
            .coloured(colour::GRU);
    for (mark, name) in list(&gates["marks"]).into_iter().zip(["marked", ""]) {
        let line = [(mark + 1.0, 0.0), (mark + 1.0, 1.0)];
        chart = chart.dashed(name, &line).coloured(colour::GIVEN);
    }
    chart.y_range(0.0..1.05).draw()
}

#[derive(Clone, Copy, Debug, Serialize)]
enum Predictor {
    /// All words are equally probable.
    Uniform,
    /// Counts after so many words before.
    Ngrams(usize),
    Plain,
    Gru,
}

/// Networks have about 120,000 parameters.
fn language_rows() -> Vec<Row<(Language, Predictor)>> {
    let mut rows = vec![Row::new("english_rnn", (Language::English, Predictor::Plain))];
    for (name, language) in [("english", Language::English), ("french", Language::French)] {
        let mut add =
            |of, predictor| rows.push(Row::new(format!("{name}_{of}"), (language, predictor)));
        add("gru", Predictor::Gru);
        add("trigram", Predictor::Ngrams(2));
        add("bigram", Predictor::Ngrams(1));
        add("unigram", Predictor::Ngrams(0));
        add("uniform", Predictor::Uniform);
    }
    rows
}

/// The perplexity on unseen sentences.
fn judge_language(
    (language, predictor): &(Language, Predictor),
    seed: u64,
) -> Result<[(&'static str, f64); 1]> {
    let text = Text::new(*language);
    let words = text.vocabulary.len();
    let perplexity = match *predictor {
        Predictor::Uniform => words as f64,
        Predictor::Ngrams(order) => {
            Ngrams::new(words, BEGIN, &text.train).loss(order, BEGIN, &text.test).exp()
        }
        Predictor::Plain => {
            let rng = &mut rng(stream(0, 820 + seed));
            let mut model: LanguageModel<Rnn> = LanguageModel::new(words, WIDTH, 130, 1, rng);
            train(&text, &mut model, stream(0, 810 + seed))?;
            perplexity(&text, &model)
        }
        Predictor::Gru => perplexity(&text, &writer(&text, seed)?),
    };
    Ok([("perplexity", perplexity)])
}

fn perplexity<L: Recurrent>(text: &Text, model: &LanguageModel<L>) -> f64 {
    let (mut sum, mut n) = (0.0, 0);
    for sentences in text.test.chunks(100) {
        let Packed { steps, words, next } = Packed::new(&sentences.iter().collect::<Vec<_>>());
        let tape = Tape::no_grad();
        sum += f64::from(model.loss(&tape, &words, &next, &steps).scalar());
        n += next.len();
    }
    f64::exp(sum / n as f64)
}

const LANGUAGE_CLAIMS: &[Expected] = &[(
    "a_trigram",
    "in both languages, the GRU's perplexity is lower than that of triples, with every seed",
    |found| {
        let below = |gru, trigram| found.less((gru, "perplexity"), (trigram, "perplexity"));
        let french = below("french_gru", "french_trigram")?;
        Some(all_hold([below("english_gru", "english_trigram")?, french]))
    },
)];

/// Entries of one direction's state.
const HALF: usize = 16;
/// What the answer is read from: the states of one direction, of the other, or of both.
const READINGS: [(&str, [usize; 2]); 3] =
    [("forward", [0, HALF]), ("backward", [HALF, HALF]), ("both", [0, 2 * HALF])];

/// Words, and whether 苹果 is a company (1) or a fruit (0).
type Sentence = (Vec<String>, usize);

/// The beginnings before 苹果; every one goes on equally often in either sense.
const BEGINNINGS: [&[&str]; 3] = [
    &["我", "你", "他", "她", "我们", "老师", "妈妈", "朋友"],
    &["", "一直", "最近", "也"],
    &["喜欢", "推荐", "选", "买", "想要"],
];
/// The endings that speak of a fruit, and of a company.
const SAID: [[&[&str]; 2]; 2] = [
    [&["好吃", "甜", "脆", "新鲜", "多汁"], &["香蕉", "梨", "橙子", "葡萄"]],
    [&["稳定", "流畅", "安全", "智能", "省电"], &["安卓", "三星", "华为", "小米"]],
];

/// The endings of a sense: 因为 (because) it is very …, or is more … than another one.
fn endings(sense: usize) -> Vec<String> {
    let [good, than] = SAID[sense];
    let mut endings = Vec::new();
    for why in ["因为", "听说", "大家 都 说"] {
        for good in good {
            endings.extend(["很", "真", "非常"].map(|very| format!("， {why} 它 {very} {good}")));
        }
        for than in than {
            let more = ["好", "便宜", "受欢迎", good[0], good[1]]; // the first three fit either sense
            endings.extend(more.map(|more| format!("， {why} 它 比 {than} {more}")));
        }
    }
    endings
}

/// Sentences for training and for the test: of each beginning and sense twelve and three, none in both.
fn corpus(rng: &mut Rng) -> [Vec<Sentence>; 2] {
    let [who, how, does] = BEGINNINGS;
    let mut parts = [Vec::new(), Vec::new()];
    for (i, sense) in (0..160).flat_map(|i| [(i, 0), (i, 1)]) {
        let [who, how, does] = [who[i / 20], how[i / 5 % 4], does[i % 5]];
        let mut endings = endings(sense);
        endings.shuffle(rng);
        for (k, ending) in endings.into_iter().take(15).enumerate() {
            let text = format!("{who} {how} {does} 苹果 {ending}");
            let words = text.split_whitespace().map(String::from).collect();
            parts[usize::from(k >= 12)].push((words, sense));
        }
    }
    parts
}

/// Says at every word what the sentence is about.
struct Tagger {
    words: Embedding,
    layer: Bidirectional<Gru>,
    readout: Linear,
    reads: [usize; 2],
    vocabulary: Vocabulary,
    test: Vec<Sentence>,
}

impl Module for Tagger {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        visitor.module("layer", &mut self.layer);
        visitor.module("readout", &mut self.readout);
    }
}

impl Tagger {
    fn learn(reading: &str, seed: u64) -> Result<Tagger> {
        let [training, test] = corpus(&mut rng(stream(0, 300 + seed)));
        let vocabulary = Vocabulary::new(training.iter().map(|(words, _)| &words[..]), 1);
        let (_, reads) = READINGS.into_iter().find(|(name, _)| *name == reading).expect("a row");
        let rng = &mut rng(stream(0, 400 + seed));
        let mut tagger = Tagger {
            words: Embedding::new(vocabulary.len(), 16, rng),
            layer: Bidirectional::new(16, HALF, rng),
            readout: Linear::new(reads[1], 2, rng),
            reads,
            vocabulary,
            test,
        };
        let (examples, schedule) = (training.len(), Schedule::constant(5e-3));
        let seed = stream(0, seed);
        Drill { examples, batch: 32, epochs: 5, schedule, clip: None, seed }.train(
            &mut tagger,
            |batch, _| (batch.to_vec(), batch.iter().map(|i| training[*i].0.len()).sum()),
            |tagger, tape, batch| {
                let (logits, steps) = tagger.forward(tape, batch.iter().map(|i| &training[*i]));
                cross_entropy(logits, &steps.1)
            },
        )?;
        Ok(tagger)
    }

    /// Logits (2, N) at every word, how they are packed, and the right senses.
    fn forward<'a, 't>(
        &self,
        tape: &'t Tape,
        sentences: impl Iterator<Item = &'a Sentence>,
    ) -> (Var<'t>, (Steps, Vec<usize>)) {
        let mut sorted: Vec<&Sentence> = sentences.collect();
        sorted.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        let steps = Steps::new(&sorted.iter().map(|(words, _)| words.len()).collect::<Vec<_>>());
        let (mut words, mut senses) = (vec![0; steps.tokens()], vec![0; steps.tokens()]);
        for (i, (sentence, sense)) in sorted.into_iter().enumerate() {
            for (t, word) in self.vocabulary.encode(sentence).into_iter().enumerate() {
                (words[steps.column(i, t)], senses[steps.column(i, t)]) = (word, *sense);
            }
        }
        let h = self.layer.forward(self.words.forward(tape, &words), &steps); // (32, N)
        let [from, rows] = self.reads;
        (self.readout.forward(h.rows(from, rows)), (steps, senses))
    }

    /// The probability of fruit at every word.
    fn fruit(&self, sentence: &Sentence) -> Vec<f64> {
        let tape = Tape::no_grad();
        let mut p = Matrix::clone(&self.forward(&tape, [sentence].into_iter()).0.value());
        elementwise::softmax_columns(&mut p);
        p.row(0).iter().map(|p| significant((*p).into())).collect()
    }

    /// The accuracy on the test, at 苹果 and at the last word.
    fn accuracy(&self) -> [(&'static str, f64); 2] {
        let share = |place: fn(&[String]) -> usize| {
            let right = self.test.iter().filter(|sentence| {
                (self.fruit(sentence)[place(&sentence.0)] > 0.5) == (sentence.1 == 0)
            });
            right.count() as f64 / self.test.len() as f64
        };
        let apple = share(|words| words.iter().position(|word| word == "苹果").expect("it"));
        [("apple", apple), ("last", share(|words| words.len() - 1))]
    }
}

const APPLE_CLAIMS: &[Expected] = &[
    (
        "f_forward",
        "at 苹果, a forward reader is right in exactly half of the test's sentences",
        |found| {
            let apple = found.of("forward", "apple")?;
            Some(Some(apple.lowest == 0.5 && apple.highest == 0.5))
        },
    ),
    ("g_both", "at 苹果, a bidirectional reader is right in more than 99 % of them", |found| {
        found.at_least("both", "apple", 0.99)
    }),
];

/// A sentence of each sense, with English below its words.
const EXAMPLES: [(&str, &str); 2] = [
    ("我 喜欢 苹果 ， 因为 它 很 好吃", "I like apple , because it very tasty"),
    ("我 喜欢 苹果 ， 因为 它 比 安卓 稳定", "I like apple , because it than Android stable"),
];

/// The probability of fruit at every word of both examples, by reading.
fn examples() -> Result<BTreeMap<String, Value>> {
    let mut examples = BTreeMap::new();
    for (reading, _) in READINGS {
        let tagger = Tagger::learn(reading, 0)?;
        let words = EXAMPLES.map(|(text, _)| text.split_whitespace().map(String::from).collect());
        examples.insert(reading.to_owned(), json!(words.map(|words| tagger.fruit(&(words, 0)))));
    }
    Ok(examples)
}

fn apple(found: &Numbers) -> Svg {
    let titles = ["好吃 (tasty): a fruit", "安卓 (Android): a company"];
    let pictures = [0, 1].map(|k| {
        let (chinese, english) = EXAMPLES[k];
        let pairs = chinese.split_whitespace().zip(english.split_whitespace());
        let named = pairs.map(|(a, b)| format!("{a}\n{}", b.trim_matches(',')));
        let words: Vec<String> = named.collect();
        let mut chart = Chart::new(titles[k], "", "probability of fruit");
        for (name, _) in READINGS {
            chart = chart.curve(name, list(&found.once[name][k]).into_iter().enumerate());
        }
        chart
            .x_names(&words)
            .x_range(-0.4..words.len() as f64 - 0.6)
            .y_range(-0.03..1.03)
            .height(300)
            .named_above()
            .draw()
    });
    Svg::grid(&pictures, 1)
}
