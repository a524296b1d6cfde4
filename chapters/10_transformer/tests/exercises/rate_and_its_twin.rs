//! 10.7: up and down again.

use super::solutions;
use tests::exercises::{Exercise, wrong};
use tests::expect;
use workbench::training::{Schedule, Shape};

pub type Rate = fn(f64, f64, f64) -> (f64, f64);

pub const EXERCISE: Exercise<Rate> = Exercise {
    check,
    wrong: &[
        wrong(
            "this is the larger of the two terms, and min is the smaller of the two",
            |d, w, s| {
                let rate = s.powf(-0.5).max(s * w.powf(-1.5)) / d.sqrt();
                (rate, solutions::rate_and_its_twin(d, w, s).1)
            },
        ),
        wrong("d^−½: wider models take smaller steps", |d, w, s| {
            let (rate, twin) = solutions::rate_and_its_twin(d, w, s);
            (rate * d, twin)
        }),
        wrong("before the peak the rate rises, with the smaller of the two terms", |d, w, s| {
            ((d * s).powf(-0.5), solutions::rate_and_its_twin(d, w, s).1)
        }),
        wrong("2w − s: but the way down is no mirror image of the way up", |d, w, s| {
            (solutions::rate_and_its_twin(d, w, s).0, 2.0 * w - s)
        }),
        wrong("w²/s: after the peak the rate falls with 1/√t, not with 1/t", |d, w, s| {
            (solutions::rate_and_its_twin(d, w, s).0, w * w / s)
        }),
        wrong("this step lies after the peak: its twin is before it", |d, w, s| {
            (solutions::rate_and_its_twin(d, w, s).0, w.powi(3) / s.powi(2))
        }),
        wrong("this step lies before the peak: its twin is after it", |d, w, s| {
            (solutions::rate_and_its_twin(d, w, s).0, w.powf(1.5) / s.sqrt())
        }),
        wrong("the other step is not always a whole number", |d, w, s| {
            let (rate, twin) = solutions::rate_and_its_twin(d, w, s);
            (rate, twin.round())
        }),
    ],
};

fn check(rate_and_its_twin: Rate) {
    for (d, w, s) in [
        (512.0_f64, 4000.0_f64, 64_000_f64),
        (512.0, 4000.0, 1000.0),
        (128.0, 400.0, 100.0),
        (128.0, 400.0, 900.0),
    ] {
        let (peak, warmup) = ((d * w).powf(-0.5) as f32, w as u64);
        let schedule = Schedule { rate: peak, warmup, shape: Shape::InverseSquareRoot };
        let expected = f64::from(schedule.at(s as u64));
        let (rate, twin) = rate_and_its_twin(d, w, s);
        let call = format!("of rate_and_its_twin({d}, {w}, {s})");
        expect(rate * 1e4, expected * 1e4, 1e-4).of(format!("10⁴ times the rate {call}")).check();
        let (_, right) = solutions::rate_and_its_twin(d, w, s);
        expect(twin, right, 1e-6).of(format!("the other step {call}")).check();
        // The solution's twin has the same rate.
        assert!((solutions::rate_and_its_twin(d, w, right).0 - expected).abs() < 1e-9);
    }
}
