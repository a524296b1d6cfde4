//! Chapter 12: pre-trained, from scratch, frozen, with few examples and many; and answers marked in a passage.

use crate::arguments::StudyArgs;
use crate::claims::{Verdict, all_hold};
use crate::comparison::{Comparison, Expected, Numbers, Row};
use bert::program::special;
use bert::world::tasks::{Asked, Parts, Sizes, answers as questions};
use fine_tuning::program::{
    BATCH, Data, Encoder, Form, Learns, Reader, Start, Task, accuracy, answers, bag_of_words,
    begin, classes, drawn, loss_and_accuracy, majority, options, read_pretrained, tallies, tune,
    words_in_common,
};
use fine_tuning::span::{SpanReader, Spans, f1};
use rayon::prelude::*;
use serde::Serialize;
use shared::{Float, Rng, Tape, Var, rng};
use workbench::error::{Error, Result};
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Svg};
use workbench::statistics::Spread;
use workbench::stream;
use workbench::training::{
    self, Options, Prepared, Schedule, Shape, Value, cut, json, shuffled_batches, train,
};

pub const EVIDENCE: &[Comparison] = &[
    Comparison {
        name: "compare",
        about: "Pre-trained, from scratch, frozen: with few examples and many, in three tasks",
        record: "12_fine_tuning/figures/results.json",
        claims: CLAIMS,
        figures: &[
            ("topic", |found| figure("topic", found)),
            ("continuation", |found| figure("continuation", found)),
            ("tags", |found| figure("tags", found)),
        ],
        run: |this, arguments| tasks(this, arguments, &EXAMPLES, &METHODS),
    },
    Comparison {
        name: "lora",
        about: "What 1000 examples add to a frozen encoder's matrices, of rank 1, 2, 4 and 8",
        record: "12_fine_tuning/figures/lora.json",
        claims: LORA_CLAIMS,
        figures: &[],
        run: |this, arguments| tasks(this, arguments, &[MOST], &RANKS),
    },
    Comparison {
        name: "spans",
        about: "Pre-trained and from scratch, on questions whose answer is marked in a passage",
        record: "12_fine_tuning/figures/spans.json",
        claims: SPAN_CLAIMS,
        figures: &[],
        run: spans,
    },
];

const TASKS: [&str; 3] = ["topic", "continuation", "tags"];
const EXAMPLES: [usize; 3] = [50, 200, 1000];
const MOST: usize = 1000;

/// Passes over so many examples: ten, and as many more as 300 steps take.
fn epochs(examples: usize) -> usize {
    300_usize.div_ceil(examples.div_ceil(BATCH)).max(10)
}

/// Where the examples of a seed begin; another number of examples begins with the same ones.
fn first(arguments: &StudyArgs, seed: u64) -> usize {
    seed.wrapping_sub(arguments.common.seed) as usize * MOST
}

/// Examples for so many seeds, and for three at least: noise is drawn over all of them.
fn examples_in_all(arguments: &StudyArgs) -> usize {
    MOST * arguments.seeds.max(3) as usize
}

#[derive(Clone, Copy, PartialEq, Serialize)]
enum Method {
    PreTrained,
    FromScratch,
    Frozen,
    /// Frozen, and the product of two matrices of this rank added to those of queries and values.
    LowRank(usize),
    /// No network: what is most frequent, words, words in common.
    Counting,
}

#[derive(Clone, Serialize)]
struct Setup {
    task: Task,
    examples: usize,
    method: Method,
}

impl Method {
    /// Its name, and the rates that are tried; validation chooses.
    fn named(self) -> (String, &'static [Float]) {
        match self {
            PreTrained => ("pre_trained".into(), &[3e-5, 1e-4, 3e-4, 1e-3]),
            FromScratch => ("from_scratch".into(), &[1e-4, 3e-4, 1e-3]),
            Frozen => ("frozen".into(), &[1e-3, 3e-3, 1e-2, 3e-2]),
            LowRank(rank) => (format!("rank_{rank}"), &[3e-4, 1e-3, 3e-3, 1e-2]),
            Counting => ("counting".into(), &[]),
        }
    }
}

use Method::{Counting, FromScratch, Frozen, LowRank, PreTrained};

const METHODS: [Method; 4] = [PreTrained, FromScratch, Frozen, Counting];

const RANKS: [Method; 6] = [Frozen, LowRank(1), LowRank(2), LowRank(4), LowRank(8), PreTrained];

fn tasks(this: &Comparison, args: &StudyArgs, sizes: &[usize], of: &[Method]) -> Result<()> {
    let encoder = read_pretrained(None, Form::Pair)?;
    let parts = Sizes { train: examples_in_all(args), ..Sizes::default() };
    let all = Task::ALL.iter().map(|task| task.data(&parts, args.common.seed));
    let all: Vec<Data> = all.collect::<Result<_>>()?;
    let mut rows = Vec::new();
    for &examples in sizes.iter().rev() {
        for (task, task_name) in Task::ALL.into_iter().zip(TASKS) {
            rows.extend(of.iter().map(|&method| {
                let (name, rates) = method.named();
                let setup = Setup { task, examples, method };
                let row = Row::new(format!("{task_name}_{examples:04}_{name}"), setup);
                Row { epochs: rates.len() * epochs(examples), ..row }
            }));
        }
    }
    let about = json!([encoder.fingerprint(), format!("{parts:?}")]);
    this.compare(args, about, rows, |setup, seed| {
        let task = Task::ALL.iter().position(|task| *task == setup.task).expect("one of them");
        let training = &all[task].training[first(args, seed)..][..setup.examples];
        let data = Data { training: training.to_vec(), ..all[task].clone() };
        if setup.method == Counting {
            Ok(counting(&data, &all[task]))
        } else {
            tuned(setup, &data, &encoder, seed)
        }
    })
}

/// The accuracy on texts, or on the words that can have two tags.
fn share(data: &Data, predicted: &[Vec<usize>]) -> f64 {
    accuracy(&tallies(predicted, &data.test, |word| {
        data.form != Form::Words || bert::world::tasks::ambiguous(word)
    }))
}

fn counting(data: &Data, all: &Data) -> Vec<(&'static str, f64)> {
    let counted = [("accuracy", bag_of_words(data)), ("majority", majority(all))];
    let in_common = words_in_common(data).map(|found| ("in_common", found));
    let each = counted.into_iter().chain(in_common);
    each.map(|(name, found)| (name, share(data, &found))).collect()
}

/// Trains with every rate, and tests the model that is best on validation; of equally good ones that of the
/// smallest rate.
fn tuned(
    setup: &Setup,
    data: &Data,
    encoder: &Encoder,
    seed: u64,
) -> Result<Vec<(&'static str, f64)>> {
    let start = Start {
        from_scratch: setup.method == FromScratch,
        learns: match setup.method {
            Frozen => Learns::Nothing,
            LowRank(rank) => Learns::LowRank(rank),
            _ => Learns::Everything,
        },
    };
    let reader = Reader::new(encoder.pieces.clone(), &encoder.config, data.form);
    let validation = reader.read(&data.validation);
    let (_, rates) = setup.method.named();
    let mut best = (f64::NEG_INFINITY, None);
    for rate in rates {
        let mut model = begin(encoder, data, start, seed);
        let options = Options { epochs: epochs(setup.examples), seed, ..options(*rate) };
        tune(&mut model, data, &reader, BATCH, &options, None)?;
        let (_, right) = loss_and_accuracy(&model, &validation);
        if right > best.0 {
            best = (right, Some((rate, model)));
        }
    }
    let (rate, model) = best.1.expect("a rate was tried");
    let found = answers(&model, &reader.read(&data.test), data.test.len());
    let is_largest = f64::from(u8::from(Some(rate) == rates.last()));
    Ok(vec![("accuracy", share(data, &classes(&found))), ("largest_rate", is_largest)])
}

const CLAIMS: &[Expected] = &[
    (
        "fifty",
        "with 50 examples, the pre-trained encoder tells more of the test than the same one from scratch, in all three tasks",
        |found| everywhere(found, "0050", "from_scratch", "pre_trained"),
    ),
    ("thousand", "so it does with 1000", |found| {
        everywhere(found, "1000", "from_scratch", "pre_trained")
    }),
    (
        "fifty_for_a_thousand",
        "in at least one task, 50 examples after pre-training are worth more than 1000 from scratch",
        |found| {
            let fails = TASKS.map(|task| {
                let less = less(found, task, ("1000", "from_scratch"), ("0050", "pre_trained"));
                Some(less?.map(|holds| !holds))
            });
            let fails: Option<Vec<_>> = fails.into_iter().collect();
            Some(all_hold(fails?).map(|fails| !fails)) // one task is enough
        },
    ),
    (
        "frozen_fifty",
        "with 50 examples, the new layer alone upon the frozen encoder tells more than the encoder from scratch, in all three tasks",
        |found| everywhere(found, "0050", "from_scratch", "frozen"),
    ),
    (
        "frozen_thousand",
        "with 1000 examples, it tells less than when the encoder is trained too, in all three tasks",
        |found| everywhere(found, "1000", "frozen", "pre_trained"),
    ),
    (
        "counting",
        "with 1000 examples, counting words tells less than the pre-trained encoder, in all three tasks",
        |found| everywhere(found, "1000", "counting", "pre_trained"),
    ),
    (
        "in_common",
        "with 1000 examples, who sees the words in common and nothing else tells less of *continuation* than the pre-trained encoder",
        |found| {
            let counted = ("continuation_1000_counting", "in_common");
            found.less(counted, ("continuation_1000_pre_trained", "accuracy"))
        },
    ),
];

const LORA_CLAIMS: &[Expected] = &[
    ("one", "at rank 1 it tells more than the new layer alone, in all three tasks", |found| {
        everywhere(found, "1000", "frozen", "rank_1")
    }),
    ("rank", "at rank 8 it tells more than at rank 1, in all three tasks", |found| {
        everywhere(found, "1000", "rank_1", "rank_8")
    }),
    ("all", "at rank 8 it tells less than when everything learns, in all three tasks", |found| {
        everywhere(found, "1000", "rank_8", "pre_trained")
    }),
];

fn less(found: &Numbers, task: &str, these: (&str, &str), those: (&str, &str)) -> Verdict {
    let [these, those] =
        [these, those].map(|(examples, method)| format!("{task}_{examples}_{method}"));
    found.less((&these, "accuracy"), (&those, "accuracy"))
}

fn everywhere(found: &Numbers, examples: &str, fewer: &str, more: &str) -> Verdict {
    let each = TASKS.iter().map(|task| less(found, task, (examples, fewer), (examples, more)));
    Some(all_hold(each.collect::<Option<Vec<_>>>()?))
}

const LINES: [(&str, &str, Colour); 3] = [
    ("pre_trained", "pre-trained", colour::PRE_TRAINED),
    ("from_scratch", "from scratch", colour::FROM_SCRATCH),
    ("frozen", "pre-trained, frozen", colour::FROZEN),
];

fn figure(task: &str, found: &Numbers) -> Svg {
    let y = if task == "tags" { "accuracy, ambiguous words, %" } else { "accuracy, %" };
    let chart = Chart::new(task, "examples to learn from", y).log(true, false);
    let percent = |x: f64| 100.0 * x;
    let spreads = |method: &str, number: &str| -> Vec<(f64, f64, f64, f64)> {
        let spreads = EXAMPLES.iter().filter_map(|examples| {
            let of: &Spread = found.of(&format!("{task}_{examples:04}_{method}"), number)?;
            let (x, mean, low, high) = of.at(*examples as f64);
            Some((x, percent(mean), percent(low), percent(high)))
        });
        spreads.collect()
    };
    let means = |method: &str, number: &str| -> Vec<(f64, f64)> {
        spreads(method, number).iter().map(|at| (at.0, at.1)).collect()
    };
    let chart = LINES.into_iter().fold(chart, |chart, (method, name, colour)| {
        chart.spread(name, spreads(method, "accuracy")).coloured(colour)
    });
    let levels = [
        ("words in common", "in_common", colour::IN_COMMON),
        ("counting words", "accuracy", colour::COUNTED),
        ("the most frequent label", "majority", colour::GIVEN),
    ];
    let chart = levels.into_iter().fold(chart, |chart, (name, number, colour)| {
        match &means("counting", number)[..] {
            [] => chart,
            means => chart.dashed(name, means).coloured(colour),
        }
    });
    // The first method's dots come last: they show where another line covers its own.
    let chart = LINES.into_iter().rev().fold(chart, |chart, (method, _, colour)| {
        chart.points("", &means(method, "accuracy")).coloured(colour)
    });
    chart.y_range(0.0..100.0).draw()
}

const SPAN_CLAIMS: &[Expected] = &[
    (
        "span_fifty",
        "with 50 questions, the pre-trained encoder marks more answers exactly than the one from scratch",
        |found| found.less(("0050_from_scratch", "exact"), ("0050_pre_trained", "exact")),
    ),
    ("span_thousand", "so it does with 1000", |found| {
        found.less(("1000_from_scratch", "exact"), ("1000_pre_trained", "exact"))
    }),
    ("span_right", "with 1000 questions it marks at least nine of ten, with every seed", |found| {
        found.at_least("1000_pre_trained", "exact", 0.9)
    }),
];

/// Pieces of the longest answer that is looked for.
const LONGEST: usize = 12;

#[derive(Clone, Serialize)]
struct SpanSetup {
    examples: usize,
    from_scratch: bool,
}

fn spans(this: &Comparison, arguments: &StudyArgs) -> Result<()> {
    let encoder = read_pretrained(None, Form::Pair)?;
    let train = examples_in_all(arguments);
    let sizes = Sizes { train, validation: 200, test: 1000, noise: 0.0 };
    let data = questions(&sizes, arguments.common.seed).map_err(Error::Argument)?;
    let row = |examples: usize, from_scratch: bool| {
        let method = if from_scratch { "from_scratch" } else { "pre_trained" };
        Row::new(format!("{examples:04}_{method}"), SpanSetup { examples, from_scratch })
    };
    let rows = EXAMPLES.into_iter().rev().flat_map(|n| [row(n, false), row(n, true)]).collect();
    this.compare(
        arguments,
        json!([encoder.fingerprint(), format!("{sizes:?}")]),
        rows,
        |setup, seed| {
            let training = &data.train[first(arguments, seed)..][..setup.examples];
            judge_spans(setup, training, &data, &encoder, seed)
        },
    )
}

/// Trains with every rate; tests the model that is best on validation.
fn judge_spans(
    setup: &SpanSetup,
    training: &[Asked],
    data: &Parts<Asked>,
    encoder: &Encoder,
    seed: u64,
) -> Result<[(&'static str, f64); 4]> {
    let read = |asked: &[Asked]| asked.iter().map(|one| read(one, encoder)).collect::<Vec<_>>();
    let (training, validation, test) = (read(training), read(&data.validation), read(&data.test));
    let rates: [Float; 3] =
        if setup.from_scratch { [3e-4, 1e-3, 3e-3] } else { [1e-4, 3e-4, 1e-3] };
    let mut best: Option<(f64, Float, SpanReader)> = None;
    for rate in rates {
        let rng = &mut rng(stream(seed, 0));
        let bert = if setup.from_scratch { drawn(&encoder.config, rng) } else { encoder.copy() };
        let mut model = SpanReader::new(bert, &encoder.config, rng);
        let epochs = epochs(setup.examples);
        let total = (epochs * training.len().div_ceil(BATCH)) as u64;
        let options = options(rate);
        let shape = Shape::Linear { total };
        let schedule = Schedule { warmup: total / 10, shape, ..options.schedule };
        let options = Options { epochs, seed, schedule, ..options };
        train(&SpanTask(&training), &mut model, &options)?;
        let [_, f1] = span_scores(&model, &validation);
        if best.as_ref().is_none_or(|(most, ..)| f1 > *most) {
            best = Some((f1, rate, model));
        }
    }
    let (valid, rate, model) = best.expect("a rate was tried");
    let [exact, f1] = span_scores(&model, &test);
    Ok([("exact", exact), ("f1", f1), ("validation_f1", valid), ("rate", f64::from(rate))])
}

/// Pieces, and which of them are the answer's words.
struct ReadAsked {
    spans: Spans,
    /// The word that each piece of the passage is of.
    words: Vec<usize>,
    asked: Asked,
}

fn read(asked: &Asked, encoder: &Encoder) -> ReadAsked {
    let cut = |word: &String| encoder.pieces.cut(word);
    let question: Vec<usize> = asked.question.iter().flat_map(cut).collect();
    let (mut passage, mut words) = (Vec::new(), Vec::new());
    for (number, word) in asked.passage.iter().enumerate() {
        let pieces = cut(word);
        words.extend(pieces.iter().map(|_| number));
        passage.extend(pieces);
    }
    let room = encoder.config.longest - 3 - question.len();
    passage.truncate(room);
    words.truncate(room);
    let is_answer = |i: &usize| asked.answer.contains(&words[*i]);
    let first = (0..words.len()).find(is_answer).unwrap_or(0);
    let last = (0..words.len()).rfind(is_answer).unwrap_or(0);
    let spans = Spans::of(&question, &passage, [first, last], &special(&encoder.pieces));
    ReadAsked { spans, words, asked: asked.clone() }
}

/// Exact matches and the mean F1, both of words.
fn span_scores(model: &SpanReader, read: &[ReadAsked]) -> [f64; 2] {
    let scores = read.par_chunks(32).flat_map_iter(|part| {
        let together = Spans::side_by_side(part.iter().map(|one| &one.spans));
        let found = model.answers(&together, LONGEST);
        found.into_iter().zip(part).map(|([first, last], one)| {
            let passage = &one.asked.passage;
            let found = &passage[one.words[first]..=one.words[last]];
            let right = &passage[one.asked.answer.clone()];
            [f64::from(u8::from(found == right)), f1(found, right)]
        })
    });
    let all: Vec<[f64; 2]> = scores.collect();
    [0, 1].map(|i| all.iter().map(|one| one[i]).sum::<f64>() / all.len() as f64)
}

struct SpanTask<'a>(&'a [ReadAsked]);

impl training::Task for SpanTask<'_> {
    type Model = SpanReader;
    type Shard = Spans;

    fn describe(&self) -> Value {
        json!("spans")
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        shuffled_batches(self.0.len(), BATCH, rng)
    }

    /// The loss is a mean over the questions, start and end together.
    fn prepare(&self, examples: &[usize], shards: usize, _: &mut Rng) -> Prepared<Spans> {
        let shard = |own: &Vec<usize>| Spans::side_by_side(own.iter().map(|i| &self.0[*i].spans));
        let shards: Vec<Spans> = cut(examples, shards).iter().map(shard).collect();
        let tokens = shards.iter().map(|shard| shard.tokens.len()).sum();
        Prepared { shards, tokens, divisor: examples.len() as Float }
    }

    fn loss<'t>(&self, model: &SpanReader, tape: &'t Tape, shard: &Spans) -> Var<'t> {
        model.loss(tape, shard)
    }
}
