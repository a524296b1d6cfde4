//! A convolution is one product of stacked neighbourhoods.

use captioning::convolution::{Convolution, Encoder, SIDE, patches};
use proptest::prelude::*;
use shared::{Matrix, Tape, rng};
use tests::assert_close;

/// The definition: for every output and pixel a sum over the neighbourhood, zero beyond the edge.
fn naive(layer: &Convolution, x: &Matrix, side: usize) -> Matrix {
    let (w, b) = (layer.linear.weight.value(), layer.linear.bias.as_ref().unwrap().value());
    let (inputs, pixels, out) = (x.nrows(), side * side, side / layer.stride);
    Matrix::from_fn(w.nrows(), x.ncols() / pixels * out * out, |output, column| {
        let (picture, place) = (column / (out * out), column % (out * out));
        let mut sum = b[output];
        for dy in 0..3 {
            for dx in 0..3 {
                let row =
                    (place / out * layer.stride + dy).checked_sub(1).filter(|row| *row < side);
                let col =
                    (place % out * layer.stride + dx).checked_sub(1).filter(|col| *col < side);
                let Some((row, col)) = row.zip(col) else { continue };
                for input in 0..inputs {
                    let pixel = x[(input, picture * pixels + row * side + col)];
                    sum += w[(output, (3 * dy + dx) * inputs + input)] * pixel;
                }
            }
        }
        sum.max(0.0)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn equals_the_definition(half in 1_usize..5, stride in 1_usize..3, c in 1_usize..4, b in 1_usize..3, seed in 0_u64..1000) {
        let (side, rng) = (2 * half, &mut rng(seed));
        let layer = Convolution::new(c, 3, stride, rng);
        let x = Matrix::from_fn(c, side * side * b, |i, j| ((3 * i + 7 * j) as f32 + seed as f32).sin());
        let tape = Tape::no_grad();
        let found = layer.forward(tape.constant(x.clone()), side).value();
        assert_close!(&*found, naive(&layer, &x, side), 1e-5);
        assert_eq!(*layer.of_pixels(&tape, &x, side).value(), *found);
    }
}

/// The backward of im2col is its transpose: ⟨y, im2col x⟩ = ⟨col2im y, x⟩.
#[test]
fn backward_is_the_transpose() {
    for (side, stride) in [(4, 1), (4, 2), (6, 2)] {
        let tape = Tape::new();
        let x = Matrix::from_fn(2, side * side * 2, |i, j| ((i + 5 * j) as f32).cos());
        let leaf = tape.leaf(x.clone());
        let stacked = patches(leaf, side, stride);
        let y = Matrix::from_fn(stacked.shape().0, stacked.shape().1, |i, j| {
            ((3 * i + j) as f32).sin()
        });
        let inner = stacked.component_mul(tape.constant(y)).sum();
        let value = inner.scalar();
        assert_close!(inner.backward().wrt(leaf).dot(&x), value, 1e-4);
    }
}

/// How far a pixel reaches: 15 × 15 of them decide an annotation, and no other.
#[test]
fn an_annotation_sees_fifteen_pixels() {
    let mut encoder = Encoder::new([4, 4, 4], &mut rng(0));
    for layer in &mut encoder.layers {
        layer.linear.weight.value_mut().apply(|w| *w = w.abs() + 0.1); // no unit is off
        layer.linear.bias.as_mut().unwrap().value_mut().fill(100.0);
    }
    let read = |picture: &[usize]| {
        let tape = Tape::no_grad();
        Matrix::clone(&encoder.forward(&tape, &[picture]).value())
    };
    let plain = vec![0x808080; SIDE * SIDE];
    let before = read(&plain);
    let place = 3 * 8 + 3; // its own pixels are 12 to 15
    let mut seen = Vec::new();
    for x in 0..SIDE {
        let mut picture = plain.clone();
        picture[13 * SIDE + x] = 0x000000;
        if read(&picture).column(place) != before.column(place) {
            seen.push(x);
        }
    }
    assert_eq!(seen, (5..=19).collect::<Vec<_>>());
}

#[test]
#[should_panic(expected = "a picture of 3 pixels, not 32 × 32")]
fn another_size_is_refused() {
    captioning::convolution::pixels(&[&[1, 2, 3]]);
}
