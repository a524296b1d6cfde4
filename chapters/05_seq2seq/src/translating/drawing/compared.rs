//! Several models in one chart: each a line through the means of its seeds, in a band from the lowest
//! seed to the highest.

use crate::translating::judging::scores::LengthSpread;
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Svg};

/// Where a line goes, and its band: x, mean, lowest, highest.
type Point = (f64, f64, f64, f64);

/// BLEU or the loss after every epoch: mean, lowest, highest.
pub type Curve = [(f64, f64, f64)];

/// BLEU by the number of source words; the longest sentences that were trained on end at the dashed
/// line.
pub fn by_length(title: &str, models: &[(&str, &[LengthSpread], Colour)]) -> Svg {
    with_longest(lines(empty(title), models.iter().map(by_middle))).draw()
}

/// The same of models of one kind that differ in size, the largest first: the larger, the wider its
/// line.
pub fn by_length_in_depths(title: &str, models: &[(&str, &[LengthSpread], Colour)]) -> Svg {
    let chart = (models.iter().zip([5, 4, 2, 1])).fold(empty(title), |chart, (model, width)| {
        let (name, points, colour) = by_middle(model);
        lines(chart, [(name, points, colour)].into_iter()).wide(width)
    });
    with_longest(chart).draw()
}

fn empty(title: &str) -> Chart {
    Chart::new(title, "source words", "BLEU").y_range(0.0..100.0)
}

fn by_middle<'a>(
    (name, ranges, colour): &(&'a str, &[LengthSpread], Colour),
) -> (&'a str, Vec<Point>, Colour) {
    let point = |range: &LengthSpread| range.bleu.at((range.from + range.to) as f64 / 2.0);
    (name, ranges.iter().map(point).collect(), *colour)
}

fn with_longest(chart: Chart) -> Chart {
    let longest = parallel::LONGEST_TRAINED as f64 + 0.5;
    chart.dashed("longest trained", &[(longest, 0.0), (longest, 100.0)]).coloured(colour::GIVEN)
}

/// BLEU of validation sentences after every epoch.
pub fn learning(models: &[(&str, &Curve, Colour)]) -> Svg {
    let chart = Chart::new("Learning", "epoch", "BLEU on validation").y_range(0.0..100.0);
    by_epoch(chart, models)
}

/// The same from a BLEU of 85 on, where models that all get that far differ; all of it when none does.
pub fn late_learning(models: &[(&str, &Curve, Colour)]) -> Svg {
    let title = format!("From BLEU {LATE:.0} on: who gets there, and when");
    let chart = Chart::new(&title, "epoch", "BLEU on validation").y_range(LATE..98.5);
    let late = |point: &Point| point.1 > LATE;
    if !models.iter().any(|(_, epochs, _)| by_epochs(epochs).any(|point| late(&point))) {
        return learning(models);
    }
    let models = models.iter().map(|(name, epochs, colour)| {
        let points = by_epochs(epochs)
            .filter(late)
            .map(|(x, mean, low, high)| (x, mean, low.max(LATE), high));
        (*name, points.collect::<Vec<Point>>(), *colour)
    });
    lines(chart, models.filter(|model| !model.1.is_empty())).named_above().draw()
}

/// Below this BLEU, [`late_learning`] shows nothing.
const LATE: f64 = 85.0;

/// The loss of validation pairs after every epoch, logarithmic: what the last epochs still gain is
/// small beside the first.
pub fn losses(title: &str, models: &[(&str, &Curve, Colour)]) -> Svg {
    let chart = Chart::new(title, "epoch", "loss on validation, nats").log(false, true);
    by_epoch(chart.named_above(), models)
}

fn by_epoch(chart: Chart, models: &[(&str, &Curve, Colour)]) -> Svg {
    let models = models
        .iter()
        .map(|(name, epochs, colour)| (*name, by_epochs(epochs).collect::<Vec<Point>>(), *colour));
    lines(chart, models).draw()
}

fn by_epochs(epochs: &Curve) -> impl Iterator<Item = Point> {
    let point = |(epoch, (mean, low, high)): (i32, &(f64, f64, f64))| {
        (f64::from(epoch), *mean, *low, *high)
    };
    (1..).zip(epochs).map(point)
}

fn lines<'a>(chart: Chart, models: impl Iterator<Item = (&'a str, Vec<Point>, Colour)>) -> Chart {
    models.fold(chart, |chart, (name, points, colour)| chart.spread(name, points).coloured(colour))
}
