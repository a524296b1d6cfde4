//! Chapter 2 in double precision: the gradient by hand, the tape and finite differences are one.

use parametric_attention::graph::graph;
use parametric_attention::plane::plane_points;
use parametric_attention::training::{on_tape, train};
use parametric_attention::{
    Attention, Sees, learn, predict_with_gradient, predict_with_slope, scores, squared_error,
};
use proptest::prelude::*;
use shared::{Matrix, Tape, check_gradients, finite_differences};
use tests::{assert_close, finite_difference};

/// Points, a query and a width.
fn problem() -> impl Strategy<Value = (Vec<f64>, Vec<f64>, f64, f64)> {
    let points = prop::collection::vec((-3.0..3.0, -3.0..3.0), 2..30);
    (points, -4.0..4.0, -1.5..1.5).prop_map(|(points, query, log_w): (Vec<(f64, f64)>, _, f64)| {
        let (x, y) = points.into_iter().unzip();
        (x, y, query, 10f64.powf(log_w))
    })
}

fn matrix(rows: usize, columns: usize, seed: u64) -> Matrix {
    let mut rng = shared::rng(seed);
    Matrix::from_fn(rows, columns, |_, _| 4.0 * rand::RngExt::random::<f64>(&mut rng) - 2.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// ∂f/∂w = −w·Cov_α(y, u²)
    #[test]
    fn the_slope_of_a_prediction((x, y, query, w) in problem()) {
        let f = |w: f64| predict_with_slope(query, &x, &y, w, None);
        assert_close!(f(w).1, finite_difference(|w| f(w[0]).0, w)[0], 1e-7);
        let hidden = |w: f64| predict_with_slope(query, &x, &y, w, Some(1));
        assert_close!(hidden(w).1, finite_difference(|w| hidden(w[0]).0, w)[0], 1e-7);
    }

    /// ∂L/∂w, for every point from the others and with itself.
    #[test]
    fn the_slope_of_the_loss((x, y, _, w) in problem()) {
        for sees in [Sees::Others, Sees::Everyone] {
            let loss = |w: f64| squared_error(&x, &y, w, sees);
            assert_close!(loss(w).1, finite_difference(|w| loss(w[0]).0, w)[0], 1e-6);
        }
    }

    #[test]
    fn the_tape_agrees_with_the_hand((x, y, _, w) in problem()) {
        let (loss, slope) = squared_error(&x, &y, w, Sees::Others);
        let (tape_loss, tape_slope) = on_tape(w, &x, &y);
        assert_close!(tape_loss, loss, 1e-10);
        assert_close!(tape_slope, slope, 1e-9);
    }

    /// The operation of the chapter, with every input.
    #[test]
    fn scores_of_queries_and_keys(r in 1..5usize, m in 1..5usize, n in 1..5usize, seed: u64) {
        check_gradients(&[matrix(r, n, seed), matrix(r, m, !seed)], 1e-8, |_, x| scores(x[0], x[1]));
        // A value that is query and key at once.
        check_gradients(&[matrix(r, n + 1, seed)], 1e-8, |_, x| scores(x[0], x[0]).tanh());
    }

    /// ∂f/∂W = −W·Cov_α(y, u uᵀ), by differences and by the tape.
    #[test]
    fn the_gradient_of_a_matrix(r in 1..4usize, d in 1..4usize, m in 1..8usize, seed: u64) {
        let (w, keys) = (matrix(r, d, seed), matrix(d, m, !seed));
        let (values, query) = (matrix(1, m, seed ^ 1), matrix(d, 1, seed ^ 2));
        let f = |w: &Matrix| predict_with_gradient(query.as_slice(), &keys, values.as_slice(), w);
        let (prediction, gradient) = f(&w);
        assert_close!(gradient, finite_differences(|w| f(w).0, &w), 1e-7);

        let (model, tape) = (Attention::new(w), Tape::new());
        let [query, keys, values] = [query, keys, values].map(|matrix| tape.constant(matrix));
        let on_tape = model.forward(query, keys, values);
        assert_close!(on_tape.scalar(), prediction, 1e-12);
        let gradients = on_tape.backward();
        assert_close!(gradients.of(&model.weight).unwrap(), gradient, 1e-10);
    }

    /// Only WᵀW matters: turning W's output changes nothing.
    #[test]
    fn predictions_know_the_metric_only(m in 2..8usize, angle in 0.0..6.3f64, seed: u64) {
        let (w, x, y) = (matrix(2, 3, seed), matrix(3, m, !seed), matrix(1, m, seed ^ 1));
        let turn = Matrix::from_row_slice(2, 2, &[angle.cos(), -angle.sin(), angle.sin(), angle.cos()]);
        let predict = |w: Matrix| {
            let (model, tape) = (Attention::new(w), Tape::new());
            let f = model.leave_one_out(tape.constant(x.clone()), tape.constant(y.clone())).value();
            (model.metric(), f)
        };
        let (plain, turned) = (predict(w.clone()), predict(turn * &w));
        assert_close!(turned.0, plain.0, 1e-12);
        assert_close!(turned.1, plain.1, 1e-10);
    }
}

/// At the end of `learn` the loss is flat, and rises on both sides.
#[test]
fn learning_ends_in_a_valley() {
    let (x, y) = kernel_regression::data::noisy_points(50, &mut shared::rng(0));
    let loss = |w: f64| squared_error(&x, &y, w, Sees::Others);
    let path = learn(0.3, loss);
    let end = path[path.len() - 1];
    assert!((end.w * end.slope / end.loss).abs() < 1e-4);
    assert!(loss(0.95 * end.w).0 > end.loss && loss(1.05 * end.w).0 > end.loss);
    assert!(path.windows(2).all(|step| step[1].loss <= step[0].loss));
}

/// Training in a turned plane finds the turned metric: the valley is the same.
#[test]
fn the_metric_turns_with_the_inputs() {
    let learnt = |angle: f64| {
        let (x, y) = plane_points(60, 0.3, angle, &mut shared::rng(1));
        train(Attention::new(Matrix::identity(2, 2)), &x, &y, 3000).metric()
    };
    let angle = 30.0_f64;
    let (sin, cos) = angle.to_radians().sin_cos();
    let turn = Matrix::from_row_slice(2, 2, &[cos, -sin, sin, cos]);
    assert_close!(learnt(angle), &turn * learnt(0.0) * turn.transpose(), 1e-3);
}

/// The worked example of the appendix, walked by hand, by the tape and by differences.
#[test]
fn the_appendix_is_right() {
    let graph = graph();
    assert_close!(graph.dw, graph.tape, 1e-14);
    assert_close!(graph.dw, graph.differences, 1e-9);
}
