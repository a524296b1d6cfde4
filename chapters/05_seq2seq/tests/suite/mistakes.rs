//! Typical mistakes.

use super::{Continuations, ORIGINAL_BUG, Table};
use crate::attempt;
use shared::Matrix;
use std::cmp::Reverse;
use tests::exercises::Mistake;

const fn mistake(name: &'static str, hint: &'static str, apply: fn(&mut Table)) -> Mistake<Table> {
    Mistake { name, hint, apply }
}

pub const TEACHER: &[Mistake<Table>] = &[
    mistake("answers are not shifted", "the decoder is first given the begin word", |table| {
        table.teacher_forcing = |target, _, end| {
            let closed = [target, &[end]].concat();
            (closed.clone(), closed)
        };
    }),
    mistake("answers begin with the begin word", "how else would it learn to stop", |table| {
        table.teacher_forcing = |target, begin, _| {
            let opened = [&[begin], target].concat();
            (opened.clone(), opened)
        };
    }),
    mistake("no end word", "words given, but", |table| {
        table.teacher_forcing = |target, begin, _| ([&[begin], target].concat(), target.to_vec());
    }),
    mistake("the sentence backwards", "the word that is given next", |table| {
        table.teacher_forcing = |target, begin, end| {
            let back: Vec<usize> = target.iter().rev().copied().collect();
            ([&[begin], &back[..]].concat(), [&back[..], &[end]].concat())
        };
    }),
    mistake("begin and end exchanged", "first given the begin word 1", |table| {
        table.teacher_forcing = |target, begin, end| attempt::teacher_forcing(target, end, begin);
    }),
];

pub const CLIPPED: &[Mistake<Table>] = &[
    mistake("not clipped", "two of seven match", |table| {
        table.clipped_matches = |candidate, reference, n| {
            let found = candidate.windows(n).filter(|run| reference.windows(n).any(|r| r == *run));
            (found.count(), candidate.windows(n).len())
        };
    }),
    mistake("each run counted once", "two of seven match", |table| {
        table.clipped_matches = |candidate, reference, n| {
            let mut runs: Vec<_> = candidate.windows(n).collect();
            let all = runs.len();
            runs.sort_unstable();
            runs.dedup();
            let found = runs.iter().filter(|run| reference.windows(n).any(|r| r == **run));
            (found.count(), all)
        };
    }),
    mistake("as often as in the reference", "the shorter of the two", |table| {
        table.clipped_matches = |candidate, reference, n| {
            let found = reference.windows(n).filter(|run| candidate.windows(n).any(|c| c == *run));
            (found.count().min(candidate.len()), candidate.windows(n).len())
        };
    }),
    mistake("runs of the reference", "", |table| {
        table.clipped_matches = |candidate, reference, n| {
            let (found, _) = attempt::clipped_matches(candidate, reference, n);
            (found, reference.windows(n).len())
        };
    }),
    mistake("single words whatever n", "only `le chat` stands in both", |table| {
        table.clipped_matches =
            |candidate, reference, _| attempt::clipped_matches(candidate, reference, 1);
    }),
    mistake("runs as sets of words", "in the same order", |table| {
        table.clipped_matches = |candidate, reference, n| {
            let sorted = |run: &[&str]| {
                let mut run: Vec<String> = run.iter().map(|word| (*word).to_owned()).collect();
                run.sort();
                run
            };
            let mut left: Vec<_> = reference.windows(n).map(sorted).collect();
            let mut found = 0;
            for run in candidate.windows(n).map(sorted) {
                if let Some(place) = left.iter().position(|other| *other == run) {
                    left.remove(place);
                    found += 1;
                }
            }
            (found, candidate.windows(n).len())
        };
    }),
    mistake("only in the reference's order", "is all one", |table| {
        table.clipped_matches = |candidate, reference, n| {
            let (mut rest, mut found) = (reference, 0);
            for run in candidate.windows(n) {
                if let Some(place) = rest.windows(n).position(|other| other == run) {
                    rest = &rest[place + 1..];
                    found += 1;
                }
            }
            (found, candidate.windows(n).len())
        };
    }),
    mistake("words glued together", "word by word", |table| {
        table.clipped_matches = |candidate, reference, n| {
            let glued = |words: &[&str]| words.windows(n).map(<[_]>::concat).collect::<Vec<_>>();
            let (candidate, reference) = (glued(candidate), glued(reference));
            let [candidate, reference] = [&candidate, &reference]
                .map(|runs| runs.iter().map(String::as_str).collect::<Vec<_>>());
            attempt::clipped_matches(&candidate, &reference, 1)
        };
    }),
    mistake("always nothing", "", |table| table.clipped_matches = |_, _, _| (0, 0)),
];

pub const BLEU: &[Mistake<Table>] = &[
    mistake("an arithmetic mean", "a geometric mean", |table| {
        table.bleu = |matches, runs, c, r| {
            let shares: f64 = (0..4).map(|n| matches[n] as f64 / runs[n] as f64).sum();
            (1.0 - r as f64 / c as f64).min(0.0).exp() * shares / 4.0
        };
    }),
    mistake("a product without the root", "a geometric mean", |table| {
        table.bleu = |matches, runs, c, r| attempt::bleu(matches, runs, c, r).powi(4);
    }),
    mistake("no penalty", "exp(1 − 9/7)", |table| {
        table.bleu = |matches, runs, _, _| attempt::bleu(matches, runs, 1, 1);
    }),
    mistake("c and r exchanged", "exp(1 − 9/7)", |table| {
        table.bleu = |matches, runs, c, r| attempt::bleu(matches, runs, r, c);
    }),
    mistake("long candidates punished as well", "too long is not punished", |table| {
        table.bleu = |matches, runs, c, r| {
            let penalty = -(1.0 - r as f64 / c as f64).abs();
            attempt::bleu(matches, runs, 1, 1) * penalty.exp()
        };
    }),
    mistake("a long candidate rewarded", "too long is not punished", |table| {
        table.bleu = |matches, runs, c, r| {
            attempt::bleu(matches, runs, 1, 1) * (1.0 - r as f64 / c as f64).exp()
        };
    }),
    mistake("the penalty c/r", "exp(1 − 9/7)", |table| {
        table.bleu = |matches, runs, c, r| {
            attempt::bleu(matches, runs, 1, 1) * (c as f64 / r as f64).min(1.0)
        };
    }),
    mistake("a share of 0 left out", "a share of 0", |table| {
        table.bleu = |matches, runs, c, r| {
            let shares = (0..4).filter(|n| matches[*n] > 0);
            let log: f64 = shares.map(|n| (matches[n] as f64 / runs[n] as f64).ln()).sum();
            ((1.0 - r as f64 / c as f64).min(0.0) + log / 4.0).exp()
        };
    }),
    mistake("nothing divided by nothing", "no run of four", |table| {
        table.bleu = |matches, runs, c, r| {
            let share = |n: usize| matches[n] as f64 / runs[n] as f64;
            if (0..4).any(|n| share(n) == 0.0) {
                return 0.0;
            }
            let log: f64 = (0..4).map(|n| share(n).ln()).sum();
            ((1.0 - r as f64 / c as f64).min(0.0) + log / 4.0).exp()
        };
    }),
    mistake("in per cent", "a perfect candidate", |table| {
        table.bleu = |matches, runs, c, r| 100.0 * attempt::bleu(matches, runs, c, r);
    }),
    mistake("always perfect", "", |table| table.bleu = |_, _, _, _| 1.0),
];

pub const GRADIENT: &[Mistake<Table>] = &[
    mistake("the wrong sign", "turned round", |table| {
        table.cross_entropy_gradient = |z, y| -attempt::cross_entropy_gradient(z, y);
    }),
    mistake("of the mean", "summed over columns", |table| {
        table.cross_entropy_gradient =
            |z, y| attempt::cross_entropy_gradient(z, y) / y.len() as f32;
    }),
    mistake("targets alone", "the other words' logits", |table| {
        table.cross_entropy_gradient = targets_alone;
    }),
    mistake("probabilities", "where has the target gone", |table| {
        table.cross_entropy_gradient = |z, _| probabilities(z);
    }),
    mistake("softmax over rows", "", |table| {
        table.cross_entropy_gradient = |z, y| {
            let mut gradient = probabilities(&z.transpose()).transpose();
            y.iter().enumerate().for_each(|(j, y)| gradient[(*y, j)] -= 1.0);
            gradient
        };
    }),
    mistake("logits for probabilities", "", |table| {
        table.cross_entropy_gradient = |z, y| {
            let mut gradient = z.clone();
            y.iter().enumerate().for_each(|(j, y)| gradient[(*y, j)] -= 1.0);
            gradient
        };
    }),
    mistake("an exponential that overflows", "NaN", |table| {
        table.cross_entropy_gradient = |z, y| {
            let mut gradient = z.map(f32::exp);
            for (mut column, y) in gradient.column_iter_mut().zip(y) {
                let sum = column.sum();
                column /= sum;
                column[*y] -= 1.0;
            }
            gradient
        };
    }),
    mistake("the largest logit of all columns", "each column's own", |table| {
        table.cross_entropy_gradient = |z, y| {
            let mut gradient = z.map(|x| (x - z.max()).exp());
            for (mut column, y) in gradient.column_iter_mut().zip(y) {
                let sum = column.sum();
                column /= sum;
                column[*y] -= 1.0;
            }
            gradient
        };
    }),
    mistake("logits cut off", "", |table| {
        table.cross_entropy_gradient =
            |z, y| attempt::cross_entropy_gradient(&z.map(|x| x.clamp(-80.0, 80.0)), y);
    }),
    mistake("always zero", "", |table| {
        table.cross_entropy_gradient = |z, _| Matrix::zeros(z.nrows(), z.ncols());
    }),
];

/// p − 1 at the target, nothing elsewhere.
pub fn targets_alone(logits: &Matrix, targets: &[usize]) -> Matrix {
    let right = attempt_free_gradient(logits, targets);
    Matrix::from_fn(logits.nrows(), logits.ncols(), |v, j| {
        if v == targets[j] { right[(v, j)] } else { 0.0 }
    })
}

fn attempt_free_gradient(logits: &Matrix, targets: &[usize]) -> Matrix {
    let mut gradient = probabilities(logits);
    targets.iter().enumerate().for_each(|(j, y)| gradient[(*y, j)] -= 1.0);
    gradient
}

/// Softmax over columns.
pub fn probabilities(logits: &Matrix) -> Matrix {
    let mut p = logits.clone();
    for mut column in p.column_iter_mut() {
        let max = column.max();
        column.apply(|z| *z = (*z - max).exp());
        let sum = column.sum();
        column /= sum;
    }
    p
}

pub const BEAM_STEP: &[Mistake<Table>] = &[
    mistake("logits as they are", "is more probable", |table| {
        table.beam_step = |sums, logits, width| ranked(sums, logits, width, |_| 0.0, true);
    }),
    mistake("the past forgotten", "", |table| {
        table.beam_step =
            |sums, logits, width| attempt::beam_step(&vec![0.0; sums.len()], logits, width);
    }),
    mistake("divided by the sum of logits", "", |table| {
        table.beam_step = |sums, logits, width| {
            ranked(sums, logits, width, |column| column.iter().sum::<f64>(), true)
        };
    }),
    mistake("one normalisation for all columns", "is more probable", |table| {
        table.beam_step = |sums, logits, width| {
            let all: f64 = logits.iter().map(|z| f64::from(*z).exp()).sum::<f64>().ln();
            let step = |b: usize, v: usize| (b, v, sums[b] + f64::from(logits[(v, b)]) - all);
            let all = (0..logits.ncols()).flat_map(|b| (0..logits.nrows()).map(move |v| (b, v)));
            sorted(all.map(|(b, v)| step(b, v)).collect(), width)
        };
    }),
    mistake("an exponential that overflows", "±1000", |table| {
        table.beam_step = |sums, logits, width| {
            let log_sum = |column: &[f64]| column.iter().map(|z| z.exp()).sum::<f64>().ln();
            ranked(sums, logits, width, log_sum, true)
        };
    }),
    mistake("the logarithm of a softmax", "its logarithm is −2000", |table| {
        table.beam_step = |sums, logits, width| {
            let p = probabilities(logits);
            let all = (0..p.ncols()).flat_map(|b| (0..p.nrows()).map(move |v| (b, v)));
            let step = |(b, v)| (b, v, sums[b] + f64::from(p[(v, b)]).ln());
            sorted(all.map(step).collect(), width)
        };
    }),
    mistake("an equal share for every beginning", "all places may go to one", |table| {
        table.beam_step = |sums, logits, width| {
            let mut all = attempt::beam_step(sums, logits, logits.len());
            let mut left = vec![width.div_ceil(sums.len()); sums.len()];
            all.retain(|step| {
                let free = left[step.0] > 0;
                left[step.0] -= usize::from(free);
                free
            });
            all.truncate(width);
            all
        };
    }),
    mistake("probabilities added to logarithms", "", |table| {
        table.beam_step = |sums, logits, width| {
            let p = probabilities(logits);
            let all = (0..p.ncols()).flat_map(|b| (0..p.nrows()).map(move |v| (b, v)));
            sorted(all.map(|(b, v)| (b, v, sums[b] + f64::from(p[(v, b)]))).collect(), width)
        };
    }),
    mistake("the best of each beginning first", "is more probable", |table| {
        table.beam_step = |sums, logits, width| {
            let mut all = attempt::beam_step(sums, logits, logits.len());
            all.sort_by_key(|step| step.0);
            all.truncate(width);
            all
        };
    }),
    mistake("the worst first", "is more probable", |table| {
        table.beam_step = |sums, logits, width| {
            let mut all = attempt::beam_step(sums, logits, logits.len());
            all.reverse();
            all.truncate(width);
            all
        };
    }),
    mistake("word and beginning exchanged", "", |table| {
        table.beam_step = |sums, logits, width| {
            let right = attempt::beam_step(sums, logits, width);
            right.into_iter().map(|(b, v, sum)| (v, b, sum)).collect()
        };
    }),
    mistake("a continuation of each beginning", "returns 2", |table| {
        table.beam_step = |sums, logits, width| {
            let mut all = attempt::beam_step(sums, logits, logits.len());
            let mut seen = Vec::new();
            all.retain(|step| {
                let new = !seen.contains(&step.0);
                seen.push(step.0);
                new
            });
            all.truncate(width);
            all
        };
    }),
];

fn ranked(
    sums: &[f64],
    logits: &Matrix,
    width: usize,
    normaliser: impl Fn(&[f64]) -> f64,
    with_past: bool,
) -> Continuations {
    let mut all = Continuations::new();
    for (b, column) in logits.column_iter().enumerate() {
        let column: Vec<f64> = column.iter().map(|z| f64::from(*z)).collect();
        let past = if with_past { sums[b] } else { 0.0 };
        let less = normaliser(&column);
        all.extend(column.iter().enumerate().map(|(v, z)| (b, v, past + z - less)));
    }
    sorted(all, width)
}

fn sorted(mut all: Continuations, width: usize) -> Continuations {
    all.sort_by(|x, y| y.2.total_cmp(&x.2));
    all.truncate(width);
    all
}

pub const TRAP: &[Mistake<Table>] = &[
    mistake("a trap for greedy search alone", "that is no trap", |table| {
        table.trap = || {
            #[rustfmt::skip]
            let p = [
                0.0, 0.3, 1.0, 1.0,
                0.6, 0.3, 0.0, 0.0,
                0.4, 0.3, 0.0, 0.0,
                0.0, 0.1, 0.0, 0.0,
            ];
            Matrix::from_row_slice(4, 4, &p)
        };
    }),
    mistake("all alike", "that is no trap", |table| {
        table.trap = || Matrix::from_element(4, 4, 0.25);
    }),
    mistake("rows sum to 1", "column 0 sums to", |table| {
        table.trap = || attempt::trap().transpose();
    }),
    mistake("nothing ends", "nearly nothing ever ends", |table| {
        table.trap = || Matrix::from_fn(4, 4, |i, _| if i == 0 { 0.0 } else { 1.0 / 3.0 });
    }),
    mistake("three words", "not (4, 4)", |table| table.trap = || Matrix::identity(3, 3)),
    mistake("a nearly equal second", "that is no trap", |table| {
        table.trap = || {
            #[rustfmt::skip]
            let p = [
                0.0, 0.6, 0.6, 1.0,
                0.4, 0.2, 0.2, 0.0,
                0.35, 0.2, 0.2, 0.0,
                0.25, 0.0, 0.0, 0.0,
            ];
            Matrix::from_row_slice(4, 4, &p)
        };
    }),
    mistake("numbers that are no probabilities", "holds no probabilities", |table| {
        table.trap = || {
            let mut p = attempt::trap();
            p[(0, 0)] = -1.0;
            p[(1, 0)] = 1.4;
            p
        };
    }),
];

pub const PERPLEXITY: &[Mistake<Table>] = &[
    mistake(ORIGINAL_BUG, "30 of 31 words", |table| {
        table.perplexity = |batches| {
            let means = batches.iter().map(|(loss, words)| loss / *words as f64);
            (means.sum::<f64>() / batches.len() as f64).exp()
        };
    }),
    mistake("a mean of perplexities", "not e⁴", |table| {
        table.perplexity = |batches| {
            let each = batches.iter().map(|(loss, words)| (loss / *words as f64).exp());
            each.sum::<f64>() / batches.len() as f64
        };
    }),
    mistake("the cross-entropy itself", "not e⁴", |table| {
        table.perplexity = |batches| attempt::perplexity(batches).ln();
    }),
    mistake("two to the power", "not e⁴", |table| {
        table.perplexity = |batches| attempt::perplexity(batches).ln().exp2();
    }),
    mistake("a sum without a mean", "not e⁴", |table| {
        table.perplexity = |batches| batches.iter().map(|(loss, _)| loss).sum::<f64>().exp();
    }),
];

pub const SOURCE_OF: &[Mistake<Table>] = &[
    mistake(ORIGINAL_BUG, "another sentence's context", |table| {
        table.source_of = |pairs| {
            let places = attempt::source_of(pairs);
            let mut inverse = vec![0; places.len()];
            places.iter().enumerate().for_each(|(j, place)| inverse[*place] = j);
            inverse
        };
    }),
    mistake("as if there were one order", "another sentence's context", |table| {
        table.source_of = |pairs| (0..pairs.len()).collect();
    }),
    mistake("the pair's number for its place", "another sentence's context", |table| {
        table.source_of = |pairs| {
            let mut order: Vec<usize> = (0..pairs.len()).collect();
            order.sort_by_key(|&i| Reverse(pairs[i].1));
            order
        };
    }),
    mistake("shortest first", "", |table| {
        table.source_of = |pairs| attempt::source_of(pairs).into_iter().rev().collect();
    }),
    mistake("equal lengths turned round", "", |table| {
        table.source_of = |pairs| {
            let turned: Vec<_> = pairs.iter().rev().copied().collect();
            let last = pairs.len() - 1;
            let mut by_source: Vec<usize> = (0..pairs.len()).collect();
            by_source.sort_by_key(|&i| Reverse(turned[i].0));
            let mut by_target: Vec<usize> = (0..pairs.len()).collect();
            by_target.sort_by_key(|&i| Reverse(pairs[i].1));
            let place = |i: usize| by_source.iter().position(|&j| last - j == i).expect("a pair");
            by_target.into_iter().map(place).collect()
        };
    }),
    mistake("equal lengths turned round on both sides", "stay in the order given", |table| {
        table.source_of = |pairs| {
            let turned: Vec<_> = pairs.iter().rev().copied().collect();
            attempt::source_of(&turned)
        };
    }),
    mistake("targets in the order of the sources", "stay in the order given", |table| {
        table.source_of = |pairs| {
            let mut by_source: Vec<usize> = (0..pairs.len()).collect();
            by_source.sort_by_key(|&i| Reverse(pairs[i].0));
            let mut places: Vec<usize> = (0..pairs.len()).collect();
            places.sort_by_key(|&j| Reverse(pairs[by_source[j]].1));
            places
        };
    }),
    mistake("an unstable sort", "stay in the order given", |table| {
        table.source_of = |pairs| {
            let mut by_source: Vec<usize> = (0..pairs.len()).collect();
            by_source.sort_unstable_by_key(|&i| Reverse(pairs[i].0));
            let mut by_target: Vec<usize> = (0..pairs.len()).collect();
            by_target.sort_unstable_by_key(|&i| Reverse(pairs[i].1));
            let place = |i: usize| by_source.iter().position(|&j| j == i).expect("a pair");
            by_target.into_iter().map(place).collect()
        };
    }),
];
