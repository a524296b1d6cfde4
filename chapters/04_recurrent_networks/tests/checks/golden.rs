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
    /// Whether the state is `h` and `c`.
    has_cells: bool,
}

impl Case<'_> {
    fn matrix(&self, key: &str) -> Matrix {
        self.golden.matrix(&format!("{}_{key}", self.name))
    }

    /// The state of reader `k` out of PyTorch's states of all, one after the other.
    fn state(&self, key: &str, k: usize) -> Matrix {
        let sequences = self.golden.indices("lengths").len();
        self.matrix(key).columns(k * sequences, sequences).into()
    }

    /// PyTorch's name of a parameter of reader `k`: `weight_ih_l0`, `weight_ih_l0_reverse` …
    fn parameter(&self, kind: &str, k: usize) -> String {
        let reverse = if k % self.directions == 1 { "_reverse" } else { "" };
        format!("{kind}_l{}{reverse}", k / self.directions)
    }

    /// Runs the network, with `read` for every layer and direction, and compares everything.
    fn check(&self, read: Read) {
        let tape = Tape::new();
        let steps = Steps::new(&self.golden.indices("lengths"));
        let mut network = Network { case: self, tape: &tape, steps, leaves: Vec::new() };
        let outputs = network.run(read);
        let mut loss = tape.constant(Matrix::zeros(1, 1));
        for (key, value) in outputs {
            assert_close!(value.value(), self.matrix(key), TOLERANCE, "{} {key}", self.name);
            let weights = tape.constant(self.matrix(&format!("d{key}")));
            loss = loss + value.component_mul(weights).sum();
        }
        let leaves = network.leaves;
        let gradients = loss.backward();
        for (key, leaf, expected) in leaves {
            assert_close!(gradients.wrt(leaf), expected, TOLERANCE, "{} {key}", self.name);
        }
    }
}

/// A network on a tape.
struct Network<'a, 't> {
    case: &'a Case<'a>,
    tape: &'t Tape,
    steps: Steps,
    /// Everything that has a gradient, with PyTorch's.
    leaves: Vec<(String, Var<'t>, Matrix)>,
}

impl<'t> Network<'_, 't> {
    fn leaf(&mut self, key: &str, of: impl Fn(&str) -> Matrix) -> Var<'t> {
        let leaf = self.tape.leaf(of(key));
        self.leaves.push((key.into(), leaf, of(&format!("d{key}"))));
        leaf
    }

    /// A weight (out, in) loads as in × out, a bias (out) as out × 1.
    fn gates(&mut self, k: usize) -> Gates<'t> {
        let case = self.case;
        let mut weight =
            |kind| self.leaf(&case.parameter(kind, k), |key| case.matrix(key).transpose());
        let (w, u) = (weight("weight_ih"), weight("weight_hh"));
        let mut bias = |kind| self.leaf(&case.parameter(kind, k), |key| case.matrix(key));
        Gates { w, u, b: bias("bias_ih"), c: bias("bias_hh") }
    }

    fn start(&mut self, k: usize) -> State<'t> {
        let case = self.case;
        let h = self.leaf("start_h", |key| case.state(key, k));
        let c = if case.has_cells { self.leaf("start_c", |key| case.state(key, k)) } else { h };
        State { h, c }
    }

    /// The states of reader `k` after every token, and its last one.
    fn reader(&mut self, k: usize, below: Var<'t>, read: Read) -> (Var<'t>, State<'t>) {
        let (gates, start) = (self.gates(k), self.start(k));
        let steps = &self.steps;
        let first: Vec<usize> = steps.columns(0).collect();
        let (direction, end) = match k % self.case.directions {
            0 => (Direction::Forward, steps.last()),
            _ => (Direction::Backward, first),
        };
        let state = read(gates, below, steps, start, direction);
        let [h, c] = [state.h, state.c].map(|x| x.select_columns(&end));
        (state.h, State { h, c })
    }

    /// What PyTorch returns, by its name in the golden file.
    fn run(&mut self, read: Read) -> Vec<(&'static str, Var<'t>)> {
        let case = self.case;
        let mut output = self.leaf("x", |key| case.matrix(key));
        let mut last: Vec<State> = Vec::new();
        for layer in 0..case.layers {
            let readers = layer * case.directions..(layer + 1) * case.directions;
            let (states, ends): (Vec<Var>, Vec<State>) =
                readers.map(|k| self.reader(k, output, read)).unzip();
            output = states.into_iter().reduce(Var::stack).expect("a direction");
            last.extend(ends);
        }
        let joined = |of: fn(&State<'t>) -> Var<'t>| {
            last.iter().map(of).reduce(Var::append).expect("a layer")
        };
        let mut outputs = vec![("output", output), ("last_h", joined(|s| s.h))];
        if case.has_cells {
            outputs.push(("last_c", joined(|s| s.c)));
        }
        outputs
    }
}

fn check(file: &str, read: Read, has_cells: bool) {
    let golden = &golden::load(file);
    let cases = [("one", 1, 1), ("two", 2, 1), ("both", 1, 2), ("deep", 2, 2)];
    for (name, layers, directions) in cases {
        Case { golden, name, layers, directions, has_cells }.check(read);
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
