//! Chapter 9: what untrained layers do – a token's own weight, wrong masks, positions – and, in [`pronoun`],
//! what *it* looks at.

mod pronoun;

use crate::comparison::{Comparison, Numbers, short};
use pronoun::PRONOUN;
use rand::RngExt;
use scoring_functions::{attention, masked_attention, scaled_dot, weights};
use self_attention::SelfAttention;
use self_attention::positions::{frequency, sinusoids};
use serde_json::{Value, json};
use shared::{Embedding, Float, Linear, Matrix, Operand, Rng, Tape, Var, product, rng};
use std::collections::BTreeMap;
use workbench::figure::{Chart, Heatmap, Svg, colour};
use workbench::statistics::mean;
use workbench::stream;

pub const EVIDENCE: &[Comparison] = &[
    PRONOUN,
    Comparison {
        name: "untrained",
        about: "What untrained layers do: own weights, wrong masks, positions",
        record: "09_self_attention/figures/untrained.json",
        claims: &[(
            "a_own",
            "with random matrices for queries and keys, the own weight is the largest in fewer than one in eight of 16 tokens of width 64",
            |found| Some(Some(found.once["two_matrices"]["largest"].as_f64()? < 1.0 / 8.0)),
        )],
        figures: &[
            ("curves", curves),
            ("sinusoids", table),
            ("dots", dots),
            ("projected", projected),
        ],
        run: |this, arguments| this.record_once(arguments, "untrained layers", untrained),
    },
];

/// Entries of a token.
const WIDTH: usize = 64;

pub fn untrained() -> BTreeMap<String, Value> {
    let [plain, two_matrices] = own_weight();
    let found = [
        ("plain", plain),
        ("two_matrices", two_matrices),
        ("padding", padding()),
        ("positions", positions()),
    ];
    found.map(|(name, value)| (name.to_owned(), value)).into()
}

/// Independent standard normal entries.
fn normal(rows: usize, columns: usize, rng: &mut Rng) -> Matrix {
    Embedding::new(columns, rows, rng).weight.value().clone()
}

/// Of 16 tokens in each of 200 sequences: the weight on the own position, and the share of tokens in which it is the
/// largest; without matrices, and with a random one for queries and one for keys.
fn own_weight() -> [Value; 2] {
    let rng = &mut rng(stream(0, 100));
    let (mut own, mut largest) = ([0.0; 2], [0.0; 2]);
    for _ in 0..200 {
        let x = normal(WIDTH, 16, rng);
        let [q, k] =
            [(); 2].map(|()| product(Linear::without_bias(WIDTH, WIDTH, rng).weight.value(), &x));
        for (way, alpha) in [weights(&x, &x), weights(&q, &k)].iter().enumerate() {
            own[way] += alpha.trace() / 3200.0;
            let own_largest = (0..16).filter(|i| alpha.column(*i).imax() == *i);
            largest[way] += own_largest.count() as Float / 3200.0;
        }
    }
    [0, 1].map(|way| json!({ "weight": short(own[way]), "largest": short(largest[way]) }))
}

/// 64 sentences of 3 to 30 tokens, padded to 30: how far a head's result is from what each sentence gives alone,
/// ‖difference‖/‖result‖, by what was done against the padding.
fn padding() -> Value {
    let rng = &mut rng(stream(0, 300));
    let head = SelfAttention::new(WIDTH, WIDTH, rng);
    let filler = normal(WIDTH, 1, rng); // the vector of the padding word
    let sentences: Vec<Matrix> = (0..64)
        .map(|_| {
            let length = rng.random_range(3..=30);
            normal(WIDTH, length, rng)
        })
        .collect();
    let ways = ["none", "times_zero", "after", "one_more", "right"].map(|way| {
        let changes = sentences.iter().map(|x| {
            let tape = Tape::no_grad();
            let alone = head.forward(tape.constant(x.clone())).value();
            let n = x.ncols();
            let filled =
                Matrix::from_fn(WIDTH, 30, |i, j| if j < n { x[(i, j)] } else { filler[i] });
            let filled = padded(way, &head, tape.constant(filled), n).value();
            (filled.columns(0, n) - &*alone).norm() / alone.norm()
        });
        (way, short(mean(&changes.collect::<Vec<_>>())))
    });
    json!(BTreeMap::from(ways))
}

/// A head over a padded sentence of `length` true tokens.
fn padded<'t>(way: &str, head: &SelfAttention, x: Var<'t>, length: usize) -> Var<'t> {
    let [q, k, v] = [&head.w_q, &head.w_k, &head.w_v].map(|w| w.forward(x));
    let n = x.shape().1;
    let mask = x.tape().constant(Matrix::from_fn(n, n, |i, _| if i < length { 1.0 } else { 0.0 }));
    match way {
        "none" => attention(q, k, v),
        "times_zero" => v * scaled_dot(q, k).component_mul(mask).softmax(),
        "after" => v * scaled_dot(q, k).softmax().component_mul(mask),
        "one_more" => masked_attention(q, k, v, &vec![(length + 1).min(n); n]),
        _ => masked_attention(q, k, v, &vec![length; n]),
    }
}

/// Positions whose scores with those around are drawn, and the distances.
const FROM: [usize; 3] = [40, 80, 160];
const DISTANCES: std::ops::RangeInclusive<isize> = -40..=40;

/// For each of [`FROM`], `p_i·p_{i+k}`; and `(W_q p_i)·(W_k p_{i+k})/√d` with random matrices.
fn positions() -> Value {
    let rng = &mut rng(stream(0, 400));
    let p = sinusoids(WIDTH, 0, 201);
    let head = SelfAttention::new(WIDTH, WIDTH, rng);
    let (q, k) = (product(head.w_q.weight.value(), &p), product(head.w_k.weight.value(), &p));
    let projected = product(&q.t(), &k) / Float::sqrt(WIDTH as Float);
    let around = |scores: &Matrix| -> [Vec<f64>; 3] {
        FROM.map(|i| DISTANCES.map(|k| short(scores[(i, i.wrapping_add_signed(k))])).collect())
    };
    json!({ "dots": around(&product(&p.t(), &p)), "projected": around(&projected) })
}

/// Lines of scores against the distance.
fn by_distance<const N: usize>(mut chart: Chart, scores: &Value, names: [String; N]) -> Svg {
    for (name, scores) in names.iter().zip(scores.as_array().into_iter().flatten()) {
        let scores = scores.as_array().into_iter().flatten().filter_map(Value::as_f64);
        let points: Vec<_> = DISTANCES.map(|k| k as f64).zip(scores).collect();
        chart = chart.line(name, &points);
    }
    chart.draw()
}

fn dots(numbers: &Numbers) -> Svg {
    let chart = Chart::new("As they are", "distance k", "pᵢ·pᵢ₊ₖ");
    by_distance(chart, &numbers.once["positions"]["dots"], ["all three i".to_owned()])
}

fn projected(numbers: &Numbers) -> Svg {
    let y = "score of positions i and i + k";
    let chart = Chart::new("With random matrices", "distance k", y);
    by_distance(chart, &numbers.once["positions"]["projected"], FROM.map(|i| format!("i = {i}")))
}

/// Rows of sines between the positions too, with dots at the positions.
fn curves(_: &Numbers) -> Svg {
    let p = sinusoids(WIDTH, 0, 100);
    let strips = [0, 8, 16, 32].map(|row| {
        let frequency = frequency(WIDTH, row / 2);
        let fine = (0..=990).map(|i| f64::from(i) / 10.0);
        let line: Vec<(f64, f64)> = fine.map(|i| (i, (i * frequency).sin())).collect();
        let dots: Vec<(f64, f64)> = (0..100).map(|i| (i as f64, f64::from(p[(row, i)]))).collect();
        let (label, height) = if row == 32 { ("position i", 200) } else { ("", 180) };
        Chart::new(&format!("row {row}"), label, "")
            .line("", &line)
            .coloured(colour::ASIDE)
            .points("", &dots)
            .y_range(-1.1..1.1)
            .height(height)
            .draw()
    });
    Svg::grid(&strips, 1)
}

/// Sines above cosines, the fastest of each on top.
fn table(_: &Numbers) -> Svg {
    let (p, half) = (sinusoids(WIDTH, 0, 100), WIDTH / 2);
    let row = |i: usize| if i < half { 2 * i } else { 2 * (i - half) + 1 };
    let sorted = Matrix::from_fn(WIDTH, 100, |i, j| p[(row(i), j)]);
    let names = (0..WIDTH).map(|i| match (i % half, i < half) {
        (8, true) => "sines".to_owned(),
        (8, false) => "cosines".to_owned(),
        (0 | 16 | 24, _) => row(i).to_string(),
        _ => String::new(),
    });
    Heatmap::new("", "position i", "row", &sorted)
        .range(-1.0..1.0)
        .y_names(&names.collect::<Vec<_>>())
        .draw()
}
