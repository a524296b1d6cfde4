//! The language model with either kind of attention, for chapter 16's training.

use crate::layer::LanguageModel;
use language_model::program::NextWord;
use language_model::shifted;
use shared::{Tape, Var};

impl NextWord for LanguageModel {
    fn logits<'t>(&self, tape: &'t Tape, texts: &[&[usize]]) -> Var<'t> {
        LanguageModel::logits(self, tape, &shifted(texts).0)
    }
}
