//! Several models in one chart: each a line through the means of its seeds, in a band from the lowest
//! seed to the highest.

use super::spreads::LengthSpread;
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Svg};

/// Where a line goes, and its band: x, mean, lowest, highest.
type Point = (f64, f64, f64, f64);

/// BLEU or the loss after every epoch: mean, lowest, highest.
pub type Curve = [(f64, f64, f64)];

/// BLEU by the number of source words; the longest sentences that were trained on end at the dashed
/// line.
pub fn by_length(title: &str, models: &[(&str, &[LengthSpread], Colour)]) -> Svg {
    let longest = corpora::parallel::LONGEST_TRAINED as f64 + 0.5;
    let chart = Chart::new(title, "source words", "BLEU").y_range(0.0..100.0);
    let point = |range: &LengthSpread| {
        let middle = (range.from + range.to) as f64 / 2.0;
        (middle, range.bleu.mean, range.bleu.lowest, range.bleu.highest)
    };
    let models = models.iter().map(|(name, ranges, colour)| {
        (*name, ranges.iter().map(point).collect::<Vec<Point>>(), *colour)
    });
    lines(chart, models)
        .dashed("longest trained", &[(longest, 0.0), (longest, 100.0)])
        .coloured(colour::GIVEN)
        .draw()
}

/// BLEU of validation sentences after every epoch.
pub fn learning(models: &[(&str, &Curve, Colour)]) -> Svg {
    let chart = Chart::new("Learning", "epoch", "BLEU on validation").y_range(0.0..100.0);
    by_epoch(chart, models)
}

/// The loss of validation pairs after every epoch, logarithmic: what the last epochs still gain is
/// small beside the first.
pub fn losses(title: &str, models: &[(&str, &Curve, Colour)]) -> Svg {
    by_epoch(Chart::new(title, "epoch", "loss on validation, nats").log(false, true), models)
}

fn by_epoch(chart: Chart, models: &[(&str, &Curve, Colour)]) -> Svg {
    let models = models.iter().map(|(name, epochs, colour)| {
        let epochs = (1..).zip(*epochs);
        let point = |(epoch, (mean, low, high)): (i32, &(f64, f64, f64))| {
            (f64::from(epoch), *mean, *low, *high)
        };
        (*name, epochs.map(point).collect::<Vec<Point>>(), *colour)
    });
    lines(chart, models).draw()
}

fn lines<'a>(chart: Chart, models: impl Iterator<Item = (&'a str, Vec<Point>, Colour)>) -> Chart {
    models.fold(chart, |chart, (name, points, colour)| {
        let band: Vec<_> = points.iter().map(|(x, _, low, high)| (*x, *low, *high)).collect();
        let line: Vec<_> = points.iter().map(|(x, mean, ..)| (*x, *mean)).collect();
        chart.band(&band).line(name, &line).coloured(colour)
    })
}
