//! Chapter 7's predicted position: a window over a sentence, the Gaussian in it, and what pulls the position.

use bahdanau::attention::softmax_in_segments;
use luong::{attention::near, windows::around};
use scoring_functions::{AttentionMask, Sequences};
use shared::{Float, Matrix, Tape};

/// Into so many places the Gaussian is drawn, from one end of the window to the other.
const CURVE: usize = 61;

/// A position p, a width D, the word that deserves weight, then a score for each word → the window's first word,
/// the one after its last, the derivative of the deserving word's weight with respect to p, the sum of the weights;
/// for each word its weight before the Gaussian and then after it, 0 outside the window; and the Gaussian from p − D
/// to p + D.
///
/// ```
/// let answer = live::window(&[1.0, 1.0, 2.0, /* scores */ 0.0, 0.0, 0.0, 0.0]);
/// assert_eq!(answer[..2], [0.0, 3.0]);
/// let (alpha, sigma) = (answer[10], 0.5);
/// assert!((alpha - f32::exp(-2.0) / 3.0).abs() < 1e-6);
/// assert!((answer[2] - alpha * (2.0 - 1.0) / (sigma * sigma)).abs() < 1e-6);
/// ```
pub fn window(numbers: &[Float]) -> Vec<Float> {
    let [p, d, word, scores @ ..] = numbers else { panic!("too few numbers") };
    let (m, sigma) = (scores.len(), d / 2.0);
    let seen = around(*p, *d as usize, m);
    let sequences = Sequences::single(1, m).with(AttentionMask::Given(vec![seen.clone()]));
    let tape = Tape::new();
    let center = tape.leaf(Matrix::from_element(1, 1, *p));
    let e = tape.constant(Matrix::from_row_slice(1, seen.len(), &scores[seen.clone()]));
    let align = softmax_in_segments(e, &sequences); // (1, n)
    let weights = near(align, center, &sequences, sigma); // (1, n)
    let [before, after] = [align, weights].map(|some| {
        let mut all = vec![0.0; m];
        all[seen.clone()].copy_from_slice(some.value().as_slice());
        all
    });
    let word = *word as usize;
    let pull = if seen.contains(&word) {
        weights.columns(word - seen.start, 1).sum().backward().wrt(center)[0]
    } else {
        0.0 // no weight, whatever p
    };
    let mut answer = vec![seen.start as Float, seen.end as Float, pull, after.iter().sum()];
    answer.extend([before, after, gaussian(*d, sigma)].concat());
    answer
}

/// What is left of a weight of 1 that lies so far away.
fn gaussian(d: Float, sigma: Float) -> Vec<Float> {
    let tape = Tape::no_grad();
    let ones = tape.constant(Matrix::repeat(1, CURVE, 1.0));
    let distances =
        Matrix::from_fn(1, CURVE, |_, i| d * (2.0 * i as Float / (CURVE - 1) as Float - 1.0));
    let sequences = Sequences::per_query((0..CURVE).map(|i| i..i + 1)); // each looks at one word, which is the first
    near(ones, tape.constant(distances), &sequences, sigma).value().as_slice().to_vec()
}

#[cfg(test)]
mod tests {
    use super::window;

    const SCORES: [f32; 9] = [-3.2, -2.7, -3.0, -2.3, -1.7, -0.6, -3.0, -3.0, -3.5];

    #[test]
    fn the_pull_is_the_weights_growth() {
        for (p, d) in [(3.6, 3.0), (6.2, 2.0), (5.3, 4.0)] {
            let at = |p: f32| window(&[&[p, d, 5.0][..], &SCORES].concat());
            let growth = (at(p + 0.01)[18] - at(p - 0.01)[18]) / 0.02;
            assert!((at(p)[2] - growth).abs() < 1e-3, "{growth} for {:?}", at(p));
        }
    }

    #[test]
    fn a_word_out_of_sight_pulls_nothing() {
        let answer = window(&[&[1.5, 3.0, 5.0][..], &SCORES].concat());
        assert_eq!((answer[0], answer[1], answer[2], answer[18]), (0.0, 5.0, 0.0, 0.0));
    }
}
