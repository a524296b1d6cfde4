//! A decoder step against PyTorch.

use super::*;
use ::tests::{assert_close, golden};
use scoring_functions::General;
use shared::{Matrix, Param};

/// A model of one layer with the weights of the golden file.
fn model(g: &golden::Golden) -> Luong {
    let weight = |name| Param::new(g.matrix(name).transpose()); // PyTorch's are (outputs, inputs)
    let column = |name| Param::new(g.matrix(name));
    let sizes = seq2seq::Sizes {
        source_words: 3,
        target_words: 3,
        embedding: 3,
        hidden: 6,
        layers: 1,
        dropout: 0.0,
    };
    let config = Config {
        sizes,
        reading: Reading::Forward,
        projected: true,
        scoring: Scoring::General,
        reach: Reach::LocalP,
        width: 2,
        feeding: true,
        positions: 1,
    };
    let mut model = Luong::new(&config, &mut shared::rng(0));
    let gru = &mut model.decoder.layers[0];
    gru.weights.weight_x = weight("weight_x");
    gru.weights.weight_h = weight("weight_h");
    gru.weights.bias_x = column("bias_x");
    gru.weights.bias_h = column("bias_h");
    model.feed = Some(Linear { weight: weight("weight_feed"), bias: None });
    model.score = Score::General(General { w: Linear { weight: weight("w_a"), bias: None } });
    let w = Linear { weight: weight("w_p"), bias: None };
    model.position = Some(Position { w, v: Param::new(g.matrix("v_p") * Float::sqrt(6.0)) });
    model.combine.weight = weight("w_c");
    model
}

#[test]
fn a_decoder_step_equals_pytorch_with_all_gradients() {
    let g = golden::load("luong");
    let model = model(&g);
    let of = |name| -> Matrix { g.matrix(name) };
    let tape = Tape::new();
    let leaf = |name| tape.leaf(of(name));
    let (values, start) = (leaf("values"), leaf("states"));
    let (previous, fed) = (leaf("previous"), leaf("fed"));
    let memory = Memory { values, keys: model.score.keys(values) };
    let sequences = Sequences::one_each(&[0, 5, 7, 11]);
    let mut states = [start];
    let y = model.decoder.layers[0].project(previous);
    let seen = model.step(y, &mut states, Some(fed), &memory, sequences);
    let positions: Vec<usize> = seen.sequences.pairs().map(|pair| pair.position).collect();
    assert_eq!(positions, g.indices("windows"));
    assert!(positions.len() < 11, "a window must leave a word out");
    assert_close!(seen.weights.value().transpose(), of("weights"), 1e-6);
    assert_close!(&*seen.attentional.value(), of("attentional"), 1e-6);

    let dweights = tape.constant(of("dweights").transpose());
    let loss = seen.weights.component_mul(dweights).sum()
        + seen.attentional.component_mul(tape.constant(of("dattentional"))).sum();
    let gradients = loss.backward();
    for (leaf, name) in
        [(values, "dvalues"), (start, "dstates"), (previous, "dprevious"), (fed, "dfed")]
    {
        assert_close!(gradients.wrt(leaf), of(name), 1e-5, "{name}");
    }
    let (Score::General(general), Some(position), Some(feed)) =
        (&model.score, &model.position, &model.feed)
    else {
        unreachable!("built above")
    };
    let gru = &model.decoder.layers[0].weights;
    let weights = [
        (&gru.weight_x, "dweight_x"),
        (&gru.weight_h, "dweight_h"),
        (&feed.weight, "dweight_feed"),
        (&general.w.weight, "dw_a"),
        (&position.w.weight, "dw_p"),
        (&model.combine.weight, "dw_c"),
    ];
    for (param, name) in weights {
        assert_close!(gradients.of(param).unwrap().transpose(), of(name), 1e-5, "{name}");
    }
    for (param, name) in [(&gru.bias_x, "dbias_x"), (&gru.bias_h, "dbias_h")] {
        assert_close!(gradients.of(param).unwrap(), of(name), 1e-5, "{name}");
    }
    let dv_p = gradients.of(&position.v).unwrap() * Float::sqrt(6.0);
    assert_close!(dv_p, of("dv_p"), 1e-5, "dv_p");
}
