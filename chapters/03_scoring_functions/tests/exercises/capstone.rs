//! 3.12, the capstone: the reader's score, softmax and backward learn the rotated world.

use crate::solutions;
use scoring_functions::experiment::{Episode, Setting, World};
use shared::{
    Adam, Float, Matrix, Module, Optimizer, Param, Tape, Var, Visitor, rng, squared_error,
};
use std::fmt::Write;
use tests::exercises::{Exercise, Kind, Wrong, show};

type Backward = fn(&Matrix, &Matrix, &Matrix, &Matrix) -> (Matrix, Matrix, Matrix);

/// The answers that the lookup is made of.
#[derive(Clone, Copy)]
pub struct Parts {
    pub scaled_dot: fn(&Matrix, &Matrix) -> Matrix,
    pub masked_softmax: fn(&Matrix, &[usize]) -> Matrix,
    pub attention_backward: Backward,
    pub attention: fn(&Matrix, &Matrix, &Matrix) -> Matrix,
}

/// Which exercises ask for them.
pub const NEEDS: [u32; 4] = [1, 2, 5, 8];

pub const SOLVED: Parts = Parts {
    scaled_dot: solutions::scaled_dot,
    masked_softmax: solutions::masked_softmax,
    attention_backward: solutions::attention_backward,
    attention: solutions::attention,
};

pub fn exercise() -> Exercise<Parts> {
    Exercise {
        number: 12,
        title: "capstone: your lookup",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong {
                name: "queries learn nothing",
                hint: "(3.5)",
                answer: Parts {
                    attention_backward: |q, k, v, doutput| {
                        let (dq, dk, dv) = solutions::attention_backward(q, k, v, doutput);
                        (dq * 0.0, dk, dv)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "the gradients of queries and keys exchanged",
                hint: "(3.5)",
                answer: Parts {
                    attention_backward: |q, k, v, doutput| {
                        let (dq, dk, dv) = solutions::attention_backward(q, k, v, doutput);
                        (dk, dq, dv)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "each key shares itself out",
                hint: "(3.8)",
                answer: Parts {
                    attention: |q, k, v| v * solutions::attention(k, q, &identity(q)).transpose(),
                    ..SOLVED
                },
            },
        ],
    }
}

fn identity(q: &Matrix) -> Matrix {
    Matrix::identity(q.ncols(), q.ncols())
}

const STEPS: usize = 100;
const EPISODES: usize = 4; // in a batch
const LOOK: usize = 10;

/// All that is trained: the matrix that turns a question into a query (16, 16).
struct Turned(Param);

impl Module for Turned {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.param("w", &mut self.0);
    }
}

/// Forward `V·softmax↓(KᵀQ/√d)` and backward as they are given, as one operation.
fn operation<'t>(parts: Parts, queries: Var<'t>, keys: &Matrix, values: &Matrix) -> Var<'t> {
    let (dq, q, k, v) = (queries.id(), queries.value(), keys.clone(), values.clone());
    queries.tape().push((parts.attention)(&q, &k, &v), move |doutput, gradients| {
        gradients.add(dq, (parts.attention_backward)(&q, &k, &v, &doutput).0);
    })
}

/// Trains a matrix; every few steps the mean squared error of an answer.
fn trained(parts: Parts, world: &World) -> (Turned, Vec<Float>) {
    let (mut model, mut adam) = (Turned(Param::glorot(16, 16, &mut rng(1))), Adam::new(0.02));
    let (rng, mut curve) = (&mut rng(2), Vec::new());
    for step in 0..STEPS {
        let tape = Tape::new();
        let w = tape.param(&model.0);
        let one = |Episode { keys, queries, values, slots, .. }: Episode| {
            let asked = w * tape.constant(queries);
            squared_error(operation(parts, asked, &keys, &values), &values.select_columns(&slots))
        };
        let losses = (0..EPISODES).map(|_| world.episode(rng)).map(one);
        let loss = losses.reduce(|sum, loss| sum + loss).expect("episodes");
        let loss = loss * (1.0 / (EPISODES * 16) as Float);
        if step % LOOK == 0 {
            curve.push(loss.scalar());
        }
        let gradients = loss.backward().into();
        adam.step(&mut model, &gradients);
    }
    (model, curve)
}

/// The share of right answers to fresh questions.
fn right(parts: Parts, model: &Turned, world: &World) -> Float {
    let (rng, mut right) = (&mut rng(3), 0);
    for Episode { keys, queries, values, answers, .. } in (0..20).map(|_| world.episode(rng)) {
        let output = (parts.attention)(&(model.0.value() * queries), &keys, &values);
        let chosen = output.column_iter().map(|column| column.imax());
        right += chosen.zip(answers).filter(|(chosen, answer)| chosen == answer).count();
    }
    right as Float / 320.0
}

fn check(parts: Parts) {
    let world = World::new(Setting::Rotated, &mut rng(0));
    let ((yours, curve), (ours, our_curve)) = (trained(parts, &world), trained(SOLVED, &world));
    let (share, our_share) = (right(parts, &yours, &world), right(SOLVED, &ours, &world));
    let mut report = format!(
        "\nkeys behind an unknown rotation, {STEPS} steps of {} questions\n\n{:16} {:>8} {:>11}\n\
         {:16} {share:>8.3} {our_share:>11.3}\n\nsquared error while it learns\n",
        16 * EPISODES,
        "",
        "yours",
        "chapter's",
        "right answers",
    );
    for (look, error) in curve.iter().enumerate() {
        let bar = "█".repeat((40.0 * error).round().clamp(0.0, 60.0) as usize);
        let _ = writeln!(report, "{:>5} {error:5.2} {bar}", look * LOOK);
    }
    show(report + &alignment(parts, &yours, &world));
    assert!(
        share > our_share - 0.05,
        "{share:.3} of your answers are right, {our_share:.3} of the chapter's after the same \
         lessons\nhint: look at the gradient of the queries (3.5), and at whose weights sum to one (3.8)"
    );
    let near = curve.iter().zip(&our_curve).take(4).all(|(a, b)| (a - b).abs() < 0.01 * b);
    assert!(
        near,
        "your first errors are {:?}, the chapter's {:?}\nhint: whose weights sum to one (3.8)?",
        &curve[..4],
        &our_curve[..4]
    );
}

/// The weights of one episode, questions in the order of their keys: a diagonal when all is learnt.
fn alignment(parts: Parts, model: &Turned, world: &World) -> String {
    let Episode { keys, queries, slots, .. } = world.episode(&mut rng(4));
    let scores = (parts.scaled_dot)(&(model.0.value() * queries), &keys);
    let weights = (parts.masked_softmax)(&scores, &[16; 16]);
    let asks = |slot: usize| slots.iter().position(|s| *s == slot).expect("every key is asked for");
    let mut drawing = String::from("\nyour weights: keys down, the questions for them across\n");
    for i in 0..16 {
        let shade = |slot| match weights[(i, asks(slot))] {
            weight if weight > 0.5 => "██",
            weight if weight > 0.2 => "▓▓",
            weight if weight > 0.05 => "░░",
            _ => "· ",
        };
        let _ = writeln!(drawing, "  {}", (0..16).map(shade).collect::<String>());
    }
    drawing
}
