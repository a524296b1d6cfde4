//! 8.14, the capstone: the reader's functions look, and learn where.

use crate::solutions;
use rand::RngExt;
use rand::seq::SliceRandom;
use shared::{Matrix, Rng, Vector, rng};
use std::fmt::Write;
use std::sync::OnceLock;
use tests::exercises::{Exercise, Kind, Wrong, show};

/// The answers that the looks are made of.
#[derive(Clone, Copy)]
pub struct Parts {
    pub place: fn(&[f32], f32) -> usize,
    pub reinforce: fn(&Vector, &[usize], &[f32], f32) -> Vector,
    pub entropy_gradient: fn(&Vector) -> Vector,
    pub losses_to_go: fn(&[f32]) -> Vec<f32>,
}

/// Which exercises ask for them.
pub const NEEDS: [u32; 4] = [1, 3, 5, 9];

const SOLVED: Parts = Parts {
    place: solutions::place,
    reinforce: solutions::reinforce,
    entropy_gradient: solutions::entropy_gradient,
    losses_to_go: solutions::losses_to_go,
};

pub fn exercise() -> Exercise<Parts> {
    Exercise {
        number: 14,
        title: "capstone: your looks follow a trail",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong {
                name: "uphill",
                hint: "8.3",
                answer: Parts {
                    reinforce: |alpha, places, losses, b| {
                        -solutions::reinforce(alpha, places, losses, b)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "no look answers for anything",
                hint: "8.9",
                answer: Parts { losses_to_go: |losses| vec![0.0; losses.len()], ..SOLVED },
            },
            Wrong {
                name: "a score function without its mean, and no sign",
                hint: "8.3",
                answer: Parts {
                    reinforce: |alpha, _, losses, b| alpha * (losses[0] - b),
                    ..SOLVED
                },
            },
            Wrong {
                name: "the most probable place",
                hint: "(8.1)",
                answer: Parts {
                    place: |alpha, _| Vector::from_column_slice(alpha).imax(),
                    ..SOLVED
                },
            },
            Wrong {
                name: "no baseline",
                hint: "(8.3)",
                answer: Parts {
                    reinforce: |alpha, places, losses, _| {
                        solutions::reinforce(alpha, places, losses, 0.0)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "the sum over looks",
                hint: "(8.3)",
                answer: Parts {
                    reinforce: |alpha, places, losses, b| {
                        solutions::reinforce(alpha, places, losses, b) * places.len() as f32
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "away from an open alignment",
                hint: "(8.5)",
                answer: Parts {
                    entropy_gradient: |scores| -solutions::entropy_gradient(scores),
                    ..SOLVED
                },
            },
            Wrong {
                name: "the whole loss for each look",
                hint: "(8.9)",
                answer: Parts {
                    losses_to_go: |losses| vec![losses.iter().sum(); losses.len()],
                    ..SOLVED
                },
            },
            Wrong {
                name: "its own loss alone",
                hint: "(8.9)",
                answer: Parts { losses_to_go: |losses| losses.to_vec(), ..SOLVED },
            },
        ],
    }
}

const NAMES: [&str; 6] = ["well", "oak", "mill", "gate", "barn", "rock"];
const PLACES: usize = 5;
const LOOKS: usize = 3;
const TRAILS: usize = 4000;
/// Weight of the entropy bonus, and the size of a step.
const BONUS: f32 = 0.02;
const RATE: f32 = 0.3;

/// Which name stands at each place, where its note leads, and the digit there.
struct Trail {
    names: Vec<usize>,
    next: Vec<usize>,
    digits: Vec<usize>,
    first: usize,
}

fn trail(rng: &mut Rng) -> Trail {
    let mut names: Vec<usize> = (0..NAMES.len()).collect();
    names.shuffle(rng);
    names.truncate(PLACES);
    let next = (0..PLACES).map(|at| (at + rng.random_range(1..PLACES)) % PLACES).collect();
    let digits = (0..PLACES).map(|_| rng.random_range(0..10)).collect();
    Trail { names, next, digits, first: rng.random_range(0..PLACES) }
}

/// A table of scores: what a note says (column), against the name at a place (row). The language of the
/// notes calls each name by the next one's number.
struct Looks {
    parts: Parts,
    scores: Matrix,
    baselines: [f32; LOOKS],
}

impl Looks {
    fn new(parts: Parts) -> Looks {
        let scores = Matrix::zeros(NAMES.len(), NAMES.len());
        Looks { parts, scores, baselines: [0.0; LOOKS] }
    }

    fn alignment(&self, trail: &Trail, said: usize) -> (Vector, Vector) {
        let score = |at: usize| self.scores[(trail.names[at], said)];
        let scores = Vector::from_fn(PLACES, |at, _| score(at));
        let alpha = crate::support::softmax(&scores);
        (scores, alpha)
    }

    /// One trail: looks, and learns from what came of it.
    fn learn(&mut self, trail: &Trail, rng: &mut Rng) {
        let (mut said, mut right) = (in_notes(trail, trail.first), trail.first);
        let (mut looks, mut losses) = (Vec::new(), Vec::new());
        for _ in 0..LOOKS {
            let (scores, alpha) = self.alignment(trail, said);
            let at = (self.parts.place)(alpha.as_slice(), rng.random());
            losses.push(f32::from(u8::from(trail.digits[at] != trail.digits[right])));
            looks.push((said, scores, alpha, at));
            (said, right) = (in_notes(trail, trail.next[at]), trail.next[right]);
        }
        let to_go = (self.parts.losses_to_go)(&losses);
        for (i, (said, scores, alpha, at)) in looks.into_iter().enumerate() {
            let estimate = (self.parts.reinforce)(&alpha, &[at], &[to_go[i]], self.baselines[i]);
            let step = estimate - (self.parts.entropy_gradient)(&scores) * BONUS;
            for (place, d) in step.iter().enumerate() {
                self.scores[(trail.names[place], said)] -= RATE * d;
            }
            self.baselines[i] += 0.1 * (to_go[i] - self.baselines[i]);
        }
    }

    /// Follows the likeliest places, and tells where it would look.
    fn follow(&self, trail: &Trail) -> (bool, Vec<(usize, Vector)>) {
        let (mut said, mut right, mut found) = (in_notes(trail, trail.first), trail.first, true);
        let mut seen = Vec::new();
        for _ in 0..LOOKS {
            let (_, alpha) = self.alignment(trail, said);
            let at = alpha.imax();
            found &= at == right;
            seen.push((right, alpha));
            (said, right) = (in_notes(trail, trail.next[at]), trail.next[right]);
        }
        (found, seen)
    }
}

/// How a note names a place.
fn in_notes(trail: &Trail, place: usize) -> usize {
    (trail.names[place] + 1) % NAMES.len()
}

/// The share of new trails followed to the end, and a drawing of one.
fn run(parts: Parts) -> (f64, String) {
    let rng = &mut rng(0);
    let mut looks = Looks::new(parts);
    for _ in 0..TRAILS {
        looks.learn(&trail(rng), rng);
    }
    let fresh: Vec<Trail> = (0..200).map(|_| trail(rng)).collect();
    let followed = fresh.iter().filter(|trail| looks.follow(trail).0).count();
    (followed as f64 / fresh.len() as f64, drawing(&fresh[0], &looks.follow(&fresh[0]).1))
}

/// A line for each look: the places, with a bar as long as the weight, and * where it should be.
fn drawing(trail: &Trail, seen: &[(usize, Vector)]) -> String {
    let mut text = String::new();
    for (i, (right, alpha)) in seen.iter().enumerate() {
        write!(text, "look {}:", i + 1).unwrap();
        for (at, weight) in alpha.iter().enumerate() {
            let bar = "█".repeat((weight * 6.0).round() as usize);
            let mark = if at == *right { "*" } else { " " };
            write!(text, "  {:>4}{mark}{bar:<6}", NAMES[trail.names[at]]).unwrap();
        }
        text.push('\n');
    }
    text
}

fn check(parts: Parts) {
    must_agree(parts);
    static OURS: OnceLock<f64> = OnceLock::new();
    let ours = *OURS.get_or_init(|| run(SOLVED).0);
    let (right, drawing) = run(parts);
    let told = |right: f64| format!("{:.0} % of new trails followed to the end", 100.0 * right);
    show(format!("\nours:  {}\nyours: {}\n\n{drawing}", told(ours), told(right)));
    assert!(
        right > 0.95,
        "yours: {}\n\n{drawing}\nhint: one by one the parts agree with ours: do the tests of 8.1, 8.3, 8.5 and \
         8.9 pass?",
        told(right)
    );
}

/// Where ours have begun to learn, each part says what ours says. Many wrong parts learn the trails all the same.
fn must_agree(parts: Parts) {
    let rng = &mut rng(1);
    let mut looks = Looks::new(SOLVED);
    for _ in 0..TRAILS / 80 {
        looks.learn(&trail(rng), rng);
    }
    for _ in 0..100 {
        let trail = trail(rng);
        let (scores, alpha) = looks.alignment(&trail, in_notes(&trail, trail.first));
        let draws = [(); LOOKS].map(|()| rng.random());
        let places = draws.map(|u| solutions::place(alpha.as_slice(), u));
        for (u, place) in draws.into_iter().zip(places) {
            let found = (parts.place)(alpha.as_slice(), u);
            // where u lies on a border, to rounding, either place will do
            let to_rounding = [u - 1e-5, u + 1e-5].map(|u| solutions::place(alpha.as_slice(), u));
            assert!(
                found == place || to_rounding.contains(&found),
                "of the weights {:.3?} u = {u:.3} draws place {found}, ours {place}\nhint: does it pass its own test \
                 (8.1)?",
                alpha.as_slice()
            );
        }
        let losses = places.map(|at| f32::from(u8::from(at != trail.first)));
        let to_go = solutions::losses_to_go(&losses);
        let near = |name: &str, yours: &[f32], ours: &[f32]| {
            let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-4;
            assert!(
                yours.len() == ours.len() && yours.iter().zip(ours).all(near),
                "{name} {yours:.4?}, ours {ours:.4?}\nhint: does it pass its own test?"
            );
        };
        let yours = (parts.losses_to_go)(&losses);
        near(&format!("of the losses {losses:?} the losses to go (8.9) are"), &yours, &to_go);
        let [yours, ours] = [parts, SOLVED].map(|p| (p.reinforce)(&alpha, &places, &to_go, 0.5));
        let looks = format!("places {places:?}, losses to go {to_go:?}, baseline 0.5");
        near(&format!("{looks}: the estimate (8.3) is"), yours.as_slice(), ours.as_slice());
        let [yours, ours] = [parts, SOLVED].map(|parts| (parts.entropy_gradient)(&scores));
        near("the gradient of the entropy (8.5) is", yours.as_slice(), ours.as_slice());
    }
}
