//! The fused layers are their cells, unrolled: values and gradients, in both directions, ragged.

use recurrent_networks::cells::{self, Truncate, unroll};
use recurrent_networks::{
    Bidirectional, Direction, Gates, Gru, Inputs, Lstm, Recurrent, Rnn, Stack, State, Steps, layers,
};
use shared::{Float, Matrix, Module, Tape, Var, rng};
use tests::assert_close;

const HIDDEN: usize = 19; // no multiple of a vector's width
const INPUTS: usize = 6;
/// What thirty roundings of numbers near 1 may add up to.
const TOLERANCE: Float = 2e-5;

/// Uneven numbers in −1.5 … 1.5.
fn uneven(rows: usize, columns: usize, phase: Float) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| 1.5 * (1.3 * i as Float + 2.1 * j as Float + phase).sin())
}

/// The batches that are tried: ragged, all of one length, one sequence, single tokens.
fn batches() -> Vec<Steps> {
    [&[5, 4, 4, 1][..], &[3, 3, 3], &[7], &[1, 1]].into_iter().map(Steps::new).collect()
}

/// The values of `f`, then the gradients of weights, inputs and both start states.
fn outcome(
    gates: usize,
    steps: &Steps,
    f: impl for<'t> Fn(Gates<'t>, Var<'t>, State<'t>) -> Vec<Var<'t>>,
) -> Vec<Matrix> {
    let (tape, rows, sequences) = (Tape::new(), gates * HIDDEN, steps.sequences());
    let leaves = [
        uneven(rows, INPUTS, 0.0) * 0.5,
        uneven(rows, HIDDEN, 1.0) * 0.3,
        uneven(rows, 1, 2.0),
        uneven(rows, 1, 3.0),
        uneven(INPUTS, steps.tokens(), 4.0),
        uneven(HIDDEN, sequences, 5.0),
        uneven(HIDDEN, sequences, 6.0),
    ]
    .map(|x| tape.leaf(x));
    let [w, u, b, c, x, start_h, start_c] = leaves;
    let values = f(Gates { w, u, b, c }, x, State { h: start_h, c: start_c });
    let mut found: Vec<Matrix> = values.iter().map(|y| Matrix::clone(&y.value())).collect();
    let mut loss = tape.constant(Matrix::zeros(1, 1));
    for (k, y) in values.into_iter().enumerate() {
        let (rows, columns) = y.shape();
        let weights = tape.constant(uneven(rows, columns, 7.0 + k as Float));
        loss = loss + y.component_mul(weights).sum();
    }
    let gradients = loss.backward();
    found.extend(leaves.map(|leaf| gradients.wrt(leaf)));
    found
}

/// States of all steps in the packed order.
fn packed<'t>(states: impl IntoIterator<Item = Var<'t>>) -> Var<'t> {
    states.into_iter().reduce(Var::append).expect("at least one step")
}

/// The cell unrolled over the batch read forward, or over the batch turned round and its states
/// turned back.
fn naive<'t, S: Truncate>(
    gates: Gates<'t>,
    x: Var<'t>,
    steps: &Steps,
    (start, direction): (S, Direction),
    cell: impl Fn(Gates<'t>, Var<'t>, S) -> S,
    outputs: impl Fn(&S) -> Vec<Var<'t>>,
) -> Vec<Var<'t>> {
    let turn = |x: Var<'t>| match direction {
        Direction::Forward => x,
        Direction::Backward => x.select_columns(&steps.reversed()),
    };
    let states = unroll(gates, turn(x), steps, start, cell);
    let kinds = outputs(&states[0]).len();
    (0..kinds).map(|k| turn(packed(states.iter().map(|s| outputs(s)[k])))).collect()
}

fn compare(found: Vec<Matrix>, expected: Vec<Matrix>, context: &str) {
    assert_eq!(found.len(), expected.len());
    for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_close!(found, expected, TOLERANCE, "{context}, result {k}");
    }
}

/// `h`, or zeros in its place.
fn or_zeros<'t>(h: Var<'t>, started: bool) -> Var<'t> {
    let (rows, columns) = h.shape();
    if started { h } else { h.tape().constant(Matrix::zeros(rows, columns)) }
}

/// Tries `check` on all batches, in both directions, with and without start states.
fn everywhere(check: impl Fn(&Steps, Direction, bool, &str)) {
    for steps in batches() {
        for direction in [Direction::Forward, Direction::Backward] {
            for started in [true, false] {
                let context = format!("{:?}, {direction:?}, started: {started}", steps.lengths());
                check(&steps, direction, started, &context);
            }
        }
    }
}

/// Gates of a plain layer, a GRU and an LSTM.
const KINDS: [usize; 3] = [1, 3, 4];

/// The fused layer of so many gates: its states, and the cells of an LSTM.
fn layer<'t>(
    gates: Gates<'t>,
    x: impl Into<Inputs<'t>>,
    steps: &Steps,
    start: Option<State<'t>>,
    direction: Direction,
) -> Vec<Var<'t>> {
    let h = start.map(|start| start.h);
    match gates.b.shape().0 / HIDDEN {
        1 => vec![layers::rnn(gates, x, steps, h, direction)],
        3 => vec![layers::gru(gates, x, steps, h, direction)],
        _ => {
            let state = layers::lstm(gates, x, steps, start, direction);
            vec![state.h, state.c]
        }
    }
}

#[test]
fn a_layer_is_its_cell_unrolled() {
    everywhere(|steps, direction, started, context| {
        for kind in KINDS {
            let fused = outcome(kind, steps, |gates, x, start| {
                layer(gates, x, steps, started.then_some(start), direction)
            });
            let naive = outcome(kind, steps, |gates, x, start| {
                let start = State { h: or_zeros(start.h, started), c: or_zeros(start.c, started) };
                let h = (start.h, direction);
                match kind {
                    1 => naive(gates, x, steps, h, cells::rnn, |h| vec![*h]),
                    3 => naive(gates, x, steps, h, cells::gru, |h| vec![*h]),
                    _ => {
                        naive(gates, x, steps, (start, direction), cells::lstm, |s| vec![s.h, s.c])
                    }
                }
            });
            compare(fused, naive, &format!("{kind} gates, {context}"));
        }
    });
}

/// A vector that several tokens share is multiplied once and gets all their gradients; one that no
/// token has gets none.
#[test]
fn distinct_vectors_with_their_places_are_a_vector_for_every_token() {
    everywhere(|steps, direction, started, context| {
        let n = steps.tokens();
        let places: Vec<usize> = (0..n).map(|token| token * token % n).collect();
        for kind in KINDS {
            let [once, each] = [true, false].map(|once| {
                outcome(kind, steps, |gates, vectors, start| {
                    let x = if once {
                        Inputs { vectors, places: Some(places.clone()) }
                    } else {
                        vectors.select_columns(&places).into()
                    };
                    layer(gates, x, steps, started.then_some(start), direction)
                })
            });
            compare(once, each, context);
        }
    });
}

/// One step of a decoder at a time is the same as the whole sequence at once.
#[test]
fn steps_are_layers_one_token_at_a_time() {
    let rng = &mut rng(5);
    let (rnn, gru) = (Rnn::new(INPUTS, HIDDEN, rng), Gru::new(INPUTS, HIDDEN, rng));
    steps_are_the_layer(&rnn, |s| s.h, |rnn, p, s| State { h: rnn.step(p, s.h), ..s });
    steps_are_the_layer(&gru, |s| s.h, |gru, p, s| State { h: gru.step(p, s.h), ..s });
    steps_are_the_layer(&Lstm::new(INPUTS, HIDDEN, rng), |s| s, Lstm::step);
}

/// `own` is what the layer hands on of `h` and `c`.
fn steps_are_the_layer<L: Recurrent>(
    layer: &L,
    own: for<'t> fn(State<'t>) -> L::State<'t>,
    step: for<'t> fn(&L, Var<'t>, State<'t>) -> State<'t>,
) {
    let steps = Steps::new(&[4, 4, 4]);
    let [by_steps, at_once] = [true, false].map(|by_steps| {
        let tape = Tape::new();
        let (x, start) = inputs(&tape, &steps);
        let y = if by_steps {
            let (projected, mut state) = (layer.weights().project(x), start);
            packed((0..steps.len()).map(|t| {
                let columns = projected.columns(steps.columns(t).start, steps.size(t));
                state = step(layer, columns, state);
                state.h
            }))
        } else {
            layer.forward(x, &steps, Some(own(start)))
        };
        after(y, x, start, layer.weights())
    });
    compare(by_steps, at_once, "steps against layer");
}

fn inputs<'t>(tape: &'t Tape, steps: &Steps) -> (Var<'t>, State<'t>) {
    let state = |phase| tape.leaf(uneven(HIDDEN, steps.sequences(), phase));
    (tape.leaf(uneven(INPUTS, steps.tokens(), 1.0)), State { h: state(2.0), c: state(3.0) })
}

/// A value, and after an uneven loss the gradients of everything it was made from.
fn after<'t>(
    y: Var<'t>,
    x: Var<'t>,
    start: State<'t>,
    weights: &recurrent_networks::Weights,
) -> Vec<Matrix> {
    let value = Matrix::clone(&y.value());
    let weigh = y.tape().constant(uneven(value.nrows(), value.ncols(), 7.0));
    let gradients = y.component_mul(weigh).sum().backward();
    let mut found = vec![value];
    found.extend([x, start.h, start.c].map(|leaf| gradients.wrt(leaf)));
    for param in [&weights.weight_x, &weights.weight_h, &weights.bias_x, &weights.bias_h] {
        found.push(gradients.of(param).expect("every parameter counts").clone());
    }
    found
}

#[test]
fn two_directions_are_a_layer_and_a_layer_on_the_batch_turned_round() {
    let steps = &batches()[0];
    let layer: Bidirectional<Gru> = Bidirectional::new(INPUTS, HIDDEN, &mut rng(1));
    let tape = Tape::new();
    let x = tape.constant(uneven(INPUTS, steps.tokens(), 0.0));
    let both = layer.forward(x, steps).value();
    let turned = x.select_columns(&steps.reversed());
    let backward = layer.backward.forward(turned, steps, None).select_columns(&steps.reversed());
    assert_close!(both.rows(0, HIDDEN), layer.forward.forward(x, steps, None).value(), 1e-6);
    assert_close!(both.rows(HIDDEN, HIDDEN), backward.value(), 1e-6);
}

#[test]
fn a_stack_feeds_each_layer_with_the_one_below() {
    let steps = &batches()[0];
    let stack: Stack<Gru> = Stack::new(INPUTS, HIDDEN, 2, 0.5, &mut rng(1));
    let tape = Tape::new();
    let x = tape.constant(uneven(INPUTS, steps.tokens(), 0.0));
    let start = [2.0, 3.0].map(|p| tape.constant(uneven(HIDDEN, steps.sequences(), p)));
    let states = stack.forward(x, steps, Some(&start));
    let below = stack.layers[0].forward(x, steps, Some(start[0]));
    let above = stack.layers[1].forward(below, steps, Some(start[1]));
    assert_eq!((&*states[0].value(), &*states[1].value()), (&*below.value(), &*above.value()));
    // Dropout touches what the second layer reads, not what the first one returns.
    tape.begin_training(rng(2));
    let dropped = stack.forward(x, steps, Some(&start));
    assert_eq!(*dropped[0].value(), *below.value());
    assert_ne!(*dropped[1].value(), *above.value());
}

/// Weights are drawn from U(−1/√H, 1/√H); the forget gate begins open.
#[test]
fn fresh_weights_fill_their_range() {
    let mut lstm = Lstm::new(30, 25, &mut rng(3));
    lstm.for_each_parameter(|name, param| {
        let x = param.value();
        if name == "bias_x" {
            assert!(x.rows(25, 25).iter().all(|x| *x == 1.0));
            assert!(x.rows(0, 25).amax() <= 0.2 && x.rows(50, 50).amax() <= 0.2);
        } else {
            assert!(x.amax() <= 0.2 && x.amax() > 0.19, "{name}: {}", x.amax());
            assert!(x.mean().abs() < 0.05, "{name}: {}", x.mean());
        }
    });
}

#[test]
#[should_panic(expected = "inputs of shape (6, 5) for 6 tokens, read by weights (57, 6)")]
fn inputs_that_do_not_fit_are_shown() {
    let gru = Gru::new(INPUTS, HIDDEN, &mut rng(0));
    let tape = Tape::new();
    gru.forward(tape.constant(Matrix::zeros(INPUTS, 5)), &Steps::new(&[4, 2]), None);
}

#[test]
#[should_panic(expected = "start states (19, 1), not (19, 2)")]
fn start_states_that_do_not_fit_are_shown() {
    let gru = Gru::new(INPUTS, HIDDEN, &mut rng(0));
    let tape = Tape::new();
    let start = tape.constant(Matrix::zeros(HIDDEN, 1));
    gru.forward(tape.constant(Matrix::zeros(INPUTS, 6)), &Steps::new(&[4, 2]), Some(start));
}
