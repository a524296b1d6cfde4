//! The three cells that are compared.

/// The three cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Plain.
    Rnn,
    /// Gated recurrent unit.
    Gru,
    /// Long short-term memory.
    Lstm,
}

impl Cell {
    /// All three.
    pub const ALL: [Cell; 3] = [Cell::Rnn, Cell::Gru, Cell::Lstm];

    /// As results name it.
    pub fn name(self) -> &'static str {
        ["rnn", "gru", "lstm"][self as usize]
    }
}
