//! Pairs with their alignments: `cargo run -p parallel --example show -- [SEED] [PAIRS] [ROOM]`.
//!
//! One line a pair, then its links as `english:french`, those that are only possible in brackets.
//! ROOM is how many words may be added to what a sentence needs; 0 to 13 when it is not given.

use corpora::Pair;
use parallel::sample;
use rand::RngExt;

fn main() {
    let numbers: Vec<usize> =
        std::env::args().skip(1).map(|number| number.parse().expect("a number")).collect();
    let number = |i: usize, default| numbers.get(i).copied().unwrap_or(default);
    let mut rng = shared::rng(number(0, 1) as u64);
    for _ in 0..number(1, 10) {
        let room = numbers.get(2).copied().unwrap_or_else(|| rng.random_range(0..14));
        let pair = sample(room, &mut rng).pair();
        println!("{}\n{}\n{}\n", pair.source.join(" "), pair.target.join(" "), links(&pair));
    }
}

fn links(pair: &Pair) -> String {
    let alignment = pair.alignment.as_ref().expect("generated pairs are aligned");
    let name = |(i, j): &(usize, usize)| format!("{}:{}", pair.source[*i], pair.target[*j]);
    let sure = alignment.sure.iter().map(name);
    let possible = alignment.possible.iter().map(|link| format!("({})", name(link)));
    sure.chain(possible).collect::<Vec<_>>().join(" ")
}
