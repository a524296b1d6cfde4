//! 10.7: up and down again.

use crate::solutions;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;
use workbench::training::{Schedule, Shape};

type Rate = fn(f64, f64, f64) -> (f64, f64);

pub fn exercise() -> Exercise<Rate> {
    Exercise {
        number: 7,
        title: "up and down again",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "the larger of the two",
                hint: "the smaller of the two",
                answer: |d, w, s| (larger(d, w, s), solutions::rate_and_its_twin(d, w, s).1),
            },
            Wrong {
                name: "√d for 1/√d",
                hint: "wider models take smaller steps",
                answer: |d, w, s| {
                    let (rate, twin) = solutions::rate_and_its_twin(d, w, s);
                    (rate * d, twin)
                },
            },
            Wrong {
                name: "the same decay before and after",
                hint: "rises",
                answer: |d, w, s| {
                    (d.powf(-0.5) * s.powf(-0.5), solutions::rate_and_its_twin(d, w, s).1)
                },
            },
            Wrong {
                name: "mirrored at the peak",
                hint: "no mirror image",
                answer: |d, w, s| (solutions::rate_and_its_twin(d, w, s).0, 2.0 * w - s),
            },
            Wrong {
                name: "as if the rate fell with 1/t",
                hint: "1/√t",
                answer: |d, w, s| (solutions::rate_and_its_twin(d, w, s).0, w * w / s),
            },
            Wrong {
                name: "one formula for both sides",
                hint: "after the peak",
                answer: |d, w, s| (solutions::rate_and_its_twin(d, w, s).0, w.powi(3) / s.powi(2)),
            },
            Wrong {
                name: "rounded to a whole step",
                hint: "not always a whole number",
                answer: |d, w, s| {
                    let (rate, twin) = solutions::rate_and_its_twin(d, w, s);
                    (rate, twin.round())
                },
            },
            Wrong {
                name: "before the peak as after it",
                hint: "before the peak",
                answer: |d, w, s| (solutions::rate_and_its_twin(d, w, s).0, w.powf(1.5) / s.sqrt()),
            },
        ],
    }
}

fn check(rate_and_its_twin: Rate) {
    for (d, w, s) in [
        (512.0, 4000.0, 1000_f64),
        (512.0, 4000.0, 64_000.0),
        (128.0, 400.0, 100.0),
        (128.0, 400.0, 900.0),
    ] {
        let call = format!("of rate_and_its_twin({d}, {w}, {s})");
        let (rate, twin) = rate_and_its_twin(d, w, s);
        let (peak, warmup) = ((d * w).powf(-0.5) as f32, w as u64);
        let schedule = Schedule { rate: peak, warmup, shape: Shape::InverseSquareRoot };
        let expected = schedule.at(s as u64);
        let (_, right) = solutions::rate_and_its_twin(d, w, s);
        let mut rates = expect(rate * 1e4, f64::from(expected) * 1e4, 1e-4)
            .of(format!("10⁴ times the rate {call}"))
            .or_hint(f64::from(expected) * d * 1e4, "d^−½: wider models take smaller steps");
        let mut twins = expect(twin, right, 1e-6)
            .of(format!("the other step {call}"))
            .or_hint(2.0 * w - s, "2w − s: but the way down is no mirror image of the way up")
            .or_hint(w * w / s, "w²/s: after the peak the rate falls with 1/√t, not with 1/t");
        if s < w {
            let hint = "this is the larger of the two terms: before the peak the rate rises, with the smaller of the two";
            rates = rates.or_hint(larger(d, w, s) * 1e4, hint);
            let hint = "this step lies before the peak: its twin is after it";
            twins = twins.or_hint(w.powf(1.5) / s.sqrt(), hint);
        } else {
            rates = rates.or_hint(
                larger(d, w, s) * 1e4,
                "this is the larger of the two terms, and min is the smaller of the two",
            );
            let hint = "this step lies after the peak: its twin is before it";
            twins = twins.or_hint(w.powi(3) / s.powi(2), hint);
        }
        if right.fract() > 0.1 {
            twins = twins.or_hint(right.round(), "the other step is not always a whole number");
        }
        rates.check();
        twins.check();
        // The check's own twin has the same rate.
        assert!((solutions::rate_and_its_twin(d, w, right).0 - f64::from(expected)).abs() < 1e-9);
    }
}

fn larger(d: f64, w: f64, s: f64) -> f64 {
    d.powf(-0.5) * s.powf(-0.5).max(s * w.powf(-1.5))
}
