//! 14.3: three hops.

use crate::solutions;
use crate::support::{dot, softmax};
use tests::exercises::{Exercise, Kind, wrong};
use tests::expect;

pub type Hops = fn(&[f64], &[Vec<Vec<f64>>], &[Vec<f64>]) -> Vec<f64>;

pub const EXERCISE: Exercise<Hops> = Exercise {
    number: 3,
    title: "three hops",
    kind: Kind::Implement,
    difficulty: 2,
    minutes: 20,
    check,
    wrong: &[
        wrong("forgets the question", "u + o, not o alone", |q, t, a| {
            run(q, t, a, |_, o| o, (0, 1), true)
        }),
        wrong("reads what it searched", "values are the next table's", |q, t, a| {
            run(q, t, a, sum, (0, 0), true)
        }),
        wrong("searches what it reads", "keys are the table before the values'", |q, t, a| {
            run(q, t, a, sum, (1, 1), true)
        }),
        wrong("scores as weights", "a softmax over the sentences is missing", |q, t, a| {
            run(q, t, a, sum, (0, 1), false)
        }),
        wrong("one hop", "there are as many hops as tables, less one", |q, t, a| {
            solutions::hops(q, &t[..t.len().min(2)], a)
        }),
        wrong("overflows", "subtract the largest score before exp", |q, t, a| {
            let most = t.iter().flatten().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
            if most > 100.0 { vec![f64::NAN; a.len()] } else { solutions::hops(q, t, a) }
        }),
    ],
};

fn sum(u: Vec<f64>, o: Vec<f64>) -> Vec<f64> {
    u.iter().zip(&o).map(|(u, o)| u + o).collect()
}

fn run(
    question: &[f64],
    tables: &[Vec<Vec<f64>>],
    answers: &[Vec<f64>],
    next: fn(Vec<f64>, Vec<f64>) -> Vec<f64>,
    (key, value): (usize, usize),
    aligned: bool,
) -> Vec<f64> {
    let mut u = question.to_vec();
    for pair in tables.windows(2) {
        let scores: Vec<f64> = pair[key].iter().map(|m| dot(&u, m)).collect();
        let p = if aligned { softmax(&scores) } else { scores };
        let mut o = vec![0.0; u.len()];
        for (p, c) in p.iter().zip(&pair[value]) {
            o.iter_mut().zip(c).for_each(|(o, c)| *o += p * c);
        }
        u = next(u, o);
    }
    answers.iter().map(|answer| dot(&u, answer)).collect()
}

fn check(hops: Hops) {
    for (count, sentences, scale) in
        [(2, 3, 1.0), (4, 5, 1.0), (3, 1, 2.0), (1, 2, 1.0), (2, 3, 900.0)]
    {
        let wave = |a: usize, b: usize, c: usize| ((1 + a + 3 * b + 7 * c) as f64).sin();
        let vector = |a: usize, b: usize| -> Vec<f64> { (0..3).map(|c| wave(a, b, c)).collect() };
        let large = |a: usize, b: usize| vector(a, b).iter().map(|x| scale * x).collect();
        let tables: Vec<Vec<Vec<f64>>> =
            (0..count).map(|k| (0..sentences).map(|i| large(k, i)).collect()).collect();
        let answers: Vec<Vec<f64>> = (0..4).map(|i| vector(9, i)).collect();
        let (found, right) = (
            hops(&vector(5, 5), &tables, &answers),
            solutions::hops(&vector(5, 5), &tables, &answers),
        );
        expect(found, right, 1e-6)
            .of(format!("the answers after {} hops over {sentences} sentences", count - 1))
            .check();
    }
}
