//! Stories of rooms: a second reader, who sees the words alone, finds every answer; and finds it
//! from the supporting facts alone.

use corpora::Story;
use memory_networks::world::kin::facts;
use memory_networks::world::{NUMBERS, PLACES, TIMES, Task};
use std::collections::{HashMap, HashSet};

/// What the sentences say of somebody or something, in their order.
#[derive(Default)]
struct Reader<'s> {
    places: HashMap<&'s str, Vec<&'s str>>, // of people and things, the last one last
    holder: HashMap<&'s str, &'s str>,
    days: HashMap<&'s str, Vec<(usize, &'s str)>>,
}

impl<'s> Reader<'s> {
    fn read(sentences: impl IntoIterator<Item = &'s Vec<String>>) -> Reader<'s> {
        let mut reader = Reader::default();
        for sentence in sentences {
            let words: Vec<&str> = sentence.iter().map(String::as_str).collect();
            let last = words[words.len() - 1];
            match &words[..] {
                ["in", "the", time, who, ..] => {
                    let time = TIMES.iter().position(|known| known == time).unwrap();
                    reader.days.entry(who).or_default().push((time, last));
                }
                [one, "and", other, ..] => {
                    reader.go(one, last);
                    reader.go(other, last);
                }
                [who, "took" | "got", ..] => {
                    reader.holder.insert(last, who);
                    reader.lies(last, who);
                }
                [who, "left" | "dropped", ..] => {
                    reader.holder.remove(last);
                    reader.lies(last, who);
                }
                [who, ..] => reader.go(who, last),
                [] => panic!("a sentence without words"),
            }
        }
        reader
    }

    fn go(&mut self, who: &'s str, place: &'s str) {
        self.places.entry(who).or_default().push(place);
        let held: Vec<&str> =
            self.holder.iter().filter(|(_, h)| **h == who).map(|(t, _)| *t).collect();
        held.into_iter().for_each(|thing| self.lies(thing, who));
    }

    fn lies(&mut self, thing: &'s str, who: &'s str) {
        let Some(place) = self.places.get(who).and_then(|places| places.last().copied()) else {
            return;
        };
        let trail = self.places.entry(thing).or_default();
        if trail.last() != Some(&place) {
            trail.push(place);
        }
    }

    fn answer(mut self, question: &'s [String]) -> String {
        let words: Vec<&str> = question.iter().map(String::as_str).collect();
        match &words[..] {
            ["where", "is", .., what] => self.places[what].last().unwrap().to_string(),
            ["is", who, "in", "the", place] => {
                let there = self.places[who].last() == Some(place);
                if there { "yes" } else { "no" }.to_owned()
            }
            ["where", "was", "the", what, "before", "the", place] => {
                let at = self.places[what].iter().position(|known| known == place).unwrap();
                self.places[what][at - 1].to_owned()
            }
            ["where", "was", who, "before", "the", place] => {
                let day = self.days.get_mut(who).unwrap();
                day.sort_unstable();
                let at = day.iter().position(|(_, known)| known == place).unwrap();
                day[at - 1].1.to_owned()
            }
            ["how", "many", "things", "does", who, "carry"] => {
                NUMBERS[self.holder.values().filter(|holder| *holder == who).count()].to_owned()
            }
            words => panic!("no question: {words:?}"),
        }
    }
}

fn stories(task: Task, count: usize) -> Vec<Story> {
    let rng = &mut shared::rng(3);
    (0..count).map(|_| task.story(rng)).collect()
}

#[test]
fn a_second_reader_finds_every_answer_also_from_the_supporting_facts_alone() {
    for task in Task::ALL {
        let mut answers = HashSet::new();
        for story in stories(task, 1_000) {
            let question = &story.questions[0];
            let found = Reader::read(&story.sentences).answer(&question.words);
            assert_eq!(found, question.answer, "{story:?}");
            let mut lines = question.supports.clone();
            lines.sort_unstable();
            let told = lines.iter().map(|line| &story.sentences[*line]);
            assert_eq!(Reader::read(told).answer(&question.words), found, "{story:?}");
            answers.insert(question.answer.clone());
        }
        let expected = match task {
            Task::YesNo => 2,
            Task::Counting => NUMBERS.len(),
            _ => PLACES.len(),
        };
        assert_eq!(answers.len(), expected, "{}", task.name());
    }
}

/// A supporting fact's object is the next one's subject, or the answer.
#[test]
fn facts_lead_to_the_answer() {
    let rng = &mut shared::rng(4);
    for steps in [1, 2] {
        for _ in 0..500 {
            let (facts, story) = facts(steps, rng);
            let question = &story.questions[0];
            assert_eq!(question.supports.len(), steps);
            let used: Vec<_> = question.supports.iter().map(|at| facts[*at]).collect();
            assert!(question.words.iter().any(|word| word == used[0].subject));
            assert!(steps == 1 || used[0].object == used[1].subject);
            assert_eq!(used[steps - 1].object, question.answer);
            for (fact, sentence) in facts.iter().zip(&story.sentences) {
                assert!(
                    [fact.subject, fact.relation, fact.object]
                        .iter()
                        .all(|word| sentence.iter().any(|told| told == word))
                );
            }
        }
    }
}
