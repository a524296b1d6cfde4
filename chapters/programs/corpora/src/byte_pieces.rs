//! GPT-2's pieces of text: byte-pair encoding of bytes (Radford et al. 2019, section 2.2), from the files of others.

use crate::word_piece::numbered;
use std::path::Path;
use tokenizers::models::bpe::BPE;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::{AddedToken, ModelWrapper, PreTokenizerWrapper, Tokenizer};
use workbench::error::{Error, Result};
use workbench::files::read;
use workbench::folders::{is_there, must_be_itself};

const TOKENIZER: &str = "tokenizer.json";
const LISTS: [&str; 2] = ["vocab.json", "merges.txt"];
/// The piece between two texts.
const END_OF_TEXT: &str = "<|endoftext|>";

/// Pieces whose letters are bytes, so that every text can be cut, in any language.
#[derive(Clone, Debug)]
pub struct BytePieces {
    library: Tokenizer,
    bytes: Vec<Vec<u8>>, // of each piece
}

impl BytePieces {
    /// Reads `tokenizer.json`, or else `vocab.json` and `merges.txt`.
    ///
    /// # Errors
    /// When neither is there, or malformed; when the tokenizer is of another kind than GPT-2's.
    pub fn read(folder: &Path) -> Result<BytePieces> {
        let path = folder.join(TOKENIZER);
        let [vocabulary, merges] = LISTS.map(|name| folder.join(name));
        let (path, library) = if is_there(&path)? {
            let library = whole(&path)?;
            (path, library)
        } else if is_there(&vocabulary)? && is_there(&merges)? {
            let library = of_lists(&vocabulary, &merges)?;
            (vocabulary, library)
        } else {
            let [vocabulary, merges] = LISTS;
            let reason = format!("has neither {TOKENIZER} nor {vocabulary} and {merges}");
            return Err(Error::file(folder, reason));
        };
        let pieces = numbered(library.get_vocab(true)).map_err(|why| Error::file(&path, why))?;
        let special = library.get_added_tokens_decoder();
        let bytes = pieces.into_iter().zip(0..).map(|(piece, number)| {
            let spelt = special.contains_key(&number).then(|| piece.clone().into_bytes());
            spelt.or_else(|| piece.chars().map(byte).collect()).ok_or(piece)
        });
        let bytes = bytes.collect::<Result<_, String>>().map_err(|piece| {
            let piece = workbench::files::shorten(&piece);
            Error::file(&path, format!("`{piece}` is no piece of bytes as GPT-2 writes them"))
        })?;
        Ok(BytePieces { library, bytes })
    }

    /// How many pieces there are.
    pub fn count(&self) -> usize {
        self.bytes.len()
    }

    /// A text in pieces, without marks at its ends.
    ///
    /// # Errors
    /// When the pieces do not spell it: some vocabularies lack a byte.
    pub fn encode(&self, text: &str) -> Result<Vec<usize>> {
        let encoding = self.library.encode_fast(text, false).map_err(Error::argument)?;
        let pieces: Vec<usize> = encoding.get_ids().iter().map(|id| *id as usize).collect();
        let spelt: Vec<u8> = pieces.iter().flat_map(|piece| self.bytes(*piece)).copied().collect();
        // Some tokenizers put a blank before the first word.
        if !pieces.is_empty() && spelt.trim_ascii_start() == text.as_bytes().trim_ascii_start() {
            return Ok(pieces);
        }
        let text = workbench::files::shorten(text);
        Err(Error::argument(format!("'{text}': the model's pieces cannot spell it")))
    }

    /// The piece between two texts, which begins one of which nothing is known.
    ///
    /// # Errors
    /// When there is none.
    pub fn end_of_text(&self) -> Result<usize> {
        let piece = self.library.token_to_id(END_OF_TEXT);
        let reason = || format!("an empty beginning, and the model has no piece {END_OF_TEXT}");
        piece.map(|piece| piece as usize).ok_or_else(|| Error::argument(reason()))
    }

    /// The bytes of a piece: several pieces may share a letter.
    pub fn bytes(&self, piece: usize) -> &[u8] {
        &self.bytes[piece]
    }
}

/// The library's own file.
fn whole(path: &Path) -> Result<Tokenizer> {
    let bytes = read(path)?;
    must_be_itself(path, &bytes)?;
    let library = Tokenizer::from_bytes(&bytes)
        .map_err(|error| Error::file(path, format!("is no tokenizer: {error}")))?;
    let mut library = library;
    library.with_padding(None).with_truncation(None).map_err(|error| Error::file(path, error))?;
    let is_gpt2s = matches!(library.get_model(), ModelWrapper::BPE(_))
        && matches!(library.get_pre_tokenizer(), Some(PreTokenizerWrapper::ByteLevel(_)))
        && library.get_normalizer().is_none();
    if is_gpt2s { Ok(library) } else { Err(Error::file(path, "cuts no bytes in pairs as GPT-2's")) }
}

/// The lists that older versions write.
fn of_lists(vocabulary: &Path, merges: &Path) -> Result<Tokenizer> {
    for path in [vocabulary, merges] {
        must_be_itself(path, &read(path)?)?;
    }
    let [pieces, pairs] = [vocabulary, merges].map(|path| path.to_string_lossy());
    let model = BPE::from_file(&pieces, &pairs).build();
    let model =
        model.map_err(|error| Error::file(vocabulary, format!("or its merges: {error}")))?;
    let mut library = Tokenizer::new(model);
    library.with_pre_tokenizer(Some(ByteLevel::new(false, true, true)));
    if library.token_to_id(END_OF_TEXT).is_some() {
        let added = library.add_special_tokens([AddedToken::from(END_OF_TEXT, true)]);
        added.map_err(|error| Error::file(vocabulary, error))?;
    }
    Ok(library)
}

/// The byte for which a letter stands: printable ones for themselves, the others, in order, for those from 256 on.
fn byte(letter: char) -> Option<u8> {
    let itself = |byte: u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..);
    let number = u32::from(letter);
    match u8::try_from(number) {
        Ok(number) => itself(number).then_some(number),
        Err(_) => (0..=u8::MAX).filter(|byte| !itself(*byte)).nth((number - 256) as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::byte;
    use std::collections::HashSet;
    use tokenizers::pre_tokenizers::byte_level::ByteLevel;

    #[test]
    fn every_letter_of_the_alphabet_is_a_byte_of_its_own() {
        let alphabet = ByteLevel::alphabet();
        let bytes: HashSet<u8> = alphabet.iter().filter_map(|letter| byte(*letter)).collect();
        assert_eq!((alphabet.len(), bytes.len()), (256, 256));
        assert_eq!(['A', 'Ġ', 'Ċ', 'é'].map(byte), [Some(65), Some(32), Some(10), Some(0xE9)]);
        assert_eq!([' ', '中'].map(byte), [None, None]);
    }
}
