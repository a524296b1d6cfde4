//! 2.5 an operation of your own: its value and its backward

use shared::{Matrix, Tape, Var};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type GaussianScores = for<'t> fn(Var<'t>, &Matrix) -> Var<'t>;

pub fn exercise() -> Exercise<GaussianScores> {
    Exercise {
        number: 5,
        title: "an operation of your own",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "the gradient from above forgotten",
                hint: "multiply by ds",
                answer: |w, u| own(w, u, |w, u, _| -w * u.norm_squared()),
            },
            Wrong {
                name: "w forgotten",
                hint: "the factor w",
                answer: |w, u| own(w, u, |_, u, ds| -u.component_mul(u).dot(ds)),
            },
            Wrong {
                name: "wrong sign",
                hint: "the sign",
                answer: |w, u| own(w, u, |w, u, ds| w * u.component_mul(u).dot(ds)),
            },
            Wrong {
                name: "the sign of w lost",
                hint: "the gradient of w",
                answer: |w, u| own(w, u, |w, u, ds| -w.abs() * u.component_mul(u).dot(ds)),
            },
            Wrong {
                name: "divided by w",
                hint: "the gradient of w",
                answer: |w, u| own(w, u, |w, u, ds| -w * w * u.component_mul(u).dot(ds) / w),
            },
            Wrong {
                name: "one share an entry",
                hint: "gradient (2, 3) for a value of shape (1, 1)",
                answer: unsummed,
            },
            Wrong {
                name: "overwriting instead of adding",
                hint: "used twice",
                answer: |w, u| {
                    let (dw, width, u) = (w.id(), w.scalar(), u.clone());
                    let s = u.map(|u| -0.5 * (width * u) * (width * u));
                    w.tape().push(s, move |ds, gradients| {
                        let share = -width * u.component_mul(&u).dot(&ds);
                        gradients.add(dw, Matrix::zeros(1, 1));
                        gradients.update(dw, |d| d.fill(share));
                    })
                },
            },
            Wrong {
                name: "the last entry's share alone",
                hint: "",
                answer: |w, u| own(w, u, |w, u, ds| -w * u[u.len() - 1].powi(2) * ds[ds.len() - 1]),
            },
            Wrong {
                name: "no gradient at all",
                hint: "",
                answer: |w, u| {
                    let w_squared = w.scalar() * w.scalar();
                    w.tape().constant(u.map(|u| -0.5 * w_squared * u * u))
                },
            },
        ],
    }
}

fn check(gaussian_scores: GaussianScores) {
    let distances = Matrix::from_row_slice(2, 3, &[0.5, 1.0, -2.0, 0.0, 3.0, 1.5]);
    let from_above = Matrix::from_row_slice(2, 3, &[1.0, -0.5, 0.25, 2.0, 0.75, -1.0]);
    gaussian_scores_at(gaussian_scores, 1.7, &distances, &from_above, true);
    // A width below zero, and none at all.
    gaussian_scores_at(gaussian_scores, -1.7, &distances, &from_above, false);
    gaussian_scores_at(gaussian_scores, 0.0, &distances, &from_above, false);

    // Two operations on the same w: each adds its share.
    let tape = Tape::new();
    let leaf = tape.leaf(Matrix::from_element(1, 1, 1.7));
    let sum = gaussian_scores(leaf, &distances).sum() + gaussian_scores(leaf, &from_above).sum();
    let expected = -1.7 * (distances.norm_squared() + from_above.norm_squared());
    expect(sum.backward().wrt(leaf), [expected], 1e-5)
        .of("the gradient of w when it is used twice")
        .given("w", 1.7)
        .or_hint(
            [-1.7 * distances.norm_squared()],
            "used twice, w receives two shares: add to what is there, do not overwrite it",
        )
        .or_hint(
            [-1.7 * from_above.norm_squared()],
            "used twice, w receives two shares: add to what is there, do not overwrite it",
        )
        .check();
}

fn gaussian_scores_at(
    gaussian_scores: GaussianScores,
    w: f32,
    distances: &Matrix,
    from_above: &Matrix,
    hints: bool,
) {
    let tape = Tape::new();
    let leaf = tape.leaf(Matrix::from_element(1, 1, w));
    let s = gaussian_scores(leaf, distances);
    expect(s.value(), distances.map(|u| -0.5 * (w * u) * (w * u)), 1e-5)
        .of("gaussian_scores(w, distances)")
        .given("w", w)
        .given("distances", distances)
        .check();

    let dw = s.component_mul(tape.constant(from_above.clone())).sum().backward().wrt(leaf);
    let weighted = distances.component_mul(distances).dot(from_above);
    let mut gradient = expect(dw, [-w * weighted], 1e-5)
        .of("the gradient of w")
        .given("w", w)
        .given("distances", distances)
        .given("ds", from_above);
    if hints {
        gradient = gradient
            .or_hint(
                [-w * distances.norm_squared()],
                "multiply by ds, entry by entry, before you sum",
            )
            .or_hint([-weighted], "the factor w is missing")
            .or_hint([w * weighted], "the sign: a score falls as w grows");
    }
    gradient.check();
}

/// The operation with a backward of its own: from w, the distances and ds.
fn own<'t>(w: Var<'t>, u: &Matrix, backward: fn(f32, &Matrix, &Matrix) -> f32) -> Var<'t> {
    let (dw, width, u) = (w.id(), w.scalar(), u.clone());
    let s = u.map(|u| -0.5 * (width * u) * (width * u));
    w.tape().push(s, move |ds, gradients| {
        gradients.add(dw, Matrix::from_element(1, 1, backward(width, &u, &ds)));
    })
}

fn unsummed<'t>(w: Var<'t>, u: &Matrix) -> Var<'t> {
    let (dw, width, u) = (w.id(), w.scalar(), u.clone());
    let s = u.map(|u| -0.5 * (width * u) * (width * u));
    w.tape().push(s, move |ds, gradients| {
        gradients.add(dw, u.component_mul(&u).component_mul(&ds) * -width);
    })
}
