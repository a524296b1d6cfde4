//! 11.7: every machine knows its own mean.

use super::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, wrong};
use tests::{expect, hard, uneven};

pub type Factors = fn(&[usize]) -> Vec<f32>;

pub const EXERCISE: Exercise<Factors> = Exercise {
    check,
    wrong: &[
        wrong("a masked token among few counts more than one among many", |masked| {
            vec![1.0; masked.len()]
        }),
        wrong("the library takes the mean over machines", |masked| {
            scaled(masked, |_, factor| factor / masked.len() as f32)
        }),
        wrong("every machine has the gradient of its own mean: it is divided already", |masked| {
            vec![masked.len() as f32 / masked.iter().sum::<usize>() as f32; masked.len()]
        }),
        wrong("that is turned round: more masked tokens count more", |masked| {
            scaled(masked, |own, factor| if own > 0.0 { 1.0 / factor } else { 0.0 })
        }),
        wrong(
            "the library divides by all machines: a gradient is zero when it has none, and still counted",
            |masked| {
                let busy = masked.iter().filter(|own| **own > 0).count() as f32;
                scaled(masked, |_, factor| factor * busy / masked.len() as f32)
            },
        ),
        wrong("0/0 is not finite, and a machine may have nothing masked", |masked| {
            scaled(masked, |own, factor| own.powi(2) / own / own * factor)
        }),
    ],
};

fn check(factors: Factors) {
    let several = [&[4, 4][..], &[5, 2, 2], &[3, 1, 6, 2], &[0, 5], &[310, 260, 500, 120, 0, 430]];
    let ragged = hard::LENGTHS.into_iter().map(|(_, masked)| masked);
    for masked in several.into_iter().chain(ragged.filter(|masked| !masked.is_empty())) {
        let found = factors(masked);
        assert!(found.len() == masked.len(), "factors({masked:?}) = {found:?}: one a machine");
        // A column is one piece's gradient.
        let pieces: Matrix = uneven(3, masked.iter().sum(), 0.8);
        let (mut combined, mut begin) = (Matrix::zeros(3, 1), 0);
        for (&count, factor) in masked.iter().zip(&found) {
            let own = pieces.columns(begin, count).column_sum() / count.max(1) as f32;
            combined += own * (factor / masked.len() as f32);
            begin += count;
        }
        expect(combined, pieces.column_mean(), 1e-5)
            .of(format!("the gradient that comes out with factors({masked:?}) = {found:.3?}"))
            .check();
    }
}

/// The right factors, changed by `f(masked, factor)`.
fn scaled(masked: &[usize], f: impl Fn(f32, f32) -> f32) -> Vec<f32> {
    let right = solutions::factors(masked);
    masked.iter().zip(right).map(|(own, factor)| f(*own as f32, factor)).collect()
}
