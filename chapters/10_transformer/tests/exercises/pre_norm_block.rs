//! 10.3: a stream that is normalised.

use super::support::{column_by_column, standardised};
use shared::Matrix;
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, uneven};

type Part = fn(&Matrix) -> Matrix;
type Block = fn(&Matrix, Part, Part) -> Matrix;

pub const EXERCISE: Exercise<Block> = Exercise {
    check,
    wrong: &[
        bug(
            "what flows along is normalised here: only what the part reads should be",
            |x, norm, part| norm(x) + part(&norm(x)),
        ),
        wrong("norm(x + part(x)) is post-LN", |x, norm, part| norm(&(x + part(x)))),
        wrong(
            "the sum is normalised once more: what flows along stays as it is",
            |x, norm, part| norm(&(x + part(&norm(x)))),
        ),
        wrong("normalised is what the part reads, not what it answers", |x, norm, part| {
            x + norm(&part(x))
        }),
        wrong("never normalised: the part reads x as it came", |x, _, part| x + part(x)),
        wrong("x itself is missing: it is what makes the block residual", |x, norm, part| {
            part(&norm(x))
        }),
        wrong("the wrong one is normalised, and the part reads x as it came", |x, norm, part| {
            norm(x) + part(x)
        }),
    ],
};

fn check(block: Block) {
    // With a gain of its own for each row, so that twice is not once.
    let norm: Part = |x| {
        let mut z = column_by_column(x, standardised);
        z.row_iter_mut().enumerate().for_each(|(i, mut row)| row *= 1.0 + 0.5 * i as f32);
        z
    };
    let parts: [(&str, Part); 2] = [
        ("½ relu for its part", |x| x.map(|x| 0.5 * x.max(0.0))),
        ("a part that answers 0", |x| x * 0.0),
    ];
    let x = uneven(4, 3, 0.3) * 2.0;
    for (name, part) in parts {
        expect(block(&x, norm, part), &x + part(&norm(&x)), 1e-5)
            .of(format!("pre_norm_block(x, norm, part) with {name}"))
            .given("x", &x)
            .given("norm(x)", norm(&x))
            .check();
    }
}
