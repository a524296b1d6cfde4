//! 9.9: how many layers.

use super::support::uneven;
use scoring_functions::fused::scaled_dot_attention;
use scoring_functions::{Segments, Sight};
use shared::Tape;
use tests::exercises::{Exercise, Kind, Wrong};

type Layers = fn(usize, usize) -> usize;

pub fn exercise() -> Exercise<Layers> {
    Exercise {
        number: 9,
        title: "how many layers",
        kind: Kind::Predict,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong { name: "one token a layer", hint: "further back", answer: |n, _| n - 1 },
            Wrong {
                name: "n tokens to cross",
                hint: "n − 1",
                answer: |n, behind| n.div_ceil(behind),
            },
            Wrong {
                name: "rounded down",
                hint: "rounded up",
                answer: |n, behind| ((n - 1) / behind).max(1),
            },
            Wrong {
                name: "the token itself counted",
                hint: "takes nobody back",
                answer: |n, behind| (n - 1).div_ceil(behind + 1),
            },
            Wrong { name: "doubled every layer", hint: "doubles", answer: doubled },
            Wrong {
                name: "one layer too many",
                hint: "",
                answer: |n, behind| (n - 1) / behind + 1,
            },
            Wrong { name: "one layer sees all", hint: "", answer: |_, _| 1 },
        ],
    }
}

fn check(layers: Layers) {
    let sizes = [(12, 1), (7, 2), (2, 1), (9, 3), (10, 3), (6, 9), (12, 2), (40, 1)];
    for (n, behind) in sizes.into_iter().chain((0..81).map(|i| (2 + i % 9, 1 + i / 9))) {
        let right = (1..n).find(|count| reaches(n, behind, *count)).expect("n − 1 layers do");
        let found = layers(n, behind);
        if found == right {
            continue;
        }
        let hint = match found {
            _ if found == n - 1 => "a layer looks further back than one token",
            _ if found == n.div_ceil(behind) => {
                "from the first token to the last it is n − 1 places"
            }
            _ if found == ((n - 1) / behind).max(1) => {
                "what is left over needs a layer, too: rounded up"
            }
            _ if found == (n - 1).div_ceil(behind + 1) => {
                "a token sees itself as well, but that takes nobody back"
            }
            _ if found == doubled(n, behind) => {
                "every layer adds the same reach; it doubles only where the gaps do, in dilated layers"
            }
            _ => "go back from the last token, layer by layer",
        };
        panic!(
            "layers({n}, {behind}) is {found}, but the gradient of the last of {n} tokens with respect to the \
             first is not 0 from {right} layers on\nhint: {hint}"
        );
    }
}

/// Whether the gradient of the last output with respect to the first token is anything but 0.
fn reaches(n: usize, behind: usize, layers: usize) -> bool {
    let window = Segments::single(n, n).with(Sight::Window { behind, ahead: 0 });
    let tape = Tape::new();
    let x = tape.leaf(uneven(2, n, 0.3) * 0.3);
    let y = (0..layers).fold(x, |x, _| scaled_dot_attention(x, x, x, 1, &window));
    y.columns(n - 1, 1).sum().backward().wrt(x).column(0).amax() > 0.0
}

fn doubled(n: usize, behind: usize) -> usize {
    (1..).find(|count| behind * ((1 << count) - 1) >= n - 1).unwrap_or(1)
}
