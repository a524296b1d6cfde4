//! Vocabularies in the files of the Hugging Face ecosystem.

use super::added::{Added, DECODER, in_config, in_order, must_be_berts};
use super::pieces::{CONTINUED, LONGEST, SPECIAL, UNKNOWN, WordPiece};
use super::settings::Settings;
use crate::read_lines;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::Path;
use tokenizers::{Model, ModelWrapper, NormalizerWrapper, PreTokenizerWrapper, Tokenizer};
use workbench::error::{Error, Result};
use workbench::files::{read, shorten, write};
use workbench::folders::{is_there, must_be_itself, read_json};

const TOKENIZER: &str = "tokenizer.json";
const PIECES: &str = "vocab.txt";
const CONFIG: &str = "tokenizer_config.json";
/// Where old versions of *transformers* name added tokens.
const OLDER: &str = "added_tokens.json";

impl WordPiece {
    /// Reads a vocabulary from a folder: from `tokenizer.json`, or else from `vocab.txt`, a piece a
    /// line. What `tokenizer_config.json` says about capitals, accents and Chinese characters counts
    /// more; where nothing is said, the settings are those of BERT uncased. Tokens that were added to the
    /// vocabulary are read from either file of JSON.
    ///
    /// # Errors
    /// When there is neither file, or one is malformed; when a piece stands there twice, a number or
    /// a special piece is missing; when it is a tokenizer of another kind than BERT's, or has other
    /// special pieces; when tokens were added in the way of older versions.
    pub fn read(folder: &Path) -> Result<WordPiece> {
        let [tokenizer, list] = [TOKENIZER, PIECES].map(|name| folder.join(name));
        let (path, (pieces, settings, added)) = match (is_there(&tokenizer)?, is_there(&list)?) {
            (true, _) => (&tokenizer, read_tokenizer(&tokenizer)?),
            (false, true) => (&list, (read_pieces(&list)?, Settings::default(), Added::new())),
            (false, false) => {
                return Err(Error::file(folder, format!("has neither {TOKENIZER} nor {PIECES}")));
            }
        };
        let config = folder.join(CONFIG);
        let (settings, told) = configured(&config, settings)?;
        if told.is_none() && path == &list && is_there(&folder.join(OLDER))? {
            let reason =
                format!("the tokens that it adds are read from {TOKENIZER}, which is missing");
            return Err(Error::file(&folder.join(OLDER), reason));
        }
        let added = match told {
            Some(told) if added.is_empty() => in_order(&config, told, &pieces)?,
            _ => in_order(path, added, &pieces)?,
        };
        WordPiece::with_added(pieces, settings, added).map_err(|reason| Error::file(path, reason))
    }

    /// Writes `vocab.txt`, `tokenizer.json` and `tokenizer_config.json` into a folder, which
    /// `transformers` loads as a `BertTokenizer`.
    pub fn write(&self, folder: &Path) -> Result<()> {
        self.files().iter().try_for_each(|(name, bytes)| write(&folder.join(name), bytes))
    }

    /// What [`write`](WordPiece::write) writes: names and bytes.
    pub fn files(&self) -> [(&'static str, Vec<u8>); 3] {
        let in_model = &self.pieces()[..self.library().get_vocab_size(false)];
        let lines: String = in_model.iter().flat_map(|piece| [piece, "\n"]).collect();
        let [pad, unknown, cls, sep, mask] = SPECIAL;
        let Settings { lowercase, strip_accents, chinese } = self.settings();
        let mut config = json!({
            "tokenizer_class": "BertTokenizer",
            "do_lower_case": lowercase,
            "strip_accents": strip_accents,
            "tokenize_chinese_chars": chinese,
            "pad_token": pad,
            "unk_token": unknown,
            "cls_token": cls,
            "sep_token": sep,
            "mask_token": mask,
        });
        if !self.added().is_empty() {
            let added = self.added().iter().map(|token| {
                let number = self.number(&token.content).expect("a piece");
                (number.to_string(), serde_json::to_value(token).expect("strings and flags"))
            });
            config[DECODER] = added.collect();
        }
        let text = |value| serde_json::to_string_pretty(value).expect("strings and numbers") + "\n";
        let library = serde_json::to_value(self.library()).expect("strings and numbers");
        [(PIECES, lines), (CONFIG, text(&config)), (TOKENIZER, text(&library))]
            .map(|(name, text)| (name, text.into_bytes()))
    }
}

/// The pieces of a file, one a line.
fn read_pieces(path: &Path) -> Result<Vec<String>> {
    let mut pieces = read_lines(path)?;
    let begin = pieces.first().map_or("", String::as_str);
    must_be_itself(path, begin.as_bytes())?;
    pieces.truncate(pieces.iter().rposition(|piece| !piece.is_empty()).map_or(0, |last| last + 1));
    let mut lines = HashMap::new();
    for (piece, line) in pieces.iter().zip(1_u64..) {
        if piece.is_empty() {
            return Err(Error::line(path, line, "a piece is needed, the line is empty"));
        }
        if let Some(first) = lines.insert(piece, line) {
            let reason = format!("the piece `{}` stands in line {first} already", shorten(piece));
            return Err(Error::line(path, line, reason));
        }
    }
    Ok(pieces)
}

/// The library's classes of tokenizers that cut as BERT's does.
pub const CLASSES: [&str; 8] = [
    "BertTokenizer",
    "BertTokenizerFast",
    "DistilBertTokenizer",
    "DistilBertTokenizerFast",
    "ElectraTokenizer",
    "ElectraTokenizerFast",
    AS_THEY_ARE[0],
    AS_THEY_ARE[1],
];

/// Those of them for which `tokenizer.json` alone counts.
const AS_THEY_ARE: [&str; 2] = ["PreTrainedTokenizerFast", "TokenizersBackend"];

/// The settings and the added tokens, where the configuration says more.
fn configured(path: &Path, mut settings: Settings) -> Result<(Settings, Option<Added>)> {
    if !is_there(path)? {
        return Ok((settings, None));
    }
    let config: Map<String, Value> = read_json(path)?;
    let refuse = |reason: String| Error::file(path, reason);
    let known = |key: &str| config.get(key).filter(|found| !found.is_null());
    for (key, ours) in [
        ("tokenizer_class", &CLASSES[..]),
        ("word_tokenizer_type", &["basic"]),
        ("subword_tokenizer_type", &["wordpiece"]),
    ] {
        if let Some(found) = known(key).filter(|found| !ours.iter().any(|ours| *found == ours)) {
            let found = shorten(&found.to_string());
            return Err(refuse(format!("`{key}` is {found}, \"{}\" is needed", ours[0])));
        }
    }
    for (key, ours) in [("do_basic_tokenize", json!(true)), ("split_special_tokens", json!(false))]
    {
        if known(key).is_some_and(|found| *found != ours) {
            return Err(refuse(format!("`{key}` is not {ours} as in BERT")));
        }
    }
    let flag = |key: &str| match known(key) {
        None => Ok(None),
        Some(Value::Bool(flag)) => Ok(Some(*flag)),
        Some(_) => Err(refuse(format!("`{key}` is not true or false"))),
    };
    let class = config.get("tokenizer_class").and_then(Value::as_str).unwrap_or_default();
    if !(AS_THEY_ARE.contains(&class) && path.with_file_name(TOKENIZER).exists()) {
        settings.lowercase = flag("do_lower_case")?.unwrap_or(settings.lowercase);
        if config.contains_key("strip_accents") {
            settings.strip_accents = flag("strip_accents")?; // `null` is an answer, too
        }
        settings.chinese = flag("tokenize_chinese_chars")?.unwrap_or(settings.chinese);
    }
    must_be_berts(path, &config)?;
    Ok((settings, in_config(path, &config)?))
}

/// Pieces, settings and added tokens of the library's own file, which the library reads.
fn read_tokenizer(path: &Path) -> Result<(Vec<String>, Settings, Added)> {
    let refuse = |reason: &str| Error::file(path, format!("{reason} as in BERT"));
    let bytes = read(path)?;
    must_be_itself(path, &bytes)?;
    let library = Tokenizer::from_bytes(&bytes)
        .map_err(|error| Error::file(path, format!("is no tokenizer: {error}")))?;
    let ModelWrapper::WordPiece(model) = library.get_model() else {
        return Err(refuse("the model is not WordPiece"));
    };
    let Some(NormalizerWrapper::BertNormalizer(normalizer)) = library.get_normalizer() else {
        return Err(refuse("the normalizer is not BertNormalizer"));
    };
    let (unknown, continued) = (&*model.unk_token, &*model.continuing_subword_prefix);
    if (unknown, continued, model.max_input_chars_per_word) != (UNKNOWN, CONTINUED, LONGEST) {
        return Err(refuse("the model's words are not cut"));
    }
    if !normalizer.clean_text {
        return Err(refuse("control characters are not left out"));
    }
    if !matches!(library.get_pre_tokenizer(), Some(PreTokenizerWrapper::BertPreTokenizer(_))) {
        return Err(refuse("the pre_tokenizer is not BertPreTokenizer"));
    }
    let pieces = numbered(library.get_vocab(false)).map_err(|reason| Error::file(path, reason))?;
    let numbers = [SPECIAL[2], SPECIAL[3]].map(|mark| model.token_to_id(mark));
    let around = library.encode("", true).map(|empty| empty.get_ids().to_vec());
    let around = around.map_err(|error| Error::file(path, error))?;
    let is_berts = around.iter().map(|number| Some(*number)).eq(numbers);
    if library.get_post_processor().is_some() && !is_berts {
        return Err(refuse("the post_processor does not put a text between [CLS] and [SEP]"));
    }
    let settings = Settings {
        lowercase: normalizer.lowercase,
        strip_accents: normalizer.strip_accents,
        chinese: normalizer.handle_chinese_chars,
    };
    let added = library.get_added_tokens_decoder().into_iter().collect();
    Ok((pieces, settings, added))
}

/// Pieces by their number; or the piece that is wrong, and why.
pub(crate) fn numbered(known: HashMap<String, u32>) -> Result<Vec<String>, String> {
    let count = known.len();
    let mut pieces: Vec<(u32, String)> = known.into_iter().map(|(piece, n)| (n, piece)).collect();
    pieces.sort();
    match pieces.iter().zip(0..).find(|((number, _), place)| number != place) {
        Some(((number, piece), _)) => {
            let piece = shorten(piece);
            Err(format!(
                "`{piece}` has the number {number}; {count} pieces have those below {count}, each one"
            ))
        }
        None => Ok(pieces.into_iter().map(|(_, piece)| piece).collect()),
    }
}
