//! 12.2: a mean of means.

use shared::Matrix;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

pub type ShareOfLoss = fn(&Matrix, &[Option<usize>], usize) -> f32;

pub fn exercise() -> Exercise<ShareOfLoss> {
    Exercise {
        number: 2,
        title: "spot the bug: a mean of means",
        kind: Kind::SpotTheBug,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "the original bug",
                hint: "of the whole batch",
                answer: |logits, tags, _| {
                    let words = tags.iter().flatten().count();
                    crate::solutions::share_of_loss(logits, tags, words)
                },
            },
            Wrong {
                name: "by all pieces",
                hint: "pieces without a tag",
                answer: |logits, tags, _| crate::solutions::share_of_loss(logits, tags, tags.len()),
            },
            Wrong {
                name: "a sum",
                hint: "divided",
                answer: |logits, tags, _| crate::solutions::share_of_loss(logits, tags, 1),
            },
            Wrong {
                name: "by both",
                hint: "divided twice",
                answer: |logits, tags, all| {
                    let words = tags.iter().flatten().count();
                    crate::solutions::share_of_loss(logits, tags, words * all)
                },
            },
            Wrong {
                name: "no tag is class 0",
                hint: "no loss",
                answer: |logits, tags, all| {
                    let tags: Vec<_> = tags.iter().map(|t| Some(t.unwrap_or(0))).collect();
                    crate::solutions::share_of_loss(logits, &tags, all)
                },
            },
            Wrong {
                name: "exponentials of large logits",
                hint: "before exp",
                answer: |logits, tags, all| shifted(logits, tags, all, |_| 0.0),
            },
            Wrong {
                name: "exponentials in double precision",
                hint: "before exp",
                answer: |logits, tags, all| {
                    let loss = |(column, tag): (Column, &Option<usize>)| {
                        let exps = column.iter().map(|x| f64::from(*x).exp());
                        tag.map(|tag| exps.sum::<f64>().ln() - f64::from(column[tag]))
                    };
                    let sum: f64 = logits.column_iter().zip(tags).filter_map(loss).sum();
                    (sum / all as f64) as f32
                },
            },
            Wrong {
                name: "one largest for all pieces",
                hint: "of its own column",
                answer: |logits, tags, all| {
                    let largest = logits.max();
                    shifted(logits, tags, all, |_| largest)
                },
            },
            Wrong {
                name: "the largest, or 0",
                hint: "of its own column",
                answer: |logits, tags, all| {
                    shifted(logits, tags, all, |column| column.max().max(0.0))
                },
            },
        ],
    }
}

fn check(share_of_loss: ShareOfLoss) {
    let logits = Matrix::from_fn(3, 5, |i, j| (1.3 * i as f32 + 2.1 * j as f32).sin());
    let tags = [None, Some(2), None, Some(0), None];
    let solution = |n| crate::solutions::share_of_loss(&logits, &tags, n);
    let first = tags.map(|tag| tag.or(Some(0)));
    for all in [9, 7] {
        expect([share_of_loss(&logits, &tags, all)], [solution(all)], 1e-6)
            .of(format!("share_of_loss(logits, [–, 2, –, 0, –], {all})"))
            .or_hint(
                [solution(2)],
                "divided by this part's words, where it should be those of the whole batch",
            )
            .or_hint([solution(5)], "pieces without a tag are no words")
            .or_hint([solution(1)], "a sum, which is still to be divided")
            .or_hint([solution(2 * all)], "divided twice")
            .or_hint(
                [crate::solutions::share_of_loss(&logits, &first, all)],
                "what has no tag is asked nothing, and has no loss",
            )
            .check();
    }
    let (wide, tag) = (Matrix::from_fn(6, 2, |i, j| (1.7 * i as f32 + j as f32).cos()), Some(5));
    for (tags, all) in [([tag, None], 1), ([Some(0), tag], 2), ([tag, tag], 3)] {
        expect(
            share_of_loss(&wide, &tags, all),
            crate::solutions::share_of_loss(&wide, &tags, all),
            1e-6,
        )
        .of(format!("share_of_loss of six classes, tags {tags:?}, {all} words in the batch,"))
        .check();
    }
    let none = share_of_loss(&logits, &[None; 5], 9);
    assert!(none == 0.0, "a part without words has a loss of {none}\nhint: it adds nothing");
    let mut below = logits.clone();
    below.column_mut(3).add_scalar_mut(-400.0);
    for (logits, what) in [
        (below, "the logits of one piece far below the others'"),
        (logits * 1000.0, "logits of up to ±1000"),
    ] {
        let found = share_of_loss(&logits, &tags, 9);
        assert!(
            found.is_finite(),
            "with {what} it is {found}\nhint: as in the lines that were given, before exp each piece has the largest \
             of its own column subtracted, and no logarithm is taken of p, which may be 0"
        );
        expect([found], [crate::solutions::share_of_loss(&logits, &tags, 9)], 1e-4)
            .of(format!("share_of_loss with {what}"))
            .check();
    }
}

type Column<'m> = nalgebra::DVectorView<'m, f32>;

/// With something else than a column's largest subtracted.
fn shifted(
    logits: &Matrix,
    tags: &[Option<usize>],
    all: usize,
    shift: impl Fn(&Column) -> f32,
) -> f32 {
    let loss = |(column, tag): (Column, &Option<usize>)| {
        let most = shift(&column);
        tag.map(|tag| most + column.map(|x| (x - most).exp()).sum().ln() - column[tag])
    };
    logits.column_iter().zip(tags).filter_map(loss).sum::<f32>() / all as f32
}
