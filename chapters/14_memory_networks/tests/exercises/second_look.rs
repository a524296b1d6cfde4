//! 14.2: construct a second look.

use crate::solutions;
use crate::support::{dot, softmax};
use tests::exercises::{Exercise, Kind, wrong};

type SecondLook = fn() -> ([[f64; 5]; 3], [[f64; 5]; 3]);

pub const EXERCISE: Exercise<SecondLook> = Exercise {
    number: 2,
    title: "construct a second look",
    kind: Kind::Construct,
    difficulty: 2,
    minutes: 20,
    check,
    wrong: &[
        wrong(
            "keeps the apple",
            "the second question is apple + anna: both of anna's sentences fit",
            || {
                let (keys, mut values) = solutions::second_look();
                values[0][0] = 0.0;
                (keys, values)
            },
        ),
        wrong("short keys", "scores of 1 and 0 are no decision: make keys longer", || {
            let (keys, values) = solutions::second_look();
            (keys.map(|key| key.map(|x| x / 5.0)), values)
        }),
        wrong("values without places", "the place is what hop 2 must read", || {
            let (keys, mut values) = solutions::second_look();
            values[1] = [0.0, 0.0, 0.0, 0.0, 0.0];
            (keys, values)
        }),
        wrong("anna alone", "with paul in sentence 0, hop 2 has to find sentence 2", || {
            let (mut keys, values) = solutions::second_look();
            keys[2] = [0.0; 5];
            (keys, values)
        }),
        wrong("too long", "entries lie between −9 and 9", || {
            let (keys, values) = solutions::second_look();
            (keys.map(|key| key.map(|x| 10.0 * x)), values)
        }),
    ],
};

fn check(second_look: SecondLook) {
    let (keys, values) = second_look();
    let mut all = keys.iter().chain(&values).flatten();
    assert!(all.all(|x| x.abs() <= 9.0), "an entry is not between −9 and 9");
    for (who, second) in [("anna", 1), ("paul", 2)] {
        let (mut keys, mut values) = (keys, values);
        if who == "paul" {
            keys[0].swap(1, 2);
            values[0].swap(1, 2);
        }
        let mut u = [1.0, 0.0, 0.0, 0.0, 0.0];
        for (hop, right) in [(1, 0), (2, second)] {
            let p = softmax(&keys.map(|key| dot(&u, &key)));
            assert!(
                p[right] > 0.9,
                "{who} took the apple: hop {hop} has the weights {p:.2?}, sentence {right} needs 0.9"
            );
            for (p, value) in p.iter().zip(&values) {
                u.iter_mut().zip(value).for_each(|(u, c)| *u += p * c);
            }
        }
        let most = (0..5).max_by(|a, b| u[*a].total_cmp(&u[*b])).unwrap_or(0);
        assert!(
            most == second + 2,
            "{who} took the apple: after hop 2 there is {u:.2?}, entry {} must be the largest",
            second + 2
        );
    }
}
