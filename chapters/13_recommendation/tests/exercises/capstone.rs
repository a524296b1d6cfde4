//! 13.8, the capstone: the reader's functions recommend, and give reasons.

use super::hit::Hit;
use super::interest::{EXERCISE as INTEREST, Interest};
use super::interest_backward::Backward;
use rand::RngExt;
use rand::seq::SliceRandom;
use shared::{Matrix, Rng, rng};
use std::fmt::from_fn;
use tests::exercises::show;

tests::parts! {
    1 hit: Hit,
    2 interest: Interest = [INTEREST.wrong[1].answer],
    3 interest_backward: Backward,
}

fn check(parts: Parts) {
    let (hits, table) = run(parts);
    let percent = 100.0 * hits;
    let told =
        format!("yours: {percent:.0} % of new customers get a supply of theirs first\n\n{table}");
    show(from_fn(|f| write!(f, "\nours:  {:.0} %\n{told}", 100.0 * run(SOLVED).0)));
    assert!(hits > 0.95, "{told}\nhint: do the tests of all parts pass?");
}

const NAMES: [&str; 12] = [
    "printer", "camera", "razor", "drill", "ink", "film", "blades", "bits", "tea", "record",
    "plant", "scarf",
];
const DEVICES: usize = 4;

/// A history, and the supplies of the two devices in it.
fn customer(rng: &mut Rng) -> (Vec<usize>, [usize; 2]) {
    let mut devices: Vec<usize> = (0..DEVICES).collect();
    devices.shuffle(rng);
    let mut things = devices[..2].to_vec();
    things.extend((0..4).map(|_| rng.random_range(2 * DEVICES..NAMES.len())));
    things.shuffle(rng);
    (things, [devices[0] + DEVICES, devices[1] + DEVICES])
}

/// Things are unit vectors, and so are keys. Row c of `asks` is what candidate c asks; row c of `wants` is
/// what speaks for it.
struct Shop {
    parts: Parts,
    asks: Matrix,
    wants: Matrix,
}

impl Shop {
    fn keys(history: &[usize]) -> Matrix {
        Matrix::from_fn(NAMES.len(), history.len(), |i, j| f32::from(u8::from(history[j] == i)))
    }

    fn score(&self, history: &[usize], candidate: usize) -> f32 {
        let u = (self.parts.interest)(
            &self.asks.row(candidate).transpose(),
            &Shop::keys(history),
            true,
            None,
        );
        self.wants.row(candidate).transpose().dot(&u) - 2.0 // what has no reason is not wanted
    }

    /// Yes or no for one candidate: one step down.
    fn learn(&mut self, history: &[usize], candidate: usize, is_bought: bool) {
        const RATE: f32 = 0.5;
        let keys = Shop::keys(history);
        let q = self.asks.row(candidate).transpose();
        let want = self.wants.row(candidate).transpose();
        let p = 1.0 / (1.0 + (-self.score(history, candidate)).exp());
        let d = p - f32::from(u8::from(is_bought)); // the gradient of the logit
        let u = (self.parts.interest)(&q, &keys, true, None);
        let (d_q, _) = (self.parts.interest_backward)(&q, &keys, &(&want * d), true);
        for i in 0..NAMES.len() {
            self.asks[(candidate, i)] -= RATE * d_q[i];
            self.wants[(candidate, i)] -= RATE * d * u[i];
        }
    }
}

/// The hit rate at 1 of new customers (either supply is right), and what candidates weigh.
fn run(parts: Parts) -> (f32, String) {
    let rng = &mut rng(0);
    let square = || Matrix::zeros(NAMES.len(), NAMES.len());
    let mut shop = Shop { parts, asks: square(), wants: square() };
    for _ in 0..3000 {
        let (history, supplies) = customer(rng);
        shop.learn(&history, supplies[rng.random_range(0..2)], true);
        shop.learn(&history, rng.random_range(0..NAMES.len()), false);
    }
    let hits = (0..200).map(|_| {
        let (history, supplies) = customer(rng);
        let scores: Vec<f32> = (0..NAMES.len()).map(|c| shop.score(&history, c)).collect();
        let hits = supplies.map(|supply| (parts.hit)(&scores, supply, 1));
        hits[0].max(hits[1])
    });
    let hits = hits.sum::<f32>() / 200.0;
    // `interest` of unit vectors is the weights, spread over the things
    let history = [8, 0, 11, 1, 10];
    let mut table = String::new();
    for candidate in [4, 5, 8] {
        let q = shop.asks.row(candidate).transpose();
        let weights = (parts.interest)(&q, &Shop::keys(&history), true, None);
        table += &format!("{:8}", NAMES[candidate]);
        history.iter().for_each(|i| table += &format!(" {} {:.2} ", NAMES[*i], weights[*i]));
        table.push('\n');
    }
    (hits, table)
}
