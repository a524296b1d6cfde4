//! Chapter 4 in f64: cells and layers against finite differences, with respect to inputs, weights,
//! biases and start states, in both directions.

use recurrent_networks::cells::{self, unroll};
use recurrent_networks::layers::{gru, lstm, rnn};
use recurrent_networks::{Direction, Gates, State, Steps};
use shared::{Matrix, Var, check_gradients};

const HIDDEN: usize = 3;
const INPUTS: usize = 2;
const TOLERANCE: f64 = 1e-8;

/// Uneven numbers in −1.2 … 1.2.
fn uneven(rows: usize, columns: usize, phase: f64) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| 1.2 * (1.3 * i as f64 + 2.1 * j as f64 + phase).sin())
}

/// Weights and biases of so many gates, inputs for the steps, start states `h` and `c`.
fn inputs(gates: usize, steps: &Steps) -> [Matrix; 7] {
    [
        uneven(gates * HIDDEN, INPUTS, 0.0),
        uneven(gates * HIDDEN, HIDDEN, 1.0),
        uneven(gates * HIDDEN, 1, 2.0),
        uneven(gates * HIDDEN, 1, 3.0),
        uneven(INPUTS, steps.tokens(), 4.0),
        uneven(HIDDEN, steps.sequences(), 5.0),
        uneven(HIDDEN, steps.sequences(), 6.0),
    ]
}

fn gates<'t>(x: &[Var<'t>]) -> Gates<'t> {
    Gates { w: x[0], u: x[1], b: x[2], c: x[3] }
}

fn state<'t>(x: &[Var<'t>]) -> State<'t> {
    State { h: x[5], c: x[6] }
}

/// All of one length, ragged, and one sequence.
fn batches() -> [Steps; 3] {
    [Steps::new(&[2, 2]), Steps::new(&[4, 2, 2, 1]), Steps::new(&[3])]
}

#[test]
fn cells() {
    let steps = Steps::new(&[3, 2]);
    check_gradients(&inputs(1, &steps)[..6], TOLERANCE, |_, x| {
        let states = unroll(gates(x), x[4], &steps, x[5], cells::rnn);
        states.into_iter().reduce(Var::append).expect("steps")
    });
    check_gradients(&inputs(3, &steps)[..6], TOLERANCE, |_, x| {
        let states = unroll(gates(x), x[4], &steps, x[5], cells::gru);
        states.into_iter().reduce(Var::append).expect("steps")
    });
    check_gradients(&inputs(4, &steps), TOLERANCE, |_, x| {
        let states = unroll(gates(x), x[4], &steps, state(x), cells::lstm);
        let both = states.into_iter().map(|s| s.h.stack(s.c));
        both.reduce(Var::append).expect("steps")
    });
}

#[test]
fn layers_from_a_start_state() {
    for steps in batches() {
        for direction in [Direction::Forward, Direction::Backward] {
            println!("{:?} {direction:?}", steps.lengths());
            check_gradients(&inputs(1, &steps)[..6], TOLERANCE, |_, x| {
                rnn(gates(x), x[4], &steps, Some(x[5]), direction)
            });
            check_gradients(&inputs(3, &steps)[..6], TOLERANCE, |_, x| {
                gru(gates(x), x[4], &steps, Some(x[5]), direction)
            });
            check_gradients(&inputs(4, &steps), TOLERANCE, |_, x| {
                let state = lstm(gates(x), x[4], &steps, Some(state(x)), direction);
                state.h.stack(state.c)
            });
            check_gradients(&inputs(4, &steps), TOLERANCE, |_, x| {
                lstm(gates(x), x[4], &steps, Some(state(x)), direction).h
            });
        }
    }
}
