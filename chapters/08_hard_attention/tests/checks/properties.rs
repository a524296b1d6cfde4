//! Chapter 8: what is true of every look, on random small problems.

use hard_attention::estimator::{
    estimate, exact, lengths, optimal_baseline, second_moment, variance,
};
use hard_attention::{
    entropy, expected_loss, log_probability, look, marginal_loss, place, reinforce,
};
use proptest::prelude::*;
use rand_distr::{Distribution, StandardUniform};
use shared::{Float, Matrix, Tape, cross_entropy, product, rng};
use tests::assert_close;

/// Scores of one query, and a loss for each place.
fn problem() -> impl Strategy<Value = (Matrix, Vec<Float>)> {
    (2_usize..9).prop_flat_map(|m| {
        let column = prop::collection::vec(-3.0 as Float..3.0, m);
        let losses = prop::collection::vec(0.0 as Float..5.0, m);
        (column.prop_map(move |s| Matrix::from_vec(m, 1, s)), losses)
    })
}

fn alpha(scores: &Matrix) -> Vec<Float> {
    let tape = Tape::no_grad();
    tape.constant(scores.clone()).softmax().value().as_slice().to_vec()
}

/// The gradient that the tape's operations estimate from many looks at once: `draws` copies of the
/// query, one look each.
fn estimates(scores: &Matrix, losses: &[Float], b: Float, draws: usize, seed: u64) -> Matrix {
    let (tape, rng) = (Tape::new(), &mut rng(seed));
    let copies = tape.leaf(Matrix::from_fn(scores.len(), draws, |i, _| scores[i]));
    let values = tape.constant(Matrix::from_row_slice(1, losses.len(), losses));
    let uniforms: Vec<Float> = (0..draws).map(|_| StandardUniform.sample(rng)).collect();
    let look = look(copies, values, &uniforms); // the value found is the loss
    reinforce(look.contexts, look.log_probability, b).backward().wrt(copies)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Each entry's mean over 2000 looks lies where Bernstein's inequality puts it: n draws that differ
    /// from their mean by at most M, with variance σ², stray by more than t with a probability of at
    /// most 2·exp(−n t²/(2σ² + ⅔ M t)), however rare some places are. σ² and M come from the finite sum,
    /// t from a probability of 10⁻¹⁰; a run asks some 3000 times.
    #[test]
    fn the_estimator_is_unbiased_whatever_the_baseline(
        (scores, losses) in problem(), seed in 0_u64..1000,
    ) {
        let (alpha, draws) = (alpha(&scores), 2000);
        let goal = exact(&alpha, &losses);
        for b in [0.0, 1.3, 6.0] {
            let found = estimates(&scores, &losses, b, draws, seed);
            for i in 0..alpha.len() {
                let away = |s: usize| estimate(&alpha, s, losses[s], b)[i] - goal[i];
                let variance = (0..alpha.len()).map(|s| alpha[s] * away(s).powi(2)).sum::<Float>();
                let largest = (0..alpha.len()).map(|s| away(s).abs()).fold(0.0, Float::max);
                let rare = Float::ln(2e10) / draws as Float;
                let half = largest * rare / 3.0;
                let bound = half + (half * half + 2.0 * variance * rare).sqrt() + 1e-5; // rounding
                let error = (found.row(i).mean() - goal[i]).abs();
                prop_assert!(error < bound, "entry {i}, b = {b}: {error} from {}, bound {bound}", goal[i]);
            }
        }
    }

    /// The finite sum over all looks, without chance: any baseline, the same mean.
    #[test]
        #[test]
    fn no_constant_beats_the_optimal_one((scores, losses) in problem(), b in -5.0 as Float..9.0) {
        let alpha = alpha(&scores);
        let lengths = lengths(&alpha);
        let best = optimal_baseline(&alpha, &losses, &lengths);
        let at = |b| second_moment(&alpha, &losses, &lengths, b);
        prop_assert!(at(best) <= at(b) * (1.0 + 1e-5));
        // A parabola: V(b) = V(b*) + (b − b*)²·E‖1_z − α‖².
        let curvature: Float = alpha.iter().zip(&lengths).map(|(a, l)| a * l).sum();
        let predicted = at(best) + (b - best).powi(2) * curvature;
        assert_close!(at(b), predicted, 1e-4);
        prop_assert!(variance(&alpha, &losses, b) > -1e-4);
    }

    /// The enumerated gradient on the tape is the plain one, and shifts of all losses do not matter.
    #[test]
    fn only_differences_between_losses_count((scores, losses) in problem(), shift in -4.0 as Float..4.0) {
        let gradient = |shift: Float| {
            let tape = Tape::new();
            let s = tape.leaf(scores.clone());
            let l = losses.iter().map(|l| l + shift).collect::<Vec<_>>();
            let l = tape.constant(Matrix::from_row_slice(1, losses.len(), &l));
            expected_loss(s, l).backward().wrt(s)
        };
        assert_close!(gradient(shift), gradient(0.0), 4e-6);
        assert_close!(gradient(0.0), exact(&alpha(&scores), &losses), 4e-6);
        prop_assert!(gradient(0.0).sum().abs() < 1e-5);
    }

    /// Jensen, twice: the marginal loss is below the expected one, and so is the loss of soft
    /// attention when what reads the context is linear before its softmax.
    #[test]
    fn an_expected_loss_is_an_upper_bound(seed in 0_u64..10_000) {
        let rng = &mut rng(seed);
        let mut normal = |rows, columns| -> Matrix {
            Matrix::from_fn(rows, columns, |_, _| rand_distr::StandardNormal.sample(rng))
        };
        let (scores, values, reader) = (normal(5, 1) * 2.0, normal(3, 5), normal(4, 3));
        let tape = Tape::no_grad();
        let s = tape.constant(scores.clone());
        let losses = -log_probability(tape.constant(product(&reader, &values)), &[1; 5]);
        let expected = expected_loss(s, losses).scalar();
        let marginal = marginal_loss(s, losses).scalar();
        prop_assert!(marginal <= expected + 1e-5);
        // The difference is KL(α‖π), π being where the look went once the answer is known.
        let divergence = |(alpha, loss): (&Float, &Float)| {
            let posterior = alpha * (marginal - loss).exp();
            alpha * (alpha / posterior).ln()
        };
        let kl: Float = alpha(&scores).iter().zip(losses.value().iter()).map(divergence).sum();
        assert_close!(expected - marginal, kl, 1e-4);
        let context = tape.constant(values) * s.softmax();
        let soft = cross_entropy(tape.constant(reader) * context, &[1]).scalar();
        prop_assert!(soft <= expected + 1e-5);
    }

    #[test]
    fn entropy_lies_between_one_place_and_all((scores, _) in problem()) {
        let tape = Tape::no_grad();
        let h = entropy(tape.constant(scores.clone())).scalar();
        prop_assert!(h >= -1e-6 && h <= (scores.len() as Float).ln() + 1e-5);
        // A place that is masked has no part in it, and no gradient.
        let tape = Tape::new();
        let hidden = tape.leaf(scores.clone().insert_row(scores.len(), Float::NEG_INFINITY));
        let masked = entropy(hidden);
        prop_assert!((masked.scalar() - h).abs() < 1e-5);
        let d = masked.backward().wrt(hidden);
        prop_assert!(d.iter().all(|d| d.is_finite()) && d[scores.len()] == 0.0);
    }

    #[test]
    fn a_place_is_found_for_every_number((scores, _) in problem(), u in 0.0 as Float..1.0) {
        let alpha = alpha(&scores);
        let found = place(&alpha, u);
        let before: Float = alpha[..found].iter().sum();
        prop_assert!(alpha[found] > 0.0 && before <= u + 1e-6 && u < before + alpha[found] + 1e-5);
    }
}
