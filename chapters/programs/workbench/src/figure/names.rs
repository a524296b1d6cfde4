//! Where a chart names its series: lines at their right ends, all else above the plot.

use super::colour::hex;
use super::series::{Series, SeriesKind};
use super::style::WIDTH;
use super::text::{label, text_width};

/// The series that have a name, by where it stands.
pub(super) struct Names<'s> {
    at_ends: Vec<&'s Series>,
    above: Vec<&'s Series>,
}

/// The height of a row at an end, what is left between two names there, and the height of a row above.
const ROW: f64 = 17.0;
const GAP: f64 = 5.0;
const ROW_ABOVE: u32 = 22;

impl<'s> Names<'s> {
    pub fn of(series: &'s [Series], all_above: bool) -> Names<'s> {
        let named = series.iter().filter(|series| !series.name.is_empty());
        let (at_ends, above) = named.partition(|series| !all_above && series.has_end());
        Names { at_ends, above }
    }

    /// How much names at ends take from the width of the plot.
    pub fn room(&self) -> u32 {
        let rows = self.at_ends.iter().flat_map(|series| rows(&series.name));
        rows.map(|row| text_width(row) as u32 + 22).max().unwrap_or(0)
    }

    /// Names at the ends of lines, kept apart. `place` is where a point is drawn, if it is.
    pub fn at_ends(
        &self,
        bottom: f64,
        place: impl Fn(&(f64, f64)) -> Option<(f64, f64)>,
    ) -> String {
        let ends = self.at_ends.iter().filter_map(|series| {
            let (x, y) = series.points.iter().rev().find_map(&place)?;
            Some((x, y, *series, rows(&series.name)))
        });
        let mut ends: Vec<_> = ends.collect();
        ends.sort_by(|a, b| a.1.total_cmp(&b.1));
        let high = |rows: &[&str]| ROW * rows.len() as f64 + GAP;
        let mut tops = Vec::new();
        let mut next = f64::NEG_INFINITY;
        for (_, y, _, rows) in &ends {
            tops.push(next.max(y - high(rows) / 2.0));
            next = tops[tops.len() - 1] + high(rows);
        }
        let mut lowest = bottom + (ROW + GAP) / 2.0;
        let mut drawn = String::new();
        for ((x, y, series, rows), top) in ends.iter().zip(tops).rev() {
            let top = top.min(lowest - high(rows));
            lowest = top;
            drawn += &format!(
                "<path fill=\"none\" stroke=\"{}\" stroke-width=\"2\" d=\"M{x:.1} {y:.1}L{:.1} {:.1}h8\"/>\n",
                hex(series.colour),
                x + 8.0,
                top + high(rows) / 2.0
            );
            for (row, words) in rows.iter().enumerate() {
                drawn += &label(words, x + 20.0, top + 16.0 + ROW * row as f64, "start");
            }
        }
        drawn
    }

    /// Where each name above stands: x and row.
    fn places(&self) -> Vec<(u32, u32)> {
        let mut places = Vec::new();
        let (mut x, mut row) = (24, 0);
        for series in &self.above {
            let width = 54 + text_width(&series.name) as u32;
            if x > 24 && x + width > WIDTH {
                (x, row) = (24, row + 1);
            }
            places.push((x, row));
            x += width;
        }
        places
    }

    /// How much names above take from the height of the plot.
    pub fn height(&self) -> u32 {
        self.places().last().map_or(0, |place| 24 * (place.1 + 1))
    }

    /// Rows of names from `top` on, above the plot, where they never cover data.
    pub fn above(&self, top: u32) -> String {
        let mut drawn = String::new();
        for (series, (x, row)) in self.above.iter().zip(self.places()) {
            let (y, colour) = (top + 6 + ROW_ABOVE * row, hex(series.colour));
            let dot =
                |style: &str| format!("<circle cx=\"{}\" cy=\"{y}\" r=\"4\" {style}/>\n", x + 13);
            let path = |d: &str| {
                format!(
                    "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"3\" d=\"M{x} {y}{d}\"/>\n"
                )
            };
            drawn += &match series.kind {
                SeriesKind::Rings => {
                    dot(&format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\""))
                }
                SeriesKind::Points => dot(&format!("fill=\"{colour}\"")),
                SeriesKind::Dashed => path("h10m5 0h10"),
                _ => path("h26"),
            };
            drawn += &label(&series.name, f64::from(x + 33), f64::from(y + 5), "start");
        }
        drawn
    }
}

/// A name, a long one in two rows, parted at the space nearest to its middle.
fn rows(name: &str) -> Vec<&str> {
    let spaces = name.match_indices(' ').map(|space| space.0);
    match spaces.min_by_key(|at| at.abs_diff(name.len() / 2)) {
        Some(at) if text_width(name) > 110 => vec![&name[..at], &name[at + 1..]],
        _ => vec![name],
    }
}

#[cfg(test)]
mod tests {
    use crate::figure::Chart;

    #[test]
    fn names_at_ends_keep_apart_and_what_stands_upright_is_named_above() {
        let level = |y: f64| [(0.0, y), (1.0, y)];
        let chart = Chart::new("", "x", "y").line("low", &level(0.0)).line("near", &level(0.01));
        let chart = chart.line("high", &level(1.0)).dashed("mark", &[(0.5, 0.0), (0.5, 1.0)]);
        let svg = chart.draw().to_string();
        let [low, near, high, mark] = ["low", "near", "high", "mark"].map(|name| {
            let text = svg.lines().find(|line| line.contains(&format!(">{name}</text>"))).unwrap();
            text.split("y=\"").nth(1).unwrap().split('"').next().unwrap().parse::<f64>().unwrap()
        });
        assert!(low - near >= 20.0 && near - high > 100.0, "{low} {near} {high}");
        assert!(mark < high, "{mark}");
    }
}
