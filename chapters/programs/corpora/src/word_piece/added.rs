//! Tokens that were added to a vocabulary, by all the files that may name them.

use super::pieces::SPECIAL;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use tokenizers::AddedToken;
use workbench::error::{Error, Result};
use workbench::files::shorten;
use workbench::folders::{is_there, read_json};

/// The field of `tokenizer_config.json` that names them, by their numbers.
pub(super) const DECODER: &str = "added_tokens_decoder";
/// What older versions of *transformers* write.
const MAP: &str = "special_tokens_map.json";
const NUMBERS: &str = "added_tokens.json";

/// What BERT has in the places of the special pieces.
const NAMES: [(&str, &str); 5] = [
    ("pad_token", SPECIAL[0]),
    ("unk_token", SPECIAL[1]),
    ("cls_token", SPECIAL[2]),
    ("sep_token", SPECIAL[3]),
    ("mask_token", SPECIAL[4]),
];
/// More special ones, whose names are free.
const MORE: [&str; 2] = ["additional_special_tokens", "extra_special_tokens"];

/// Added tokens as they are found.
#[derive(Default)]
pub(super) struct Added {
    found: Vec<Entry>,
    by_name: HashMap<String, usize>,
    /// Whether `tokenizer_config.json` names all there are.
    is_complete: bool,
}

struct Entry {
    token: AddedToken,
    number: Option<usize>,
    /// The file that named it first.
    path: PathBuf,
}

/// A token as files of JSON have it: its name, or an object with flags.
fn token(value: &Value) -> Option<AddedToken> {
    let name = value["content"].as_str().or(value.as_str()).filter(|name| !name.is_empty())?;
    let flag = |key: &str| value[key].as_bool().unwrap_or(false);
    let token = AddedToken::from(name, flag("special") || value.is_string());
    let token = token.normalized(flag("normalized")).single_word(flag("single_word"));
    Some(token.lstrip(flag("lstrip")).rstrip(flag("rstrip")))
}

impl Added {
    /// One token, with its number where the file gives one.
    pub(super) fn add(
        &mut self,
        path: &Path,
        token: AddedToken,
        number: Option<usize>,
    ) -> Result<()> {
        let name = token.content.clone();
        let Some(known) = self.by_name.get(&name).map(|place| &mut self.found[*place]) else {
            self.by_name.insert(name, self.found.len());
            self.found.push(Entry { token, number, path: path.to_owned() });
            return Ok(());
        };
        if let (Some(a), Some(b)) = (known.number, number)
            && a != b
        {
            let (name, first) = (shorten(&name), known.path.display());
            let reason = format!("`{name}` has the number {b}, but {a} in {first}");
            return Err(Error::file(path, reason));
        }
        known.number = known.number.or(number);
        Ok(())
    }

    /// The same as a value of JSON.
    fn add_value(&mut self, path: &Path, value: &Value, number: Option<usize>) -> Result<()> {
        let wrong = || format!("an added token is {}", shorten(&value.to_string()));
        self.add(path, token(value).ok_or_else(|| Error::file(path, wrong()))?, number)
    }

    /// What `tokenizer_config.json` says.
    pub(super) fn read_config(&mut self, path: &Path, config: &Map<String, Value>) -> Result<()> {
        if let Some(tokens) = config.get(DECODER).and_then(Value::as_object) {
            self.is_complete = true;
            let numbered = tokens.iter().map(|(number, token)| Some((number.parse().ok()?, token)));
            let tokens: Option<BTreeMap<usize, &Value>> = numbered.collect();
            let tokens = tokens.ok_or_else(|| {
                Error::file(path, format!("`{DECODER}` does not name tokens by their numbers"))
            })?;
            for (number, token) in tokens {
                self.add_value(path, token, Some(number))?;
            }
        }
        self.read_names(path, config)
    }

    /// What older versions write beside it.
    pub(super) fn read_older(&mut self, folder: &Path) -> Result<()> {
        let path = folder.join(NUMBERS);
        if !self.is_complete && is_there(&path)? {
            for (name, number) in read_json::<BTreeMap<String, usize>>(&path)? {
                self.add_value(&path, &json!({"content": name}), Some(number))?;
            }
        }
        let path = folder.join(MAP);
        if !self.is_complete && is_there(&path)? {
            self.read_names(&path, &read_json(&path)?)?;
        }
        Ok(())
    }

    /// The names of special pieces, which must be BERT's, and more of them.
    fn read_names(&mut self, path: &Path, names: &Map<String, Value>) -> Result<()> {
        for (key, ours) in NAMES {
            let Some(found) = names.get(key).filter(|found| !found.is_null()) else { continue };
            let found = found.get("content").unwrap_or(found);
            if found != ours {
                let found = shorten(&found.to_string());
                let reason = format!("`{key}` is {found}, not \"{ours}\" as in BERT");
                return Err(Error::file(path, reason));
            }
        }
        for token in MORE.iter().filter_map(|key| names.get(*key)?.as_array()).flatten() {
            let mut token = token.clone();
            if token.is_object() {
                token["special"] = json!(true);
            }
            self.add_value(path, &token, None)?;
        }
        Ok(())
    }

    /// The tokens in the order of their numbers, those that nobody numbered at the end.
    ///
    /// # Errors
    /// When a number is not the vocabulary's, or not the next one after it.
    pub(super) fn in_order(mut self, pieces: &[String]) -> Result<Vec<AddedToken>> {
        self.found.sort_by_key(|found| found.number.unwrap_or(usize::MAX));
        let known: HashMap<&str, usize> =
            pieces.iter().zip(0..).map(|(piece, number)| (&**piece, number)).collect();
        let mut next = pieces.len();
        for Entry { token, number, path } in &self.found {
            let due = known.get(&*token.content).copied().unwrap_or_else(|| {
                next += 1;
                next - 1
            });
            if number.is_some_and(|number| number != due) {
                let (name, number) = (shorten(&token.content), number.unwrap_or_default());
                let reason =
                    format!("`{name}` is added with the number {number}, where {due} is due");
                return Err(Error::file(path, reason));
            }
        }
        Ok(self.found.into_iter().map(|found| found.token).collect())
    }
}
