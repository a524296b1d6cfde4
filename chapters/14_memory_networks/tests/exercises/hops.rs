//! 14.3: three hops.

use super::solutions;
use super::support::{dot, softmax};
use tests::exercises::{Exercise, wrong};
use tests::{expect, hard};

pub type Hops = fn(&[f64], &[Vec<Vec<f64>>], &[Vec<f64>]) -> Vec<f64>;

pub const EXERCISE: Exercise<Hops> = Exercise {
    check,
    wrong: &[
        wrong("u + o, not o alone", |q, t, a| run(q, t, a, |_, o| o, (0, 1), softmax)),
        wrong("values are the next table's", |q, t, a| run(q, t, a, sum, (0, 0), softmax)),
        wrong("keys are the table before the values'", |q, t, a| {
            run(q, t, a, sum, (1, 1), softmax)
        }),
        wrong("a softmax over the sentences is missing", |q, t, a| {
            run(q, t, a, sum, (0, 1), <[f64]>::to_vec)
        }),
        wrong("subtract the largest score before exp", |q, t, a| {
            run(q, t, a, sum, (0, 1), |scores| {
                let e: Vec<f64> = scores.iter().map(|score| score.exp()).collect();
                e.iter().map(|one| one / e.iter().sum::<f64>()).collect()
            })
        }),
        wrong("there are as many hops as tables, less one", |q, t, a| {
            solutions::hops(q, &t[..t.len().min(4)], a)
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
    align: fn(&[f64]) -> Vec<f64>,
) -> Vec<f64> {
    let mut u = question.to_vec();
    for pair in tables.windows(2) {
        let scores: Vec<f64> = pair[key].iter().map(|m| dot(&u, m)).collect();
        let p = align(&scores);
        let mut o = vec![0.0; u.len()];
        for (p, c) in p.iter().zip(&pair[value]) {
            o.iter_mut().zip(c).for_each(|(o, c)| *o += p * c);
        }
        u = next(u, o);
    }
    answers.iter().map(|answer| dot(&u, answer)).collect()
}

fn check(hops: Hops) {
    let vector = |a: usize, b: usize| -> Vec<f64> {
        (0..3).map(|c| ((1 + a + 3 * b + 7 * c) as f64).sin()).collect()
    };
    let story = |k: usize, sentences: usize| (0..sentences).map(|i| vector(k, i)).collect();
    let sizes = [(2, 3), (4, 5), (3, 1), (1, 2), (6, 2)].map(|(count, sentences)| {
        let tables: Vec<Vec<Vec<f64>>> = (0..count).map(|k| story(k, sentences)).collect();
        ("hop 1 by hand: which table has keys, which values, what is u?", vector(5, 5), tables)
    });
    let hard = hard::scores::<f64>().map(|(hint, scores)| {
        let keys = scores.iter().map(|score| vec![*score, 0.0, 0.0]).collect();
        let story: Vec<Vec<Vec<f64>>> = vec![keys, story(1, scores.len()), story(2, scores.len())];
        (hint, vec![1.0, 0.5, -0.5], story)
    });
    let answers: Vec<Vec<f64>> = (0..4).map(|i| vector(9, i)).collect();
    for (hint, question, tables) in sizes.into_iter().chain(hard) {
        let right = solutions::hops(&question, &tables, &answers);
        expect(hops(&question, &tables, &answers), right, 1e-9)
            .of(format!("{} tables, {} sentences", tables.len(), tables[0].len()))
            .hint(hint)
            .check();
    }
}
