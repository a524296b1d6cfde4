//! 7.5 smallest power of two

use tests::exercises::{Exercise, unhinted};

pub const EXERCISE: Exercise<fn(u32) -> u32> =
    Exercise { check, wrong: &[unhinted("one too high", |n| (n + 1).next_power_of_two())] };

fn check(power_of_two: fn(u32) -> u32) {
    for n in 1..100 {
        let power = power_of_two(n);
        assert!(
            power >= n && power / 2 < n && power.is_power_of_two(),
            "power_of_two({n}) = {power}"
        );
    }
}
