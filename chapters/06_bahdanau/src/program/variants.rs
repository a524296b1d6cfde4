//! What a decoder would do next with another memory: hypotheses that each have annotations of their
//! own, moved in one step.

use crate::State;
use shared::Matrix;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) struct Variant {
    /// The annotations (c, m).
    pub(super) values: Matrix,
    /// The annotations as keys (h, m).
    pub(super) keys: Matrix,
    /// The state of every layer (H, 1).
    pub(super) hidden: Vec<Matrix>,
}

impl Variant {
    pub(super) fn of(state: &State, number: usize) -> Variant {
        let own = state.sources[number].clone();
        let part = |x: &Matrix| x.columns(own.start, own.len()).into_owned();
        let hidden = state.hidden.iter().map(|s| s.columns(number, 1).into_owned());
        Variant { values: part(&state.values), keys: part(&state.keys), hidden: hidden.collect() }
    }

    /// How many source words it can look at, the end word included.
    pub(super) fn words(&self) -> usize {
        self.values.ncols()
    }

    /// The same without annotation `j`: nothing can be looked at there, and the weights of the
    /// others are normalised among themselves.
    pub(super) fn without(&self, j: usize) -> Variant {
        let [values, keys] = [&self.values, &self.keys].map(|x| x.clone().remove_column(j));
        Variant { values, keys, hidden: self.hidden.clone() }
    }

    pub(super) fn only(&self, j: usize) -> Variant {
        let [values, keys] = [&self.values, &self.keys].map(|x| x.columns(j, 1).into_owned());
        Variant { values, keys, hidden: self.hidden.clone() }
    }

    /// The weights handed to other annotations: that of `order[j]` goes to `j`.
    pub(super) fn permuted(&self, order: &[usize]) -> Variant {
        Variant { keys: self.keys.select_columns(order), ..self.clone() }
    }

    /// Keys that all score the same: every word has the same weight.
    pub(super) fn uniform(&self) -> Variant {
        Variant { keys: self.keys.map(|_| 0.0), ..self.clone() }
    }

    /// With the annotations `j` of another reading in the place of its own.
    pub(super) fn with_annotations(mut self, j: &[usize], other: &Variant) -> Variant {
        for &j in j {
            self.values.set_column(j, &other.values.column(j));
            self.keys.set_column(j, &other.keys.column(j));
        }
        self
    }
}

/// All of them as hypotheses of one state.
pub(super) fn together(variants: &[Variant]) -> State {
    let mut end = 0;
    let own = |variant: &Variant| {
        let start = end;
        end += variant.words();
        start..end
    };
    let sources = variants.iter().map(own).collect();
    let layers = 0..variants[0].hidden.len();
    State {
        values: Arc::new(beside(variants.iter().map(|v| &v.values))),
        keys: Arc::new(beside(variants.iter().map(|v| &v.keys))),
        sources,
        hidden: layers.map(|l| Arc::new(beside(variants.iter().map(|v| &v.hidden[l])))).collect(),
    }
}

fn beside<'m>(parts: impl Iterator<Item = &'m Matrix>) -> Matrix {
    let (mut rows, mut entries) = (0, Vec::new());
    for part in parts {
        rows = part.nrows();
        entries.extend_from_slice(part.as_slice());
    }
    Matrix::from_vec(rows, entries.len() / rows, entries)
}
