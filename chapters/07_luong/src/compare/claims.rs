//! What the paper's tables say, and what this chapter says, as inequalities. They were written down
//! before the trainings; the results only tell which hold, which do not, and which the seeds leave
//! open.

use super::results::{Inequality, Row, Run, round};
use std::collections::BTreeMap;
use workbench::smaller;

type Rows = BTreeMap<String, BTreeMap<String, Row>>;

/// (name, which is smaller, which is larger): Luong et al. 2015, Table 4 and footnote 15, on
/// perplexity; with input feeding.
const PERPLEXITY: [(&str, &str, &str); 7] = [
    ("perplexity_dot_location", "global_dot", "global_location"), //           6.1 < 6.4
    ("perplexity_general_location", "global_general", "global_location"), //   6.1 < 6.4
    ("perplexity_general_concat", "global_general", "global_concat"), //       6.1 < 6.7
    ("perplexity_local_p_general", "local_p_general", "global_general"), //    5.9 < 6.1
    ("perplexity_general_local_m", "global_general", "local_m_general"), //    6.1 < 6.2
    ("perplexity_local_p_local_m", "local_p_general", "local_m_general"), //   5.9 < 6.2
    ("perplexity_local_p_dot", "local_p_general", "local_p_dot"), //           5.9 < 6.6
];

/// Table 4 on BLEU (before unknown words are replaced).
const BLEU: [(&str, &str, &str); 6] = [
    ("bleu_location_dot", "global_location", "global_dot"), //               18.1 < 18.6
    ("bleu_general_location", "global_general", "global_location"), //       17.3 < 18.1
    ("bleu_general_local_m", "global_general", "local_m_general"), //        17.3 < 18.6
    ("bleu_local_m_local_p", "local_m_general", "local_p_general"), //       18.6 < 19.0
    ("bleu_dot_local_p", "global_dot", "local_p_general"),  //                18.6 < 19.0
    ("bleu_local_p_dot_general", "local_p_dot", "local_p_general"), //       18.0 < 19.0
];

/// Table 6 on the alignment error rate.
const AER: [(&str, &str, &str); 2] = [
    ("aer_local_m_local_p", "local_m_general", "local_p_general"), //        0.34 < 0.36
    ("aer_local_p_location", "local_p_general", "global_location"), //       0.36 < 0.39
];

/// A mechanism loses on displaced pairs when its BLEU falls by so much more than that of global
/// attention.
const MARGIN: f64 = 2.0;

/// All claims; rows that are missing make none.
pub fn claims(rows: &Rows) -> BTreeMap<String, Inequality> {
    let row = |name: &str, kind: &str| rows.get(name).and_then(|kinds| kinds.get(kind));
    let fed = |name: &str| row(name, "fed");
    let mut all: Vec<(&str, Option<Measured>, Option<Measured>)> = Vec::new();
    let mut from = |table: &[(&'static str, &str, &str)], of: fn(&Run) -> f64| {
        let measured = |name: &str| fed(name).map(|row| Measured::new(row, of));
        all.extend(table.iter().map(|(name, less, more)| (*name, measured(less), measured(more))));
    };
    from(&PERPLEXITY, |run| run.perplexity);
    from(&BLEU, |run| run.bleu);
    from(&AER, |run| run.aer);
    // Table 1: global (location) 16.8, with input feeding 18.1
    let location =
        |kind| row("global_location", kind).map(|row| Measured::new(row, |run| run.bleu));
    all.push(("bleu_feeding", location("plain"), location("fed")));

    let fall =
        |name| fed(name).map(|row| Measured::new(row, |run| run.near.bleu - run.displaced.bleu));
    let limit = || {
        let fall = |run: &Run| run.near.bleu - run.displaced.bleu + MARGIN;
        fed("global_general").map(|row| Measured::new(row, fall))
    };
    all.push(("local_m_loses", limit(), fall("local_m_general")));
    all.push(("local_p_does_not", fall("local_p_general"), limit()));
    let claim = |(name, less, more): (&str, Option<Measured>, Option<Measured>)| {
        let (less, more) = (less?, more?);
        let holds = match smaller(&less.of_seeds, &more.of_seeds) {
            Some(true) => "held",
            Some(false) => "failed",
            None => "not decided",
        };
        let holds = holds.to_owned();
        Some((name.to_owned(), Inequality { less: less.mean, more: more.mean, holds }))
    };
    all.into_iter().filter_map(claim).collect()
}

/// A number of a row: its mean, and that of each seed.
struct Measured {
    mean: f64,
    of_seeds: Vec<f64>,
}

impl Measured {
    fn new(row: &Row, of: impl Fn(&Run) -> f64) -> Measured {
        Measured { mean: round(of(&row.mean)), of_seeds: row.seeds.iter().map(of).collect() }
    }
}
