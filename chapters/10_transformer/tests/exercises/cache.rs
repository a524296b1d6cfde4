//! 10.8: one word further.

use crate::solutions;
use crate::support::softmax;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, wrong};
use tests::{expect, hard, uneven};

type Cache = Vec<(Vector, Vector)>;
pub type NextToken = fn(&mut Cache, &Vector, &Matrix, &Matrix, &Matrix) -> Vector;

pub const EXERCISE: Exercise<NextToken> = Exercise {
    check,
    wrong: &[
        wrong(
            "only those before were asked: a token sees itself too",
            |cache, x, w_q, w_k, w_v| {
                let y = if cache.is_empty() { w_v * x * 0.0 } else { context(cache, &(w_q * x)) };
                cache.push((w_k * x, w_v * x));
                y
            },
        ),
        wrong("the scores are not divided by √d", |cache, x, w_q, w_k, w_v| {
            let scale = (w_q.nrows() as f32).sqrt();
            solutions::next_token(cache, x, &(w_q * scale), w_k, w_v)
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
    let first =
        |row, size| Matrix::from_fn(4, 3, |i, j| if i == 0 && j == row { size } else { 0.0 });
    let (one, two) = (first(1, 1.0), first(0, 2.0));
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
            expect(found, right.column(t), tolerance)
                .of(format!("next_token for token {t} {told}"))
                .given("x", token)
                .hint(hint)
                .check();
            let kept = cache.len();
            assert!(kept == t + 1, "after token {t} the cache holds {kept} tokens, not {}", t + 1);
            for (name, found, right) in
                [("key", &cache[t].0, &keys), ("value", &cache[t].1, &values)]
            {
                let place = format!("the {name} in place {t} of the cache");
                expect(found, right.column(t), 1e-5).of(place).check();
            }
        }
    }
}

/// Of these keys and values.
fn context(cache: &Cache, q: &Vector) -> Vector {
    let scores = Matrix::from_iterator(cache.len(), 1, cache.iter().map(|(k, _)| k.dot(q) / 2.0));
    softmax(scores).iter().zip(cache).map(|(weight, (_, v))| v * *weight).sum()
}
