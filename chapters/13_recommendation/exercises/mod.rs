//! The exercises of chapter 13. Replace a `todo!()`, then run
//! `cargo test -p recommendation --test exercises`.
//!
//! Items are numbers from 0. A history's keys are the columns of `keys` (d, m), and its values, too;
//! `q` is a candidate's vector (d, 1).
#![allow(unused_variables, unused_imports, unreachable_code)] // until all are solved

use shared::{Matrix, Vector};

/// **13.1 a hit among equals – difficulty ●○○, about 15 minutes**
///
/// HR@k of the item `bought`, when all items are ranked by `scores`, the highest first. Items of one
/// score are in no order: each order of them is as probable as another, and the hit is the mean over
/// these orders. With k = 0 there is no hit.
///
/// Hint: in which places could the bought item stand, and how many of them are among the first k?
pub fn hit(scores: &[f32], bought: usize, k: usize) -> f32 {
    todo!()
}

/// **13.2 what a candidate makes of a history – difficulty ●○○, about 15 minutes**
///
/// `u = Σ aᵢ kᵢ`, (d, 1). The scores are dot products `q · kᵢ`. Without `softmax` they are the weights
/// as they are; with it the weights are their softmax. Scores may be as large as ±1000. The action `without`
/// is left out, if one is given, as if it had never been: so it shows what is missed. `u` of a history in
/// which nothing is left is zeros.
pub fn interest(q: &Vector, keys: &Matrix, softmax: bool, without: Option<usize>) -> Vector {
    todo!()
}

/// **13.3 derive: key and value at once – difficulty ●●○, about 25 minutes**
///
/// The gradients of a loss with respect to the candidate `q` (d, 1) and to the keys (d, m), when `du` (d, 1)
/// is its gradient with respect to the `u` of 13.2, from which nothing is left out.
///
/// Hint: by how many ways does a key reach `u`?
pub fn interest_backward(
    q: &Vector,
    keys: &Matrix,
    du: &Vector,
    softmax: bool,
) -> (Vector, Matrix) {
    todo!()
}

/// **13.4 construct: two models change places – difficulty ●●○, about 20 minutes**
///
/// A shop has 1000 items. Two models, A and B, rank all of them for the same four customers. Returns the
/// places (1 … 1000) of the four bought items in A's rankings and in B's, such that A is better by HR@10
/// in the full ranking, and B is better, in expectation, by HR@10 against 100 negatives that are drawn
/// uniformly from the other 999 items. Both by at least 0.2.
///
/// Hint: which place is lost in the full ranking and found in the sampled one?
pub fn places() -> [[usize; 4]; 2] {
    todo!()
}

/// **13.5 spot the bug: a model that knows everything – difficulty ●○○, about 10 minutes**
///
/// The examples of one customer: for every purchase that has something before it, the items of the last
/// `longest` actions before it, and the item that was bought. `actions` are (item, whether it was
/// bought), oldest first. A model that learns from what these lines return reaches 100 % on its own
/// training data and predicts nothing.
pub fn examples(actions: &[(usize, bool)], longest: usize) -> Vec<(Vec<usize>, usize)> {
    todo!("find the bug, then remove this line");
    let mut examples = Vec::new();
    for (at, (item, is_bought)) in actions.iter().enumerate() {
        if *is_bought && at > 0 {
            let first = (at + 1).saturating_sub(longest);
            let history = actions[first..at + 1].iter().map(|(item, _)| *item).collect();
            examples.push((history, *item));
        }
    }
    examples
}

/// **13.6 predict: what chance gets – difficulty ●○○, about 10 minutes**
///
/// A model gives every item the same score. The shop has 180 items. Work out, as shares:
///
/// 0. HR@10 in the full ranking;
/// 1. HR@10 against 100 negatives;
/// 2. NDCG@10 in the full ranking.
pub fn chance() -> [f32; 3] {
    todo!()
}

/// **13.7 judge: who has seen the future? – difficulty ●●○, about 10 minutes**
///
/// A purchase of one customer at the time T is to be predicted. Which of these models has learnt from
/// something that happened after T? (Times of test purchases differ from customer to customer.)
///
/// 0. Every customer's last purchase is held out; all other purchases are trained on.
/// 1. All purchases before the first of March are trained on; the test are those from then on.
/// 2. As 0, and the model only counts how often every item was bought in its training part.
/// 3. Every tenth purchase, drawn at random, is held out; all others are trained on.
/// 4. As 1, with item vectors that somebody made from the whole file beforehand.
/// 5. As 1, with the learning rate that was best on the last week of February.
pub fn saw_the_future() -> [bool; 6] {
    todo!()
}

// **13.8 capstone: your shop gives reasons – difficulty ●○○, about 5 minutes**
//
// There is nothing to write here. When 13.1, 13.2 and 13.3 are solved, the check opens a small shop in which
// a supply follows one of two devices. `interest` makes vectors of histories, `interest_backward` teaches
// the matrix between candidates and keys, and `hit` judges. It prints what three candidates weigh.
//
// `cargo test -p recommendation --test exercises 13.8` prints how it does beside ours.
