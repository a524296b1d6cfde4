//! Sentences in two languages.

/// A sentence and its translation, as words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The words to translate.
    pub source: Vec<String>,
    /// Their translation.
    pub target: Vec<String>,
    /// Which word translates which, where somebody knows.
    pub alignment: Option<Alignment>,
}

/// Which words translate which: links (place in the source, place in the target), counted from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    /// The links nobody would dispute.
    pub sure: Vec<(usize, usize)>,
    /// Further links that are as good as their absence, such as that of an article which one of
    /// the two languages lacks.
    pub possible: Vec<(usize, usize)>,
}
