//! A task that takes several looks: what is found at a place says where to look next.
//!
//! The world is that of [`retrieval`](crate::retrieval), its episodes are others. Every place has a key,
//! and holds a digit and a *note*: the rotated key of another place. The first query is given; the
//! others are the notes that were found. After each look the model says which digit lies there (or, in a
//! harder version, after the last look only).

use crate::retrieval::{DIGITS, KEY, VALUE, World, normal};
use crate::sequence::{Credit, reinforce_in_turn};
use crate::{log_probability, look};
use rand::{Rng, RngExt};
use scoring_functions::General;
use shared::{Float, Linear, Matrix, Module, Tape, Var, Visitor};

/// Places in an episode.
pub const PLACES: usize = 8;
/// Looks of a query.
pub const LOOKS: usize = 3;
/// Queries in an episode.
pub const QUERIES: usize = 16;

/// After which looks an answer is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// After each.
    Always,
    /// After the last.
    AtTheEnd,
}

/// Places, and where each query leads.
pub struct Episode {
    /// (d, m)
    pub keys: Matrix,
    /// (d_v + d, m): what stands for the digit, and below it the note.
    pub values: Matrix,
    /// (d, n): where each first look should go.
    pub queries: Matrix,
    /// By look: the place where each query should look.
    pub places: Vec<Vec<usize>>,
    /// By look: the digit there.
    pub answers: Vec<Vec<usize>>,
}

impl World {
    /// New keys, new digits, new trails. A note is a query for the next place.
    pub fn trails(&self, rng: &mut impl Rng) -> Episode {
        let keys = normal(KEY, PLACES, rng);
        let digits: Vec<usize> = (0..PLACES).map(|_| rng.random_range(0..DIGITS)).collect();
        let next: Vec<usize> =
            (0..PLACES).map(|i| (i + rng.random_range(1..PLACES)) % PLACES).collect();
        let shown = self.show(&digits, rng);
        let notes = self.ask(&keys.select_columns(&next), rng);
        let values = Matrix::from_fn(VALUE + KEY, PLACES, |i, j| {
            if i < VALUE { shown[(i, j)] } else { notes[(i - VALUE, j)] }
        });
        let first: Vec<usize> = (0..QUERIES).map(|_| rng.random_range(0..PLACES)).collect();
        let queries = self.ask(&keys.select_columns(&first), rng);
        let onwards = |at: &Vec<usize>| Some(at.iter().map(|place| next[*place]).collect());
        let places: Vec<Vec<usize>> =
            std::iter::successors(Some(first), onwards).take(LOOKS).collect();
        let said = |at: &Vec<usize>| at.iter().map(|place| digits[*place]).collect();
        let answers = places.iter().map(said).collect();
        Episode { keys, values, queries, places, answers }
    }
}

/// Where to look (bilinear scores), and which digit is that (a linear layer)?
#[derive(Debug)]
pub struct Model {
    /// `qᵀWk`, W (d, d): one for all looks, or one for each.
    pub content: Vec<General>,
    /// (10, d_v): from what was found to the scores of digits.
    pub reader: Linear,
}

impl Module for Model {
    fn visit(&mut self, visitor: &mut Visitor) {
        for (i, content) in self.content.iter_mut().enumerate() {
            visitor.module(&format!("content.{i}.w"), &mut content.w);
        }
        visitor.module("reader", &mut self.reader);
    }
}

/// How a model is trained.
#[derive(Clone, Debug, PartialEq)]
pub enum Method {
    /// Through the expected values: mixtures of digits, and of notes.
    Soft,
    /// Through the expected loss, all sequences of looks taken together.
    Exact,
    /// Through one sequence of looks.
    Looks {
        /// What each look answers for.
        credit: Credit,
        /// One number a look.
        baselines: Vec<Float>,
    },
}

/// The losses of an episode.
pub struct Loss<'t> {
    /// Their sum over looks and queries, 1 × 1: differentiated.
    pub sum: Var<'t>,
    /// By look (1, n), for the methods that look.
    pub by_look: Vec<Matrix>,
}

impl Model {
    /// Looks anywhere with the same probability; a random reader. `scores` is 1, for one W that all
    /// looks share, or [`LOOKS`].
    pub fn new(scores: usize, rng: &mut impl Rng) -> Model {
        let mut content: Vec<General> = (0..scores).map(|_| General::new(KEY, KEY, rng)).collect();
        content.iter_mut().for_each(|score| score.w.weight.value_mut().fill(0.0));
        Model { content, reader: Linear::new(VALUE, DIGITS, rng) }
    }

    /// Queries (d, n) of look i → scores of the places (m, n).
    pub fn scores<'t>(&self, i: usize, queries: Var<'t>, episode: &Episode) -> Var<'t> {
        let keys = queries.tape().constant(episode.keys.clone());
        self.content[i.min(self.content.len() - 1)].forward(queries, keys)
    }

    /// The digits' scores for what was found (d_v + d, n) → (10, n).
    pub fn read<'t>(&self, found: Var<'t>) -> Var<'t> {
        self.reader.forward(found.rows(0, VALUE))
    }

    /// One episode; `uniforms` decide where the n queries look, look after look.
    pub fn loss<'t>(
        &self,
        tape: &'t Tape,
        episode: &Episode,
        asked: Asked,
        method: &Method,
        uniforms: &[Float],
    ) -> Loss<'t> {
        match method {
            Method::Exact => self.expected(tape, episode, asked),
            Method::Soft => self.soft(tape, episode, asked),
            Method::Looks { credit, baselines } => {
                self.looks(tape, episode, asked, (*credit, baselines), uniforms)
            }
        }
    }

    fn looks<'t>(
        &self,
        tape: &'t Tape,
        episode: &Episode,
        asked: Asked,
        (credit, baselines): (Credit, &[Float]),
        uniforms: &[Float],
    ) -> Loss<'t> {
        let values = tape.constant(episode.values.clone()); // (d_v + d, m)
        let mut query = tape.constant(episode.queries.clone()); // (d, n)
        let (mut losses, mut log_probabilities) = (Vec::new(), Vec::new());
        for (i, uniforms) in uniforms.chunks(query.shape().1).enumerate() {
            let look = look(self.scores(i, query, episode), values, uniforms);
            losses.push(self.loss_of(look.contexts, episode, asked, i)); // (1, n)
            log_probabilities.push(look.log_probability);
            query = look.contexts.rows(VALUE, KEY); // the note that was found
        }
        let by_look = losses.iter().map(|l| Matrix::clone(&l.value())).collect();
        let sum = reinforce_in_turn(&losses, &log_probabilities, credit, baselines);
        Loss { sum, by_look }
    }

    fn soft<'t>(&self, tape: &'t Tape, episode: &Episode, asked: Asked) -> Loss<'t> {
        let values = tape.constant(episode.values.clone());
        let mut query = tape.constant(episode.queries.clone());
        let mut sum = tape.constant(Matrix::zeros(1, 1));
        for i in 0..LOOKS {
            let context = values * self.scores(i, query, episode).softmax(); // (d_v + d, n)
            sum = sum + self.loss_of(context, episode, asked, i).sum();
            query = context.rows(VALUE, KEY);
        }
        Loss { sum, by_look: Vec::new() }
    }

    /// −ln p(answer) after look i, (1, n); zeros when nobody asks.
    fn loss_of<'t>(&self, found: Var<'t>, episode: &Episode, asked: Asked, i: usize) -> Var<'t> {
        match asked {
            Asked::AtTheEnd if i + 1 < LOOKS => {
                found.tape().constant(Matrix::zeros(1, found.shape().1))
            }
            _ => -log_probability(self.read(found), &episode.answers[i]),
        }
    }

    /// The expected loss of all 8³ sequences of looks, without visiting one after the other: where
    /// look i goes depends on nothing but where the one before went. So the probabilities of the places,
    /// look after look, are `Pᵢ = Aᵢ·Pᵢ₋₁`, with one column of A for each note.
    fn expected<'t>(&self, tape: &'t Tape, episode: &Episode, asked: Asked) -> Loss<'t> {
        let queries = tape.constant(episode.queries.clone());
        let notes = tape.constant(episode.values.rows(VALUE, KEY).into_owned());
        let mut chances = self.scores(0, queries, episode).softmax(); // P₁ (m, n)
        let ln_p = self.log_probabilities(tape, episode); // (10, m)
        let mut sum = tape.constant(Matrix::zeros(1, 1));
        for i in 0..LOOKS {
            if i > 0 {
                chances = self.scores(i, notes, episode).softmax() * chances; // A (m, m) from column to row
            }
            if asked == Asked::Always || i + 1 == LOOKS {
                let answers = tape.constant(one_hot(&episode.answers[i])); // (10, n)
                sum = sum - ln_p.tr_mul(answers).component_mul(chances).sum(); // Σ P ⊙ ℓ
            }
        }
        Loss { sum, by_look: Vec::new() }
    }

    /// ln p(digit) of what lies at each place, (10, m).
    fn log_probabilities<'t>(&self, tape: &'t Tape, episode: &Episode) -> Var<'t> {
        let scores = self.read(tape.constant(episode.values.clone()));
        (0..DIGITS)
            .map(|digit| log_probability(scores, &[digit; PLACES]))
            .reduce(|above, below| above.stack(below))
            .expect("there are digits")
    }
}

/// A column for each answer: 1 at it, 0 elsewhere.
fn one_hot(answers: &[usize]) -> Matrix {
    let entry = |i: usize, j: usize| if i == answers[j] { 1.0 } else { 0.0 };
    Matrix::from_fn(DIGITS, answers.len(), entry)
}
