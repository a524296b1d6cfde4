//! From things to pixels.

use super::{Colour, Shape, Thing};
use rand::{Rng, RngExt};

/// Pixels in a row, and rows.
pub const SIDE: usize = 32;

/// Places in a row, and rows of places: squares of 4 × 4 pixels.
pub const PLACES: usize = 8;

/// Red, green and blue of each pixel, row by row.
pub type Picture = Vec<[u8; 3]>;

impl Colour {
    fn pixel(self) -> [u8; 3] {
        match self {
            Colour::Red => [205, 50, 45],
            Colour::Green => [50, 150, 70],
            Colour::Blue => [45, 95, 200],
            Colour::Yellow => [230, 195, 50],
            Colour::Purple => [145, 65, 165],
            Colour::Black => [40, 40, 40],
        }
    }
}

impl Shape {
    /// Whether the point (u, v) is inside, where the box goes from −1 to 1, from left to right and down.
    fn covers(self, u: f64, v: f64) -> bool {
        match self {
            Shape::Square => true,
            Shape::Disc => u * u + v * v <= 1.0,
            Shape::Ring => (0.36..=1.0).contains(&(u * u + v * v)),
            Shape::Triangle => 2.0 * u.abs() <= v + 1.0,
            Shape::Cross => u.abs().min(v.abs()) <= 0.34,
        }
    }
}

/// How far a channel of a pixel may be from what was painted.
const NOISE: i32 = 12;

/// The picture of the things on a light ground, a little uneven everywhere, and which thing each pixel shows.
pub(super) fn draw(things: &[Thing], rng: &mut impl Rng) -> (Picture, Vec<Option<usize>>) {
    let mut shown = vec![None; SIDE * SIDE];
    for (k, thing) in things.iter().enumerate() {
        let to_unit = |i: usize| (2 * i + 1) as f64 / thing.width as f64 - 1.0;
        for (row, column) in
            (0..thing.width * thing.width).map(|i| (i / thing.width, i % thing.width))
        {
            if thing.shape.covers(to_unit(column), to_unit(row)) {
                shown[(thing.y + row) * SIDE + thing.x + column] = Some(k);
            }
        }
    }
    let ground = [rng.random_range(200..=240); 3];
    let mut noise =
        |channel: u8| (i32::from(channel) + rng.random_range(-NOISE..=NOISE)).clamp(0, 255) as u8;
    let paint: Vec<[u8; 3]> =
        things.iter().map(|thing| thing.colour.pixel().map(&mut noise)).collect();
    let picture = shown.iter().map(|thing| thing.map_or(ground, |k| paint[k]).map(&mut noise));
    (picture.collect(), shown)
}
