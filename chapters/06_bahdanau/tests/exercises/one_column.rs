//! 6.1: one column of an alignment.

use crate::support::{matrix, shifted, softmax, vector};
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type Align = fn(&Vector, &Matrix, &Matrix, &Matrix, &Vector) -> Vector;

pub fn exercise() -> Exercise<Align> {
    Exercise {
        number: 1,
        title: "one column of an alignment",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong { name: "tanh of each part", hint: "tanh of the sum", answer: tanh_of_each },
            Wrong {
                name: "no tanh",
                hint: "without tanh the query is the same summand in every score",
                answer: |_, h, _, u, v| without_tanh(h, u, v),
            },
            Wrong {
                name: "W and U exchanged",
                hint: "W belongs to the state",
                answer: |s, h, w, u, v| reference(s, h, u, w, v),
            },
            Wrong {
                name: "the state forgotten",
                hint: "do not depend on the state",
                answer: |s, h, w, u, v| reference(&(s * 0.0), h, w, u, v),
            },
            Wrong { name: "scores, not weights", hint: "sum to 1", answer: scores },
            Wrong {
                name: "all units weigh the same",
                hint: "",
                answer: |s, h, w, u, v| reference(s, h, w, u, &v.map(|_| 1.0)),
            },
            Wrong {
                name: "unstable exponent",
                hint: "which may be below 0",
                answer: |s, h, w, u, v| shifted(scores(s, h, w, u, v), |_| 0.0),
            },
            Wrong {
                name: "the largest score counted from 0",
                hint: "which may be below 0",
                answer: |s, h, w, u, v| shifted(scores(s, h, w, u, v), |e| e.max().max(0.0)),
            },
            Wrong {
                name: "the first score subtracted",
                hint: "which may be below 0",
                answer: |s, h, w, u, v| shifted(scores(s, h, w, u, v), |e| e[0]),
            },
            Wrong {
                name: "the largest size subtracted",
                hint: "which may be below 0",
                answer: |s, h, w, u, v| shifted(scores(s, h, w, u, v), Vector::amax),
            },
        ],
    }
}

fn check(align: Align) {
    let (s, h) = (vector(3, 0.2), matrix(3, 4, 0.9));
    let (w, u, v) = (matrix(5, 3, 1.7), matrix(5, 3, 2.6), vector(5, 0.4));
    let found = align(&s, &h, &w, &u, &v);
    expect(&found, reference(&s, &h, &w, &u, &v), 1e-5)
        .of("align(s, annotations, w, u, v)")
        .given("s", &s)
        .given("annotations", &h)
        .given("w", &w)
        .given("u", &u)
        .given("v", &v)
        .or_hint(without_tanh(&h, &u, &v), "without tanh the query is the same summand in every score, and the softmax does not see it")
        .or_hint(reference(&s, &h, &u, &w, &v), "W belongs to the state, U to the annotations")
        .or_hint(scores(&s, &h, &w, &u, &v), "these are scores: weights sum to 1")
        .or_hint(tanh_of_each(&s, &h, &w, &u, &v), "these weights do not depend on the state: it is missing, or its tanh is one summand in every score. Take the tanh of the sum, not a sum of two tanh")
        .check();

    check_large(align, &s, &h, &w, &u, &(&v * 200.0));
    // The largest score in the middle, far above the others; and no score near 0.
    let one = |x| Matrix::from_element(1, 1, x);
    for (words, v) in [([-4.0, 0.0, -4.0], 300.0), ([0.1, 0.5, -0.3], -300.0)] {
        let (h, v) = (Matrix::from_row_slice(1, 3, &words), Vector::from_element(1, v));
        check_large(align, &Vector::from_element(1, 1.0), &h, &one(2.0), &one(1.0), &v);
    }

    // Another width of state and annotations, one word alone.
    let (s, h) = (vector(2, 0.2), matrix(4, 1, 0.9));
    let (w, u, v) = (matrix(3, 2, 1.7), matrix(3, 4, 2.6), vector(3, 0.4));
    expect(align(&s, &h, &w, &u, &v), [1.0], 1e-6).of("align on one word").check();
}

fn check_large(align: Align, s: &Vector, h: &Matrix, w: &Matrix, u: &Matrix, v: &Vector) {
    let (found, scores) = (align(s, h, w, u, v), scores(s, h, w, u, v));
    assert!(
        found.iter().all(|weight| weight.is_finite()),
        "for the scores {:.0?} align(s, annotations, w, u, v) is {:?}\n\
         hint: e¹⁰⁰ is infinite in f32 and e⁻¹⁵⁰ is 0: before you exponentiate, subtract the largest of \
         these scores, which may be below 0",
        scores.as_slice(),
        found.as_slice()
    );
    expect(found, softmax(scores.clone()), 1e-5)
        .of("align(s, annotations, w, u, v)")
        .given("the scores", scores)
        .check();
}

fn reference(s: &Vector, h: &Matrix, w: &Matrix, u: &Matrix, v: &Vector) -> Vector {
    softmax(scores(s, h, w, u, v))
}

fn scores(s: &Vector, h: &Matrix, w: &Matrix, u: &Matrix, v: &Vector) -> Vector {
    let query = w * s;
    let score = |i: usize| v.dot(&(&query + u * h.column(i)).map(f32::tanh));
    Vector::from_fn(h.ncols(), |i, _| score(i))
}

fn without_tanh(h: &Matrix, u: &Matrix, v: &Vector) -> Vector {
    softmax((u * h).tr_mul(v))
}

fn tanh_of_each(s: &Vector, h: &Matrix, w: &Matrix, u: &Matrix, v: &Vector) -> Vector {
    let query = (w * s).map(f32::tanh);
    let score = |i: usize| v.dot(&(&query + (u * h.column(i)).map(f32::tanh)));
    softmax(Vector::from_fn(h.ncols(), |i, _| score(i)))
}
