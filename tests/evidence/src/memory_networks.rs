//! Chapter 14: hops, a linear start, self-attention on as many parameters, keys and values.

use crate::claims::{Verdict, all_hold};
use crate::comparison::{Comparison, Expected, Numbers, Row};
use corpora::Story;
use memory_networks::program::{
    BATCH, Example, LINEAR, Lexicon, MEMORY, WIDTH, fit, generated, judge, known, options,
};
use memory_networks::world::{Task, kin};
use memory_networks::{
    Alignment, Answered, Answers, KeyValue, MemoryNetwork, Order, SelfAttending, Sizes, Stories,
    bags, read,
};
use serde::Serialize;
use shared::{Float, Module, Tape, Var, Visitor, rng};
use std::collections::HashSet;
use workbench::figure::{Chart, Svg, colour};
use workbench::training::{Options, json};
use workbench::{error::Result, stream};

pub const EVIDENCE: &[Comparison] = &[Comparison {
    name: "compare",
    about: "Hops, linear start, self-attention, keys and values",
    record: "14_memory_networks/figures/results.json",
    claims: CLAIMS,
    figures: &[("seeds", dots)],
    run: |this, arguments| this.compare(arguments, "stories of rooms, Adam, width 24", rows(), one),
}];

/// A task (one of `Task::ALL`, or 7 and 8: one fact and two facts of kin), and who answers it.
type Config = (usize, Model);

#[derive(Clone, Copy, Debug, Serialize)]
enum Model {
    /// `linear` is the share of steps without a softmax over sentences.
    Memory { hops: usize, linear: f64, positions: bool, times: bool },
    /// Three hops. In the steps of a linear start, with a softmax or without, a score's gradient is multiplied.
    Scaled { softmax: bool, factor: Float },
    /// Self-attention of at most as many parameters as three hops.
    SelfAttention,
    /// Slots of keys and values; else key and value are the sentence.
    KeyValue { slots: bool, positions: bool, linear: f64 },
}

const QUESTIONS: usize = 10_000; // of a training
const EPOCHS: usize = 20;

fn rows() -> Vec<Row<Config>> {
    let row = |name: String, task, model| Row::new(name, (task, model));
    let memory = |hops, linear, positions, times| Model::Memory { hops, linear, positions, times };
    let mut rows = Vec::new();
    for (i, task) in Task::ALL.iter().enumerate() {
        for (name, model) in [
            ("three hops", memory(3, LINEAR, true, true)),
            ("softmax from the start", memory(3, 0.0, true, true)),
            ("one hop", memory(1, LINEAR, true, true)),
            ("self-attention", Model::SelfAttention),
        ] {
            rows.push(row(format!("{} with {name}", task.name()), i, model));
        }
    }
    let scaled = |softmax, factor| Model::Scaled { softmax, factor };
    let two_facts = [
        ("bags of words", memory(3, LINEAR, false, true)),
        ("no times", memory(3, LINEAR, true, false)),
        ("ten times the gradients", scaled(true, 10.0)),
        ("a linear start and a tenth of the gradients", scaled(false, 0.1)),
    ];
    rows.extend(two_facts.map(|(name, model)| row(format!("two facts with {name}"), 1, model)));
    for (task, name) in [(7, "kin one fact"), (8, "kin two facts")] {
        for (start, linear) in [("", 0.0), ("linear ", LINEAR)] {
            let models = [
                ("keys and values", true, false),
                ("sentences", false, true),
                ("bags of words", false, false),
            ];
            rows.extend(models.map(|(model, slots, positions)| {
                let name = format!("{name} with {start}{model}");
                row(name, task, Model::KeyValue { slots, positions, linear })
            }));
        }
    }
    rows
}

/// Trains a row and judges it on 1,000 new questions. By supporting fact, in the order of reasoning: in how many
/// of them it has the largest weight, in the hop (counted from 1) where it has it most often.
fn one((task, model): &Config, seed: u64) -> Result<Vec<(String, f64)>> {
    let (lexicon, training, test) = match Task::ALL.get(*task) {
        Some(task) => {
            let stories = generated(*task, QUESTIONS, seed, 0);
            let lexicon = Lexicon::of(&stories);
            let test = known(&lexicon, &generated(*task, 1_000, seed, 1), MEMORY);
            let training = known(&lexicon, &stories, MEMORY);
            (lexicon, training, test)
        }
        None => {
            let slots = matches!(model, Model::KeyValue { slots: true, .. });
            about_kin(task - Task::ALL.len() + 1, slots, seed)
        }
    };
    let parts = [&training[..], &test];
    let draw = &mut rng(stream(seed, 0));
    let sizes = |hops| Sizes { words: lexicon.len(), memory: MEMORY, width: WIDTH, hops };
    let order = |positions| if positions { Order::Positions } else { Order::Bag };
    match *model {
        Model::Memory { hops, linear, positions, times } => {
            let mut model = MemoryNetwork::new(sizes(hops), draw);
            model.order = order(positions);
            if !times {
                model.times.clear();
            }
            fitted(model, (linear, 0.005), parts, seed)
        }
        Model::Scaled { softmax, factor } => {
            let alignment = if softmax { Alignment::Softmax } else { Alignment::Linear };
            let network = MemoryNetwork::new(sizes(3), draw);
            let model = Scaled { network, first: (alignment, factor) };
            fitted(model, (LINEAR, 0.005), parts, seed)
        }
        Model::SelfAttention => {
            let most = MemoryNetwork::new(sizes(3), draw).parameter_count();
            let model = |width| SelfAttending::new(Sizes { width, ..sizes(3) }, &mut rng(seed));
            let width = (1..WIDTH).rev().find(|width| model(*width).parameter_count() <= most);
            let model = model(width.unwrap_or(1));
            fitted(model, (0.0, 0.003), parts, seed)
        }
        Model::KeyValue { positions, linear, .. } => {
            let model = KeyValue::new(lexicon.len(), WIDTH, 2, order(positions), draw);
            fitted(model, (linear, 0.005), parts, seed)
        }
    }
}

/// Questions about kin, of so many facts each. There are only 45,000: a test of new ones leaves out what was trained
/// on, in any order of its facts.
fn about_kin(steps: usize, slots: bool, seed: u64) -> (Lexicon, Vec<Example>, Vec<Example>) {
    let told = |part: u64| {
        let mut rng = rng(stream(seed, 1 + part));
        std::iter::repeat_with(move || kin::facts(steps, &mut rng))
    };
    let said = |(facts, story): &(Vec<kin::Fact>, Story)| {
        let mut facts: Vec<String> = facts.iter().map(|fact| fact.sentence().join(" ")).collect();
        facts.sort();
        (facts, story.questions[0].words.clone())
    };
    let training: Vec<_> = told(0).take(QUESTIONS).collect();
    let seen: HashSet<_> = training.iter().map(said).collect();
    let test: Vec<_> = told(1).filter(|one| !seen.contains(&said(one))).take(1_000).collect();
    let stories: Vec<Story> = training.iter().map(|(_, story)| story.clone()).collect();
    let lexicon = Lexicon::of(&stories);
    let numbers = |words: Vec<String>| -> Vec<usize> {
        words.iter().map(|word| lexicon.number(word).expect("a word of the facts")).collect()
    };
    let example = |(all, story): &(Vec<kin::Fact>, Story)| {
        let mut example = known(&lexicon, std::slice::from_ref(story), all.len()).remove(0);
        if slots {
            example.sentences = all.iter().map(|fact| numbers(fact.key())).collect();
            example.values = Some(all.iter().map(|fact| numbers(fact.value())).collect());
        }
        example
    };
    let [training, test] = [&training, &test].map(|part| part.iter().map(example).collect());
    (lexicon, training, test)
}

/// Trains a model, the first share of the steps without a softmax over sentences; judges it.
fn fitted<M: Module + Answers + Sync>(
    mut model: M,
    (linear, rate): (f64, Float),
    [training, test]: [&[Example]; 2],
    seed: u64,
) -> Result<Vec<(String, f64)>> {
    let options = Options { seed, ..options(rate, EPOCHS, training.len()) };
    let linear = (linear * (EPOCHS * training.len().div_ceil(BATCH)) as f64) as u64;
    fit(&mut model, training, &[], linear, json!({}), &options)?;
    let found = judge(&model, test);
    let facts = (1..=3).zip(found.best()).flat_map(|(fact, (share, hop))| {
        [(format!("fact_{fact}"), share), (format!("fact_{fact}_hop"), (hop + 1) as f64)]
    });
    let all = [("accuracy", found.accuracy), ("parameters", model.parameter_count() as f64)];
    Ok(all.map(|(name, x)| (name.to_owned(), x)).into_iter().chain(facts).collect())
}

/// Is it the gradient? In the first steps of this network, what flows back into the scores is multiplied.
struct Scaled {
    network: MemoryNetwork,
    /// The alignment and the factor of the first steps; then a softmax, and 1.
    first: (Alignment, Float),
}

impl Module for Scaled {
    fn visit(&mut self, visitor: &mut Visitor) {
        self.network.visit(visitor);
    }
}

impl Answers for Scaled {
    /// The network's own answer. Queries and keys reach the loss through their scores alone, so what flows back
    /// into both is what flows back into the scores, scaled; what is read flows back as it is.
    fn answer<'t>(&self, tape: &'t Tape, stories: &Stories, alignment: Alignment) -> Answered<'t> {
        let (alignment, factor) =
            if alignment == Alignment::Linear { self.first } else { (alignment, 1.0) };
        let (network, sequences) = (&self.network, stories.sequences());
        let mut u = bags(tape.param(&network.words[0]), &stories.questions, network.order);
        let mut weights = Vec::new();
        for k in 1..network.words.len() {
            let keys = network.sentences(tape, stories, k - 1);
            let values = network.sentences(tape, stories, k);
            let scaled = |x: Var<'t>| {
                tape.push([x], x.value(), move |dy, [x_id], gradients| {
                    gradients.update(x_id, |dx| *dx += dy * factor);
                })
            };
            let (o, p) = read(scaled(u), scaled(keys), values, &sequences, alignment);
            u = u + o;
            weights.push(p);
        }
        let last = network.words.last().expect("tables");
        Answered { logits: tape.param(last).tr_mul(u), weights }
    }
}

/// Whether all seeds of a row are less often right than all of another, for each task.
fn less(found: &Numbers, tasks: &[&str], these: &str, those: &str) -> Verdict {
    let verdicts = tasks.iter().map(|task| {
        let [a, b] = [these, those].map(|row| format!("{task} with {row}"));
        found.less((&a, "accuracy"), (&b, "accuracy"))
    });
    Some(all_hold(verdicts.collect::<Option<Vec<_>>>()?))
}

const CLAIMS: &[Expected] = &[
    (
        "a_solved",
        "with three hops, the best of the seeds answers at least 95 % of the questions of one fact and of two",
        |found| {
            let best = |row| Some(found.of(row, "accuracy")?.highest >= 0.95);
            Some(Some(best("one fact with three hops")? && best("two facts with three hops")?))
        },
    ),
    (
        "b_supports",
        "with three hops, both supporting facts of *two facts* have the largest weight in one hop, in more than nine questions of ten (mean of the seeds)",
        |found| {
            let share = |fact| Some(found.of("two facts with three hops", fact)?.mean > 0.9);
            Some(Some(share("fact_1")? && share("fact_2")?))
        },
    ),
    (
        "c_linear",
        "of *two facts*, every seed with a linear start answers more than every seed without",
        |found| less(found, &["two facts"], "softmax from the start", "three hops"),
    ),
    (
        "d_linear",
        "of *yes or no* and *counting*, every seed without a linear start answers more than every seed with it",
        |found| less(found, &["yes or no", "counting"], "three hops", "softmax from the start"),
    ),
    (
        "e_hops",
        "one hop answers less of *two facts*, *three facts* and *time* than three, with every seed",
        |found| less(found, &["two facts", "three facts", "time"], "one hop", "three hops"),
    ),
    (
        "f_attention",
        "self-attention with as many parameters answers less of *two facts* and *three facts*, with every seed",
        |found| less(found, &["two facts", "three facts"], "self-attention", "three hops"),
    ),
    (
        "g_counting",
        "self-attention answers more of *counting* than three hops, with every seed",
        |found| less(found, &["counting"], "three hops", "self-attention"),
    ),
    (
        "h_kin",
        "of kin, two facts, keys and values answer more than bags of words, with every seed",
        |found| less(found, &["kin two facts"], "bags of words", "keys and values"),
    ),
];

/// The wrong answers of every seed as a dot, task by task.
fn dots(found: &Numbers) -> Svg {
    let models = [
        ("three hops", colour::LEARNT),
        ("softmax from the start", colour::PALETTE[2]),
        ("one hop", colour::PALETTE[3]),
        ("self-attention", colour::SELF_ATTENTION),
    ];
    let chart = Chart::new("Ten seeds each", "task", "wrong answers, %").height(310);
    let chart = models.iter().zip(0..).fold(chart, |chart, ((model, colour), m)| {
        let shift = 0.18 * (f64::from(m) - 1.5);
        let points = Task::ALL.iter().enumerate().flat_map(|(t, task)| {
            let of = found.of(&format!("{} with {model}", task.name()), "accuracy");
            let seeds = of.map(|of| of.of_seeds.clone()).unwrap_or_default();
            seeds.into_iter().map(move |right| (t as f64 + shift, 100.0 * (1.0 - right)))
        });
        chart.points(model, &points.collect::<Vec<_>>()).coloured(*colour)
    });
    let names = ["one fact", "two", "three", "yes, no", "count", "names", "time"];
    chart.x_names(&names).x_range(-0.5..6.5).y_range(0.0..70.0).draw()
}
