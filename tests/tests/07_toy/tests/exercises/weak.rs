//! An exercise with a check that hardly looks, in the wrong place, and a catalogue full of errors.

use tests::exercises::{Exercise, Kind, Wrong};

use super::{attempts, wrong};

pub fn exercise() -> Exercise<fn(u32) -> u32> {
    Exercise {
        number: 9,
        title: "never checked",
        kind: Kind::SpotTheBug,
        difficulty: 4,
        minutes: 1,
        check,
        wrong: &[
            Wrong { name: "slips through", hint: "", answer: |_| 4 },
            Wrong { name: "other hint", hint: "another message", answer: |_| 0 },
            Wrong { name: "open", hint: "", answer: attempts::power_of_two },
            Wrong { name: "Open!", hint: "", answer: |n| n },
            Wrong { name: "endless", hint: "", answer: wrong::power_of_two },
        ],
    }
}

fn check(power_of_two: fn(u32) -> u32) {
    assert!(power_of_two(3) == 4, "a message");
}
