//! The three cells that are compared.

use workbench::figure::colour::{self, Colour};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    Rnn,
    Gru,
    Lstm,
}

impl Cell {
    pub const ALL: [Cell; 3] = [Cell::Rnn, Cell::Gru, Cell::Lstm];

    pub fn name(self) -> &'static str {
        ["rnn", "gru", "lstm"][self as usize]
    }

    pub fn shown(self) -> (&'static str, Colour) {
        [("plain", colour::PLAIN), ("GRU", colour::GRU), ("LSTM", colour::LSTM)][self as usize]
    }
}
