//! The loss with smoothed labels against its definition.

use crate::support::uneven;
use shared::{Float, Matrix, Tape, cross_entropy};
use tests::assert_close;
use transformer::smoothed_cross_entropy;

const TARGETS: [usize; 3] = [4, 0, 2];

/// `q` (classes, columns): ε/K everywhere, and the rest on the targets.
fn labels(classes: usize, epsilon: f64) -> Matrix {
    Matrix::from_fn(classes, 3, |i, j| {
        let hit = if TARGETS[j] == i { 1.0 - epsilon } else { 0.0 };
        (epsilon / classes as f64 + hit) as Float
    })
}

/// `p`, in double precision.
fn probabilities(x: &Matrix) -> Vec<Vec<f64>> {
    let columns = x.column_iter().map(|x| {
        let e: Vec<f64> = x.iter().map(|x| f64::from(*x).exp()).collect();
        let sum: f64 = e.iter().sum();
        e.into_iter().map(|e| e / sum).collect()
    });
    columns.collect()
}

/// Loss and gradient; the loss is used three times, so that the factor shows.
fn smoothed(x: &Matrix, epsilon: Float) -> (Float, Matrix) {
    let tape = Tape::new();
    let x = tape.leaf(x.clone());
    let loss = smoothed_cross_entropy(x, &TARGETS, epsilon);
    (loss.scalar(), (loss * 3.0).backward().wrt(x) / 3.0)
}

#[test]
fn the_loss_and_its_gradient_are_their_definitions() {
    let x = uneven(6, 3, 0.3) * 2.0;
    let p = probabilities(&x);
    for epsilon in [0.0, 0.1, 0.5, 0.9] {
        let q = labels(6, f64::from(epsilon));
        let entries = (0..3).flat_map(|j| (0..6).map(move |i| (i, j)));
        let expected: f64 = entries.map(|(i, j)| -f64::from(q[(i, j)]) * p[j][i].ln()).sum();
        let (loss, dx) = smoothed(&x, epsilon);
        assert_close!(loss, expected, 1e-5, "ε = {epsilon}");
        let expected = Matrix::from_fn(6, 3, |i, j| (p[j][i] - f64::from(q[(i, j)])) as Float);
        assert_close!(dx, expected, 1e-6, "ε = {epsilon}");
    }
}

/// The best a model can do is to predict the smoothed labels: the loss is their entropy then, and
/// not 0. More certain is worse.
#[test]
fn certainty_is_not_the_optimum() {
    let q = labels(6, 0.1);
    let (least, dx) = smoothed(&q.map(Float::ln), 0.1);
    let entropy: Float = q.iter().map(|q| -q * q.ln()).sum();
    assert_close!(least, entropy, 1e-5);
    assert_close!(dx, Matrix::zeros(6, 3), 1e-6);
    let (certain, _) = smoothed(&(labels(6, 0.0) * 100.0), 0.1);
    assert!(certain > 10.0 * least, "{certain} against {least}");
}

#[test]
fn without_smoothing_it_is_the_cross_entropy() {
    let x = uneven(6, 3, 0.9) * 30.0; // e³⁰ and more, if the largest were not subtracted
    let tape = Tape::new();
    let leaf = tape.leaf(x.clone());
    let loss = cross_entropy(leaf, &TARGETS);
    let (expected, dx) = (loss.scalar(), loss.backward().wrt(leaf));
    let found = smoothed(&x, 0.0);
    assert_close!(found.0, expected, 1e-6);
    assert_close!(found.1, dx, 1e-6);
}

/// Large logits, whose differences count; and one that is −∞, which nothing speaks for without smoothing.
#[test]
fn large_and_impossible_logits_have_a_loss() {
    let x = Matrix::from_fn(3, 3, |i, j| 50_000.0 + (i * j) as Float * 2.0);
    let tape = Tape::no_grad();
    let loss = |x: Matrix| smoothed_cross_entropy(tape.constant(x), &[2, 1, 0], 0.1).scalar();
    assert_close!(loss(x.clone()), loss(x.add_scalar(-50_000.0)), 1e-6);
    let x = uneven(6, 3, 0.3).insert_row(6, Float::NEG_INFINITY);
    assert_close!(smoothed(&x, 0.0).0, smoothed(&uneven(6, 3, 0.3), 0.0).0, 1e-6);
}

#[test]
#[should_panic(expected = "target 4 among 3 classes")]
fn a_target_is_a_class() {
    smoothed(&uneven(3, 3, 0.0), 0.1);
}

/// While a model is judged, labels are sharp.
#[test]
fn a_judge_does_not_smooth() {
    use crate::support::{batch, model, pairs};
    use seq2seq::Translator;
    let model = model(transformer::Norm::Post, transformer::Tied::Output);
    let batch = batch(&pairs(&[(3, 2), (4, 5)]));
    let tape = Tape::no_grad();
    let judged = model.loss(&tape, &batch).scalar();
    let trained = model.training_loss(&tape, &batch).scalar();
    let (h, _) = transformer::Transformer::encode(&model, &tape, &batch.source);
    let (x, _) = model.decode(h, &batch.source, &batch.previous);
    let sharp = cross_entropy(model.logits(x), &batch.target.words).scalar();
    assert_close!(judged, sharp, 1e-6);
    assert!((trained - sharp).abs() > 1e-3);
}
