//! 7.8: a diagonal without words.

use shared::{Float, Matrix};
use tests::exercises::{Exercise, Kind, Wrong};

pub fn exercise() -> Exercise<fn() -> Matrix> {
    Exercise {
        number: 8,
        title: "a diagonal without words",
        kind: Kind::Construct,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "the right place, not sharp enough",
                hint: "make all scores larger",
                answer: || squares(2.0, 0),
            },
            Wrong {
                name: "the last word wins",
                hint: "not at word 1",
                answer: || {
                    Matrix::from_fn(10, 2, |j, k| if k == 0 { 8.0 * j as Float } else { 0.0 })
                },
            },
            Wrong {
                name: "one word to the side",
                hint: "counted from 0",
                answer: || squares(8.0, 1),
            },
            Wrong {
                name: "always the same word",
                hint: "whatever i is",
                answer: || Matrix::from_fn(10, 2, |j, k| if j == 0 && k == 1 { 9.0 } else { 0.0 }),
            },
            Wrong {
                name: "a row a state",
                hint: "(10, 2)",
                answer: || squares(8.0, 0).transpose(),
            },
        ],
    }
}

/// Scores −a (j + shift − i)²/2, but for what all words share.
fn squares(a: Float, shift: usize) -> Matrix {
    Matrix::from_fn(10, 2, |j, column| {
        let j = (j + shift) as Float;
        if column == 0 { a * j } else { -a * j * j / 2.0 }
    })
}

fn check(diagonal: fn() -> Matrix) {
    let w = diagonal();
    assert!(w.shape() == (10, 2), "W_a is {:?}\nhint: (10, 2), a row a position", w.shape());
    let strongest = |i: usize, m: usize| {
        let scores: Vec<Float> = (0..m).map(|j| w[(j, 0)] * i as Float + w[(j, 1)]).collect();
        let largest = scores.iter().copied().fold(Float::MIN, Float::max);
        let sum: Float = scores.iter().map(|score| (score - largest).exp()).sum();
        let (j, _) = (0..m)
            .map(|j| (j, scores[j]))
            .fold((0, Float::MIN), |best, word| if word.1 > best.1 { word } else { best });
        (j, (scores[i] - largest).exp() / sum)
    };
    let everywhere: Vec<usize> = (0..10).map(|i| strongest(i, 10).0).collect();
    let same = everywhere.iter().all(|j| *j == everywhere[0]);
    assert!(!same, "of ten words, word {} is looked at whatever i is", everywhere[0]);
    let aside = (0..9).all(|i| everywhere[i + 1] == i || everywhere[i] == i + 1);
    assert!(!aside, "word {:?} is looked at for i = 0, 1, …\nhint: counted from 0", everywhere);
    let places = || (1..=10).flat_map(|m| (0..m).map(move |i| (i, m)));
    for (i, m) in places() {
        let (j, _) = strongest(i, m);
        assert!(j == i, "of {m} words, the state ({i}, 1) looks at word {j}, not at word {i}");
    }
    for (i, m) in places() {
        let (_, weight) = strongest(i, m);
        assert!(
            weight > 0.9,
            "of {m} words, the state ({i}, 1) gives word {i} a weight of {weight:.2}\nhint: make all \
             scores larger"
        );
    }
}
