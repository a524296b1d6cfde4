//! 2.9, the capstone: the reader's functions learn a width and a metric.

use super::scores_backward::{EXERCISE as BACKWARD, ScoresBackward};
use super::training_step::{EXERCISE as STEP, TrainingStep};
use super::weights_of_others::{EXERCISE as OTHERS, WeightsOfOthers};
use kernel_regression::data::noisy_points;
use parametric_attention::plane::plane_points;
use parametric_attention::{Attention, Sees, descend, squared_error as error_of_width, training};
use shared::{Adam, Matrix, Operand, Optimizer, Tape, Var, product, rng, squared_error};
use tests::exercises::show;
use tests::expect;

tests::parts! {
    1 weights_of_others: WeightsOfOthers = [OTHERS.wrong[0].answer],
    3 training_step: TrainingStep = [STEP.wrong[2].answer],
    6 scores_backward: ScoresBackward = [BACKWARD.wrong[1].answer],
}

const RATE: f32 = 0.05;
const STEPS: usize = 40;
const METRIC_STEPS: usize = 60;

impl Parts {
    /// The widths of a descent from 1.
    fn widths(&self, x: &[f32], y: &[f32]) -> Vec<f32> {
        let mut widths = vec![1.0];
        for step in 0..STEPS {
            widths.push((self.training_step)(x, y, widths[step], RATE));
        }
        widths
    }

    /// The leave-one-out loss, by the weights with which each point attends to the others.
    fn loss(&self, x: &[f32], y: &[f32], w: f32) -> f32 {
        let weights = (self.weights_of_others)(x, w); // (n, n)
        let errors = (0..x.len()).map(|j| {
            let mean: f32 = weights.column(j).iter().zip(y).map(|(alpha, y)| alpha * y).sum();
            (mean - y[j]).powi(2)
        });
        errors.sum()
    }

    /// A metric, learnt with the reader's backward in the chapter's attention.
    fn metric(&self, x: &Matrix, y: &Matrix) -> Matrix {
        let (mut model, mut adam) = (Attention::new(Matrix::identity(2, 2)), Adam::new(0.1));
        let n = x.ncols();
        for _ in 0..METRIC_STEPS {
            let tape = Tape::new();
            let moved = tape.param(&model.weight) * tape.constant(x.clone()); // W x
            let hidden = tape.constant(Matrix::from_diagonal_element(n, n, f32::NEG_INFINITY));
            let weights = (self.scores(moved) + hidden).softmax();
            let f = tape.constant(y.clone()) * weights;
            let gradients = squared_error(f, y).backward();
            adam.step(&mut model, &gradients.into());
        }
        product(&model.weight.value().t(), model.weight.value())
    }

    /// −½‖xᵢ − xⱼ‖² of columns with columns.
    fn scores<'t>(&self, x: Var<'t>) -> Var<'t> {
        let (value, backward) = (x.value(), self.scores_backward);
        let n = value.ncols();
        let scores =
            Matrix::from_fn(n, n, |i, j| -0.5 * (value.column(i) - value.column(j)).norm_squared());
        x.tape().push([x], scores, move |de, [x_id], gradients| {
            let (dq, dk) = backward(&value, &value, &de);
            gradients.add(x_id, dq + dk);
        })
    }
}

fn check(parts: Parts) {
    let (x, y) = noisy_points(50, &mut rng(0));
    let widths = parts.widths(&x, &y);
    let ours = descend(1.0, RATE, STEPS, |w| error_of_width(&x, &y, w, Sees::Others));
    let losses: Vec<f32> = widths.iter().map(|w| parts.loss(&x, &y, *w)).collect();
    let (places, values) = plane_points(60, 0.5, 30.0, &mut rng(0));
    let metric = parts.metric(&places, &values);
    let start = Attention::new(Matrix::identity(2, 2));
    let our_metric = training::train(start, &places, &values, METRIC_STEPS).metric();
    let (w, last) = (widths[STEPS], ours.last().expect("steps"));
    let mut report =
        format!("\nfifty points, {STEPS} steps from w = 1 {:>9} {:>11}\n", "yours", "chapter's");
    for (name, yours, ours) in [
        ("width", w, last.w),
        ("loss", losses[STEPS], last.loss),
        ("sharp direction in degrees", direction(&metric), direction(&our_metric)),
    ] {
        report += &format!("{name:33} {yours:>9.3} {ours:>11.3}\n");
    }
    report += "\nthe loss while it learns\n";
    for (step, (w, loss)) in widths.iter().zip(&losses).enumerate().step_by(5) {
        let bar = "█".repeat((2.0 * loss).round().clamp(0.0, 60.0) as usize);
        report += &format!("{step:>5}  w = {w:5.2} {loss:6.2} {bar}\n");
    }
    show(report);
    expect(w, last.w, 1e-3).of("your width (2.3), beside the chapter's").check();
    expect(losses[STEPS], last.loss, 1e-3).of("your loss at that width (2.1)").check();
    expect(&metric, &our_metric, 1e-2).of("your metric (2.6), beside the chapter's").check();
}

/// Where a metric stretches most, in degrees from the first axis.
fn direction(metric: &Matrix) -> f32 {
    0.5 * (2.0 * metric[(0, 1)]).atan2(metric[(0, 0)] - metric[(1, 1)]).to_degrees()
}
