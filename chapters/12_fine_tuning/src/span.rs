//! A question and a passage: where does the answer begin, and where does it end?

use bert::{Bert, Config, Special, Tokens, draw_weights};
use shared::{Float, Linear, Matrix, Module, Rng, Tape, Var, Visitor, cross_entropy};
use std::ops::Range;

/// Questions with their passages, side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spans {
    /// What is read, `[CLS] question [SEP] passage [SEP]` each.
    pub tokens: Tokens,
    /// The columns of every passage.
    pub passages: Vec<Range<usize>>,
    /// The first and the last piece of every answer, counted from the passage's first.
    pub answers: Vec<[usize; 2]>,
}

impl Spans {
    /// One question.
    ///
    /// ```
    /// use bert::Special;
    /// let special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };
    /// let one = fine_tuning::Spans::of(&[7, 8], &[5, 6, 9], [1, 2], &special);
    /// assert_eq!(one.tokens.pieces.words, [2, 7, 8, 3, /**/ 5, 6, 9, 3]);
    /// assert_eq!(one.passages, [4..7]);
    /// ```
    pub fn of(
        question: &[usize],
        passage: &[usize],
        answer: [usize; 2],
        special: &Special,
    ) -> Spans {
        let first = question.len() + 2; // [CLS] and [SEP]
        let tokens = Tokens::of(question, Some(passage), special);
        Spans {
            tokens,
            passages: std::iter::once(first..first + passage.len()).collect(),
            answers: vec![answer],
        }
    }

    /// Several, side by side: their columns are counted on.
    pub fn side_by_side<'a>(parts: impl IntoIterator<Item = &'a Spans>) -> Spans {
        let (mut tokens, mut passages, mut answers) = (Vec::new(), Vec::new(), Vec::new());
        let mut before = 0;
        for part in parts {
            let moved = part.passages.iter().map(|one| before + one.start..before + one.end);
            passages.extend(moved);
            answers.extend_from_slice(&part.answers);
            before += part.tokens.len();
            tokens.push(part.tokens.clone());
        }
        Spans { tokens: Tokens::side_by_side(&tokens), passages, answers }
    }
}

/// BERT that marks an answer in a passage (Devlin et al. 2019, section 4.2): `2d` new parameters, a start
/// vector and an end vector, each compared with every token of the passage. A softmax over tokens would not see
/// a bias.
#[derive(Debug)]
pub struct SpanReader {
    /// The encoder, without a pooler.
    pub bert: Bert,
    /// The new layer (2, d): start above end.
    pub span: Linear,
    /// How many entries are left out in front of it while training.
    pub dropout: Float,
}

impl SpanReader {
    /// A new layer on top of an encoder, drawn as [`Classifier::new`](crate::Classifier::new) draws its own.
    pub fn new(mut bert: Bert, config: &Config, rng: &mut Rng) -> SpanReader {
        bert.pooler = None;
        let mut span = Linear::without_bias(config.width, 2, rng);
        draw_weights(&mut span, config.deviation, rng);
        SpanReader { bert, span, dropout: config.dropout }
    }

    // ANCHOR: span
    /// Start and end scores of every token of the passages, one passage after another: (2, m).
    pub fn scores<'t>(&self, tape: &'t Tape, spans: &Spans) -> Var<'t> {
        let columns: Vec<usize> = spans.passages.iter().cloned().flatten().collect();
        let h = self.bert.forward_some(tape, &spans.tokens, &columns); // (d, m)
        self.span.forward(h.dropout(self.dropout))
    }

    /// `−Σ ln p(start) + ln p(end)`, each a softmax over the tokens of one passage, 1 × 1, in nats.
    pub fn loss<'t>(&self, tape: &'t Tape, spans: &Spans) -> Var<'t> {
        let scores = self.scores(tape, spans);
        let mut first = 0;
        let losses = spans.passages.iter().zip(&spans.answers).map(|(passage, answer)| {
            let own = scores.columns(first, passage.len()).transpose(); // (tokens, 2)
            first += passage.len();
            cross_entropy(own, answer)
        });
        losses.reduce(|a, b| a + b).expect("a passage")
    }
    // ANCHOR_END: span

    /// The best span of every passage.
    pub fn answers(&self, spans: &Spans, longest: usize) -> Vec<[usize; 2]> {
        let scores = self.scores(&Tape::no_grad(), spans).value();
        let mut first = 0;
        let best = spans.passages.iter().map(|passage| {
            first += passage.len();
            best_span(&scores.columns(first - passage.len(), passage.len()).into_owned(), longest)
        });
        best.collect()
    }
}

// ANCHOR: best
/// Finds, among the spans of at most `longest` tokens that do not end before they begin, the largest sum of
/// start score and end score: `scores` (2, tokens) → first and last.
///
/// ```
/// use shared::Matrix;
/// let scores = Matrix::from_row_slice(2, 3, &[0.0, 1.0, 5.0, /**/ 9.0, 2.0, 0.0]);
/// assert_eq!(fine_tuning::best_span(&scores, 3), [0, 0]); // 9: from 2 to 0 would be 14, but backwards
/// ```
pub fn best_span(scores: &Matrix, longest: usize) -> [usize; 2] {
    let (mut best, mut most) = ([0, 0], Float::NEG_INFINITY);
    for start in 0..scores.ncols() {
        for end in start..scores.ncols().min(start + longest) {
            let sum = scores[(0, start)] + scores[(1, end)];
            if sum > most {
                (best, most) = ([start, end], sum);
            }
        }
    }
    best
}
// ANCHOR_END: best

/// F1 of an answer's words and the right ones, as two bags: twice what they share over what both have, the harmonic
/// mean of precision and recall (Rajpurkar et al. 2016).
///
/// ```
/// use fine_tuning::span::f1;
/// assert_eq!(f1(&["in", "the", "old", "mill"], &["the", "mill"]), 2.0 / 3.0);
/// assert_eq!(f1(&["here"], &["there"]), 0.0);
/// ```
pub fn f1<W: PartialEq>(found: &[W], right: &[W]) -> f64 {
    let mut left: Vec<&W> = right.iter().collect();
    let shared = found.iter().filter(|word| {
        let place = left.iter().position(|one| one == word);
        place.map(|place| left.swap_remove(place)).is_some()
    });
    2.0 * shared.count() as f64 / (found.len() + right.len()) as f64
}

impl Module for SpanReader {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("bert", &mut self.bert);
        visitor.module("span", &mut self.span);
    }
}
