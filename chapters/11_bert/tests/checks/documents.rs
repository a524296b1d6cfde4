//! What holds of every story, and what the stories ask of a reader.

use bert::world::lexicon::table;
use bert::world::{
    Document, LENGTHS, SENTENCES, Story, Tag, Tense, Word, document, documents, story,
};
use corpora::tokenize;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

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
    assert!(types.len() >= 600, "{}", types.len());
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

/// All forms `present/past` of the tables and scripts, and all words that are not such forms.
fn forms() -> ([HashSet<String>; 2], HashSet<String>) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/world/tables");
    let (mut forms, mut others) = ([HashSet::new(), HashSet::new()], HashSet::new());
    for file in std::fs::read_dir(folder).unwrap() {
        for token in std::fs::read_to_string(file.unwrap().path()).unwrap().split_whitespace() {
            match token.split_once('/') {
                Some((present, past)) => {
                    forms[0].insert(present.to_owned());
                    forms[1].insert(past.to_owned());
                }
                None => drop(others.insert(token.split(':').next().unwrap().to_owned())),
            }
        }
    }
    (forms, others)
}

#[test]
fn all_verbs_of_a_story_have_its_tense() {
    let ([present, past], others) = forms();
    let mut shown = 0;
    for story in STORIES.iter() {
        let (right, wrong) = match story.tense {
            Tense::Present => (&present, &past),
            Tense::Past => (&past, &present),
        };
        for word in words(story).map(|word| &word.text) {
            let elsewhere = wrong.contains(word) && !right.contains(word) && !others.contains(word);
            assert!(!elsewhere, "{word} in {:?}", story.document());
            shown += usize::from(right.contains(word));
        }
    }
    assert!(shown > 30_000, "{shown}");
}

#[test]
fn verbs_agree_with_the_pronoun_before_them() {
    let ([present, _], _) = forms();
    let mut shown = [0; 2];
    for story in STORIES.iter().filter(|story| story.tense == Tense::Present) {
        for two in words(story).collect::<Vec<_>>().windows(2) {
            let plural = match &*two[0].text {
                "she" | "he" | "it" => false,
                "they" => true,
                _ => continue,
            };
            if two[0].pronoun && present.contains(&two[1].text) {
                let word = &two[1].text;
                assert_ne!(word.ends_with('s'), plural, "{} {word}", two[0].text);
                shown[usize::from(plural)] += 1;
            }
        }
    }
    assert!(shown.iter().all(|count| *count > 100), "{shown:?}");
}

/// By the text alone: a thing or a house has one colour, and somebody has one job.
#[test]
fn facts_do_not_contradict_each_other() {
    let column = |name: &str, place: usize| -> HashSet<&str> {
        let bare = |row: &Vec<&'static str>| row[place].split(':').next().unwrap();
        table(name).rows.iter().map(bare).collect()
    };
    let (colours, jobs) = (column("colours", 0), column("jobs", 0));
    let nouns: HashSet<&str> = &column("things", 0) | &column("homes", 0);
    let names: HashSet<&str> = &column("people", 0) | &column("people", 1);
    let mut again = [0; 2];
    for story in STORIES.iter() {
        let text: Vec<&str> = words(story).map(|word| &*word.text).collect();
        let mut facts = HashMap::new();
        for (place, two) in text.windows(2).enumerate() {
            if colours.contains(two[0]) && nouns.contains(two[1]) {
                let before = facts.insert(two[1], two[0]);
                assert!(before.is_none_or(|colour| colour == two[0]), "{:?}", story.document());
                again[0] += usize::from(before.is_some());
            }
            if let [name, "is" | "was", "a" | "an", job] = text[place..(place + 4).min(text.len())]
                && names.contains(name)
                && jobs.contains(job)
            {
                let before = facts.insert(name, job);
                assert!(before.is_none_or(|known| known == job), "{:?}", story.document());
                again[1] += 1;
            }
        }
    }
    assert!(again.iter().all(|count| *count > 100), "{again:?}");
}

/// What the tables say of an entity stays, and what has been told is marked so.
#[test]
fn told_words_repeat_or_follow_from_facts() {
    for story in STORIES.iter().take(1_000) {
        let mut rows = HashMap::new(); // what sentences before this one have told
        for sentence in &story.sentences {
            let facts =
                sentence.words.iter().filter_map(|word| Some((word, word.entity?, word.cell?)));
            for (word, entity, cell) in facts.clone() {
                let known = rows.get(&(entity, cell.table));
                assert!(known.is_none_or(|row| *row == cell.row), "{:?}", story.document());
                assert!(!word.told || known.is_some(), "{:?}", story.document());
            }
            rows.extend(facts.map(|(_, entity, cell)| ((entity, cell.table), cell.row)));
        }
    }
}

/// Who gets a thing has it at the end; who goes out comes home; and a day has its order.
#[test]
fn possessions_pass_on_and_time_does_not_go_back() {
    let parts = ["morning", "noon", "afternoon", "evening", "night"];
    let part = |word: &str| match word {
        "breakfast" => Some(0),
        "lunchtime" | "midday" => Some(1),
        "lunch" => Some(2),
        "dinner" | "sunset" => Some(3),
        "bedtime" => Some(4),
        word => parts.iter().position(|one| *one == word),
    };
    let mut shown = 0;
    for story in STORIES.iter() {
        let text = story.document().sentences.join(" ");
        let times: Vec<usize> = words(story).filter_map(|word| part(&word.text)).collect();
        assert!(times.is_sorted(), "{text}");
        let hero = story.entities[0].cell("name").unwrap().text();
        let last = |relation, entity| {
            let mut events = story.events.iter().rev();
            events.find(|event| event.relation == relation && event.entity == entity)
        };
        let home = story.entities.iter().find(|one| one.role == "home").unwrap();
        let home = home.cell("home").unwrap().text().split(':').next().unwrap();
        assert!(last("at", 0).is_none_or(|event| event.value == home), "{text}");
        let thing = story.entities.iter().position(|one| one.role == "thing").unwrap();
        let holder = last("with", thing).map_or(hero, |event| &event.value);
        if let Some((_, end)) = text.split_once("in the hands of ") {
            assert_eq!(end.trim_end_matches('.'), holder, "{text}");
            shown += 1;
        }
    }
    assert!(shown > 100, "{shown}");
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

/// Relative frequencies of a text's words, and of a word after another, smoothed.
struct Counts {
    one: HashMap<String, f64>,
    two: HashMap<(String, String), f64>,
    total: f64,
    types: f64,
}

impl Counts {
    fn new(documents: &[Vec<String>]) -> Counts {
        let (mut one, mut two) = (HashMap::new(), HashMap::new());
        for words in documents {
            for pair in words.windows(2) {
                *one.entry(pair[1].clone()).or_default() += 1.0;
                *two.entry((pair[0].clone(), pair[1].clone())).or_default() += 1.0;
            }
        }
        let total = one.values().sum();
        Counts { types: one.len() as f64 + 1.0, one, two, total }
    }

    fn unigram(&self, word: &str) -> f64 {
        (self.one.get(word).unwrap_or(&0.0) + 1.0) / (self.total + self.types)
    }

    /// Witten–Bell's idea with one constant: the unigram counts as much as five bigrams seen.
    fn bigram(&self, before: &str, word: &str) -> f64 {
        let pair = self.two.get(&(before.to_owned(), word.to_owned())).unwrap_or(&0.0);
        let before = self.one.get(before).unwrap_or(&0.0);
        (pair + 5.0 * self.unigram(word)) / (before + 5.0)
    }
}

/// The losses of simple models on words held out, in nats a word, against what a story's choices are
/// worth: what a better model must take from earlier sentences.
#[test]
fn two_words_do_not_say_what_a_story_says() {
    let texts = |stories: &[Story]| -> Vec<Vec<String>> {
        let text = |story| {
            let words = words(story).map(|word| word.text.clone());
            std::iter::once(".".to_owned()).chain(words).collect()
        };
        stories.iter().map(text).collect()
    };
    let (train, test) = STORIES.split_at(3_600);
    let counts = Counts::new(&texts(train));
    let (mut unigram, mut bigram, mut told) = (0.0, 0.0, (0.0, 0.0));
    let (mut n, mut nats) = (0.0, 0.0);
    for (story, text) in test.iter().zip(texts(test)) {
        nats += story.nats;
        for (place, word) in words(story).enumerate() {
            let p = counts.bigram(&text[place], &word.text);
            unigram -= counts.unigram(&word.text).ln();
            bigram -= p.ln();
            n += 1.0;
            if word.told {
                told = (told.0 - p.ln(), told.1 + 1.0);
            }
        }
    }
    let uniform = counts.types.ln();
    let [unigram, bigram, choices] = [unigram, bigram, nats].map(|sum| sum / n);
    println!("uniform {uniform:.2}, unigram {unigram:.2}, bigram {bigram:.2}");
    println!(
        "choices {choices:.2}; told {:.3} of words, bigram {:.2}",
        told.1 / n,
        told.0 / told.1
    );
    assert!(uniform > unigram && unigram > bigram + 1.0);
    assert!(bigram > choices + 1.0, "{bigram} {choices}");
    assert!(told.1 / n > 0.15 && told.0 / told.1 > 3.0);
}
