//! The exercises of chapter 15. Replace a `todo!()`, then run
//! `cargo test -p captioning --test exercises`.
//!
//! A column is a pixel or a place: both are counted row by row, picture after picture.
#![allow(unused_variables, unused_imports, unreachable_code)] // until all are solved

use shared::{Matrix, Vector};

/// **15.1 a neighbourhood – difficulty ●○○, about 15 minutes**
///
/// `x` (c, side²) is a picture. Returns the 3 × 3 pixels around the pixel in row `row` and column `column`, one
/// below the other, row by row: (9c, 1). Beyond the edge of the picture stand zeros.
///
/// Hint: row and column may be −1. As `usize` they cannot: add before you subtract, or count in `isize`.
pub fn neighbourhood(x: &Matrix, side: usize, row: usize, column: usize) -> Vector {
    todo!()
}

/// **15.2 how much it sees – difficulty ●●○, about 15 minutes**
///
/// Layers of a convolutional network from the pixels up, each with a width (3 for 3 × 3) and a stride. Returns
/// how many pixels a side one unit of the last layer sees, from the first to the last. Without a layer it is one.
///
/// Hint: how many pixels apart are two neighbouring units of a layer?
pub fn receptive_field(layers: &[(usize, usize)]) -> usize {
    todo!()
}

/// **15.3 derive: evenness and the scores – difficulty ●●○, about 20 minutes**
///
/// `scores` (L, T): the softmax of column t is the weights of word t. The gradient of `Σᵢ (1 − Σₜ αₜᵢ)²` with
/// respect to every score, (L, T). Scores may be in the thousands.
///
/// Hint: when all scores are equal, no score has a gradient, though the term is not 0.
pub fn even_gradient(scores: &Matrix) -> Matrix {
    todo!()
}

/// **15.4 spot the bug: many true captions – difficulty ●●○, about 15 minutes**
///
/// For BLEU: how many of the words that were said are in a true caption? A picture has several true captions, and a
/// word counts as often as in that one of them which has it most often. *red red ring square* should count 3 beside
/// *red ring* and *red square*; it counts 4.
///
/// Hint: how often may *red* count, and what says so?
pub fn clipped(said: &[&str], captions: &[&[&str]]) -> usize {
    todo!("find the bug, then remove this line");
    let mut room: Vec<&str> = captions.concat();
    let mut count = 0;
    for word in said {
        if let Some(place) = room.iter().position(|one| one == word) {
            room.swap_remove(place);
            count += 1;
        }
    }
    count
}

/// **15.5 where it points – difficulty ●○○, about 10 minutes**
///
/// `weights` of the places, which are squares of 4 × 4 pixels, `side`/4 in a row; `shown[i]` says which thing
/// pixel i shows. A place belongs to the thing that most of its pixels show, of those that show any; of two that
/// show equally many, to the one with the smaller number. Returns the share of the weight on the places of `thing`.
///
/// Hint: count for each place, and leave out what shows nothing.
pub fn pointing(weights: &[f32], shown: &[Option<usize>], side: usize, thing: usize) -> f32 {
    todo!()
}

/// **15.6 back to the pixels – difficulty ●●○, about 20 minutes**
///
/// The neighbourhoods (15.1) of every `stride`-th pixel of every `stride`-th row of a picture, the first ones
/// included, are the columns of a matrix. `dy` (9c, (side/stride)²) is the gradient of a loss with respect to
/// it. Returns the gradient with respect to the picture, (c, side²). `stride` divides `side`.
///
/// Hint: in how many columns does a pixel stand when the stride is 1, 2, 4?
pub fn back_to_pixels(dy: &Matrix, side: usize, stride: usize) -> Matrix {
    todo!()
}

/// **15.7 construct: the query for a ring – difficulty ●●○, about 15 minutes**
///
/// An annotation has four numbers: ground, disc, ring, cross, 1 for what is there and 0 for the others. A picture
/// has 64 places: one ring, up to two places of each other shape, and ground. Choose a query q, (4, 1), with
/// entries between −10 and 10, for which the softmax of all `qᵀaᵢ` gives the ring at least 0.95 of the weight.
///
/// Hint: 63 other places together may have e^score of no more than 1/19 of the ring's.
pub fn query_for_a_ring() -> Vector {
    todo!()
}

/// **15.8 predict: what evenness allows – difficulty ●●○, about 15 minutes**
///
/// λ is so large that the doubly stochastic term has its least value. A caption has `words` words. Of these, `naming`
/// name one thing – its size, colour and shape – and the thing has `own` of the picture's 64 places. Which share of the
/// weight of these words can lie on their thing at most?
///
/// Hint: how much weight has a place from all words together?
pub fn under_evenness(words: usize, own: usize, naming: usize) -> f32 {
    todo!()
}

// **15.9 capstone: your query finds the ring – difficulty ●○○, about 5 minutes**
//
// There is nothing to write here. When 15.1 and 15.5 are solved, the check lets them work: `neighbourhood` reads
// pictures of a few things, one of them a ring, a query is learnt that says the ring's colour, and `pointing`
// measures how much of its weight lies on the ring.
//
// `cargo test -p captioning --test exercises 15` prints what came out beside ours.
