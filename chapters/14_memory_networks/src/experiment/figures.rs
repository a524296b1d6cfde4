//! The page's pictures of the comparison.

use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Svg};
use workbench::study::Numbers;
use worlds::rooms::Task;

type Picture = (&'static str, fn(&Numbers) -> Svg);

pub const FIGURES: [Picture; 2] = [("seeds", seeds), ("kin", kin)];

/// The wrong answers of every seed as a dot, task by task.
fn dots(found: &Numbers, tasks: &[&str], models: &[(&str, Colour)], title: &str) -> Svg {
    let chart = Chart::new(title, "", "wrong answers, %").height(300);
    let chart = models.iter().enumerate().fold(chart, |chart, (m, (model, colour))| {
        let shift = (m as f64 - (models.len() - 1) as f64 / 2.0) * 0.18;
        let of_task = |(t, task): (usize, &&str)| {
            let of = found.of(&format!("{task} with {model}"), "accuracy");
            let seeds = of.map(|of| of.of_seeds.clone()).unwrap_or_default();
            seeds.into_iter().map(move |right| (t as f64 + shift, 100.0 * (1.0 - right)))
        };
        let points: Vec<(f64, f64)> = tasks.iter().enumerate().flat_map(of_task).collect();
        chart.points(model, &points).coloured(*colour)
    });
    let ends = -0.5..tasks.len() as f64 - 0.5;
    chart.x_names(tasks).x_range(ends).y_range(0.0..70.0).draw()
}

fn seeds(found: &Numbers) -> Svg {
    let models = [
        ("three hops", colour::LEARNT),
        ("softmax from the start", colour::PALETTE[2]),
        ("one hop", colour::PALETTE[3]),
        ("self-attention", colour::SELF_ATTENTION),
    ];
    dots(found, &Task::ALL.map(Task::name), &models, "Ten seeds each")
}

fn kin(found: &Numbers) -> Svg {
    let models = [
        ("keys and values", colour::LEARNT),
        ("sentences", colour::PALETTE[2]),
        ("bags of words", colour::PALETTE[3]),
    ];
    dots(found, &["kin one fact", "kin two facts"], &models, "Ten seeds each")
}
