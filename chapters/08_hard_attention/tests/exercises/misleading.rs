//! 8.10: a misleading loss.

use tests::exercises::{Exercise, Kind, Wrong};

type Misleading = fn() -> ([f32; 2], [[f32; 2]; 2]);

pub fn exercise() -> Exercise<Misleading> {
    Exercise {
        number: 10,
        title: "a misleading loss",
        kind: Kind::Construct,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "later losses depend on the second look alone",
                hint: "wherever the first look went",
                answer: || ([0.0, 1.0], [[5.0, 0.0], [5.0, 0.0]]),
            },
            Wrong {
                name: "cheap now and cheap later",
                hint: "the same way",
                answer: || ([0.0, 1.0], [[0.0, 0.0], [5.0, 5.0]]),
            },
            Wrong {
                name: "dear later, but not dear enough",
                hint: "the same way",
                answer: || ([0.0, 3.0], [[2.0, 2.0], [0.0, 0.0]]),
            },
            Wrong {
                name: "one of the later places is dear",
                hint: "the same way",
                answer: || ([0.0, 3.0], [[5.0, 0.0], [0.0, 0.0]]), // 2.5 on average
            },
            Wrong {
                name: "the first look costs the same everywhere",
                hint: "teaches the first look nothing",
                answer: || ([1.0, 1.0], [[5.0, 5.0], [0.0, 0.0]]),
            },
            Wrong {
                name: "in balance",
                hint: "makes no difference",
                answer: || ([0.0, 5.0], [[5.0, 5.0], [0.0, 0.0]]),
            },
            Wrong {
                name: "rewards instead of losses",
                hint: "between 0 and 9",
                answer: || ([0.0, -1.0], [[-5.0, -5.0], [0.0, 0.0]]),
            },
        ],
    }
}

fn check(misleading: Misleading) {
    let (first, second) = misleading();
    let all = first.iter().chain(second.iter().flatten());
    assert!(
        all.clone().all(|loss| (0.0..=9.0).contains(loss)),
        "first {first:?}, second {second:?}: losses lie between 0 and 9"
    );
    let later = second.map(|losses| (losses[0] + losses[1]) / 2.0);
    // α(ℓ − mean) of place 0; place 1 has the negative.
    let slope = |of: [f32; 2]| (of[0] - of[1]) / 4.0;
    let (own, whole) = (slope(first), slope([first[0] + later[0], first[1] + later[1]]));
    let given = format!(
        "first {first:?}, second {second:?}: of the first look's scores, its own loss gives the gradient \
         ({own}, {}), and J has ({whole}, {})",
        -own, -whole
    );
    assert!(
        own != 0.0,
        "{given}\nhint: it teaches the first look nothing, neither right nor wrong"
    );
    assert!(
        later[0] != later[1],
        "{given}\nhint: the second loss is the same on average wherever the first look went"
    );
    assert!(
        whole != 0.0,
        "{given}\nhint: altogether it makes no difference where the first look goes"
    );
    assert!(own * whole < 0.0, "{given}\nhint: both point the same way");
}
