//! Small models, and words for them.

use self_attention::relative::Kind;
use seq2seq::{BEGIN, Batch, END};
use shared::{Float, Matrix, rng};
use transformer::{Absolute, BlockSizes, Config, Encoding, Norm, Tied, Transformer};

/// Words of either language, the special ones included.
pub const WORDS: usize = 9;

/// Every place of the normalisation with every kind of tied tables.
pub const KINDS: [(Norm, Tied); 6] = [
    (Norm::Post, Tied::Nothing),
    (Norm::Post, Tied::Output),
    (Norm::Post, Tied::Everything),
    (Norm::Pre, Tied::Nothing),
    (Norm::Pre, Tied::Output),
    (Norm::Pre, Tied::Everything),
];

/// Two blocks in each stack.
pub fn config(norm: Norm, tied: Tied) -> Config {
    Config {
        source_words: WORDS,
        target_words: WORDS,
        encoder_blocks: 2,
        decoder_blocks: 2,
        block: BlockSizes { d_model: 8, d_ff: 12, heads: 2, dropout: 0.0, norm },
        tied,
        smoothing: 0.1,
        encoding: Encoding::PAPER,
        longest: 64,
    }
}

pub fn model(norm: Norm, tied: Tied) -> Transformer {
    Transformer::new(&config(norm, tied), &mut rng(3))
}

/// Ways to represent positions and distances other than the paper's.
pub const ENCODINGS: [Encoding; 5] = [
    Encoding { absolute: Absolute::Learned, own: None, cross: None },
    Encoding { absolute: Absolute::Sinusoids, own: None, cross: Some(Kind::Shaw(2)) },
    Encoding { absolute: Absolute::Nothing, own: Some(Kind::Shaw(3)), cross: Some(Kind::Shaw(3)) },
    Encoding { absolute: Absolute::Nothing, own: Some(Kind::Rope), cross: Some(Kind::Rope) },
    Encoding { absolute: Absolute::Nothing, own: Some(Kind::Alibi), cross: Some(Kind::Alibi) },
];

pub fn placed(encoding: Encoding) -> Transformer {
    Transformer::new(&Config { encoding, ..config(Norm::Post, Tied::Output) }, &mut rng(3))
}

/// An encoder of two blocks with two heads; a decoder of three with four heads, and wider networks.
pub fn unequal(norm: Norm) -> Transformer {
    let mut model = model(norm, Tied::Output);
    let sizes = BlockSizes { heads: 4, d_ff: 5, ..config(norm, Tied::Output).block };
    let rng = &mut rng(4);
    model.decoder = (0..3).map(|_| transformer::DecoderBlock::new(&sizes, rng)).collect();
    model
}

/// Sentences without the special words except for the end.
pub fn sentence(length: usize, seed: usize) -> Vec<usize> {
    let numbers = (0..length - 1).map(|i| 7 * i * i + 5 * i + 3 * seed + seed * i);
    numbers.map(|number| 3 + number % (WORDS - 3)).chain([END]).collect()
}

/// Pairs of these lengths.
pub fn pairs(lengths: &[(usize, usize)]) -> Vec<(Vec<usize>, Vec<usize>)> {
    lengths.iter().enumerate().map(|(i, &(s, t))| (sentence(s, i), sentence(t, i + 20))).collect()
}

pub fn batch(pairs: &[(Vec<usize>, Vec<usize>)]) -> Batch {
    let pairs: Vec<(&[usize], &[usize])> = pairs.iter().map(|(s, t)| (&s[..], &t[..])).collect();
    Batch::new(&pairs, BEGIN)
}

/// Uneven numbers of both signs.
pub fn uneven(rows: usize, columns: usize, phase: Float) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| {
        1.5 * (1.3 * i as Float + 2.1 * j as Float + phase).sin() + 0.1 * i as Float
    })
}

/// Whether two matrices have the same bits.
pub fn same_bits<'a>(
    a: impl IntoIterator<Item = &'a Float>,
    b: impl IntoIterator<Item = &'a Float>,
) -> bool {
    a.into_iter().map(|x| x.to_bits()).eq(b.into_iter().map(|x| x.to_bits()))
}
