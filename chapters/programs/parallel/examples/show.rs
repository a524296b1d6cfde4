//! Pairs with their alignments: `cargo run -p parallel --example show -- [SEED] [PAIRS] [ROOM]`.
//!
//! One line a pair, then its links as `english:french`, those that are only possible in brackets.
//! ROOM is how many words may be added to what a sentence needs; 0 to 13 when it is not given.

use corpora::Pair;
use parallel::sample;
use rand::RngExt;

fn main() {
    let mut numbers = std::env::args().skip(1).map(|argument| argument.parse::<usize>());
    let mut next = |default| numbers.next().unwrap_or(Ok(default));
    match (next(1), next(10), next(usize::MAX)) {
        (Ok(seed), Ok(pairs), Ok(room)) => show(seed as u64, pairs, room),
        _ => eprintln!("three numbers, please: seed, number of pairs, room"),
    }
}

fn show(seed: u64, pairs: usize, room: usize) {
    let mut rng = shared::rng(seed);
    for _ in 0..pairs {
        let room = if room == usize::MAX { rng.random_range(0..14) } else { room };
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
