//! 16.3: the nucleus.

use super::solutions;
use shared::Vector;
use tests::exercises::{Exercise, wrong};
use tests::expect;

pub type Nucleus = fn(&[f32], f32) -> Vec<f32>;

pub const EXERCISE: Exercise<Nucleus> = Exercise {
    check,
    wrong: &[
        wrong("what is kept is divided by its sum", |p, top_p| {
            let kept = solutions::nucleus(p, top_p);
            kept.iter().zip(p).map(|(kept, p)| if *kept > 0.0 { *p } else { 0.0 }).collect()
        }),
        wrong("the word that reaches top_p is kept, too", |p, top_p| {
            scaled(p, |i| before(p, i) + p[i] <= top_p)
        }),
        wrong("the largest first, not the first first", |p, top_p| {
            scaled(p, |i| p[..i].iter().sum::<f32>() < top_p)
        }),
        wrong("top_p is a sum, not a bound of each probability", |p, top_p| {
            scaled(p, |i| p[i] >= 1.0 - top_p)
        }),
        wrong("what is kept stays at its word", |p, top_p| {
            let mut kept = solutions::nucleus(p, top_p);
            kept.sort_by(|a, b| b.total_cmp(a));
            kept
        }),
        wrong("of equals the first is kept, and no more than are needed", |p, top_p| {
            let kept = solutions::nucleus(p, top_p);
            let least = (0..p.len()).filter(|i| kept[*i] > 0.0).map(|i| p[i]).fold(1.0, f32::min);
            scaled(p, |i| p[i] >= least)
        }),
        wrong("small probabilities are set to 0 after the softmax, not to 1", |p, top_p| {
            let kept = solutions::nucleus(p, top_p);
            let exp = |p: &f32| p.exp(); // a softmax once more, in which 0 counts e⁰
            let sum: f32 = kept.iter().map(exp).sum();
            kept.iter().map(|p| p.exp() / sum).collect()
        }),
    ],
};

/// What is ahead of a word, together.
fn before(p: &[f32], i: usize) -> f32 {
    (0..p.len()).filter(|j| (p[*j], i) > (p[i], *j)).map(|j| p[j]).sum()
}

fn scaled(p: &[f32], keep: impl Fn(usize) -> bool) -> Vec<f32> {
    let kept: Vec<f32> = (0..p.len()).map(|i| if keep(i) { p[i] } else { 0.0 }).collect();
    let sum = kept.iter().sum::<f32>().max(1e-9);
    kept.iter().map(|p| p / sum).collect()
}

fn check(nucleus: Nucleus) {
    let cases: [(&[f32], f32, &str); 6] = [
        (&[0.1, 0.6, 0.3], 0.5, "the largest alone has 0.6 already"),
        (&[0.1, 0.6, 0.3], 0.7, "0.6 is not enough, 0.6 + 0.3 is"),
        (&[0.25, 0.25, 0.25, 0.25], 0.3, "of equals the first ones"),
        (&[0.05, 0.2, 0.4, 0.05, 0.3], 0.8, "0.4 + 0.3 + 0.2"),
        (&[0.2, 0.5, 0.3], 1.0, "at 1 all stay"),
        (&[0.2, 0.5, 0.3], 1e-6, "one stays always"),
    ];
    for (p, top_p, hint) in cases {
        let expected = scaled(p, |i| before(p, i) < top_p);
        let [found, expected] =
            [nucleus(p, top_p), expected].map(|p| Vector::from_column_slice(&p));
        expect(found, expected, 1e-5)
            .of(format!("nucleus(p, {top_p})"))
            .given("p", Vector::from_column_slice(p))
            .hint(hint)
            .check();
    }
}
