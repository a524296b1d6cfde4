//! The graph of the appendix is drawn by hand; its numbers are the program's.

use parametric_attention::graph::graph;

#[test]
fn the_drawn_graph_has_the_right_numbers() {
    let drawing = include_str!("../../../appendix/figures/graph.svg");
    let graph = graph();
    assert_eq!(graph.dw, graph.tape);
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
