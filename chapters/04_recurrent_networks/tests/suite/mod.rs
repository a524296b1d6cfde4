//! What the exercises of chapter 4 must do, and typical mistakes that the checks must reject.

use nalgebra::DMatrix;
use recurrent_networks::cells::{self, Gates};
use recurrent_networks::{Bidirectional, Gru, Recurrent, Steps};
use shared::elementwise::sigmoid;
use shared::{Matrix, Module, Tape, Vector, product, rng};
use tests::exercises::{Exercise, Kind, Mistake, ORIGINAL_BUG, Suite};
use tests::{assert_close, expect, finite_difference};

use crate::attempt;

/// One field an exercise.
#[derive(Clone, Copy)]
pub struct Table {
    pub gru_step: fn(&Matrix, &Matrix, &Vector, &Matrix) -> Matrix,
    pub lstm_backward: fn(&Vector, &Vector, &Vector, &Vector) -> (Vector, Vector),
    pub reversed: fn(&[usize]) -> Vec<usize>,
    pub clip: fn(&[Matrix], f32) -> Vec<Matrix>,
    pub through_time: fn(&Matrix, &Matrix) -> Matrix,
    pub both_ways: fn(&Bidirectional<Gru>, &Matrix, &Steps) -> Matrix,
    pub final_states: fn(&Matrix, &[usize]) -> Matrix,
}

/// The functions of the module that this test program calls `attempt`: exercises or solutions.
pub fn table() -> Table {
    Table {
        gru_step: attempt::gru_step,
        lstm_backward: attempt::lstm_backward,
        reversed: attempt::reversed,
        clip: attempt::clip,
        through_time: attempt::through_time,
        both_ways: attempt::both_ways,
        final_states: attempt::final_states,
    }
}

pub fn suite() -> Suite<Table> {
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(Exercise {
            number: 1,
            title: "one step of a GRU",
            kind: Kind::Implement,
            difficulty: 2,
            minutes: 15,
            check: gru_step,
            mistakes: &[
                Mistake {
                    name: "the update gate the other way round",
                    hint: "z keeps the old state",
                    apply: |table| table.gru_step = |p, u, c, h| gru(p, u, c, h, Wrong::Update),
                },
                Mistake {
                    name: "reset before the product",
                    hint: "after the product",
                    apply: |table| table.gru_step = |p, u, c, h| gru(p, u, c, h, Wrong::Reset),
                },
                Mistake {
                    name: "the bias outside the reset",
                    hint: "c_n is inside",
                    apply: |table| table.gru_step = |p, u, c, h| gru(p, u, c, h, Wrong::Bias),
                },
                Mistake {
                    name: "r and z exchanged",
                    hint: "r comes first",
                    apply: |table| table.gru_step = |p, u, c, h| gru(p, u, c, h, Wrong::Order),
                },
                Mistake {
                    name: "no reset",
                    hint: "without the reset gate",
                    apply: |table| table.gru_step = |p, u, c, h| gru(p, u, c, h, Wrong::NoReset),
                },
                Mistake {
                    name: "a sigmoid for the tanh",
                    hint: "the candidate is a tanh",
                    apply: |table| table.gru_step = |p, u, c, h| gru(p, u, c, h, Wrong::Sigmoid),
                },
                Mistake {
                    name: "the last state",
                    hint: "",
                    apply: |table| table.gru_step = |_, _, _, h| h.clone(),
                },
                Mistake {
                    name: "zeros",
                    hint: "",
                    apply: |table| table.gru_step = |_, _, _, h| h * 0.0,
                },
            ],
        })
        .exercise(Exercise {
            number: 2,
            title: "backward through one LSTM step",
            kind: Kind::Derive,
            difficulty: 3,
            minutes: 30,
            check: lstm_backward,
            mistakes: &[
                Mistake {
                    name: "dc forgotten",
                    hint: "c is reached on two ways",
                    apply: |table| {
                        table.lstm_backward = |g, l, dh, dc| lstm(g, l, dh, &(dc * 0.0), [1.0; 4]);
                    },
                },
                Mistake {
                    name: "only through the memory",
                    hint: "h shows c, too",
                    apply: |table| {
                        table.lstm_backward = |g, l, dh, dc| {
                            let (mut da, dlast) = lstm(g, l, &(dh * 0.0), dc, [1.0; 4]);
                            let o = attempt::lstm_backward(g, l, dh, dc).0.rows(6, 2).into_owned();
                            da.rows_mut(6, 2).copy_from(&o);
                            (da, dlast)
                        };
                    },
                },
                Mistake {
                    name: "the slope of the last tanh left out",
                    hint: "h = o ⊙ tanh(c)",
                    apply: |table| table.lstm_backward = without_slope,
                },
                Mistake {
                    name: "the gates' own gradients",
                    hint: "what went into",
                    apply: |table| table.lstm_backward = before_the_slopes,
                },
                Mistake {
                    name: "a sigmoid's slope for g",
                    hint: "g is a tanh",
                    apply: |table| table.lstm_backward = sigmoid_for_g,
                },
                Mistake {
                    name: "i and f exchanged",
                    hint: "",
                    apply: |table| {
                        table.lstm_backward = |g, l, dh, dc| {
                            let (mut da, dlast) = attempt::lstm_backward(g, l, dh, dc);
                            for k in 0..2 {
                                da.swap_rows(k, k + 2);
                            }
                            (da, dlast)
                        };
                    },
                },
                Mistake {
                    name: "the memory's gradient without f",
                    hint: "c' reaches c through f",
                    apply: |table| table.lstm_backward = without_f,
                },
                Mistake {
                    name: "zeros",
                    hint: "",
                    apply: |table| table.lstm_backward = |g, l, _, _| (g * 0.0, l * 0.0),
                },
            ],
        })
        .exercise(Exercise {
            number: 3,
            title: "every sequence back to front",
            kind: Kind::Implement,
            difficulty: 2,
            minutes: 15,
            check: reversed,
            mistakes: &[
                Mistake {
                    name: "the whole packing back to front",
                    hint: "every sequence for itself",
                    apply: |table| table.reversed = |l| (0..l.iter().sum()).rev().collect(),
                },
                Mistake {
                    name: "not turned",
                    hint: "in the old order",
                    apply: |table| table.reversed = |l| (0..l.iter().sum()).collect(),
                },
                Mistake {
                    name: "sequence by sequence",
                    hint: "sequence by sequence",
                    apply: |table| table.reversed = by_sequence,
                },
                Mistake {
                    name: "steps back to front",
                    hint: "every sequence for itself",
                    apply: |table| table.reversed = steps_reversed,
                },
                Mistake {
                    name: "as if all were as long as the longest",
                    hint: "",
                    apply: |table| {
                        table.reversed = |l| {
                            let (b, t) = (l.len(), l[0]);
                            (0..t).rev().flat_map(|t| (0..b).map(move |i| t * b + i)).collect()
                        };
                    },
                },
            ],
        })
        .exercise(Exercise {
            number: 4,
            title: "clipping",
            kind: Kind::Implement,
            difficulty: 1,
            minutes: 10,
            check: clip,
            mistakes: &[
                Mistake {
                    name: "each matrix for itself",
                    hint: "all matrices together",
                    apply: |table| table.clip = |g, l| g.iter().map(|d| shortened(d, l)).collect(),
                },
                Mistake {
                    name: "each entry for itself",
                    hint: "turns it",
                    apply: |table| {
                        table.clip = |g, l| g.iter().map(|d| d.map(|x| x.clamp(-l, l))).collect();
                    },
                },
                Mistake {
                    name: "always to the full length",
                    hint: "short enough",
                    apply: |table| {
                        table.clip = |g, l| {
                            let norm = all_norm(g);
                            g.iter().map(|d| d * (l / norm)).collect()
                        };
                    },
                },
                Mistake {
                    name: "never",
                    hint: "too long",
                    apply: |table| table.clip = |g, _| g.to_vec(),
                },
                Mistake {
                    name: "the square of the norm",
                    hint: "",
                    apply: |table| {
                        table.clip = |g, l| {
                            let square = all_norm(g).powi(2);
                            let factor = if square > l { l / square } else { 1.0 };
                            g.iter().map(|d| d * factor).collect()
                        };
                    },
                },
                Mistake {
                    name: "nothing divided by nothing",
                    hint: "NaN",
                    apply: |table| {
                        table.clip = |g, l| {
                            let norm = all_norm(g);
                            g.iter().map(|d| d * (norm.min(l) / norm)).collect()
                        };
                    },
                },
                Mistake {
                    name: "zeros",
                    hint: "",
                    apply: |table| table.clip = |g, _| g.iter().map(|d| d * 0.0).collect(),
                },
            ],
        })
        .exercise(Exercise {
            number: 5,
            title: "the gradient through time",
            kind: Kind::Derive,
            difficulty: 2,
            minutes: 20,
            check: through_time,
            mistakes: &[
                Mistake {
                    name: "steps in the wrong order",
                    hint: "the last step stands on the left",
                    apply: |table| table.through_time = wrong_order,
                },
                Mistake {
                    name: "transposed",
                    hint: "entry (i, j)",
                    apply: |table| {
                        table.through_time = |u, h| attempt::through_time(u, h).transpose();
                    },
                },
                Mistake {
                    name: "powers of U",
                    hint: "the slope of the tanh",
                    apply: |table| {
                        table.through_time = |u, h| {
                            (1..h.ncols()).fold(Matrix::identity(3, 3), |j, _| product(u, &j))
                        };
                    },
                },
                Mistake {
                    name: "slopes of the states before",
                    hint: "of the state it leads to",
                    apply: |table| {
                        table.through_time = |u, h| {
                            let mut shifted = h.clone();
                            for t in 1..h.ncols() {
                                shifted.set_column(t, &h.column(t - 1));
                            }
                            attempt::through_time(u, &shifted)
                        };
                    },
                },
                Mistake {
                    name: "slopes on the right",
                    hint: "",
                    apply: |table| {
                        table.through_time = |u, h| {
                            h.column_iter().skip(1).fold(Matrix::identity(3, 3), |j, h| {
                                let slope = Matrix::from_diagonal(&h.map(|h| 1.0 - h * h));
                                product(&product(u, &slope), &j)
                            })
                        };
                    },
                },
                Mistake {
                    name: "one step alone",
                    hint: "",
                    apply: |table| {
                        table.through_time = |u, h| {
                            let last = h.columns(h.ncols() - 2, 2).into_owned();
                            attempt::through_time(u, &last)
                        };
                    },
                },
                Mistake {
                    name: "the identity",
                    hint: "",
                    apply: |table| {
                        table.through_time = |u, _| Matrix::identity(u.nrows(), u.nrows())
                    },
                },
            ],
        })
        .exercise(Exercise {
            number: 6,
            title: "spot the bug: two directions",
            kind: Kind::SpotTheBug,
            difficulty: 2,
            minutes: 10,
            check: both_ways,
            mistakes: &[
                Mistake {
                    name: ORIGINAL_BUG,
                    hint: "not turned back",
                    apply: |table| {
                        table.both_ways = |layer, x, steps| {
                            let turned = x.select_columns(&steps.reversed());
                            halves(
                                &read(&layer.forward, x, steps),
                                &read(&layer.backward, &turned, steps),
                            )
                        };
                    },
                },
                Mistake {
                    name: "the second half reads forward, too",
                    hint: "reads forward",
                    apply: |table| {
                        table.both_ways = |layer, x, steps| {
                            halves(
                                &read(&layer.forward, x, steps),
                                &read(&layer.backward, x, steps),
                            )
                        };
                    },
                },
                Mistake {
                    name: "one layer for both directions",
                    hint: "a layer of its own",
                    apply: |table| {
                        table.both_ways = |layer, x, steps| {
                            let order = steps.reversed();
                            let turned = x.select_columns(&order);
                            let backward =
                                read(&layer.forward, &turned, steps).select_columns(&order);
                            halves(&read(&layer.forward, x, steps), &backward)
                        };
                    },
                },
                Mistake {
                    name: "backward above forward",
                    hint: "above",
                    apply: |table| {
                        table.both_ways = |layer, x, steps| {
                            let both = attempt::both_ways(layer, x, steps);
                            let h = both.nrows() / 2;
                            halves(&both.rows(h, h).into_owned(), &both.rows(0, h).into_owned())
                        };
                    },
                },
                Mistake {
                    name: "everything turned back",
                    hint: "",
                    apply: |table| {
                        table.both_ways = |layer, x, steps| {
                            let order = steps.reversed();
                            let turned = x.select_columns(&order);
                            halves(
                                &read(&layer.forward, x, steps),
                                &read(&layer.backward, &turned, steps),
                            )
                            .select_columns(&order)
                        };
                    },
                },
            ],
        })
        .exercise(Exercise {
            number: 7,
            title: "spot the bug: the last state",
            kind: Kind::SpotTheBug,
            difficulty: 1,
            minutes: 5,
            check: final_states,
            mistakes: &[
                Mistake {
                    name: ORIGINAL_BUG,
                    hint: "read padding",
                    apply: |table| {
                        table.final_states =
                            |h, l| h.columns(h.ncols() - l.len(), l.len()).into_owned();
                    },
                },
                Mistake {
                    name: "one step too far",
                    hint: "",
                    apply: |table| {
                        table.final_states = |h, l| {
                            let last = |(i, n): (usize, &usize)| {
                                (n * l.len() + i).min(h.ncols() - l.len() + i)
                            };
                            h.select_columns(&l.iter().enumerate().map(last).collect::<Vec<_>>())
                        };
                    },
                },
                Mistake {
                    name: "as if sequence stood after sequence",
                    hint: "column t·B + i",
                    apply: |table| {
                        table.final_states = |h, l| {
                            let steps = h.ncols() / l.len();
                            let last = |(i, n): (usize, &usize)| i * steps + n - 1;
                            h.select_columns(&l.iter().enumerate().map(last).collect::<Vec<_>>())
                        };
                    },
                },
                Mistake {
                    name: "as if the longest had no padding",
                    hint: "from the beginning",
                    apply: |table| table.final_states = from_the_end,
                },
                Mistake {
                    name: "the first states",
                    hint: "",
                    apply: |table| table.final_states = |h, l| h.columns(0, l.len()).into_owned(),
                },
            ],
        })
}

/// Uneven numbers in −1.2 … 1.2.
fn uneven(rows: usize, columns: usize, phase: f32) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| (1.3 * i as f32 + 2.1 * j as f32 + phase).sin() * 1.2)
}

fn column(rows: usize, phase: f32) -> Vector {
    uneven(rows, 1, phase).column(0).into_owned()
}

fn gru_step(table: &Table) {
    let (p, u, c, h) = (uneven(6, 3, 0.0), uneven(6, 2, 1.0), column(6, 2.0), uneven(2, 3, 3.0));
    let tape = Tape::without_gradients();
    let c_var = tape.constant(Matrix::from_column_slice(6, 1, c.as_slice()));
    let [p_var, u_var, h_var] = [&p, &u, &h].map(|x| tape.constant(x.clone()));
    let gates = Gates { w: u_var, u: u_var, b: c_var, c: c_var }; // W and b are in `projected`
    let expected = Matrix::clone(&cells::gru(gates, p_var, h_var).value());
    expect((table.gru_step)(&p, &u, &c, &h), &expected, 1e-5)
        .of("gru_step(projected, u, c, h)")
        .given("projected", &p)
        .given("h", &h)
        .or_hint(
            gru(&p, &u, &c, &h, Wrong::Update),
            "z keeps the old state, 1 − z takes the new one",
        )
        .or_hint(
            gru(&p, &u, &c, &h, Wrong::Reset),
            "the reset gate acts after the product here: r ⊙ (U_n h + c_n)",
        )
        .or_hint(gru(&p, &u, &c, &h, Wrong::Bias), "c_n is inside: r ⊙ (U_n h + c_n)")
        .or_hint(gru(&p, &u, &c, &h, Wrong::Order), "of the three blocks of rows, r comes first")
        .or_hint(gru(&p, &u, &c, &h, Wrong::NoReset), "this is a GRU without the reset gate")
        .or_hint(gru(&p, &u, &c, &h, Wrong::Sigmoid), "the candidate is a tanh: it may be negative")
        .check();
}

/// What can go wrong in a GRU.
#[derive(Clone, Copy, PartialEq)]
enum Wrong {
    Update,
    Reset,
    Bias,
    Order,
    NoReset,
    Sigmoid,
}

fn gru(p: &Matrix, u: &Matrix, c: &Vector, h: &Matrix, wrong: Wrong) -> Matrix {
    let size = h.nrows();
    let part = |x: &Matrix, k: usize| x.rows(k * size, size).into_owned();
    let product_of = |k: usize, h: &Matrix| product(&part(u, k), h);
    let with_c = |k: usize, mut x: Matrix| {
        x.column_iter_mut().for_each(|mut x| x += c.rows(k * size, size));
        x
    };
    let gate = |k: usize| (part(p, k) + with_c(k, product_of(k, h))).map(sigmoid);
    let (r, z) = if wrong == Wrong::Order { (gate(1), gate(0)) } else { (gate(0), gate(1)) };
    let m = match wrong {
        Wrong::Reset => with_c(2, product_of(2, &r.component_mul(h))),
        Wrong::Bias => with_c(2, r.component_mul(&product_of(2, h))),
        Wrong::NoReset => with_c(2, product_of(2, h)),
        _ => r.component_mul(&with_c(2, product_of(2, h))),
    };
    let n = (part(p, 2) + m).map(if wrong == Wrong::Sigmoid { sigmoid } else { f32::tanh });
    match wrong {
        Wrong::Update => h + z.component_mul(&(&n - h)),
        _ => &n + z.component_mul(&(h - &n)),
    }
}

fn lstm_backward(table: &Table) {
    let (a, last, dh, dc) = (column(8, 0.0), column(2, 1.0), column(2, 2.0), column(2, 2.5));
    let gates = activated(&a);
    let (found, found_last) = (table.lstm_backward)(&gates, &last, &dh, &dc);
    // The formulas in f64, and their finite differences.
    let loss = |a: &DMatrix<f64>, last: &DMatrix<f64>| {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let one = |k: usize| {
            let c = sigmoid(a[2 + k]) * last[k] + sigmoid(a[k]) * a[4 + k].tanh();
            let h = sigmoid(a[6 + k]) * c.tanh();
            h * f64::from(dh[k]) + c * f64::from(dc[k])
        };
        one(0) + one(1)
    };
    let wide = |x: &Vector| DMatrix::from_iterator(x.len(), 1, x.iter().map(|x| f64::from(*x)));
    let narrow = |x: &Vector| Matrix::from_column_slice(x.len(), 1, x.as_slice());
    let da = finite_difference(|a| loss(a, &wide(&last)), narrow(&a));
    let dlast = finite_difference(|last| loss(&wide(&a), last), narrow(&last));
    let of = |wrong: fn(&Vector, &Vector, &Vector, &Vector) -> (Vector, Vector)| {
        wrong(&gates, &last, &dh, &dc)
    };
    let (no_dc, no_h) = (
        lstm(&gates, &last, &dh, &(&dc * 0.0), [1.0; 4]),
        lstm(&gates, &last, &(&dh * 0.0), &dc, [1.0; 4]),
    );
    expect(found_last, dlast, 1e-5)
        .of("the gradient of c'")
        .given("gates", &gates)
        .given("dh", &dh)
        .given("dc", &dc)
        .or_hint(no_dc.1, "c is reached on two ways: dc comes in, too")
        .or_hint(no_h.1, "h shows c, too: add what comes through h = o ⊙ tanh(c)")
        .or_hint(of(without_slope).1, "h = o ⊙ tanh(c): where is the slope of this tanh?")
        .or_hint(of(without_f).1, "c' reaches c through f")
        .check();
    expect(found, da, 1e-5)
        .of("the gradient of what went into i, f, g, o")
        .given("gates", &gates)
        .given("last", &last)
        .or_hint(
            of(before_the_slopes).0,
            "these are the gradients of the gates; of what went into their σ and tanh was asked",
        )
        .or_hint(of(sigmoid_for_g).0, "g is a tanh: its slope is 1 − g²")
        .check();
}

fn activated(a: &Vector) -> Vector {
    let quarter = a.len() / 4;
    Vector::from_fn(a.len(), |k, _| if k / quarter == 2 { a[k].tanh() } else { sigmoid(a[k]) })
}

/// The backward with the slopes of the four gates raised to some power: 1 is right, 0 leaves them out.
fn lstm(
    gates: &Vector,
    last: &Vector,
    dh: &Vector,
    dc: &Vector,
    power: [f32; 4],
) -> (Vector, Vector) {
    let size = last.len();
    let gate = |k: usize| gates.rows(k * size, size).into_owned();
    let (i, f, g, o) = (gate(0), gate(1), gate(2), gate(3));
    let shown = (f.component_mul(last) + i.component_mul(&g)).map(f32::tanh);
    let d_o = dh.component_mul(&shown);
    let dc = dc + dh.component_mul(&o).component_mul(&shown.map(|t| 1.0 - t * t));
    let slope = |k: usize, y: &Vector| {
        y.map(|y| if k == 2 { 1.0 - y * y } else { y * (1.0 - y) }.powf(power[k]))
    };
    let mut da = Vector::zeros(4 * size);
    let parts = [dc.component_mul(&g), dc.component_mul(last), dc.component_mul(&i), d_o];
    for (k, (d, y)) in parts.iter().zip([&i, &f, &g, &o]).enumerate() {
        da.rows_mut(k * size, size).copy_from(&d.component_mul(&slope(k, y)));
    }
    (da, dc.component_mul(&f))
}

fn before_the_slopes(gates: &Vector, last: &Vector, dh: &Vector, dc: &Vector) -> (Vector, Vector) {
    lstm(gates, last, dh, dc, [0.0; 4])
}

fn sigmoid_for_g(gates: &Vector, last: &Vector, dh: &Vector, dc: &Vector) -> (Vector, Vector) {
    let (mut da, dlast) = lstm(gates, last, dh, dc, [1.0, 1.0, 0.0, 1.0]);
    let size = last.len();
    for k in 2 * size..3 * size {
        da[k] *= gates[k] * (1.0 - gates[k]);
    }
    (da, dlast)
}

/// As if h were o ⊙ tanh(c) with a tanh of slope 1.
fn without_slope(gates: &Vector, last: &Vector, dh: &Vector, dc: &Vector) -> (Vector, Vector) {
    let size = last.len();
    let o = gates.rows(3 * size, size).into_owned();
    let (mut da, dlast) = lstm(gates, last, &(dh * 0.0), &(dc + dh.component_mul(&o)), [1.0; 4]);
    let (right, _) = lstm(gates, last, dh, dc, [1.0; 4]);
    da.rows_mut(3 * size, size).copy_from(&right.rows(3 * size, size));
    (da, dlast)
}

fn without_f(gates: &Vector, last: &Vector, dh: &Vector, dc: &Vector) -> (Vector, Vector) {
    let (da, dlast) = lstm(gates, last, dh, dc, [1.0; 4]);
    let f = gates.rows(last.len(), last.len());
    (da, dlast.component_div(&f))
}

fn reversed(table: &Table) {
    for lengths in [&[4, 2, 1][..], &[3], &[2, 2], &[5, 5, 3, 1, 1]] {
        let found = (table.reversed)(lengths);
        let call = format!("reversed({lengths:?}) is {found:?}");
        let columns: usize = lengths.iter().sum();
        assert!(found.len() == columns, "{call}, but there are {columns} columns");
        let expected = Steps::new(lengths).reversed();
        if found == expected {
            continue;
        }
        let why = match &found {
            found if *found == by_sequence(lengths) => "sequence by sequence, not step by step",
            found if found.iter().is_sorted() => "this leaves the tokens in the old order",
            _ => "every sequence for itself is turned round",
        };
        panic!("{call}, not {expected:?}: {why}");
    }
}

/// Turned, but one sequence after the other.
fn by_sequence(lengths: &[usize]) -> Vec<usize> {
    let steps = Steps::new(lengths);
    let one = |i: usize| (0..lengths[i]).rev().map(move |t| (i, t));
    (0..lengths.len()).flat_map(one).map(|(i, t)| steps.column(i, t)).collect()
}

fn steps_reversed(lengths: &[usize]) -> Vec<usize> {
    let steps = Steps::new(lengths);
    (0..steps.len()).rev().flat_map(|t| steps.columns(t)).collect()
}

fn clip(table: &Table) {
    let gradients = [uneven(2, 3, 0.0), uneven(4, 1, 1.0) * 3.0]; // the second is the longer one
    let norm = all_norm(&gradients);
    let longest = 1.5;
    let found = (table.clip)(&gradients, longest);
    assert!(found.len() == 2, "clip returned {} matrices for 2", found.len());
    let direction: f32 = found.iter().zip(&gradients).map(|(a, b)| a.dot(b)).sum();
    let cosine = direction / (all_norm(&found) * norm);
    let (length, each) =
        (all_norm(&found), gradients.iter().map(|d| shortened(d, longest)).collect::<Vec<_>>());
    assert!(
        length < norm * 0.99,
        "a gradient of length {norm} is too long for {longest}, but came back with length {length}"
    );
    let apart = (&found[0] - &each[0]).amax() + (&found[1] - &each[1]).amax();
    assert!(apart > 1e-4, "one limit for each matrix: it counts for all matrices together");
    assert!(cosine > 0.9999, "clipping shortens a gradient; this turns it: the cosine is {cosine}");
    assert_close!(length, longest, 1e-5, "the length after clipping at {longest}");
    for (found, d) in found.iter().zip(&gradients) {
        assert_close!(found, d * (longest / norm), 1e-5);
    }
    for longest in [2.0 * norm, norm * 1.001] {
        let found = (table.clip)(&gradients, longest);
        for (found, d) in found.iter().zip(&gradients) {
            assert_close!(
                found,
                d,
                1e-6,
                "a gradient of length {norm} is short enough for {longest}"
            );
        }
    }
    let nothing = [Matrix::zeros(2, 3), Matrix::zeros(4, 1)];
    for (found, d) in (table.clip)(&nothing, longest).iter().zip(&nothing) {
        assert_close!(found, d, 1e-6, "a gradient of zeros has length 0: dividing by it gives NaN");
    }
}

fn all_norm(gradients: &[Matrix]) -> f32 {
    gradients.iter().map(|d| d.norm_squared()).sum::<f32>().sqrt()
}

fn shortened(d: &Matrix, longest: f32) -> Matrix {
    if d.norm() > longest { d * (longest / d.norm()) } else { d.clone() }
}

fn through_time(table: &Table) {
    let (u, inputs, start) = (uneven(3, 3, 0.0), uneven(3, 4, 1.0), uneven(3, 1, 2.0));
    let run = |start: &DMatrix<f64>| {
        let u = u.map(f64::from);
        let mut h = start.clone();
        let mut states = vec![h.clone()];
        for a in inputs.column_iter() {
            h = (&u * &h + DMatrix::from_fn(3, 1, |i, _| f64::from(a[i]))).map(f64::tanh);
            states.push(h.clone());
        }
        states
    };
    let states = run(&start.map(f64::from));
    let states = Matrix::from_fn(3, 5, |i, t| states[t][i] as f32);
    let mut expected = DMatrix::zeros(3, 3);
    for i in 0..3 {
        let row = finite_difference(|h: &DMatrix<f64>| run(h)[4][i], &start);
        expected.row_mut(i).copy_from(&row.transpose());
    }
    let powers = (1..5).fold(Matrix::identity(3, 3), |j, _| product(&u, &j));
    let mut shifted = states.clone();
    for t in 1..5 {
        shifted.set_column(t, &states.column(t - 1));
    }
    let narrow = expected.map(|x| x as f32);
    expect((table.through_time)(&u, &states), &expected, 1e-5)
        .of("through_time(u, states)")
        .given("u", &u)
        .given("states", &states)
        .or_hint(narrow.transpose(), "entry (i, j) belongs to entry i of h_T and entry j of h₀")
        .or_hint(powers, "these are powers of U: the slope of the tanh is missing")
        .or_hint(
            wrong_order(&u, &states),
            "∂h_T/∂h_{T−1} comes last, so the last step stands on the left",
        )
        .or_hint(chain(&u, &shifted), "the slope 1 − h² of a step is that of the state it leads to")
        .check();
}

fn chain(u: &Matrix, states: &Matrix) -> Matrix {
    states.column_iter().skip(1).fold(Matrix::identity(3, 3), |j, h| {
        product(&Matrix::from_diagonal(&h.map(|h| 1.0 - h * h)), &product(u, &j))
    })
}

fn wrong_order(u: &Matrix, states: &Matrix) -> Matrix {
    states.column_iter().skip(1).fold(Matrix::identity(3, 3), |j, h| {
        product(&j, &product(&Matrix::from_diagonal(&h.map(|h| 1.0 - h * h)), u))
    })
}

fn both_ways(table: &Table) {
    let mut layer: Bidirectional<Gru> = Bidirectional::new(2, 3, &mut rng(4));
    layer.for_each_parameter(|_, param| *param.value_mut() *= 2.0);
    for lengths in [&[4, 2, 1][..], &[3, 3]] {
        let steps = Steps::new(lengths);
        let x = uneven(2, steps.tokens(), 0.5);
        let tape = Tape::without_gradients();
        let expected = Matrix::clone(&layer.forward(tape.constant(x.clone()), &steps).value());
        let order = steps.reversed();
        let turned = x.select_columns(&order);
        let forward = read(&layer.forward, &x, &steps);
        let unturned = halves(&forward, &read(&layer.backward, &turned, &steps));
        let same = halves(&forward, &read(&layer.forward, &turned, &steps).select_columns(&order));
        let upside_down =
            halves(&expected.rows(3, 3).into_owned(), &expected.rows(0, 3).into_owned());
        expect((table.both_ways)(&layer, &x, &steps), &expected, 1e-5)
            .of(format!("both_ways for sequences of length {lengths:?}"))
            .or_hint(
                unturned,
                "the backward states are not turned back: column j is about another word",
            )
            .or_hint(
                halves(&forward, &read(&layer.backward, &x, &steps)),
                "the second half reads forward as well",
            )
            .or_hint(same, "the backward direction has a layer of its own")
            .or_hint(upside_down, "the forward states stand above the backward ones")
            .check();
    }
}

fn read(layer: &Gru, x: &Matrix, steps: &Steps) -> Matrix {
    let tape = Tape::without_gradients();
    Matrix::clone(&layer.forward(tape.constant(x.clone()), steps, None).value())
}

fn halves(above: &Matrix, below: &Matrix) -> Matrix {
    let tape = Tape::without_gradients();
    let both = tape.constant(above.clone()).stack(tape.constant(below.clone()));
    Matrix::clone(&both.value())
}

fn final_states(table: &Table) {
    // In the last two, all sequences are padded: to five steps, or to a step more than they have.
    for (lengths, steps) in
        [(&[4, 2, 1][..], 4), (&[2, 3], 3), (&[3, 3], 3), (&[1, 3], 5), (&[2, 2], 3)]
    {
        let batch = lengths.len();
        let states = uneven(2, steps * batch, 0.3);
        let column = |i: usize| (lengths[i] - 1) * batch + i;
        let expected = Matrix::from_fn(2, batch, |k, i| states[(k, column(i))]);
        let last_step = states.columns(states.ncols() - batch, batch).into_owned();
        let in_a_row = Matrix::from_fn(2, batch, |k, i| states[(k, i * steps + lengths[i] - 1)]);
        let found = expect((table.final_states)(&states, lengths), &expected, 1e-6);
        let found =
            found.of(format!("final_states for lengths {lengths:?}")).given("states", &states);
        let found = match last_step == expected {
            true => found,
            false => found.or_hint(last_step, "sequences that have ended went on and read padding"),
        };
        let found = found.or_hint(in_a_row, "step t of sequence i stands in column t·B + i");
        let counted_back = from_the_end(&states, lengths);
        match counted_back == expected {
            true => found,
            false => found
                .or_hint(counted_back, "the longest may be padded, too: count from the beginning"),
        }
        .check();
    }
}

/// Counts steps back from the last, as if the longest sequence ended there.
fn from_the_end(states: &Matrix, lengths: &[usize]) -> Matrix {
    let (batch, longest) = (lengths.len(), lengths.iter().copied().max().unwrap_or(0));
    let last = |(i, length)| states.ncols() - (longest - length + 1) * batch + i;
    states.select_columns(&lengths.iter().enumerate().map(last).collect::<Vec<_>>())
}
