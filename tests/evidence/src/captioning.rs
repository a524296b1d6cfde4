//! Chapter 15: soft and hard attention, the gate, the doubly stochastic term; one learnt query against a mean.

use crate::claims::all_hold;
use crate::comparison::{Comparison, Expected, Row};
use captioning::pooling::Classifier;
use captioning::program::{
    EPOCHS, Pointing, VOCABULARY, captions, exact, fit, forced, options, picture, pointing,
    references, scenes, tests,
};
use captioning::world::{Colour, Pairs, Scene, Shape};
use captioning::{Attention, Captioner, Config, L};
use rand::seq::SliceRandom;
use seq2seq::bleu;
use serde::Serialize;
use shared::{Adam, Float, Optimizer, Rng, Tape, rng};
use workbench::error::Result;
use workbench::stream;
use workbench::training::Options;

pub const EVIDENCE: &[Comparison] = &[
    Comparison {
        name: "compare",
        about: "Soft and hard attention, with and without gate and doubly stochastic term",
        record: "15_captioning/figures/results.json",
        claims: CLAIMS,
        figures: &[],
        run: |this, arguments| {
            let judge = |plan: &Plan, seed| Ok(judged(&mut trained(plan, seed)?));
            this.compare(arguments, "scenes drawn anew for every step", rows(), judge)
        },
    },
    Comparison {
        name: "pool",
        about: "One learnt query against the mean of all places: what colour has the ring?",
        record: "15_captioning/figures/pooling.json",
        claims: POOLING_CLAIMS,
        figures: &[],
        run: |this, arguments| {
            let row = |name, query| Row::new(name, Pooling { query, steps: 600 });
            let rows = vec![row("query", true), row("average", false)];
            this.compare(arguments, "the colour of the ring", rows, judge_pooling)
        },
    },
];

/// Scenes of each test.
const TEST: usize = 500;

/// What is trained, and for how long.
#[derive(Clone, Debug, Serialize)]
struct Plan {
    config: Config,
    /// Epochs of soft attention before the others: a warm start.
    warm: usize,
    epochs: usize,
}

/// The rows, longest training first.
fn rows() -> Vec<Row<Plan>> {
    let plan = |attention, gate, even| {
        let config = Config { attention, gate, even, ..Config::new(VOCABULARY) };
        Plan { config, warm: 0, epochs: EPOCHS }
    };
    let mut bare = plan(Attention::Hard, true, 0.0);
    bare.config.expected = 0.0;
    let mut warm = plan(Attention::Hard, true, 0.0);
    (warm.warm, warm.epochs) = (warm.epochs / 2, warm.epochs / 2);
    [
        ("hard", plan(Attention::Hard, true, 0.0)),
        ("hard_bare", bare),
        ("hard_even", plan(Attention::Hard, true, EVEN)),
        ("hard_warm", warm),
        ("soft", plan(Attention::Soft, true, 0.0)),
        ("soft_even", plan(Attention::Soft, true, EVEN)),
        ("soft_no_gate", plan(Attention::Soft, false, 0.0)),
    ]
    .map(|(name, plan)| Row { epochs: plan.warm + plan.epochs, ..Row::new(name, plan) })
    .into()
}

/// λ where the doubly stochastic term is on: the paper's program has 1 for captions; ours counts a picture's term
/// against the nats of all its words, as there.
const EVEN: shared::Float = 1.0;

/// The claims, by name.
const CLAIMS: &[Expected] = &[
    (
        "a_exact",
        "soft attention: with every seed, 90 % of unseen captions are right word for word",
        |found| found.at_least("soft", "exact", 0.9),
    ),
    (
        "b_four",
        "soft attention: a fourth thing, never seen in training, makes captions wrong more often",
        |found| found.less(("soft", "exact_four"), ("soft", "exact")),
    ),
    (
        "c_new",
        "soft attention: with every seed, 80 % are right where a pair of shape and colour is new",
        |found| found.at_least("soft", "exact_new", 0.8),
    ),
    (
        "d_things",
        "soft attention: with every seed, half of the weight lies on the thing whose shape is named",
        |found| found.at_least("soft", "things", 0.5),
    ),
    (
        "e_next",
        "soft attention: a relation word looks more at the thing named next than a shape word would by chance",
        |found| found.less(("soft", "uniform"), ("soft", "next_thing")),
    ),
    ("f_hard_exact", "hard attention has fewer captions right than soft", |found| {
        found.less(("hard", "exact"), ("soft", "exact"))
    }),
    ("g_hard_points", "hard attention points more at things than soft", |found| {
        found.less(("soft", "things"), ("hard", "things"))
    }),
    (
        "h_even",
        "the doubly stochastic term takes weight from the things that are named, soft or hard",
        |found| {
            let of = |row, even| found.less((even, "things"), (row, "things"));
            Some(all_hold([of("soft", "soft_even")?, of("hard", "hard_even")?]))
        },
    ),
    ("i_gate", "without the gate fewer captions are right", |found| {
        found.less(("soft_no_gate", "exact"), ("soft", "exact"))
    }),
    (
        "j_warm",
        "hard attention after as many steps of soft has more captions right than hard in all steps",
        |found| found.less(("hard", "exact"), ("hard_warm", "exact")),
    ),
    (
        "k_warm_read",
        "… and more than soft attention of which only the likeliest place is read",
        |found| found.less(("soft", "exact_one_place"), ("hard_warm", "exact")),
    ),
    ("l_warm_soft", "… and fewer than soft attention", |found| {
        found.less(("hard_warm", "exact"), ("soft", "exact"))
    }),
];

/// All of a plan, a warm start first: with scenes of its own, and a rate that rises and falls.
fn trained(plan: &Plan, seed: u64) -> Result<Captioner> {
    let mut model = Captioner::new(&plan.config, &mut rng(stream(seed, 0)));
    if plan.warm > 0 {
        let soft = Config { attention: Attention::Soft, ..plan.config.clone() };
        model.attention = soft.attention;
        fit(&mut model, &soft, &Options { seed: stream(seed, 4), ..options(plan.warm) }, 0)?;
        model.attention = plan.config.attention;
    }
    fit(&mut model, &plan.config, &Options { seed, ..options(plan.epochs) }, 0)?;
    Ok(model)
}

/// The numbers of unseen scenes, with known pairs of shape and colour, with new ones, and with four things.
fn judged(model: &mut Captioner) -> [(&'static str, f64); 14] {
    let [known, new, four] = tests(TEST);
    let first = |all: &[Vec<Vec<String>>]| all.iter().map(|all| all[0].clone()).collect::<Vec<_>>();
    let (said, all) = (captions(model, &known), references(&known));
    let among = said.iter().zip(&all).filter(|(said, all)| all.contains(said)).count();
    let Pointing { things, colours, sizes, relations, next_thing, uniform } =
        pointing(&known, &forced(model, &known));
    let trained = std::mem::replace(&mut model.attention, Attention::Hard);
    let exact_one_place = exact(model, &known); // the one annotation of the largest weight
    model.attention = trained;
    [
        ("exact", bleu::exact_match(&said, &first(&all))),
        ("exact_any", among as f64 / said.len() as f64),
        ("exact_one_place", exact_one_place),
        ("bleu", bleu::corpus_bleu(&said, &first(&all))),
        ("bleu_any", bleu::corpus_bleu_many(&said, &all)),
        ("exact_new", exact(model, &new)),
        ("exact_four", exact(model, &four)),
        ("bleu_four", bleu::corpus_bleu(&captions(model, &four), &first(&references(&four)))),
        ("things", things),
        ("colours", colours),
        ("sizes", sizes),
        ("relations", relations),
        ("next_thing", next_thing),
        ("uniform", uniform),
    ]
}

const POOLING_CLAIMS: &[Expected] = &[
    (
        "a_four",
        "with four things, one query is right more often than the mean of all places",
        |found| found.less(("average", "four"), ("query", "four")),
    ),
    ("b_looks", "the query has half of its weight on the ring, with every seed", |found| {
        found.at_least("query", "on_ring", 0.5)
    }),
];

#[derive(Clone, Debug, Serialize)]
struct Pooling {
    query: bool,
    steps: usize,
}

const CHANNELS: [usize; 3] = [16, 32, 64];
const BATCH: usize = 32;
const RATE: Float = 0.003;

/// Scenes with one ring; its colour is the class.
fn asked(count: usize, things: usize, rng: &mut Rng) -> (Vec<Vec<usize>>, Vec<usize>, Vec<Scene>) {
    let mut found = Vec::new();
    while found.len() < count {
        for scene in scenes(count, things..=things, Pairs::Known, rng) {
            let mut rings = scene.things.iter().filter(|thing| thing.shape == Shape::Ring);
            if let (Some(ring), None) = (rings.next(), rings.next()) {
                found.push((ring.colour, scene));
            }
        }
    }
    found.truncate(count);
    found.shuffle(rng);
    let (colours, scenes): (Vec<Colour>, Vec<Scene>) = found.into_iter().unzip();
    let classes = colours.into_iter().map(|colour| colour as usize).collect();
    (scenes.iter().map(picture).collect(), classes, scenes)
}

fn slices(pictures: &[Vec<usize>]) -> Vec<&[usize]> {
    pictures.iter().map(Vec::as_slice).collect()
}

/// Accuracy on scenes of so many things, and the share of the weight on the ring.
fn judged_classes(model: &Classifier, things: usize) -> [f64; 2] {
    let (pictures, classes, scenes) = asked(500, things, &mut rng(stream(0, 20 + things as u64)));
    let tape = Tape::no_grad();
    let (logits, weights) = model.forward(&tape, &slices(&pictures));
    let (logits, weights) = (logits.value(), weights.value());
    let right = logits
        .column_iter()
        .zip(&classes)
        .filter(|(column, class)| column.imax() == **class)
        .count();
    let mut share = 0.0;
    for (scene, weights) in scenes.iter().zip(weights.as_slice().chunks_exact(L)) {
        let ring = scene.things.iter().position(|thing| thing.shape == Shape::Ring);
        let own =
            scene.things_at_places().into_iter().zip(weights).filter(|(thing, _)| *thing == ring);
        share += own.map(|(_, weight)| f64::from(*weight)).sum::<f64>();
    }
    [right as f64, share].map(|sum| sum / classes.len() as f64)
}

fn judge_pooling(config: &Pooling, seed: u64) -> Result<[(&'static str, f64); 4]> {
    let rng = &mut rng(stream(seed, 1));
    let mut model = Classifier::new(CHANNELS, config.query, Colour::ALL.len(), rng);
    let mut adam = Adam::new(RATE);
    for step in 0..config.steps {
        adam.set_learning_rate(RATE * (1.0 - step as Float / config.steps as Float));
        let things = [2, 3][step % 2];
        let (pictures, classes, _) = asked(BATCH, things, rng);
        let tape = Tape::new();
        let loss = model.loss(&tape, &slices(&pictures), &classes) * (1.0 / BATCH as Float);
        adam.step(&mut model, &loss.backward().into());
    }
    let ([two, _], [three, on_ring], [four, _]) =
        (judged_classes(&model, 2), judged_classes(&model, 3), judged_classes(&model, 4));
    Ok([("two", two), ("three", three), ("four", four), ("on_ring", on_ring)])
}
