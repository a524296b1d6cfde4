//! 12.2: a mean of means.

use super::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, hard, uneven};

pub type ShareOfLoss = fn(&Matrix, &[Option<usize>], usize) -> f32;

const STABLE: &str = "as in the lines that were given, before exp each piece has the largest of its own column subtracted, \
     and no logarithm is taken of p, which may be 0";

pub const EXERCISE: Exercise<ShareOfLoss> = Exercise {
    check,
    wrong: &[
        bug(
            "divided by this part's words, where it should be those of the whole batch",
            |logits, tags, _| solutions::share_of_loss(logits, tags, tags.iter().flatten().count()),
        ),
        wrong("pieces without a tag are no words", |logits, tags, _| {
            solutions::share_of_loss(logits, tags, tags.len())
        }),
        wrong("a sum, which is still to be divided", |logits, tags, _| {
            solutions::share_of_loss(logits, tags, 1)
        }),
        wrong("divided twice", |logits, tags, all| {
            solutions::share_of_loss(logits, tags, tags.iter().flatten().count() * all)
        }),
        wrong("what has no tag is asked nothing, and has no loss", |logits, tags, all| {
            let tags: Vec<_> = tags.iter().map(|tag| tag.or(Some(0))).collect();
            solutions::share_of_loss(logits, &tags, all)
        }),
        wrong(STABLE, |logits, tags, all| shifted(logits, tags, all, logits.max())),
    ],
};

fn check(share_of_loss: ShareOfLoss) {
    let (logits, wide): (Matrix, Matrix) = (uneven(3, 5, 3.2), uneven(6, 2, 1.6));
    let mut below = logits.clone();
    below.column_mut(3).add_scalar_mut(-400.0);
    let tags = [None, Some(2), None, Some(0), None];
    for (what, logits, tags, all) in [
        ("logits", &logits, &tags[..], 9),
        ("logits", &logits, &tags, 7),
        ("logits of six classes", &wide, &[Some(5), None], 1),
        ("logits of six classes", &wide, &[Some(0), Some(5)], 2),
        ("logits of six classes", &wide, &[Some(5), Some(5)], 3),
        ("logits", &logits, &[None; 5], 9),
        ("logits, one piece far below the others", &below, &tags, 9),
        ("logits of up to ±1000", &(&logits * 500.0), &tags, 9),
    ] {
        let found = share_of_loss(logits, tags, all);
        expect(found, solutions::share_of_loss(logits, tags, all), 1e-6)
            .of(format!("share_of_loss({what}, {tags:?}, {all})"))
            .given("logits", logits)
            .check();
    }
    for (hint, logits) in hard::scores() {
        let logits = Matrix::from_columns(&[logits]);
        let right = solutions::share_of_loss(&logits, &[Some(0)], 2);
        expect(share_of_loss(&logits, &[Some(0)], 2), right, 1e-4)
            .of("share_of_loss(logits, [Some(0)], 2)")
            .given("logits", logits)
            .hint(hint)
            .check();
    }
}

/// The loss with this subtracted in place of a column's largest.
fn shifted(logits: &Matrix, tags: &[Option<usize>], all: usize, most: f32) -> f32 {
    let losses = logits.column_iter().zip(tags).filter_map(|(column, tag)| {
        Some(most + column.map(|x| (x - most).exp()).sum().ln() - column[(*tag)?])
    });
    losses.sum::<f32>() / all as f32
}
