//! Vocabularies in the files of the Hugging Face ecosystem.

use super::added::{Added, DECODER};
use super::object::{line_of, read_object};
use super::pieces::{CONTINUED, LONGEST, SPECIAL, UNKNOWN, WordPiece};
use super::settings::Settings;
use crate::read_lines;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::Path;
use tokenizers::AddedToken;
use workbench::error::{Error, Result};
use workbench::files::{shorten, write};
use workbench::folders::{is_there, must_be_itself};

const TOKENIZER: &str = "tokenizer.json";
const PIECES: &str = "vocab.txt";
const CONFIG: &str = "tokenizer_config.json";

impl WordPiece {
    /// Reads a vocabulary from a folder: from `tokenizer.json`, or else from `vocab.txt`, a piece a
    /// line. What `tokenizer_config.json` says about capitals, accents and Chinese characters counts
    /// more; where nothing is said, the settings are those of BERT uncased. Tokens that were added to the
    /// vocabulary are read from wherever they stand: these two files of JSON, `special_tokens_map.json`,
    /// `added_tokens.json`.
    ///
    /// # Errors
    /// When there is neither file, or one is malformed; when a piece stands there twice, a number or
    /// a special piece is missing; when it is a tokenizer of another kind than BERT's, or has other
    /// special pieces.
    pub fn read(folder: &Path) -> Result<WordPiece> {
        let [tokenizer, pieces] = [TOKENIZER, PIECES].map(|name| folder.join(name));
        let mut added = Added::default();
        let (path, (pieces, settings)) = match (is_there(&tokenizer)?, is_there(&pieces)?) {
            (true, _) => (&tokenizer, read_tokenizer(&tokenizer, &mut added)?),
            (false, true) => (&pieces, (read_pieces(&pieces)?, Settings::default())),
            (false, false) => {
                return Err(Error::file(folder, format!("has neither {TOKENIZER} nor {PIECES}")));
            }
        };
        let settings = configured(&folder.join(CONFIG), settings, &mut added)?;
        added.read_older(folder)?;
        let tokens = added.in_order(&pieces)?;
        WordPiece::with_added(pieces, settings, tokens).map_err(|reason| Error::file(path, reason))
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
            let token = |token: &AddedToken| {
                let number = self.number(&token.content).expect("a piece");
                (number.to_string(), serde_json::to_value(token).expect("strings and flags"))
            };
            config[DECODER] = self.added().iter().map(token).collect();
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

/// The settings, where the configuration says more.
fn configured(path: &Path, mut settings: Settings, added: &mut Added) -> Result<Settings> {
    if !is_there(path)? {
        return Ok(settings);
    }
    let (text, config) = read_object(path)?;
    let refuse = |key: &str, reason: String| Error::line(path, line_of(&text, key), reason);
    for (key, ours) in [
        ("tokenizer_class", &CLASSES[..]),
        ("word_tokenizer_type", &["basic"]),
        ("subword_tokenizer_type", &["wordpiece"]),
    ] {
        let found = config.get(key).filter(|found| !found.is_null());
        if let Some(found) = found.filter(|found| !ours.iter().any(|ours| *found == ours)) {
            let found = shorten(&found.to_string());
            return Err(refuse(key, format!("`{key}` is {found}, \"{}\" is needed", ours[0])));
        }
    }
    for (key, ours) in [("do_basic_tokenize", json!(true)), ("split_special_tokens", json!(false))]
    {
        if config.get(key).is_some_and(|found| !found.is_null() && *found != ours) {
            return Err(refuse(key, format!("`{key}` is not {ours} as in BERT")));
        }
    }
    let flag = |key: &str| match config.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(flag)) => Ok(Some(*flag)),
        Some(_) => Err(refuse(key, format!("`{key}` is not true or false"))),
    };
    let class = config.get("tokenizer_class").and_then(Value::as_str).unwrap_or_default();
    if !(AS_THEY_ARE.contains(&class) && path.with_file_name(TOKENIZER).exists()) {
        settings.lowercase = flag("do_lower_case")?.unwrap_or(settings.lowercase);
        if config.contains_key("strip_accents") {
            settings.strip_accents = flag("strip_accents")?; // `null` is an answer, too
        }
        settings.chinese = flag("tokenize_chinese_chars")?.unwrap_or(settings.chinese);
    }
    added.read_config(path, &text, &config)?;
    Ok(settings)
}

/// Pieces and settings of the library's own file.
fn read_tokenizer(path: &Path, added: &mut Added) -> Result<(Vec<String>, Settings)> {
    let (text, object) = read_object(path)?;
    let object = Value::Object(object);
    let refuse = |key: &str, reason: String| Error::line(path, line_of(&text, key), reason);
    // What must be as BERT has it. An old file does not name its model's type.
    let expected = [
        ("model", "type", json!("WordPiece"), true),
        ("model", "continuing_subword_prefix", json!(CONTINUED), true),
        ("model", "max_input_chars_per_word", json!(LONGEST), true),
        ("model", "unk_token", json!(UNKNOWN), false),
        ("normalizer", "type", json!("BertNormalizer"), false),
        ("normalizer", "clean_text", json!(true), true),
        ("pre_tokenizer", "type", json!("BertPreTokenizer"), false),
    ];
    for (part, key, wanted, may_miss) in expected {
        let found = &object[part][key];
        if *found != wanted && !(found.is_null() && may_miss) {
            let reason = format!("the {part}'s `{key}` is {found}, not {wanted} as in BERT");
            return Err(refuse(part, reason));
        }
    }
    let normalizer = &object["normalizer"];
    let standard = Settings::default();
    let flag = |key: &str| match &normalizer[key] {
        Value::Null => Ok(None),
        Value::Bool(flag) => Ok(Some(*flag)),
        other => {
            Err(refuse(key, format!("the normalizer's `{key}` is {other}, not true or false")))
        }
    };
    let settings = Settings {
        lowercase: flag("lowercase")?.unwrap_or(standard.lowercase),
        strip_accents: flag("strip_accents")?,
        chinese: flag("handle_chinese_chars")?.unwrap_or(standard.chinese),
    };
    let known = object["model"]["vocab"].as_object();
    let known = known.ok_or_else(|| refuse("model", "the model has no `vocab`".to_owned()))?;
    let pieces = numbered(known).map_err(|(piece, reason)| refuse(&piece, reason))?;
    let processor = &object["post_processor"];
    if !has_berts_marks(processor) {
        let reason = "the post_processor puts other marks around a text than [CLS] … [SEP]";
        return Err(refuse("post_processor", reason.to_owned()));
    }
    for token in object["added_tokens"].as_array().into_iter().flatten() {
        added.add(path, &text, token, &token["id"])?;
    }
    Ok((pieces, settings))
}

/// Whether a text stands between `[CLS]` and `[SEP]`, or nothing is said of it.
fn has_berts_marks(processor: &Value) -> bool {
    match processor["type"].as_str() {
        None => processor.is_null(),
        Some("BertProcessing") => processor["cls"][0] == "[CLS]" && processor["sep"][0] == "[SEP]",
        Some("TemplateProcessing") => {
            let single = &processor["single"];
            let mark = |i: usize| single[i]["SpecialToken"]["id"].as_str();
            single.as_array().is_some_and(|parts| parts.len() == 3)
                && (mark(0), mark(2)) == (Some("[CLS]"), Some("[SEP]"))
        }
        Some(_) => false,
    }
}

/// Pieces by their number; or the piece that is wrong, and why.
fn numbered(known: &Map<String, Value>) -> Result<Vec<String>, (String, String)> {
    let mut pieces = vec![None; known.len()];
    for (piece, number) in known {
        let wrong = |reason: String| (piece.clone(), format!("`{}` {reason}", shorten(piece)));
        let place = number.as_u64().and_then(|n| usize::try_from(n).ok());
        let place = place.ok_or_else(|| wrong(format!("has {number} for its number")))?;
        let count = known.len();
        let too_large = || wrong(format!("has the number {place}, but there are {count} pieces"));
        if let Some(other) = pieces.get_mut(place).ok_or_else(too_large)?.replace(piece.clone()) {
            let other = shorten(&other);
            return Err(wrong(format!("has the number {place}, and so has `{other}`")));
        }
    }
    Ok(pieces.into_iter().map(|piece| piece.expect("as many pieces as numbers")).collect())
}
