//! Lines, points and bands over two axes.

use super::colour::{Colour, PALETTE};
use super::names::Names;
use super::series::{Series, SeriesKind};
use super::style::{FINE, HEIGHT, INK, WIDTH};
use super::svg::Svg;
use super::text::{Area, Drawn, draw_title, label, letters, power, tick};
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use shared::Float;
use std::ops::Range;

/// A chart of lines, points and bands over two axes.
///
/// ```
/// use workbench::figure::Chart;
/// let parabola: Vec<(f64, f64)> = (0..=20).map(|i| i as f64 / 10.0).map(|x| (x, x * x)).collect();
/// let figure = Chart::new("A parabola", "x", "y").line("x²", &parabola).draw();
/// assert!(figure.to_string().starts_with("<svg"));
/// ```
pub struct Chart {
    title: String,
    x_label: String,
    y_label: String,
    series: Vec<Series>,
    log: (bool, bool),
    x_range: Option<Range<f64>>,
    y_range: Option<Range<f64>>,
    height: u32,
    x_names: Vec<String>,
    notes: Vec<((f64, f64), &'static str, String)>,
    all_above: bool,
}

impl Chart {
    /// An empty chart. Labels name units where there are any.
    pub fn new(title: &str, x_label: &str, y_label: &str) -> Chart {
        Chart {
            title: title.into(),
            x_label: x_label.into(),
            y_label: y_label.into(),
            series: Vec::new(),
            log: (false, false),
            x_range: None,
            y_range: None,
            height: HEIGHT,
            x_names: Vec::new(),
            notes: Vec::new(),
            all_above: false,
        }
    }

    /// A line through points; an empty name is not shown.
    pub fn line(self, name: &str, points: &[(f64, f64)]) -> Chart {
        self.add(name, SeriesKind::Line, points.to_vec())
    }

    /// A line over counted places, such as steps.
    pub fn curve(self, name: &str, of: impl IntoIterator<Item = (usize, impl Into<f64>)>) -> Chart {
        let points: Vec<_> = of.into_iter().map(|(x, y)| (x as f64, y.into())).collect();
        self.line(name, &points)
    }

    /// A dashed line: a reference, such as the truth or a theory's slope.
    pub fn dashed(self, name: &str, points: &[(f64, f64)]) -> Chart {
        self.add(name, SeriesKind::Dashed, points.to_vec())
    }

    /// Dots: data.
    pub fn points(self, name: &str, points: &[(f64, f64)]) -> Chart {
        self.add(name, SeriesKind::Points, points.to_vec())
    }

    /// Rings instead of dots: the other half of data.
    pub fn rings(self, name: &str, points: &[(f64, f64)]) -> Chart {
        self.add(name, SeriesKind::Rings, points.to_vec())
    }

    /// A line in a band, such as the mean in the spread over seeds: `(x, y, low, high)`.
    pub fn spread(self, name: &str, at: impl IntoIterator<Item = (f64, f64, f64, f64)>) -> Chart {
        let at = Vec::from_iter(at);
        let low = at.iter().map(|(x, _, low, _)| (*x, *low));
        let high = at.iter().rev().map(|(x, _, _, high)| (*x, *high));
        let chart = self.add("", SeriesKind::Band, low.chain(high).collect());
        chart.add(name, SeriesKind::Line, at.iter().map(|(x, y, ..)| (*x, *y)).collect())
    }

    /// Gives the series that was added last, and its band, the colour of a concept.
    pub fn coloured(mut self, colour: Colour) -> Chart {
        let last = self.series.len().checked_sub(1).expect("a series to be coloured");
        self.series[last].colour = colour;
        if let Some(before) = last.checked_sub(1).map(|i| &mut self.series[i])
            && before.kind == SeriesKind::Band
        {
            before.colour = colour;
        }
        self
    }

    /// Makes the line that was added last so many pixels wide, instead of two.
    pub fn wide(mut self, pixels: u32) -> Chart {
        self.series.last_mut().expect("a series to be widened").width = pixels;
        self
    }

    /// Names of 0, 1, 2 … on the x-axis, such as words, each in as many lines as it has.
    pub fn x_names(mut self, names: &[impl ToString]) -> Chart {
        self.x_names = names.iter().map(ToString::to_string).collect();
        self
    }

    /// The names of lines stand above the plot, as those of dots do, and not at their right ends:
    /// for lines that end in one place.
    pub fn named_above(mut self) -> Chart {
        self.all_above = true;
        self
    }

    /// Words beside a point: to its right (`start`), to its left (`end`), or above it (`middle`).
    pub fn note(mut self, at: (f64, f64), anchor: &'static str, words: &str) -> Chart {
        self.notes.push((at, anchor, words.into()));
        self
    }

    /// Another height than 360, for a strip among others.
    pub fn height(mut self, height: u32) -> Chart {
        self.height = height;
        self
    }

    /// Logarithmic axes: (x, y). Values must be positive.
    pub fn log(mut self, x: bool, y: bool) -> Chart {
        self.log = (x, y);
        self
    }

    /// Fixes the range of x instead of showing all points.
    pub fn x_range(mut self, range: Range<f64>) -> Chart {
        self.x_range = Some(range);
        self
    }

    /// Fixes the range of y instead of showing all points.
    pub fn y_range(mut self, range: Range<f64>) -> Chart {
        self.y_range = Some(range);
        self
    }

    fn add(mut self, name: &str, kind: SeriesKind, points: Vec<(f64, f64)>) -> Chart {
        let drawn = self.series.iter().filter(|s| s.kind != SeriesKind::Band).count();
        let colour = PALETTE[drawn % PALETTE.len()];
        self.series.push(Series { name: name.into(), kind, points, colour, width: 2 });
        self
    }

    /// Draws the chart.
    ///
    /// # Panics
    /// When there is nothing finite to draw.
    pub fn draw(&self) -> Svg {
        let x = self.x_range.clone().unwrap_or_else(|| self.range(|p| p.0, self.log.0, 0.02));
        let y = self.y_range.clone().unwrap_or_else(|| self.range(|p| p.1, self.log.1, 0.06));
        let mut drawn = String::new();
        let labels = self.labels(&x, &y);
        {
            let size = (WIDTH * FINE, self.height * FINE);
            let root = SVGBackend::with_string(&mut drawn, size).into_drawing_area();
            match self.log {
                (false, false) => self.draw_on(&root, x, y),
                (true, false) => self.draw_on(&root, x.log_scale(), y),
                (false, true) => self.draw_on(&root, x, y.log_scale()),
                (true, true) => self.draw_on(&root, x.log_scale(), y.log_scale()),
            }
            .expect("an SVG in memory can always be drawn");
        }
        Svg::shrunk(WIDTH, self.height, &drawn, &labels)
    }

    fn names(&self) -> Names<'_> {
        Names::of(&self.series, self.all_above)
    }

    /// Where the title ends.
    fn head(&self) -> u32 {
        if self.title.is_empty() { 12 } else { 36 }
    }

    /// Left, top, right and bottom of the plot, in pixels.
    fn plot(&self) -> (f64, f64, f64, f64) {
        let names = self.names();
        let top = self.head() + names.height();
        let bottom = self.height - 50 - 20 * (self.name_rows() - 1);
        (82.0, f64::from(top), f64::from(WIDTH - 16 - names.room()), f64::from(bottom))
    }

    /// Lines of the longest name on the x-axis.
    fn name_rows(&self) -> u32 {
        self.x_names.iter().map(|name| name.lines().count() as u32).max().unwrap_or(1)
    }

    /// The names of series, those on the x-axis, and the notes.
    fn labels(&self, x: &Range<f64>, y: &Range<f64>) -> String {
        let (left, top, right, bottom) = self.plot();
        let part = |v: f64, range: &Range<f64>, log: bool| {
            if log {
                (v / range.start).ln() / (range.end / range.start).ln()
            } else {
                (v - range.start) / (range.end - range.start)
            }
        };
        let across = |v: f64| left + (right - left) * part(v, x, self.log.0).clamp(0.0, 1.0);
        let down = |v: f64| bottom - (bottom - top) * part(v, y, self.log.1).clamp(0.0, 1.0);
        let mut labels = self.names().above(self.head());
        for (i, name) in self.x_names.iter().enumerate() {
            for (row, line) in name.lines().enumerate() {
                let y = bottom + 20.0 + 20.0 * row as f64;
                labels += &label(line, across(i as f64), y, "middle");
            }
        }
        for (at, anchor, words) in &self.notes {
            let (x, y) = match *anchor {
                "start" => (9.0, 5.0),
                "end" => (-9.0, 5.0),
                _ => (0.0, -9.0),
            };
            labels += &label(words, across(at.0) + x, down(at.1) + y, anchor);
        }
        let names = self.names().at_ends(bottom, |&(u, v)| {
            let shown = v.is_finite() && (x.start..=x.end).contains(&u);
            shown.then(|| (across(u), down(v)))
        });
        labels + &names
    }

    /// The range of all finite values, a little widened.
    fn range(&self, axis: impl Fn(&(f64, f64)) -> f64, log: bool, margin: f64) -> Range<f64> {
        let values = self.series.iter().flat_map(|s| s.points.iter().map(&axis));
        let (low, high) = values
            .filter(|v| v.is_finite() && (!log || *v > 0.0))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        assert!(low <= high, "chart `{}` has nothing finite to draw", self.title);
        if log {
            let factor = (high / low).powf(margin).max(1.05);
            return low / factor..high * factor;
        }
        let pad = if high > low { (high - low) * margin } else { 0.5 };
        low - pad..high + pad
    }

    fn draw_on<X, Y>(&self, root: &Area, x: X, y: Y) -> Drawn
    where
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64> + Ranged<ValueType = f64>,
        Y::CoordDescType: ValueFormatter<f64> + Ranged<ValueType = f64>,
    {
        let (_, top, ..) = self.plot();
        let mut chart = ChartBuilder::on(root)
            .margin_top(FINE * top as u32)
            .margin_right(FINE * (16 + self.names().room()))
            .margin_left(FINE * 8)
            .margin_bottom(FINE * (4 + 20 * (self.name_rows() - 1)))
            .x_label_area_size(FINE * 46)
            .y_label_area_size(FINE * 74)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .x_labels(6)
            .y_labels(6)
            .x_label_formatter(&|v| if self.x_names.is_empty() { tick(*v) } else { String::new() })
            .y_label_formatter(&|v| if self.log.1 { power(*v) } else { tick(*v) })
            .axis_style(INK.mix(0.6).stroke_width(FINE))
            .bold_line_style(INK.mix(0.12).stroke_width(FINE))
            .light_line_style(TRANSPARENT)
            .set_all_tick_mark_size(FINE * 5)
            .label_style(letters(FINE))
            .axis_desc_style(letters(FINE))
            .draw()?;
        for Series { kind, points, colour, width, .. } in &self.series {
            let finite = points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite());
            match kind {
                SeriesKind::Line => {
                    let style = colour.stroke_width(FINE * width);
                    chart.draw_series(LineSeries::new(finite, style))?;
                }
                SeriesKind::Dashed => {
                    let style = colour.stroke_width(FINE * 2);
                    chart.draw_series(DashedLineSeries::new(finite, FINE * 7, FINE * 5, style))?;
                }
                SeriesKind::Points => {
                    chart.draw_series(finite.map(|p| Circle::new(p, FINE * 3, colour.filled())))?;
                }
                SeriesKind::Rings => {
                    let style = colour.stroke_width(FINE * 2);
                    chart.draw_series(finite.map(|p| Circle::new(p, FINE * 4, style)))?;
                }
                SeriesKind::Band => {
                    let corners: Vec<(f64, f64)> = finite.collect();
                    chart.draw_series([Polygon::new(corners, colour.mix(0.18))])?;
                }
            }
        }
        draw_title(root, &self.title, FINE)
    }
}

/// Two rows of numbers, x and y, as the points of a chart.
pub fn points(x: &[Float], y: &[Float]) -> Vec<(f64, f64)> {
    x.iter().zip(y).map(|(x, y)| (f64::from(*x), f64::from(*y))).collect()
}
