//! One block of an encoder and one of a decoder, of the reader's parts.

use super::{HEADS, Parts, SMOOTHING, WIDTH};
use corpora::{BEGIN, END};
use scoring_functions::scaled_dot;
use self_attention::MultiHead;
use self_attention::positions::sinusoids;
use seq2seq::Batch;
use shared::{Embedding, Linear, Matrix, Ragged, Tape, Var, Vector};
use transformer::{LayerNorm, Transformer};

/// The chapter's parameters in the reader's hands.
pub struct Yours {
    pub parts: Parts,
    pub model: Transformer,
}

/// The keys and values of the words that were written, for each head.
pub type Caches = [Vec<(Vector, Vector)>; HEADS];

impl Yours {
    /// Summed over the words of a batch.
    pub fn loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        let (source, previous, sight) = (&batch.source, &batch.previous, self.parts.sight);
        let h = self.read(tape, source);
        let block = &self.model.decoder[0];
        let x = self.tokens(&self.model.target, tape, previous);
        let mask = sight(&previous.offsets, &previous.offsets, true);
        let x = self.norm(&block.around_attention.norm, x + heads(&block.attention, [x, x], mask));
        let logits = self.answer(x, h, sight(&previous.offsets, &source.offsets, false));
        let (x, targets) = (logits.value(), &batch.target.words);
        let columns = targets.iter().enumerate().map(|(j, target)| {
            (self.parts.smoothed_loss)(&x.column(j).into_owned(), *target, SMOOTHING)
        });
        let (losses, dx): (Vec<f32>, Vec<Vector>) = columns.unzip();
        let (sum, dx) = (losses.iter().sum(), Matrix::from_columns(&dx));
        tape.push([logits], Matrix::from_element(1, 1, sum), move |dy, [x_id], gradients| {
            gradients.add(x_id, dx * dy[0])
        })
    }

    /// The source as tokens that know their sentence (WIDTH, m).
    pub fn read<'t>(&self, tape: &'t Tape, source: &Ragged) -> Var<'t> {
        let (model, block) = (&self.model, &self.model.encoder[0]);
        let x = self.tokens(model.source.as_ref().unwrap_or(&model.target), tape, source);
        let mask = (self.parts.sight)(&source.offsets, &source.offsets, false);
        let x = self.norm(&block.around_attention.norm, x + heads(&block.attention, [x, x], mask));
        self.norm(&block.around_feed_forward.norm, x + block.feed_forward.forward(x))
    }

    /// From the decoder's self-attention to the logits.
    fn answer<'t>(&self, x: Var<'t>, h: Var<'t>, mask: Matrix) -> Var<'t> {
        let block = &self.model.decoder[0];
        let x = self.norm(&block.around_cross.norm, x + heads(&block.cross, [x, h], mask));
        let x = self.norm(&block.around_feed_forward.norm, x + block.feed_forward.forward(x));
        self.model.logits(x)
    }

    /// The logits of the word after this one.
    pub fn next(&self, h: Var, caches: &mut Caches, word: usize) -> Matrix {
        let (parts, block, tape) = (self.parts, &self.model.decoder[0], h.tape());
        let table = self.model.target.weight.value();
        let x = (parts.decoder_tokens)(&[word], caches[0].len(), table, place);
        let asks = column(&x).push(1.0); // so that a bias is one more column of a matrix
        let maps = [&block.attention.w_q, &block.attention.w_k, &block.attention.w_v];
        let mut contexts = Vec::new();
        for (i, cache) in caches.iter_mut().enumerate() {
            let [w_q, w_k, w_v] = maps.map(|map| with_bias(map).rows(i * ROWS, ROWS).into_owned());
            contexts.extend(&(parts.next_token)(cache, &asks, &w_q, &w_k, &w_v));
        }
        let contexts = tape.constant(Matrix::from_vec(WIDTH, 1, contexts));
        let seen = block.attention.w_o.forward(contexts);
        let x = self.norm(&block.around_attention.norm, tape.constant(x) + seen);
        let mask = (parts.sight)(&[0, 1], &[0, h.shape().1], false);
        Matrix::clone(&self.answer(x, h, mask).value())
    }

    /// Word by word, always the likeliest, with the end.
    pub fn translate(&self, source: &[usize]) -> Vec<usize> {
        let (tape, mut caches) = (Tape::no_grad(), Caches::default());
        let mut words = vec![BEGIN];
        let h = self.read(&tape, &Ragged::new(&[source]));
        while words.len() < 20 && words.last() != Some(&END) {
            words.push(self.next(h, &mut caches, words[words.len() - 1]).column(0).imax());
        }
        words.split_off(1)
    }

    /// Words as tokens, each sentence from position 0 on.
    fn tokens<'t>(&self, table: &Embedding, tape: &'t Tape, words: &Ragged) -> Var<'t> {
        let vectors = table.forward(tape, &words.words) * (WIDTH as f32).sqrt(); // for the gradient
        let mut x = Matrix::clone(&vectors.value());
        for (sentence, first) in words.iter().zip(&words.offsets) {
            let tokens = (self.parts.decoder_tokens)(sentence, 0, table.weight.value(), place);
            x.columns_mut(*first, sentence.len()).copy_from(&tokens);
        }
        vectors + tape.constant(x - &*vectors.value())
    }

    fn norm<'t>(&self, norm: &LayerNorm, x: Var<'t>) -> Var<'t> {
        let [gain, bias] = [&norm.weight, &norm.bias].map(|param| x.tape().param(param));
        let parts = self.parts;
        let (x_, gain_) = (x.value(), column(&gain.value()));
        let y = (parts.layer_norm)(&x_, &gain_, &column(&bias.value()));
        x.tape().push([x, gain, bias], y, move |dy, ids, gradients| {
            let (dx, dgain, dbias) = (parts.layer_norm_backward)(&x_, &gain_, &dy);
            let [dgain, dbias] = [dgain, dbias].map(|d| Matrix::from_columns(&[d]));
            ids.into_iter().zip([dx, dgain, dbias]).for_each(|(id, d)| gradients.add(id, d));
        })
    }
}

const ROWS: usize = WIDTH / HEADS; // of a head

/// `x` (WIDTH, n) ask `y` (WIDTH, m) with chapter 3's scores and the reader's mask: what is added to x.
fn heads<'t>(layer: &MultiHead, [x, y]: [Var<'t>; 2], mask: Matrix) -> Var<'t> {
    let [q, k, v] = [layer.w_q.forward(x), layer.w_k.forward(y), layer.w_v.forward(y)];
    let mask = x.tape().constant(mask);
    let heads = (0..HEADS).map(|i| {
        let [q, k, v] = [q, k, v].map(|x| x.rows(i * ROWS, ROWS));
        v * (scaled_dot(q, k) + mask).softmax()
    });
    layer.w_o.forward(heads.reduce(Var::stack).expect("a head"))
}

fn place(i: usize) -> Vector {
    column(&sinusoids(WIDTH, i, 1))
}

fn column(x: &Matrix) -> Vector {
    x.column(0).into_owned()
}

/// `[W b]`
fn with_bias(map: &Linear) -> Matrix {
    let w = map.weight.value();
    let bias = map.bias.as_ref().map_or(Vector::zeros(w.nrows()), |b| column(b.value()));
    Matrix::from_fn(w.nrows(), w.ncols() + 1, |i, j| w.get((i, j)).copied().unwrap_or(bias[i]))
}
