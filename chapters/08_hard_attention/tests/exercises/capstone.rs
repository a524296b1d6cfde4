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
    let scores = Matrix::zeros(NAMES.len(), NAMES.len());
    let mut looks = Looks { parts, scores, baselines: [0.0; LOOKS] };
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
    static OURS: OnceLock<f64> = OnceLock::new();
    let ours = *OURS.get_or_init(|| run(SOLVED).0);
    let (right, drawing) = run(parts);
    let told = |right: f64| format!("{:.0} % of new trails followed to the end", 100.0 * right);
    show(format!("\nours:  {}\nyours: {}\n\n{drawing}", told(ours), told(right)));
    assert!(
        right > 0.95,
        "yours: {}\n\n{drawing}\nhint: the parts are 8.1 (place), 8.3 (reinforce), 8.5 (entropy_gradient) \
         and 8.9 (losses_to_go): do their own tests pass?",
        told(right)
    );
}
