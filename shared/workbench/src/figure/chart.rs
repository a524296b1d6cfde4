//! Lines, points and bands over two axes.

use super::style::{HEIGHT, INK, PALETTE, WIDTH};
use super::svg::Svg;
use super::text::{Area, DrawError, Drawn, draw_title, letters, text_width, tick};
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
}

struct Series {
    name: String,
    kind: SeriesKind,
    points: Vec<(f64, f64)>,
    colour: RGBColor,
}

#[derive(Clone, Copy, PartialEq)]
enum SeriesKind {
    Line,
    Dashed,
    Points,
    Band,
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
        }
    }

    /// A line through points; an empty name keeps it out of the legend.
    pub fn line(self, name: &str, points: &[(f64, f64)]) -> Chart {
        self.add(name, SeriesKind::Line, points.to_vec())
    }

    /// A dashed line: a reference, such as the truth or a theory's slope.
    pub fn dashed(self, name: &str, points: &[(f64, f64)]) -> Chart {
        self.add(name, SeriesKind::Dashed, points.to_vec())
    }

    /// Dots: data.
    pub fn points(self, name: &str, points: &[(f64, f64)]) -> Chart {
        self.add(name, SeriesKind::Points, points.to_vec())
    }

    /// The area between two lines, such as the spread over seeds, as `(x, low, high)`; it takes the
    /// colour of the series that is added next.
    pub fn band(self, spread: &[(f64, f64, f64)]) -> Chart {
        let low = spread.iter().map(|(x, low, _)| (*x, *low));
        let high = spread.iter().rev().map(|(x, _, high)| (*x, *high));
        self.add("", SeriesKind::Band, low.chain(high).collect())
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
        self.series.push(Series { name: name.into(), kind, points, colour });
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
        {
            let root = SVGBackend::with_string(&mut drawn, (WIDTH, HEIGHT)).into_drawing_area();
            match self.log {
                (false, false) => self.draw_on(&root, x, y),
                (true, false) => self.draw_on(&root, x.log_scale(), y),
                (false, true) => self.draw_on(&root, x, y.log_scale()),
                (true, true) => self.draw_on(&root, x.log_scale(), y.log_scale()),
            }
            .expect("an SVG in memory can always be drawn");
        }
        Svg::new(WIDTH, HEIGHT, &drawn, "")
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
        let legend_rows = self.draw_legend(root)?;
        let mut chart = ChartBuilder::on(root)
            .margin_top(if self.title.is_empty() { 10 } else { 34 } + 22 * legend_rows)
            .margin_right(16)
            .margin_left(8)
            .margin_bottom(4)
            .x_label_area_size(46)
            .y_label_area_size(74)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .x_labels(6)
            .y_labels(6)
            .x_label_formatter(&|v| tick(*v))
            .y_label_formatter(&|v| tick(*v))
            .axis_style(INK.mix(0.6))
            .bold_line_style(INK.mix(0.12))
            .light_line_style(TRANSPARENT)
            .label_style(letters())
            .axis_desc_style(letters())
            .draw()?;
        for Series { kind, points, colour, .. } in &self.series {
            let finite = points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite());
            match kind {
                SeriesKind::Line => {
                    chart.draw_series(LineSeries::new(finite, colour.stroke_width(2)))?;
                }
                SeriesKind::Dashed => {
                    chart.draw_series(DashedLineSeries::new(
                        finite,
                        7,
                        5,
                        colour.stroke_width(2),
                    ))?;
                }
                SeriesKind::Points => {
                    chart
                        .draw_series(finite.map(|p| Circle::new(p, 3, colour.mix(0.8).filled())))?;
                }
                SeriesKind::Band => {
                    chart.draw_series([Polygon::new(
                        finite.collect::<Vec<_>>(),
                        colour.mix(0.18),
                    )])?;
                }
            }
        }
        draw_title(root, &self.title)
    }

    /// The names of the series in rows above the plot, where they never cover data; returns the
    /// rows.
    fn draw_legend(&self, root: &Area) -> std::result::Result<u32, DrawError> {
        let top = if self.title.is_empty() { 18 } else { 42 };
        let (mut x, mut row) = (24, 0);
        let mut any = false;
        for Series { name, kind, colour, .. } in self.series.iter().filter(|s| !s.name.is_empty()) {
            any = true;
            let width = 34 + text_width(name) + 20;
            if x > 24 && x + width > WIDTH as i32 {
                (x, row) = (24, row + 1);
            }
            let y = top + 22 * row;
            match kind {
                SeriesKind::Points => {
                    root.draw(&Circle::new((x + 13, y), 4, colour.filled()))?;
                }
                SeriesKind::Dashed => {
                    for start in [x, x + 15] {
                        root.draw(&PathElement::new(
                            [(start, y), (start + 10, y)],
                            colour.stroke_width(3),
                        ))?;
                    }
                }
                _ => root.draw(&PathElement::new([(x, y), (x + 26, y)], colour.stroke_width(3)))?,
            }
            root.draw(&Text::new(name.clone(), (x + 33, y - 8), letters()))?;
            x += width;
        }
        Ok(if any { row as u32 + 1 } else { 0 })
    }
}

/// Two rows of numbers, x and y, as the points of a chart.
pub fn points(x: &[Float], y: &[Float]) -> Vec<(f64, f64)> {
    x.iter().zip(y).map(|(x, y)| (f64::from(*x), f64::from(*y))).collect()
}
