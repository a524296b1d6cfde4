//! 15.4: everybody sees the same.

use shared::Matrix;
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, wrong};
use tests::expect;

type Found = fn(&Matrix, &[usize]) -> Matrix;

pub const EXERCISE: Exercise<Found> = Exercise {
    number: 4,
    title: "spot the bug: everybody sees the same",
    kind: Kind::SpotTheBug,
    difficulty: 2,
    minutes: 15,
    check,
    wrong: &[
        wrong(ORIGINAL_BUG, "all captions were shown the first picture", |values, places| {
            values.select_columns(places)
        }),
        wrong("places of 64", "count the places: a picture need not have 64", |values, places| {
            at(values, places, |j, place| j * 64 + place)
        }),
        wrong(
            "picture and place exchanged",
            "the annotations of a picture stand together",
            |values, places| at(values, places, |j, place| place * places.len() + j),
        ),
        wrong("from the end", "", |values, places| {
            let l = values.ncols() / places.len();
            at(values, places, |j, place| (places.len() - 1 - j) * l + place)
        }),
    ],
};

fn at(values: &Matrix, places: &[usize], column: impl Fn(usize, usize) -> usize) -> Matrix {
    let columns = places.iter().enumerate().map(|(j, place)| column(j, *place) % values.ncols());
    values.select_columns(&columns.collect::<Vec<_>>())
}

fn check(found: Found) {
    for (l, places) in [(4, vec![2]), (4, vec![2, 0, 3]), (6, vec![5, 1])] {
        let values =
            Matrix::from_fn(2, l * places.len(), |i, j| (100 * (j / l) + 10 * (j % l) + i) as f32);
        let right = Matrix::from_fn(2, places.len(), |i, j| (100 * j + 10 * places[j] + i) as f32);
        expect(found(&values, &places), right, 0.0)
            .of(format!("found(values, &{places:?}) with {l} places a picture"))
            .given("values", &values)
            .check();
    }
}
