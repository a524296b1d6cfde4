//! What holds of every story, and what the stories ask of a reader.

use bert::world::lexicon::table;
use bert::world::{Document, LENGTHS, SENTENCES, Story, Tag, Word, document, documents, story};
use corpora::tokenize;
use std::collections::HashSet;
use std::sync::LazyLock;
use workbench::Fingerprint;

static STORIES: LazyLock<Vec<Story>> = LazyLock::new(|| (0..4_000).map(|i| story(1, i)).collect());

#[test]
fn a_seed_and_a_number_decide_everything() {
    let (few, many) = (documents(30, 5), documents(40, 5));
    assert_eq!(few.train, many.train[..30]);
    assert_eq!((&few.validation, &few.test), (&many.validation, &many.test));
    assert_eq!(document(5, 39), many.train[39]);
    assert_ne!(documents(30, 6).train, few.train);
}

/// Records rest on these very texts.
#[test]
fn the_texts_are_those_that_models_were_trained_on() {
    let texts = STORIES.iter().map(|story| story.document().sentences.join("\n"));
    let sum = texts.fold(Fingerprint::default(), Fingerprint::and).to_string();
    assert_eq!(sum, "91e818c5c59a3c26");
}

#[test]
fn no_document_is_in_two_parts() {
    let parts = documents(1_200, 1);
    let sizes = [&parts.train, &parts.validation, &parts.test].map(Vec::len);
    assert_eq!(sizes, [1_200, 60, 60]);
    let all = parts.train.iter().chain(&parts.validation).chain(&parts.test);
    assert_eq!(all.collect::<HashSet<_>>().len(), 1_320);
}

/// The words are what the course's tokenizer makes of the text, and lengths are as announced.
#[test]
fn texts_are_sentences_of_plain_words() {
    let mut types = HashSet::new();
    for story in STORIES.iter() {
        assert!(SENTENCES.contains(&story.sentences.len()), "{:?}", story.document());
        for (sentence, text) in story.sentences.iter().zip(story.document().sentences) {
            let words: Vec<&str> = sentence.words.iter().map(|word| &*word.text).collect();
            assert_eq!(tokenize(&text), words, "{text}");
            types.extend(words);
            assert!(LENGTHS.contains(&sentence.len()) && text.ends_with('.'), "{text}");
        }
    }
    assert_eq!(types.len(), 1_348); // as the appendix says
    let documents: HashSet<Document> = STORIES.iter().map(Story::document).collect();
    assert_eq!(documents.len(), STORIES.len());
}

/// A second reader: who could be meant, by the words alone and the table of names.
#[test]
fn pronouns_of_persons_have_one_antecedent_that_agrees() {
    let rows = &table("people").rows;
    let mut shown = [0; 3];
    for story in STORIES.iter() {
        let mut before: &[Word] = &[];
        for sentence in &story.sentences {
            for (place, word) in sentence.words.iter().enumerate().filter(|(_, word)| word.pronoun)
            {
                let around: Vec<&Word> = before.iter().chain(&sentence.words[..place]).collect();
                let people = people(&around);
                let column = match &*word.text {
                    "she" | "her" => 0,
                    "he" | "him" | "his" => 1,
                    "they" => {
                        assert_eq!(people.len(), 2, "{}", sentence.text());
                        2
                    }
                    _ => continue,
                };
                shown[column] += 1;
                if column < 2 {
                    let fitting = people.into_iter().filter(|&entity| {
                        let name = story.entities[entity].cell("name").unwrap().text();
                        usize::from(rows.iter().any(|row| row[1] == name)) == column
                    });
                    let expected = [word.entity.unwrap()];
                    assert_eq!(fitting.collect::<Vec<_>>(), expected, "{}", sentence.text());
                }
            }
            before = &sentence.words;
        }
    }
    assert!(shown.iter().all(|count| *count > 200), "{shown:?}");
}

/// The people who are named or resumed.
fn people(words: &[&Word]) -> HashSet<usize> {
    let people = words.iter().filter(|word| word.tag == Tag::Person);
    let named = people.filter(|w| w.pronoun || w.cell.is_some_and(|cell| cell.table == "people"));
    named.filter_map(|word| word.entity).collect()
}
