//! Soft and hard attention, the gate, the doubly stochastic term: the page's comparison.

use super::judge::judge;
use super::training::{Plan, trained};
use crate::Attention;
use workbench::error::Result;
use workbench::study::{Comparison, Expected, Row, StudyArgs, all_hold};

/// Scenes of each test.
const TEST: usize = 500;

/// The rows, longest training first.
fn rows() -> Vec<Row<Plan>> {
    let plan = |attention, gate, even| {
        let mut plan = Plan::new(attention);
        (plan.config.gate, plan.config.even) = (gate, even);
        plan
    };
    let mut bare = plan(Attention::Hard, true, 0.0);
    bare.config.expected = 0.0;
    let mut warm = plan(Attention::Hard, true, 0.0);
    (warm.warm, warm.epochs) = (warm.epochs / 2, warm.epochs / 2);
    [
        ("hard", plan(Attention::Hard, true, 0.0)),
        ("hard_bare", bare),
        ("hard_even", plan(Attention::Hard, true, EVEN)),
        ("hard_warm", warm),
        ("soft", plan(Attention::Soft, true, 0.0)),
        ("soft_even", plan(Attention::Soft, true, EVEN)),
        ("soft_no_gate", plan(Attention::Soft, false, 0.0)),
    ]
    .map(|(name, plan)| Row { epochs: plan.warm + plan.epochs, ..Row::new(name, plan) })
    .into()
}

/// λ where the doubly stochastic term is on: the paper's program has 1 for captions; ours counts a picture's term
/// against the nats of all its words, as there.
const EVEN: shared::Float = 1.0;

/// What is expected, by name.
const CLAIMS: &[Expected] = &[
    (
        "a_exact",
        "soft attention: with every seed, 90 % of unseen captions are right word for word",
        |found| found.at_least("soft", "exact", 0.9),
    ),
    (
        "b_four",
        "soft attention: a fourth thing, never seen in training, makes captions wrong more often",
        |found| found.less(("soft", "exact_four"), ("soft", "exact")),
    ),
    (
        "c_new",
        "soft attention: with every seed, 80 % are right where a pair of shape and colour is new",
        |found| found.at_least("soft", "exact_new", 0.8),
    ),
    (
        "d_things",
        "soft attention: with every seed, half of the weight lies on the thing whose shape is named",
        |found| found.at_least("soft", "things", 0.5),
    ),
    (
        "e_next",
        "soft attention: a relation word looks more at the thing named next than a shape word would by chance",
        |found| found.less(("soft", "uniform"), ("soft", "next_thing")),
    ),
    ("f_hard_exact", "hard attention has fewer captions right than soft", |found| {
        found.less(("hard", "exact"), ("soft", "exact"))
    }),
    ("g_hard_points", "hard attention points more at things than soft", |found| {
        found.less(("soft", "things"), ("hard", "things"))
    }),
    (
        "h_even",
        "the doubly stochastic term takes weight from the things that are named, soft or hard",
        |found| {
            let of = |row, even| found.less((even, "things"), (row, "things"));
            Some(all_hold([of("soft", "soft_even")?, of("hard", "hard_even")?]))
        },
    ),
    ("i_gate", "without the gate fewer captions are right", |found| {
        found.less(("soft_no_gate", "exact"), ("soft", "exact"))
    }),
    (
        "j_warm",
        "hard attention after as many steps of soft has more captions right than hard in all steps",
        |found| found.less(("hard", "exact"), ("hard_warm", "exact")),
    ),
    (
        "k_warm_read",
        "… and more than soft attention of which only the likeliest place is read",
        |found| found.less(("soft", "exact_one_place"), ("hard_warm", "exact")),
    ),
    ("l_warm_soft", "… and fewer than soft attention", |found| {
        found.less(("hard_warm", "exact"), ("soft", "exact"))
    }),
];

pub fn comparison() -> Comparison<'static, Plan> {
    Comparison {
        program: "captioning",
        about: "scenes drawn anew for every step",
        rows: rows(),
        claims: CLAIMS,
        figures: &[],
    }
}

pub fn compare(arguments: &StudyArgs) -> Result<()> {
    comparison().run(arguments, |plan, seed| Ok(judge(&mut trained(plan, seed)?, TEST)))
}
