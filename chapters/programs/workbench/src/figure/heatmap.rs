//! The picture of a matrix.

use super::style::WIDTH;
use super::svg::Svg;
use super::text::{label, text_width, tick, turned};
use shared::{Float, Matrix};
use std::ops::Range;

/// The picture of a matrix: row 0 on top, column 0 to the left.
///
/// A weight is orange, the more the larger, and 0 is the ground of the page. Of a matrix with negative
/// entries those are blue.
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
    hidden: Vec<(usize, usize)>,
    rings: Vec<(usize, usize)>,
    ringed: String,
    hatching: String,
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
            hidden: Vec::new(),
            rings: Vec::new(),
            ringed: String::new(),
            hatching: String::new(),
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

    /// The values without and with full colour, instead of 0 and the largest entry: give the same to
    /// heatmaps that are to be compared. Where it begins below 0, it must end as far above.
    pub fn range(mut self, range: Range<Float>) -> Heatmap {
        self.range = Some(range);
        self
    }

    /// Cells that are hatched, and what that means: hidden by a mask they are no weights of 0.
    pub fn hatched(mut self, meaning: &str, is_hidden: impl Fn(usize, usize) -> bool) -> Heatmap {
        let (rows, columns) = self.matrix.shape();
        let cells = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
        self.hatching = meaning.into();
        self.hidden = cells.filter(|(i, j)| is_hidden(*i, *j)).collect();
        self
    }

    /// Rings around cells, such as known links, and what they mean.
    pub fn rings(mut self, meaning: &str, cells: &[(usize, usize)]) -> Heatmap {
        (self.ringed, self.rings) = (meaning.into(), cells.to_vec());
        self
    }

    /// Draws the heatmap with its key.
    ///
    /// # Panics
    /// When the matrix is empty, or the names are not one a column or row.
    pub fn draw(&self) -> Svg {
        self.drawn(WIDTH as f64, true)
    }

    /// Draws the heatmap narrower and without its key, as one of several that share one
    /// ([`key`](Self::key)).
    pub fn panel(&self) -> Svg {
        self.drawn(PANEL, false)
    }

    /// What colours, hatching and rings mean, as a picture of its own.
    pub fn key(&self) -> Svg {
        Svg::new(WIDTH, 26, "", &self.key_at(4.0, 4.0).0)
    }

    fn drawn(&self, widest: f64, with_key: bool) -> Svg {
        let (rows, columns) = self.matrix.shape();
        assert!(rows > 0 && columns > 0, "a heatmap of an empty matrix");
        for (names, count) in [(&self.x_names, columns), (&self.y_names, rows)] {
            assert!(names.is_empty() || names.len() == count, "{} names for {count}", names.len());
        }
        // Square cells where that gives a picture of reasonable height.
        let longest = self.y_names.iter().map(|name| text_width(name)).max().unwrap_or(24);
        let (left, right) = (38.0 + f64::from(longest), 14.0);
        let titled = if self.title.is_empty() { 8.0 } else { 34.0 };
        let top = titled + if with_key { 32.0 } else { 0.0 };
        let width = widest - left - right;
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
        let name = widths.iter().map(|name| name.1).fold(0.0, f64::max);
        let bottom = if upright { 42.0 + name } else { 54.0 };
        let place =
            |i: f64, j: f64| (left + width * j / columns as f64, top + height * i / rows as f64);

        let mut drawn = label(&self.title, 4.0, 20.0, "start");
        let (key, key_end) = self.key_at(left, titled);
        drawn += if with_key { &key } else { "" };
        drawn += &self.cells(place);
        drawn += &self.marks(place);
        for (j, name) in ticks(&self.x_names, columns, width) {
            let (x, y) = place(rows as f64, j as f64 + 0.5);
            drawn += &if upright {
                turned(&label(&name, x + 5.0, y + 12.0, "end"), x + 5.0, y + 12.0)
            } else {
                label(&name, x, y + 18.0, "middle")
            };
        }
        for (i, name) in ticks(&self.y_names, rows, height * 1.6) {
            let (x, y) = place(i as f64 + 0.5, 0.0);
            drawn += &label(&name, x - 7.0, y + 5.0, "end");
        }
        let whole = (left + width + right, top + height + bottom);
        drawn += &label(&self.x_label, left + width / 2.0, whole.1 - 12.0, "middle");
        let (x, y) = (16.0, top + height / 2.0);
        drawn += &turned(&label(&self.y_label, x, y, "middle"), x, y);
        // A key may be wider than its heatmap.
        let width = if with_key { whole.0.max(key_end) } else { whole.0 };
        Svg::new(width as u32, whole.1 as u32, "", &drawn)
    }

    /// All cells of one shade are one path, and neighbours in a row one box of it: a file many times
    /// smaller than a rectangle a cell.
    fn cells(&self, place: impl Fn(f64, f64) -> (f64, f64)) -> String {
        let range = self.shown();
        let mut shades: Vec<String> = vec![String::new(); 2 * SHADES + 1];
        let (rows, columns) = self.matrix.shape();
        for i in 0..rows {
            let shade = |j: usize| shade_of(self.matrix[(i, j)], &range);
            let mut j = 0;
            while j < columns {
                let run = (j..columns).take_while(|next| shade(*next) == shade(j)).count();
                let (x, y) = place(i as f64, j as f64);
                let (right, below) = place(i as f64 + 1.0, (j + run) as f64);
                if let Some(shade) = shade(j).filter(|shade| *shade != SHADES) {
                    shades[shade] += &format!("M{x:.1} {y:.1}H{right:.1}V{below:.1}H{x:.1}");
                }
                j += run;
            }
        }
        let drawn = shades.iter().enumerate().filter(|(_, path)| !path.is_empty());
        drawn
            .map(|(shade, path)| {
                let fill = fill(shade);
                format!("<path {fill} shape-rendering=\"crispEdges\" d=\"{path}\"/>\n")
            })
            .collect()
    }

    /// The frame, the lines between a few cells, hatching and rings.
    fn marks(&self, place: impl Fn(f64, f64) -> (f64, f64)) -> String {
        let (rows, columns) = self.matrix.shape();
        let (left, top) = place(0.0, 0.0);
        let (right, below) = place(rows as f64, columns as f64);
        let mut lines = String::new();
        if rows.max(columns) <= 24 {
            for y in (1..rows).map(|i| place(i as f64, 0.0).1) {
                lines += &format!("M{left:.1} {y:.1}H{right:.1}");
            }
            for x in (1..columns).map(|j| place(0.0, j as f64).0) {
                lines += &format!("M{x:.1} {top:.1}V{below:.1}");
            }
        }
        let cell =
            |i: usize, j: usize| (place(i as f64, j as f64), place(i as f64 + 1.0, j as f64 + 1.0));
        let hatched: String = self.hidden.iter().map(|(i, j)| hatching(cell(*i, *j))).collect();
        let frame = format!("M{left:.1} {top:.1}H{right:.1}V{below:.1}H{left:.1}Z");
        let mut marks = stroke(&lines, 0.1) + &stroke(&hatched, 0.35) + &stroke(&frame, 0.5);
        for &(i, j) in &self.rings {
            let ((x, y), (right, below)) = cell(i, j);
            let radius = (right - x).min(below - y).clamp(8.0, 22.0) * 0.4;
            marks += &ring((x + right) / 2.0, (y + below) / 2.0, radius);
        }
        marks
    }

    /// The range of the colours.
    fn shown(&self) -> Range<Float> {
        let finite = || self.matrix.iter().copied().filter(|v| v.is_finite());
        self.range.clone().unwrap_or_else(|| {
            let (low, high) = (finite().fold(0.0, Float::min), finite().fold(0.0, Float::max));
            if low < 0.0 { -high.max(-low)..high.max(-low) } else { 0.0..high }
        })
    }

    /// What the colours mean, then what hatching and rings do; and where that ends.
    fn key_at(&self, x: f64, y: f64) -> (String, f64) {
        let range = self.shown();
        let [low, high] = [range.start, range.end].map(rounded);
        let mut key = label(&low, x, y + 14.0, "start");
        let (mut x, steps) = (x + f64::from(text_width(&low)) + 8.0, 30);
        let first = if range.start < 0.0 { 0 } else { SHADES };
        for step in 0..=steps {
            let shade = first + (2 * SHADES - first) * step / steps;
            let x = x + BAR * step as f64 / (steps + 1) as f64;
            let fill = fill(shade);
            let width = BAR / (steps + 1) as f64;
            key += &format!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"16\" {fill} shape-rendering=\"crispEdges\"/>\n"
            );
        }
        key += &stroke(&format!("M{x:.1} {y:.1}h{BAR}v16h-{BAR}Z"), 0.5);
        x += BAR + 8.0;
        key += &label(&high, x, y + 14.0, "start");
        x += f64::from(text_width(&high)) + GAP;
        if !self.hidden.is_empty() {
            let box_ = ((x, y), (x + 22.0, y + 16.0));
            key += &stroke(&(hatching(box_) + &format!("M{x:.1} {y:.1}h22v16h-22Z")), 0.5);
            key += &label(&self.hatching, x + 30.0, y + 14.0, "start");
            x += 30.0 + f64::from(text_width(&self.hatching)) + GAP;
        }
        if !self.rings.is_empty() {
            key += &ring(x + 8.0, y + 8.0, 7.0);
            key += &label(&self.ringed, x + 23.0, y + 14.0, "start");
            x += 23.0 + f64::from(text_width(&self.ringed)) + GAP;
        }
        (key, x - GAP + 4.0)
    }
}

const SHADES: usize = 63;
const PANEL: f64 = 420.0;
/// The length of the bar of colours, and the space between the parts of a key.
const BAR: f64 = 93.0;
const GAP: f64 = 26.0;

/// The shade of a value, [`SHADES`] that of 0, fewer those below it; `None` for what is no number.
fn shade_of(v: Float, range: &Range<Float>) -> Option<usize> {
    let zero = range.start.max(0.0);
    let relative = ((v - zero) / (range.end - zero)).clamp(-1.0, 1.0);
    let relative = if range.end > zero { relative } else { 0.0 }; // all values are equal
    let relative = if range.start < 0.0 { relative } else { relative.max(0.0) };
    v.is_finite().then(|| (SHADES as Float + relative * SHADES as Float).round() as usize)
}

/// Orange above 0, blue below it, each as dense as the value is large, on any ground.
fn fill(shade: usize) -> String {
    let colour = if shade < SHADES { "#0072B2" } else { "#D55E00" };
    let dense = shade.abs_diff(SHADES) as f64 / SHADES as f64;
    format!("fill=\"{colour}\" fill-opacity=\"{dense:.3}\"")
}

/// Two lines through a box and its corners, which meet those of the boxes beside it.
fn hatching(((x, y), (right, below)): ((f64, f64), (f64, f64))) -> String {
    let (u, v) = ((x + right) / 2.0, (y + below) / 2.0);
    format!(
        "M{x:.1} {below:.1}L{right:.1} {y:.1}M{x:.1} {v:.1}L{u:.1} {y:.1}M{u:.1} {below:.1}L{right:.1} {v:.1}"
    )
}

fn ring(x: f64, y: f64, radius: f64) -> String {
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.6\"/>\n"
    )
}

/// A path in ink, so dense.
fn stroke(path: &str, dense: f64) -> String {
    if path.is_empty() {
        return String::new();
    }
    format!(
        "<path fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"{dense}\" d=\"{path}\"/>\n"
    )
}

/// A bound of the colours, to three digits.
fn rounded(v: Float) -> String {
    tick((f64::from(v) * 1000.0).round() / 1000.0)
}

/// The rows or columns with a label: all that are named, else as many numbers as fit.
fn ticks(names: &[String], count: usize, room: f64) -> Vec<(usize, String)> {
    if !names.is_empty() {
        return names.iter().cloned().enumerate().collect();
    }
    let every = [1, 2, 5, 10, 20, 50, 100, 200, 500]
        .into_iter()
        .find(|every| room / count as f64 * *every as f64 > 38.0);
    (0..count).step_by(every.unwrap_or(1000)).map(|i| (i, i.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_the_ground_and_what_is_negative_is_blue() {
        let weights = Matrix::from_row_slice(1, 3, &[0.0, 0.25, 0.5]);
        let [weights, signed] = [weights.clone(), -weights].map(|m| {
            let drawn = Heatmap::new("", "", "", &m).panel().to_string();
            ["#D55E00", "#0072B2"].map(|colour| drawn.matches(colour).count())
        });
        assert_eq!((weights, signed), ([2, 0], [0, 2]), "the 0 has no colour");
    }

    #[test]
    fn hidden_cells_and_rings_have_their_meaning_in_the_key() {
        let map = Heatmap::new("", "", "", &Matrix::zeros(2, 2))
            .hatched("hidden", |i, j| i > j)
            .rings("known", &[(0, 0)]);
        let key = map.key().to_string();
        assert!(key.contains("hidden") && key.contains("known") && key.contains("<circle"));
        assert!(!map.panel().to_string().contains("known"), "one key for all panels");
    }
}
