//! 11.10: a block that was told.

use crate::solutions::{self, rows};
use shared::Matrix;
use shared::elementwise::softmax_columns;
use tests::exercises::{Exercise, Kind, Wrong};

type Told = fn() -> [Matrix; 4];

pub fn exercise() -> Exercise<Told> {
    Exercise {
        number: 10,
        title: "a block that was told",
        kind: Kind::Construct,
        difficulty: 3,
        minutes: 40,
        check,
        wrong: &[
            Wrong {
                name: "[MASK] asks for itself",
                hint: "the same piece before it",
                answer: || {
                    let [w_q, mut w_k, w_v, w_o] = solutions::told();
                    w_k[(1, 1)] = 0.0;
                    [w_q, w_k, w_v, w_o]
                },
            },
            Wrong {
                name: "all others read as well",
                hint: "read nothing",
                answer: || {
                    let [mut w_q, w_k, w_v, w_o] = solutions::told();
                    w_q.row_mut(0).fill(0.0);
                    [w_q, w_k, w_v, w_o]
                },
            },
            Wrong {
                name: "[CLS] is as loud as the fact",
                hint: "read nothing",
                answer: || {
                    let [mut w_q, w_k, w_v, w_o] = solutions::told();
                    w_q.row_mut(0).iter_mut().for_each(|w| *w /= 3.0);
                    [w_q, w_k, w_v, w_o]
                },
            },
            Wrong {
                name: "the animal itself is asked",
                hint: "its weight on the colour that was told",
                answer: || {
                    let [w_q, mut w_k, w_v, w_o] = solutions::told();
                    w_k.columns_mut(8, 8).fill(0.0);
                    for animal in 2..5 {
                        w_k[(animal + 8, animal)] = 40.0;
                    }
                    [w_q, w_k, w_v, w_o]
                },
            },
            Wrong {
                name: "any colour",
                hint: "its weight on the colour that was told",
                answer: || {
                    let [mut w_q, mut w_k, w_v, w_o] = solutions::told();
                    w_q[(5, 1)] = 40.0;
                    w_k.rows_mut(8, 8).fill(0.0);
                    w_k.view_mut((5, 5), (1, 3)).fill(40.0);
                    [w_q, w_k, w_v, w_o]
                },
            },
            Wrong {
                name: "queries and keys too small",
                hint: "larger queries and keys",
                answer: || {
                    let [w_q, w_k, w_v, w_o] = solutions::told();
                    [w_q / 40.0, w_k / 40.0, w_v, w_o]
                },
            },
            Wrong {
                name: "[MASK] still outvotes",
                hint: "outvote",
                answer: || {
                    let [w_q, w_k, w_v, w_o] = solutions::told();
                    [w_q, w_k, w_v / 3.0, w_o]
                },
            },
            Wrong {
                name: "[CLS] has a value",
                hint: "values",
                answer: || {
                    let [w_q, w_k, _, w_o] = solutions::told();
                    [w_q, w_k, rows(0..8, 3.0), w_o]
                },
            },
            Wrong {
                name: "the piece before is the value",
                hint: "it looks at the right token",
                answer: || {
                    let [w_q, w_k, _, w_o] = solutions::told();
                    let mut w_v = Matrix::zeros(16, 16);
                    w_v.view_mut((0, 8), (8, 8)).fill_diagonal(3.0);
                    [w_q, w_k, w_v, w_o]
                },
            },
            Wrong {
                name: "of another shape",
                hint: "not (16, 16)",
                answer: || {
                    let [w_q, w_k, w_v, w_o] = solutions::told();
                    [w_q.rows(0, 8).into_owned(), w_k.rows(0, 8).into_owned(), w_v, w_o]
                },
            },
        ],
    }
}

const NAMES: [&str; 8] = ["[CLS]", "[MASK]", "cat", "dog", "owl", "black", "white", "red"];
const MASK: usize = 1;
const ANIMALS: std::ops::Range<usize> = 2..5;

fn check(told: Told) {
    let w = told();
    for (w, name) in w.iter().zip(["W_q", "W_k", "W_v", "W_o"]) {
        assert!(w.shape() == (16, 16), "{name} is {:?}, not (16, 16)", w.shape());
        assert!(w.iter().all(|w| w.is_finite()), "{name} is not finite: {w}");
    }
    for facts in 1..=3 {
        for colours in 0..27 {
            for asked in 0..facts {
                for place in 0..=facts {
                    one(&w, &sentence(facts, colours, asked, place));
                }
            }
        }
    }
}

/// So many facts, beginning with another animal each time; the question comes before fact `place`. → the
/// pieces, and where the answer stands.
fn sentence(facts: usize, colours: usize, asked: usize, place: usize) -> (Vec<usize>, usize) {
    let animal = |fact: usize| ANIMALS.start + (fact + colours) % 3;
    let colour = |fact: usize| 5 + colours / 3usize.pow(fact as u32) % 3;
    let mut pairs: Vec<[usize; 2]> = (0..facts).map(|fact| [animal(fact), colour(fact)]).collect();
    pairs.insert(place, [animal(asked), MASK]);
    let pair = if place <= asked { asked + 1 } else { asked };
    let pieces = [&[0], pairs.as_flattened()].concat();
    (pieces, 2 * pair + 2)
}

fn one([w_q, w_k, w_v, w_o]: &[Matrix; 4], (pieces, answer): &(Vec<usize>, usize)) {
    let x = tokens(pieces);
    let mut alpha = (w_k * &x).tr_mul(&(w_q * &x)) / 4.0;
    softmax_columns(&mut alpha);
    let y = &x + w_o * (w_v * &x) * &alpha;
    let names: Vec<&str> = pieces.iter().map(|piece| NAMES[*piece]).collect();
    let names = names.join(" ");
    assert!(y.iter().all(|y| y.is_finite()), "{names}: the block's result is not finite: {y}");
    for (i, piece) in pieces.iter().enumerate() {
        let own = y.column(i).rows(0, 8).into_owned();
        if *piece == MASK {
            let colour = pieces[*answer];
            let others = (0..8).filter(|row| *row != colour).map(|row| own[row]);
            let lead = own[colour] - others.fold(f32::MIN, f32::max);
            let (weight, itself) = (alpha[(*answer, i)], alpha[(i, i)]);
            let hint = if weight >= 0.9 {
                "it looks at the right token: the colour must outvote [MASK], and be the value"
            } else if itself > 0.4 && weight > 0.4 {
                "[MASK] itself has the same piece before it as the fact: it should not ask for itself"
            } else {
                "the query should know what stands before [MASK], the keys what stands before each token; and a \
                 softmax becomes sharper with larger queries and keys"
            };
            assert!(
                lead >= 1.0,
                "{names}: at [MASK] rows 0 to 7 are {:.2?}, and “{}” leads by {lead:.2}, not by 1; its weight on the \
                 colour that was told is {weight:.2}, on itself {itself:.2}\nhint: {hint}",
                own.as_slice(),
                NAMES[colour]
            );
        } else {
            let moved = (&own - x.column(i).rows(0, 8)).amax();
            let first = alpha[(0, i)];
            let hint = if first >= 0.9 {
                "it looks at [CLS], whose values should be 0"
            } else {
                "where may a token look, so that it will read nothing? And a softmax becomes sharper with larger \
                 queries and keys"
            };
            assert!(
                moved <= 0.05,
                "{names}: “{}”, token {i}, has moved by {moved:.2}; its weight on [CLS] is {first:.2}\nhint: {hint}",
                NAMES[*piece]
            );
        }
    }
}

/// What each piece is and what stands before it (16, n).
fn tokens(pieces: &[usize]) -> Matrix {
    Matrix::from_fn(16, pieces.len(), |row, i| {
        let has = if row < 8 { pieces[i] == row } else { i > 0 && pieces[i - 1] == row - 8 };
        f32::from(u8::from(has))
    })
}
