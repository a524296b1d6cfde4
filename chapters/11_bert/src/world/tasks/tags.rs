//! What does each word name?

use super::{Parts, Sizes, Source, parts};
use crate::world::entities::Tag;
use crate::world::lexicon::TABLES;
use crate::world::told::Word;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Words of a text, and what each of them names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tagged {
    /// The words and marks.
    pub words: Vec<String>,
    /// One for each word.
    pub tags: Vec<Tag>,
}

/// One to three sentences in a row with at least one word that is [`ambiguous`], each word with
/// what it names; in half of the examples such a word names an animal.
///
/// A pronoun has the tag of what it stands for: *the dog did not cross the street because it was too
/// tired*, or *too wide*. Pets are called like people, and some of them like flowers; a duck walks
/// about or is eaten; orange is a colour. Whether rose is a dog may be told by the sentence (she
/// barked) or by the one before it. The generator knows the whole story: where the sentences shown
/// leave it open, the more frequent tag, a person's, is the better guess.
///
/// [`Sizes::noise`] is the share of wrong tags among the words, marks included.
///
/// # Errors
/// When there are not so many that differ.
pub fn tags(sizes: &Sizes, seed: u64) -> Result<Parts<Tagged>, String> {
    parts(sizes, seed, 2, example, |one| &mut one.tags, &Tag::ALL)
}

fn example(source: &mut Source) -> Tagged {
    let any = source.below(2) == 0;
    loop {
        let story = source.story();
        let length = 1 + source.below(3);
        let start = source.below(story.sentences.len() - length + 1);
        let sentences = &story.sentences[start..start + length];
        let words: Vec<&Word> = sentences.iter().flat_map(|sentence| &sentence.words).collect();
        if words.iter().any(|word| ambiguous(&word.text) && (any || word.tag == Tag::Animal)) {
            return Tagged {
                words: words.iter().map(|word| word.text.clone()).collect(),
                tags: words.iter().map(|word| word.tag).collect(),
            };
        }
    }
}

/// Whether the word can have two tags: a name of people and pets, *it* and *its*, a noun that the
/// tables have as two kinds of things or as something else besides.
pub fn ambiguous(word: &str) -> bool {
    static AMBIGUOUS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let cells = TABLES.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
        let mut tags: HashMap<&str, HashSet<&str>> = HashMap::new();
        for (table, row) in cells {
            for token in row.iter().flat_map(|cell| cell.split_whitespace()) {
                let (word, tag) = token.split_once(':').unwrap_or((token, table.kind()));
                tags.entry(word).or_default().insert(tag);
            }
        }
        let several = tags.into_iter().filter(|(_, tags)| tags.len() > 1).map(|(word, _)| word);
        several.chain(["it", "its"]).collect()
    });
    AMBIGUOUS.contains(word)
}
