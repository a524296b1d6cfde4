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
/// how many pixels a side one unit of the last layer sees. Without a layer it is one.
///
/// Hint: how many pixels apart are two neighbouring units of a layer?
pub fn receptive_field(layers: &[(usize, usize)]) -> usize {
    todo!()
}

/// **15.3 the gradient of evenness – difficulty ●●○, about 15 minutes**
///
/// `weights` (L, T): column t holds the weights of word t. The gradient of `Σᵢ (1 − Σₜ αₜᵢ)²` with respect to
/// every weight, (L, T).
///
/// Hint: all words have the same gradient at a place.
pub fn even_gradient(weights: &Matrix) -> Matrix {
    todo!()
}

/// **15.4 spot the bug: everybody sees the same – difficulty ●●○, about 15 minutes**
///
/// `values` (c, L·b) holds the L annotations of b pictures, and `places[j]` the place at which picture j is
/// looked at. Should return what is found there, (c, b). The author tried it with one picture.
///
/// Hint: which picture does column `places[1]` belong to?
pub fn found(values: &Matrix, places: &[usize]) -> Matrix {
    todo!("find the bug, then remove this line");
    values.select_columns(places)
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

/// **15.6 what the others lost – difficulty ●●○, about 20 minutes**
///
/// `credits[j]` is what the look of caption j answers for. Returns for each caption its credit less the mean
/// credit of the *others*. A caption alone keeps its credit.
///
/// Hint: with b captions and their mean c̄, the mean of the others is (b·c̄ − c)/(b − 1).
pub fn less_the_others(credits: &[f32]) -> Vec<f32> {
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

/// **15.8 predict: what evenness does – difficulty ●●○, about 10 minutes**
///
/// λ, the weight of the doubly stochastic term, becomes so large that nothing else counts. A caption has
/// `words` words, and the thing that one of them names has `own` of the picture's 64 places. All words
/// have the same weights. Returns the share of this word's weight that lies on its thing, and the value of the
/// term without λ.
///
/// Hint: what are the weights then?
pub fn under_evenness(words: usize, own: usize) -> (f32, f32) {
    todo!()
}

// **15.9 capstone: your query finds the ring – difficulty ●○○, about 5 minutes**
//
// There is nothing to write here. When 15.1 and 15.5 are solved, the check lets them work: `neighbourhood` reads
// pictures of a few things, one of them a ring, a query is learnt that says the ring's colour, and `pointing`
// measures how much of its weight lies on the ring.
//
// `cargo test -p captioning --test exercises 15` prints what came out beside ours.
