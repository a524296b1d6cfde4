//! The page's pictures of the comparison.

use crate::world::Task;
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Svg};
use workbench::study::Numbers;

type Picture = (&'static str, fn(&Numbers) -> Svg);

pub const FIGURES: [Picture; 2] = [("seeds", seeds), ("kin", kin)];

/// The wrong answers of every seed as a dot, task by task; a task has its name in the results, and a short one.
fn dots(found: &Numbers, tasks: &[[&str; 2]], models: &[(&str, Colour)]) -> Svg {
    let chart = Chart::new("Ten seeds each", "task", "wrong answers, %").height(310);
    let chart = models.iter().enumerate().fold(chart, |chart, (m, (model, colour))| {
        let shift = (m as f64 - (models.len() - 1) as f64 / 2.0) * 0.18;
        let of_task = |(t, [task, _]): (usize, &[&str; 2])| {
            let of = found.of(&format!("{task} with {model}"), "accuracy");
            let seeds = of.map(|of| of.of_seeds.clone()).unwrap_or_default();
            seeds.into_iter().map(move |right| (t as f64 + shift, 100.0 * (1.0 - right)))
        };
        let points: Vec<(f64, f64)> = tasks.iter().enumerate().flat_map(of_task).collect();
        chart.points(model, &points).coloured(*colour)
    });
    let ends = -0.5..tasks.len() as f64 - 0.5;
    let names: Vec<&str> = tasks.iter().map(|task| task[1]).collect();
    chart.x_names(&names).x_range(ends).y_range(0.0..70.0).draw()
}

fn seeds(found: &Numbers) -> Svg {
    let models = [
        ("three hops", colour::LEARNT),
        ("softmax from the start", colour::PALETTE[2]),
        ("one hop", colour::PALETTE[3]),
        ("self-attention", colour::SELF_ATTENTION),
    ];
    let short = ["one fact", "two", "three", "yes, no", "count", "names", "time"];
    let tasks: Vec<[&str; 2]> =
        Task::ALL.iter().zip(short).map(|(task, short)| [task.name(), short]).collect();
    dots(found, &tasks, &models)
}

fn kin(found: &Numbers) -> Svg {
    let models = [
        ("linear keys and values", colour::LEARNT),
        ("linear sentences", colour::PALETTE[2]),
        ("linear bags of words", colour::PALETTE[3]),
        ("keys and values", colour::ASIDE),
    ];
    dots(found, &[["kin one fact", "kin, one fact"], ["kin two facts", "kin, two facts"]], &models)
}
