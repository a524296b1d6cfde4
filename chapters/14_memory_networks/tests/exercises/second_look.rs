//! 14.2: where she went last.

use super::solutions;
use super::support::{dot, softmax};
use tests::exercises::{Exercise, wrong};

type SecondLook = fn() -> (Vectors, Vectors);

pub const EXERCISE: Exercise<SecondLook> = Exercise {
    check,
    wrong: &[
        wrong("the second question holds apple, too: all of anna's sentences fit", || {
            with(|_, values| values[0][0] = 0.0)
        }),
        wrong("the place is what hop 2 must read", || with(|_, values| values[2] = [0.0; 6])),
        wrong("anna is not the only one who moves, or takes the apple", || {
            with(|_, values| values[0][2] = 1.0)
        }),
        wrong("who moves counts more than when", || with(|keys, _| keys[2][5] = 9.0)),
        wrong("two sentences say where she went: ask for the later one", || {
            with(|_, values| values[0][5] = 0.0)
        }),
        wrong("if nobody moves later, an early move is the last one", || {
            with(|keys, _| keys[1] = [0.0; 6])
        }),
        wrong("entries lie between −9 and 9", || with(|keys, _| keys[1][0] = 10.0)),
    ],
};

type Vectors = [[f64; 6]; 3];

/// The solution, changed.
fn with(change: fn(&mut Vectors, &mut Vectors)) -> (Vectors, Vectors) {
    let (mut keys, mut values) = solutions::second_look();
    change(&mut keys, &mut values);
    (keys, values)
}

const STORIES: [([&str; 3], usize); 6] = [
    (["anna", "anna", "anna"], 2),
    (["paul", "paul", "paul"], 2),
    (["anna", "anna", "paul"], 1),
    (["anna", "paul", "anna"], 2),
    (["paul", "anna", "paul"], 2),
    (["paul", "paul", "anna"], 1),
];

fn check(second_look: SecondLook) {
    let (keys, values) = second_look();
    let mut all = keys.iter().chain(&values).flatten();
    assert!(all.all(|x| x.abs() <= 9.0), "an entry is not between −9 and 9");
    for (who, second) in STORIES {
        let (mut keys, mut values) = (keys, values);
        for i in (0..3).filter(|i| who[*i] == "paul") {
            keys[i].swap(1, 2);
            values[i].swap(1, 2);
        }
        let [taker, early, late] = who;
        let story =
            format!("{taker} took the apple, {early} went to the hall, {late} to the garden");
        let mut u = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        for (hop, right) in [(1, 0), (2, second)] {
            let p = softmax(&keys.map(|key| dot(&u, &key)));
            assert!(
                p[right] > 0.9,
                "{story}: hop {hop} asks {u:.2?} and has the weights {p:.2?}\n\
                 hint: sentence {right} needs 0.9, so its score 3 more than the others'"
            );
            for (p, value) in p.iter().zip(&values) {
                u.iter_mut().zip(value).for_each(|(u, c)| *u += p * c);
            }
        }
        let most = (0..6).max_by(|a, b| u[*a].total_cmp(&u[*b])).unwrap_or(0);
        let place = 5 - second;
        assert!(
            most == place,
            "{story}: after hop 2 there is {u:.2?}\nhint: entry {place}, the place, must be the largest"
        );
    }
}
