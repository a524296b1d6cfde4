//! What the exercises of chapter 7 must do, and typical mistakes that the checks must reject.

mod wrong;

use shared::{Float, Matrix};
use std::ops::Range;
use tests::exercises::{Exercise, Kind, Mistake, ORIGINAL_BUG, Suite};
use tests::{expect, finite_difference};

use crate::attempt;

/// One field an exercise.
#[derive(Clone, Copy)]
pub struct Table {
    pub window: fn(Float, usize, usize) -> Range<usize>,
    pub general_scores: fn(&Matrix, &Matrix, &Matrix) -> Matrix,
    pub position_gradient: fn(&[Float], Float, Float, &[Float]) -> Float,
    pub decoder_parameters: fn(usize, usize, usize, bool) -> usize,
    pub local_p: fn(&[Float], Float, usize, Range<usize>) -> Vec<Float>,
    pub location: fn(&Matrix, &Matrix, usize) -> Vec<Float>,
}

/// The functions of the module that this test program calls `attempt`: exercises or solutions.
pub fn table() -> Table {
    Table {
        window: attempt::window,
        general_scores: attempt::general_scores,
        position_gradient: attempt::position_gradient,
        decoder_parameters: attempt::decoder_parameters,
        local_p: attempt::local_p,
        location: attempt::location,
    }
}

pub fn suite() -> Suite<Table> {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(Exercise {
            number: 1,
            title: "a window and its borders",
            kind: Kind::Implement,
            difficulty: 1,
            minutes: 10,
            check: window,
            mistakes: &[
                Mistake {
                    name: "the last word is missing",
                    hint: "a range ends before its end",
                    apply: |table| table.window = wrong::short_window,
                },
                Mistake {
                    name: "beyond the end",
                    hint: "the sentence has no word",
                    apply: |table| table.window = wrong::open_window,
                },
                Mistake {
                    name: "negative positions wrap",
                    hint: "before the first word",
                    apply: |table| table.window = wrong::wrapping_window,
                },
                Mistake {
                    name: "the center is rounded first",
                    hint: "is farther than",
                    apply: |table| table.window = wrong::rounded_window,
                },
                Mistake {
                    name: "a fraction below a hundredth is not seen",
                    hint: "is farther than",
                    apply: |table| table.window = wrong::nearly_up,
                },
                Mistake {
                    name: "nothing when the center is the sentence's end",
                    hint: "",
                    apply: |table| {
                        table.window = |center, width, words| match center < words as Float {
                            true => attempt::window(center, width, words),
                            false => words..words,
                        }
                    },
                },
                Mistake {
                    name: "always everything",
                    hint: "",
                    apply: |table| table.window = |_, _, words| 0..words,
                },
            ],
        })
        .exercise(Exercise {
            number: 2,
            title: "general scores, all at once",
            kind: Kind::Implement,
            difficulty: 1,
            minutes: 10,
            check: general_scores,
            mistakes: &[
                Mistake {
                    name: "transposed",
                    hint: "a column is a query",
                    apply: |table| table.general_scores = |q, w, k| q.transpose() * (w * k),
                },
                Mistake {
                    name: "W is left out",
                    hint: "",
                    apply: |table| {
                        table.general_scores = |q, _, k| k.transpose() * q.rows(0, k.nrows())
                    },
                },
                Mistake {
                    name: "softmaxed already",
                    hint: "",
                    apply: |table| table.general_scores = wrong::softmaxed_scores,
                },
                Mistake {
                    name: "scaled",
                    hint: "chapter 3's scaled score",
                    apply: |table| table.general_scores = wrong::scaled_scores,
                },
            ],
        })
        .exercise(Exercise {
            number: 3,
            title: "the gradient of the position",
            kind: Kind::Derive,
            difficulty: 2,
            minutes: 20,
            check: position_gradient,
            mistakes: &[
                Mistake {
                    name: "the wrong way",
                    hint: "p moves away",
                    apply: |table| {
                        table.position_gradient =
                            |a, p, sigma, dy| -wrong::position_gradient(a, p, sigma, dy, 2)
                    },
                },
                Mistake {
                    name: "σ instead of σ²",
                    hint: "divides by σ² once",
                    apply: |table| {
                        table.position_gradient =
                            |a, p, sigma, dy| wrong::position_gradient(a, p, sigma, dy, 1)
                    },
                },
                Mistake {
                    name: "without the Gaussian itself",
                    hint: "exp(x)′ is exp(x)",
                    apply: |table| table.position_gradient = wrong::without_gaussian,
                },
                Mistake {
                    name: "nothing",
                    hint: "",
                    apply: |table| table.position_gradient = |_, _, _, _| 0.0,
                },
            ],
        })
        .exercise(Exercise {
            number: 4,
            title: "what input feeding costs",
            kind: Kind::Derive,
            difficulty: 1,
            minutes: 10,
            check: decoder_parameters,
            mistakes: &[
                Mistake {
                    name: "every layer is fed",
                    hint: "only the first layer",
                    apply: |table| table.decoder_parameters = wrong::all_layers_fed,
                },
                Mistake {
                    name: "the context is fed",
                    hint: "",
                    apply: |table| table.decoder_parameters = wrong::two_states_fed,
                },
                Mistake {
                    name: "one bias",
                    hint: "two biases",
                    apply: |table| table.decoder_parameters = wrong::one_bias,
                },
                Mistake {
                    name: "for free",
                    hint: "h̃ is read, too",
                    apply: |table| {
                        table.decoder_parameters =
                            |e, h, layers, _| attempt::decoder_parameters(e, h, layers, false)
                    },
                },
            ],
        })
        .exercise(Exercise {
            number: 5,
            title: "spot the bug: weights that forget where they were told to look",
            kind: Kind::SpotTheBug,
            difficulty: 2,
            minutes: 15,
            check: local_p,
            mistakes: &[
                Mistake {
                    name: ORIGINAL_BUG,
                    hint: "sum to 1 again",
                    apply: |table| table.local_p = wrong::renormalised,
                },
                Mistake {
                    name: "softmax over the sentence",
                    hint: "words outside the window",
                    apply: |table| table.local_p = wrong::over_the_sentence,
                },
                Mistake {
                    name: "no score subtracted",
                    hint: "the largest score in the window",
                    apply: |table| {
                        table.local_p =
                            |scores, p, width, window| wrong::shifted(scores, p, width, window, 0.0)
                    },
                },
                Mistake {
                    name: "the sentence's largest score subtracted",
                    hint: "the largest score in the window",
                    apply: |table| {
                        table.local_p = |scores, p, width, window| {
                            let largest = scores.iter().copied().fold(Float::MIN, Float::max);
                            wrong::shifted(scores, p, width, window, largest)
                        }
                    },
                },
                Mistake {
                    name: "no Gaussian",
                    hint: "",
                    apply: |table| table.local_p = wrong::without_factor,
                },
            ],
        })
        .exercise(Exercise {
            number: 6,
            title: "spot the bug: location in a short sentence",
            kind: Kind::SpotTheBug,
            difficulty: 1,
            minutes: 10,
            check: location,
            mistakes: &[
                Mistake {
                    name: ORIGINAL_BUG,
                    hint: "positions the sentence does not have",
                    apply: |table| table.location = wrong::all_positions,
                },
                Mistake {
                    name: "uniform",
                    hint: "",
                    apply: |table| table.location = |_, _, words| vec![1.0 / words as Float; words],
                },
                Mistake {
                    name: "no score subtracted",
                    hint: "subtract the largest",
                    apply: |table| table.location = wrong::unstable_location,
                },
                Mistake {
                    name: "words behind the last position score 0",
                    hint: "get no weight",
                    apply: |table| table.location = wrong::zero_scores,
                },
                Mistake {
                    name: "too few weights",
                    hint: "5 words",
                    apply: |table| table.location = wrong::known_only,
                },
            ],
        })
}

fn window(table: &Table) {
    let cases = [
        (3.0, 2, 9, 1..6),
        (2.4, 1, 9, 2..4),
        (2.6, 1, 9, 2..4),
        (0.0, 2, 9, 0..3),
        (2.005, 1, 9, 2..4),
        (8.7, 2, 9, 7..9),
        (9.0, 2, 9, 7..9),
        (4.0, 3, 5, 1..5),
        (0.5, 9, 4, 0..4),
    ];
    for (center, width, words, expected) in cases {
        let found = (table.window)(center, width, words);
        let call = format!("window({center}, {width}, {words}) is {found:?}");
        assert!(found.start <= words, "{call}: positions before the first word wrap around");
        assert!(found.end <= words, "{call}: the sentence has no word {}", found.end - 1);
        assert!(
            found.end + 1 != expected.end || found.start != expected.start,
            "{call}, without position {}: a range ends before its end",
            found.end
        );
        let far = found.clone().find(|s| (*s as Float - center).abs() > width as Float);
        if let Some(s) = far {
            panic!("{call}: position {s} is farther than {width} from {center}");
        }
        assert!(found == expected, "{call}, not {expected:?}");
    }
}

fn general_scores(table: &Table) {
    let queries = Matrix::from_row_slice(3, 2, &[1.0, 0.5, -1.0, 2.0, 0.0, 1.0]);
    let keys = Matrix::from_row_slice(2, 4, &[1.0, 2.0, 0.0, -1.0, 3.0, 0.5, 1.0, 1.0]);
    let w = Matrix::from_row_slice(3, 2, &[1.0, -1.0, 0.5, 2.0, 0.0, 1.5]);
    let expected = Matrix::from_fn(4, 2, |s, t| {
        (queries.column(t).transpose() * &w * keys.column(s))[0] // h_tᵀ W h̄_s, one pair
    });
    expect((table.general_scores)(&queries, &w, &keys), expected.clone(), 1e-5)
        .of("general_scores(queries, w, keys)")
        .given("queries", &queries)
        .given("w", &w)
        .given("keys", &keys)
        .or_hint(expected.transpose(), "these are the transposed scores: a column is a query")
        .or_hint(wrong::scaled_scores(&queries, &w, &keys), "this is chapter 3's scaled score")
        .check();
}

fn position_gradient(table: &Table) {
    let (alpha, dy) = ([0.2, 0.5, 0.1, 0.2], [1.0, -0.5, 2.0, -3.0]);
    for (p, sigma) in [(1.3, 1.5), (0.2, 0.75), (3.0, 2.0)] {
        let loss = |p: &nalgebra::DMatrix<f64>| {
            let y = |s: usize| {
                let r = s as f64 - p[0];
                f64::from(alpha[s]) * (-r * r / (2.0 * f64::from(sigma).powi(2))).exp()
            };
            (0..4).map(|s| y(s) * f64::from(dy[s])).sum::<f64>()
        };
        let at = Matrix::from_element(1, 1, p);
        expect(
            (table.position_gradient)(&alpha, p, sigma, &dy),
            finite_difference(loss, &at)[0],
            1e-5,
        )
        .of(format!("position_gradient({alpha:?}, {p}, {sigma}, {dy:?})"))
        .or_hint(
            -wrong::position_gradient(&alpha, p, sigma, &dy, 2),
            "the sign is turned: p moves away from words that help",
        )
        .or_hint(
            wrong::position_gradient(&alpha, p, sigma, &dy, 1),
            "the exponent (s − p)²/2σ², differentiated, divides by σ² once, not by σ",
        )
        .or_hint(
            wrong::without_gaussian(&alpha, p, sigma, &dy),
            "the Gaussian itself is missing: exp(x)′ is exp(x)",
        )
        .check();
    }
}

fn decoder_parameters(table: &Table) {
    let count = table.decoder_parameters;
    for (e, h, layers) in [(3, 5, 1), (4, 6, 3), (64, 128, 2)] {
        let fed = luong_decoder(e, h, layers, true);
        let plain = luong_decoder(e, h, layers, false);
        let (found, call) = (count(e, h, layers, false), format!("({e}, {h}, {layers}, false)"));
        assert!(
            found + 3 * h * layers != plain,
            "decoder_parameters{call} is {found}: a gate has two biases"
        );
        assert!(found == plain, "decoder_parameters{call} is {found}, not {plain}");
        let (found, call) = (count(e, h, layers, true), format!("({e}, {h}, {layers}, true)"));
        assert!(found != plain, "decoder_parameters{call} is {found}: h̃ is read, too");
        assert!(
            layers == 1 || found != plain + layers * (fed - plain),
            "decoder_parameters{call} is {found}: only the first layer reads h̃"
        );
        assert!(found == fed, "decoder_parameters{call} is {found}");
    }
}

/// Counted in the chapter's own model.
fn luong_decoder(embedding: usize, hidden: usize, layers: usize, feeding: bool) -> usize {
    use luong::experiment::{Chapter, Choices};
    use seq2seq::commands::Recipe;
    use shared::Module;
    let sizes = seq2seq::Sizes {
        source_words: 3,
        target_words: 3,
        embedding,
        hidden,
        layers,
        dropout: 0.0,
    };
    let choices = Choices { feeding, ..Choices::default() };
    let mut count = 0;
    Chapter::build(&sizes, &choices, &mut shared::rng(0)).for_each_parameter(|name, param| {
        if name.starts_with("decoder.") || name.starts_with("feed.") {
            count += param.value().len();
        }
    });
    count
}

fn local_p(table: &Table) {
    let scores = [0.5, 2.0, -1.0, 1.0, 3.0];
    for (p, width, window) in [(2.3, 2, 1..5), (0.4, 1, 0..2), (4.9, 1, 4..5)] {
        let all = |s: usize| {
            let sum: f64 = window.clone().map(|s| f64::from(scores[s]).exp()).sum();
            let sigma = width as f64 / 2.0;
            let near = (-(s as f64 - f64::from(p)).powi(2) / (2.0 * sigma * sigma)).exp();
            f64::from(scores[s]).exp() / sum * near
        };
        let expected: Vec<f64> = window.clone().map(all).collect();
        let expectation =
            expect((table.local_p)(&scores, p, width, window.clone()), expected, 1e-5)
                .of(format!("local_p({scores:?}, {p}, {width}, {window:?})"))
                .or_hint(
                    wrong::renormalised(&scores, p, width, window.clone()),
                    "these weights sum to 1 again: equation 10 does not divide by their sum",
                )
                .or_hint(
                    wrong::over_the_sentence(&scores, p, width, window.clone()),
                    "words outside the window take part in the softmax",
                );
        expectation.check();
    }
    // The largest score stands outside the window, and those inside are large, too.
    let (large, p, width, window) = ([500.0, 102.0, 99.0, 101.0, 103.0], 2.3, 2, 1..5);
    let found = (table.local_p)(&large, p, width, window.clone());
    assert!(
        found.iter().all(|weight| weight.is_finite()),
        "local_p({large:?}, {p}, {width}, {window:?}) is {found:?}: before you exponentiate, subtract the largest score in the window"
    );
    expect(found, wrong::shifted(&large, p, width, window.clone(), 103.0), 1e-5)
        .of(format!("local_p({large:?}, {p}, {width}, {window:?})"))
        .check();
}

fn location(table: &Table) {
    let w = Matrix::from_row_slice(4, 2, &[1.0, 0.0, 0.0, 2.0, -1.0, 1.0, 3.0, 3.0]);
    let query = Matrix::from_row_slice(2, 1, &[0.5, 0.25]); // scores 0.5, 0.5, −0.25, 2.25
    let (e, f) = ((-0.75_f64).exp(), 1.75_f64.exp());
    let all = 2.0 + e + f;
    let cases = [
        (1, vec![1.0]),
        (2, vec![0.5, 0.5]),
        (3, vec![1.0 / (2.0 + e), 1.0 / (2.0 + e), e / (2.0 + e)]),
        (4, vec![1.0 / all, 1.0 / all, e / all, f / all]),
        (5, vec![1.0 / all, 1.0 / all, e / all, f / all, 0.0]),
        (7, vec![1.0 / all, 1.0 / all, e / all, f / all, 0.0, 0.0, 0.0]),
    ];
    // All scores larger by 100: the same weights.
    let large = Matrix::from_fn(4, 2, |s, a| w[(s, a)] + if a == 0 { 200.0 } else { 0.0 });
    for (words, expected) in cases {
        let found = (table.location)(&w, &query, words);
        assert!(found.len() == words, "{} weights for {words} words", found.len());
        let expectation = expect(found, expected.clone(), 1e-5)
            .of(format!("location(w, query, {words})"))
            .given("w", &w)
            .given("query", &query);
        if words < 4 {
            let hint = "positions the sentence does not have take part in the softmax";
            expectation.or_hint(wrong::all_positions(&w, &query, words), hint).check();
        } else if words > 4 {
            let hint = "words behind the last known position get no weight";
            expectation.or_hint(wrong::zero_scores(&w, &query, words), hint).check();
        } else {
            expectation.check();
        }
        let found = (table.location)(&large, &query, words);
        assert!(
            found.iter().all(|weight| weight.is_finite()),
            "with scores from 99 to 102 the weights are {found:?}: subtract the largest score before you exponentiate"
        );
        expect(found, expected, 1e-5).of("location with large scores").check();
    }
}
