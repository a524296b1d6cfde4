//! 14.8: two orders, one vector.

use super::solutions;
use tests::exercises::{Exercise, unhinted};

type Alike = fn() -> [Vec<usize>; 2];

pub const EXERCISE: Exercise<Alike> = Exercise {
    check,
    wrong: &[
        unhinted("one order", || [vec![0, 1, 1, 0], vec![0, 1, 1, 0]]),
        unhinted("backwards", || [vec![0, 1, 2], vec![2, 1, 0]]),
        unhinted("two words exchanged", || [vec![0, 1, 1, 0], vec![1, 0, 1, 0]]),
        unhinted("other words", || [vec![0, 0], vec![1, 1]]),
        unhinted("seven words", || [vec![0, 1, 1, 0, 2, 2, 2], vec![1, 0, 0, 1, 2, 2, 2]]),
    ],
};

fn check(alike: Alike) {
    let [one, other] = alike();
    let said = format!("{one:?} and {other:?}");
    let sorted = |words: &[usize]| -> Vec<usize> {
        (0..4).flat_map(|word| words.iter().copied().filter(move |x| *x == word)).collect()
    };
    let fits = one.len() <= 6 && one.iter().all(|word| *word < 4);
    assert!(fits, "{said}\nhint: six words at most, each a number below 4");
    assert!(one != other, "{said}\nhint: one and the same sentence");
    let same = one.len() == other.len() && sorted(&one) == sorted(&other);
    assert!(same, "{said}\nhint: each word has to occur as often in the one as in the other");
    let table: Vec<Vec<f64>> =
        (0..4).map(|i| (0..5).map(|k| ((1 + 2 * i + 3 * k) as f64).sin()).collect()).collect();
    let [m, n] = [&one, &other].map(|words| solutions::sentence(words, &table));
    let far = m.iter().zip(&n).map(|(m, n)| (m - n).abs()).fold(0.0, f64::max);
    assert!(
        far < 1e-9,
        "{said}: with some table their vectors are {m:.3?} and {n:.3?}\n\
         hint: which places does each word have, and what do its weights there sum to?"
    );
}
