//! Which words of a sentence belong together.

/// What one word is to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// *the* to *cats*
    Determiner,
    /// *black* to *cats*; not in *the cats are black*
    Adjective,
    /// *cats* to *see*: to the verb that agrees with it, the first of *do not see*. In *the cats that
    /// see*, too, it is *cats*; of two, as in *anna and the boy*, it is nobody.
    Subject,
}

/// Two English words that belong together, by their places in the sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// What one is to the other.
    pub relation: Relation,
    /// The place of the one: *the*, *black*, *cats*.
    pub dependent: usize,
    /// The place of the other: *cats*, *cats*, *see*.
    pub head: usize,
}
