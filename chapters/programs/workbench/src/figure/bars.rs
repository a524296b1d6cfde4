//! Rows of bars over the same words.

use super::style::WIDTH;
use super::svg::Svg;
use super::text::{label, text_width, tick, turned};

const LEFT: f64 = 16.0;
const HIGH: f64 = 76.0;
const ROW: f64 = HIGH + 46.0;

/// Rows of bars on one scale, a bar a word. The bars of one word, the `marked` one, are in colour and
/// have their numbers; the others are grey.
///
/// # Panics
/// When a row does not have a bar for every word.
pub fn bars(title: &str, words: &[&str], rows: &[(&str, &[f64])], marked: usize) -> Svg {
    let top = if title.is_empty() { 6.0 } else { 34.0 };
    let largest = rows.iter().flat_map(|row| row.1).copied().fold(0.0, f64::max);
    let step = (f64::from(WIDTH) - 2.0 * LEFT) / words.len() as f64;
    let mut drawn = label(title, 4.0, 20.0, "start");
    for (r, (name, values)) in rows.iter().enumerate() {
        assert_eq!(values.len(), words.len(), "bars of `{name}`");
        let floor = top + ROW * r as f64 + 40.0 + HIGH;
        drawn += &label(name, 4.0, floor - HIGH - 22.0, "start");
        for (j, value) in values.iter().enumerate() {
            let (x, high) = (LEFT + step * j as f64, HIGH * value / largest);
            let colour = if j == marked { "#0072B2" } else { "#808080" };
            drawn += &format!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{high:.1}\" fill=\"{colour}\"/>\n",
                x + 0.15 * step,
                floor - high,
                0.7 * step
            );
            if j == marked {
                let number = tick((value * 10.0).round() / 10.0);
                drawn += &label(&number, x + step / 2.0, floor - high - 4.0, "middle");
            }
        }
        drawn += &format!(
            "<path stroke=\"currentColor\" stroke-opacity=\"0.6\" d=\"M{LEFT} {floor:.1}H{:.1}\"/>\n",
            f64::from(WIDTH) - LEFT
        );
    }
    let floor = top + ROW * rows.len() as f64;
    for (j, word) in words.iter().enumerate() {
        let (x, y) = (LEFT + step * (j as f64 + 0.5) + 5.0, floor + 4.0);
        drawn += &turned(&label(word, x, y, "end"), x, y);
    }
    let longest = words.iter().map(|word| text_width(word)).max().unwrap_or(0);
    Svg::new(WIDTH, (floor + f64::from(longest)) as u32 + 10, "", &drawn)
}
