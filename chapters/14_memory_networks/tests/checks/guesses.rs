//! What the page says is right without following the facts.

use memory_networks::program::generated;
use memory_networks::world::{Task, kin};
use shared::rng;
use std::collections::BTreeMap;

/// *Is anna in the hall?*: yes, if she ever was.
#[test]
fn whoever_was_there_is_there_in_nine_of_ten() {
    let task = Task::ALL[3];
    assert_eq!(task.name(), "yes or no");
    let stories = (100..110).flat_map(|seed| generated(task, 1_000, seed, 1));
    let right = stories.filter(|story| {
        let asked = &story.questions[0].words; // is anna in the hall
        let [who, place] = [&asked[1], &asked[asked.len() - 1]];
        let was = story.sentences.iter().any(|words| words.contains(who) && words.contains(place));
        story.questions[0].answer == if was { "yes" } else { "no" }
    });
    let found = right.count() as f64 / 10_000.0;
    assert!((0.895..0.915).contains(&found), "{found}");
}

#[test]
fn the_most_frequent_count_is_right_in_half() {
    let task = Task::ALL[4];
    assert_eq!(task.name(), "counting");
    let mut counts = BTreeMap::new();
    for story in (100..110).flat_map(|seed| generated(task, 1_000, seed, 1)) {
        *counts.entry(story.questions[0].answer.clone()).or_insert(0) += 1;
    }
    let found = f64::from(*counts.values().max().unwrap()) / 10_000.0;
    assert!((0.47..0.51).contains(&found), "{found}");
}

/// Two facts of kin: the commonest home of the others, or that whom the friend likes is the one who is asked about.
#[test]
fn guesses_about_kin_are_right_in_two_of_five() {
    let rng = &mut rng(7);
    let mut guessed = 0.0;
    for _ in 0..10_000 {
        let (facts, story) = kin::facts(2, rng);
        let words = &story.questions[0].words;
        let who = words[words.len() - 2].clone(); // where the friend of anna lives
        let homes: Vec<&str> = facts
            .iter()
            .filter(|fact| fact.relation == "lives" && fact.subject != who)
            .map(|fact| fact.object)
            .collect();
        let count = |home: &str| homes.iter().filter(|other| **other == home).count();
        let most = homes.iter().map(|home| count(home)).max().unwrap_or(0);
        let best: Vec<&&str> = homes.iter().filter(|home| count(home) == most).collect();
        let answer = &story.questions[0].answer;
        let places = best.iter().filter(|home| ***home == &answer[..]).count() as f64;
        guessed += match &words[0][..] {
            "where" => places / best.len() as f64,
            _ => f64::from(u8::from(*answer == who)),
        };
    }
    assert!((0.41..0.44).contains(&(guessed / 10_000.0)), "{}", guessed / 10_000.0);
}
