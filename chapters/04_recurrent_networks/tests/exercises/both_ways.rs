//! 4.6 spot the bug: two directions

use recurrent_networks::{Bidirectional, Gru, Recurrent, Steps};
use shared::{Matrix, Module, Tape, rng};
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

use super::support::uneven;
use crate::attempts::Reader;
use crate::solutions;

type BothWays = fn(Reader, Reader, &Matrix, &Steps) -> Matrix;

pub fn exercise() -> Exercise<BothWays> {
    Exercise {
        number: 6,
        title: "spot the bug: two directions",
        kind: Kind::SpotTheBug,
        difficulty: 2,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: ORIGINAL_BUG,
                hint: "not turned back",
                answer: |forward, backward, x, steps| {
                    halves(&forward(x), &backward(&x.select_columns(&steps.reversed())))
                },
            },
            Wrong {
                name: "the second half reads forward, too",
                hint: "reads forward",
                answer: |forward, backward, x, _| halves(&forward(x), &backward(x)),
            },
            Wrong {
                name: "one layer for both directions",
                hint: "a layer of its own",
                answer: |forward, _, x, steps| solutions::both_ways(forward, forward, x, steps),
            },
            Wrong {
                name: "backward above forward",
                hint: "above",
                answer: |forward, backward, x, steps| {
                    let both = solutions::both_ways(forward, backward, x, steps);
                    let h = both.nrows() / 2;
                    halves(&both.rows(h, h).into_owned(), &both.rows(0, h).into_owned())
                },
            },
            Wrong {
                name: "everything turned back",
                hint: "",
                answer: |forward, backward, x, steps| {
                    let order = steps.reversed();
                    halves(&forward(x), &backward(&x.select_columns(&order))).select_columns(&order)
                },
            },
        ],
    }
}

fn check(both_ways: BothWays) {
    let mut layer: Bidirectional<Gru> = Bidirectional::new(2, 3, &mut rng(4));
    layer.for_each_parameter(|_, param| *param.value_mut() *= 2.0);
    for lengths in [&[4, 2, 1][..], &[3, 3]] {
        let steps = Steps::new(lengths);
        let x = uneven(2, steps.tokens(), 0.5);
        let tape = Tape::without_gradients();
        let expected = Matrix::clone(&layer.forward(tape.constant(x.clone()), &steps).value());
        let forward = |x: &Matrix| read(&layer.forward, x, &steps);
        let backward = |x: &Matrix| read(&layer.backward, x, &steps);
        let order = steps.reversed();
        let turned = x.select_columns(&order);
        let same = halves(&forward(&x), &forward(&turned).select_columns(&order));
        let upside_down =
            halves(&expected.rows(3, 3).into_owned(), &expected.rows(0, 3).into_owned());
        expect(both_ways(&forward, &backward, &x, &steps), &expected, 1e-5)
            .of(format!("both_ways for sequences of length {lengths:?}"))
            .or_hint(
                halves(&forward(&x), &backward(&turned)),
                "the backward states are not turned back: column j is about another word",
            )
            .or_hint(halves(&forward(&x), &backward(&x)), "the second half reads forward as well")
            .or_hint(same, "the backward direction has a layer of its own")
            .or_hint(upside_down, "the forward states stand above the backward ones")
            .check();
    }
}

fn read(layer: &Gru, x: &Matrix, steps: &Steps) -> Matrix {
    let tape = Tape::without_gradients();
    Matrix::clone(&layer.forward(tape.constant(x.clone()), steps, None).value())
}

fn halves(above: &Matrix, below: &Matrix) -> Matrix {
    let tape = Tape::without_gradients();
    let both = tape.constant(above.clone()).stack(tape.constant(below.clone()));
    Matrix::clone(&both.value())
}
