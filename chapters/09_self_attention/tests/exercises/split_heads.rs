//! 9.12: heads of several tokens.

use super::support::uneven;
use shared::Matrix;
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

type SplitHeads = fn(&Matrix, usize) -> Vec<Matrix>;

pub fn exercise() -> Exercise<SplitHeads> {
    Exercise {
        number: 12,
        title: "spot the bug: heads of several tokens",
        kind: Kind::SpotTheBug,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong { name: ORIGINAL_BUG, hint: "pieces of several tokens", answer: original },
            Wrong {
                name: "every H-th row",
                hint: "follow one another",
                answer: |x, heads| (0..heads).map(|head| every(x, heads, head)).collect(),
            },
            Wrong { name: "row after row", hint: "column after column", answer: row_after_row },
            Wrong {
                name: "columns shared out",
                hint: "",
                answer: |x, heads| {
                    let n = x.ncols() / heads;
                    (0..heads).map(|head| x.columns(head * n, n).into_owned()).collect()
                },
            },
            Wrong {
                name: "the last head first",
                hint: "",
                answer: |x, heads| {
                    let d = x.nrows() / heads;
                    (0..heads).rev().map(|head| x.rows(head * d, d).into_owned()).collect()
                },
            },
            Wrong {
                name: "the first head for all",
                hint: "head 1",
                answer: |x, heads| vec![x.rows(0, x.nrows() / heads).into_owned(); heads],
            },
        ],
    }
}

fn check(split_heads: SplitHeads) {
    for (heads, d, n) in [(3, 2, 4), (2, 1, 3), (2, 4, 5), (4, 3, 2), (1, 3, 4), (3, 2, 1)] {
        let x = uneven(heads * d, n, 0.6);
        let found = split_heads(&x, heads);
        assert!(found.len() == heads, "split_heads(x, {heads}) returns {} matrices", found.len());
        for (head, h) in found.iter().enumerate() {
            let right = x.rows(head * d, d).into_owned();
            let mut expectation = expect(h, &right, 1e-6)
                .of(format!("head {head} of split_heads(x, {heads})"))
                .given("x", &x);
            if n > 1 && heads > 1 {
                let pieces = "this head holds pieces of several tokens: a token's column was cut into as \
                              many columns as there are heads, so a head's columns are not side by side";
                let rows = "a matrix is stored column after column, not row after row";
                for (wrong, hint) in
                    [(original(&x, heads), pieces), (row_after_row(&x, heads), rows)]
                {
                    if (&wrong[head] - &right).amax() > 1e-3 {
                        expectation = expectation.or_hint(&wrong[head], hint);
                    }
                }
                if d > 1 {
                    expectation = expectation.or_hint(
                        every(&x, heads, head),
                        "every H-th row was taken: the rows of a head follow one another",
                    );
                }
            }
            expectation.check();
        }
    }
}

fn original(x: &Matrix, heads: usize) -> Vec<Matrix> {
    let (d, n) = (x.nrows() / heads, x.ncols());
    let pieces = Matrix::from_column_slice(d, heads * n, x.as_slice());
    (0..heads).map(|head| pieces.columns(head * n, n).into_owned()).collect()
}

fn row_after_row(x: &Matrix, heads: usize) -> Vec<Matrix> {
    let (d, n) = (x.nrows() / heads, x.ncols());
    x.as_slice().chunks(d * n).map(|piece| Matrix::from_row_slice(d, n, piece)).collect()
}

fn every(x: &Matrix, heads: usize, head: usize) -> Matrix {
    let rows: Vec<usize> = (head..x.nrows()).step_by(heads).collect();
    x.select_rows(&rows)
}
