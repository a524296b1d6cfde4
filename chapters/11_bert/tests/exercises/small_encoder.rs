//! An encoder so small that it learns within seconds. Chapter 12's capstone has it, too.

use bert::{Config, Pretraining};
use shared::{Matrix, Module, rng};

/// The most pieces that it reads.
pub const LONGEST: usize = 24;

/// Entries of a token: the first say where it stands, the others what it is.
const WIDTH: usize = LONGEST + 32;

/// How many pieces it knows.
pub const PIECES: usize = 300;

/// One block with two heads, of chapter 11's model.
fn config() -> Config {
    Config {
        vocabulary: PIECES,
        width: WIDTH,
        feed_forward: 32,
        heads: 2,
        blocks: 1,
        longest: LONGEST,
        segments: 2,
        dropout: 0.0,
        epsilon: 1e-12,
        deviation: 0.14,
    }
}

/// Random parameters except for one thing: the heads begin by looking at the piece before and at the piece
/// after. (To find that out takes longer than a test may.)
pub fn begin() -> Pretraining {
    let mut model = Pretraining::new(&config(), &mut rng(0));
    let embeddings = &mut model.bert.embeddings;
    let positions = Matrix::identity(WIDTH, LONGEST);
    embeddings.positions.for_each_parameter(|_, table| *table.value_mut() = positions.clone());
    for table in [&mut embeddings.words, &mut embeddings.segments] {
        table.weight.value_mut().rows_mut(0, LONGEST).fill(0.0);
    }
    let attention = &mut model.bert.blocks[0].attention;
    *attention.w_k.weight.value_mut() = at_positions(|row, position| row % HEAD == position);
    *attention.w_q.weight.value_mut() = at_positions(|row, position| match row.checked_sub(HEAD) {
        None => row + 1 == position,
        Some(row) => row == position + 1,
    });
    attention.w_v.weight.value_mut().columns_mut(0, LONGEST).fill(0.0);
    model
}

/// Rows of a head.
const HEAD: usize = WIDTH / 2;

/// A matrix (d, d) that reads a token's position alone.
fn at_positions(is_one: impl Fn(usize, usize) -> bool) -> Matrix {
    Matrix::from_fn(WIDTH, WIDTH, |row, position| {
        f32::from(u8::from(position < LONGEST && is_one(row, position)))
    })
}
