//! An exercise with a check that hardly looks, and a catalogue full of errors.

use tests::exercises::{Exercise, unhinted, wrong};

use super::attempts;

pub const EXERCISE: Exercise<fn(u32) -> u32> = Exercise {
    check,
    wrong: &[
        unhinted("slips through", |_| 4),
        wrong("that is nothing", |_| 0),
        unhinted("open", attempts::power_of_two),
        wrong("that is n itself", |n| n),
    ],
};

fn check(power_of_two: fn(u32) -> u32) {
    assert!(power_of_two(3) == 4, "a message");
}
