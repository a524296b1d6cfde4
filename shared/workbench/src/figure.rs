//! Charts and heatmaps as SVG, drawn with plotters, in one style.
//!
//! Ink is `currentColor`, so a figure set into a page of the book takes the colour of the page's
//! text, light or dark; standing alone it follows the viewer's preference. Lines use the palette of
//! Okabe and Ito, which stays apart under the common kinds of colour blindness; heatmaps use
//! viridis, which grows evenly from dark to bright.

use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::colors::colormaps::ViridisRGB;
use shared::{Float, Matrix};
use std::fmt::Display;
use std::ops::Range;

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
const INK: RGBColor = RGBColor(1, 2, 3);
const FONT: &str = "sans-serif";
const FONT_SIZE: f64 = 16.0;
/// plotters takes a font's height from its lowest to its highest letter, 1.24 times the size in SVG.
const PLOTTERS_SIZE: f64 = FONT_SIZE * 1.24;
const WIDTH: u32 = 540; // at most: a phone shows it at two thirds
const HEIGHT: u32 = 360;

/// A finished picture. `to_string` gives the file; in a notebook, as a cell's last expression, it
/// shows itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Svg {
    width: u32,
    height: u32,
    body: String,
}

impl Svg {
    /// Wraps what plotters drew: its drawing without its `<svg>` tag, its placeholder for ink
    /// resolved.
    fn new(width: u32, height: u32, drawn: &str, extra: &str) -> Svg {
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
        Svg { width, height, body }
    }

    /// Several pictures in a grid, row by row.
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
            body += &format!("<g transform=\"translate({x} {y})\">\n{}</g>\n", p.body);
        }
        let columns = columns.min(pictures.len()) as u32;
        let rows = pictures.len().div_ceil(columns as usize) as u32;
        Svg { width: cell_width * columns, height: cell_height * rows, body }
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
        let style = "<style>:root{color:#222222}@media(prefers-color-scheme:dark){:root{color:#dddddd}}</style>";
        write!(f, "{}{style}\n{}</svg>\n", self.tag(""), self.body)
    }
}

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

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type DrawError = DrawingAreaErrorKind<std::io::Error>;
type Drawn = std::result::Result<(), DrawError>;

/// Text in the colour of the page.
fn letters() -> TextStyle<'static> {
    (FONT, PLOTTERS_SIZE).into_font().color(&INK)
}

fn draw_title(root: &Area, title: &str) -> Drawn {
    let centre = (root.get_pixel_range().0.len() as i32 - text_width(title)) / 2;
    root.draw(&Text::new(title.to_owned(), (centre.max(4), 8), letters()))
}

/// Roughly how many pixels a text takes: there is no font to measure it with.
fn text_width(text: &str) -> i32 {
    let wide = |c: char| if (c as u32) < 0x2E80 { 0.56 } else { 1.0 }; // CJK letters fill a square
    (text.chars().map(wide).sum::<f64>() * FONT_SIZE) as i32
}

/// A tick's label: short for any size of number.
fn tick(v: f64) -> String {
    let v = if v.abs() < 1e-12 { 0.0 } else { v };
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
    match (mantissa - 1.0).abs() < 1e-9 {
        true => format!("10{power}"),
        false => format!(
            "{}·10{power}",
            format!("{mantissa:.1}").trim_end_matches(".0").replace('-', "−")
        ),
    }
}

/// The picture of a matrix: row 0 on top, column 0 to the left, bright is large.
///
/// ```
/// use shared::{Matrix, figure::Heatmap};
/// let weights = Matrix::from_fn(3, 4, |i, j| (i + j) as shared::Float);
/// let figure = Heatmap::new("Weights", "queries", "keys", &weights).draw();
/// assert!(figure.to_string().contains("queries"));
/// ```
pub struct Heatmap {
    title: String,
    x_label: String,
    y_label: String,
    matrix: Matrix,
    x_names: Vec<String>,
    y_names: Vec<String>,
    range: Option<Range<Float>>,
}

impl Heatmap {
    /// A heatmap of `matrix`, whose columns are named by `x_label` and whose rows by `y_label`.
    pub fn new(title: &str, x_label: &str, y_label: &str, matrix: &Matrix) -> Heatmap {
        Heatmap {
            title: title.into(),
            x_label: x_label.into(),
            y_label: y_label.into(),
            matrix: matrix.clone(),
            x_names: Vec::new(),
            y_names: Vec::new(),
            range: None,
        }
    }

    /// Names of the columns, such as words, instead of their numbers.
    pub fn x_names(mut self, names: &[impl ToString]) -> Heatmap {
        self.x_names = names.iter().map(ToString::to_string).collect();
        self
    }

    /// Names of the rows.
    pub fn y_names(mut self, names: &[impl ToString]) -> Heatmap {
        self.y_names = names.iter().map(ToString::to_string).collect();
        self
    }

    /// The values of the darkest and the brightest colour, instead of the smallest and largest
    /// entry: give the same to heatmaps that are to be compared.
    pub fn range(mut self, range: Range<Float>) -> Heatmap {
        self.range = Some(range);
        self
    }

    /// Draws the heatmap with its scale.
    ///
    /// # Panics
    /// When the matrix is empty, or the names are not one a column or row.
    pub fn draw(&self) -> Svg {
        let (rows, columns) = self.matrix.shape();
        assert!(rows > 0 && columns > 0, "a heatmap of an empty matrix");
        for (names, count) in [(&self.x_names, columns), (&self.y_names, rows)] {
            assert!(names.is_empty() || names.len() == count, "{} names for {count}", names.len());
        }
        let finite = || self.matrix.iter().copied().filter(|v| v.is_finite());
        let range = self.range.clone().unwrap_or_else(|| {
            finite().fold(Float::INFINITY, Float::min)
                ..finite().fold(Float::NEG_INFINITY, Float::max)
        });

        // Square cells where that gives a picture of reasonable height.
        let longest = self.y_names.iter().map(|name| text_width(name)).max().unwrap_or(24);
        let (left, right, top) = (38.0 + longest as f64, 92.0, 40.0);
        let width = WIDTH as f64 - left - right;
        let height = (width / columns as f64 * rows as f64).clamp(90.0, 400.0);
        let width = width.min(height / rows as f64 * columns as f64 * 1.6);
        // Names that would run into each other stand on end.
        let widths: Vec<(usize, f64)> = (self.x_names.iter().map(|name| text_width(name) as f64))
            .enumerate()
            .filter(|(_, width)| *width > 0.0)
            .collect();
        let upright = widths.windows(2).any(|pair| {
            let room = (pair[1].0 - pair[0].0) as f64 * width / columns as f64;
            pair[0].1.max(pair[1].1) + 6.0 > room
        });
        let widest = widths.iter().map(|name| name.1).fold(0.0, f64::max);
        let bottom = if upright { 42.0 + widest } else { 54.0 };
        let picture = (left + width + right, top + height + bottom);
        let place =
            |i: f64, j: f64| (left + width * j / columns as f64, top + height * i / rows as f64);

        let mut extra = self.cells(&range, place);
        extra += &scale_bar(&range, left + width + 18.0, top, height);
        let mut drawn = String::new();
        {
            let size = (picture.0 as u32, picture.1 as u32);
            let root = SVGBackend::with_string(&mut drawn, size).into_drawing_area();
            let label = |text: &str, x: f64, y: f64, anchor: &str| {
                format!(
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-family=\"{}\" font-size=\"{}\" fill=\"currentColor\">{}</text>\n",
                    FONT,
                    FONT_SIZE,
                    escape(text)
                )
            };
            for (j, name) in ticks(&self.x_names, columns, width) {
                let (x, y) = place(rows as f64, j as f64 + 0.5);
                extra += &match upright {
                    true => turned(&label(&name, x + 5.0, y + 12.0, "end"), x + 5.0, y + 12.0),
                    false => label(&name, x, y + 18.0, "middle"),
                };
            }
            for (i, name) in ticks(&self.y_names, rows, height * 1.6) {
                let (x, y) = place(i as f64 + 0.5, 0.0);
                extra += &label(&name, x - 7.0, y + 5.0, "end");
            }
            extra += &label(&self.x_label, left + width / 2.0, picture.1 - 12.0, "middle");
            let (x, y) = (16.0, top + height / 2.0);
            extra += &turned(&label(&self.y_label, x, y, "middle"), x, y);
            draw_title(&root, &self.title).expect("an SVG in memory can always be drawn");
            root.present().expect("an SVG in memory can always be drawn");
        }
        Svg::new(picture.0 as u32, picture.1 as u32, &drawn, &extra)
    }

    /// All cells of one shade are one path, and neighbours in a row one box of it: a file many times
    /// smaller than a rectangle a cell.
    fn cells(&self, range: &Range<Float>, place: impl Fn(f64, f64) -> (f64, f64)) -> String {
        let mut shades: Vec<String> = vec![String::new(); SHADES + 1];
        let (rows, columns) = self.matrix.shape();
        for i in 0..rows {
            let shade = |j: usize| shade_of(self.matrix[(i, j)], range);
            let mut j = 0;
            while j < columns {
                let run = (j..columns).take_while(|next| shade(*next) == shade(j)).count();
                let (x, y) = place(i as f64, j as f64);
                let (right, below) = place(i as f64 + 1.0, (j + run) as f64);
                if let Some(shade) = shade(j) {
                    shades[shade] += &format!("M{x:.1} {y:.1}H{right:.1}V{below:.1}H{x:.1}");
                }
                j += run;
            }
        }
        let drawn = shades.iter().enumerate().filter(|(_, path)| !path.is_empty());
        drawn
            .map(|(shade, path)| {
                let colour = viridis(shade as f64 / SHADES as f64);
                format!("<path fill=\"{colour}\" shape-rendering=\"crispEdges\" d=\"{path}\"/>\n")
            })
            .collect()
    }
}

const SHADES: usize = 63;

/// The shade of a value, `None` for what is no number.
fn shade_of(v: Float, range: &Range<Float>) -> Option<usize> {
    let relative = ((v - range.start) / (range.end - range.start)).clamp(0.0, 1.0);
    let relative = if range.end > range.start { relative } else { 0.0 }; // all values are equal
    v.is_finite().then(|| (relative * SHADES as Float).round() as usize)
}

fn viridis(v: f64) -> String {
    let RGBColor(r, g, b) = ViridisRGB.get_color(v);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The colours with their values, beside the heatmap.
fn scale_bar(range: &Range<Float>, x: f64, top: f64, height: f64) -> String {
    let mut bar = String::new();
    for step in 0..32 {
        let y = top + height * (31 - step) as f64 / 32.0;
        let colour = viridis(step as f64 / 31.0);
        bar += &format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"12\" height=\"{:.1}\" fill=\"{colour}\" shape-rendering=\"crispEdges\"/>\n",
            height / 32.0 + 0.5
        );
    }
    let (low, high) = (range.start as f64, range.end as f64);
    for (v, y) in
        [(low, top + height), ((low + high) / 2.0, top + height / 2.0 + 5.0), (high, top + 11.0)]
    {
        let text = if (v - v.round()).abs() < 1e-9 {
            tick(v)
        } else {
            tick((v * 1000.0).round() / 1000.0)
        };
        bar += &format!(
            "<text x=\"{:.1}\" y=\"{y:.1}\" font-family=\"{}\" font-size=\"{}\" fill=\"currentColor\">{text}</text>\n",
            x + 17.0,
            FONT,
            FONT_SIZE - 1.0
        );
    }
    bar
}

/// Which rows or columns get a label: all that are named, else as many numbers as fit.
fn ticks(names: &[String], count: usize, room: f64) -> Vec<(usize, String)> {
    if !names.is_empty() {
        return names.iter().cloned().enumerate().collect();
    }
    let every = [1, 2, 5, 10, 20, 50, 100, 200, 500]
        .into_iter()
        .find(|every| room / count as f64 * *every as f64 > 38.0);
    (0..count).step_by(every.unwrap_or(1000)).map(|i| (i, i.to_string())).collect()
}

/// A label read from below to above, turned about (x, y).
fn turned(label: &str, x: f64, y: f64) -> String {
    format!("<g transform=\"rotate(-90 {x:.1} {y:.1})\">{}</g>\n", label.trim())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A vector of `f32` or `f64` pairs as the points of a chart.
pub fn points(x: &[Float], y: &[Float]) -> Vec<(f64, f64)> {
    x.iter().zip(y).map(|(x, y)| (f64::from(*x), f64::from(*y))).collect()
}
