//! 10.3: a stream that is normalised.

use crate::support::{column_by_column, matrix, standardised};
use shared::Matrix;
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

type Part = fn(&Matrix) -> Matrix;
type Block = fn(&Matrix, Part, Part) -> Matrix;

pub fn exercise() -> Exercise<Block> {
    Exercise {
        number: 3,
        title: "spot the bug: a stream that is normalised",
        kind: Kind::SpotTheBug,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong {
                name: ORIGINAL_BUG,
                hint: "what flows along is normalised",
                answer: |x, norm, part| norm(x) + part(&norm(x)),
            },
            Wrong {
                name: "normalised after the sum",
                hint: "post-LN",
                answer: |x, norm, part| norm(&(x + part(x))),
            },
            Wrong {
                name: "before and after",
                hint: "",
                answer: |x, norm, part| norm(&(x + part(&norm(x)))),
            },
            Wrong {
                name: "what the part answers is normalised",
                hint: "what the part reads",
                answer: |x, norm, part| x + norm(&part(x)),
            },
            Wrong {
                name: "no normalisation",
                hint: "never normalised",
                answer: |x, _, part| x + part(x),
            },
            Wrong {
                name: "no residual connection",
                hint: "x itself is missing",
                answer: |x, norm, part| part(&norm(x)),
            },
            Wrong {
                name: "the part reads what came",
                hint: "and the part reads x as it came",
                answer: |x, norm, part| norm(x) + part(x),
            },
        ],
    }
}

fn check(block: Block) {
    // With a gain of its own for each row, so that twice is not once.
    let norm: Part = |x| {
        let mut z = column_by_column(x, standardised);
        z.row_iter_mut().enumerate().for_each(|(i, mut row)| row *= 1.0 + 0.5 * i as f32);
        z
    };
    let half: Part = |x| x.map(|x| 0.5 * x.max(0.0));
    let nothing: Part = |x| x * 0.0;
    let x = matrix(4, 3, 0.3) * 2.0;
    expect(block(&x, norm, half), &x + half(&norm(&x)), 1e-5)
        .of("pre_norm_block(x, norm, part) with ½ relu for its part")
        .given("x", &x)
        .given("norm(x)", norm(&x))
        .or_hint(
            norm(&x) + half(&norm(&x)),
            "what flows along is normalised here: only what the part reads should be",
        )
        .or_hint(norm(&(&x + half(&x))), "norm(x + part(x)) is post-LN")
        .or_hint(half(&norm(&x)), "x itself is missing: it is what makes the block residual")
        .or_hint(&x + norm(&half(&x)), "normalised is what the part reads, not what it answers")
        .or_hint(
            norm(&x) + half(&x),
            "the wrong one is normalised, and the part reads x as it came",
        )
        .or_hint(&x + half(&x), "never normalised: the part reads x as it came")
        .check();
    expect(block(&x, norm, nothing), &x, 1e-5)
        .of("pre_norm_block(x, norm, part) with a part that answers 0, which should be x,")
        .check();
}
