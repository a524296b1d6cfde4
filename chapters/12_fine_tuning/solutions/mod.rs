//! Solutions to the exercises of chapter 12.

pub use super::attempts::Shape;
use bert::Special;
use shared::Matrix;

/// 12.1
pub fn first_pieces(
    words: &[Vec<usize>],
    tags: &[usize],
    special: &Special,
) -> (Vec<usize>, Vec<Option<usize>>) {
    let (mut pieces, mut asked) = (vec![special.cls], vec![None]);
    for (word, tag) in words.iter().zip(tags) {
        match &word[..] {
            [] => pieces.push(special.unknown),
            word => pieces.extend_from_slice(word),
        }
        asked.push(Some(*tag));
        asked.resize(pieces.len(), None);
    }
    pieces.push(special.sep);
    asked.push(None);
    (pieces, asked)
}

/// 12.2: divided by the words of the batch, not of the part.
pub fn share_of_loss(logits: &Matrix, tags: &[Option<usize>], words_of_batch: usize) -> f32 {
    let mut sum = 0.0;
    for (column, tag) in logits.column_iter().zip(tags) {
        let Some(tag) = tag else { continue };
        let most = column.max();
        let normaliser: f32 = column.iter().map(|x| (x - most).exp()).sum();
        sum += normaliser.ln() + most - column[*tag];
    }
    sum / words_of_batch as f32
}

/// 12.3: what is not read has no gradient, and a softmax does not see what all its scores share.
pub fn have_gradients() -> [[bool; 3]; 6] {
    [
        [true, false, true],
        [false, false, false],
        [true, false, true],
        [false, false, false],
        [true, false, false],
        [true, true, true],
    ]
}

/// 12.4
pub fn rate(step: usize, steps: usize, highest: f64) -> f64 {
    let warmup = steps / 10;
    if step <= warmup {
        highest * step as f64 / warmup as f64
    } else {
        highest * (steps - step) as f64 / (steps - warmup) as f64
    }
}

/// 12.5: a similarity is a number instead of a class, of two texts all the same; endings share their row.
pub fn shapes() -> [(Shape, usize); 11] {
    use Shape::{Choice, Pair, Span, Text};
    let shapes = [Pair, Pair, Pair, Text, Text, Pair, Pair, Pair, Span, Span, Choice];
    let rows = [3, 2, 2, 2, 2, 1, 2, 2, 2, 2, 1];
    std::array::from_fn(|task| (shapes[task], rows[task]))
}

/// 12.6: order is what a bag loses.
pub fn bag_can() -> [bool; 6] {
    [false, true, true, false, true, false]
}

/// 12.7
pub fn comparisons() -> [Option<[usize; 2]>; 6] {
    [Some([0, 1]), Some([1, 2]), Some([3, 4]), Some([0, 3]), Some([1, 5]), None]
}

/// 12.8
pub fn interval(right: &[bool], drawn: &[Vec<usize>], level: f64) -> (f64, f64) {
    let mut shares: Vec<f64> = drawn
        .iter()
        .map(|drawn| drawn.iter().filter(|i| right[**i]).count() as f64 / drawn.len() as f64)
        .collect();
    shares.sort_by(f64::total_cmp);
    let outside = ((1.0 - level) / 2.0 * shares.len() as f64).round() as usize;
    (shares[outside], shares[shares.len() - 1 - outside])
}

/// 12.9
pub fn verdicts() -> [Option<bool>; 6] {
    [None, Some(false), None, None, None, Some(true)]
}

/// 12.10: softmax minus one-hot, over the number of questions; then back through an affine map.
pub fn layer_gradients(h: &Matrix, w: &Matrix, b: &Matrix, answers: &[usize]) -> (Matrix, Matrix) {
    let mut d = w * h; // (classes, m)
    d.column_iter_mut().for_each(|mut column| column += b);
    shared::elementwise::softmax_columns(&mut d);
    answers.iter().enumerate().for_each(|(j, answer)| d[(*answer, j)] -= 1.0);
    d /= answers.len() as f32;
    let db = Matrix::from_fn(b.nrows(), 1, |i, _| d.row(i).sum());
    (&d * h.transpose(), db)
}
