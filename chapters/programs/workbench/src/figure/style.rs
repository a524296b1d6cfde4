//! Sizes, and what the parts of a chart are drawn with.

use plotters::style::RGBColor;

/// Stands for the colour of the surrounding text until the picture is finished.
pub(super) const INK: RGBColor = RGBColor(1, 2, 3);
pub(super) const FONT: &str = "sans-serif";
pub(super) const FONT_SIZE: f64 = 16.0;
/// plotters takes a font's height from its lowest to its highest letter, 1.24 times the size in SVG.
pub(super) const PLOTTERS_SIZE: f64 = FONT_SIZE * 1.24;
pub(super) const WIDTH: u32 = 540; // at most: a phone shows it at two thirds
pub(super) const HEIGHT: u32 = 360;
/// plotters knows whole pixels only, and lines of whole pixels wobble: a chart is drawn so many
/// times too large, and shrunk.
pub(super) const FINE: u32 = 20;
