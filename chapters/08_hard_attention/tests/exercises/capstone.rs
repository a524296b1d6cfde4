//! 8.14, the capstone: the reader's functions look, and learn where.

use super::reinforce::EXERCISE as LEARN;
use super::support::softmax;
use rand::{RngExt, seq::SliceRandom};
use shared::{Matrix, Rng, Vector, rng};
use tests::exercises::must_learn;

tests::parts! {
    1 place: fn(&[f32], f32) -> usize,
    3 reinforce: fn(&Vector, &[usize], &[f32], f32) -> Vector = [LEARN.wrong[2].answer],
    5 entropy_gradient: fn(&Vector) -> Vector,
    9 losses_to_go: fn(&[f32]) -> Vec<f32>,
}

fn check(parts: Parts) {
    let right = run(parts);
    let told = |right: &f64| format!("{:.0} % of new trails followed to the end", 100.0 * right);
    must_learn(right > 0.95, right, || run(SOLVED), told);
}

const NAMES: usize = 6;
const PLACES: usize = 5;
const LOOKS: usize = 3;

/// Which name is at each place, where its note leads, the digit there, and the first place.
struct Trail {
    names: Vec<usize>,
    next: Vec<usize>,
    digits: Vec<usize>,
    first: usize,
}

impl Trail {
    fn new(rng: &mut Rng) -> Trail {
        let mut names: Vec<usize> = (0..NAMES).collect();
        names.shuffle(rng);
        names.truncate(PLACES);
        let next = (0..PLACES).map(|at| (at + rng.random_range(1..PLACES)) % PLACES).collect();
        let digits = (0..PLACES).map(|_| rng.random_range(0..10)).collect();
        Trail { names, next, digits, first: rng.random_range(0..PLACES) }
    }

    /// How a note names a place: the language of the notes calls each name by the next one's number.
    fn in_notes(&self, place: usize) -> usize {
        (self.names[place] + 1) % NAMES
    }
}

/// A table of scores: what a note says (column), against the name at a place (row).
struct Looks {
    parts: Parts,
    scores: Matrix,
    baselines: [f32; LOOKS],
}

impl Looks {
    fn scores(&self, trail: &Trail, said: usize) -> Vector {
        Vector::from_fn(PLACES, |at, _| self.scores[(trail.names[at], said)])
    }

    /// One trail: looks, and learns from what came of it.
    fn learn(&mut self, trail: &Trail, rng: &mut Rng) {
        const BONUS: f32 = 0.02; // weight of the entropy
        const RATE: f32 = 0.3;
        let (mut asked, mut right) = (trail.first, trail.first);
        let (mut looks, mut losses) = (Vec::new(), Vec::new());
        for _ in 0..LOOKS {
            let said = trail.in_notes(asked);
            let scores = self.scores(trail, said);
            let at = (self.parts.place)(softmax(&scores).as_slice(), rng.random());
            losses.push(f32::from(u8::from(trail.digits[at] != trail.digits[right])));
            looks.push((said, scores, at));
            (asked, right) = (trail.next[at], trail.next[right]);
        }
        let to_go = (self.parts.losses_to_go)(&losses);
        for (i, (said, scores, at)) in looks.into_iter().enumerate() {
            let (alpha, b) = (softmax(&scores), &mut self.baselines[i]);
            let estimate = (self.parts.reinforce)(&alpha, &[at], &[to_go[i]], *b);
            let step = estimate - (self.parts.entropy_gradient)(&scores) * BONUS;
            for (place, d) in step.iter().enumerate() {
                self.scores[(trail.names[place], said)] -= RATE * d;
            }
            *b += 0.1 * (to_go[i] - *b);
        }
    }

    /// Whether the likeliest places are the right ones.
    fn follows(&self, trail: &Trail) -> bool {
        let mut right = trail.first;
        (0..LOOKS).all(|_| {
            let asked = right;
            right = trail.next[asked];
            softmax(&self.scores(trail, trail.in_notes(asked))).imax() == asked
        })
    }
}

/// The share of new trails followed to the end.
fn run(parts: Parts) -> f64 {
    let rng = &mut rng(0);
    let scores = Matrix::zeros(NAMES, NAMES);
    let mut looks = Looks { parts, scores, baselines: [0.0; LOOKS] };
    for _ in 0..4000 {
        looks.learn(&Trail::new(rng), rng);
    }
    let followed = (0..200).filter(|_| looks.follows(&Trail::new(rng))).count();
    followed as f64 / 200.0
}
