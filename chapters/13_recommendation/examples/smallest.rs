//! The smallest shop with reasons: what is bought next fits one of two devices that were bought before.
//!
//!     cargo run --release -p recommendation --example smallest_recommendation

use rand::RngExt;
use rand::seq::SliceRandom;
use recommendation::{Action, Candidates, Din, Histories, Pooling, binary_cross_entropy, top};
use shared::{Adam, Float, Matrix, Optimizer, Rng, Tape};

#[rustfmt::skip]
const THINGS: [&str; 12] = ["printer", "camera", "razor", "drill", "ink", "film", "blades", "bits",
    "tea", "record", "plant", "scarf"];
const DEVICES: usize = 4; // thing i + 4 is what device i runs out of

// Data: two devices and four other things in any order; the supply of one of the two is bought next.
fn customer(rng: &mut Rng) -> (Vec<Action>, [usize; 2]) {
    let mut devices: Vec<usize> = (0..DEVICES).collect();
    devices.shuffle(rng);
    let mut things = devices[..2].to_vec();
    things.extend((0..4).map(|_| rng.random_range(2 * DEVICES..THINGS.len())));
    things.shuffle(rng);
    let history = things.iter().map(|&item| Action { item, kind: 0 }).collect();
    (history, [devices[0] + DEVICES, devices[1] + DEVICES])
}

fn main() {
    let rng = &mut shared::rng(0);
    // Model: vectors of 8 numbers, a small network that scores an action for a candidate.
    let mut din = Din::new([THINGS.len(), 1, 8, 8], Pooling::Softmax, false, rng);

    // ANCHOR: learn
    // Training: all things are candidates about every history; one of them was bought.
    let mut adam = Adam::new(0.01);
    for step in 0..=400 {
        if step % 100 == 0 {
            let right = right(&din, rng);
            println!("step {step}: {right} of 200 customers get both supplies first");
            assert!(step < 400 || right >= 190);
        }
        let customers: Vec<_> = (0..32).map(|_| customer(rng)).collect();
        let histories: Vec<&[Action]> = customers.iter().map(|(history, _)| &history[..]).collect();
        let mut bought = Matrix::zeros(1, 32 * THINGS.len());
        for (i, (_, supplies)) in customers.iter().enumerate() {
            bought[i * THINGS.len() + supplies[rng.random_range(0..2)]] = 1.0;
        }
        let (histories, asked) =
            (Histories::new(&histories), Candidates::everything(THINGS.len(), 32));
        let tape = Tape::new();
        let scored = din.forward(&tape, &histories, &asked);
        let loss = binary_cross_entropy(scored.logits, &bought) * (1.0 / 32.0);
        adam.step(&mut din, &loss.backward().into());
    }
    // ANCHOR_END: learn

    // Result: what one history weighs for three candidates, a column each.
    let candidates = ["ink", "film", "bits"];
    let history = ["tea", "printer", "scarf", "camera", "plant", "tea"];
    let actions = history.map(|name| Action { item: number(name), kind: 0 });
    let weights = candidates.map(|candidate| {
        let asked = Candidates::new(&[vec![number(candidate)]]);
        din.forward(&Tape::no_grad(), &Histories::new(&[&actions]), &asked).weights.value()
    });
    println!("\n{:8}{:>8}{:>8}{:>8}", "", candidates[0], candidates[1], candidates[2]);
    for (i, name) in history.iter().enumerate() {
        println!("{name:8}{}", weights.each_ref().map(|w| format!("{:8.2}", w[i])).concat());
    }
}

fn number(name: &str) -> usize {
    THINGS.iter().position(|thing| *thing == name).expect("a thing of the shop")
}

fn right(din: &Din, rng: &mut Rng) -> usize {
    let right = (0..200).filter(|_| {
        let (history, supplies) = customer(rng);
        let (tape, asked) = (Tape::no_grad(), Candidates::everything(THINGS.len(), 1));
        let logits = din.forward(&tape, &Histories::new(&[&history]), &asked).logits.value();
        let scores: &[Float] = logits.as_slice();
        top(scores, 2).iter().all(|item| supplies.contains(item))
    });
    right.count()
}
