//! What the paper's tables say, and what this chapter says, as inequalities. They were written down
//! before the trainings; the results only tell which hold.

use super::{Row, Run};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An inequality between means over the seeds, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inequality {
    /// What should be smaller.
    pub less: f64,
    /// What should be larger.
    pub more: f64,
    /// `yes` or `no`.
    pub holds: String,
}

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
    let fed = |name: &str| rows.get(name).and_then(|kinds| kinds.get("fed")).map(|row| row.mean);
    let plain =
        |name: &str| rows.get(name).and_then(|kinds| kinds.get("plain")).map(|row| row.mean);
    let mut all: Vec<(&str, Option<f64>, Option<f64>)> = Vec::new();
    let mut from = |table: &[(&'static str, &str, &str)], of: fn(&Run) -> f64| {
        for (name, less, more) in table {
            all.push((name, fed(less).as_ref().map(of), fed(more).as_ref().map(of)));
        }
    };
    from(&PERPLEXITY, |run| run.perplexity);
    from(&BLEU, |run| run.bleu);
    from(&AER, |run| run.aer);
    // Table 1: global (location) 16.8, with input feeding 18.1
    let bleu = |run: Run| run.bleu;
    let (without, with) = (plain("global_location"), fed("global_location"));
    all.push(("bleu_feeding", without.map(bleu), with.map(bleu)));

    let fall = |run: Run| run.near.bleu - run.displaced.bleu;
    let global = fed("global_general").map(|run| fall(run) + MARGIN);
    all.push(("local_m_loses", global, fed("local_m_general").map(fall)));
    all.push(("local_p_does_not", fed("local_p_general").map(fall), global));
    let claim = |(name, less, more): (&str, Option<f64>, Option<f64>)| {
        let (less, more) = (super::round(less?), super::round(more?));
        let holds = if less < more { "yes" } else { "no" }.to_owned();
        Some((name.to_owned(), Inequality { less, more, holds }))
    };
    all.into_iter().filter_map(claim).collect()
}
