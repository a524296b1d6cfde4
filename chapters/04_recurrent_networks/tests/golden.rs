//! The layers equal PyTorch's on the same weights: outputs, final states, and the gradients of
//! inputs, weights, biases and start states.

use recurrent_networks::layers::{gru, lstm, rnn};
use recurrent_networks::{Direction, Gates, State, Steps};
use shared::{Matrix, Tape, Var};
use tests::assert_close;
use tests::golden::{self, Golden};

/// Five roundings deep, and sums over a dozen tokens.
const TOLERANCE: f32 = 1e-5;

type Read = for<'t> fn(Gates<'t>, Var<'t>, &Steps, State<'t>, Direction) -> State<'t>;

/// One network of the golden file: `layers` of one or two `directions`.
struct Case<'a> {
    golden: &'a Golden,
    name: &'a str,
    layers: usize,
    directions: usize,
}

impl Case<'_> {
    fn matrix(&self, key: &str) -> Matrix {
        self.golden.matrix(&format!("{}_{key}", self.name))
    }

    /// PyTorch's suffix of a layer's parameters: `l0`, `l0_reverse`, `l1` …
    fn suffix(&self, k: usize) -> String {
        let reverse = if k % self.directions == 1 { "_reverse" } else { "" };
        format!("l{}{reverse}", k / self.directions)
    }

    /// Runs the network with `read` for every layer and compares everything.
    fn check(&self, read: Read, has_cells: bool) {
        let steps = Steps::new(&self.golden.indices("lengths"));
        let sequences = steps.sequences();
        let tape = Tape::new();
        let x = tape.leaf(self.matrix("x"));
        let mut leaves = vec![("dx".to_string(), x)];
        let [mut last_h, mut last_c] = [None, None];
        let mut below = x;
        for layer in 0..self.layers {
            let mut outputs = Vec::new();
            for k in layer * self.directions..(layer + 1) * self.directions {
                let mut leaf = |key: String, value: Matrix| {
                    let leaf = tape.leaf(value);
                    leaves.push((key, leaf));
                    leaf
                };
                // A weight (out, in) loads as in × out, a bias (out) as out × 1.
                let suffix = self.suffix(k);
                let mut parameter = |kind: &str, transposed: bool| {
                    let key = format!("{kind}_{suffix}");
                    let value = self.matrix(&key);
                    leaf(format!("d{key}"), if transposed { value.transpose() } else { value })
                };
                let gates = Gates {
                    w: parameter("weight_ih", true),
                    u: parameter("weight_hh", true),
                    b: parameter("bias_ih", false),
                    c: parameter("bias_hh", false),
                };
                let mut start = |kind: &str| {
                    let all = self.matrix(&format!("start_{kind}"));
                    leaf(format!("dstart_{kind} {k}"), all.columns(k * sequences, sequences).into())
                };
                let h = start("h");
                let start = State { h, c: if has_cells { start("c") } else { h } };
                let backward = k % self.directions == 1;
                let direction = if backward { Direction::Backward } else { Direction::Forward };
                let state = read(gates, below, &steps, start, direction);
                let end: Vec<usize> = match direction {
                    Direction::Forward => steps.last(),
                    Direction::Backward => (0..sequences).map(|i| steps.column(i, 0)).collect(),
                };
                outputs.push(state.h);
                last_h = Some(joined(last_h, state.h.select_columns(&end)));
                last_c = Some(joined(last_c, state.c.select_columns(&end)));
            }
            below = outputs.into_iter().reduce(Var::stack).expect("a direction");
        }
        let mut values = vec![("output", below), ("last_h", last_h.expect("a layer"))];
        if has_cells {
            values.push(("last_c", last_c.expect("a layer")));
        }
        let mut loss = tape.constant(Matrix::zeros(1, 1));
        for (key, value) in values {
            assert_close!(value.value(), self.matrix(key), TOLERANCE, "{} {key}", self.name);
            let weights = tape.constant(self.matrix(&format!("d{key}")));
            loss = loss + value.component_mul(weights).sum();
        }
        let gradients = loss.backward();
        for (key, leaf) in leaves {
            let found = gradients.wrt(leaf);
            let expected = self.gradient(&key, sequences);
            assert_close!(found, expected, TOLERANCE, "{} {key}", self.name);
        }
    }

    /// PyTorch's gradient, as a matrix of the shape we have it in.
    fn gradient(&self, key: &str, sequences: usize) -> Matrix {
        match key.split_once(' ') {
            Some((key, k)) => {
                let k: usize = k.parse().expect("a number");
                self.matrix(key).columns(k * sequences, sequences).into()
            }
            None if key.starts_with("dweight") => self.matrix(key).transpose(),
            None => self.matrix(key),
        }
    }
}

fn joined<'t>(all: Option<Var<'t>>, next: Var<'t>) -> Var<'t> {
    match all {
        Some(all) => all.append(next),
        None => next,
    }
}

fn check(file: &str, read: Read, has_cells: bool) {
    let golden = &golden::load(file);
    for (name, layers, directions) in [("one", 1, 1), ("two", 2, 1), ("both", 1, 2), ("deep", 2, 2)]
    {
        Case { golden, name, layers, directions }.check(read, has_cells);
    }
}

#[test]
fn plain_layers_equal_pytorchs() {
    check(
        "rnn",
        |gates, x, steps, start, direction| {
            let h = rnn(gates, x, steps, Some(start.h), direction);
            State { h, c: h }
        },
        false,
    );
}

#[test]
fn grus_equal_pytorchs() {
    check(
        "gru",
        |gates, x, steps, start, direction| {
            let h = gru(gates, x, steps, Some(start.h), direction);
            State { h, c: h }
        },
        false,
    );
}

#[test]
fn lstms_equal_pytorchs() {
    check(
        "lstm",
        |gates, x, steps, start, direction| lstm(gates, x, steps, Some(start), direction),
        true,
    );
}
