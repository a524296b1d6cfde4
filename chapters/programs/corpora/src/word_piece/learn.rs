//! Which pieces: learnt from texts.

use super::pieces::{CONTINUED, LONGEST, SPECIAL, WordPiece};
use super::settings::{Settings, chunks};
use crate::subwords::by_number;
use rayon::prelude::*;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use tokenizers::models::bpe::{BPE, BpeTrainer};
use tokenizers::{AddedToken, Trainer};

/// Words and how often they occur.
type Counts = HashMap<String, u64>;

/// Texts of so many bytes are counted by one thread, and so many of these blocks at a time.
const BLOCK: usize = 4 << 20;
const BLOCKS: usize = 4;
/// More different words than this are not counted at a time: the rarest are forgotten.
const MAX_COUNTED: usize = 1 << 21;
/// Pieces are learnt from so many words, the most frequent.
const MAX_WORDS: usize = 1 << 18;
/// And from so many characters.
const MAX_CHARACTERS: usize = 1000;

impl WordPiece {
    /// Learns pieces from texts, by merges: from the characters on, the two neighbouring pieces that
    /// stand side by side most often in words become a piece of their own, until there are `size`
    /// pieces or no two that occur twice. Of equally frequent pairs the older one comes first. The
    /// special pieces have the numbers 0 to 4, and the settings are those of BERT uncased.
    ///
    /// (Wu et al. 2016 choose merges by a language model's likelihood and BERT's own program was not
    /// published; frequency is what today's libraries use. Cutting is BERT's all the same.)
    ///
    /// Memory is bounded: the most frequent thousand characters and a quarter of a million words count.
    /// Words with other characters, or longer than a hundred, are left out. The same texts give the
    /// same pieces on any number of threads.
    ///
    /// # Errors
    /// With the reason, when there is no word, or `size` is too small for the characters.
    pub fn learn(
        texts: impl Iterator<Item = String> + Send,
        size: usize,
    ) -> Result<WordPiece, String> {
        let settings = Settings::default();
        let mut counts = count(texts, settings);
        let alphabet = frequent_characters(&counts);
        counts.retain(|word, _| word.chars().all(|c| alphabet.contains(&c)));
        let special = SPECIAL.map(String::from).into_iter();
        let single: Vec<String> = special.chain(single_pieces(&alphabet, &counts)).collect();
        if single.len() == SPECIAL.len() {
            return Err("there are no words to learn pieces from".to_owned());
        }
        if size < single.len() {
            let (special, characters) = (SPECIAL.len(), single.len() - SPECIAL.len());
            return Err(format!(
                "{size} pieces are too few for {special} special pieces and the texts' {characters} \
                 of one character"
            ));
        }
        let learnt = merge(single, most_frequent(counts), size).map_err(|e| e.to_string())?;
        WordPiece::new(by_number(&learnt), settings)
    }
}

/// The words of all texts, the rarest forgotten whenever there are too many.
fn count(mut texts: impl Iterator<Item = String>, settings: Settings) -> Counts {
    let mut counts = Counts::new();
    loop {
        let blocks: Vec<String> = (0..BLOCKS).map_while(|_| block(&mut texts)).collect();
        if blocks.is_empty() {
            return counts;
        }
        let counted: Vec<Counts> = blocks.par_iter().map(|b| count_block(b, settings)).collect();
        for (word, n) in counted.into_iter().flatten() {
            *counts.entry(word).or_default() += n;
        }
        let mut rare = 1;
        while counts.len() > MAX_COUNTED {
            counts.retain(|_, n| *n > rare);
            rare *= 2;
        }
    }
}

/// The next texts, about so many bytes together.
fn block(texts: &mut impl Iterator<Item = String>) -> Option<String> {
    let mut block = texts.next()?;
    while block.len() < BLOCK {
        let Some(text) = texts.next() else { break };
        block.push('\n');
        block.push_str(&text);
    }
    Some(block)
}

/// What stands between blanks is counted first, so that each is made words of only once.
fn count_block(block: &str, settings: Settings) -> Counts {
    let mut raw: HashMap<&str, u64> = HashMap::new();
    chunks(block).for_each(|chunk| *raw.entry(chunk).or_default() += 1);
    let mut counts = Counts::new();
    for (chunk, n) in raw {
        let words = settings.words(chunk).into_iter();
        for word in words.filter(|word| word.chars().count() <= LONGEST) {
            *counts.entry(word).or_default() += n;
        }
    }
    counts
}

/// The most frequent characters; of equally frequent ones those of smaller code.
fn frequent_characters(counts: &Counts) -> BTreeSet<char> {
    let mut characters: HashMap<char, u64> = HashMap::new();
    for (word, n) in counts {
        word.chars().for_each(|c| *characters.entry(c).or_default() += n);
    }
    let mut characters: Vec<(char, u64)> = characters.into_iter().collect();
    characters.sort_unstable_by_key(|(c, n)| (Reverse(*n), *c));
    characters.into_iter().take(MAX_CHARACTERS).map(|(c, _)| c).collect()
}

/// Every character as a piece, and as one that continues a word if it does so anywhere.
fn single_pieces(alphabet: &BTreeSet<char>, counts: &Counts) -> impl Iterator<Item = String> {
    let continuing: BTreeSet<char> = counts.keys().flat_map(|word| word.chars().skip(1)).collect();
    let continuing = continuing.into_iter().map(|c| format!("{CONTINUED}{c}"));
    alphabet.iter().map(char::to_string).chain(continuing)
}

/// The most frequent words; of equally frequent ones the first by their letters.
fn most_frequent(counts: Counts) -> Vec<(String, u64)> {
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_unstable_by(|(a, n), (b, m)| m.cmp(n).then(a.cmp(b)));
    counts.truncate(MAX_WORDS);
    counts
}

/// The library's merges. `single` are given to it as special pieces: it would number those that
/// continue a word in the order of its hash table, and settle ties by these numbers. And it would
/// count the words itself, without bound: it takes our counts as a part of its own written form.
fn merge(single: Vec<String>, words: Vec<(String, u64)>, size: usize) -> tokenizers::Result<BPE> {
    let single = single.into_iter().map(|piece| AddedToken::from(piece, true)).collect();
    let trainer = BpeTrainer::builder().vocab_size(size).min_frequency(2).show_progress(false);
    let trainer = trainer.continuing_subword_prefix(CONTINUED.to_owned()).special_tokens(single);
    let mut written = serde_json::to_value(trainer.build())?;
    written["words"] = words.into_iter().map(|(word, n)| (word, Value::from(n))).collect();
    let trainer: BpeTrainer = serde_json::from_value(written)?;
    let mut learnt = BPE::default();
    trainer.train(&mut learnt)?;
    Ok(learnt)
}
