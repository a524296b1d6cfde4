//! 8.7: better than average.

use crate::support::{Looks, check_looks, estimate, mean_of_all};
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};

pub fn exercise() -> Exercise<Looks> {
    Exercise {
        number: 7,
        title: "spot the bug: better than average",
        kind: Kind::SpotTheBug,
        difficulty: 2,
        minutes: 10,
        check: |better_than_average| check_looks("better_than_average", better_than_average),
        wrong: &[
            Wrong { name: ORIGINAL_BUG, hint: "own loss", answer: mean_of_all },
            Wrong {
                name: "unbiased, but without a baseline",
                hint: "less noisy",
                answer: |alpha, places, losses| estimate(alpha, places, losses, 0.0),
            },
            Wrong {
                name: "stretched the wrong way",
                hint: "",
                answer: |alpha, places, losses| {
                    let count = places.len() as f32;
                    mean_of_all(alpha, places, losses) * (count - 1.0) / count
                },
            },
        ],
    }
}
