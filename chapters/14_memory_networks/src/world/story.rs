//! A story of a task.

use super::names::Task;
use super::questions::Telling;
use corpora::Story;
use rand::RngExt;
use shared::Rng;

impl Task {
    /// A story of the task, with one question at its end.
    pub fn story(self, rng: &mut Rng) -> Story {
        loop {
            let lines = rng.random_range(self.lengths());
            let mut telling = Telling::new(rng);
            let story = match self {
                Task::Time => telling.times(),
                _ => {
                    while telling.sentences.len() < lines {
                        telling.line(self);
                    }
                    telling.asked(self)
                }
            };
            if let Some(story) = story {
                return story;
            }
        }
    }

    /// How many lines a story has; by their times it is 7 to 10.
    fn lengths(self) -> std::ops::Range<usize> {
        match self {
            Task::ThreeFacts => 7..13,
            Task::TwoFacts | Task::Counting => 5..11,
            _ => 4..9,
        }
    }
}
