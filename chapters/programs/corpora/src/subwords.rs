//! Words in pieces: byte-pair encoding.

use std::collections::HashSet;
use tokenizers::models::bpe::{BPE, BpeTrainer, Vocab};
use tokenizers::{Model, Trainer};

/// What closes every word before it is cut. No word has a blank in it, so pieces in a row are text
/// again: `"low" "est "` is one word, `"low " "est "` are two.
pub(crate) const CLOSE: char = ' ';

/// Two pieces that follow each other in a word, and become one.
pub type Merge = (String, String);

/// Byte-pair encoding (Sennrich et al. 2016, section 3.2): a word begins as its letters and a blank,
/// and merges join two neighbours into one piece, in the order in which they were learnt.
#[derive(Clone, Debug)]
pub(crate) struct Subwords {
    pub merges: Vec<Merge>,
    encoder: BPE,
}

/// The encoder is made of the merges and of the vocabulary that keeps them.
impl PartialEq for Subwords {
    fn eq(&self, other: &Subwords) -> bool {
        self.merges == other.merges
    }
}

impl Eq for Subwords {}

/// Learns byte-pair encoding from words: from the letters on, the two neighbouring pieces that
/// stand side by side most often become a piece of their own, until there are `size` pieces and
/// `special` words; of equally frequent ones those that are older, letters by their code. Returns
/// pieces and merges.
///
/// # Errors
/// With the reason, when there are more letters than that, or too few pairs that occur twice.
pub(crate) fn learn<'a>(
    words: impl Iterator<Item = &'a String> + Clone + Send,
    size: usize,
    special: usize,
) -> Result<(Vec<String>, Vec<Merge>), String> {
    let letters: HashSet<char> = words.clone().flat_map(|word| word.chars()).collect();
    let alphabet = letters.len() + 1; // with the blank
    if size < special + alphabet {
        return Err(format!(
            "too few for {special} special words and the {alphabet} characters of the texts"
        ));
    }
    // What is longer is no word, and finding its pairs would take the square of its length.
    const LONGEST: usize = 500;
    let words = words.filter(|word| word.len() <= LONGEST);
    let size = size - special;
    let trainer = BpeTrainer::builder().vocab_size(size).min_frequency(2).show_progress(false);
    let mut trainer = trainer.build();
    let mut learnt = BPE::default();
    let fed = trainer.feed(words, |word| Ok(vec![format!("{word}{CLOSE}")]));
    fed.and_then(|()| trainer.train(&mut learnt)).map_err(|error| error.to_string())?;
    if learnt.get_vocab_size() < size {
        let found = special + learnt.get_vocab_size();
        return Err(format!(
            "too many: the texts give {found} pieces at most, by pairs that occur twice"
        ));
    }
    Ok(contents(&learnt))
}

/// Pieces by number, and merges in their order: what the library writes into a file.
fn contents(learnt: &BPE) -> (Vec<String>, Vec<Merge>) {
    let written = serde_json::to_value(learnt).expect("strings and numbers");
    let merges = serde_json::from_value(written["merges"].clone()).expect("pairs of pieces");
    (by_number(learnt), merges)
}

/// Pieces by number.
pub(crate) fn by_number(learnt: &BPE) -> Vec<String> {
    let mut pieces: Vec<(String, u32)> = learnt.get_vocab().into_iter().collect();
    pieces.sort_unstable_by_key(|(_, number)| *number);
    pieces.into_iter().map(|(piece, _)| piece).collect()
}

impl Subwords {
    /// The merges of a vocabulary, which has all pieces that they make; `unknown`, one of it, stands
    /// for a letter that is none.
    ///
    /// # Errors
    /// With the library's reason, when it has not.
    pub fn new(
        merges: Vec<Merge>,
        unknown: &str,
        vocabulary: &[String],
    ) -> Result<Subwords, String> {
        let numbered = vocabulary.iter().cloned().zip(0..);
        let known = numbered.collect::<Vocab>();
        let encoder = BPE::builder().vocab_and_merges(known, merges.clone());
        let encoder = encoder.unk_token(unknown.to_owned()).build().map_err(|e| e.to_string())?;
        Ok(Subwords { merges, encoder })
    }

    /// The numbers of a word's pieces.
    pub fn cut(&self, word: &str) -> impl Iterator<Item = usize> {
        let pieces = self.encoder.tokenize(&format!("{word}{CLOSE}"));
        let pieces = pieces.expect("the vocabulary has a number for what is unknown");
        pieces.into_iter().map(|piece| piece.id as usize)
    }
}
