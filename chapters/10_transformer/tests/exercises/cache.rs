//! 10.8: one word further.

use crate::support::{matrix, softmax};
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type Cache = Vec<(Vector, Vector)>;
type NextToken = fn(&mut Cache, &Vector, &Matrix, &Matrix, &Matrix) -> Vector;

pub fn exercise() -> Exercise<NextToken> {
    Exercise {
        number: 8,
        title: "one word further",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "asks before it is there",
                hint: "a token sees itself",
                answer: |cache, x, w_q, w_k, w_v| {
                    let y = match cache.is_empty() {
                        true => Vector::zeros(w_v.nrows()),
                        false => context(cache, &(w_q * x), 2.0),
                    };
                    cache.push((w_k * x, w_v * x));
                    y
                },
            },
            Wrong {
                name: "not divided by √d",
                hint: "√d",
                answer: |cache, x, w_q, w_k, w_v| {
                    cache.push((w_k * x, w_v * x));
                    context(cache, &(w_q * x), 1.0)
                },
            },
            Wrong {
                name: "divided by the root of the token's width",
                hint: "the token's width",
                answer: |cache, x, w_q, w_k, w_v| {
                    cache.push((w_k * x, w_v * x));
                    context(cache, &(w_q * x), (x.len() as f32).sqrt())
                },
            },
            Wrong {
                name: "itself alone",
                hint: "the tokens before",
                answer: |cache, x, _, w_k, w_v| {
                    cache.push((w_k * x, w_v * x));
                    w_v * x
                },
            },
            Wrong {
                name: "nothing is kept",
                hint: "the cache holds 0 tokens",
                answer: |cache, x, w_q, w_k, w_v| {
                    let mut now = cache.clone();
                    now.push((w_k * x, w_v * x));
                    context(&now, &(w_q * x), 2.0)
                },
            },
            Wrong {
                name: "the newest first",
                hint: "in the order",
                answer: |cache, x, w_q, w_k, w_v| {
                    cache.insert(0, (w_k * x, w_v * x));
                    context(cache, &(w_q * x), 2.0)
                },
            },
            Wrong {
                name: "the largest score, or 0",
                hint: "of these scores",
                answer: |cache, x, w_q, w_k, w_v| {
                    cache.push((w_k * x, w_v * x));
                    let q = w_q * x;
                    let scores: Vec<f32> = cache.iter().map(|(k, _)| k.dot(&q) / 2.0).collect();
                    let most = scores.iter().copied().fold(0.0, f32::max);
                    let e: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
                    let sum: f32 = e.iter().sum();
                    e.iter().zip(&*cache).map(|(e, (_, v))| v * (e / sum)).sum()
                },
            },
            Wrong {
                name: "unstable exponents",
                hint: "subtract the largest",
                answer: |cache, x, w_q, w_k, w_v| {
                    cache.push((w_k * x, w_v * x));
                    let q = w_q * x;
                    let e: Vec<f32> = cache.iter().map(|(k, _)| (k.dot(&q) / 2.0).exp()).collect();
                    let sum: f32 = e.iter().sum();
                    e.iter().zip(&*cache).map(|(e, (_, v))| v * (e / sum)).sum()
                },
            },
        ],
    }
}

fn check(next_token: NextToken) {
    let (w_q, w_k, w_v) = (matrix(4, 3, 0.2), matrix(4, 3, 1.2), matrix(4, 3, 2.2));
    let x = matrix(3, 5, 0.9);
    let expected = all_at_once(&x, &w_q, &w_k, &w_v);
    let mut cache = Cache::new();
    let mut branch = Cache::new();
    for (t, token) in x.column_iter().enumerate() {
        let token = token.into_owned();
        let found = next_token(&mut cache, &token, &w_q, &w_k, &w_v);
        let mut now: Cache = (0..=t).map(|i| (&w_k * x.column(i), &w_v * x.column(i))).collect();
        let q = &w_q * &token;
        let undivided = undivided(&now, &q);
        let (unscaled, narrow) = (context(&now, &q, 1.0), context(&now, &q, 3.0_f32.sqrt()));
        now.pop();
        let before = if t == 0 { Vector::zeros(4) } else { context(&now, &q, 2.0) };
        let expected = expect(found, expected.column(t), 1e-5)
            .of(format!("next_token for token {t}"))
            .given("x", &token)
            .or_hint(before, "only those before were asked: a token sees itself too");
        if t > 0 {
            expected
                .or_hint(undivided, "the weights are not divided by their sum")
                .or_hint(unscaled, "the scores are not divided by √d")
                .or_hint(narrow, "d is the length of a query and a key, not the token's width")
                .or_hint(&w_v * &token, "its own value alone: what of the tokens before?")
                .check();
        } else {
            expected.check();
        }
        assert!(
            cache.len() == t + 1,
            "after token {t} the cache holds {} tokens, not {}\nhint: the next token will ask for this one",
            cache.len(),
            t + 1
        );
        let (key, value) = cache[t].clone();
        for (found, w, what) in [(key, &w_k, "key"), (value, &w_v, "value")] {
            expect(found, w * &token, 1e-5)
                .of(format!("the {what} kept in place {t}, in the order of the tokens,"))
                .check();
        }
        if t == 1 {
            branch = cache.clone(); // a second hypothesis goes on from here
        }
    }
    let other = Vector::from_column_slice(&[0.5, -1.0, 2.0]);
    let sequence =
        Matrix::from_columns(&[x.column(0).into_owned(), x.column(1).into_owned(), other.clone()]);
    expect(
        next_token(&mut branch, &other, &w_q, &w_k, &w_v),
        all_at_once(&sequence, &w_q, &w_k, &w_v).column(2),
        1e-5,
    )
    .of("next_token for another third token")
    .check();
    // Scores in the hundreds, and some all far below 0 that differ by little.
    let large = &w_q * 100.0;
    large_scores(next_token, &x, [&large, &w_k, &w_v]);
    let ones = Matrix::from_element(4, 3, 1.0);
    let alike = Matrix::from_fn(3, 12, |_, i| 1.0 + 0.001 * i as f32);
    large_scores(next_token, &alike, [&(&ones * -100.0), &ones, &w_v]);
}

fn large_scores(next_token: NextToken, x: &Matrix, [w_q, w_k, w_v]: [&Matrix; 3]) {
    let mut cache = Cache::new();
    let (scores, all) = ((w_k * x).tr_mul(&(w_q * x)) / 2.0, all_at_once(x, w_q, w_k, w_v));
    for (token, expected) in x.column_iter().zip(all.column_iter()) {
        let found = next_token(&mut cache, &token.into_owned(), w_q, w_k, w_v);
        let call =
            format!("next_token with scores from {:.0} to {:.0}", scores.min(), scores.max());
        assert!(
            found.iter().all(|y| y.is_finite()),
            "{call} is {:?}\nhint: before you exponentiate, subtract the largest of these scores",
            found.as_slice()
        );
        expect(found, expected, 1e-3).of(call).check();
    }
}

/// Causal attention over the whole sequence, (d, n).
fn all_at_once(x: &Matrix, w_q: &Matrix, w_k: &Matrix, w_v: &Matrix) -> Matrix {
    let mut scores = (w_k * x).tr_mul(&(w_q * x)) / 2.0;
    scores.fill_lower_triangle(f32::NEG_INFINITY, 1);
    w_v * x * softmax(scores)
}

/// Of these keys and values, with scores divided by `by`.
fn context(cache: &Cache, q: &Vector, by: f32) -> Vector {
    let scores = Matrix::from_iterator(cache.len(), 1, cache.iter().map(|(k, _)| k.dot(q) / by));
    softmax(scores).iter().zip(cache).map(|(weight, (_, v))| v * *weight).sum()
}

/// The softmax's numerators for weights.
fn undivided(cache: &Cache, q: &Vector) -> Vector {
    let scores: Vec<f32> = cache.iter().map(|(k, _)| k.dot(q) / 2.0).collect();
    let largest = scores.iter().copied().fold(f32::MIN, f32::max);
    scores.iter().zip(cache).map(|(score, (_, v))| v * (score - largest).exp()).sum()
}
