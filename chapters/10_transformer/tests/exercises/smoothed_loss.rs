//! 10.6: smoothed labels.

use super::solutions;
use nalgebra::DMatrix;
use shared::Vector;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, hard, uneven_vector};

pub type SmoothedLoss = fn(&Vector, usize, f32) -> (f32, Vector);

pub const EXERCISE: Exercise<SmoothedLoss> = Exercise {
    check,
    wrong: &[
        wrong(
            "the target has its share of ε too: 1 − ε + ε/K, and the others ε/K",
            |x, target, epsilon| {
                let words = x.len() as f32;
                solutions::smoothed_loss(x, target, epsilon * words / (words - 1.0))
            },
        ),
        wrong(
            "the labels sum to 1 + ε/K·(K − 1): they should sum to 1",
            |x, target, epsilon| {
                let (loss, dx) = solutions::smoothed_loss(x, target, epsilon);
                let share = epsilon - epsilon / x.len() as f32;
                (loss + share * solutions::smoothed_loss(x, target, 0.0).0, dx)
            },
        ),
        wrong("this is the loss of sharp labels", |x, target, _| {
            solutions::smoothed_loss(x, target, 0.0)
        }),
        wrong(
            "the sign: a loss falls where the label is larger than the probability",
            |x, target, epsilon| {
                let (loss, dx) = solutions::smoothed_loss(x, target, epsilon);
                (loss, -dx)
            },
        ),
        wrong("p − q is right, but the labels in it are sharp", |x, target, epsilon| {
            let (loss, _) = solutions::smoothed_loss(x, target, epsilon);
            (loss, solutions::smoothed_loss(x, target, 0.0).1)
        }),
        wrong(
            "ln p is cut off: it may be as low as −1100, and it is x − ln Σ e^x",
            |x, target, epsilon| {
                let e = x.map(|e| (e - x.max()).exp());
                let log_p = e.map(|p| (p / e.sum()).max(1e-9).ln());
                let (_, dx) = solutions::smoothed_loss(x, target, epsilon);
                (-(1.0 - epsilon) * log_p[target] - epsilon * log_p.mean(), dx)
            },
        ),
    ],
};

fn check(smoothed_loss: SmoothedLoss) {
    // Far apart and far from 0: ln Σ e^x is the largest logit.
    let large = Vector::from_column_slice(&[900.0, -100.0, 1000.0, 400.0]);
    let hard = hard::scores().map(|(hint, x)| (hint, x, 0, 0.1, 1e-4));
    let several = [("", uneven_vector(5, 0.2), 3, 0.2_f32, 1e-5), ("", large, 0, 0.1, 1e-4)];
    for (hint, x, target, epsilon, tolerance) in several.into_iter().chain(hard) {
        let right = |x: &DMatrix<f64>| {
            let log_sum = x.max() + x.map(|e| (e - x.max()).exp()).sum().ln();
            let epsilon = f64::from(epsilon);
            log_sum - (1.0 - epsilon) * x[target] - epsilon * x.mean()
        };
        let call = format!("of smoothed_loss(logits, {target}, {epsilon})");
        let x64 = DMatrix::from_iterator(x.len(), 1, x.iter().map(|x| f64::from(*x)));
        let (loss, dx) = smoothed_loss(&x, target, epsilon);
        expect(loss, right(&x64), tolerance)
            .of(format!("the loss {call}"))
            .given("logits", &x)
            .hint(hint)
            .check();
        expect(dx, finite_difference(right, &x), tolerance)
            .of(format!("the gradient {call}"))
            .given("logits", &x)
            .hint(hint)
            .check();
    }
}
