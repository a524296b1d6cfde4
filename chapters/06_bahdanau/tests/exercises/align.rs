//! 6.1: one column of an alignment.

use super::solutions;
use super::support::softmax_less;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, wrong};
use tests::{expect, hard, uneven, uneven_vector};

type Align = fn(&Vector, &Matrix, &Matrix, &Matrix, &Vector) -> Vector;

const LARGEST: &str = "e¹⁰⁰ is infinite in f32 and e⁻¹⁵⁰ is 0: before you exponentiate, subtract the \
                       largest of these scores, which may be below 0";

pub const EXERCISE: Exercise<Align> = Exercise {
    check,
    wrong: &[
        wrong(
            "these weights do not depend on the state: it is missing, or its tanh is one summand in \
             every score. Take the tanh of the sum, not a sum of two tanh",
            |s, h, w, u, v| {
                let query = (w * s).map(f32::tanh);
                let score = |i| v.dot(&(&query + (u * h.column(i)).map(f32::tanh)));
                softmax_less(Vector::max, Vector::from_fn(h.ncols(), |i, _| score(i)))
            },
        ),
        wrong(
            "without tanh the query is the same summand in every score, and the softmax does not see it",
            |_, h, _, u, v| softmax_less(Vector::max, (u * h).tr_mul(v)),
        ),
        wrong("W is for the state, U for the words", |s, h, w, u, v| {
            solutions::align(s, h, u, w, v)
        }),
        wrong("these are scores: weights sum to 1", scores),
        wrong(LARGEST, |s, h, w, u, v| softmax_less(|_| 0.0, scores(s, h, w, u, v))),
    ],
};

fn check(align: Align) {
    let (s, h) = (uneven_vector(3, 0.2), uneven(3, 4, 0.9));
    let (w, u, v) = (uneven(5, 3, 1.7), uneven(5, 3, 2.6), uneven_vector(5, 0.4));
    let large = (s.clone(), h.clone(), w.clone(), u.clone(), &v * 200.0);
    // Another width of state and annotations, one word alone.
    let one_word = (
        uneven_vector(2, 0.2),
        uneven(4, 1, 0.9),
        uneven(3, 2, 1.7),
        uneven(3, 4, 2.6),
        uneven_vector(3, 0.4),
    );
    let hard = hard::scores::<f32>().map(|(hint, e)| {
        let v = 2.0 * e.amax();
        let h = Matrix::from_fn(1, e.len(), |_, j| (e[j] / v).atanh());
        let one = Matrix::identity(1, 1);
        (hint, (Vector::zeros(1), h, one.clone(), one, Vector::from_element(1, v)))
    });
    let own = [(s, h, w, u, v), large, one_word].map(|input| ("", input));
    for (hint, (s, h, w, u, v)) in own.into_iter().chain(hard) {
        expect(align(&s, &h, &w, &u, &v), solutions::align(&s, &h, &w, &u, &v), 1e-4)
            .of("align(s, annotations, w, u, v)")
            .given("s", &s)
            .given("annotations", &h)
            .given("w", &w)
            .given("u", &u)
            .given("v", &v)
            .given("the scores", scores(&s, &h, &w, &u, &v))
            .hint(hint)
            .check();
    }
}

fn scores(s: &Vector, h: &Matrix, w: &Matrix, u: &Matrix, v: &Vector) -> Vector {
    let query = w * s;
    Vector::from_fn(h.ncols(), |i, _| v.dot(&(&query + u * h.column(i)).map(f32::tanh)))
}
