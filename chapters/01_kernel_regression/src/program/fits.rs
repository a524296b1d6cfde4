//! Kernels and bandwidths on the fifty points, each with its errors.

use super::config::Config;
use super::queries::{Data, grid, whole};
use crate::bandwidth::{Choice, candidates, choose, leave_one_out_error};
use crate::data::noisy_points;
use crate::{Kernel, average_pooling, mean_squared_error, nadaraya_watson, streaming};
use serde::{Deserialize, Serialize};
use shared::{Float, rng};
use std::collections::BTreeMap;
use workbench::figure::{Chart, Svg, colour, points};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Flat {
    pub value: Float,
    pub leave_one_out: f64,
    pub error: f64,
}

pub(super) fn flat((x, y): &Data) -> Flat {
    let (_, truths) = whole();
    let value = average_pooling(y);
    let others = |i: usize| average_pooling(&[&y[..i], &y[i + 1..]].concat());
    let predictions: Vec<Float> = (0..x.len()).map(others).collect();
    Flat {
        value,
        leave_one_out: mean_squared_error(&predictions, y),
        error: mean_squared_error(&vec![value; truths.len()], &truths),
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fit {
    pub bandwidth: Float,
    pub leave_one_out: f64,
    pub error: f64,
}

fn fit((x, y): &Data, kernel: Kernel, bandwidth: Float) -> Fit {
    let (queries, truths) = whole();
    let predictions = nadaraya_watson(&queries, x, y, kernel, bandwidth);
    let error = mean_squared_error(&predictions, &truths);
    Fit { bandwidth, leave_one_out: leave_one_out_error(x, y, kernel, bandwidth, 1), error }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bandwidths {
    pub narrow: Fit,
    pub wide: Fit,
    pub best: Fit,
    /// Mean squared error on the points themselves, each seeing itself, with the narrowest
    /// bandwidth tried.
    pub seeing_itself: f64,
    pub narrowest: Float,
    pub drawn_anew: DrawnAnew,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DrawnAnew {
    pub sets: usize,
    pub smallest: Float,
    pub largest: Float,
    /// Mean squared distance from the truth with the chosen bandwidths, on average.
    pub error: f64,
    /// The same with the best candidate for each set, which only an experiment knows.
    pub error_of_best: f64,
}

pub(super) fn smooth(
    data: &Data,
    config: &Config,
) -> (BTreeMap<String, Fit>, Bandwidths, Vec<(&'static str, Svg)>) {
    let (x, y) = data;
    let (queries, truths) = whole();
    let tried = candidates(x);
    let choices: Vec<Choice> =
        Kernel::ALL.iter().map(|kernel| choose(x, y, *kernel, &tried, 1, || ())).collect();
    let with = |kernel, h| points(&queries, &nadaraya_watson(&queries, x, y, kernel, h));
    let truth_line = points(&queries, &truths);
    let dots = points(x, y);
    let over_data =
        |title| Chart::new(title, "x", "y").points("data", &dots).coloured(colour::GIVEN);

    let mut kernels = BTreeMap::new();
    let mut fits = over_data("").dashed("truth", &truth_line).coloured(colour::GIVEN);
    for (kernel, choice) in Kernel::ALL.into_iter().zip(&choices) {
        kernels.insert(kernel.name().to_owned(), fit(data, kernel, choice.bandwidth));
        let (name, colour) = match kernel {
            Kernel::Boxcar => ("Boxcar", colour::LEARNT),
            Kernel::Gaussian => ("the three others", colour::ASIDE),
            _ => ("", colour::ASIDE),
        };
        fits = fits.line(name, &with(kernel, choice.bandwidth)).coloured(colour);
    }

    let errors: Vec<(Float, Fit)> =
        tried.iter().map(|h| (*h, fit(data, Kernel::Gaussian, *h))).collect();
    let (best, _) = errors.iter().min_by(|a, b| a.1.error.total_cmp(&b.1.error)).expect("tried");
    let narrowest = tried[0];
    let (narrow, wide) = (0.05, 2.0);
    let bandwidths = Bandwidths {
        narrow: fit(data, Kernel::Gaussian, narrow),
        wide: fit(data, Kernel::Gaussian, wide),
        best: fit(data, Kernel::Gaussian, *best),
        seeing_itself: mean_squared_error(
            &nadaraya_watson(x, x, y, Kernel::Gaussian, narrowest),
            y,
        ),
        narrowest,
        drawn_anew: drawn_anew(config),
    };
    let chosen = &choices[0];
    let flat_line = vec![average_pooling(y); queries.len()];
    let pooled = over_data("")
        .dashed("truth", &truth_line)
        .coloured(colour::GIVEN)
        .line("average pooling", &points(&queries, &flat_line))
        .coloured(colour::AVERAGE);
    let sweep = over_data("")
        .line("h = 0.05", &with(Kernel::Gaussian, narrow))
        .coloured(colour::NARROW)
        .line(&format!("h = {:.2}", chosen.bandwidth), &with(Kernel::Gaussian, chosen.bandwidth))
        .coloured(colour::LEARNT)
        .line("h = 2", &with(Kernel::Gaussian, wide))
        .coloured(colour::WIDE);
    let figures = vec![
        ("data", pooled.draw()),
        ("kernels", kernel_shapes()),
        ("fits", fits.draw()),
        ("bandwidths", sweep.named_above().draw()),
        ("leave_one_out", choice_of_bandwidth(chosen, &errors, data)),
    ];
    (kernels, bandwidths, figures)
}

fn drawn_anew(config: &Config) -> DrawnAnew {
    const SETS: usize = 100;
    let mut rng = rng(config.seed);
    let choices: Vec<(Float, f64, f64)> = (0..SETS)
        .map(|_| {
            let (x, y) = noisy_points(config.points, &mut rng);
            let (queries, truths) = whole();
            let tried = candidates(&x);
            let choice = choose(&x, &y, Kernel::Gaussian, &tried, 1, || ());
            let error = |h: Float| {
                let predictions = streaming::smooth(&queries, &x, &y, h);
                mean_squared_error(&predictions, &truths)
            };
            let best = tried.iter().map(|h| error(*h)).fold(f64::INFINITY, f64::min);
            (choice.bandwidth, error(choice.bandwidth), best)
        })
        .collect();
    let bandwidths = || choices.iter().map(|choice| choice.0);
    let mean = |errors: &dyn Fn(&(Float, f64, f64)) -> f64| {
        choices.iter().map(errors).sum::<f64>() / SETS as f64
    };
    DrawnAnew {
        sets: SETS,
        smallest: bandwidths().fold(Float::INFINITY, Float::min),
        largest: bandwidths().fold(0.0, Float::max),
        error: mean(&|choice| choice.1),
        error_of_best: mean(&|choice| choice.2),
    }
}

fn kernel_shapes() -> Svg {
    let u = grid(-2.5, 2.5, 500);
    let shape = |kernel: Kernel| {
        let weights: Vec<Float> = u.iter().map(|u| kernel.weight(*u)).collect();
        points(&u, &weights)
    };
    let chart = Chart::new("", "distance from the query, in bandwidths", "weight");
    Kernel::ALL
        .iter()
        .fold(chart, |chart, k| chart.line(&format!("{k:?}"), &shape(*k)))
        .named_above()
        .draw()
}

fn choice_of_bandwidth(chosen: &Choice, errors: &[(Float, Fit)], (x, y): &Data) -> Svg {
    let against_h = |error: &dyn Fn(&(Float, Fit)) -> f64| -> Vec<(f64, f64)> {
        errors.iter().map(|pair| (f64::from(pair.0), error(pair))).collect()
    };
    let seeing_itself = |(h, _): &(Float, Fit)| {
        mean_squared_error(&nadaraya_watson(x, x, y, Kernel::Gaussian, *h), y)
    };
    let chosen_point = (f64::from(chosen.bandwidth), chosen.error);
    Chart::new("", "bandwidth h", "mean squared error")
        .line("leave-one-out", &against_h(&|(_, fit)| fit.leave_one_out))
        .coloured(colour::LEARNT)
        .line("against the truth", &against_h(&|(_, fit)| fit.error))
        .coloured(colour::AGAINST_TRUTH)
        .line("seeing itself", &against_h(&seeing_itself))
        .coloured(colour::SEES_ITSELF)
        .points("chosen: the smallest when left out", &[chosen_point])
        .coloured(colour::CHOSEN)
        .log(true, false)
        .draw()
}
