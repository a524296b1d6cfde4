//! The chapter's experiment: what the page reports, as functions from settings to numbers and
//! pictures.
//!
//! | file | about |
//! |---|---|
//! | `config` | what can be set |
//! | `example` | three neighbours of half past ten |
//! | `gradient` | the gradient, computed in three ways |
//! | `descents` | the textbook's training and others, from the same start |
//! | `fits` | the curves that come of it |
//! | `itself` | training in which a point may attend to itself |
//! | `first_step` | the textbook's first step on further data sets |
//! | `in_the_plane` | two inputs, one of them irrelevant |
//! | `differences` | how exact finite differences are |
//! | `timing` | what the tape costs |
//! | `figures`, `grid` | the pictures, and where their curves are asked for |

#![allow(missing_docs)] // an experiment: names say it

mod config;
mod descents;
mod differences;
mod example;
mod figures;
mod first_step;
mod fits;
mod gradient;
mod grid;
mod in_the_plane;
mod itself;
mod timing;

pub use crate::graph::{Graph, graph};
pub use crate::plane::plane_points;
pub use crate::training::{on_tape, train};
pub use config::Config;
pub use descents::{Descents, Width};
pub use differences::Differences;
pub use example::{Answer, Example};
pub use first_step::{FirstStep, Halved};
pub use fits::{Fit, Fits};
pub use gradient::GradientCheck;
pub use grid::{even, spaced};
pub use in_the_plane::{Plane, PlaneFit};
pub use itself::{Itself, Memory};
pub use timing::{Measured, time};

use crate::Step;
use kernel_regression::data::{noisy_points, truth};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use shared::{Float, rng};
use workbench::figure::Svg;
use workbench::stream;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    pub config: Config,
    pub example: Example,
    pub gradient: GradientCheck,
    /// The textbook's training: `epochs + 1` entries, the last being where it arrived.
    pub textbook: Vec<Step>,
    pub descents: Descents,
    /// The learnt width beside chapter 1's bandwidth.
    pub width: Width,
    pub fits: Fits,
    pub itself: Itself,
    pub first_step: FirstStep,
    pub halved: Halved,
    pub plane: Plane,
    pub graph: Graph,
    pub differences: Differences,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
}

/// Runs everything; `step` is called after each of [`PARTS`] parts.
pub fn run(config: &Config, step: impl Fn()) -> (Results, Vec<(&'static str, Svg)>) {
    let rng = &mut rng(stream(config.seed, 0));
    let (x, y) = noisy_points(config.points, rng);
    let start = rng.random::<f64>() as Float; // w₀ ~ U(0, 1)

    let textbook = descents::textbook_training(config, start, &x, &y);
    let w_textbook = descents::arrived(&textbook).w;
    let (descents, w_learnt) = descents::compare(config, start, &x, &y);
    step();
    let itself = itself::measure(config, start, &x, &y);
    step();
    let w_itself = itself.epochs_50000.w;
    let (first_step, first_step_figure) = first_step::first_steps(config);
    let halved = first_step::halved(config, start, &x, &y);
    step();
    let (plane, metrics) = in_the_plane::learn_metrics(config);
    step();
    let fits = Fits {
        unit: fits::fit(1.0, &x, &y),
        textbook: fits::fit(w_textbook, &x, &y),
        learnt: fits::fit(w_learnt, &x, &y),
        itself: fits::fit(w_itself, &x, &y),
        truth_bending: fits::bending(
            &even(0.0, 5.0, 501).into_iter().map(truth).collect::<Vec<_>>(),
        ),
    };
    let (differences, differences_figure) = differences::measure();
    let results = Results {
        config: config.clone(),
        example: example::by_hand(),
        gradient: gradient::check(start, &x, &y),
        width: descents::width(w_learnt, &x, &y),
        textbook,
        descents,
        fits,
        itself,
        first_step,
        halved,
        plane,
        graph: graph(),
        differences,
        measured: None,
    };
    let figures = vec![
        ("landscape", figures::landscape(config, &x, &y, &results.textbook, w_learnt)),
        ("first_step", first_step_figure),
        ("fits", figures::fits(config, &x, &y, w_textbook, w_learnt)),
        ("weights", figures::weights(&x, w_learnt)),
        ("memorised", figures::memorised(&x, &y, w_itself, w_learnt)),
        ("metric", figures::metrics(&metrics, config.angle)),
        ("differences", differences_figure),
    ];
    (results, figures)
}

/// How often [`run`] reports progress.
pub const PARTS: u64 = 4;
