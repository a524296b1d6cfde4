//! Two inputs, one of them irrelevant.

use super::config::Config;
use super::descents::arrived;
use crate::plane::plane_points;
use crate::training::train;
use crate::{Attention, learn};
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Tape, Var, rng, squared_error as error_on_tape};
use workbench::stream;

/// Points in a plane whose value depends on the first input alone, or on one direction.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plane {
    /// One width for both inputs: `W = w·1`, learnt.
    pub one_width: PlaneFit,
    /// A full matrix `W`, learnt.
    pub full: PlaneFit,
    pub turned: PlaneFit,
    /// The direction in which the metric of `full` stretches most, in degrees from the first axis.
    pub full_angle: Float,
    /// The same of `turned`.
    pub turned_angle: Float,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlaneFit {
    /// `WᵀW`, row by row.
    pub metric: [[Float; 2]; 2],
    pub error: Float,
    /// The mean squared distance from the truth at 2000 fresh places.
    pub distance_from_truth: Float,
}

/// Learns one width, a matrix, and a matrix for turned inputs; hands out both metrics for a picture.
pub(super) fn learn_metrics(config: &Config) -> (Plane, [Matrix; 2]) {
    let start = Matrix::identity(2, 2);
    let learnt = |angle: Float| {
        let rng = &mut rng(stream(config.seed, 0));
        let (x, y) = plane_points(config.plane_points, 0.5, angle, rng);
        let model = train(Attention::new(start.clone()), &x, &y, config.plane_steps);
        (plane_fit(&model, &x, &y, angle), model.metric())
    };
    let (full, metric) = learnt(0.0);
    let (turned, turned_metric) = learnt(config.angle);

    let (x, y) = plane_points(config.plane_points, 0.5, 0.0, &mut rng(stream(config.seed, 0)));
    let scaled = |w: Float| Attention::new(&start * w);
    // Along W = w·1 the derivative in w is the trace of ∂L/∂W.
    let loss = |w: Float| {
        let (model, tape) = (scaled(w), Tape::new());
        let loss = leave_one_out_loss(&model, &tape, &x, &y);
        let gradients = loss.1.backward();
        (loss.0, gradients.of(&model.weight).map_or(0.0, |d| d.trace()))
    };
    let one_width = scaled(arrived(&learn(1.0, loss)).w);
    let plane = Plane {
        one_width: plane_fit(&one_width, &x, &y, 0.0),
        full,
        full_angle: longest_direction(&metric),
        turned_angle: longest_direction(&turned_metric),
        turned,
    };
    (plane, [metric, turned_metric])
}

fn leave_one_out_loss<'t>(
    model: &Attention,
    tape: &'t Tape,
    x: &Matrix,
    y: &Matrix,
) -> (Float, Var<'t>) {
    let f = model.leave_one_out(tape.constant(x.clone()), tape.constant(y.clone()));
    let loss = error_on_tape(f, y);
    (loss.scalar(), loss)
}

fn plane_fit(model: &Attention, x: &Matrix, y: &Matrix, angle: Float) -> PlaneFit {
    let tape = Tape::without_gradients();
    let (loss, _) = leave_one_out_loss(model, &tape, x, y);
    let (queries, truths) = plane_points(2000, 0.0, angle, &mut rng(1_000_000));
    let [queries, keys, values] =
        [queries, x.clone(), y.clone()].map(|matrix| tape.constant(matrix));
    let f = model.forward(queries, keys, values).value();
    let m = model.metric();
    PlaneFit {
        metric: [[m[(0, 0)], m[(0, 1)]], [m[(1, 0)], m[(1, 1)]]],
        error: loss / x.ncols() as Float,
        distance_from_truth: (&*f - truths).norm_squared() / f.ncols() as Float,
    }
}

fn longest_direction(m: &Matrix) -> Float {
    (0.5 * (2.0 * m[(0, 1)]).atan2(m[(0, 0)] - m[(1, 1)])).to_degrees()
}
