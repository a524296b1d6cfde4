//! 9.8: where the costs cross.

use tests::exercises::{Exercise, Kind, Wrong};

type Crossing = fn(usize, usize) -> usize;

pub fn exercise() -> Exercise<Crossing> {
    Exercise {
        number: 8,
        title: "where the costs cross",
        kind: Kind::Predict,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong { name: "orders of growth alone", hint: "constants", answer: |d, k| k * d + 1 },
            Wrong { name: "no projections", hint: "projects", answer: |d, k| k * d / 2 + 1 },
            Wrong {
                name: "the mixing forgotten",
                hint: "mixes",
                answer: |d, k| after((k.max(3) - 3) * d),
            },
            Wrong {
                name: "one projection",
                hint: "three times",
                answer: |d, k| k.saturating_sub(1) * d / 2 + 1,
            },
            Wrong {
                name: "as many, not more",
                hint: "not more",
                answer: |d, k| (k.saturating_sub(3) * d).div_ceil(2).max(1),
            },
            Wrong {
                name: "rounded up",
                hint: "",
                answer: |d, k| (k.saturating_sub(3) * d).div_ceil(2) + 1,
            },
            Wrong {
                name: "small windows not thought of",
                hint: "",
                answer: |d, k| (k - 3) * d / 2 + 1,
            },
        ],
    }
}

fn after(n: usize) -> usize {
    n + 1
}

fn check(crossing: Crossing) {
    let sizes = [(8, 7), (64, 5), (5, 4), (512, 9), (7, 3), (6, 1), (3, 2)];
    for (d, k) in sizes.into_iter().chain((1..100).map(|i| (1 + i % 10, 1 + i / 10))) {
        let more = |n: &usize| self_attention(*n, d) > convolution(*n, d, k);
        let right = (1..).find(more).expect("n² wins in the end");
        let found = crossing(d, k);
        if found == right {
            continue;
        }
        let (of_found, by) = (self_attention(found, d), convolution(found, d, k));
        let hint = match found {
            _ if of_found == by => "as many are not more",
            _ if found == k * d + 1 => {
                "n²d and knd² are orders of growth: here the constants count, 2n²d + 3nd² against knd²"
            }
            _ if found == k * d / 2 + 1 => "self-attention also projects every token, three times",
            _ if found == after(k.saturating_sub(3) * d) => {
                "scores are one product of n × n, but the layer mixes values with another"
            }
            _ if found == k.saturating_sub(1) * d / 2 + 1 => {
                "a token is projected three times: to a query, a key and a value"
            }
            _ => "count the products one by one, for n = 2, d = 1, k = 3",
        };
        panic!(
            "crossing({d}, {k}) is {found}: there self-attention needs {of_found} multiplications and the \
             convolution {by}\nhint: {hint}"
        );
    }
    // The formulas that decided, against loops that count.
    let (n, d, k) = (3, 4, 5);
    let mut count = [0, 0];
    for _token in 0..n {
        (0..3 * d * d).for_each(|_| count[0] += 1); // to query, key and value
        for _other in 0..n {
            (0..d).for_each(|_| count[0] += 1); // the score
            (0..d).for_each(|_| count[0] += 1); // its share of the mean
        }
        (0..k * d * d).for_each(|_| count[1] += 1); // a matrix a neighbour
    }
    assert_eq!(count, [self_attention(n, d), convolution(n, d, k)]);
}

fn self_attention(n: usize, d: usize) -> usize {
    3 * n * d * d + 2 * n * n * d
}

fn convolution(n: usize, d: usize, k: usize) -> usize {
    k * n * d * d
}
