//! 1.5 leave-one-out from a single fit

use super::solutions;
use super::support::means;
use kernel_regression::{Float, Kernel, Matrix};
use tests::exercises::{Exercise, wrong};
use tests::expect;

pub type LeaveOneOutFrom = fn(&Matrix, &[Float]) -> Vec<Float>;

pub const EXERCISE: Exercise<LeaveOneOutFrom> = Exercise {
    check,
    wrong: &[
        wrong("plain predictions: the points are still in them", |a, y| {
            means(a, y, |all, _, _| all)
        }),
        wrong("the weights that remain no longer sum to 1", |a, y| {
            means(a, y, |all, own, y| all - own * y)
        }),
        wrong("the weights of point j are column j, not row j", |a, y| {
            solutions::leave_one_out_from(&a.transpose(), y)
        }),
        wrong("the residuals: asked for is the prediction", |a, y| {
            means(a, y, |all, own, y| (y - all) / (1.0 - own))
        }),
    ],
};

fn check(leave_one_out_from: LeaveOneOutFrom) {
    let (keys, values) = ([0.0, 0.5, 2.0, 2.25], [1.0, 4.0, -2.0, 3.0]);
    let weights = solutions::attention_weights(&keys, &keys, 0.7);
    let right = kernel_regression::leave_one_out(&keys, &values, Kernel::Gaussian, 0.7);
    expect(leave_one_out_from(&weights, &values), right, 1e-4)
        .of("leave_one_out_from(weights, values)")
        .given("weights", &weights)
        .given("values", values)
        .hint("two steps: point j's own share leaves the sum; what is left is divided by the weights that are left")
        .check();
}
