//! The solutions of chapter 8: same signatures as `exercises/mod.rs`.

use shared::Vector;

/// 8.1: the first place at which the running sum exceeds u, else the last that has weight.
pub fn place(alpha: &[f32], u: f32) -> usize {
    let (mut sum, mut last) = (0.0, 0);
    for (i, weight) in alpha.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        sum += weight;
        last = i;
        if sum > u {
            break;
        }
    }
    last
}

/// 8.2: the gradient of ln Σ e^score is the softmax.
pub fn score_function(scores: &Vector, z: usize) -> Vector {
    let mut gradient = -softmax(scores);
    gradient[z] += 1.0;
    gradient
}

/// 8.3: only what was unexpected counts.
pub fn reinforce(alpha: &Vector, places: &[usize], losses: &[f32], baseline: f32) -> Vector {
    let mut gradient = Vector::zeros(alpha.len());
    for (&place, &loss) in places.iter().zip(losses) {
        let mut score = -alpha.clone(); // 1_z − α
        score[place] += 1.0;
        gradient += score * (loss - baseline);
    }
    gradient / places.len() as f32
}

/// 8.4: the derivative of Σ αⱼ(ℓⱼ − b)²‖1ⱼ − α‖² is zero at a weighted mean of the losses.
pub fn optimal_baseline(alpha: &Vector, losses: &Vector) -> f32 {
    let square = alpha.norm_squared();
    let weights = alpha.map(|a| a * (1.0 - 2.0 * a + square)); // αⱼ‖1ⱼ − α‖²
    weights.dot(losses) / weights.sum()
}

/// 8.5: −α ⊙ (ln α + H); the constant −1 of ∂H/∂α drops out, since a softmax does not see constants.
pub fn entropy_gradient(scores: &Vector) -> Vector {
    let (alpha, max) = (softmax(scores), scores.max());
    let ln_sum = scores.map(|s| (s - max).exp()).sum().ln();
    let ln_alpha = scores.map(|s| s - max - ln_sum); // finite even where α is 0
    let entropy = -alpha.dot(&ln_alpha);
    alpha.zip_map(&ln_alpha, |alpha, ln_alpha| -alpha * (ln_alpha + entropy))
}

/// 8.6: the others know nothing of this look, so their mean is a baseline like any other.
pub fn leave_one_out(alpha: &Vector, places: &[usize], losses: &[f32]) -> Vector {
    let (count, sum) = (places.len() as f32, losses.iter().sum::<f32>());
    let mut gradient = Vector::zeros(alpha.len());
    for (&place, &loss) in places.iter().zip(losses) {
        let others = (sum - loss) / (count - 1.0);
        gradient += reinforce(alpha, &[place], &[loss], others);
    }
    gradient / count
}

/// 8.7: the whole estimate is weighted. A baseline that is not leaves −b Σ q_z (1_z − α) = b(α − q) behind.
pub fn from_old_looks(
    alpha: &Vector,
    drawn_from: &Vector,
    place: usize,
    loss: f32,
    baseline: f32,
) -> Vector {
    reinforce(alpha, &[place], &[loss], baseline) * (alpha[place] / drawn_from[place])
}

/// 8.8: `ln α_z` carries the gradient of the looking alone, with the loss as a number; the reader's
/// route is ∂ℓ_z/∂w as it is, not times ln α_z.
pub fn gradient_of_w(w: f32, keys: &Vector, values: &Vector, y: f32, z: usize, b: f32) -> f32 {
    let alpha = softmax(&(w * keys));
    let error = w * values[z] - y;
    let loss = error * error;
    let dloss = 2.0 * error * values[z];
    let dln_alpha = keys[z] - alpha.dot(keys);
    (loss - b) * dln_alpha + dloss
}

/// 8.9: a sum from the end.
pub fn losses_to_go(losses: &[f32]) -> Vec<f32> {
    let mut to_go = losses.to_vec();
    for i in (1..to_go.len()).rev() {
        to_go[i - 1] += to_go[i];
    }
    to_go
}

/// 8.10: the first place costs nothing now and 5 later. Own losses 0 and 1 raise its score; all that it
/// leads to, 5 and 1, should lower it.
pub fn misleading() -> ([f32; 2], [[f32; 2]; 2]) {
    ([0.0, 1.0], [[5.0, 5.0], [0.0, 0.0]])
}

/// 8.11: without draws A predicts open alignments, without anything to learn B does; C predicts sharp ones
/// in both. Run 3 changes two things, 0 none, and 4 opens alignments whatever sharpens them.
pub fn distinguishing_runs() -> [(usize, bool, bool); 3] {
    [(1, false, true), (1, false, true), (2, false, true)]
}

/// 8.12: for the sequences (0, 0), (0, 1), (1, 0) and (1, 1) the losses are 0 + 0, 0 + 2, 8 + 0 and 8 + 2, and
/// the entry is ½, −½, ½, −½. The whole loss gives 0, −1, 4, −5, and minus its mean, 5, −2½, 1½, 1½, −2½; the
/// loss to go gives 0, −1, 0, −1, and minus its mean, 1, always −½.
pub fn cost_of_credit() -> [f32; 4] {
    [10.25, 4.0, 0.25, 0.0]
}

/// 8.13: seeds that both solve, or neither, decide nothing. p is 2/64 for 6 to 0, 18/256 for 7 to 1, 2/32 for
/// 5 to 0 (all seeds against none: five are too few), 274/65536 for 14 to 2 (the same shares as in 2, from
/// twice the seeds), 2/512 for 0 to 9. Nothing shows that A and B are alike.
pub fn verdicts() -> [Option<bool>; 6] {
    [Some(true), None, None, Some(true), Some(false), None]
}

fn softmax(scores: &Vector) -> Vector {
    let max = scores.max();
    let exponentials = scores.map(|s| (s - max).exp());
    &exponentials / exponentials.sum()
}
