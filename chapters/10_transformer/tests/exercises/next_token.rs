//! 10.8: one word further.

use super::solutions;
use super::support::softmax;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, wrong};
use tests::{expect, hard, uneven};

type Cache = Vec<(Vector, Vector)>;
pub type NextToken = fn(&mut Cache, &Vector, &Matrix, &Matrix, &Matrix) -> Vector;

pub const EXERCISE: Exercise<NextToken> = Exercise {
    check,
    wrong: &[
        wrong("the scores are not divided by √d", |cache, x, w_q, w_k, w_v| {
            solutions::next_token(cache, x, &(w_q * 2.0), w_k, w_v)
        }),
        wrong(
            "d is the length of a query and a key, not the token's width",
            |cache, x, w_q, w_k, w_v| {
                let scale = (w_q.nrows() as f32 / x.len() as f32).sqrt();
                solutions::next_token(cache, x, &(w_q * scale), w_k, w_v)
            },
        ),
        wrong("its own value alone: what of the tokens before?", |cache, x, w_q, w_k, w_v| {
            solutions::next_token(cache, x, w_q, w_k, w_v);
            w_v * x
        }),
        wrong("the next token will ask for this one", |cache, x, w_q, w_k, w_v| {
            solutions::next_token(&mut cache.clone(), x, w_q, w_k, w_v)
        }),
        wrong(
            "the cache holds the tokens in their order, the newest last",
            |cache, x, w_q, w_k, w_v| {
                let y = solutions::next_token(cache, x, w_q, w_k, w_v);
                cache.rotate_right(1);
                y
            },
        ),
    ],
};

fn check(next_token: NextToken) {
    let (w_q, w_k, w_v) = (uneven(4, 3, 0.2), uneven(4, 3, 1.2), uneven(4, 3, 2.2));
    let x = uneven(3, 5, 0.9);
    let mut other = x.columns(0, 3).into_owned(); // what a second hypothesis writes
    other.column_mut(2).copy_from_slice(&[0.5, -1.0, 2.0]);
    let first = |row: usize| Matrix::from_fn(4, 3, |i, j| f32::from(i == 0 && j == row));
    let (one, two) = (first(1), first(0) * 2.0);
    // A token's score, and 1.
    let hard: Vec<_> = hard::scores()
        .map(|(hint, s)| (hint, Matrix::from_fn(3, s.len(), |i, j| [s[j], 1.0, 0.0][i])))
        .collect();
    let hard = hard.iter().map(|(hint, x)| (*hint, x, &one, &two, 1e-3));
    let several = [("", &x, &w_q, &w_k, 1e-5), ("", &other, &w_q, &w_k, 1e-5)];
    for (hint, x, w_q, w_k, tolerance) in several.into_iter().chain(hard) {
        let (keys, values) = (w_k * x, &w_v * x);
        let mut scores = keys.tr_mul(&(w_q * x)) / 2.0;
        let told = format!("with scores from {:.0} to {:.0}", scores.min(), scores.max());
        scores.fill_lower_triangle(f32::NEG_INFINITY, 1);
        let right = &values * softmax(scores);
        let mut cache = Cache::new();
        for (t, token) in x.column_iter().enumerate() {
            let found = next_token(&mut cache, &token.into_owned(), w_q, w_k, &w_v);
            let expectation = expect(found, right.column(t), tolerance).given("x", token);
            expectation.of(format!("next_token for token {t} {told}")).hint(hint).check();
            let kept = cache.len();
            assert!(kept == t + 1, "after token {t} the cache holds {kept} tokens, not {}", t + 1);
            let (key, value) = &cache[t];
            expect(key, keys.column(t), 1e-5).of(format!("the cache's key {t}")).check();
            expect(value, values.column(t), 1e-5).of(format!("the cache's value {t}")).check();
        }
    }
}
