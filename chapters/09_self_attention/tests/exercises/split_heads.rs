//! 9.12: heads of several tokens.

use super::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, uneven};

type SplitHeads = fn(&Matrix, usize) -> Vec<Matrix>;

pub const EXERCISE: Exercise<SplitHeads> = Exercise {
    check,
    wrong: &[
        bug(
            "this head holds pieces of several tokens: a token's column was cut into as many columns as \
             there are heads, so a head's columns are not side by side",
            |x, heads| {
                let (d, n) = (x.nrows() / heads, x.ncols());
                x.as_slice().chunks(d * n).map(|of| Matrix::from_column_slice(d, n, of)).collect()
            },
        ),
        wrong("matrices are stored column after column", |x, heads| {
            let (d, n) = (x.nrows() / heads, x.ncols());
            x.as_slice().chunks(d * n).map(|of| Matrix::from_row_slice(d, n, of)).collect()
        }),
        wrong("the rows of a head follow one another", |x, heads| {
            let rows = (0..heads).map(|head| (head..x.nrows()).step_by(heads).collect::<Vec<_>>());
            rows.map(|rows| x.select_rows(&rows)).collect()
        }),
        wrong("a head has rows of every token", |x, heads| {
            let n = x.ncols() / heads;
            (0..heads).map(|head| x.columns(head * n, n).into_owned()).collect()
        }),
        wrong("the first head's rows come first", |x, heads| {
            solutions::split_heads(x, heads).into_iter().rev().collect()
        }),
        wrong("each head has rows of its own", |x, heads| {
            vec![solutions::split_heads(x, heads)[0].clone(); heads]
        }),
    ],
};

fn check(split_heads: SplitHeads) {
    for (heads, d, n) in [(3, 2, 4), (2, 1, 3), (2, 4, 5), (4, 3, 2), (1, 3, 4), (3, 2, 1)] {
        let x = uneven(heads * d, n, 0.6);
        let (found, right) = (split_heads(&x, heads), solutions::split_heads(&x, heads));
        assert!(found.len() == heads, "split_heads(x, {heads}) returns {} matrices", found.len());
        for (head, (found, right)) in found.iter().zip(right).enumerate() {
            expect(found, right, 1e-6)
                .of(format!("head {head} of split_heads(x, {heads})"))
                .given("x", &x)
                .check();
        }
    }
}
