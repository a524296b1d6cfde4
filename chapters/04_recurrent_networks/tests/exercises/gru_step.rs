//! 4.1 one step of a GRU

use recurrent_networks::cells::{self, Gates};
use shared::elementwise::sigmoid;
use shared::{Matrix, Tape, Vector, product};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

use super::support::{column, uneven};

type GruStep = fn(&Matrix, &Matrix, &Vector, &Matrix) -> Matrix;

pub fn exercise() -> Exercise<GruStep> {
    Exercise {
        number: 1,
        title: "one step of a GRU",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "the update gate the other way round",
                hint: "z keeps the old state",
                answer: |p, u, c, h| gru(p, u, c, h, Slip::Update),
            },
            Wrong {
                name: "reset before the product",
                hint: "after the product",
                answer: |p, u, c, h| gru(p, u, c, h, Slip::Reset),
            },
            Wrong {
                name: "the bias outside the reset",
                hint: "c_n is inside",
                answer: |p, u, c, h| gru(p, u, c, h, Slip::Bias),
            },
            Wrong {
                name: "r and z exchanged",
                hint: "r comes first",
                answer: |p, u, c, h| gru(p, u, c, h, Slip::Order),
            },
            Wrong {
                name: "no reset",
                hint: "without the reset gate",
                answer: |p, u, c, h| gru(p, u, c, h, Slip::NoReset),
            },
            Wrong {
                name: "a sigmoid for the tanh",
                hint: "the candidate is a tanh",
                answer: |p, u, c, h| gru(p, u, c, h, Slip::Sigmoid),
            },
        ],
    }
}

fn check(gru_step: GruStep) {
    let (p, u, c, h) = (uneven(6, 3, 0.0), uneven(6, 2, 1.0), column(6, 2.0), uneven(2, 3, 3.0));
    let tape = Tape::without_gradients();
    let c_var = tape.constant(Matrix::from_column_slice(6, 1, c.as_slice()));
    let [p_var, u_var, h_var] = [&p, &u, &h].map(|x| tape.constant(x.clone()));
    let gates = Gates { w: u_var, u: u_var, b: c_var, c: c_var }; // W and b are in `projected`
    let expected = Matrix::clone(&cells::gru(gates, p_var, h_var).value());
    expect(gru_step(&p, &u, &c, &h), &expected, 1e-5)
        .of("gru_step(projected, u, c, h)")
        .given("projected", &p)
        .given("h", &h)
        .or_hint(
            gru(&p, &u, &c, &h, Slip::Update),
            "z keeps the old state, 1 − z takes the new one",
        )
        .or_hint(
            gru(&p, &u, &c, &h, Slip::Reset),
            "the reset gate acts after the product here: r ⊙ (U_n h + c_n)",
        )
        .or_hint(gru(&p, &u, &c, &h, Slip::Bias), "c_n is inside: r ⊙ (U_n h + c_n)")
        .or_hint(gru(&p, &u, &c, &h, Slip::Order), "of the three blocks of rows, r comes first")
        .or_hint(gru(&p, &u, &c, &h, Slip::NoReset), "this is a GRU without the reset gate")
        .or_hint(gru(&p, &u, &c, &h, Slip::Sigmoid), "the candidate is a tanh: it may be negative")
        .check();
}

/// What can go wrong in a GRU.
#[derive(Clone, Copy, PartialEq)]
enum Slip {
    Update,
    Reset,
    Bias,
    Order,
    NoReset,
    Sigmoid,
}

fn gru(p: &Matrix, u: &Matrix, c: &Vector, h: &Matrix, slip: Slip) -> Matrix {
    let size = h.nrows();
    let part = |x: &Matrix, k: usize| x.rows(k * size, size).into_owned();
    let product_of = |k: usize, h: &Matrix| product(&part(u, k), h);
    let with_c = |k: usize, mut x: Matrix| {
        x.column_iter_mut().for_each(|mut x| x += c.rows(k * size, size));
        x
    };
    let gate = |k: usize| (part(p, k) + with_c(k, product_of(k, h))).map(sigmoid);
    let (r, z) = if slip == Slip::Order { (gate(1), gate(0)) } else { (gate(0), gate(1)) };
    let m = match slip {
        Slip::Reset => with_c(2, product_of(2, &r.component_mul(h))),
        Slip::Bias => with_c(2, r.component_mul(&product_of(2, h))),
        Slip::NoReset => with_c(2, product_of(2, h)),
        _ => r.component_mul(&with_c(2, product_of(2, h))),
    };
    let n = (part(p, 2) + m).map(if slip == Slip::Sigmoid { sigmoid } else { f32::tanh });
    match slip {
        Slip::Update => h + z.component_mul(&(&n - h)),
        _ => &n + z.component_mul(&(h - &n)),
    }
}
