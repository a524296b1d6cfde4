//! Against products in f32, in every layout; `accuracy` against sums in f64.

use super::pack::HEIGHT;
use super::*;
use crate::processor::{has_bf16, has_tiles};
use crate::{Matrix, Operand, product};

mod accuracy;
mod copies;
#[cfg(target_os = "linux")]
mod emulator;
#[cfg(target_os = "linux")]
mod instructions;
mod twin;
mod weights;

use twin::Loops;

/// The products of this module.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Half,
    Wide,
    Split,
    /// Products by tiles, where there are any.
    Tiles {
        split: bool,
    },
    /// Products with the copies for tiles, both by their twin.
    Loops {
        split: bool,
    },
}

/// Those that this processor can be asked for: the twin in any case.
fn kinds() -> impl Iterator<Item = Kind> {
    if !has_bf16() {
        eprintln!("tested by their twin alone: this processor has no AVX-512 BF16");
    } else if !has_tiles() {
        eprintln!("not tested on tiles, which this processor has not: by their twin");
    }
    let [tiles, loops] = [|split| Kind::Tiles { split }, |split| Kind::Loops { split }];
    [loops(false), loops(true), Kind::Half, Kind::Wide, Kind::Split, tiles(false), tiles(true)]
        .into_iter()
        .filter(|kind| match kind {
            Kind::Loops { .. } => true,
            Kind::Half | Kind::Wide | Kind::Split => has_bf16(),
            Kind::Tiles { .. } => has_tiles(),
        })
}

impl Kind {
    /// Does it keep what rounding loses?
    fn is_split(self) -> bool {
        match self {
            Kind::Half | Kind::Wide => false,
            Kind::Split => true,
            Kind::Tiles { split } | Kind::Loops { split } => split,
        }
    }

    /// `dst = beta·dst + alpha·a·b`.
    ///
    /// # Safety
    /// As for [`rounded`].
    unsafe fn multiply(
        self,
        beta: f32,
        dst: *mut f32,
        strides: (usize, usize),
        alpha: f32,
        a: &View,
        b: &View,
    ) {
        let output = Output { beta, dst, strides, alpha };
        // SAFETY: the caller vouches for all.
        unsafe {
            match self {
                Kind::Half => rounded(Backend::Bf16, beta, dst, strides, alpha, a, b),
                Kind::Wide => rounded(Backend::F32, beta, dst, strides, alpha, a, b),
                Kind::Split => split(Backend::Bf16, beta, dst, strides, alpha, a, b),
                Kind::Tiles { split: false } => {
                    rounded(Backend::Tiles, beta, dst, strides, alpha, a, b)
                }
                Kind::Tiles { split: true } => {
                    split(Backend::Tiles, beta, dst, strides, alpha, a, b)
                }
                Kind::Loops { split: false } => run::<Tiles<Loops, false>, SIDE>(output, a, b),
                Kind::Loops { split: true } => run::<Tiles<Loops, true>, SIDE>(output, a, b),
            }
        }
    }

    /// `a·b`.
    fn product(self, a: &View, b: &View) -> Matrix {
        let (m, n) = (a.nrows(), b.ncols());
        let mut c = Matrix::from_element(m, n, f32::NAN);
        // SAFETY: `c` has the shape of the product, and lies by columns.
        unsafe { self.multiply(0.0, c.as_mut_ptr(), (1, m), 1.0, a, b) };
        c
    }
}

/// Shapes with and without whole tiles, panels, pairs and blocks; the last ones have several: in depth, of rows, of
/// columns.
const SHAPES: [(usize, usize, usize); 13] = [
    (1, 1, 1),
    (3, 5, 7),
    (16, 2, 12),
    (32, 32, 12),
    (33, 31, 13),
    (64, 64, 24),
    (31, 33, 11),
    (100, 47, 1),
    (1, 129, 50),
    (70, 90, 80),
    (40, 1500, 30),
    (540, 3, 33),
    (33, 5, 2030),
];

fn numbers(rows: usize, columns: usize, seed: usize) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| ((i * 7 + j * 13 + seed) % 9) as f32 - 4.0)
}

/// The same numbers in four layouts: by columns, by rows, in a block of a matrix, with gaps.
fn with_layouts(a: &Matrix, mut check: impl FnMut(&View)) {
    let (m, n) = a.shape();
    check(&a.whole());
    check(&a.transpose().t());
    let mut around = Matrix::from_element(m + 3, n + 2, f32::NAN);
    around.view_mut((2, 1), (m, n)).copy_from(a);
    check(&around.view((2, 1), (m, n)).whole());
    let mut sparse = Matrix::from_element(2 * m, n, f32::NAN);
    sparse.rows_with_step_mut(0, m, 1).copy_from(a);
    check(&sparse.rows_with_step(0, m, 1).whole());
}

/// `beta·c + alpha·a·b` with `c` by columns, by rows and with gaps, in a field of numbers of which
/// no other may change.
fn in_all_places(kind: Kind, beta: f32, c: &Matrix, alpha: f32, a: &View, b: &View) -> Vec<Matrix> {
    let (m, n) = c.shape();
    let strides = [(1, m + 2), (n + 1, 1), (2, 2 * m)];
    let results = strides.map(|(rows, columns)| {
        let place = |i: usize, j: usize| 3 + i * rows + j * columns;
        let mut field = vec![77.0; 8 + (m + 2) * (n + 2) * 2];
        let mut expected = field.clone();
        (0..n).for_each(|j| (0..m).for_each(|i| field[place(i, j)] = c[(i, j)]));
        // SAFETY: the places of the field that were just written.
        unsafe { kind.multiply(beta, field.as_mut_ptr().add(3), (rows, columns), alpha, a, b) };
        let found = Matrix::from_fn(m, n, |i, j| field[place(i, j)]);
        (0..n).for_each(|j| (0..m).for_each(|i| expected[place(i, j)] = found[(i, j)]));
        let same = field.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same, "what lies beside the result was written");
        found
    });
    results.into()
}

#[test]
fn whole_numbers_give_the_product_of_f32_in_every_layout() {
    for (m, k, n) in SHAPES {
        let (a, b, c) = (numbers(m, k, 1), numbers(k, n, 2), numbers(m, n, 3));
        let ab = product(&a, &b); // exact, as every factor is below
        for (beta, alpha) in [(0.0, 1.0), (1.0, 1.0), (1.0, -2.0), (0.5, 0.25)] {
            let expected = &ab * alpha + &c * beta;
            let start = if beta == 0.0 { Matrix::from_element(m, n, f32::NAN) } else { c.clone() };
            let check = |a: &View, b: &View| {
                for kind in kinds() {
                    for found in in_all_places(kind, beta, &start, alpha, a, b) {
                        assert_eq!(found, expected, "{kind:?} {m} × {k} × {n}, beta {beta}");
                    }
                }
            };
            // Either factor is copied by itself: no layout of one need meet all of the other.
            with_layouts(&a, |a| check(a, &b.whole()));
            with_layouts(&b, |b| check(&a.whole(), b));
        }
    }
}

#[test]
fn factors_are_rounded_to_the_nearest_and_sums_are_not() {
    let one = Matrix::from_element(1, 1, 1.0);
    for kind in kinds().filter(|kind| !kind.is_split()) {
        // 8 bits: 257 lies between 256 and 258, and goes to the even one; 259 to 260.
        for (number, rounded) in [(257.0, 256.0), (259.0, 260.0), (257.1, 258.0), (-257.0, -256.0)]
        {
            let a = &one * number;
            for (a, b) in [(&a, &one), (&one, &a)] {
                assert_eq!(kind.product(&a.whole(), &b.whole())[0], rounded);
            }
        }
        // 300 ones: a sum in bf16 would stop at 256.
        let ones = Matrix::from_element(1, 301, 1.0);
        assert_eq!(kind.product(&ones.whole(), &ones.t())[0], 301.0);
    }
    // Subnormal numbers count as 0; in f32 as factors only, which are rounded by the same instruction.
    let smallest = f32::MIN_POSITIVE; // 2⁻¹²⁶, the smallest that is not subnormal
    for kind in kinds() {
        let half_of_it = if kind == Kind::Wide { smallest / 2.0 } else { 0.0 };
        let product_with = |factor: f32, other: f32| {
            kind.product(&(&one * factor).whole(), &(&one * other).whole())[0]
        };
        assert_eq!(product_with(smallest, 1.0), smallest, "{kind:?}");
        assert_eq!(product_with(smallest / 2.0, 4.0), 0.0, "{kind:?}");
        assert_eq!(product_with(smallest, 0.5), half_of_it, "{kind:?}");
    }
}

/// The same in every layout of the factors, and whatever runs beside it.
#[test]
fn a_product_has_the_same_bits_on_two_threads() {
    let noise =
        |m: usize, n: usize| Matrix::from_fn(m, n, |i, j| (1.0 + (i * 31 + j * 17) as f32).sin());
    let (a, b) = (noise(70, 901), noise(901, 50));
    for kind in kinds() {
        let alone = kind.product(&a.whole(), &b.whole());
        with_layouts(&a, |a| with_layouts(&b, |b| assert_eq!(kind.product(a, b), alone)));
        let both = std::thread::scope(|scope| {
            let threads = [(); 2].map(|()| scope.spawn(|| kind.product(&a.whole(), &b.whole())));
            threads.map(|thread| thread.join().unwrap())
        });
        assert!(both.iter().all(|c| *c == alone), "{kind:?}");
    }
}

fn are_same(x: f32, y: f32) -> bool {
    x == y || (x.is_nan() && y.is_nan())
}

#[test]
fn what_is_no_number_stays_none() {
    for (kind, odd) in kinds().flat_map(|kind| [(kind, f32::NAN), (kind, f32::INFINITY)]) {
        let (mut a, b) = (Matrix::from_element(40, 40, 1.0), Matrix::from_element(40, 40, 1.0));
        a[(7, 9)] = odd;
        let c = kind.product(&a.whole(), &b.whole());
        let expected = Matrix::from_fn(40, 40, |i, _| if i == 7 { odd } else { 40.0 });
        assert!(c.iter().zip(&expected).all(|(c, x)| are_same(*c, *x)), "{kind:?}");
    }
}

/// The results are those of f32: an infinity's second part would be infinity less infinity, were it split as others
/// are, and its product with a number whose second part is 0 would be none.
#[test]
fn infinities_and_the_largest_numbers_can_be_split() {
    let numbers = [0.0, 1.0, -1.0, 1.003, -0.999, 1e-30, 257.3, f32::MAX, -f32::MAX];
    let odd = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    for kind in kinds().filter(|kind| kind.is_split()) {
        let product = |x: f32, y: f32| {
            let [a, b] = [x, y].map(|x| Matrix::from_element(1, 1, x));
            kind.product(&a.whole(), &b.whole())[0]
        };
        let pairs = odd.map(|x| numbers.into_iter().chain(odd).map(move |y| (x, y)));
        for (x, y) in pairs.into_iter().flatten() {
            for c in [product(x, y), product(y, x)] {
                assert!(are_same(c, x * y), "{kind:?}: {x}·{y} is {c}");
            }
        }
        // f32::MAX is rounded to infinity in bf16, and split into two finite parts.
        for (x, y) in [(f32::MAX, 0.5), (f32::MAX, -0.25), (3.4e38, 1e-10)] {
            let c = product(x, y);
            assert!((c / (x * y) - 1.0).abs() < 2f32.powi(-15), "{kind:?}: {x}·{y} is {c}");
            let (a, b) = (Matrix::from_element(1, 1, x), Matrix::from_element(1, 1, y));
            let rounded = Kind::Loops { split: false };
            assert!(rounded.product(&a.whole(), &b.whole())[0].is_infinite());
        }
    }
}
