//! Stories as they are told: `cargo run -p bert --example stories -- [SEED] [STORIES] [FIRST]`.
//!
//! A story a paragraph, each with what its text is worth at most, in nats a word.

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
        let story = story(seed, number);
        let words: usize = story.sentences.iter().map(|sentence| sentence.words.len()).sum();
        println!("{}", story.document().sentences.join(" "));
        println!("[{} words and marks, {:.2} nats each]\n", words, story.nats / words as f64);
    }
}
