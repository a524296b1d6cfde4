//! Letters: their style, their width, and numbers at ticks.

use super::style::{FONT, FONT_SIZE, INK, PLOTTERS_SIZE};
use plotters::prelude::*;

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
pub(super) type DrawError = DrawingAreaErrorKind<std::io::Error>;
pub(super) type Drawn = std::result::Result<(), DrawError>;

/// Text in the colour of the page, on a drawing so many times too large.
pub(super) fn letters(fine: u32) -> TextStyle<'static> {
    (FONT, PLOTTERS_SIZE * f64::from(fine)).into_font().color(&INK)
}

pub(super) fn draw_title(root: &Area, title: &str, fine: u32) -> Drawn {
    let fine_i = fine as i32;
    let centre = (root.get_pixel_range().0.len() as i32 - fine_i * text_width(title)) / 2;
    let place = (centre.max(4 * fine_i), 8 * fine_i);
    root.draw(&Text::new(title.to_owned(), place, letters(fine)))
}

/// Roughly how many pixels a text takes: there is no font to measure it with.
pub(super) fn text_width(text: &str) -> i32 {
    let widths = text.chars().map(|c| if (c as u32) < 0x2E80 { 0.56 } else { 1.0 }); // CJK is square
    (widths.sum::<f64>() * FONT_SIZE) as i32
}

/// A tick's label: short for any size of number.
pub(super) fn tick(v: f64) -> String {
    power(if v.abs() < 1e-12 { 0.0 } else { v })
}

/// The same on a logarithmic axis, where no number is as good as 0.
pub(super) fn power(v: f64) -> String {
    if v == 0.0 || (1e-3..1e5).contains(&v.abs()) {
        let text = format!("{v:.4}");
        return text.trim_end_matches('0').trim_end_matches('.').replace('-', "−");
    }
    let exponent = v.abs().log10().floor();
    let mantissa = v / 10f64.powf(exponent);
    let power: String = format!("{exponent}")
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            digit => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize - '0' as usize).unwrap_or(digit),
        })
        .collect();
    if (mantissa - 1.0).abs() < 1e-9 {
        return format!("10{power}");
    }
    let mantissa = format!("{mantissa:.1}");
    format!("{}·10{power}", mantissa.trim_end_matches(".0").replace('-', "−"))
}

/// Text in ink at (x, y), nothing for no words.
pub(super) fn label(words: &str, x: f64, y: f64, anchor: &str) -> String {
    if words.is_empty() {
        return String::new();
    }
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-family=\"{FONT}\" font-size=\"{FONT_SIZE}\" fill=\"currentColor\">{}</text>\n",
        escape(words)
    )
}

/// A label read from below to above, turned about (x, y).
pub(super) fn turned(label: &str, x: f64, y: f64) -> String {
    format!("<g transform=\"rotate(-90 {x:.1} {y:.1})\">{}</g>\n", label.trim())
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
