//! The inputs of a layer.

use shared::Var;

/// What a layer reads: a vector for every token. Where tokens repeat, as words do, the distinct
/// vectors are enough, and `W x` is computed once for each of them.
///
/// ```
/// use recurrent_networks::{Gru, Inputs, Recurrent, Steps};
/// use shared::{Matrix, Tape};
/// let layer = Gru::new(2, 5, &mut shared::rng(0));
/// let (tape, steps) = (Tape::new(), Steps::new(&[3, 1]));
/// let words = tape.constant(Matrix::from_row_slice(2, 2, &[0.1, 0.2, 0.3, 0.4]));
/// let places = vec![1, 0, 1, 1]; // step by step: 1 0 | 1 | 1
/// let each = layer.forward(words.select_columns(&places), &steps, None);
/// let once = layer.forward(Inputs { vectors: words, places: Some(places) }, &steps, None);
/// tests::assert_close!(once.value(), each.value(), 5e-7);
/// ```
#[derive(Clone)]
pub struct Inputs<'t> {
    /// (I, N): a column a token; or (I, u): a column a distinct vector.
    pub vectors: Var<'t>,
    /// The column of each token's vector; none: token `j` has column `j`.
    pub places: Option<Vec<usize>>,
}

impl<'t> From<Var<'t>> for Inputs<'t> {
    fn from(vectors: Var<'t>) -> Inputs<'t> {
        Inputs { vectors, places: None }
    }
}
