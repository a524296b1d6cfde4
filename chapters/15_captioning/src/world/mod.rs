//! Pictures of a few things, 32 × 32 pixels, and what is true of them.
//!
//! A scene has two things or more, each of a size, a colour and a shape. A caption names all of them, the large
//! ones first, and says how each lies to the one after it: *a large red ring below a small blue square*. The
//! generator also knows which thing every pixel shows, so that attention weights can be held against the truth.
//!
//! | file | holds |
//! |---|---|
//! | here | things, how they are placed, how two of them lie |
//! | `caption` | the grammar |
//! | `picture` | pixels, and which thing each of them shows |

mod caption;
mod picture;

pub use caption::{Caption, Names, WORDS};
pub use picture::{PLACES, Picture, SIDE};

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};
use std::cmp::Reverse;
use std::ops::RangeInclusive;

/// The outline of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names say it
pub enum Shape {
    Square,
    Disc,
    Ring,
    Triangle,
    Cross,
}

impl Shape {
    /// All of them.
    pub const ALL: [Shape; 5] =
        [Shape::Square, Shape::Disc, Shape::Ring, Shape::Triangle, Shape::Cross];

    /// Its word in a caption.
    pub fn word(self) -> &'static str {
        ["square", "disc", "ring", "triangle", "cross"][self as usize]
    }
}

/// The colour of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names say it
pub enum Colour {
    Red,
    Green,
    Blue,
    Yellow,
    Purple,
    Black,
}

impl Colour {
    /// All of them.
    pub const ALL: [Colour; 6] =
        [Colour::Red, Colour::Green, Colour::Blue, Colour::Yellow, Colour::Purple, Colour::Black];

    /// Its word in a caption.
    pub fn word(self) -> &'static str {
        ["red", "green", "blue", "yellow", "purple", "black"][self as usize]
    }
}

/// A thing in its box: `width` pixels wide and high, its upper left pixel at column `x` of row `y`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Thing {
    pub shape: Shape,
    pub colour: Colour,
    pub x: usize,
    pub y: usize,
    pub width: usize,
}

/// The widths of small and of large things, in pixels.
pub const WIDTHS: [usize; 2] = [6, 10];

/// How a thing lies to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum Relation {
    Above,
    Below,
    LeftOf,
    RightOf,
}

impl Thing {
    /// "large" or "small".
    pub fn size(&self) -> &'static str {
        if self.width == WIDTHS[0] { "small" } else { "large" }
    }

    /// The centre, in half pixels.
    fn centre(&self) -> [isize; 2] {
        [self.x, self.y].map(|start| (2 * start + self.width) as isize)
    }

    /// How it lies to another: by the longer of the two ways between their centres.
    ///
    /// ```
    /// use captioning::world::{Colour, Relation, Shape, Thing};
    /// let ring = Thing { shape: Shape::Ring, colour: Colour::Red, x: 3, y: 1, width: 6 };
    /// let square = Thing { shape: Shape::Square, colour: Colour::Blue, x: 8, y: 20, width: 10 };
    /// assert_eq!(ring.lies(&square), Relation::Above);
    /// assert_eq!(square.lies(&ring), Relation::Below);
    /// ```
    pub fn lies(&self, other: &Thing) -> Relation {
        let ([x, y], [other_x, other_y]) = (self.centre(), other.centre());
        let (right, down) = (x - other_x, y - other_y);
        match (down.abs() > right.abs(), down < 0, right < 0) {
            (true, true, _) => Relation::Above,
            (true, false, _) => Relation::Below,
            (false, _, true) => Relation::LeftOf,
            (false, _, false) => Relation::RightOf,
        }
    }

    /// Whether their boxes lie a pixel apart, and one of the two ways between their centres is longer than
    /// the other by four pixels: nobody has to guess which relation is meant.
    fn is_clear_of(&self, other: &Thing) -> bool {
        let apart = |a: usize, b: usize| a + self.width < b || b + other.width < a;
        let ([x, y], [other_x, other_y]) = (self.centre(), other.centre());
        let ways = [(x - other_x).abs(), (y - other_y).abs()];
        (apart(self.x, other.x) || apart(self.y, other.y)) && (ways[0] - ways[1]).abs() >= 8
    }
}

/// Which pairs of a shape and a colour a scene may show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairs {
    /// 24 of the 30: those that are for training.
    Known,
    /// Any, but one of the six others at least.
    New,
}

/// Whether this pair is one of the six that training never sees: one of every colour.
pub fn is_new(shape: Shape, colour: Colour) -> bool {
    (shape as usize + 2 * colour as usize) % 5 == 1
}

/// Things, their picture, and which of them every pixel shows.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The things in the order in which they were drawn, which says nothing.
    pub things: Vec<Thing>,
    /// What a model sees.
    pub picture: Picture,
    /// The mask: for each pixel, row by row, the thing that it shows.
    pub shown: Vec<Option<usize>>,
}

impl Scene {
    /// A random scene with so many things, all different.
    ///
    /// # Panics
    /// When there are fewer than two things or more than four: more have no clear places here.
    pub fn new(count: RangeInclusive<usize>, pairs: Pairs, rng: &mut impl Rng) -> Scene {
        assert!(*count.start() >= 2 && *count.end() <= 4, "a scene of {count:?} things");
        let count = rng.random_range(count);
        let things = loop {
            let things: Vec<Thing> = (0..count).map(|_| thing(rng)).collect();
            if are_clear(&things) && are_of(&things, pairs) {
                break things;
            }
        };
        Scene::of(things, rng)
    }

    /// These things, wherever they lie: a later one covers an earlier one.
    pub fn of(things: Vec<Thing>, rng: &mut impl Rng) -> Scene {
        let (picture, shown) = picture::draw(&things, rng);
        Scene { things, picture, shown }
    }

    /// Whether all things differ, lie apart, and every relation is plain: as in a scene that was drawn at random.
    pub fn is_clear(&self) -> bool {
        are_clear(&self.things)
    }

    /// The order in which the things are named: the large ones first, each size from the upper left corner to the
    /// lower right. Two clear things are never equally far on that way.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.things.len()).collect();
        order.sort_by_key(|k| {
            (Reverse(self.things[*k].width), self.things[*k].x + self.things[*k].y)
        });
        order
    }

    /// For each of the 8 × 8 places, row by row, the thing that most of its 4 × 4 pixels show, of those
    /// that show any; nothing where all of them are background.
    pub fn things_at_places(&self) -> Vec<Option<usize>> {
        let things = (0..PLACES * PLACES).map(|place| {
            let (row, column) = (place / PLACES, place % PLACES);
            let width = SIDE / PLACES;
            let mut counts = vec![0; self.things.len()];
            for y in row * width..(row + 1) * width {
                for thing in self.shown[y * SIDE + column * width..][..width].iter().flatten() {
                    counts[*thing] += 1;
                }
            }
            let largest = counts.iter().max().copied().filter(|count| *count > 0)?;
            counts.iter().position(|count| *count == largest)
        });
        things.collect()
    }
}

fn thing(rng: &mut impl Rng) -> Thing {
    let mut pick = |choices: &[usize]| *choices.choose(rng).expect("a choice");
    let width = pick(&WIDTHS);
    let (shape, colour) =
        (Shape::ALL[pick(&[0, 1, 2, 3, 4])], Colour::ALL[pick(&[0, 1, 2, 3, 4, 5])]);
    let [x, y] = [0; 2].map(|_| rng.random_range(0..=SIDE - width));
    Thing { shape, colour, x, y, width }
}

fn are_clear(things: &[Thing]) -> bool {
    things.iter().enumerate().all(|(i, one)| {
        things[..i].iter().all(|other| {
            one.is_clear_of(other) && (one.shape, one.colour) != (other.shape, other.colour)
        })
    })
}

fn are_of(things: &[Thing], pairs: Pairs) -> bool {
    let any_new = things.iter().any(|thing| is_new(thing.shape, thing.colour));
    any_new == (pairs == Pairs::New)
}
