//! Self-attention that adds: the last token asks.

use crate::MultiHead;
use crate::positions::{Positions, token_positions};
use recurrent_networks::program::adding::Answers;
use recurrent_networks::{Gru, Recurrent, Steps};
use scoring_functions::Segments;
use shared::{Linear, Module, Rng, Var, Visitor};

/// Entries of a token, chosen for about as many parameters as chapter 4's GRU; on top of a GRU fewer.
const WIDTH: usize = 56;
const ON_GRU: usize = 42;
const HEADS: usize = 2;

pub enum Tokens {
    Alone(Linear, Option<Positions>),
    States(Gru),
}

/// One layer of self-attention, and one number that it answers after the last token.
pub struct Asker {
    /// What a token becomes before it is compared.
    pub tokens: Tokens,
    /// One layer.
    pub attention: MultiHead,
    /// (1, d_model): answers.
    pub readout: Linear,
}

impl Answers for Asker {
    /// Only the last column of Y is read, so only the last token's query is computed.
    fn answers<'t>(&self, x: Var<'t>, steps: &Steps) -> Var<'t> {
        let (x, offsets) = self.tokens(x, steps); //                          (d_model, N)
        let last: Vec<usize> = offsets[1..].iter().map(|end| end - 1).collect();
        let asks = x.select_columns(&last); //                                 (d_model, B)
        let y = self.attention.forward(asks, x, &Segments::one_each(&offsets)); // (d_model, B)
        self.readout.forward(y) //                                             (1, B)
    }
}

impl Asker {
    /// On the tokens themselves, with sinusoids for sequences of that length or without positions.
    pub fn on_tokens(longest: Option<usize>, rng: &mut Rng) -> Asker {
        let positions = longest.map(|longest| Positions::sinusoids(WIDTH, longest));
        let tokens = Tokens::Alone(Linear::new(2, WIDTH, rng), positions);
        Asker::new(tokens, WIDTH, rng)
    }

    pub fn on_gru(rng: &mut Rng) -> Asker {
        Asker::new(Tokens::States(Gru::new(2, ON_GRU, rng)), ON_GRU, rng)
    }

    fn new(tokens: Tokens, d_model: usize, rng: &mut Rng) -> Asker {
        let attention = MultiHead::new(d_model, HEADS, rng);
        Asker { tokens, attention, readout: Linear::new(d_model, 1, rng) }
    }

    /// What attention reads of packed sequences (2, N), one sequence after another, and where each
    /// begins.
    pub fn tokens<'t>(&self, x: Var<'t>, steps: &Steps) -> (Var<'t>, Vec<usize>) {
        let length = steps.len(); // of all: the adding problem has sequences of one length
        let offsets: Vec<usize> = (0..=steps.sequences()).map(|i| i * length).collect();
        let order = (0..steps.sequences()).flat_map(|i| (0..length).map(move |t| (i, t)));
        let order: Vec<usize> = order.map(|(i, t)| steps.column(i, t)).collect();
        let tokens = match &self.tokens {
            Tokens::States(gru) => gru.forward(x, steps, None).select_columns(&order),
            Tokens::Alone(embed, positions) => {
                let x = embed.forward(x.select_columns(&order));
                match positions {
                    Some(positions) => positions.add(x, &token_positions(&offsets)),
                    None => x,
                }
            }
        };
        (tokens, offsets)
    }
}

impl Module for Asker {
    fn visit(&mut self, visitor: &mut Visitor) {
        match &mut self.tokens {
            Tokens::Alone(embed, _) => visitor.module("embed", embed),
            Tokens::States(gru) => visitor.module("gru", gru),
        }
        visitor.module("attention", &mut self.attention);
        visitor.module("readout", &mut self.readout);
    }
}
