//! Where in a passage is the answer to a question?

use super::{Parts, Sizes, Source, parts};
use crate::world::told::{Story, Word};
use std::ops::Range;

/// A question, a passage, and where the answer stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Asked {
    /// The question's words and marks.
    pub question: Vec<String>,
    /// The beginning of a story, its words and marks.
    pub passage: Vec<String>,
    /// The words of the passage that are the answer.
    pub answer: Range<usize>,
}

/// A question where somebody works or lives; the passage says it of two people, in just one place each. So a kind
/// of words is not enough: the name has to be brought together with the place. The answers are the
/// passage's own words, *in the bakery* or *red cottage behind the mill*, and all are right. A passage has at most
/// `MOST` words and marks.
///
/// # Errors
/// When there are not so many that differ.
pub fn answers(sizes: &Sizes, seed: u64) -> Result<Parts<Asked>, String> {
    parts(&Sizes { noise: 0.0, ..*sizes }, seed, 5, example, no_labels, &[])
}

fn no_labels(_: &mut Asked) -> &mut [u8] {
    &mut []
}

/// The most words and marks of a passage.
pub const MOST: usize = 48;

/// What is asked: the verb, and for hero and friend whose words are the answer, and from which columns.
const QUESTIONS: [(&str, [&str; 2], &[&str]); 2] =
    [("work", ["a", "b"], &["works"]), ("live", ["home", "home2"], &["colour", "home", "near"])];

fn example(source: &mut Source) -> Asked {
    let (verb, roles, columns) = QUESTIONS[source.below(2)];
    let (person, longest) = (source.below(2), 3 + source.below(3));
    loop {
        let story = source.story();
        let end = longest.min(story.sentences.len());
        let words: Vec<&Word> = story.sentences[..end].iter().flat_map(|s| &s.words).collect();
        let runs = roles.map(|role| only_run(&words, story.role(role), columns));
        let [Some(hero), Some(friend)] = runs else { continue };
        if words.len() > MOST || !(0..2).all(|person| is_named(&words, &story, person)) {
            continue;
        }
        let name = story.entities[person].cell("name").expect("people have names").text();
        return Asked {
            question: ["where", "does", name, verb, "?"].map(str::to_owned).to_vec(),
            passage: words.iter().map(|word| word.text.clone()).collect(),
            answer: if person == 0 { hero } else { friend },
        };
    }
}

/// The words from these columns of the entity, if they stand together, and nowhere else.
fn only_run(words: &[&Word], entity: usize, columns: &[&str]) -> Option<Range<usize>> {
    let own = words.iter().enumerate().filter(|(_, word)| word.entity == Some(entity));
    let found: Vec<(usize, &str)> = own
        .filter_map(|(i, word)| Some((i, word.cell?.column)))
        .filter(|(_, column)| columns.contains(column))
        .collect();
    let (first, last) = (found.first()?.0, found.last()?.0);
    let whole = last + 1 - first == found.len()
        && columns.iter().all(|column| found.iter().any(|(_, one)| one == column));
    whole.then_some(first..last + 1)
}

fn is_named(words: &[&Word], story: &Story, person: usize) -> bool {
    let name = story.entities[person].cell("name").expect("people have names");
    words.iter().any(|word| word.entity == Some(person) && word.cell == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every answer is a place of the passage; the question names somebody there; and most passages
    /// are asked about either.
    #[test]
    fn answers_stand_in_their_passages() {
        let sizes = Sizes { train: 200, validation: 20, test: 20, noise: 0.0 };
        let parts = answers(&sizes, 3).unwrap();
        let mut before = 0;
        for one in &parts.train {
            assert!(one.passage.contains(&one.question[2]) && one.passage.len() <= MOST, "{one:?}");
            let found = &one.passage[one.answer.clone()];
            let works = one.question[3] == "work";
            assert!((found[0] == "in" || found[0] == "at" || found[0] == "on") == works, "{one:?}");
            before += usize::from(one.answer.start < one.passage.len() / 2);
        }
        assert!((20..180).contains(&before), "{before} answers in the first half");
    }
}
