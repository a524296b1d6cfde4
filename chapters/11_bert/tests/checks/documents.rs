//! What holds of every story, and what the stories ask of a reader.

use bert::world::lexicon::table;
use bert::world::{Document, LENGTHS, SENTENCES, Story, Tag, Word, document, documents, story};
use corpora::tokenize;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;
use workbench::Fingerprint;

static STORIES: LazyLock<Vec<Story>> = LazyLock::new(|| (0..4_000).map(|i| story(1, i)).collect());

fn words(story: &Story) -> impl Iterator<Item = &Word> {
    story.sentences.iter().flat_map(|sentence| &sentence.words)
}

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
    let text = |sum: Fingerprint, story: &Story| sum.and(story.document().sentences.join("\n"));
    let sum = STORIES.iter().fold(Fingerprint::default(), text).to_string();
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
    for story in STORIES.iter() {
        assert!(SENTENCES.contains(&story.sentences.len()), "{:?}", story.document());
        for (sentence, text) in story.sentences.iter().zip(story.document().sentences) {
            let words: Vec<&str> = sentence.words.iter().map(|word| &*word.text).collect();
            assert_eq!(tokenize(&text), words, "{text}");
            assert!(LENGTHS.contains(&sentence.len()) && text.ends_with('.'), "{text}");
        }
    }
}

/// What the module's documentation says of sizes.
#[test]
fn the_vocabulary_is_rich_and_stories_do_not_repeat() {
    let types: HashSet<&str> = STORIES.iter().flat_map(words).map(|word| &*word.text).collect();
    let tokens = STORIES.iter().flat_map(words).count() as f64;
    let sentences: usize = STORIES.iter().map(|story| story.sentences.len()).sum();
    println!(
        "{} word types, {:.1} sentences a document, {:.1} words and marks a sentence",
        types.len(),
        sentences as f64 / STORIES.len() as f64,
        tokens / sentences as f64
    );
    assert_eq!(types.len(), 1_348);
    let documents: HashSet<Document> = STORIES.iter().map(Story::document).collect();
    assert_eq!(documents.len(), STORIES.len());
}

/// A second reader: who could be meant, by the words alone and the table of names.
#[test]
fn pronouns_have_one_antecedent_that_agrees() {
    let mut shown = HashMap::new();
    for story in STORIES.iter() {
        let mut before: &[Word] = &[];
        for sentence in &story.sentences {
            for (place, word) in sentence.words.iter().enumerate().filter(|(_, word)| word.pronoun)
            {
                let around: Vec<&Word> = before.iter().chain(&sentence.words[..place]).collect();
                let text = sentence.text();
                let column = match &*word.text {
                    "she" | "her" => 0,
                    "he" | "him" | "his" => 1,
                    "they" => {
                        let people = people(&around);
                        assert_eq!(people.len(), 2, "{text}");
                        *shown.entry("they").or_insert(0) += 1;
                        continue;
                    }
                    "it" | "its" => {
                        assert_ne!(word.tag, Tag::Person, "{text}");
                        let named = around.iter().any(|one| {
                            one.entity == word.entity && one.tag == word.tag && !one.pronoun
                        });
                        let resumed = before.iter().any(|one| one.entity == word.entity);
                        assert!(named || resumed, "{text}");
                        *shown.entry("it").or_insert(0) += 1;
                        continue;
                    }
                    other => panic!("{other} is no pronoun: {text}"),
                };
                let rows = &table("people").rows;
                let gender = |entity: &usize| {
                    let name = story.entities[*entity].cell("name").unwrap().text();
                    usize::from(rows.iter().any(|row| row[1] == name))
                };
                let fitting: Vec<usize> =
                    people(&around).into_iter().filter(|one| gender(one) == column).collect();
                assert_eq!(fitting, [word.entity.unwrap()], "{text}");
                *shown.entry(if column == 0 { "she" } else { "he" }).or_insert(0) += 1;
            }
            before = &sentence.words;
        }
    }
    println!("pronouns: {shown:?}");
    assert!(["she", "he", "it", "they"].iter().all(|form| shown[form] > 200), "{shown:?}");
}

/// The people who are named or resumed.
fn people(words: &[&Word]) -> HashSet<usize> {
    let named =
        |word: &&&Word| word.pronoun || word.cell.is_some_and(|cell| cell.table == "people");
    let people = words.iter().filter(|word| word.tag == Tag::Person).filter(named);
    people.filter_map(|word| word.entity).collect()
}

/// *It* was too tired, *it* was too wide: the word after it decides.
#[test]
fn what_it_was_too_decides_what_it_was() {
    let reasons: HashSet<&str> = table("paths").rows.iter().map(|row| row[2]).collect();
    let mut shown = [0; 2];
    for story in STORIES.iter() {
        for four in words(story).collect::<Vec<_>>().windows(4) {
            let [it, verb, too, reason] = four else { unreachable!("windows of four") };
            if it.pronoun && matches!(&*verb.text, "is" | "was") && too.text == "too" {
                let path = reasons.contains(&*reason.text);
                assert_eq!(it.tag != Tag::Animal, path, "{} {}", it.text, reason.text);
                shown[usize::from(path)] += 1;
            }
        }
    }
    assert!(shown.iter().all(|count| *count > 100), "{shown:?}");
}

/// A sentence that follows names what the one before has named; one of another story hardly does.
#[test]
fn the_next_sentence_shows_that_it_is_the_next() {
    let (mut next, mut other, mut pairs) = (0, 0, 0);
    for two in STORIES.windows(2) {
        for (place, sentences) in two[0].sentences.windows(2).enumerate() {
            let stranger = &two[1].sentences[(place + 1) % two[1].sentences.len()];
            next += usize::from(sentences[0].shares_a_name(&sentences[1]));
            other += usize::from(sentences[0].shares_a_name(stranger));
            pairs += 1;
        }
    }
    let [next, other] = [next, other].map(|count| count as f64 / pairs as f64);
    println!("a name in common: {next:.4} of next sentences, {other:.4} of others");
    assert!(next > 0.95 && other < 0.06, "{next} {other}");
}
