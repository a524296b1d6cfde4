//! A task in which one place holds the answer, and a model that can look softly or hard.

use crate::{
    entropy, expected_loss, log_probability, look, marginal_loss, reinforce, straight_through,
};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};
use scoring_functions::General;
use shared::{Float, Linear, Matrix, Module, Param, Tape, Var, Visitor, cross_entropy, product};

/// Places in an episode.
pub const PLACES: usize = 64;
/// Questions in an episode.
pub const QUERIES: usize = 16;
/// Entries of a key and of a query.
pub const KEY: usize = 16;
/// Entries of a value.
pub const VALUE: usize = 8;
/// The digits, one of which lies at a place.
pub const DIGITS: usize = 10;
/// The share of queries that ask for place 0.
pub const FAVOURED: f64 = 0.5;
/// Standard deviation of the noise on queries and on what stands for digits.
const NOISE: Float = 0.3;

/// What never changes and nobody gives: how a query is made from a key, and what digits look like.
pub struct World {
    map: Matrix,    // (d, d): a rotation
    digits: Matrix, // (d_v, 10)
}

/// Places with keys and values, and queries that ask for them.
pub struct Episode {
    /// (d, m)
    pub keys: Matrix,
    /// (d_v, m)
    pub values: Matrix,
    /// (d, n)
    pub queries: Matrix,
    /// The place each query asks for.
    pub places: Vec<usize>,
    /// The digit that lies there.
    pub answers: Vec<usize>,
}

impl World {
    /// Draws a rotation, and ten vectors that stand for digits.
    pub fn new(rng: &mut impl Rng) -> World {
        World { map: normal(KEY, KEY, rng).qr().q(), digits: normal(VALUE, DIGITS, rng) }
    }

    /// New keys, new digits, new questions. A query is the rotated key it asks for, plus noise; a
    /// value is the vector of its digit, plus noise.
    pub fn episode(&self, rng: &mut impl Rng) -> Episode {
        let keys = normal(KEY, PLACES, rng);
        let digits: Vec<usize> = (0..PLACES).map(|_| rng.random_range(0..DIGITS)).collect();
        let places: Vec<usize> = (0..QUERIES).map(|_| asked_for(rng)).collect();
        let values = self.show(&digits, rng);
        let queries = self.ask(&keys.select_columns(&places), rng);
        let answers = places.iter().map(|place| digits[*place]).collect();
        Episode { keys, values, queries, places, answers }
    }

    /// A query for each key.
    pub fn ask(&self, keys: &Matrix, rng: &mut impl Rng) -> Matrix {
        product(&self.map, keys) + normal(KEY, keys.ncols(), rng) * NOISE
    }

    /// A value for each digit, (d_v, digits).
    pub fn show(&self, digits: &[usize], rng: &mut impl Rng) -> Matrix {
        self.digits.select_columns(digits) + normal(VALUE, digits.len(), rng) * NOISE
    }
}

/// Every second query asks for place 0, the others for any other.
fn asked_for(rng: &mut impl Rng) -> usize {
    if rng.random_bool(FAVOURED) { 0 } else { rng.random_range(1..PLACES) }
}

/// Where does the query look (a bilinear score, and a preference for each place), and which digit
/// is that (a linear layer)?
#[derive(Debug)]
pub struct Model {
    /// `qᵀWk`, W (d, d)
    pub content: General,
    /// (m, 1): added to the scores of each place, whatever its key.
    pub preference: Param,
    /// (10, d_v): from a value to the scores of digits.
    pub reader: Linear,
}

impl Module for Model {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("content.w", &mut self.content.w);
        visitor.param("preference", &mut self.preference);
        visitor.module("reader", &mut self.reader);
    }
}

/// How a model is trained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Through the expected value.
    Soft,
    /// Through the expected loss, by visiting all places.
    Enumerated,
    /// Through −ln of the probability of the answer, by visiting all places.
    Marginal,
    /// Through one look, by REINFORCE.
    Sampled {
        /// b
        baseline: Float,
        /// λ, the weight of the entropy bonus
        entropy: Float,
    },
    /// Through one look, with the gradient of soft attention.
    StraightThrough,
}

/// The losses of a batch: what was measured, and what is differentiated.
pub struct Loss<'t> {
    /// The sum of −ln p(answer), 1 × 1.
    pub plain: Var<'t>,
    /// The same with the entropy bonus, if there is one.
    pub objective: Var<'t>,
}

impl Model {
    /// Looks anywhere with the same probability; a random reader.
    pub fn new(rng: &mut impl Rng) -> Model {
        let mut content = General::new(KEY, KEY, rng);
        content.w.weight.value_mut().fill(0.0);
        let preference = Param::new(Matrix::zeros(PLACES, 1));
        Model { content, preference, reader: Linear::new(VALUE, DIGITS, rng) }
    }

    /// (m, n)
    pub fn scores<'t>(&self, tape: &'t Tape, episode: &Episode) -> Var<'t> {
        let queries = tape.constant(episode.queries.clone());
        let keys = tape.constant(episode.keys.clone());
        self.content.forward(queries, keys).add_column(tape.param(&self.preference))
    }

    /// One episode; `uniforms` decide where the n queries look, for the methods that look.
    pub fn loss<'t>(
        &self,
        tape: &'t Tape,
        episode: &Episode,
        method: Method,
        uniforms: &[Float],
    ) -> Loss<'t> {
        let scores = self.scores(tape, episode); //             (m, n)
        let values = tape.constant(episode.values.clone()); //  (d_v, m)
        let plain = match method {
            Method::Soft => self.read(values * scores.softmax(), &episode.answers),
            Method::Enumerated => {
                expected_loss(scores, self.losses(values, &episode.answers)).sum()
            }
            Method::Marginal => marginal_loss(scores, self.losses(values, &episode.answers)).sum(),
            Method::Sampled { baseline, .. } => {
                let look = look(scores, values, uniforms);
                let digits = self.reader.forward(look.contexts); // (10, n)
                let losses = -log_probability(digits, &episode.answers); // (1, n)
                reinforce(losses, look.log_probability, baseline)
            }
            Method::StraightThrough => {
                let places = look(scores, values, uniforms).places;
                self.read(straight_through(scores, values, &places), &episode.answers)
            }
        };
        let objective = match method {
            Method::Sampled { entropy: lambda, .. } if lambda > 0.0 => {
                plain - entropy(scores).sum() * lambda
            }
            _ => plain,
        };
        Loss { plain, objective }
    }

    /// −ln p(answer | context), summed: `contexts` (d_v, n).
    fn read<'t>(&self, contexts: Var<'t>, answers: &[usize]) -> Var<'t> {
        cross_entropy(self.reader.forward(contexts), answers)
    }

    /// The loss of every query had it looked at every place: `values` (d_v, m) → (1, m·n), place
    /// after place for each query. Each value is read once, whoever looks at it.
    pub fn losses<'t>(&self, values: Var<'t>, answers: &[usize]) -> Var<'t> {
        let m = values.shape().1;
        let place_of: Vec<usize> = (0..m * answers.len()).map(|pair| pair % m).collect();
        let answer_of: Vec<usize> = (0..m * answers.len()).map(|pair| answers[pair / m]).collect();
        -log_probability(self.reader.forward(values).select_columns(&place_of), &answer_of)
    }
}

/// Independent standard normal entries.
pub(crate) fn normal(rows: usize, columns: usize, rng: &mut impl Rng) -> Matrix {
    Matrix::from_fn(rows, columns, |_, _| StandardNormal.sample(rng))
}
