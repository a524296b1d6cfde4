//! What is a sentence about?

use super::{Parts, Sizes, Source, parts};
use std::collections::HashSet;
use std::slice::from_mut;

/// What a sentence is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// *It tasted plain, and jack was grateful.*
    Food,
    /// *She hit the middle and won against him at darts.*
    Games,
    /// *The puddles are icy, and he needs a pair of gloves.*
    Weather,
    /// *As a gardener, charlie plants young trees every day.*
    Jobs,
}

impl Topic {
    /// All, in the order of their numbers.
    pub const ALL: [Topic; 4] = [Topic::Food, Topic::Games, Topic::Weather, Topic::Jobs];

    /// The table of the world whose rows are about it.
    fn table(self) -> &'static str {
        match self {
            Topic::Food => "foods",
            Topic::Games => "games",
            Topic::Weather => "weather",
            Topic::Jobs => "jobs",
        }
    }
}

/// A sentence and what it is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct About {
    /// The sentence, as written.
    pub text: String,
    /// Its label.
    pub label: Topic,
}

/// Sentences of stories that speak of one of four things and of none of the other three, all four equally
/// often. Each has dozens of words of its own, so a few examples show few of them.
///
/// # Errors
/// When there are not so many that differ.
pub fn topic(sizes: &Sizes, seed: u64) -> Result<Parts<About>, String> {
    parts(sizes, seed, 3, example, |one| from_mut(&mut one.label), &Topic::ALL)
}

fn example(source: &mut Source) -> About {
    let label = Topic::ALL[source.below(Topic::ALL.len())];
    loop {
        let story = source.story();
        let sentence = &story.sentences[source.below(story.sentences.len())];
        let tables: HashSet<&str> =
            sentence.words.iter().filter_map(|word| Some(word.cell?.table)).collect();
        let about: Vec<Topic> =
            Topic::ALL.into_iter().filter(|topic| tables.contains(topic.table())).collect();
        if about == [label] {
            return About { text: sentence.text(), label };
        }
    }
}
