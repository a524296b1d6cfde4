//! A file of JSON, field by field.

use super::shorten;
use crate::error::{Error, Result};
use serde_json::{Map, Value, json};
use shared::Float;
use std::path::PathBuf;

/// The fields of a file of JSON that describes a model, each checked where it is read; `null` is as good as none.
pub struct Fields {
    path: PathBuf,
    fields: Map<String, Value>,
}

impl Fields {
    /// The fields of a file's bytes.
    ///
    /// # Errors
    /// When they are no object of JSON.
    pub fn parse(path: PathBuf, bytes: &[u8]) -> Result<Fields> {
        let fields = serde_json::from_slice(bytes).map_err(|error| {
            let reason = error.to_string();
            let reason = reason.split(" at line ").next().unwrap_or_default();
            Error::line(&path, error.line() as u64, format!("not a JSON object: {reason}"))
        })?;
        Ok(Fields { path, fields })
    }

    /// A field, if it is there.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    /// The error that refuses a field.
    pub fn refuse(&self, name: &str, reason: String) -> Error {
        Error::file(&self.path, format!("`{name}` {reason}"))
    }

    /// The error that refuses a field by what it holds and what is needed.
    pub fn needed(&self, name: &str, value: &Value, needed: &str) -> Error {
        let value = shorten(&value.to_string());
        self.refuse(name, format!("is {value}, {needed} is needed"))
    }

    /// Refuses a field that says otherwise; it may also be missing.
    ///
    /// # Errors
    /// When it says otherwise.
    pub fn must_be(&self, name: &str, ours: Value) -> Result<()> {
        match self.get(name) {
            Some(value) if *value != ours => Err(self.needed(name, value, &ours.to_string())),
            _ => Ok(()),
        }
    }

    /// The same for a name that may be one of these.
    ///
    /// # Errors
    /// When it is none of them.
    pub fn must_be_one_of(&self, name: &str, ours: &[&str]) -> Result<()> {
        match self.get(name) {
            Some(value) if !ours.iter().any(|ours| value == ours) => {
                Err(self.needed(name, value, &json!(ours[0]).to_string()))
            }
            _ => Ok(()),
        }
    }

    /// A whole number from 1 to `most`.
    ///
    /// # Errors
    /// When it is missing without a default, or none.
    pub fn size(&self, name: &str, default: Option<usize>, most: usize) -> Result<usize> {
        let Some(value) = self.get(name) else {
            return default.ok_or_else(|| self.refuse(name, "is missing".to_owned()));
        };
        let size = value.as_u64().and_then(|size| usize::try_from(size).ok());
        size.filter(|size| (1..=most).contains(size))
            .ok_or_else(|| self.needed(name, value, &format!("a whole number from 1 to {most}")))
    }

    /// A probability below 1.
    ///
    /// # Errors
    /// When it is none.
    pub fn share(&self, name: &str, default: Float) -> Result<Float> {
        let Some(value) = self.get(name) else { return Ok(default) };
        let share = value.as_f64().map(|share| share as Float);
        let share = share.filter(|share| (0.0..1.0).contains(share));
        share.ok_or_else(|| self.needed(name, value, "a number from 0 to below 1"))
    }

    /// A number above 0 and below 1.
    ///
    /// # Errors
    /// When it is none.
    pub fn small(&self, name: &str, default: Float) -> Result<Float> {
        let Some(value) = self.get(name) else { return Ok(default) };
        let small = value.as_f64().map(|small| small as Float);
        let small = small.filter(|small| *small > 0.0 && *small < 1.0);
        small.ok_or_else(|| self.needed(name, value, "a number between 0 and 1"))
    }

    /// True or false.
    ///
    /// # Errors
    /// When it is neither.
    pub fn switch(&self, name: &str, default: bool) -> Result<bool> {
        let Some(value) = self.get(name) else { return Ok(default) };
        value.as_bool().ok_or_else(|| self.needed(name, value, "true or false"))
    }

    /// A list of names, empty if there is none.
    ///
    /// # Errors
    /// When it is none.
    pub fn names(&self, name: &str) -> Result<Vec<String>> {
        let Some(value) = self.get(name) else { return Ok(Vec::new()) };
        let names = serde_json::from_value(value.clone());
        names.map_err(|_| self.needed(name, value, "a list of names"))
    }
}
