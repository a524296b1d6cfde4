//! How gradients fade.

use recurrent_networks::adding::HIDDEN;
use recurrent_networks::flow::{norms, spectral_norm, spectral_radius, with_radius};
use recurrent_networks::{Recurrent, Rnn};
use shared::rng;
use tests::assert_close;

/// What the page says of the theorem: it bounds by the largest singular value, which at the usual
/// start is above 1 and twice the spectral radius.
#[test]
fn the_usual_start_is_beyond_the_theorem() {
    let seed = workbench::stream(0, 500);
    let layer = Rnn::new(2, HIDDEN, &mut rng(seed));
    let u = layer.weights.weight_h.value();
    assert_close!(spectral_norm(u), 1.12, 0.002);
    assert_close!(spectral_radius(u), 0.5732, 1e-3);
    let half = with_radius(0.5, seed);
    assert_close!(spectral_norm(half.weights.weight_h.value()), 0.98, 0.002);
    assert!(*norms(&half, seed).last().expect("a norm") < 1e-28);
}
