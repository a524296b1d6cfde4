//! 10.6: smoothed labels.

use crate::solutions;
use crate::support::vector;
use nalgebra::DMatrix;
use shared::Vector;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

type SmoothedLoss = fn(&Vector, usize, f32) -> (f32, Vector);

pub fn exercise() -> Exercise<SmoothedLoss> {
    Exercise {
        number: 6,
        title: "smoothed labels",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "ε for the others alone",
                hint: "share of ε too",
                answer: |x, target, epsilon| with_labels(x, &others_alone(x, target, epsilon)),
            },
            Wrong {
                name: "labels that sum to more than 1",
                hint: "sum to 1",
                answer: |x, target, epsilon| with_labels(x, &too_much(x, target, epsilon)),
            },
            Wrong {
                name: "not smoothed",
                hint: "sharp labels",
                answer: |x, target, _| solutions::smoothed_loss(x, target, 0.0),
            },
            Wrong {
                name: "q − p",
                hint: "sign",
                answer: |x, target, epsilon| {
                    let (loss, dx) = solutions::smoothed_loss(x, target, epsilon);
                    (loss, -dx)
                },
            },
            Wrong {
                name: "the gradient of sharp labels",
                hint: "the labels in it are sharp",
                answer: |x, target, epsilon| {
                    let (loss, _) = solutions::smoothed_loss(x, target, epsilon);
                    (loss, solutions::smoothed_loss(x, target, 0.0).1)
                },
            },
            Wrong {
                name: "unstable exponents",
                hint: "subtract the largest",
                answer: |x, target, epsilon| {
                    let log_sum = x.map(f32::exp).sum().ln();
                    let (_, dx) = solutions::smoothed_loss(x, target, epsilon);
                    (log_sum - (1.0 - epsilon) * x[target] - epsilon * x.mean(), dx)
                },
            },
            Wrong {
                name: "the probability kept away from 0",
                hint: "cut off",
                answer: |x, target, epsilon| {
                    let (_, dx) = solutions::smoothed_loss(x, target, epsilon);
                    (cut_off(x, target, epsilon), dx)
                },
            },
            Wrong {
                name: "the divergence of the labels from the probabilities",
                hint: "entropy of the labels",
                answer: |x, target, epsilon| {
                    let (loss, dx) = solutions::smoothed_loss(x, target, epsilon);
                    (loss - entropy(x.len(), epsilon), dx)
                },
            },
        ],
    }
}

fn check(smoothed_loss: SmoothedLoss) {
    let (x, target, epsilon) = (vector(5, 0.2), 3, 0.2_f32);
    let exact = |x: &DMatrix<f64>| {
        let log_sum = x.map(f64::exp).sum().ln();
        let even = f64::from(epsilon) / 5.0;
        let q = |k: usize| even + if k == target { 1.0 - f64::from(epsilon) } else { 0.0 };
        (0..5).map(|k| q(k) * (log_sum - x[k])).sum::<f64>()
    };
    let (loss, dx) = smoothed_loss(&x, target, epsilon);
    let of = |labels: &Vector| with_labels(&x, labels);
    let (alone, much) = (others_alone(&x, target, epsilon), too_much(&x, target, epsilon));
    let sharp = solutions::smoothed_loss(&x, target, 0.0);
    let call = "of smoothed_loss(logits, 3, 0.2)";
    expect(loss, exact(&DMatrix::from_column_slice(5, 1, x.map(f64::from).as_slice())), 1e-5)
        .of(format!("the loss {call}"))
        .given("logits", &x)
        .or_hint(of(&alone).0, "the target has its share of ε too: 1 − ε + ε/K, and the others ε/K")
        .or_hint(of(&much).0, "the labels sum to 1 + ε/K·(K − 1): they should sum to 1")
        .or_hint(sharp.0, "this is the loss of sharp labels")
        .or_hint(
            with_labels(&x, &smooth(&x, target, epsilon)).0 - entropy(5, epsilon),
            "the entropy of the labels is subtracted: that is a divergence, and the loss a cross-entropy",
        )
        .check();
    let expected = finite_difference(exact, &x);
    let negative = (-&expected).map(|d| d as f32);
    expect(dx, expected, 1e-5)
        .of(format!("the gradient {call}"))
        .given("logits", &x)
        .or_hint(negative, "the sign: a loss falls where the label is larger than the probability")
        .or_hint(sharp.1, "p − q is right, but the labels in it are sharp")
        .or_hint(of(&alone).1, "the target has its share of ε too: 1 − ε + ε/K, and the others ε/K")
        .check();
    // Far apart and far from 0: ln Σ e^x is the largest logit.
    let large = Vector::from_column_slice(&[900.0, -100.0, 1000.0, 400.0]);
    let (loss, dx) = smoothed_loss(&large, 0, 0.1);
    assert!(
        loss.is_finite() && dx.iter().all(|d| d.is_finite()),
        "smoothed_loss of the logits {:?} is {loss} with the gradient {:?}\n\
         hint: e¹⁰⁰⁰ is infinite, so subtract the largest logit; e⁻⁶⁰⁰ is 0 and its logarithm −∞, but ln p is x − ln Σ e^x",
        large.as_slice(),
        dx.as_slice()
    );
    expect(loss, 0.9 * 100.0 + 0.025 * (100.0 + 1100.0 + 600.0), 1e-4)
        .of("the loss of smoothed_loss([900, −100, 1000, 400], 0, 0.1)")
        .or_hint(cut_off(&large, 0, 0.1), "ln p is cut off: it may be as low as −1100")
        .check();
    expect(dx, [-0.925, -0.025, 0.975, -0.025], 1e-5)
        .of("the gradient of smoothed_loss([900, −100, 1000, 400], 0, 0.1)")
        .check();
    let (loss, dx) = smoothed_loss(&large.add_scalar(-2000.0), 0, 0.1);
    expect(loss, 135.0, 1e-4).of("the loss of the same logits, all lower by 2000,").check();
    expect(dx, [-0.925, -0.025, 0.975, -0.025], 1e-5).of("its gradient").check();
}

/// The others share ε, the target has the rest.
fn others_alone(x: &Vector, target: usize, epsilon: f32) -> Vector {
    let even = epsilon / (x.len() - 1) as f32;
    Vector::from_fn(x.len(), |k, _| if k == target { 1.0 - epsilon } else { even })
}

/// The target keeps all.
fn too_much(x: &Vector, target: usize, epsilon: f32) -> Vector {
    let even = epsilon / x.len() as f32;
    Vector::from_fn(x.len(), |k, _| if k == target { 1.0 } else { even })
}

fn with_labels(x: &Vector, q: &Vector) -> (f32, Vector) {
    let e = x.map(|e| (e - x.max()).exp());
    let log_sum = x.max() + e.sum().ln();
    let loss = q.iter().zip(x.iter()).map(|(q, x)| q * (log_sum - x)).sum();
    (loss, &e / e.sum() * q.sum() - q)
}

/// 1 − ε + ε/K and ε/K.
fn smooth(x: &Vector, target: usize, epsilon: f32) -> Vector {
    let even = epsilon / x.len() as f32;
    Vector::from_fn(x.len(), |k, _| even + if k == target { 1.0 - epsilon } else { 0.0 })
}

/// Of the smoothed labels.
fn entropy(words: usize, epsilon: f32) -> f32 {
    let even = epsilon / words as f32;
    let target = 1.0 - epsilon + even;
    -target * target.ln() - (words - 1) as f32 * even * even.ln()
}

/// The loss, with no probability below 10⁻⁹.
fn cut_off(x: &Vector, target: usize, epsilon: f32) -> f32 {
    let e = x.map(|e| (e - x.max()).exp());
    let log_p = e.map(|p| (p / e.sum()).max(1e-9).ln());
    -smooth(x, target, epsilon).dot(&log_p)
}
