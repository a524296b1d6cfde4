//! 11.10: a block that looks up a fact.

use super::solutions::{self, rows};
use shared::Matrix;
use shared::elementwise::softmax_columns;
use tests::exercises::{Exercise, wrong};

type Lookup = fn() -> [Matrix; 4];

pub const EXERCISE: Exercise<Lookup> = Exercise {
    check,
    wrong: &[
        wrong("it should not ask for itself", || with(|[_, w_k, ..]| w_k[(1, 1)] = 0.0)),
        wrong("so that it will read nothing", || with(|[w_q, ..]| w_q.row_mut(0).fill(0.0))),
        wrong("sharper with larger queries and keys", || {
            with(|[w_q, w_k, ..]| (*w_q /= 40.0, *w_k /= 40.0))
        }),
        wrong("must outvote [MASK]", || with(|[_, _, w_v, _]| *w_v /= 3.0)),
        wrong("whose values should be 0", || with(|[_, _, w_v, _]| *w_v = rows(0..8, 3.0))),
    ],
};

/// The solution, changed.
fn with<R>(change: impl FnOnce(&mut [Matrix; 4]) -> R) -> [Matrix; 4] {
    let mut w = solutions::lookup();
    (change(&mut w), w).1
}

const NAMES: [&str; 8] = ["[CLS]", "[MASK]", "cat", "dog", "owl", "black", "white", "red"];
const MASK: usize = 1;

fn check(lookup: Lookup) {
    let w = lookup();
    assert!(w.iter().all(|w| w.shape() == (16, 16)), "each of the four is (16, 16)");
    for n in 0..972 {
        let (facts, colours, asked, place) = (1 + n % 3, n / 3 % 27, n / 81 % 3, n / 243);
        (asked < facts && place <= facts).then(|| one(&w, &sentence(facts, colours, asked, place)));
    }
}

/// So many facts; the question comes before fact `place`. → the pieces, and where the answer stands.
fn sentence(facts: usize, colours: usize, asked: usize, place: usize) -> (Vec<usize>, usize) {
    let animal = |fact: usize| 2 + (fact + colours) % 3;
    let pairs = (0..facts).map(|fact| [animal(fact), 5 + colours / 3usize.pow(fact as u32) % 3]);
    let mut pairs: Vec<_> = pairs.collect();
    pairs.insert(place, [animal(asked), MASK]);
    let pair = asked + usize::from(place <= asked);
    ([&[0], pairs.as_flattened()].concat(), 2 * pair + 2)
}

fn one([w_q, w_k, w_v, w_o]: &[Matrix; 4], (pieces, answer): &(Vec<usize>, usize)) {
    let x = Matrix::from_fn(16, pieces.len(), |row, i| {
        let has = if row < 8 { pieces[i] == row } else { i > 0 && pieces[i - 1] == row - 8 };
        f32::from(has)
    });
    let mut alpha = (w_k * &x).tr_mul(&(w_q * &x)) / 4.0;
    softmax_columns(&mut alpha);
    let y = &x + w_o * (w_v * &x) * &alpha;
    let names = pieces.iter().map(|piece| NAMES[*piece]).collect::<Vec<_>>().join(" ");
    for (i, piece) in pieces.iter().enumerate() {
        let (own, first, itself) = (y.view((0, i), (8, 1)), alpha[(0, i)], alpha[(i, i)]);
        let (colour, weight) = (pieces[*answer], alpha[(*answer, i)]);
        let moved = (own - x.view((0, i), (8, 1))).amax();
        let leads = (0..8).all(|row| row == colour || own[colour] - own[row] >= 1.0);
        let hint = match *piece {
            MASK if weight >= 0.9 => "the colour must outvote [MASK], and be the value",
            MASK if itself > 0.4 && weight > 0.4 => "[MASK]: it should not ask for itself",
            MASK => "keys know what stands before each token; sharper with larger queries and keys",
            _ if first >= 0.9 => "it looks at [CLS], whose values should be 0",
            _ => "where may a token look, so that it will read nothing? Is the softmax sharp?",
        };
        assert!(
            if *piece == MASK { leads } else { moved <= 0.05 },
            "{names}: token {i}, “{}”, has moved by {moved:.2} to {own:.2}; its weight on [CLS] is {first:.2}, on itself \
             {itself:.2}, on “{}” of the fact {weight:.2}\nhint: {hint}",
            NAMES[*piece],
            NAMES[colour]
        );
    }
}
