//! 3.6 a query that averages two values, among up to a hundred keys

use super::solutions;
use shared::{Matrix, Operand, Vector, product};
use tests::exercises::{Exercise, unhinted};
use tests::uneven;

type QueryForTwo = fn(&Matrix, usize, usize) -> Vector;

pub const EXERCISE: Exercise<QueryForTwo> = Exercise {
    check,
    wrong: &[
        unhinted("too soft", |keys, a, b| keys.column(a) + keys.column(b)),
        unhinted("long enough only for small d", |keys, a, b| {
            (keys.column(a) + keys.column(b)) * 20.0
        }),
        unhinted("one thousand for √d", |keys, a, b| (keys.column(a) + keys.column(b)) * 1000.0),
        unhinted("one key only", |keys, a, _| keys.column(a) * 1000.0),
        unhinted("a little more of a", |keys, a, b| {
            solutions::query_for_two(keys, a, b) + keys.column(a)
        }),
    ],
};

fn check(query_for_two: QueryForTwo) {
    for (d, m, a, b) in [(4, 3, 0, 2), (9, 9, 4, 1), (400, 100, 98, 7), (20_000, 100, 3, 98)] {
        // Orthonormal keys: where d is small a reflection's columns, where it is large the axes.
        let mut keys = Matrix::identity(d, m);
        if d <= 400 {
            let axis: Matrix = uneven(d, 1, 0.3).normalize();
            keys -= product(&axis, &axis.rows(0, m).transpose()) * 2.0;
        }
        let query = query_for_two(&keys, a, b);
        assert!(query.len() == d, "the query has {} entries, the keys {d}", query.len());
        let mut weights = product(&keys.t(), &query) / (d as f32).sqrt();
        shared::elementwise::softmax(weights.as_mut_slice());
        let (on_a, on_b) = (weights[a], weights[b]);
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
