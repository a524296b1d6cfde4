//! Does the sentence fit the world?

use super::{Parts, Sizes, Source, parts};
use crate::world::lexicon::{Cell, table};
use crate::world::sentences::{settle_articles, words_of};
use crate::world::told::{Sentence, Tense, Word};
use corpora::detokenize;
use std::slice::from_mut;

/// Whether a sentence fits the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sense {
    /// *A baker needs an oven.*
    Fits,
    /// *A baker needs an anchor.*
    Odd,
}

impl Sense {
    /// Both, in the order of their numbers.
    pub const ALL: [Sense; 2] = [Sense::Fits, Sense::Odd];
}

/// A sentence and whether it fits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Example {
    /// The sentence, as written.
    pub text: String,
    /// Its label.
    pub label: Sense,
}

/// Sentences of stories, half of them with one word, or a few, that do not go with another.
///
/// A sentence qualifies when two parts of it are in one row of the world's tables, such as a job and
/// its tool. To make it odd, one part is taken from another row, all other rows being equally likely.
/// Rows are equally likely in stories too, so every word is as frequent in sentences that fit as in
/// those that do not: it takes both parts to decide. What goes with what is in the stories, not in any
/// one sentence.
///
/// # Errors
/// With the reason, when there are not so many that differ.
///
/// # Panics
/// When the noise is not between 0 and 1.
pub fn sense(sizes: &Sizes, seed: u64) -> Result<Parts<Example>, String> {
    parts(sizes, seed, 0, example, |one| from_mut(&mut one.label), &Sense::ALL)
}

fn example(source: &mut Source) -> Example {
    let label = Sense::ALL[source.below(2)];
    loop {
        let story = source.story();
        let start = source.below(story.sentences.len());
        let sentence = &story.sentences[start];
        let pairs = pairs(sentence);
        if pairs.is_empty() {
            continue;
        }
        let (_, cell) = pairs[source.below(pairs.len())];
        let words = match label {
            Sense::Fits => sentence.words.clone(),
            Sense::Odd => replaced(sentence, cell, other_row(cell, source), story.tense),
        };
        let words: Vec<String> = words.into_iter().map(|word| word.text).collect();
        return Example { text: detokenize(&words), label };
    }
}

/// The tables whose rows are knowledge of the world.
const KNOWLEDGE: [&str; 9] =
    ["jobs", "animals", "wild", "places", "things", "weather", "needs", "paths", "games"];

/// What goes with many rows of these: one can cross a river too.
const VAGUE: [&str; 2] = ["pass", "broken"];

/// Parts of the sentence that are from one row, where each gives the row: in both orders.
fn pairs(sentence: &Sentence) -> Vec<(Cell, Cell)> {
    let mut cells: Vec<Cell> = Vec::new();
    for cell in sentence.words.iter().filter_map(|word| word.cell) {
        let sharp = KNOWLEDGE.contains(&cell.table) && !VAGUE.contains(&cell.column);
        if sharp && cell.tells_row() && !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    let related = |one: &Cell, other: &Cell| {
        one.table == other.table && one.row == other.row && one.column != other.column
    };
    let pairs = |one: Cell| cells.iter().map(move |other| (one, *other)).collect::<Vec<_>>();
    cells.iter().flat_map(|one| pairs(*one)).filter(|(one, other)| related(one, other)).collect()
}

/// The same column in another row.
fn other_row(cell: Cell, source: &mut Source) -> Cell {
    let rows = table(cell.table).rows.len();
    let row = (cell.row + 1 + source.below(rows - 1)) % rows;
    Cell { row, ..cell }
}

/// The sentence with all words of one cell replaced by those of another.
fn replaced(sentence: &Sentence, old: Cell, new: Cell, tense: Tense) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut inside = false;
    for word in &sentence.words {
        let here = word.cell == Some(old);
        match (here, inside) {
            (false, _) => words.push(word.clone()),
            (true, false) => words.extend(words_of(new, word.entity, tense)),
            (true, true) => {}
        }
        inside = here;
    }
    settle_articles(&mut words);
    words
}
