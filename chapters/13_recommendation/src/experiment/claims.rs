//! What was expected before the comparison ran with these seeds, after one with others.

use workbench::study::{Numbers, all_hold, smaller};

type Claim = (&'static str, &'static str, fn(&Numbers) -> Option<Option<bool>>);

/// Models that can be held against each other.
const ROWS: [&str; 14] = [
    "popularity",
    "last_item",
    "item_to_item",
    "item_to_item_kind",
    "item_to_item_age",
    "average",
    "average_wide",
    "din_sum",
    "din_sum_without_age",
    "din",
    "din_without_age",
    "atrank",
    "sasrec",
    "gru",
];

pub const CLAIMS: &[Claim] = &[
    (
        "reasons",
        "the largest weight of DIN with softmax lies on the reason in 90 % of the purchases that have one, and more",
        |found| Some(Some(found.of("din", "reasons")?.lowest >= 0.9)),
    ),
    (
        "reasons_counting",
        "counting item to item, told kinds, finds the reason more often than DIN with softmax",
        |found| less(found, "reasons", "din", "item_to_item_kind"),
    ),
    (
        "counting",
        "counting item to item, told kinds and ages, ranks worse than DIN with softmax",
        |found| less(found, "hit_full", "item_to_item_age", "din"),
    ),
    (
        "left_out",
        "of DIN without softmax the reason is the action that is missed most in 90 % of the purchases that have one, and more",
        |found| Some(Some(found.of("din_sum", "reasons_left_out")?.lowest >= 0.9)),
    ),
    (
        "reasons_atrank",
        "after self-attention the largest weight lies on the reason less often: ATRank against DIN with softmax",
        |found| less(found, "reasons", "atrank", "din"),
    ),
    (
        "candidate",
        "a candidate that weighs the history ranks better than an average: DIN without ages against an average four times as wide, in which ages say next to nothing",
        |found| less(found, "hit_full", "average_wide", "din_without_age"),
    ),
    (
        "sum",
        "weights that need not sum to 1 rank better, as the paper expects: DIN without softmax against with",
        |found| less(found, "hit_full", "din", "din_sum"),
    ),
    ("age", "without ages DIN ranks worse", |found| {
        less(found, "hit_full", "din_without_age", "din")
    }),
    (
        "flattering",
        "against 100 uniform negatives HR@10 of every model is higher than in the full ranking",
        |found| {
            let one = |row: &&str| less_than(found, (row, "hit_full"), (row, "hit_uniform"));
            Some(all_hold(ROWS.iter().map(one).collect::<Option<Vec<_>>>()?))
        },
    ),
    (
        "places",
        "two models change places between the full ranking and a sampled one, by HR@10 or NDCG@10, with every seed",
        |found| Some(Some(!changed_places(found)?.is_empty())),
    ),
    ("gru", "SASRec ranks better than a GRU of as many parameters", |found| {
        less(found, "hit_full", "gru", "sasrec")
    }),
    (
        "shuffled",
        "SASRec on shuffled histories ranks worse than on those with equal times the other way round",
        |found| less_than(found, ("sasrec", "hit_shuffled"), ("sasrec", "hit_ties_reversed")),
    ),
];

fn less(found: &Numbers, number: &str, worse: &str, better: &str) -> Option<Option<bool>> {
    less_than(found, (worse, number), (better, number))
}

fn less_than(found: &Numbers, a: (&str, &str), b: (&str, &str)) -> Option<Option<bool>> {
    Some(smaller(&found.of(a.0, a.1)?.of_seeds, &found.of(b.0, b.1)?.of_seeds))
}

/// Pairs of which the first is better in the full ranking and worse in a sampled one, with every seed.
pub fn changed_places(found: &Numbers) -> Option<Vec<(&'static str, &'static str, String)>> {
    let mut pairs = Vec::new();
    for measure in ["hit", "ndcg"] {
        for sampled in ["uniform", "popular"] {
            let of = |row: &str, ruler: &str| {
                Some(&found.of(row, &format!("{measure}_{ruler}"))?.of_seeds)
            };
            let all = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a > b);
            for (a, b) in ROWS.iter().flat_map(|a| ROWS.iter().map(move |b| (*a, *b))) {
                if all(of(a, "full")?, of(b, "full")?) && all(of(b, sampled)?, of(a, sampled)?) {
                    pairs.push((a, b, format!("{measure}_{sampled}")));
                }
            }
        }
    }
    Some(pairs)
}
