//! Tokens that were added to a vocabulary.

use super::pieces::SPECIAL;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use tokenizers::AddedToken;
use workbench::error::{Error, Result};
use workbench::files::shorten;

/// The field of `tokenizer_config.json` that names them, by their numbers.
pub(super) const DECODER: &str = "added_tokens_decoder";

/// What BERT has in the places of the special pieces.
const NAMES: [(&str, &str); 5] = [
    ("pad_token", SPECIAL[0]),
    ("unk_token", SPECIAL[1]),
    ("cls_token", SPECIAL[2]),
    ("sep_token", SPECIAL[3]),
    ("mask_token", SPECIAL[4]),
];

/// Added tokens by their numbers.
pub(super) type Added = BTreeMap<u32, AddedToken>;

/// What `tokenizer_config.json` says of them.
pub(super) fn in_config(path: &Path, config: &Map<String, Value>) -> Result<Option<Added>> {
    let Some(tokens) = config.get(DECODER) else { return Ok(None) };
    let tokens = serde_json::from_value(tokens.clone());
    tokens.map(Some).map_err(|error| Error::file(path, format!("`{DECODER}`: {error}")))
}

/// Refuses other names of special pieces than BERT's.
pub(super) fn must_be_berts(path: &Path, config: &Map<String, Value>) -> Result<()> {
    for (key, ours) in NAMES {
        let Some(found) = config.get(key).filter(|found| !found.is_null()) else { continue };
        let found = found.get("content").unwrap_or(found);
        if found != ours {
            let found = shorten(&found.to_string());
            let reason = format!("`{key}` is {found}, not \"{ours}\" as in BERT");
            return Err(Error::file(path, reason));
        }
    }
    Ok(())
}

/// The tokens in the order of their numbers.
///
/// # Errors
/// When a number is not the vocabulary's, or not the next one after it.
pub(super) fn in_order(path: &Path, added: Added, pieces: &[String]) -> Result<Vec<AddedToken>> {
    let known: HashMap<&str, u32> = pieces.iter().map(String::as_str).zip(0..).collect();
    let mut next = pieces.len() as u32;
    for (number, token) in &added {
        let due = known.get(&*token.content).copied().unwrap_or_else(|| {
            next += 1;
            next - 1
        });
        if *number != due {
            let name = shorten(&token.content);
            let reason = format!("`{name}` is added with the number {number}, where {due} is due");
            return Err(Error::file(path, reason));
        }
    }
    Ok(added.into_values().collect())
}
