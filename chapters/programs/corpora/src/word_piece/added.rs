//! Tokens that were added to a vocabulary, by all the files that may name them.

use super::object::{line_of, read_object};
use super::pieces::SPECIAL;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tokenizers::AddedToken;
use workbench::error::{Error, Result};
use workbench::files::shorten;
use workbench::folders::is_there;

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
    /// The file that named it first, and the line.
    place: (PathBuf, u64),
}

impl Added {
    /// One token: its name, or an object with flags; `number` is null where nobody gives it.
    pub(super) fn add(
        &mut self,
        path: &Path,
        text: &str,
        token: &Value,
        number: &Value,
    ) -> Result<()> {
        let name = token["content"].as_str().or(token.as_str()).unwrap_or_default();
        let quoted = serde_json::to_string(name).expect("a string");
        let line = text.lines().position(|line| line.contains(&quoted)).unwrap_or(0) as u64 + 1;
        let refuse = |reason: String| Error::line(path, line, reason);
        let given = number.as_u64().and_then(|number| usize::try_from(number).ok());
        if name.is_empty() || (given.is_none() && !number.is_null()) {
            return Err(refuse(format!("an added token is {}", shorten(&token.to_string()))));
        }
        let flag = |key: &str| token[key].as_bool().unwrap_or(false);
        let found = AddedToken::from(name, flag("special") || token.is_string())
            .normalized(flag("normalized"))
            .single_word(flag("single_word"))
            .lstrip(flag("lstrip"))
            .rstrip(flag("rstrip"));
        let new = Entry { token: found, number: given, place: (path.to_owned(), line) };
        let Some(known) = self.by_name.get(name).map(|place| &mut self.found[*place]) else {
            self.by_name.insert(name.to_owned(), self.found.len());
            self.found.push(new);
            return Ok(());
        };
        match (known.number, given) {
            (Some(a), Some(b)) if a != b => {
                let first = known.place.0.display();
                Err(refuse(format!("`{}` has the number {b}, but {a} in {first}", shorten(name))))
            }
            (known_number, given) => {
                known.number = known_number.or(given);
                Ok(())
            }
        }
    }

    /// What `tokenizer_config.json` says.
    pub(super) fn read_config(
        &mut self,
        path: &Path,
        text: &str,
        config: &Map<String, Value>,
    ) -> Result<()> {
        if let Some(tokens) = config.get(DECODER).and_then(Value::as_object) {
            self.is_complete = true;
            let mut tokens: Vec<_> = tokens.iter().collect();
            tokens.sort_by_key(|(number, _)| number.parse::<u64>().ok());
            for (number, token) in tokens {
                let number = number.parse::<u64>().map_or(json!(number), |number| json!(number));
                self.add(path, text, token, &number)?;
            }
        }
        self.read_names(path, text, config)
    }

    /// What older versions write beside it.
    pub(super) fn read_older(&mut self, folder: &Path) -> Result<()> {
        let path = folder.join(NUMBERS);
        if !self.is_complete && is_there(&path)? {
            let (text, numbers) = read_object(&path)?;
            let mut numbers: Vec<_> = numbers.iter().collect();
            numbers.sort_by_key(|(_, number)| number.as_u64());
            for (name, number) in numbers {
                self.add(&path, &text, &json!({"content": name}), number)?;
            }
        }
        let path = folder.join(MAP);
        if !self.is_complete && is_there(&path)? {
            let (text, names) = read_object(&path)?;
            self.read_names(&path, &text, &names)?;
        }
        Ok(())
    }

    /// The names of special pieces, which must be BERT's, and more of them.
    fn read_names(&mut self, path: &Path, text: &str, names: &Map<String, Value>) -> Result<()> {
        for (key, ours) in NAMES {
            let Some(found) = names.get(key).filter(|found| !found.is_null()) else { continue };
            let found = found.get("content").unwrap_or(found);
            if found != ours {
                let found = shorten(&found.to_string());
                let reason = format!("`{key}` is {found}, not \"{ours}\" as in BERT");
                return Err(Error::line(path, line_of(text, key), reason));
            }
        }
        for token in MORE.iter().filter_map(|key| names.get(*key)?.as_array()).flatten() {
            let mut token = token.clone();
            if token.is_object() {
                token["special"] = json!(true);
            }
            self.add(path, text, &token, &Value::Null)?;
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
        for Entry { token, number, place: (path, line) } in &self.found {
            let due = known.get(&*token.content).copied().unwrap_or_else(|| {
                next += 1;
                next - 1
            });
            if number.is_some_and(|number| number != due) {
                let (name, number) = (shorten(&token.content), number.unwrap_or_default());
                let reason =
                    format!("`{name}` is added with the number {number}, where {due} is due");
                return Err(Error::line(path, *line, reason));
            }
        }
        Ok(self.found.into_iter().map(|found| found.token).collect())
    }
}
