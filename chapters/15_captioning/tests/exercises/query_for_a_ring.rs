//! 15.7: the query for a ring.

use shared::Vector;
use tests::exercises::{Exercise, wrong};

type Query = fn() -> Vector;

pub const EXERCISE: Exercise<Query> = Exercise {
    check,
    wrong: &[
        wrong("e¹ against 63 times e⁰: the others are many", || of([0.0, 0.0, 1.0, 0.0])),
        wrong("a softmax sees differences alone", || of([10.0; 4])),
        wrong("discs and crosses are there, too", || of([-10.0, 0.0, 0.0, 0.0])),
        wrong("the score of the ring is to be the largest", || of([0.0, 0.0, -10.0, 0.0])),
        wrong("e⁷ is 1097, and 19 times 63 is 1197", || of([0.0, 0.0, 7.0, 0.0])),
    ],
};

fn of(q: [f32; 4]) -> Vector {
    Vector::from_column_slice(&q)
}

fn check(query: Query) {
    let q = query();
    assert!(q.len() == 4, "q has {} entries, not 4", q.len());
    assert!(q.iter().all(|x| x.abs() <= 10.0), "{:?}: entries between −10 and 10", q.as_slice());
    for (discs, crosses) in [(0, 0), (2, 0), (0, 2), (2, 2), (1, 1)] {
        let others = [63 - discs - crosses, discs, 0, crosses];
        let largest = q.max();
        let e = |i: usize| f64::from(q[i] - largest).exp();
        let sum = e(2) + (0..4).map(|i| others[i] as f64 * e(i)).sum::<f64>();
        let share = e(2) / sum;
        let given = format!("with {discs} discs, {crosses} crosses and ground elsewhere");
        assert!(
            share >= 0.95,
            "{given}, the ring has {share:.3} of the weight\nhint: its score is {:?} more than the others'",
            [0, 1, 3].map(|i| q[2] - q[i])
        );
    }
}
