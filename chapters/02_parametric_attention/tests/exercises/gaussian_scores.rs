//! 2.5 an operation of your own: its value and its backward

use shared::{Matrix, Tape, Var};
use tests::exercises::{Exercise, wrong};
use tests::expect;

type GaussianScores = for<'t> fn(Var<'t>, &Matrix) -> Var<'t>;

pub const EXERCISE: Exercise<GaussianScores> = Exercise {
    check,
    wrong: &[
        wrong("multiply by de before you sum", |w, u| {
            own(w, u, |w, u, _| one(-w * u.norm_squared()))
        }),
        wrong("the factor w is missing", |w, u| own(w, u, |_, u, de| one(-squares(u).dot(de)))),
        wrong("the sign: a score falls as w grows", |w, u| {
            own(w, u, |w, u, de| one(w * squares(u).dot(de)))
        }),
        wrong("w may be negative", |w, u| own(w, u, |w, u, de| one(-w.abs() * squares(u).dot(de)))),
        wrong("what is added for w is 1 × 1: a sum over entries", |w, u| {
            own(w, u, |w, u, de| squares(u).component_mul(de) * -w)
        }),
        wrong(
            "used twice, w receives two shares: add to what is there, do not overwrite it",
            |w, u| {
                let (width, u) = (w.scalar(), u.clone());
                w.tape().push([w], scores(width, &u), move |de, [w_id], gradients| {
                    let share = -width * squares(&u).dot(&de);
                    gradients.add(w_id, Matrix::zeros(1, 1));
                    gradients.update(w_id, |d| d.fill(share));
                })
            },
        ),
    ],
};

fn check(gaussian_scores: GaussianScores) {
    let u = Matrix::from_row_slice(2, 3, &[0.5, 1.0, -2.0, 0.0, 3.0, 1.5]);
    let de = Matrix::from_row_slice(2, 3, &[1.0, -0.5, 0.25, 2.0, 0.75, -1.0]);
    for (w, twice) in [(1.7, false), (1.7, true), (-1.7, false), (0.0, false)] {
        let tape = Tape::new();
        let leaf = tape.leaf(one(w));
        let s = gaussian_scores(leaf, &u);
        let what = format!("gaussian_scores({w}, distances)");
        expect(s.value(), scores(w, &u), 1e-5).of(what).given("distances", &u).check();
        let mut loss = s.component_mul(tape.constant(de.clone())).sum();
        let mut right = -w * squares(&u).dot(&de);
        if twice {
            loss = loss + gaussian_scores(leaf, &de).sum();
            right -= w * de.norm_squared();
        }
        expect(loss.backward().wrt(leaf), one(right), 1e-5)
            .of(format!("the gradient of w = {w}{}", if twice { ", used twice" } else { "" }))
            .given("distances", &u)
            .given("de", &de)
            .check();
    }
}

fn one(x: f32) -> Matrix {
    Matrix::from_element(1, 1, x)
}

fn squares(u: &Matrix) -> Matrix {
    u.component_mul(u)
}

fn scores(w: f32, u: &Matrix) -> Matrix {
    squares(u) * (-0.5 * w * w)
}

/// The operation with a backward of its own: from w, the distances and de.
fn own<'t>(w: Var<'t>, u: &Matrix, backward: fn(f32, &Matrix, &Matrix) -> Matrix) -> Var<'t> {
    let (width, u) = (w.scalar(), u.clone());
    w.tape().push([w], scores(width, &u), move |de, [w_id], gradients| {
        gradients.add(w_id, backward(width, &u, &de));
    })
}
