//! Optimisers.

use shared::{
    Adam, AdamW, Float, Matrix, Optimizer, Param, ParamGradients, Sgd, Tape, Var, cross_entropy,
};
use tests::{assert_close, golden};

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

/// Five steps of PyTorch's. Some gradients are of the size of ε, so that its place in the formula shows.
#[test]
fn steps_are_those_of_pytorch() {
    let golden = golden::load("optimizers");
    let optimizers: [(&str, Box<dyn Optimizer>); 2] =
        [("adam", Box::new(Adam::new(0.1))), ("adamw", Box::new(AdamW::new(0.1, |_| 0.1)))];
    for (name, mut optimizer) in optimizers {
        let mut theta = Param::new(golden.matrix("start"));
        let [gradients, path]: [Matrix; 2] = ["gradients", name].map(|name| golden.matrix(name));
        for (step, d) in gradients.column_iter().enumerate() {
            let d = ParamGradients::from_iter([(theta.id(), d.columns(0, 1).into_owned())]);
            optimizer.step(&mut theta, &d);
            assert_close!(theta.value().column(0), path.column(step), 1e-6, "{name}, {step}");
        }
    }
}

/// Algorithm 1 of Kingma & Ba (2015), line by line, in f64; every fourth gradient is 0.
#[test]
fn steps_are_those_of_the_paper() {
    let (alpha, beta_1, beta_2, epsilon) = (0.05, 0.9, 0.999, 1e-8);
    let (mut theta, mut m, mut v) = (1.0f64, 0.0f64, 0.0f64);
    let (mut param, mut adam) = (Param::new(Matrix::from_element(1, 1, 1.0)), Adam::new(0.05));
    for t in 1..=200 {
        let g = if t % 4 == 0 { 0.0 } else { 2.0 * theta };
        m = beta_1 * m + (1.0 - beta_1) * g;
        v = beta_2 * v + (1.0 - beta_2) * g * g;
        let m_hat = m / (1.0 - beta_1.powi(t));
        let v_hat = v / (1.0 - beta_2.powi(t));
        theta -= alpha * m_hat / (v_hat.sqrt() + epsilon);
        let g = (param.id(), Matrix::from_element(1, 1, g as Float));
        adam.step(&mut param, &ParamGradients::from_iter([g]));
        assert_close!(f64::from(param.value()[0]), theta, 2e-5, "step {t}");
    }
}

/// Large logits: what is small is a difference of what is large, and is taken first.
#[test]
fn cross_entropy_of_large_logits_does_not_cancel() {
    for [target, other] in [[30.0, 20.0], [1000.0, 995.0], [50_000.0, 49_997.0]] {
        let x = Tape::leaked().constant(Matrix::from_column_slice(2, 1, &[target, other]));
        let expected = f64::from(other - target).exp().ln_1p();
        let loss = f64::from(cross_entropy(x, &[0]).scalar());
        assert!((loss / expected - 1.0).abs() < 2e-3, "{loss}, not {expected}, at {target}");
    }
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
