//! One block of an encoder and one of a decoder, of the reader's parts.

use super::{HEADS, Parts, SMOOTHING, WIDTH};
use scoring_functions::scaled_dot;
use self_attention::MultiHead;
use self_attention::positions::sinusoids;
use seq2seq::{Batch, Next, Ragged, Translator, log_softmax};
use shared::{Embedding, Linear, Matrix, Module, Rng, Tape, Var, Vector, Visitor};
use transformer::{LayerNorm, Transformer};

/// The chapter's parameters in the reader's hands.
pub struct Yours {
    pub parts: Parts,
    pub model: Transformer,
}

/// A source, and what is known of the words that its translation has so far.
#[derive(Clone)]
pub struct Written {
    h: Matrix,
    /// Of each head.
    caches: [Vec<(Vector, Vector)>; HEADS],
    words: usize,
}

impl Module for Yours {
    fn visit(&mut self, visitor: &mut Visitor) {
        self.model.visit(visitor);
    }
}

impl Translator for Yours {
    type State = Vec<Written>;

    fn loss<'t>(&self, tape: &'t Tape, batch: &Batch, _: Option<&mut Rng>) -> Var<'t> {
        let (source, previous) = (&batch.source, &batch.previous);
        let h = self.read(tape, source);
        let block = &self.model.decoder[0];
        let x = self.tokens(&self.model.target, tape, previous);
        let mask = (self.parts.sight)(&previous.offsets, &previous.offsets, true);
        let seen = heads(&block.attention, x, x, &mask).0;
        let x = self.norm(&block.around_attention.norm, x + seen);
        let mask = (self.parts.sight)(&previous.offsets, &source.offsets, false);
        self.smoothed(self.answer(x, h, &mask).0, &batch.target.words)
    }

    fn encode(&self, sources: &[&[usize]]) -> Vec<Written> {
        let mut state = Vec::new();
        for source in sources {
            let tape = Tape::without_gradients();
            let h = Matrix::clone(&self.read(&tape, &Ragged::new(&[source])).value());
            state.push(Written { h, caches: Default::default(), words: 0 });
        }
        state
    }

    fn next(&self, state: &mut Vec<Written>, last: &[usize]) -> Next {
        let one = |(written, word): (&mut Written, &usize)| self.one_more(written, *word);
        let (logits, alignments): (Vec<Vector>, _) = state.iter_mut().zip(last).map(one).unzip();
        Next { log_probabilities: log_softmax(&Matrix::from_columns(&logits)), alignments }
    }

    fn select(&self, state: &mut Vec<Written>, chosen: &[usize]) {
        *state = chosen.iter().map(|i| state[*i].clone()).collect();
    }
}

impl Yours {
    /// The source as tokens that know their sentence (WIDTH, m).
    fn read<'t>(&self, tape: &'t Tape, source: &Ragged) -> Var<'t> {
        let (model, block) = (&self.model, &self.model.encoder[0]);
        let x = self.tokens(model.source.as_ref().unwrap_or(&model.target), tape, source);
        let mask = (self.parts.sight)(&source.offsets, &source.offsets, false);
        let seen = heads(&block.attention, x, x, &mask).0;
        let x = self.norm(&block.around_attention.norm, x + seen);
        self.norm(&block.around_feed_forward.norm, x + block.feed_forward.forward(x))
    }

    /// From the decoder's self-attention to the logits, and where it looked.
    fn answer<'t>(&self, x: Var<'t>, h: Var<'t>, mask: &Matrix) -> (Var<'t>, Matrix) {
        let block = &self.model.decoder[0];
        let (seen, weights) = heads(&block.cross, x, h, mask);
        let x = self.norm(&block.around_cross.norm, x + seen);
        let x = self.norm(&block.around_feed_forward.norm, x + block.feed_forward.forward(x));
        (self.model.logits(x), weights)
    }

    /// The logits after one word more, and where it looked.
    fn one_more(&self, written: &mut Written, word: usize) -> (Vector, Vec<f32>) {
        let (parts, block, tape) = (self.parts, &self.model.decoder[0], &Tape::without_gradients());
        let table = self.model.target.weight.value();
        let x = (parts.decoder_tokens)(&[word], written.words, table, place);
        written.words += 1;
        let asks = column(&x).push(1.0); // so that a bias is one more column of a matrix
        let maps = [&block.attention.w_q, &block.attention.w_k, &block.attention.w_v];
        let mut contexts = Vec::new();
        for (i, cache) in written.caches.iter_mut().enumerate() {
            let [w_q, w_k, w_v] = maps.map(|map| with_bias(map).rows(i * ROWS, ROWS).into_owned());
            contexts.extend(&(parts.next_token)(cache, &asks, &w_q, &w_k, &w_v));
        }
        let contexts = tape.constant(Matrix::from_vec(WIDTH, 1, contexts));
        let seen = block.attention.w_o.forward(contexts);
        let x = self.norm(&block.around_attention.norm, tape.constant(x) + seen);
        let mask = (parts.sight)(&[0, 1], &[0, written.h.ncols()], false);
        let (logits, weights) = self.answer(x, tape.constant(written.h.clone()), &mask);
        (column(&logits.value()), weights.as_slice().to_vec())
    }

    /// Words as tokens, each sentence from place 0 on.
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
        let (parts, [gain, bias]) =
            (self.parts, [&norm.gain, &norm.bias].map(|param| x.tape().param(param)));
        let ids = [x.id(), gain.id(), bias.id()];
        let (x_, gain_) = (x.value(), column(&gain.value()));
        let y = (parts.layer_norm)(&x_, &gain_, &column(&bias.value()));
        x.tape().push(y, move |dy, gradients| {
            let (dx, dgain, dbias) = (parts.layer_norm_backward)(&x_, &gain_, &dy);
            let [dgain, dbias] =
                [dgain, dbias].map(|d| Matrix::from_column_slice(WIDTH, 1, d.as_slice()));
            ids.into_iter().zip([dx, dgain, dbias]).for_each(|(id, d)| gradients.add(id, d));
        })
    }

    fn smoothed<'t>(&self, logits: Var<'t>, targets: &[usize]) -> Var<'t> {
        let (id, x, mut sum) = (logits.id(), logits.value(), Matrix::zeros(1, 1));
        let mut dx = Matrix::zeros(x.nrows(), x.ncols());
        for (j, target) in targets.iter().enumerate() {
            let one = x.column(j).into_owned();
            let (loss, d) = (self.parts.smoothed_loss)(&one, *target, SMOOTHING);
            sum[0] += loss;
            dx.set_column(j, &d);
        }
        logits.tape().push(sum, move |dy, gradients| gradients.add(id, dx * dy[0]))
    }
}

/// Rows of a head.
const ROWS: usize = WIDTH / HEADS;

/// `x` (WIDTH, n) ask `y` (WIDTH, m) with chapter 3's scores and the reader's mask: what is added to x, and the weights
/// (m, n), the mean of the heads.
fn heads<'t>(layer: &MultiHead, x: Var<'t>, y: Var<'t>, mask: &Matrix) -> (Var<'t>, Matrix) {
    let [q, k, v] = [layer.w_q.forward(x), layer.w_k.forward(y), layer.w_v.forward(y)];
    let mut weights = mask.map(|_| 0.0);
    let mut head = |i| {
        let [q, k, v] = [q, k, v].map(|x| x.rows(i * ROWS, ROWS));
        let alpha = (scaled_dot(q, k) + x.tape().constant(mask.clone())).softmax();
        weights += &*alpha.value() / HEADS as f32;
        v * alpha
    };
    let all = (0..HEADS).map(&mut head).reduce(Var::stack).expect("a head");
    (layer.w_o.forward(all), weights)
}

fn place(i: usize) -> Vector {
    sinusoids(WIDTH, i, 1).column(0).into_owned()
}

fn column(x: &Matrix) -> Vector {
    x.column(0).into_owned()
}

/// `[W b]`
fn with_bias(map: &Linear) -> Matrix {
    let w = map.weight.value();
    let mut whole = w.clone().insert_column(w.ncols(), 0.0);
    if let Some(b) = &map.bias {
        whole.set_column(w.ncols(), &b.value().column(0));
    }
    whole
}
