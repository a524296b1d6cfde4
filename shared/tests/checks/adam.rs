//! Optimisers.

use shared::{Adam, Float, Matrix, Optimizer, Param, ParamGradients, Sgd, Tape, Var};

/// A valley that is much steeper in one direction: f(x) = ½(x₀² + 100·x₁²), lowest at 0.
fn valley<'t>(tape: &'t Tape, x: &Param) -> Var<'t> {
    let curvature = Matrix::from_column_slice(2, 1, &[0.5, 50.0]);
    tape.param(x).square().component_mul(tape.constant(curvature)).sum()
}

fn descend(mut optimizer: impl Optimizer, steps: usize) -> Float {
    let mut x = Param::new(Matrix::from_element(2, 1, 1.0));
    for _ in 0..steps {
        let gradients = valley(&Tape::new(), &x).backward();
        optimizer.step(&mut x, &gradients.into());
    }
    valley(&Tape::new(), &x).scalar()
}

#[test]
fn both_optimisers_find_the_valley() {
    assert!(descend(Sgd { learning_rate: 0.015 }, 500) < 1e-6);
    assert!(descend(Adam::new(0.02), 500) < 1e-6);
}

#[test]
fn adams_first_step_is_the_learning_rate_whatever_the_gradient() {
    let mut x = Param::new(Matrix::from_element(2, 1, 1.0));
    let gradients = valley(&Tape::new(), &x).backward();
    Adam::new(0.1).step(&mut x, &gradients.into());
    assert!(x.value().iter().all(|x| (x - 0.9).abs() < 1e-5), "{}", x.value());
}

#[test]
fn clipping_shortens_without_turning() {
    let x = Param::new(Matrix::from_element(2, 1, 1.0));
    let mut gradients = ParamGradients::from(valley(&Tape::new(), &x).backward());
    let norm = gradients.clip_norm(1.0);
    assert!((norm - Float::sqrt(1.0 + 100.0 * 100.0)).abs() < 1e-3);
    let d = gradients.get(x.id()).unwrap();
    assert!((d.norm() - 1.0).abs() < 1e-5 && (d[1] / d[0] - 100.0).abs() < 1e-2);
    assert!(gradients.clip_norm(2.0) <= 1.0 + 1e-5 && (gradients.norm() - 1.0).abs() < 1e-5);
}

#[test]
fn shards_add_up() {
    let x = Param::new(Matrix::from_element(2, 1, 1.0));
    let gradient = || ParamGradients::from(valley(&Tape::new(), &x).backward());
    let mut sum = gradient();
    sum.merge(gradient());
    assert_eq!(sum.get(x.id()).unwrap(), &(gradient().get(x.id()).unwrap() * 2.0));
}
