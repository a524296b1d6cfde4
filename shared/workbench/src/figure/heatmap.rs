//! The picture of a matrix.

use super::style::{FONT, FONT_SIZE, WIDTH};
use super::svg::Svg;
use super::text::{draw_title, escape, text_width, tick, turned};
use plotters::prelude::*;
use plotters::style::colors::colormaps::ViridisRGB;
use shared::{Float, Matrix};
use std::ops::Range;

/// The picture of a matrix: row 0 on top, column 0 to the left, bright is large.
///
/// ```
/// use shared::Matrix;
/// use workbench::figure::Heatmap;
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
            draw_title(&root, &self.title, 1).expect("an SVG in memory can always be drawn");
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
