//! One block of an encoder and one of a decoder, of the reader's parts.

use super::{HEADS, Parts, SMOOTHING, WIDTH};
use corpora::{BEGIN, END, UNKNOWN};
use scoring_functions::scaled_dot;
use self_attention::MultiHead;
use self_attention::positions::sinusoids;
use seq2seq::Batch;
use seq2seq::decoding::word_limit;
use shared::{Embedding, Linear, Matrix, Ragged, Tape, Var, Vector};
use transformer::{LayerNorm, Transformer};

/// Rows of a head.
const D: usize = WIDTH / HEADS;

fn place(i: usize) -> Vector {
    sinusoids(WIDTH, i, 1).column(0).into_owned()
}

impl Parts {
    /// The summed loss of a batch.
    pub fn loss<'t>(self, model: &Transformer, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        let h = self.encode(model, tape, &batch.source);
        let x = self.ask(model, tape, &batch.previous);
        let mask = (self.sight)(&batch.previous.offsets, &batch.source.offsets, false);
        let logits = model.logits(self.answer(model, x, h, &mask));
        self.smoothed(logits, &batch.target.words)
    }

    /// The source as tokens that know their sentence (WIDTH, m).
    fn encode<'t>(self, model: &Transformer, tape: &'t Tape, source: &Ragged) -> Var<'t> {
        let block = &model.encoder[0];
        let x = self.tokens(model.source.as_ref().unwrap_or(&model.target), tape, source);
        let mask = (self.sight)(&source.offsets, &source.offsets, false);
        let x =
            self.norm(&block.around_attention.norm, x + self.heads(&block.attention, x, x, &mask));
        self.norm(&block.around_feed_forward.norm, x + block.feed_forward.forward(x))
    }

    /// The first part of the decoder's block: the words before (WIDTH, n).
    fn ask<'t>(self, model: &Transformer, tape: &'t Tape, previous: &Ragged) -> Var<'t> {
        let block = &model.decoder[0];
        let x = self.tokens(&model.target, tape, previous);
        let mask = (self.sight)(&previous.offsets, &previous.offsets, true);
        self.norm(&block.around_attention.norm, x + self.heads(&block.attention, x, x, &mask))
    }

    /// The others: the look across, and the position-wise network.
    fn answer<'t>(self, model: &Transformer, x: Var<'t>, h: Var<'t>, mask: &Matrix) -> Var<'t> {
        let block = &model.decoder[0];
        let x = self.norm(&block.around_cross.norm, x + self.heads(&block.cross, x, h, mask));
        self.norm(&block.around_feed_forward.norm, x + block.feed_forward.forward(x))
    }

    /// Words as tokens, each sentence from place 0 on.
    fn tokens<'t>(self, table: &Embedding, tape: &'t Tape, words: &Ragged) -> Var<'t> {
        let table = tape.param(&table.weight);
        let (values, d_table, list) = (table.value(), table.id(), words.words.clone());
        let mut x = Matrix::zeros(WIDTH, list.len());
        for (sentence, first) in words.iter().zip(&words.offsets) {
            let tokens = (self.decoder_tokens)(sentence, 0, &values, place);
            x.columns_mut(*first, sentence.len()).copy_from(&tokens);
        }
        tape.push(x, move |dx, gradients| {
            let scale = (WIDTH as f32).sqrt();
            gradients.update(d_table, |d_table| {
                for (word, dx) in list.iter().zip(dx.column_iter()) {
                    d_table.column_mut(*word).axpy(scale, &dx, 1.0);
                }
            });
        })
    }

    /// All heads: `x` (WIDTH, n) ask `y` (WIDTH, m).
    fn heads<'t>(self, layer: &MultiHead, x: Var<'t>, y: Var<'t>, mask: &Matrix) -> Var<'t> {
        let [q, k, v] = [layer.w_q.forward(x), layer.w_k.forward(y), layer.w_v.forward(y)];
        let head = |i| {
            let [q, k, v] = [q, k, v].map(|x| x.rows(i * D, D));
            v * weights(q, k, mask)
        };
        layer.w_o.forward((0..HEADS).map(head).reduce(Var::stack).expect("a head"))
    }

    fn norm<'t>(self, norm: &LayerNorm, x: Var<'t>) -> Var<'t> {
        let [gain, bias] = [&norm.gain, &norm.bias].map(|param| x.tape().param(param));
        let ids = [x.id(), gain.id(), bias.id()];
        let (x_, gain_) = (x.value(), column(&gain.value()));
        let y = (self.layer_norm)(&x_, &gain_, &column(&bias.value()));
        x.tape().push(y, move |dy, gradients| {
            let (dx, dgain, dbias) = (self.layer_norm_backward)(&x_, &gain_, &dy);
            gradients.add(ids[0], dx);
            for (id, d) in ids[1..].iter().zip([dgain, dbias]) {
                gradients.add(*id, Matrix::from_column_slice(WIDTH, 1, d.as_slice()));
            }
        })
    }

    fn smoothed<'t>(self, logits: Var<'t>, targets: &[usize]) -> Var<'t> {
        let (x, mut sum) = (logits.value(), 0.0);
        let mut dx = Matrix::zeros(x.nrows(), x.ncols());
        for (j, target) in targets.iter().enumerate() {
            let one = x.column(j).into_owned();
            let (loss, d) = (self.smoothed_loss)(&one, *target, SMOOTHING);
            sum += loss;
            dx.set_column(j, &d);
        }
        let id = logits.id();
        logits.tape().push(Matrix::from_element(1, 1, sum), move |dy, gradients| {
            gradients.add(id, dx * dy[0]);
        })
    }

    /// The weights of the look across while the target is dictated (source words, target words), the
    /// mean of the heads.
    pub fn cross_weights(
        self,
        model: &Transformer,
        (source, target): (&[usize], &[usize]),
    ) -> Matrix {
        let tape = &Tape::without_gradients();
        let batch = Batch::new(&[(source, target)], BEGIN);
        let h = self.encode(model, tape, &batch.source);
        let x = self.ask(model, tape, &batch.previous);
        let mask = (self.sight)(&batch.previous.offsets, &batch.source.offsets, false);
        let layer = &model.decoder[0].cross;
        let [q, k] = [layer.w_q.forward(x), layer.w_k.forward(h)];
        let head = |i| weights(q.rows(i * D, D), k.rows(i * D, D), &mask).value();
        (0..HEADS).fold(mask.map(|_| 0.0), |sum, i| sum + &*head(i)) / HEADS as f32
    }

    /// The logits of every word of a target at once, while it is dictated, and one by one.
    pub fn both_ways(
        self,
        model: &Transformer,
        (source, target): (&[usize], &[usize]),
    ) -> [Matrix; 2] {
        let tape = &Tape::without_gradients();
        let batch = Batch::new(&[(source, target)], BEGIN);
        let h = self.encode(model, tape, &batch.source);
        let x = self.ask(model, tape, &batch.previous);
        let mask = (self.sight)(&batch.previous.offsets, &batch.source.offsets, false);
        let at_once = model.logits(self.answer(model, x, h, &mask)).value();
        let mut writer = Writer::new(self, model, source);
        let words = batch.previous.words.iter();
        let columns: Vec<Vector> = words.map(|word| writer.next(*word)).collect();
        [Matrix::clone(&at_once), Matrix::from_columns(&columns)]
    }

    /// The most probable word at every step.
    pub fn translate(self, model: &Transformer, source: &[usize]) -> Vec<usize> {
        let mut writer = Writer::new(self, model, source);
        let (mut words, mut last) = (Vec::new(), BEGIN);
        for _ in 0..word_limit(source) {
            let mut logits = writer.next(last);
            [BEGIN, UNKNOWN].iter().for_each(|word| logits[*word] = f32::MIN);
            last = logits.imax();
            if last == END {
                break;
            }
            words.push(last);
        }
        words
    }
}

/// One translation, word by word.
struct Writer<'m> {
    parts: Parts,
    model: &'m Transformer,
    h: Matrix,
    /// Of each head.
    caches: Vec<Vec<(Vector, Vector)>>,
    written: usize,
}

impl Writer<'_> {
    fn new<'m>(parts: Parts, model: &'m Transformer, source: &[usize]) -> Writer<'m> {
        let tape = &Tape::without_gradients();
        let h = Matrix::clone(&parts.encode(model, tape, &Ragged::new(&[source])).value());
        Writer { parts, model, h, caches: vec![Vec::new(); HEADS], written: 0 }
    }

    /// The logits after one word more.
    fn next(&mut self, word: usize) -> Vector {
        let (parts, block, tape) = (self.parts, &self.model.decoder[0], &Tape::without_gradients());
        let table = self.model.target.weight.value();
        let x = (parts.decoder_tokens)(&[word], self.written, table, place);
        self.written += 1;
        let asks = column(&x).push(1.0); // so that a bias is one more column of a matrix
        let [w_q, w_k, w_v] =
            [&block.attention.w_q, &block.attention.w_k, &block.attention.w_v].map(with_bias);
        let contexts = self.caches.iter_mut().enumerate().flat_map(|(i, cache)| {
            let [w_q, w_k, w_v] = [&w_q, &w_k, &w_v].map(|w| w.rows(i * D, D).into_owned());
            (parts.next_token)(cache, &asks, &w_q, &w_k, &w_v).as_slice().to_vec()
        });
        let contexts = Matrix::from_iterator(WIDTH, 1, contexts);
        let added = block.attention.w_o.forward(tape.constant(contexts));
        let x = parts.norm(&block.around_attention.norm, tape.constant(x) + added);
        let mask = (parts.sight)(&[0, 1], &[0, self.h.ncols()], false);
        let x = parts.answer(self.model, x, tape.constant(self.h.clone()), &mask);
        column(&self.model.logits(x).value())
    }
}

/// `softmax↓(KᵀQ/√d + mask)`: chapter 3's scores, the reader's mask.
fn weights<'t>(q: Var<'t>, k: Var<'t>, mask: &Matrix) -> Var<'t> {
    (scaled_dot(q, k) + q.tape().constant(mask.clone())).softmax()
}

fn column(x: &Matrix) -> Vector {
    x.column(0).into_owned()
}

/// `[W b]`
fn with_bias(map: &Linear) -> Matrix {
    let w = map.weight.value();
    let b = map.bias.as_ref().map_or(Vector::zeros(w.nrows()), |b| column(b.value()));
    let mut whole = w.clone().insert_column(w.ncols(), 0.0);
    whole.set_column(w.ncols(), &b);
    whole
}
