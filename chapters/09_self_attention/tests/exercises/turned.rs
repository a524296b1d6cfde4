//! 9.16: turned by one position.

use self_attention::positions::frequency;
use self_attention::relative::rotate;
use shared::{Matrix, Tape, Vector};
use tests::exercises::{Exercise, wrong};

type Turned = fn(usize) -> (Vector, Vector);

pub const EXERCISE: Exercise<Turned> = Exercise {
    check,
    wrong: &[
        wrong("every token looks at itself: nothing turned", |d| (ones(d) * 30.0, ones(d))),
        wrong("every token looks at the one after it: turn the other way", |d| {
            (ones(d) * 30.0, turned(d, -1))
        }),
        wrong("the right one is the largest, but hardly: a factor is missing", |d| {
            (ones(d), turned(d, 1))
        }),
        wrong("a pair comes round again after some positions: use all of them", |d| {
            let only = |x: Vector| Vector::from_fn(d, |i, _| if i < 2 { x[i] } else { 0.0 });
            (only(ones(d)) * 300.0, only(turned(d, 1)))
        }),
    ],
};

fn ones(d: usize) -> Vector {
    Vector::from_element(d, 1.0)
}

/// Every pair by so many positions.
fn turned(d: usize, by: isize) -> Vector {
    Vector::from_fn(d, |i, _| {
        let (sin, cos) = (by as f64 * frequency(d, i / 2)).sin_cos();
        (if i.is_multiple_of(2) { cos - sin } else { sin + cos }) as f32
    })
}

fn check(turned: Turned) {
    for d in [16, 32, 64] {
        let (q, k) = turned(d);
        assert_eq!((q.len(), k.len()), (d, d), "a query and a key of {d} entries");
        for (first, n) in [(0, 8), (0, 60), (500, 60)] {
            let tape = Tape::no_grad();
            let positions: Vec<usize> = (first..first + n).collect();
            let all = |x: &Vector| {
                let x = Matrix::from_fn(d, n, |i, _| x[i]);
                rotate(tape.constant(x), 1, &positions).value()
            };
            let alpha = scoring_functions::weights(&all(&q), &all(&k));
            for i in 1..n {
                let (weight, most) = (alpha[(i - 1, i)], alpha.column(i).imax());
                assert!(
                    weight >= 0.9,
                    "turned({d}), {n} tokens from position {first} on: token {i} gives {weight:.3} to the one before \
                     it, and most to token {most}"
                );
            }
        }
    }
}
