//! 7.9: two things at once.

use super::solutions;
use std::cell::Cell;
use tests::exercises::{Exercise, unhinted, wrong};
use tests::expect;

type Apart = fn(&dyn Fn(bool, usize) -> f64) -> [f64; 3];

pub const EXERCISE: Exercise<Apart> = Exercise {
    check,
    wrong: &[
        wrong("between these two runs both things change", |lab| {
            [lab(true, 70) - lab(false, 89), 0.0, 0.0]
        }),
        wrong(
            "with the narrower vectors: what both together change beyond the sum is in it",
            |lab| {
                let narrower = lab(false, 70);
                [lab(true, 70) - narrower, narrower - lab(false, 89), 0.0]
            },
        ),
        wrong("one may change what the other does: the fourth run shows it", |lab| {
            let neither = lab(false, 89);
            [lab(true, 89) - neither, lab(false, 70) - neither, 0.0]
        }),
        unhinted("a fifth run", |lab| {
            lab(false, 89);
            solutions::apart(lab)
        }),
    ],
};

fn check(apart: Apart) {
    // what feeding adds, what narrower vectors add, what both add beyond the two
    for effects in [[-3.5, 0.0, 0.0], [0.0, -3.5, 0.0], [1.5, -4.0, 0.5], [0.5, -0.75, -3.0]] {
        let runs = Cell::new(0);
        let found = apart(&|feeding, entries| {
            runs.set(runs.get() + 1);
            let narrower = ((89.0 - entries as f64) / 19.0).powi(3); // no straight line
            let fed = f64::from(u8::from(feeding));
            93.25 + effects[0] * fed + effects[1] * narrower + effects[2] * fed * narrower
        });
        assert!(runs.get() <= 4, "{} runs, but you have four", runs.get());
        let of = [
            "what feeding alone changes, with vectors of 89 entries",
            "what the narrower vectors alone change, without feeding",
            "what both together change beyond the sum of the two",
        ];
        for (k, of) in of.into_iter().enumerate() {
            expect(found[k], effects[k], 1e-9).of(of).check();
        }
    }
}
