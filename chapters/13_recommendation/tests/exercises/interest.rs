//! 13.2: what a candidate makes of a history.

use super::solutions;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, wrong};
use tests::{expect, hard, uneven, uneven_vector};

pub type Interest = fn(&Vector, &Matrix, bool, Option<usize>) -> Vector;

pub const EXERCISE: Exercise<Interest> = Exercise {
    check,
    wrong: &[
        wrong("DIN has none", |q, keys, _, without| solutions::interest(q, keys, true, without)),
        wrong("it is asked for", |q, keys, _, without| {
            solutions::interest(q, keys, false, without)
        }),
        wrong("subtract the largest score first", |q, keys, softmax, without| {
            if !softmax || without.is_some() {
                return solutions::interest(q, keys, softmax, without);
            }
            let e = keys.tr_mul(q).map(f32::exp);
            keys * &e / e.sum().max(f32::MIN_POSITIVE)
        }),
        wrong(
            "without this action the weights of the others sum to 1 again",
            |q, keys, softmax, without| {
                let mut weights = keys.tr_mul(q);
                if softmax && !keys.is_empty() {
                    weights = solutions::softmax_of(&weights);
                }
                without.iter().for_each(|i| weights[*i] = 0.0);
                keys * weights
            },
        ),
        wrong("a score of 0 has a weight, too: e⁰ is 1", |q, keys, softmax, without| {
            let mut keys = keys.clone();
            without.iter().for_each(|i| keys.column_mut(*i).fill(0.0));
            solutions::interest(q, &keys, softmax, None)
        }),
    ],
};

fn check(interest: Interest) {
    let history = Matrix::from_column_slice(2, 3, &[0.0, 1.0, 2.0, 0.0, 1.0, 1.0]); // the page's
    let candidates = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|q| Vector::from_column_slice(&q));
    let of_page =
        candidates.into_iter().map(|q| ("the page works this one out", q, history.clone()));
    let wide = (
        "work one entry out by hand: scores, weights, sum; what is left out has no column",
        uneven_vector(4, 0.3),
        uneven(4, 6, 1.1),
    );
    let none = ("nobody has done anything", uneven_vector(4, 0.3), Matrix::zeros(4, 0));
    let hard = hard::scores::<f32>().map(|(hint, scores)| {
        let keys = Matrix::from_fn(2, scores.len(), |i, j| [scores[j] / 1024.0, j as f32][i]);
        (hint, Vector::from_column_slice(&[1024.0, 0.0]), keys)
    });
    for (hint, q, keys) in [wide, none].into_iter().chain(of_page).chain(hard) {
        let actions = (0..keys.ncols()).map(Some);
        let cases = [None].into_iter().chain(actions).flat_map(|i| [(false, i), (true, i)]);
        for (softmax, without) in cases {
            let right = solutions::interest(&q, &keys, softmax, without);
            let within = 1e-5 * right.amax().max(1.0);
            expect(interest(&q, &keys, softmax, without), right, within)
                .of(format!("interest({:?}, keys, {softmax}, {without:?})", q.as_slice()))
                .given("keys", &keys)
                .hint(hint)
                .check();
        }
    }
}
