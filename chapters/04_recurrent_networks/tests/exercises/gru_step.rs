//! 4.1 one step of a GRU

use super::solutions;
use shared::elementwise::sigmoid;
use shared::{Matrix, Vector, product};
use tests::exercises::{Exercise, wrong};
use tests::{expect, uneven, uneven_vector};

pub type GruStep = fn(&Matrix, &Matrix, &Vector, &Matrix) -> Matrix;

pub const EXERCISE: Exercise<GruStep> = Exercise {
    check,
    wrong: &[
        wrong("z keeps the old state", |p, u, c, h| {
            // σ(−x) = 1 − σ(x)
            changed(p, u, c, h, |rows, size| rows.rows_mut(size, size).neg_mut())
        }),
        wrong("of the three blocks of rows, r comes first", |p, u, c, h| {
            changed(p, u, c, h, |rows, size| {
                (0..size).for_each(|i| rows.swap_rows(i, size + i));
            })
        }),
        wrong("the reset gate acts after the product here: r ⊙ (U_n h + c_n)", |p, u, c, h| {
            let size = h.nrows();
            let mut r = p.rows(0, size) + product(&u.rows(0, size).into_owned(), h);
            r.column_iter_mut().for_each(|mut r| r += c.rows(0, size));
            let reset = r.map(sigmoid).component_mul(h);
            let n = product(&u.rows(2 * size, size).into_owned(), &reset);
            with_n(p, u, c, h, n)
        }),
        wrong("this is a GRU without the reset gate", |p, u, c, h| {
            let size = h.nrows();
            with_n(p, u, c, h, product(&u.rows(2 * size, size).into_owned(), h))
        }),
        wrong("c_n is inside: r ⊙ (U_n h + c_n)", |p, u, c, h| {
            let (mut p, mut c, size) = (p.clone(), c.clone(), h.nrows());
            let mut n = p.rows_mut(2 * size, size);
            n.column_iter_mut().for_each(|mut n| n += c.rows(2 * size, size));
            c.rows_mut(2 * size, size).fill(0.0);
            solutions::gru_step(&p, u, &c, h)
        }),
    ],
};

fn check(gru_step: GruStep) {
    let (p, u) = (uneven(6, 3, 0.0), uneven(6, 2, 1.0) * 0.6);
    let (c, h) = (uneven_vector(6, 2.0) * 0.6, uneven(2, 3, 3.0) * 0.6);
    expect(gru_step(&p, &u, &c, &h), solutions::gru_step(&p, &u, &c, &h), 1e-5)
        .of("gru_step(projected, u, c, h)")
        .given("projected", &p)
        .given("u", &u)
        .given("c", &c)
        .given("h", &h)
        .check();
}

/// The step after `change(rows, H)` on what is given for the gates, (3H, …) each.
fn changed(
    p: &Matrix,
    u: &Matrix,
    c: &Vector,
    h: &Matrix,
    change: fn(&mut Matrix, usize),
) -> Matrix {
    let mut all = [p.clone(), u.clone(), Matrix::from_columns(std::slice::from_ref(c))];
    all.iter_mut().for_each(|rows| change(rows, h.nrows()));
    solutions::gru_step(&all[0], &all[1], &all[2].column(0).into_owned(), h)
}

/// The step with n = tanh(p_n + c_n + `more`).
fn with_n(p: &Matrix, u: &Matrix, c: &Vector, h: &Matrix, more: Matrix) -> Matrix {
    let (mut p, mut u, mut c, size) = (p.clone(), u.clone(), c.clone(), h.nrows());
    let mut n = p.rows_mut(2 * size, size);
    n += more;
    n.column_iter_mut().for_each(|mut n| n += c.rows(2 * size, size));
    u.rows_mut(2 * size, size).fill(0.0);
    c.rows_mut(2 * size, size).fill(0.0);
    solutions::gru_step(&p, &u, &c, h)
}
