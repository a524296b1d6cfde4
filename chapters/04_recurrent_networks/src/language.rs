//! A network that writes: words as numbers, as vectors, and as a probability of what comes next.

use crate::layers::Recurrent;
use crate::stack::Stack;
use crate::steps::Steps;
use rand::{Rng, RngExt};
use shared::{
    Embedding, Float, Linear, Matrix, Module, Tape, Var, Visitor, cross_entropy, elementwise,
};

/// A recurrent language model (Mikolov et al. 2010): after every word, how probable is each word as
/// the next one?
#[derive(Debug)]
pub struct LanguageModel<L> {
    /// (E, V): column `i` is the vector of word `i`.
    pub words: Embedding,
    /// Read the vectors.
    pub layers: Stack<L>,
    /// (V, H): makes of a state a number for each word.
    pub readout: Linear,
}

impl<L: Recurrent> LanguageModel<L> {
    /// Fresh weights for a vocabulary of `words`, vectors of `width` entries, `layers` of `hidden`
    /// units.
    pub fn new(
        words: usize,
        width: usize,
        hidden: usize,
        layers: usize,
        rng: &mut impl Rng,
    ) -> Self {
        LanguageModel {
            words: Embedding::new(words, width, rng),
            layers: Stack::new(width, hidden, layers, 0.0, rng),
            readout: Linear::new(hidden, words, rng),
        }
    }

    // ANCHOR: loss
    /// The logits (V, N) of what follows each word of packed sentences.
    pub fn forward<'t>(&self, tape: &'t Tape, words: &[usize], steps: &Steps) -> Var<'t> {
        let x = self.words.forward(tape, words); //             (E, N)
        let h = self.layers.forward(x, steps, None); //   (H, N) a layer
        self.readout.forward(*h.last().expect("a layer")) //    (V, N)
    }

    /// The cross-entropy in nats, summed over all words: column `j` is to predict `next[j]`.
    pub fn loss<'t>(
        &self,
        tape: &'t Tape,
        words: &[usize],
        next: &[usize],
        steps: &Steps,
    ) -> Var<'t> {
        cross_entropy(self.forward(tape, words, steps), next)
    }
    // ANCHOR_END: loss
}

// ANCHOR: write
impl<L: for<'t> Recurrent<State<'t> = Var<'t>>> LanguageModel<L> {
    /// A sentence, word by word: each is drawn, then read as the next input. It ends where the word
    /// `end` is drawn, or after `longest` words.
    pub fn write(
        &self,
        [begin, end]: [usize; 2],
        longest: usize,
        temperature: Float,
        rng: &mut impl Rng,
    ) -> Vec<usize> {
        let (one, tape) = (Steps::new(&[1]), Tape::no_grad());
        let (mut word, mut text, mut h) = (begin, Vec::new(), None);
        while text.len() < longest {
            let x = self.words.forward(&tape, &[word]); //                  (E, 1)
            let states = self.layers.forward(x, &one, h.as_deref());
            let logits = self.readout.forward(*states.last().expect("a layer"));
            word = draw(logits.value().as_slice(), temperature, rng.random());
            if word == end {
                break;
            }
            text.push(word);
            h = Some(states);
        }
        text
    }
}
// ANCHOR_END: write

// ANCHOR: draw
/// One of the words, in proportion to `softmax(logits / temperature)`. `ticket`, from `U(0, 1)`,
/// decides which: the words lie side by side on a line of length 1, each as long as it is probable.
///
/// ```
/// use recurrent_networks::draw;
/// let logits = [0.0, 1.0, 0.0]; //                   probabilities 0.21, 0.58, 0.21
/// assert_eq!([0.1, 0.5, 0.9].map(|ticket| draw(&logits, 1.0, ticket)), [0, 1, 2]);
/// assert_eq!([0.1, 0.5, 0.9].map(|ticket| draw(&logits, 0.1, ticket)), [1, 1, 1]);
/// ```
///
/// # Panics
/// When the temperature is not positive.
pub fn draw(logits: &[Float], temperature: Float, mut ticket: Float) -> usize {
    assert!(temperature > 0.0, "a temperature of {temperature}");
    let mut p = Matrix::from_column_slice(logits.len(), 1, logits) / temperature;
    elementwise::softmax_columns(&mut p);
    for (word, p) in p.iter().enumerate() {
        if ticket < *p {
            return word;
        }
        ticket -= p;
    }
    p.column(0).imax() // rounding may leave the last tickets to nobody
}
// ANCHOR_END: draw

impl<L: Recurrent> Module for LanguageModel<L> {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        visitor.module("layers", &mut self.layers);
        visitor.module("readout", &mut self.readout);
    }
}
