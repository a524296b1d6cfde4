//! A convolution as one product: every neighbourhood becomes a column.
//!
//! A feature map is a matrix like any other here: a column is a pixel, pixels stand row by row, picture after
//! picture. A convolution with 3 × 3 weights asks the same question of every pixel's neighbourhood. So the
//! nine pixels of a neighbourhood are stacked into one column (*im2col*), and the question is a matrix that
//! multiplies all columns at once.

use rand::Rng;
use shared::{Float, Linear, Matrix, Module, Tape, Var, Visitor};

/// Pixels from the middle of a neighbourhood to its edge.
const REACH: isize = 1;

/// 3 × 3 weights on every `stride`-th pixel of every `stride`-th row: `y = ReLU(W x + b)`, in which x is the
/// neighbourhood, zero beyond the edge of the picture.
#[derive(Debug)]
pub struct Convolution {
    /// `W` (outputs, 9·inputs) and `b`: nine blocks of columns, one for each pixel of the neighbourhood, row by row.
    pub linear: Linear,
    /// 2 halves both sides of the picture, 1 keeps them.
    pub stride: usize,
}

impl Convolution {
    /// Glorot-uniform weights, a zero bias.
    pub fn new(inputs: usize, outputs: usize, stride: usize, rng: &mut impl Rng) -> Convolution {
        Convolution { linear: Linear::new(9 * inputs, outputs, rng), stride }
    }

    /// [`Convolution::forward`] of pixels, whose gradient nobody needs.
    pub fn of_pixels<'t>(&self, tape: &'t Tape, x: &Matrix, side: usize) -> Var<'t> {
        self.linear.forward(tape.constant(im2col(x, side, self.stride))).relu()
    }

    // ANCHOR: convolution
    /// `x` (inputs, side²·B) → (outputs, (side/stride)²·B).
    pub fn forward<'t>(&self, x: Var<'t>, side: usize) -> Var<'t> {
        self.linear.forward(patches(x, side, self.stride)).relu()
    }
}

/// The neighbourhood of every `stride`-th pixel as a column: `x` (c, side²·B) → (9c, (side/stride)²·B).
pub fn patches(x: Var<'_>, side: usize, stride: usize) -> Var<'_> {
    let (c, n) = x.shape();
    x.tape().push([x], im2col(&x.value(), side, stride), move |dy, [x_id], gradients| {
        gradients.update(x_id, |dx| {
            each_copy(side, stride, n, |from, to, k| {
                let dy = &dy.as_slice()[(9 * to + k) * c..][..c];
                let dx = &mut dx.as_mut_slice()[from * c..][..c];
                dx.iter_mut().zip(dy).for_each(|(dx, dy)| *dx += dy); // in up to nine columns
            });
        });
    })
}

/// [`patches`] of plain numbers.
pub fn im2col(x: &Matrix, side: usize, stride: usize) -> Matrix {
    let (c, n) = x.shape();
    let mut y = Matrix::zeros(9 * c, n / (stride * stride));
    each_copy(side, stride, n, |from, to, k| {
        let x = &x.as_slice()[from * c..][..c];
        y.as_mut_slice()[(9 * to + k) * c..][..c].copy_from_slice(x);
    });
    y
}
// ANCHOR_END: convolution

/// Calls `copy(from, to, k)` for every pixel `from` that is the `k`-th in the neighbourhood of result `to`.
///
/// # Panics
/// When `n` pixels are no whole pictures of this side, or the stride does not divide the side.
fn each_copy(side: usize, stride: usize, n: usize, mut copy: impl FnMut(usize, usize, usize)) {
    assert!(n.is_multiple_of(side * side), "{n} pixels in pictures of {side} × {side}");
    assert!(side.is_multiple_of(stride), "a stride of {stride} in a picture of {side} × {side}");
    let out = side / stride;
    for picture in 0..n / (side * side) {
        for (row, column) in (0..out * out).map(|i| (i / out, i % out)) {
            let to = picture * out * out + row * out + column;
            for k in 0..9 {
                let y = (row * stride + k / 3) as isize - REACH;
                let x = (column * stride + k % 3) as isize - REACH;
                if (0..side as isize).contains(&y) && (0..side as isize).contains(&x) {
                    copy(picture * side * side + y as usize * side + x as usize, to, k);
                }
            }
        }
    }
}

impl Module for Convolution {
    fn visit(&mut self, visitor: &mut Visitor) {
        self.linear.visit(visitor);
    }
}

/// Pixels in a row of a picture, and rows.
pub const SIDE: usize = 32;

/// What is known of a pixel: red, green, blue, and where it is: column and row.
pub const CHANNELS: usize = 5;

/// Reads pictures into annotations: three convolutions, of which the first two halve the sides.
#[derive(Debug)]
pub struct Encoder {
    /// The layers, from the pixels up.
    pub layers: [Convolution; 3],
}

impl Encoder {
    /// An encoder with so many channels after each layer.
    pub fn new(channels: [usize; 3], rng: &mut impl Rng) -> Encoder {
        let [a, b, c] = channels;
        let layers = [(CHANNELS, a, 2), (a, b, 2), (b, c, 1)];
        Encoder { layers: layers.map(|(from, to, stride)| Convolution::new(from, to, stride, rng)) }
    }

    // ANCHOR: encoder
    /// 64 annotations of each picture, (c, 64·B): the places are squares of 4 × 4 pixels, row by row.
    pub fn forward<'t>(&self, tape: &'t Tape, pictures: &[&[usize]]) -> Var<'t> {
        let [first, second, third] = &self.layers;
        let x = first.of_pixels(tape, &pixels(pictures), SIDE); // (16, 16²·B)
        let x = second.forward(x, SIDE / 2); //                    (32, 8²·B)
        third.forward(x, SIDE / 4) //                              (c, 8²·B), of 15 × 15 pixels
    }
    // ANCHOR_END: encoder
}

impl Module for Encoder {
    fn visit(&mut self, visitor: &mut Visitor) {
        let [first, second, third] = &mut self.layers;
        visitor.module("first", first);
        visitor.module("second", second);
        visitor.module("third", third);
    }
}

/// A pixel as the word of a sentence: a picture is one of 1,024 words, row by row.
///
/// ```
/// use captioning::word_of;
/// assert_eq!(word_of([1, 2, 3]), 0x01_02_03);
/// ```
pub fn word_of([red, green, blue]: [u8; 3]) -> usize {
    usize::from(red) << 16 | usize::from(green) << 8 | usize::from(blue)
}

/// (5, 1024·B): colours and places between −1 and 1.
///
/// # Panics
/// When a picture has not 32 × 32 pixels.
pub fn pixels(pictures: &[&[usize]]) -> Matrix {
    let n = SIDE * SIDE;
    let place = |i: usize| (2 * i + 1) as Float / SIDE as Float - 1.0;
    let mut x = Vec::with_capacity(CHANNELS * n * pictures.len());
    for picture in pictures {
        assert!(picture.len() == n, "a picture of {} pixels, not {SIDE} × {SIDE}", picture.len());
        for (i, word) in picture.iter().enumerate() {
            let colour = [word >> 16 & 255, word >> 8 & 255, word & 255];
            x.extend(colour.map(|byte| byte as Float / 127.5 - 1.0));
            x.extend([place(i % SIDE), place(i / SIDE)]);
        }
    }
    Matrix::from_vec(CHANNELS, n * pictures.len(), x)
}
