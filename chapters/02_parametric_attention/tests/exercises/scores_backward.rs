//! 2.6 spot the bug: a gradient that forgets

use shared::{Matrix, Tape};
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::{assert_close, expect};

type ScoresBackward = fn(&Matrix, &Matrix, &Matrix) -> (Matrix, Matrix);

pub fn exercise() -> Exercise<ScoresBackward> {
    Exercise {
        number: 6,
        title: "spot the bug: a gradient that forgets",
        kind: Kind::SpotTheBug,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong { name: ORIGINAL_BUG, hint: "only the last key is left", answer: forgetful },
            Wrong {
                name: "only the queries mended",
                hint: "only the last query is left",
                answer: |q, k, ds| (right_backward(q, k, ds).0, forgetful(q, k, ds).1),
            },
            Wrong {
                name: "both signs turned",
                hint: "",
                answer: |q, k, ds| {
                    let (dq, dk) = right_backward(q, k, ds);
                    (-dq, -dk)
                },
            },
        ],
    }
}

fn check(scores_backward: ScoresBackward) {
    let queries = Matrix::from_row_slice(2, 2, &[1.0, -1.0, 0.5, 2.0]);
    let keys = Matrix::from_row_slice(2, 3, &[0.0, 1.5, -2.0, 1.0, 0.0, 0.5]);
    let ds = Matrix::from_row_slice(3, 2, &[1.0, -0.5, 0.25, 2.0, -1.0, 0.75]);
    let (right_q, right_k) = right_backward(&queries, &keys, &ds);
    let (forgetful_q, forgetful_k) = forgetful(&queries, &keys, &ds);

    let one = |m: &Matrix| m.columns(0, 1).into_owned();
    let pair = scores_backward(&one(&queries), &one(&keys), &one(&ds.rows(0, 1).into_owned()));
    assert_close!(pair.0, [-1.0, 0.5], 1e-6, "dq for a single query and key");
    assert_close!(pair.1, [1.0, -0.5], 1e-6, "dk for a single query and key");

    let (dq, dk) = scores_backward(&queries, &keys, &ds);
    expect(dq, right_q, 1e-5)
        .of("dq of scores_backward(queries, keys, ds)")
        .given("queries", &queries)
        .given("keys", &keys)
        .given("ds", &ds)
        .or_hint(forgetful_q, "only the last key is left: a query receives a share from every key")
        .check();
    expect(dk, right_k, 1e-5)
        .of("dk of scores_backward(queries, keys, ds)")
        .given("queries", &queries)
        .given("keys", &keys)
        .given("ds", &ds)
        .or_hint(
            forgetful_k,
            "only the last query is left: a key receives a share from every query",
        )
        .check();
}

fn right_backward(queries: &Matrix, keys: &Matrix, ds: &Matrix) -> (Matrix, Matrix) {
    let tape = Tape::new();
    let (q, k) = (tape.leaf(queries.clone()), tape.leaf(keys.clone()));
    let s = parametric_attention::scores(q, k).component_mul(tape.constant(ds.clone()));
    let gradients = s.sum().backward();
    (gradients.wrt(q), gradients.wrt(k))
}

/// The function as it was given.
fn forgetful(queries: &Matrix, keys: &Matrix, ds: &Matrix) -> (Matrix, Matrix) {
    let mut dq = Matrix::zeros(queries.nrows(), queries.ncols());
    let mut dk = Matrix::zeros(keys.nrows(), keys.ncols());
    for j in 0..queries.ncols() {
        for i in 0..keys.ncols() {
            let difference = (keys.column(i) - queries.column(j)) * ds[(i, j)];
            dq.set_column(j, &difference);
            dk.set_column(i, &-difference);
        }
    }
    (dq, dk)
}
