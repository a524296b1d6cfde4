//! An exercise with a check that hardly looks, in the wrong place, and a catalogue full of errors.

use tests::exercises::{Exercise, Kind, wrong};

use super::{attempts, wrong};

pub const EXERCISE: Exercise<fn(u32) -> u32> = Exercise {
    number: 9,
    title: "never checked",
    kind: Kind::SpotTheBug,
    difficulty: 4,
    minutes: 1,
    check,
    wrong: &[
        wrong("slips through", "", |_| 4),
        wrong("nothing", "that is nothing", |_| 0),
        wrong("open", "", attempts::power_of_two),
        wrong("Open!", "that is n itself", |n| n),
        wrong("endless", "", wrong::power_of_two),
    ],
};

fn check(power_of_two: fn(u32) -> u32) {
    assert!(power_of_two(3) == 4, "a message");
}
