//! Model 1 as attention, against the counting that textbooks print; and what no step may do.

use bahdanau::model_1::{Model1, log_likelihood};
use proptest::prelude::*;
use shared::Float;
use tests::assert_close;

/// Expectation–maximisation as it is usually written: counts in two nested loops (Brown et al. 1993;
/// Koehn 2009, figure 4.3). `t[x][y]`.
fn counted(t: &[Vec<f64>], pairs: &[(&[usize], &[usize])]) -> Vec<Vec<f64>> {
    let (mut counts, mut totals) = (vec![vec![0.0; t[0].len()]; t.len()], vec![0.0; t.len()]);
    for (source, target) in pairs {
        for &y in *target {
            let all: f64 = source.iter().map(|&x| t[x][y]).sum();
            for &x in *source {
                counts[x][y] += t[x][y] / all;
                totals[x] += t[x][y] / all;
            }
        }
    }
    let rows = counts.iter().zip(&totals);
    rows.map(|(counts, total)| counts.iter().map(|c| c / total).collect()).collect()
}

const PAIRS: [(&[usize], &[usize]); 3] =
    [(&[0, 1, 0, 3], &[0, 1, 0]), (&[2, 0, 3], &[2, 0]), (&[1, 3], &[3, 1, 2])];

#[test]
fn a_softmax_of_log_probabilities_is_the_posterior_of_the_counts() {
    let mut model = Model1::uniform(4, 4, 0.0);
    let mut t = vec![vec![0.25; 4]; 4];
    for _ in 0..4 {
        model.step(&PAIRS);
        t = counted(&t, &PAIRS);
        for (x, row) in t.iter().enumerate() {
            for (y, t) in row.iter().enumerate() {
                assert_close!(f64::from(model.log_t[(x, y)].exp()), t, 1e-5, "t({y} | {x})");
            }
        }
    }
}

#[test]
fn without_a_table_the_prior_is_the_diagonal() {
    let model = Model1::uniform(9, 9, 4.0);
    let alpha = model.alignment(&[3, 4, 5, 6, 2], &[3, 4, 5, 6]); // the last word is the empty one
    for i in 0..4 {
        assert_eq!(alpha.column(i).imax(), i);
    }
    let longer = model.alignment(&[3, 4, 2], &[3, 4, 5, 6]);
    assert_eq!([0, 1, 2, 3].map(|i| longer.column(i).imax()), [0, 0, 1, 1]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_step_lowers_the_likelihood(
        pairs in prop::collection::vec((prop::collection::vec(0_usize..4, 0..5), prop::collection::vec(0_usize..4, 1..5)), 1..6),
        lambda in 0.0_f32..8.0,
    ) {
        let closed: Vec<(Vec<usize>, Vec<usize>)> =
            pairs.into_iter().map(|(x, y)| ([&x[..], &[4]].concat(), y)).collect();
        let pairs: Vec<(&[usize], &[usize])> = closed.iter().map(|(x, y)| (&x[..], &y[..])).collect();
        let mut model = Model1::uniform(5, 4, lambda as Float);
        let mut before = log_likelihood(&model, &pairs);
        for _ in 0..5 {
            model.step(&pairs);
            let after = log_likelihood(&model, &pairs);
            prop_assert!(after > before - 1e-4 * before.abs().max(1.0), "{before} → {after}");
            before = after;
        }
    }
}
