//! 9.9: how many layers.

use scoring_functions::fused::scaled_dot_attention;
use scoring_functions::{AttentionMask, Sequences};
use shared::Tape;
use tests::exercises::{Exercise, wrong};
use tests::uneven;

type Layers = fn(usize, usize) -> usize;

pub const EXERCISE: Exercise<Layers> = Exercise {
    check,
    wrong: &[
        wrong("a layer looks further back than one token", |n, _| n - 1),
        wrong("to the last token it is n − 1 positions", |n, behind| n.div_ceil(behind)),
        wrong("what is left over needs a layer, too: rounded up", |n, behind| {
            ((n - 1) / behind).max(1)
        }),
        wrong("to see itself takes nobody back", |n, behind| (n - 1).div_ceil(behind + 1)),
        wrong(
            "every layer adds the same reach; it doubles only where the gaps do, in dilated layers",
            |n, behind| (1..).find(|count| behind * ((1 << count) - 1) >= n - 1).unwrap_or(1),
        ),
    ],
};

fn check(layers: Layers) {
    let sizes = [(12, 1), (7, 2), (2, 1), (9, 3), (10, 3), (6, 9), (12, 2), (40, 1)];
    for (n, behind) in sizes.into_iter().chain((0..81).map(|i| (2 + i % 9, 1 + i / 9))) {
        let right = (1..n).find(|count| reaches(n, behind, *count)).expect("n − 1 layers do");
        let found = layers(n, behind);
        assert!(
            found == right,
            "layers({n}, {behind}) is {found}, but the gradient of the last of {n} tokens with respect to the \
             first is not 0 from {right} layers on"
        );
    }
}

/// Whether the gradient of the last output with respect to the first token is anything but 0.
fn reaches(n: usize, behind: usize, layers: usize) -> bool {
    let window = Sequences::single(n, n).with(AttentionMask::Window { behind, ahead: 0 });
    let tape = Tape::new();
    let x = tape.leaf(uneven(2, n, 0.3) * 0.3);
    let y = (0..layers).fold(x, |x, _| scaled_dot_attention(x, x, x, 1, &window));
    y.columns(n - 1, 1).sum().backward().wrt(x).column(0).amax() > 0.0
}
