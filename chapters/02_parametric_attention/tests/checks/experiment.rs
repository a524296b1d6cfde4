//! The page's numbers, computed again.

use parametric_attention::program::{Config, Results, run};
use serde_json::Value;

/// Every number of `figures/results.json`, within a part in a thousand: other processors add up in
/// another order, and fifty thousand steps pass the difference on.
#[test]
fn the_same_seed_gives_the_same_numbers() {
    let mut committed: Value =
        serde_json::from_str(include_str!("../../figures/results.json")).unwrap();
    committed.as_object_mut().unwrap().remove("measured"); // one machine's, one day's
    let steps = std::cell::Cell::new(0);
    let (results, figures) = run(&Config::default(), || steps.set(steps.get() + 1));
    assert_eq!(steps.get(), parametric_attention::program::PARTS);
    let results = serde_json::to_value(&results).unwrap();
    tests::chapter::alike("", &committed, &results, 1e-3, &NOISE);
    for (name, figure) in figures {
        let path = format!("{}/figures/{name}.svg", env!("CARGO_MANIFEST_DIR"));
        let committed = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let (old, new) = (committed.len() as f64, figure.to_string().len() as f64);
        assert!((old - new).abs() < 0.05 * old, "{name}.svg: {new} bytes instead of {old}");
    }
}

/// Numbers that are themselves rounding errors: their size is claimed, their digits are not.
const NOISE: [&str; 6] = [
    ".gradient.differences",
    ".gradient.worst",
    ".width.relative_difference",
    ".differences.",
    ".descents.",
    ".itself.logarithms",
];

/// What the page claims in words.
#[test]
fn the_claims_of_the_page_hold() {
    let results: Results =
        serde_json::from_str(include_str!("../../figures/results.json")).unwrap();
    let Results { gradient, textbook, descents, width, fits, itself, plane, graph, .. } = results;
    // Who is stuck at 0 is so in a minimum, not for want of a slope.
    let first = results.first_step;
    assert!(first.stuck > 0 && first.stuck == first.stuck_in_minimum);
    // What the three readings contribute to the slope of the opening.
    for answer in [results.example.wide, results.example.middling] {
        assert!((answer.shares.iter().sum::<f32>() - answer.slope).abs() < 1e-5);
    }
    // The hand, the tape and differences agree.
    assert!(gradient.worst < 1e-3);
    assert!((gradient.by_hand / gradient.differences - 1.0).abs() < 1e-3);
    assert_eq!(graph.dw, graph.tape);
    // The loss fell, the first step went past the best width, the last is still on its way back.
    assert!(textbook[5].loss < textbook[0].loss);
    assert!(textbook[1].w > textbook[5].w && textbook[5].w > width.learnt);
    assert!(descents.logarithms < descents.textbook_rate);
    assert!(descents.textbook_rate < descents.small_rate);
    // Training finds what chapter 1 found by trying.
    assert!(width.relative_difference < 0.01);
    assert!((width.error - width.bandwidth_error).abs() < 1e-5);
    // Sharper weights, less smooth a fit.
    assert!(fits.unit.keys > fits.learnt.keys && fits.learnt.keys > fits.textbook.keys);
    assert!(fits.unit.bending < fits.learnt.bending && fits.learnt.bending < fits.textbook.bending);
    // Seeing itself, w grows, the loss goes to zero, the truth goes away.
    assert!(itself.epochs_5.w < itself.epochs_500.w && itself.epochs_500.w < itself.epochs_50000.w);
    assert!(itself.logarithms.loss < 1e-6);
    assert!(itself.epochs_50000.distance_from_truth > fits.learnt.distance_from_truth);
    // The matrix ignores the irrelevant input, and finds the turned direction.
    assert!(plane.full.metric[1][1] < 0.02 * plane.full.metric[0][0]);
    assert!(plane.full.distance_from_truth < plane.one_width.distance_from_truth);
    assert!((plane.turned_angle - plane.full_angle - 30.0).abs() < 0.1);
    assert!((plane.turned.error - plane.full.error).abs() < 1e-4);
}

/// The graph of the appendix is drawn by hand; its numbers are the program's.
#[test]
fn the_drawn_graph_has_the_right_numbers() {
    let drawing = include_str!("../../../appendix/figures/graph.svg");
    let graph = parametric_attention::program::graph();
    let values = [graph.s[0], graph.s[1], graph.alpha[0], graph.alpha[1], graph.f, graph.loss];
    let gradients =
        [graph.df, graph.dalpha[0], graph.dalpha[1], graph.ds[0], graph.ds[1], graph.dw];
    for (number, kind) in
        values.map(|x| (x, "value")).into_iter().chain(gradients.map(|x| (x, "gradient")))
    {
        let printed = format!("class=\"{kind}\">{number:.3}<").replace('-', "−");
        assert!(drawing.contains(&printed), "graph.svg shows no {printed}");
    }
}
