//! What a chart shows.

use super::colour::Colour;

/// What belongs together in a chart, and is drawn in one way.
pub(super) struct Series {
    pub name: String,
    pub kind: SeriesKind,
    pub points: Vec<(f64, f64)>,
    pub colour: Colour,
    pub width: u32,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum SeriesKind {
    Line,
    Dashed,
    Points,
    Rings,
    Band,
}

impl Series {
    /// Whether it is a line with an end on the right; one that stands upright marks a place.
    pub fn has_end(&self) -> bool {
        let across = self.points.first().map(|p| p.0) != self.points.last().map(|p| p.0);
        across && matches!(self.kind, SeriesKind::Line | SeriesKind::Dashed)
    }
}
