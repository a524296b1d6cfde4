//! Several looks in turn, and the credit of each.
//!
//! Looks `z₁, z₂, …`, each drawn from an alignment that may depend on all that was found before; after
//! look i a loss `ℓᵢ`. What training should make small is `J = E[Σᵢ ℓᵢ]`. The probability of a sequence
//! is a product, its logarithm a sum, so the trick for one look gives
//!
//! ```text
//! ∂J = E[ Σᵢ (Σᵢ′ ℓᵢ′) ∂ln α(zᵢ) + Σᵢ ∂ℓᵢ ]
//! ```
//!
//! A loss ℓᵢ′ with i′ < i is known when look i is drawn. Given the looks before, it is a constant, and
//! the mean of ∂ln α(zᵢ) is zero: like a baseline it adds nothing. What is left is the *loss to go*,
//! `Σ_{i′ ≥ i} ℓᵢ′` (Sutton & Barto 2018, §13.3, who count rewards).

use shared::{Float, Matrix, Var};

/// Which losses a look answers for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credit {
    /// All of them.
    Whole,
    /// Its own and those that come after it.
    ToGo,
    /// Its own alone. Not the gradient of J when a look changes what comes later.
    Own,
}

// ANCHOR: credit
impl Credit {
    /// What each look answers for: `losses` of looks 1, 2, 3 …, (1, n) each → as many, (1, n) each.
    ///
    /// ```
    /// use hard_attention::sequence::Credit;
    /// use shared::Matrix;
    /// let losses = [2.0, 0.0, 1.0].map(|l| Matrix::from_element(1, 1, l));
    /// let of = |credit: Credit| credit.of(&losses).iter().map(|c| c[0]).collect::<Vec<_>>();
    /// assert_eq!(of(Credit::Whole), [3.0, 3.0, 3.0]);
    /// assert_eq!(of(Credit::ToGo), [3.0, 1.0, 1.0]);
    /// assert_eq!(of(Credit::Own), [2.0, 0.0, 1.0]);
    /// ```
    pub fn of(self, losses: &[Matrix]) -> Vec<Matrix> {
        let mut credits = losses.to_vec();
        match self {
            Credit::Own => {}
            Credit::ToGo => {
                for i in (1..credits.len()).rev() {
                    let later = credits[i].clone();
                    credits[i - 1] += later;
                }
            }
            Credit::Whole => {
                if let Some(whole) = losses.iter().cloned().reduce(|sum, l| sum + l) {
                    credits.fill(whole);
                }
            }
        }
        credits
    }
}
// ANCHOR_END: credit

/// The sum of the losses of several looks in turn; backward, the estimate of how its expectation
/// changes: [`reinforce`](crate::reinforce) for a sequence.
///
/// `losses` and `log_probabilities`: one (1, n) a look, `baselines`: one number a look. Each loss gets
/// its ordinary gradient, and `ln α(zᵢ)` what look i answers for, less its baseline.
///
/// # Panics
/// When there is no look, or not one log-probability and one baseline for each loss.
pub fn reinforce_in_turn<'t>(
    losses: &[Var<'t>],
    log_probabilities: &[Var<'t>],
    credit: Credit,
    baselines: &[Float],
) -> Var<'t> {
    let looks = (losses.len(), log_probabilities.len(), baselines.len());
    assert!(looks.0 > 0 && looks.0 == looks.1 && looks.0 == looks.2, "{looks:?} looks");
    let values: Vec<Matrix> = losses.iter().map(|l| Matrix::clone(&l.value())).collect();
    let sum = values.iter().map(|l| l.sum()).sum::<Float>();
    let operands: Vec<_> = losses.iter().copied().zip(log_probabilities.iter().copied()).collect();
    let baselines = baselines.to_vec();
    losses[0].tape().push(operands, Matrix::from_element(1, 1, sum), move |dy, ids, gradients| {
        let credits = credit.of(&values);
        for (((loss_id, ln_alpha_id), credit), b) in ids.into_iter().zip(credits).zip(baselines) {
            gradients.add(ln_alpha_id, credit.map(|c| (c - b) * dy[0])); // (credit − b) · ∂ln α(zᵢ)
            gradients.add(loss_id, credit.map(|_| dy[0])); //               ∂ℓᵢ, at the drawn place
        }
    })
}
