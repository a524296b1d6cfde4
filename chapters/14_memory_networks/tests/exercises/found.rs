//! 14.6: is the fact found?

use super::solutions;
use tests::exercises::{Exercise, wrong};

pub type Found = fn(&[Vec<Vec<f64>>], &[usize]) -> (f64, usize);

pub const EXERCISE: Exercise<Found> = Exercise {
    check,
    wrong: &[
        wrong("choose the hop once, for all questions", |weights, supports| {
            let any = weights.iter().zip(supports).filter(|(hops, fact)| {
                hops.iter().any(|of| of.iter().all(|weight| *weight <= of[**fact]))
            });
            (any.count() as f64 / weights.len() as f64, solutions::found(weights, supports).1)
        }),
        wrong("the hop that has it most often need not be the first", |weights, supports| {
            let first: Vec<_> = weights.iter().map(|hops| hops[..1].to_vec()).collect();
            solutions::found(&first, supports)
        }),
        wrong("hops are counted from 0", |weights, supports| {
            let (share, hop) = solutions::found(weights, supports);
            (share, hop + 1)
        }),
        wrong("of hops that have it equally often, the first", |weights, supports| {
            let turned: Vec<Vec<Vec<f64>>> =
                weights.iter().map(|hops| hops.iter().rev().cloned().collect()).collect();
            let (share, hop) = solutions::found(&turned, supports);
            (share, weights[0].len() - 1 - hop)
        }),
        wrong("divide by the number of questions", |weights, supports| {
            let (share, hop) = solutions::found(weights, supports);
            (share * weights.len() as f64, hop)
        }),
    ],
};

fn check(found: Found) {
    let two = vec![
        vec![vec![0.4, 0.35, 0.25], vec![0.1, 0.2, 0.7]],
        vec![vec![0.2, 0.5, 0.3], vec![0.2, 0.3, 0.5]],
        vec![vec![0.28, 0.32, 0.4], vec![0.45, 0.4, 0.15]],
        vec![vec![0.6, 0.4], vec![0.49, 0.51]],
    ];
    let three = vec![
        vec![vec![0.34, 0.3199, 0.3401], vec![0.2, 0.5, 0.3], vec![0.6, 0.3, 0.1]],
        vec![vec![0.34, 0.336, 0.324], vec![0.2, 0.45, 0.35], vec![0.5, 0.3, 0.2]],
    ];
    let (none, one) = (two[..3].to_vec(), vec![vec![vec![1.0]; 2]]);
    let of_two =
        [[2, 2, 0, 1], [0, 1, 2, 0], [1, 0, 0, 0], [0, 2, 2, 0]].map(|s| (&two, s.to_vec()));
    let of_three = [[0, 0], [1, 1], [2, 2], [0, 1], [2, 0]].map(|s| (&three, s.to_vec()));
    let few = [(&none, vec![1, 0, 1]), (&one, vec![0])];
    for (weights, supports) in of_two.into_iter().chain(of_three).chain(few) {
        let (found, right) = (found(weights, &supports), solutions::found(weights, &supports));
        let shown: String = weights.iter().map(|hops| format!("\n    {hops:?}")).collect();
        assert!(
            (found.0 - right.0).abs() < 1e-9 && found.1 == right.1,
            "you say {found:?}, expected {right:?}\nsupports {supports:?} and weights, a line a question,{shown}\n\
             hint: for each hop by itself: how many questions have their sentence in front?"
        );
    }
}
