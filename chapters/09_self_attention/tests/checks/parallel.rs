//! What waits for what: both layers computed number by number, each number with the time at which it is known.

use nalgebra::DMatrix;
use recurrent_networks::{Gru, Recurrent};
use self_attention::MultiHead;
use self_attention::program::depth;
use self_attention::program::parallel::{HEADS, LENGTHS, Layer, Parallel, WIDTH};
use self_attention::program::statistics::normal;
use shared::{Float, Linear, Matrix, Param, Tape, rng};
use std::ops::{Add, Div, Mul, Sub};
use tests::assert_close;
use workbench::study::Findings;

/// A number, and how many operations one after another it took.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    value: Float,
    after: usize,
}

type Grid = DMatrix<Known>;

macro_rules! operation {
    ($trait:ident, $name:ident, $sign:tt) => {
        impl $trait for Known {
            type Output = Known;

            fn $name(self, other: Known) -> Known {
                let after = 1 + self.after.max(other.after);
                Known { value: self.value $sign other.value, after }
            }
        }
    };
}
operation!(Add, add, +);
operation!(Sub, sub, -);
operation!(Mul, mul, *);
operation!(Div, div, /);

fn given(value: Float) -> Known {
    Known { value, after: 0 }
}

fn apply(f: fn(Float) -> Float, x: Known) -> Known {
    Known { value: f(x.value), after: x.after + 1 }
}

fn grid(x: &Matrix) -> Grid {
    Grid::from_fn(x.nrows(), x.ncols(), |i, j| given(x[(i, j)]))
}

fn values(x: &Grid) -> Matrix {
    Matrix::from_fn(x.nrows(), x.ncols(), |i, j| x[(i, j)].value)
}

/// In pairs, by halves of which the first is not the smaller.
fn fold(terms: &[Known], of_two: fn(Known, Known) -> Known) -> Known {
    match terms {
        [] => given(0.0),
        [term] => *term,
        _ => {
            let (first, second) = terms.split_at(terms.len().div_ceil(2));
            of_two(fold(first, of_two), fold(second, of_two))
        }
    }
}

fn total(terms: impl IntoIterator<Item = Known>) -> Known {
    fold(&terms.into_iter().collect::<Vec<_>>(), |a, b| a + b)
}

fn larger(a: Known, b: Known) -> Known {
    Known { value: a.value.max(b.value), after: 1 + a.after.max(b.after) }
}

fn product(a: &Grid, b: &Grid) -> Grid {
    Grid::from_fn(a.nrows(), b.ncols(), |i, j| total((0..a.ncols()).map(|k| a[(i, k)] * b[(k, j)])))
}

fn sums(x: &Grid) -> Grid {
    Grid::from_fn(x.nrows(), 1, |i, _| total((0..x.ncols()).map(|j| x[(i, j)])))
}

fn plus_column(x: &Grid, b: &Grid) -> Grid {
    Grid::from_fn(x.nrows(), x.ncols(), |i, j| x[(i, j)] + b[i])
}

fn last<'a>(all: impl IntoIterator<Item = &'a Grid>) -> usize {
    all.into_iter().flat_map(|x| x.iter()).map(|number| number.after).max().expect("numbers")
}

fn of(param: &Param) -> Grid {
    grid(param.value())
}

/// What a layer gives, and its gradients: of the tokens, of one matrix; and when all gradients are known.
struct Accuracies {
    y: Matrix,
    dx: Matrix,
    dw: Matrix,
    after: usize,
}

fn gru(layer: &Gru, x: &Matrix) -> Accuracies {
    let (x, one, (d, n)) = (grid(x), given(1.0), x.shape());
    let weights = layer.weights();
    let [w, u, b, c] =
        [&weights.weight_x, &weights.weight_h, &weights.bias_x, &weights.bias_h].map(of);
    let a = product(&w, &x);
    let mut states = vec![Grid::from_element(d, 1, given(0.0))];
    let (mut gates, mut q) = (Vec::new(), Grid::from_element(3 * d, 1, given(0.0)));
    for t in 0..n {
        if t > 0 {
            q = product(&u, &states[t]);
        }
        let of_unit = |i: usize| {
            let gate =
                |k: usize| (a[(i + k * d, t)] + (b[i + k * d] + c[i + k * d])) + q[i + k * d];
            let sigmoid = |x: Float| 1.0 / (1.0 + (-x).exp());
            let (r, z) = (apply(sigmoid, gate(0)), apply(sigmoid, gate(1)));
            let m = q[i + 2 * d] + c[i + 2 * d];
            let n = apply(Float::tanh, (a[(i + 2 * d, t)] + b[i + 2 * d]) + r * m);
            [r, z, n, m, states[t][i] - n]
        };
        let units: Vec<_> = (0..d).map(of_unit).collect();
        states.push(Grid::from_fn(d, 1, |i, _| {
            let [_, z, n, _, back] = units[i];
            n + z * back
        }));
        gates.push(units);
    }
    let y = Grid::from_fn(d, n, |i, t| states[t + 1][i]);
    // The loss is ½‖Y‖²: dY = Y.
    let mut dh = y.column(n - 1).into_owned().resize(d, 1, given(0.0));
    let (mut da, mut dq) = (Grid::from_element(3 * d, n, given(0.0)), Vec::new());
    for t in (0..n).rev() {
        let mut direct = Vec::new();
        let mut dq_t = Grid::from_element(3 * d, 1, given(0.0));
        for i in 0..d {
            let ([r, z, n, m, back], dh) = (gates[t][i], dh[i]);
            let da_n = (dh * (one - z)) * (one - n * n);
            let da_r = (da_n * m) * (r * (one - r));
            let da_z = (dh * back) * (z * (one - z));
            for (k, da_k, dq_k) in [(0, da_r, da_r), (1, da_z, da_z), (2, da_n, da_n * r)] {
                (da[(i + k * d, t)], dq_t[i + k * d]) = (da_k, dq_k);
            }
            direct.push(dh * z);
        }
        if t > 0 {
            let through = product(&u.transpose(), &dq_t);
            dh = Grid::from_fn(d, 1, |i, _| (direct[i] + y[(i, t - 1)]) + through[i]);
        }
        dq.insert(0, dq_t);
    }
    let dq = Grid::from_fn(3 * d, n, |i, t| dq[t][i]);
    let before = Grid::from_fn(d, n - 1, |i, t| states[t + 1][i]);
    let dx = product(&w.transpose(), &da);
    let dw = product(&da, &x.transpose());
    let mut all = vec![dx.clone(), dw.clone(), sums(&da), sums(&dq)];
    if n > 1 {
        all.push(product(&dq.columns(1, n - 1).into_owned(), &before.transpose()));
    }
    Accuracies { y: values(&y), dx: values(&dx), dw: values(&dw), after: last(&all) }
}

fn bias(layer: &Linear) -> Grid {
    of(layer.bias.as_ref().expect("a bias"))
}

fn attention(layer: &MultiHead, x: &Matrix) -> Accuracies {
    let (x, (d, n), heads) = (grid(x), x.shape(), layer.heads);
    let rows = d / heads;
    let scale = given(1.0 / (rows as Float).sqrt());
    let [w_q, w_k, w_v, w_o] =
        [&layer.w_q, &layer.w_k, &layer.w_v, &layer.w_o].map(|w| of(&w.weight));
    let q = plus_column(&product(&w_q, &x), &bias(&layer.w_q));
    let k = product(&w_k, &x);
    let v = plus_column(&product(&w_v, &x), &bias(&layer.w_v));
    let block = |x: &Grid, head: usize| x.rows(head * rows, rows).into_owned();
    let soft = |s: &Grid| -> Grid {
        let columns: Vec<_> = s
            .column_iter()
            .map(|column| {
                let s: Vec<Known> = column.iter().map(|s| *s * scale).collect();
                let most = fold(&s, larger);
                let e: Vec<Known> = s.iter().map(|s| apply(Float::exp, *s - most)).collect();
                let sum = total(e.iter().copied());
                e.iter().map(|e| *e / sum).collect::<Vec<_>>()
            })
            .collect();
        Grid::from_fn(n, n, |i, j| columns[j][i])
    };
    let alphas: Vec<Grid> = (0..heads)
        .map(|head| soft(&product(&block(&k, head).transpose(), &block(&q, head))))
        .collect();
    let contexts: Vec<Grid> =
        alphas.iter().enumerate().map(|(head, alpha)| product(&block(&v, head), alpha)).collect();
    let concatenated =
        |of_heads: &[Grid]| Grid::from_fn(d, n, |i, j| of_heads[i / rows][(i % rows, j)]);
    let h = concatenated(&contexts);
    let y = plus_column(&product(&w_o, &h), &bias(&layer.w_o));

    let d_o = product(&w_o.transpose(), &y); // dY = Y
    let [mut d_q, mut d_k, mut d_v] = [(); 3].map(|()| Vec::new());
    for (head, alpha) in alphas.iter().enumerate() {
        let d_o = block(&d_o, head);
        let d_alpha = product(&block(&v, head).transpose(), &d_o);
        let delta: Vec<Known> =
            (0..n).map(|j| total((0..n).map(|i| alpha[(i, j)] * d_alpha[(i, j)]))).collect();
        let d_s = Grid::from_fn(n, n, |i, j| alpha[(i, j)] * (d_alpha[(i, j)] - delta[j]));
        d_q.push(product(&block(&k, head), &d_s).map(|d| d * scale));
        d_k.push(product(&block(&q, head), &d_s.transpose()).map(|d| d * scale));
        d_v.push(product(&d_o, &alpha.transpose()));
    }
    let [d_q, d_k, d_v] = [d_q, d_k, d_v].map(|d| concatenated(&d));
    let [of_q, of_k, of_v] =
        [(&w_q, &d_q), (&w_k, &d_k), (&w_v, &d_v)].map(|(w, d)| product(&w.transpose(), d));
    let dx = Grid::from_fn(d, n, |i, j| (of_q[(i, j)] + of_k[(i, j)]) + of_v[(i, j)]);
    let dw = product(&d_q, &x.transpose());
    let others = [product(&d_k, &x.transpose()), product(&d_v, &x.transpose())];
    let of_output = [product(&y, &h.transpose()), sums(&y), sums(&d_q), sums(&d_v)];
    let after = last([&dx, &dw].into_iter().chain(&others).chain(&of_output));
    Accuracies { y: values(&y), dx: values(&dx), dw: values(&dw), after }
}

/// The layer's own numbers, by its tape.
fn agrees(found: &Accuracies, layer: &Layer, x: &Matrix) {
    let (tape, n) = (Tape::new(), x.ncols());
    let x = tape.leaf(x.clone());
    let loss = layer.loss(x, n);
    assert_close!(loss.scalar(), 0.5 * found.y.norm_squared(), 1e-5);
    let gradients = loss.backward();
    assert_close!(gradients.wrt(x), found.dx, 1e-5);
    let matrix = match layer {
        Layer::Gru(layer) => &layer.weights().weight_x,
        Layer::Attention(layer) => &layer.w_q.weight,
    };
    assert_close!(*gradients.of(matrix).expect("a gradient"), found.dw, 1e-5);
}

/// The formulas count what a computation number by number takes, which gives the layers' own gradients.
#[test]
fn what_waits_is_counted_right() {
    for n in [1, 2, 3, 5, 8, 13] {
        for (d, heads) in [(4, 1), (4, 2), (8, 4), (6, 3)] {
            let rng = &mut rng((10 * n + d) as u64);
            let x = normal(d, n, rng);
            let layer = Gru::new(d, d, rng);
            let found = gru(&layer, &x);
            assert_eq!(found.after, depth::gru(n, d), "{n} tokens of {d}");
            agrees(&found, &Layer::Gru(layer), &x);
            let layer = MultiHead::new(d, heads, rng);
            let found = attention(&layer, &x);
            assert_eq!(
                found.after,
                depth::attention(n, d, heads),
                "{n} tokens of {d}, {heads} heads"
            );
            agrees(&found, &Layer::Attention(layer), &x);
        }
    }
}

/// What is committed, except for the times, follows from the formulas.
#[test]
fn the_recorded_counts_are_those_of_the_formulas() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let text = std::fs::read_to_string(format!("{folder}/figures/parallel.json")).unwrap();
    let found: Parallel = serde_json::from_str(&text).unwrap();
    let d = WIDTH as u64;
    for (points, kind) in [(&found.gru, "gru"), (&found.attention, "attention")] {
        assert_eq!(points.iter().map(|point| point.n).collect::<Vec<_>>(), LENGTHS);
        for point in points {
            let n = point.n as u64;
            let (work, dependent) = match kind {
                "gru" => (36 * n * d * d - 18 * d * d, depth::gru(point.n, WIDTH)),
                _ => (24 * n * d * d + 12 * n * n * d, depth::attention(point.n, WIDTH, HEADS)),
            };
            assert_eq!((point.work, point.dependent), (work, dependent), "{kind}, {n}");
            assert_eq!(point.bound["p1000"], work.div_ceil(1000) + dependent as u64);
        }
    }
    tests::chapter::figures(folder, found.figures());
}
