//! A finished picture.

use super::style::FINE;
use crate::files::marks::DRAWING;
use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// A finished picture. `to_string` gives the file; in a notebook, as a cell's last expression, it
/// shows itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Svg {
    width: u32,
    height: u32,
    body: String,
}

/// Whether XML 1.0 can say a character at all: of a reader's labels and words, some are none.
fn may_stand_in_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

impl Svg {
    /// Wraps what plotters drew: its drawing without its `<svg>` tag, its placeholder for ink
    /// resolved.
    pub(super) fn new(width: u32, height: u32, drawn: &str, extra: &str) -> Svg {
        let inner =
            drawn.find("<svg").and_then(|tag| drawn[tag..].find('>').map(|end| tag + end + 1));
        let inner = &drawn[inner.unwrap_or(0)..drawn.rfind("</svg>").unwrap_or(drawn.len())];
        let body = format!(
            "{}{extra}",
            inner
                .replace("#010203", "currentColor")
                .replace("16.000000000000004", "16")
                .trim_start()
        );
        Svg { width, height, body: body.replace(|c| !may_stand_in_xml(c), "\u{fffd}") }
    }

    /// A picture that a chapter draws itself: `body` is SVG, in which `currentColor` is ink.
    pub fn drawing(width: u32, height: u32, body: &str) -> Svg {
        Svg::new(width, height, "", body)
    }

    /// The same for a drawing that is [`FINE`] times too large: its whole numbers become fractions
    /// of a pixel.
    pub(super) fn shrunk(width: u32, height: u32, drawn: &str, extra: &str) -> Svg {
        let Svg { body, .. } = Svg::new(width, height, drawn, "");
        let scale = 1.0 / f64::from(FINE);
        let group = format!("<g transform=\"scale({scale})\" stroke-linejoin=\"round\">");
        Svg::new(width, height, "", &format!("{group}\n{body}</g>\n{extra}"))
    }

    /// Several pictures in a grid, row by row: panels, which a page sets one below the other where it
    /// is narrow.
    ///
    /// # Panics
    /// When there are no pictures or no columns.
    pub fn grid(pictures: &[Svg], columns: usize) -> Svg {
        assert!(!pictures.is_empty() && columns > 0, "a grid needs pictures and columns");
        let cell_width = pictures.iter().map(|p| p.width).max().unwrap_or(0);
        let cell_height = pictures.iter().map(|p| p.height).max().unwrap_or(0);
        let mut body = String::new();
        for (i, p) in pictures.iter().enumerate() {
            let (x, y) = (cell_width * (i % columns) as u32, cell_height * (i / columns) as u32);
            body += &p.panel("panel", x, y);
        }
        let columns = columns.min(pictures.len()) as u32;
        let rows = pictures.len().div_ceil(columns as usize) as u32;
        Svg { width: cell_width * columns, height: cell_height * rows, body }
    }

    /// The same above the key that its panels share.
    pub fn keyed(self, key: &Svg) -> Svg {
        let (width, height) = (self.width.max(key.width), self.height + key.height);
        Svg { width, height, body: self.body + &key.panel("key", 0, self.height) }
    }

    fn panel(&self, class: &str, x: u32, y: u32) -> String {
        let (w, h, body) = (self.width, self.height, &self.body);
        format!(
            "<svg class=\"{class}\" x=\"{x}\" y=\"{y}\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\">\n{body}</svg>\n"
        )
    }

    /// Called by the notebook kernel: shows the picture under the cell, on white whatever the
    /// theme.
    pub fn evcxr_display(&self) {
        let ground = "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>";
        let tag = self.tag(" color=\"#222222\"");
        println!(
            "EVCXR_BEGIN_CONTENT image/svg+xml\n{tag}{ground}{}</svg>\nEVCXR_END_CONTENT",
            self.body
        );
    }

    fn tag(&self, attributes: &str) -> String {
        let (w, h) = (self.width, self.height);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\"{attributes}>\n"
        )
    }
}

impl Display for Svg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{DRAWING}\n{}</svg>\n", self.tag(""), self.body)
    }
}

#[cfg(test)]
mod tests {
    use crate::figure::{Chart, Heatmap};
    use shared::Matrix;

    #[test]
    fn what_xml_cannot_say_is_replaced() {
        let (label, shown) = ("a\u{ffff}b\u{1}\u{10ffff}<", "a\u{fffd}b\u{fffd}\u{10ffff}&lt;");
        let names = [label.to_owned()];
        let heatmap = Heatmap::new(label, label, label, &Matrix::zeros(1, 1)).x_names(&names);
        let chart = Chart::new(label, label, label).line(label, &[(0.0, 1.0), (1.0, 0.0)]);
        for svg in [heatmap.draw(), chart.draw()].map(|svg| svg.to_string()) {
            assert!(svg.contains(shown) && !svg.contains(['\u{ffff}', '\u{1}']), "{svg}");
        }
    }
}
