//! Chapter 3: which score can learn a lookup, and what dividing by √d does.

use crate::claims::Verdict;
use crate::comparison::{Comparison, Expected, Numbers, Row};
use scoring_functions::Score;
use scoring_functions::lookup::{Episode, KEY, Setting, normal};
use scoring_functions::program::{Kind, STRANGERS, TESTED, example, learn, scaling, world};
use serde::Serialize;
use serde_json::{Value, json};
use shared::{Float, Matrix, Module, Tape, cross_entropy, product, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::colour;
use workbench::figure::{Chart, Heatmap, Svg};
use workbench::stream;

pub const EVIDENCE: &[Comparison] = &[Comparison {
    name: "lookup",
    about: "Which score can learn a lookup? And what does dividing by √d do?",
    record: "03_scoring_functions/figures/results.json",
    claims: CLAIMS,
    figures: &[("entropy", entropy), ("recall", recall), ("weights", weights)],
    run: |this, arguments| {
        this.compare_and(arguments, "sixteen keys, sixteen values", rows(), judge, once)
    },
}];

const STEPS: usize = 400;

/// A score in a setting; `nearest` knows the map, and takes the nearest key.
#[derive(Clone, Debug, Serialize)]
struct Cell {
    setting: &'static str,
    score: &'static str,
}

/// Vectors of two sizes have no dot product.
fn rows() -> Vec<Row<Cell>> {
    let mut rows = Vec::new();
    for setting in Setting::ALL {
        let kinds = Kind::ALL.into_iter().filter(|kind| {
            setting != Setting::Wider || !matches!(kind, Kind::Dot | Kind::ScaledDot | Kind::Cosine)
        });
        rows.extend(kinds.map(Kind::name).chain(["nearest"]).map(|score| {
            let setting = setting.name();
            Row::new(format!("{setting}_{score}"), Cell { setting, score })
        }));
    }
    rows
}

fn judge(cell: &Cell, seed: u64) -> Result<Vec<(&'static str, f64)>> {
    let setting = Setting::ALL.into_iter().find(|one| one.name() == cell.setting).expect("a row");
    let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.name() == cell.score) else {
        return Ok(vec![("accuracy", nearest_key(setting, seed))]);
    };
    let (mut score, curve) = learn(setting, kind, STEPS, seed).expect("a row");
    let every = STEPS / (curve.len() - 1);
    let steps = curve.iter().position(|right| *right > 0.9).map_or(STEPS + every, |i| every * i);
    let mut numbers = vec![
        ("accuracy", curve[curve.len() - 1].into()),
        ("steps", steps as f64),
        ("parameters", score.parameter_count() as f64),
    ];
    if setting == Setting::Same && matches!(kind, Kind::Dot | Kind::General) {
        numbers.extend(misses(&score, seed));
    }
    Ok(numbers)
}

/// The share of queries for which the nearest key, seen through the true map, is the right one: no
/// score can know more.
fn nearest_key(setting: Setting, seed: u64) -> f64 {
    let world = world(setting, seed);
    let rng = &mut rng(stream(0, 3000 + seed));
    let (mut right, mut asked) = (0, 0);
    for Episode { keys, queries, slots, .. } in (0..TESTED).map(|_| world.episode(rng)) {
        let seen = match setting {
            Setting::Position => world.map.clone(),
            _ => product(&world.map, &keys),
        };
        for (query, slot) in queries.column_iter().zip(&slots) {
            let distance = |i: &usize| (query - seen.column(*i)).norm_squared();
            let nearest = (0..slots.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
            right += usize::from(nearest == Some(*slot));
            asked += 1;
        }
    }
    right as f64 / asked as f64
}

/// Of 1600 fresh questions in one space, how many are answered wrong, and for how many of these the chosen
/// key is longer than the right one.
fn misses(score: &Score, seed: u64) -> [(&'static str, f64); 2] {
    let world = world(Setting::Same, seed);
    let rng = &mut rng(stream(0, 4000 + seed));
    let (mut wrong, mut longer) = (0.0, 0.0);
    for Episode { keys, queries, slots, .. } in (0..TESTED).map(|_| world.episode(rng)) {
        let tape = Tape::no_grad();
        let scores = score.forward(tape.constant(queries), tape.constant(keys.clone())).value();
        for (scores, slot) in scores.column_iter().zip(slots) {
            let chosen = scores.imax();
            wrong += f64::from(u8::from(chosen != slot));
            let is_longer = keys.column(chosen).norm() > keys.column(slot).norm();
            longer += f64::from(u8::from(is_longer));
        }
    }
    [("wrong", wrong), ("longer", longer)]
}

// ---- claims --------------------------------------------------------------------------------------

const FIXED: [&str; 3] = ["dot", "scaled_dot", "cosine"];
const LEARNT: [&str; 3] = ["general", "additive", "concat"];
const CONTENT: [&str; 3] = ["same", "rotated", "wider"];

fn all(found: &Numbers, setting: &str, scores: &[&str], holds: fn(f64) -> bool) -> Verdict {
    let rows = scores.iter().map(|score| format!("{setting}_{score}"));
    let means = rows.map(|row| Some(found.of(&row, "accuracy")?.mean));
    Some(Some(means.collect::<Option<Vec<_>>>()?.into_iter().all(holds)))
}

/// Whether every part says so.
fn each(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
    let verdicts: Option<Vec<Option<bool>>> = verdicts.into_iter().collect();
    Some(crate::claims::all_hold(verdicts?))
}

const WORKS: fn(f64) -> bool = |accuracy| accuracy > 0.9;
/// Whether an accuracy is below twice that of guessing.
const FAILS: fn(f64) -> bool = |accuracy| accuracy < 2.0 / 16.0;

const CLAIMS: &[Expected] = &[
    (
        "a_same_space",
        "in the same space dot, scaled dot, cosine, general, additive and concat work",
        |found| each([FIXED, LEARNT].map(|scores| all(found, "same", &scores, WORKS))),
    ),
    (
        "b_rotated",
        "in a rotated space dot, scaled dot and cosine fail; general, additive and concat work",
        |found| {
            let fixed = all(found, "rotated", &FIXED, FAILS);
            each([fixed, all(found, "rotated", &LEARNT, WORKS)])
        },
    ),
    ("c_wider", "in a space of another dimension general, additive and concat work", |found| {
        all(found, "wider", &LEARNT, WORKS)
    }),
    (
        "d_location",
        "location fails wherever content counts, and works where the position counts",
        |found| {
            let content = CONTENT.map(|setting| all(found, setting, &["location"], FAILS));
            each([each(content), all(found, "position", &["location"], WORKS)])
        },
    ),
    ("e_position", "where the position counts, every score but location fails", |found| {
        let of = |scores: &[&str]| all(found, "position", scores, FAILS);
        each([of(&FIXED), of(&LEARNT), of(&["additive_without_bias"])])
    }),
    ("f_odd", "additive without bias stays below 1/2 wherever content counts", |found| {
        let score = ["additive_without_bias"];
        each(CONTENT.map(|setting| all(found, setting, &score, |right| right < 0.5)))
    }),
    (
        "g_slower",
        "additive needs more steps to 0.9 than general wherever content counts",
        |found| {
            let steps = |row: String| Some(found.of(&row, "steps")?.mean);
            each(CONTENT.map(|setting| {
                let additive = steps(format!("{setting}_additive"))?;
                Some(Some(additive > steps(format!("{setting}_general"))?))
            }))
        },
    ),
];

// ---- what is found once --------------------------------------------------------------------------

fn once() -> Result<BTreeMap<String, Value>> {
    let example = example();
    let example = json!({
        "scores": example.scores, "weights": example.weights, "context": example.context,
    });
    let mut scalings = BTreeMap::new();
    for d in (0..=12).map(|power| 1 << power) {
        let scaling = scaling(d, stream(0, 0));
        let [unscaled, scaled] = [scaling.unscaled, scaling.scaled].map(|of| {
            json!({
                "variance": of.variance,
                "entropy": of.entropy,
                "jacobian_median": of.jacobian_median,
                "query_mean": of.query_mean,
                "query_median": of.query_median,
                "match_weight": of.match_weight,
            })
        });
        scalings.insert(format!("d{d}"), json!({"unscaled": unscaled, "scaled": scaled}));
    }
    let weights = [Kind::ScaledDot, Kind::General].map(|kind| (kind.name(), after_training(kind)));
    let first =
        [("unscaled", 1.0), ("scaled", 1.0 / 32.0)].map(|(name, scale)| (name, first_loss(scale)));
    Ok([
        ("example", example),
        ("scaling", json!(scalings)),
        ("weights", json!(BTreeMap::from(weights))),
        ("first_loss", json!(BTreeMap::from(first))),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into())
}

/// The weights on one episode in the rotated space: the right key of query j is key j.
fn after_training(kind: Kind) -> Vec<f64> {
    let (score, _) = learn(Setting::Rotated, kind, STEPS, 0).expect("both fit the sizes");
    let world = world(Setting::Rotated, 0);
    let Episode { keys, queries, slots, .. } = world.episode(&mut rng(stream(0, 5000)));
    let mut in_order = queries.clone();
    for (query, slot) in queries.column_iter().zip(slots) {
        in_order.set_column(slot, &query);
    }
    let tape = Tape::no_grad();
    let alpha = score.forward(tape.constant(in_order), tape.constant(keys)).softmax().value();
    alpha.iter().map(|alpha| f64::from((alpha * 1e4).round()) / 1e4).collect()
}

/// −ln of the weight of the right key before any training, in nats: queries and keys of the rotated space
/// are projected to 1024 entries of variance 1. A mean over 100 episodes.
fn first_loss(scale: Float) -> f64 {
    let (world, rng) = (world(Setting::Rotated, 0), &mut rng(stream(0, 6000)));
    let mut projection = || normal(1024, KEY, rng) / (KEY as Float).sqrt();
    let [w_q, w_k] = [projection(), projection()];
    let losses = (0..TESTED).map(|_| {
        let Episode { keys, queries, slots, .. } = world.episode(rng);
        let scores = product(&w_k, &keys).tr_mul(&product(&w_q, &queries)) * scale;
        let loss = cross_entropy(Tape::no_grad().constant(scores), &slots).scalar();
        f64::from(loss) / slots.len() as f64
    });
    losses.sum::<f64>() / TESTED as f64
}

// ---- pictures ------------------------------------------------------------------------------------

fn entropy(found: &Numbers) -> Svg {
    let line = |form: &str| {
        let entropies = (0..=12).map(|power| {
            let d = 1 << power;
            let entropy = &found.once["scaling"][format!("d{d}")][form]["entropy"];
            (f64::from(d), entropy.as_f64().unwrap_or_default())
        });
        entropies.collect::<Vec<(f64, f64)>>()
    };
    let most = (STRANGERS as f64).ln();
    Chart::new("Entropy of the weights", "d", "nats")
        .line("q·k", &line("unscaled"))
        .coloured(colour::UNSCALED)
        .line("q·k/√d", &line("scaled"))
        .coloured(colour::SCALED)
        .dashed("uniform weights", &[(1.0, most), (4096.0, most)])
        .coloured(colour::GIVEN)
        .log(true, false)
        .y_range(0.0..4.4)
        .draw()
}

fn recall(found: &Numbers) -> Svg {
    let scores = ["dot", "cosine", "general", "additive", "additive_without_bias", "location"];
    let names =
        ["dot, scaled dot", "cosine", "general", "additive", "additive, no bias", "location"];
    let worlds = ["one space", "rotated", "wider", "position"];
    let share = |i: usize, j: usize| {
        found.of(&format!("{}_{}", Setting::ALL[j].name(), scores[i]), "accuracy")
    };
    let shares = Matrix::from_fn(scores.len(), worlds.len(), |i, j| {
        share(i, j).map_or(0.0, |accuracy| accuracy.mean as Float)
    });
    Heatmap::new("Who answers right, by what the queries are", "", "", &shares)
        .x_names(&worlds)
        .y_names(&names)
        .range(0.0..1.0)
        .hatched("cannot be computed", |i, j| share(i, j).is_none())
        .draw()
}

fn weights(found: &Numbers) -> Svg {
    let picture = |score: &str, title: &str| {
        let weights = found.once["weights"][score].as_array().into_iter().flatten();
        let weights = weights.filter_map(Value::as_f64).map(|weight| weight as Float);
        let alpha = Matrix::from_iterator(16, 16, weights);
        Heatmap::new(title, "query", "key", &alpha).range(0.0..1.0)
    };
    let pictures = [picture("scaled_dot", "Scaled dot"), picture("general", "General, trained")];
    Svg::grid(&pictures.each_ref().map(Heatmap::panel), 2).keyed(&pictures[0].key())
}
