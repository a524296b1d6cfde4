//! What was expected before the comparison ran with these seeds, after one with others.

use workbench::study::{Expected, Numbers, all_hold};

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

pub const CLAIMS: &[Expected] = &[
    (
        "reasons",
        "the largest weight of DIN with softmax lies on the reason in 90 % of the purchases that have one, and more",
        |found| found.at_least("din", "reasons", 0.9),
    ),
    (
        "reasons_counting",
        "counting item to item, told kinds, finds the reason more often than DIN with softmax",
        |found| found.less(("din", "reasons"), ("item_to_item_kind", "reasons")),
    ),
    (
        "counting",
        "counting item to item, told kinds and ages, ranks worse than DIN with softmax",
        |found| found.less(("item_to_item_age", "hit_full"), ("din", "hit_full")),
    ),
    (
        "left_out",
        "of DIN without softmax the reason is the action that is missed most in 90 % of the purchases that have one, and more",
        |found| found.at_least("din_sum", "reasons_left_out", 0.9),
    ),
    (
        "reasons_atrank",
        "after self-attention the largest weight lies on the reason less often: ATRank against DIN with softmax",
        |found| found.less(("atrank", "reasons"), ("din", "reasons")),
    ),
    (
        "candidate",
        "a candidate that weighs the history ranks better than an average: DIN without ages against an average four times as wide, in which ages say next to nothing",
        |found| found.less(("average_wide", "hit_full"), ("din_without_age", "hit_full")),
    ),
    (
        "sum",
        "weights that need not sum to 1 rank better, as the paper expects: DIN without softmax against with",
        |found| found.less(("din", "hit_full"), ("din_sum", "hit_full")),
    ),
    ("age", "without ages DIN ranks worse", |found| {
        found.less(("din_without_age", "hit_full"), ("din", "hit_full"))
    }),
    (
        "flattering",
        "against 100 uniform negatives HR@10 of every model is higher than in the full ranking",
        |found| {
            let one = |row: &&str| found.less((row, "hit_full"), (row, "hit_uniform"));
            Some(all_hold(ROWS.iter().map(one).collect::<Option<Vec<_>>>()?))
        },
    ),
    (
        "places",
        "two models change places between the full ranking and a sampled one, by HR@10 or NDCG@10, with every seed",
        |found| Some(Some(!changed_places(found)?.is_empty())),
    ),
    ("gru", "SASRec ranks better than a GRU of as many parameters", |found| {
        found.less(("gru", "hit_full"), ("sasrec", "hit_full"))
    }),
    (
        "shuffled",
        "SASRec on shuffled histories ranks worse than on those with equal times the other way round",
        |found| found.less(("sasrec", "hit_shuffled"), ("sasrec", "hit_ties_reversed")),
    ),
];

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
