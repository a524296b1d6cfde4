//! Colours and sizes.

use plotters::style::RGBColor;

/// Blue, vermillion, green, orange, purple, sky: Okabe & Ito's colours, in our order.
pub const PALETTE: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(230, 159, 0),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
];

/// Stands for the colour of the surrounding text until the picture is finished.
pub(super) const INK: RGBColor = RGBColor(1, 2, 3);
pub(super) const FONT: &str = "sans-serif";
pub(super) const FONT_SIZE: f64 = 16.0;
/// plotters takes a font's height from its lowest to its highest letter, 1.24 times the size in SVG.
pub(super) const PLOTTERS_SIZE: f64 = FONT_SIZE * 1.24;
pub(super) const WIDTH: u32 = 540; // at most: a phone shows it at two thirds
pub(super) const HEIGHT: u32 = 360;
