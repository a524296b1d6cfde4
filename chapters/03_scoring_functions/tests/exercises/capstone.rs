//! 3.12, the capstone: the reader's score, softmax and backward learn the rotated world.

use super::attention::Attention;
use super::attention_backward::AttentionBackward;
use super::masked_softmax::MaskedSoftmax;
use super::scaled_dot::ScaledDot;
use super::solutions;
use scoring_functions::program::{Episode, Setting, World};
use shared::{Adam, Float, Matrix, Module, Optimizer, Param, Tape, Visitor, rng, squared_error};
use tests::exercises::must_learn;

tests::parts! {
    1 scaled_dot: ScaledDot,
    2 masked_softmax: MaskedSoftmax,
    5 attention_backward: AttentionBackward = [uphill],
    8 attention: Attention,
}

fn uphill(q: &Matrix, k: &Matrix, v: &Matrix, dy: &Matrix) -> (Matrix, Matrix, Matrix) {
    solutions::attention_backward(q, k, v, &-dy)
}

fn check(parts: Parts) {
    let yours = run(parts);
    let told = |(right, report): &(Float, String)| format!("{right:.3} are right\n{report}");
    must_learn(yours.0 > 0.9, yours, || run(SOLVED), told);
}

/// All that is trained: the matrix that turns a question into a query (16, 16).
struct Turned(Param);

impl Module for Turned {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.param("w", &mut self.0);
    }
}

/// Trains a matrix: the accuracy on fresh questions, and what is to be seen of it.
fn run(parts: Parts) -> (Float, String) {
    const STEPS: usize = 100;
    const EPISODES: usize = 4; // in a batch
    let world = World::new(Setting::Rotated, &mut rng(0));
    let (mut model, mut adam) = (Turned(Param::glorot(16, 16, &mut rng(1))), Adam::new(0.02));
    let mut report = String::from("\nsquared error while it learns\n");
    let mut episodes = rng(2);
    for step in 0..STEPS {
        let tape = Tape::new();
        let w = tape.param(&model.0);
        let losses = (0..EPISODES).map(|_| {
            let Episode { keys, queries, values, slots, .. } = world.episode(&mut episodes);
            let right = values.select_columns(&slots);
            let asked = w * tape.constant(queries);
            let q = asked.value();
            // V·softmax↓(KᵀQ/√d), forward and backward, as one operation
            let answer = tape.push(
                [asked],
                (parts.attention)(&q, &keys, &values),
                move |dy, [q_id], gradients| {
                    gradients.add(q_id, (parts.attention_backward)(&q, &keys, &values, &dy).0);
                },
            );
            squared_error(answer, &right)
        });
        let loss = losses.reduce(|sum, loss| sum + loss).expect("episodes");
        let loss = loss * (1.0 / (EPISODES * 16) as Float);
        if step % 10 == 0 {
            let bar = "█".repeat((40.0 * loss.scalar()).round().clamp(0.0, 60.0) as usize);
            report += &format!("{step:>5} {:5.2} {bar}\n", loss.scalar());
        }
        adam.step(&mut model, &loss.backward().into());
    }
    let mut right = 0;
    for Episode { keys, queries, values, answers, .. } in
        (0..20).map(|_| world.episode(&mut episodes))
    {
        let output = (parts.attention)(&(model.0.value() * queries), &keys, &values);
        let chosen = output.column_iter().map(|column| column.imax());
        right += chosen.zip(answers).filter(|(chosen, answer)| chosen == answer).count();
    }
    report += &alignment(parts, &model, world.episode(&mut episodes));
    (right as Float / 320.0, report)
}

/// The weights of one episode, questions in the order of their keys: a diagonal when all is learnt.
fn alignment(parts: Parts, model: &Turned, episode: Episode) -> String {
    let Episode { keys, queries, slots, .. } = episode;
    let scores = (parts.scaled_dot)(&(model.0.value() * queries), &keys);
    let weights = (parts.masked_softmax)(&scores, &[16; 16]);
    let mut drawing = String::from("\nyour weights: keys down, the questions for them across\n");
    for i in 0..16 {
        drawing += "  ";
        for slot in 0..16 {
            let asks = slots.iter().position(|s| *s == slot).expect("every key is asked for");
            drawing += match weights[(i, asks)] {
                weight if weight > 0.5 => "██",
                weight if weight > 0.2 => "▓▓",
                weight if weight > 0.05 => "░░",
                _ => "· ",
            };
        }
        drawing += "\n";
    }
    drawing
}
