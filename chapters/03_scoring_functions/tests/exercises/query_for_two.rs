//! 3.6 a query that averages two values, among up to a hundred keys

use shared::{Matrix, Operand, Vector, product};
use tests::exercises::{Exercise, Kind, Wrong};

use super::support::{uneven, weights};

type QueryForTwo = fn(&Matrix, usize, usize) -> Vector;

pub fn exercise() -> Exercise<QueryForTwo> {
    Exercise {
        number: 6,
        title: "a query that averages two values",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "too soft",
                hint: "longer",
                answer: |keys, a, b| keys.column(a) + keys.column(b),
            },
            Wrong {
                name: "long enough only for small d",
                hint: "longer",
                answer: |keys, a, b| (keys.column(a) + keys.column(b)) * 20.0,
            },
            Wrong {
                name: "one thousand for √d",
                hint: "longer",
                answer: |keys, a, b| (keys.column(a) + keys.column(b)) * 1000.0,
            },
            Wrong {
                name: "one key only",
                hint: "½ each",
                answer: |keys, a, _| keys.column(a) * 1000.0,
            },
            Wrong {
                name: "a little more of a",
                hint: "½ each",
                answer: |keys, a, b| {
                    (keys.column(a) * 1.01 + keys.column(b)) * (20.0 * (keys.nrows() as f32).sqrt())
                },
            },
        ],
    }
}

fn check(query_for_two: QueryForTwo) {
    for (d, m, a, b) in [(4, 3, 0, 2), (9, 9, 4, 1), (400, 100, 98, 7), (20_000, 100, 3, 98)] {
        // Orthonormal keys: where d is small a reflection's columns, where it is large the axes.
        let keys = if d <= 400 {
            let axis = uneven(d, 1, 0.3).normalize();
            let reflection = Matrix::identity(d, d) - product(&axis, &axis.t()) * 2.0;
            reflection.columns(0, m).into_owned()
        } else {
            Matrix::identity(d, m)
        };
        let query = query_for_two(&keys, a, b);
        assert!(query.len() == d, "the query has {} entries, the keys {d}", query.len());
        let query = Matrix::from_column_slice(d, 1, query.as_slice());
        let found = weights(&query, &keys);
        let (on_a, on_b) = (found[a], found[b]);
        let what = format!(
            "with {m} keys of {d} entries, key {a} gets {on_a:.4} and key {b} gets {on_b:.4}"
        );
        assert!(
            (on_a - on_b).abs() <= 1e-3,
            "{what}: they should get ½ each, so their scores should be equal"
        );
        assert!(
            (on_a - 0.5).abs() <= 1e-3,
            "{what}: the others get the rest. A longer query makes the weights sharper; √d makes them softer"
        );
    }
}
