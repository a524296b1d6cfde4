//! 7.9: two things at once.

use std::cell::RefCell;
use tests::assert_close;
use tests::exercises::{Exercise, Kind, Wrong};

type Apart = fn(&dyn Fn(bool, usize) -> f64) -> [f64; 3];

pub fn exercise() -> Exercise<Apart> {
    Exercise {
        number: 9,
        title: "two things at once",
        kind: Kind::Design,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "the two rows of the table",
                hint: "what feeding alone changes",
                answer: |lab| [lab(true, 70) - lab(false, 89), 0.0, 0.0],
            },
            Wrong {
                name: "feeding with the narrower vectors",
                hint: "what feeding alone changes",
                answer: |lab| {
                    let narrower = lab(false, 70);
                    [lab(true, 70) - narrower, narrower - lab(false, 89), 0.0]
                },
            },
            Wrong {
                name: "vectors with feeding",
                hint: "what the narrower vectors alone change",
                answer: |lab| {
                    let fed = lab(true, 89);
                    [fed - lab(false, 89), lab(true, 70) - fed, 0.0]
                },
            },
            Wrong {
                name: "each does its part whatever the other does",
                hint: "both together",
                answer: |lab| {
                    let neither = lab(false, 89);
                    [lab(true, 89) - neither, lab(false, 70) - neither, 0.0]
                },
            },
            Wrong {
                name: "a fifth run",
                hint: "you have four",
                answer: |lab| {
                    let neither = (lab(false, 89) + lab(false, 89)) / 2.0;
                    let (fed, narrower) = (lab(true, 89), lab(false, 70));
                    let both = lab(true, 70);
                    [fed - neither, narrower - neither, both - fed - narrower + neither]
                },
            },
            Wrong {
                name: "half as much by half as many",
                hint: "what the narrower vectors alone change",
                answer: |lab| {
                    let neither = lab(false, 89);
                    let (fed, halfway) = (lab(true, 89), lab(false, 80));
                    let vectors = (halfway - neither) * 19.0 / 9.0;
                    [fed - neither, vectors, lab(true, 70) - fed - vectors]
                },
            },
        ],
    }
}

fn check(apart: Apart) {
    // what feeding adds, what narrower vectors add, what both add beyond the two
    for effects in [[-3.5, 0.0, 0.0], [0.0, -3.5, 0.0], [1.5, -4.0, 0.5], [0.5, -0.75, -3.0]] {
        let asked = RefCell::new(Vec::new());
        let lab = |feeding: bool, entries: usize| {
            asked.borrow_mut().push((feeding, entries));
            let narrower = ((89.0 - entries as f64) / 19.0).powi(3); // no straight line
            let fed = f64::from(u8::from(feeding));
            93.25 + effects[0] * fed + effects[1] * narrower + effects[2] * fed * narrower
        };
        let found = apart(&lab);
        let asked = asked.into_inner();
        assert!(asked.len() <= 4, "{} runs, {asked:?}, but you have four", asked.len());
        let of = [
            "what feeding alone changes, with vectors of 89 entries",
            "what the narrower vectors alone change, without feeding",
            "what both together change beyond the sum of the two",
        ];
        for (k, of) in of.into_iter().enumerate() {
            assert_close!(found[k], effects[k], 1e-9, "{of} (runs: {asked:?})");
        }
    }
}
