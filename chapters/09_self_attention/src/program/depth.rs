//! How many operations of a training step wait for one another?
//!
//! An operation makes a number of one or two others: a product, a sum, an exponential, σ, tanh. What waits
//! for nothing happens at once, however much it is; so a sum of k numbers takes ⌈log₂ k⌉ sums after one
//! another. The loss is ½‖Y‖², whose gradient is Y. `tests/checks/parallel.rs` computes both layers number by
//! number, each with the time at which it is known, and arrives at these counts.

/// A sum of k numbers, which are added in pairs.
fn sum(k: usize) -> usize {
    k.next_power_of_two().ilog2() as usize
}

fn dot(k: usize) -> usize {
    1 + sum(k)
}

/// Chapter 4's GRU: `n` tokens of `d` entries, states of `d`.
pub fn gru(n: usize, d: usize) -> usize {
    let inputs = dot(d) + 1; //                  W x + (b + c), for all tokens at once
    // U h; then + W x, σ, r ⊙ m, + …, tanh, h − n, z ⊙ …, + n. At the first token there is no U h to wait for.
    let forward = inputs + n * 8 + (n - 1) * dot(d);
    // dn, da_n, dr, da_r; then Uᵀ(da_r, da_z, dm) is added to what else the state before is told.
    let backward = n * 4 + (n - 1) * (dot(3 * d) + 1);
    forward + backward + dot(n).max(dot(3 * d)) // dW = dA·Xᵀ and, at the same time, dX = Wᵀ·dA
}

/// This chapter's self-attention: the same tokens, in so many heads.
pub fn attention(n: usize, d: usize, heads: usize) -> usize {
    let head = d / heads;
    let projected = dot(d) + 1; //               Q = W_q X + b, and K and V
    let scores = dot(head) + 1; //               KᵀQ/√d
    let softmax = 2 * sum(n) + 3; //             the largest, −, exp, their sum, ÷
    let mixed = dot(n) + dot(d) + 1; //          Y = W_o [V·A] + b
    let back = dot(d) + dot(head) + dot(n) + 2; // dO = W_oᵀ·dY, dA = Vᵀ·dO, dS = A ⊙ (dA − 1·δᵀ)
    let asked = dot(n) + 1; //                   dQ = K·dS/√d, and dK
    let ends = dot(n).max(dot(d) + 2); //        dW_q = dQ·Xᵀ and, at the same time, dX, a sum of three
    projected + scores + softmax + mixed + back + asked + ends
}
