//! Stories as they are told: `cargo run -p bert --example stories -- [SEED] [STORIES] [FIRST]`.

use bert::world::story;

fn main() {
    let mut numbers = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let mut next = |default| numbers.next().unwrap_or(Ok(default));
    match (next(1), next(10), next(0)) {
        (Ok(seed), Ok(stories), Ok(first)) => show(seed, stories, first),
        _ => eprintln!("three numbers, please: seed, number of stories, the first one's number"),
    }
}

fn show(seed: u64, stories: u64, first: u64) {
    for number in first..first.saturating_add(stories) {
        println!("{}\n", story(seed, number).document().sentences.join(" "));
    }
}
