//! 4.6 spot the bug: two directions

use super::attempts::Reader;
use super::solutions;
use recurrent_networks::{Bidirectional, Gru, Recurrent, Steps};
use shared::{Matrix, Module, Tape, rng};
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, uneven};

type BothWays = fn(Reader, Reader, &Matrix, &Steps) -> Matrix;

pub const EXERCISE: Exercise<BothWays> = Exercise {
    check,
    wrong: &[
        bug(
            "the backward states are not turned back: column j is about another word",
            |forward, backward, x, steps| {
                halves(&forward(x), &backward(&x.select_columns(&steps.reversed())))
            },
        ),
        wrong("the second half reads forward as well", |forward, backward, x, _| {
            halves(&forward(x), &backward(x))
        }),
        wrong("the backward direction has a layer of its own", |forward, _, x, steps| {
            solutions::both_ways(forward, forward, x, steps)
        }),
        wrong("the forward states stand above the backward ones", |forward, backward, x, steps| {
            let both = solutions::both_ways(forward, backward, x, steps);
            let h = both.nrows() / 2;
            halves(&both.rows(h, h).into_owned(), &both.rows(0, h).into_owned())
        }),
    ],
};

fn check(both_ways: BothWays) {
    let mut layer: Bidirectional<Gru> = Bidirectional::new(2, 3, &mut rng(4));
    layer.for_each_parameter(|_, param| *param.value_mut() *= 2.0);
    for lengths in [&[4, 2, 1][..], &[3, 3]] {
        let steps = Steps::new(lengths);
        let x: Matrix = uneven(2, steps.tokens(), 0.5);
        let tape = Tape::no_grad();
        let right = layer.forward(tape.constant(x.clone()), &steps).value();
        let read = |layer: &Gru, x: &Matrix| {
            let tape = Tape::no_grad();
            Matrix::clone(&layer.forward(tape.constant(x.clone()), &steps, None).value())
        };
        let (forward, backward) =
            (|x: &Matrix| read(&layer.forward, x), |x: &Matrix| read(&layer.backward, x));
        expect(both_ways(&forward, &backward, &x, &steps), right, 1e-5)
            .of(format!("both_ways for sequences of length {lengths:?}"))
            .check();
    }
}

fn halves(above: &Matrix, below: &Matrix) -> Matrix {
    let h = above.nrows();
    Matrix::from_fn(
        2 * h,
        above.ncols(),
        |i, j| {
            if i < h { above[(i, j)] } else { below[(i - h, j)] }
        },
    )
}
