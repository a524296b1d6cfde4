//! 8.10: a misleading loss.

use tests::exercises::{Exercise, unhinted};

type Misleading = fn() -> ([f32; 2], [[f32; 2]; 2]);

pub const EXERCISE: Exercise<Misleading> = Exercise {
    check,
    wrong: &[
        unhinted("later losses depend on the second look alone", || {
            ([0.0, 1.0], [[5.0, 0.0], [5.0, 0.0]])
        }),
        unhinted("cheap now and cheap later", || ([0.0, 1.0], [[0.0, 0.0], [5.0, 5.0]])),
        // 2.5 on average
        unhinted("one of the later places is dear", || ([0.0, 3.0], [[5.0, 0.0], [0.0, 0.0]])),
        unhinted("the first look costs the same everywhere", || {
            ([1.0, 1.0], [[5.0, 5.0], [0.0, 0.0]])
        }),
        unhinted("in balance", || ([0.0, 5.0], [[5.0, 5.0], [0.0, 0.0]])),
        unhinted("rewards instead of losses", || ([0.0, -1.0], [[-5.0, -5.0], [0.0, 0.0]])),
    ],
};

fn check(misleading: Misleading) {
    let (first, second) = misleading();
    let mut all = first.iter().chain(second.iter().flatten());
    let given = format!("first {first:?}, second {second:?}");
    assert!(all.all(|loss| (0.0..=9.0).contains(loss)), "{given}: losses lie between 0 and 9");
    let later = second.map(|losses| (losses[0] + losses[1]) / 2.0);
    // α(ℓ − mean) of place 0; place 1 has the negative.
    let slope = |of: [f32; 2]| (of[0] - of[1]) / 4.0;
    let (own, whole) = (slope(first), slope([first[0] + later[0], first[1] + later[1]]));
    for (fault, hint) in [
        (own == 0.0, "it teaches the first look nothing, neither right nor wrong"),
        (
            later[0] == later[1],
            "the second loss is the same on average wherever the first look went",
        ),
        (whole == 0.0, "altogether it makes no difference where the first look goes"),
        (own * whole > 0.0, "both point the same way"),
    ] {
        assert!(
            !fault,
            "{given}: of the first look's scores, its own loss gives the gradient ({own}, {}), and J has \
             ({whole}, {})\nhint: {hint}",
            -own, -whole
        );
    }
}
