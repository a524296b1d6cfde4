//! Chapter 10 in f64: normalisation, smoothed labels, blocks and whole models against finite
//! differences, for every parameter and every input.

use gradients::check_parameters;
use scoring_functions::{AttentionMask, Sequences};
use self_attention::relative::Kind;
use seq2seq::{Batch, Translator};
use shared::{Matrix, Module, Param, Var, Visitor, rng};
use transformer::{
    Absolute, BlockSizes, Config, DecoderBlock, EncoderBlock, Encoding, LayerNorm, Norm, Tied,
    Transformer, smoothed_cross_entropy,
};

/// Something with its inputs, which are checked as parameters are.
struct With<M, const N: usize> {
    module: M,
    inputs: [Param; N],
}

impl<M: Module, const N: usize> Module for With<M, N> {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("module", &mut self.module);
        for (i, input) in self.inputs.iter_mut().enumerate() {
            visitor.param(&format!("input {i}"), input);
        }
    }
}

/// Uneven numbers of both signs.
fn uneven(rows: usize, columns: usize, phase: f64) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| {
        (1.3 * i as f64 + 2.1 * j as f64 + phase).sin() + 0.2 * j as f64
    })
}

/// A number that depends on every entry otherwise.
fn weighted(y: Var) -> Var {
    let (rows, columns) = y.shape();
    y.component_mul(y.tape().constant(uneven(rows, columns, 0.6))).sum()
}

/// Gains and biases that are not those a module begins with.
fn stirred<M: Module>(mut module: M) -> M {
    let mut phase = 0.0;
    module.for_each_parameter(|name, param| {
        if name.ends_with("gain") || name.ends_with("bias") {
            let (rows, columns) = param.value().shape();
            *param.value_mut() += uneven(rows, columns, phase) * 0.3;
            phase += 0.7;
        }
    });
    module
}

const NORMS: [Norm; 2] = [Norm::Post, Norm::Pre];

fn sizes(norm: Norm) -> BlockSizes {
    BlockSizes { d_model: 4, d_ff: 5, heads: 2, dropout: 0.0, norm }
}

#[test]
fn layer_normalisation() {
    for d in [2, 5, 17] {
        let inputs = [Param::new(uneven(d, 3, 0.3))];
        let case = With { module: stirred(LayerNorm::new(d)), inputs };
        check_parameters(
            case,
            |case, tape| weighted(case.module.forward(tape.param(&case.inputs[0]))),
            &format!("width {d}"),
        );
    }
}

#[test]
fn smoothed_labels() {
    for epsilon in [0.0, 0.1, 0.7] {
        check_parameters(
            Param::new(uneven(5, 3, 0.3)),
            |x, tape| smoothed_cross_entropy(tape.param(x), &[4, 0, 2], epsilon).square(),
            &format!("ε = {epsilon}"),
        );
    }
}

#[test]
fn encoder_blocks() {
    let sequences = Sequences::new(&[0, 3, 5]);
    for norm in NORMS {
        let module = stirred(EncoderBlock::new(&sizes(norm), &mut rng(1)));
        check_parameters(
            With { module, inputs: [Param::new(uneven(4, 5, 0.3))] },
            |case, tape| {
                let x = tape.param(&case.inputs[0]);
                weighted(case.module.forward(x, &sequences).0)
            },
            &format!("{norm:?}"),
        );
    }
}

#[test]
fn decoder_blocks() {
    let (source, target) = ([0, 3, 5], [0, 2, 6]);
    let own = Sequences::new(&target).with(AttentionMask::Causal);
    let across = Sequences::between(&target, &source);
    for norm in NORMS {
        let module = stirred(DecoderBlock::new(&sizes(norm), &mut rng(2)));
        let inputs = [Param::new(uneven(4, 6, 0.3)), Param::new(uneven(4, 5, 1.3))];
        check_parameters(
            With { module, inputs },
            |case, tape| {
                let [x, h] = [0, 1].map(|i| tape.param(&case.inputs[i]));
                weighted(case.module.forward(x, h, &own, &across).0)
            },
            &format!("{norm:?}"),
        );
    }
}

/// Stacks of unequal depth; a ragged batch; smoothed labels.
#[test]
fn whole_models() {
    let pairs: [(&[usize], &[usize]); 2] = [(&[3, 4, 2], &[2]), (&[2], &[3, 4, 2])];
    let batch = Batch::new(&pairs, 1);
    let [shaw, rope] = [Kind::Shaw(1), Kind::Rope].map(|kind| Encoding {
        absolute: Absolute::Learned,
        own: Some(kind),
        cross: Some(kind),
    });
    let cases = [
        (Norm::Post, Tied::Nothing, 2, 1, Encoding::PAPER),
        (Norm::Pre, Tied::Output, 1, 1, shaw),
        (Norm::Post, Tied::Everything, 1, 1, rope),
    ];
    for (norm, tied, encoder_blocks, decoder_blocks, encoding) in cases {
        let config = Config {
            source_words: 5,
            target_words: 5,
            encoder_blocks,
            decoder_blocks,
            block: BlockSizes { d_ff: 3, ..sizes(norm) },
            tied,
            smoothing: 0.1,
            encoding,
            longest: 4,
        };
        let model = stirred(Transformer::new(&config, &mut rng(5)));
        let what = format!("{norm:?}, {tied:?}");
        check_parameters(model, |model, tape| model.training_loss(tape, &batch), &what);
    }
}
