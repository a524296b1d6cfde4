//! A vocabulary of pieces, and how it cuts.

use super::settings::{Settings, chunks};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, RwLock};
use tokenizers::decoders::wordpiece::WordPiece as Decoder;
use tokenizers::models::bpe::Vocab;
use tokenizers::models::wordpiece::WordPiece as Model;
use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;
use tokenizers::processors::bert::BertProcessing;
use tokenizers::{AddedToken, TokenizerImpl};
use workbench::Fingerprint;
use workbench::files::shorten;

/// What a piece begins with that does not begin a word.
pub(super) const CONTINUED: &str = "##";
/// Words of more characters are unknown.
pub(super) const LONGEST: usize = 100;
/// The special pieces, in the order of a vocabulary that is learnt here.
pub(super) const SPECIAL: [&str; 5] = ["[PAD]", UNKNOWN, "[CLS]", "[SEP]", "[MASK]"];
pub(super) const UNKNOWN: &str = "[UNK]";

pub(super) type Library =
    TokenizerImpl<Model, BertNormalizer, BertPreTokenizer, BertProcessing, Decoder>;

/// The numbers of the special pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Special {
    /// `[PAD]`, which fills short rows in other libraries.
    pub pad: usize,
    /// `[UNK]`, a word that has no pieces.
    pub unknown: usize,
    /// `[CLS]`, which begins every input.
    pub cls: usize,
    /// `[SEP]`, which ends every segment.
    pub sep: usize,
    /// `[MASK]`, which hides a piece.
    pub mask: usize,
}

/// A vocabulary of pieces. Two are equal when they have the same pieces and settings.
#[derive(Clone)]
pub struct WordPiece {
    pieces: Vec<String>,
    settings: Settings,
    /// Tokens that are found in a text before it is cut, where they are more than BERT's own.
    added: Vec<AddedToken>,
    special: Special,
    library: Arc<Library>,
    /// Chunks that were cut before.
    known: Arc<RwLock<Known>>,
}

/// Chunks and their pieces.
type Known = HashMap<Box<str>, Box<[u32]>>;

/// So many chunks are remembered, if they are no longer than this many bytes.
const REMEMBERED: usize = 1 << 17;
const SHORT: usize = 48;

impl PartialEq for WordPiece {
    fn eq(&self, other: &WordPiece) -> bool {
        let what = |one: &WordPiece| (one.pieces.clone(), one.settings, one.added.clone());
        what(self) == what(other)
    }
}

impl Eq for WordPiece {}

impl std::fmt::Debug for WordPiece {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "WordPiece of {} pieces, {:?}", self.pieces.len(), self.settings)
    }
}

impl WordPiece {
    /// A vocabulary of such pieces; their numbers are their places.
    ///
    /// # Errors
    /// With the reason, when a piece stands there twice, is empty or has a line end in it, or a special
    /// one is missing.
    ///
    /// ```
    /// use corpora::word_piece::{Settings, WordPiece};
    /// let pieces = "[PAD] [UNK] [CLS] [SEP] [MASK] el ##ep ##hante . une".split(' ');
    /// let pieces: Vec<String> = pieces.map(String::from).collect();
    /// let pieces = WordPiece::new(pieces, Settings::default()).unwrap();
    /// assert_eq!(pieces.cut("Une éléphante."), [9, 5, 6, 7, 8]);
    /// assert_eq!(pieces.join(&[9, 5, 6, 7, 8]), "une elephante .");
    /// ```
    pub fn new(pieces: Vec<String>, settings: Settings) -> Result<WordPiece, String> {
        WordPiece::with_added(pieces, settings, Vec::new())
    }

    /// The same with tokens that are found in a text before anything is cut: they are the vocabulary's
    /// pieces of that name, or pieces after its last, in their order.
    pub(super) fn with_added(
        mut pieces: Vec<String>,
        settings: Settings,
        mut added: Vec<AddedToken>,
    ) -> Result<WordPiece, String> {
        added.retain(|token| !is_berts(token));
        let mut seen = HashSet::new();
        if let Some(twice) = pieces.iter().find(|piece| !seen.insert(*piece)) {
            return Err(format!("the piece `{}` stands there twice", shorten(twice)));
        }
        // `vocab.txt` has a piece a line: what could not be written is not read.
        let mut all = pieces.iter().chain(added.iter().map(|token| &token.content));
        if let Some(piece) = all.find(|piece| piece.is_empty() || piece.contains(['\n', '\r'])) {
            return Err(format!("the piece `{}` is empty or has a line end in it", shorten(piece)));
        }
        let [pad, unknown, cls, sep, mask] = SPECIAL.map(|name| {
            let place = pieces.iter().position(|piece| piece == name);
            place.ok_or_else(|| format!("the special piece {name} is missing"))
        });
        let special = Special { pad: pad?, unknown: unknown?, cls: cls?, sep: sep?, mask: mask? };
        let library = Arc::new(library(&pieces, settings, special, &added)?);
        let new = added.iter().map(|token| &token.content).filter(|name| !pieces.contains(name));
        pieces.extend(new.cloned().collect::<Vec<_>>());
        Ok(WordPiece { pieces, settings, added, special, library, known: Arc::default() })
    }

    /// The numbers of a text's pieces, without any special piece; but `[MASK]` and the like in the
    /// text are the pieces of that name.
    pub fn cut(&self, text: &str) -> Vec<usize> {
        self.encode(text).into_iter().map(|number| number as usize).collect()
    }

    /// The same in fewer bytes.
    pub(crate) fn encode(&self, text: &str) -> Vec<u32> {
        if !self.added.is_empty() {
            return self.encode_by_library(text); // an added token may have blanks in it
        }
        let (mut numbers, mut new) = (Vec::new(), Vec::new());
        let known = self.known.read().expect("nobody panicked with it");
        for chunk in chunks(text) {
            match known.get(chunk) {
                Some(cut) => numbers.extend_from_slice(cut),
                None => {
                    let cut = self.encode_by_library(chunk);
                    numbers.extend_from_slice(&cut);
                    new.push((chunk, cut));
                }
            }
        }
        let full = known.len() >= REMEMBERED;
        drop(known);
        new.retain(|(chunk, _)| !full && chunk.len() <= SHORT);
        if !new.is_empty() {
            let new = new.into_iter().map(|(chunk, cut)| (chunk.into(), cut.into()));
            self.known.write().expect("nobody panicked with it").extend(new);
        }
        numbers
    }

    /// The numbers of a text's pieces, the slow way.
    fn encode_by_library(&self, text: &str) -> Vec<u32> {
        let pieces = self.library.encode_fast(text, false);
        pieces.expect("the vocabulary has a number for what is unknown").get_ids().to_vec()
    }

    /// The text of pieces: a blank before each that begins a word.
    pub fn join(&self, pieces: &[usize]) -> String {
        let mut text = String::new();
        for (place, piece) in pieces.iter().map(|number| self.piece(*number)).enumerate() {
            match piece.strip_prefix(CONTINUED).filter(|_| place > 0) {
                Some(rest) => text.push_str(rest),
                None => {
                    text.push_str(if place > 0 { " " } else { "" });
                    text.push_str(piece);
                }
            }
        }
        text
    }

    /// The piece of a number, as the vocabulary has it.
    pub fn piece(&self, number: usize) -> &str {
        let count = self.len();
        self.pieces.get(number).unwrap_or_else(|| panic!("piece {number} of {count}"))
    }

    /// The number of a piece.
    pub fn number(&self, piece: &str) -> Option<usize> {
        self.library.token_to_id(piece).map(|number| number as usize)
    }

    /// How many pieces there are.
    #[expect(clippy::len_without_is_empty, reason = "the special pieces are always there")]
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// The numbers of the special pieces.
    pub fn special(&self) -> Special {
        self.special
    }

    /// What becomes of a text before it is cut.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// A short name for pieces and settings: what was cut with another vocabulary has another.
    pub fn fingerprint(&self) -> String {
        let mut settings = Fingerprint::default().and(format!("{:?}", self.settings));
        if !self.added.is_empty() {
            settings = settings.and(format!("{:?}", self.added));
        }
        self.pieces.iter().fold(settings, |all, piece| all.and(piece)).to_string()
    }

    pub(super) fn pieces(&self) -> &[String] {
        &self.pieces
    }

    pub(super) fn added(&self) -> &[AddedToken] {
        &self.added
    }

    pub(super) fn library(&self) -> &Library {
        &self.library
    }
}

/// Whether a token is added to every BERT.
fn is_berts(token: &AddedToken) -> bool {
    let unstripped = token.clone().lstrip(false).rstrip(false); // blanks are no pieces
    SPECIAL.contains(&&*token.content) && unstripped == AddedToken::from(&*token.content, true)
}

/// The library's tokenizer of such pieces.
fn library(
    pieces: &[String],
    settings: Settings,
    special: Special,
    added: &[AddedToken],
) -> Result<Library, String> {
    let model = Model::builder()
        .vocab(pieces.iter().cloned().zip(0_u32..).collect::<Vocab>())
        .unk_token(UNKNOWN.to_owned())
        .continuing_subword_prefix(CONTINUED.to_owned())
        .max_input_chars_per_word(LONGEST)
        .build()
        .map_err(|error| error.to_string())?;
    let named = |number: usize| (pieces[number].clone(), number as u32);
    let mut library = Library::new(model);
    library.with_normalizer(Some(settings.normalizer())).map_err(|error| error.to_string())?;
    library.with_pre_tokenizer(Some(BertPreTokenizer));
    library.with_post_processor(Some(BertProcessing::new(named(special.sep), named(special.cls))));
    library.with_decoder(Some(Decoder::new(CONTINUED.to_owned(), true)));
    let special = SPECIAL.map(|name| AddedToken::from(name, true));
    let added = special.into_iter().chain(added.iter().cloned()); // of one name, the last counts
    library.add_tokens(added).map_err(|error| error.to_string())?;
    Ok(library)
}
