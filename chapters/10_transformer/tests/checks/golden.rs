//! Blocks and small models against PyTorch, with the same weights: `tests/golden/transformer.py`.

use crate::support::batch;
use scoring_functions::{AttentionMask, Sequences};
use seq2seq::Translator;
use shared::{Gradients, Module, Tape, rng};
use tests::assert_close;
use tests::golden::Golden;
use transformer::{BlockSizes, Config, DecoderBlock, EncoderBlock, Norm, Tied, Transformer};

const PLACES: [(&str, Norm); 2] = [("post", Norm::Post), ("pre", Norm::Pre)];

fn sizes(norm: Norm) -> BlockSizes {
    BlockSizes { d_model: 4, d_ff: 5, heads: 2, dropout: 0.0, norm }
}

/// Gives every parameter PyTorch's value.
fn filled<M: Module>(mut module: M, golden: &Golden, prefix: &str) -> M {
    module.for_each_parameter(|name, param| {
        let value = golden.matrix(&format!("{prefix}.{name}"));
        assert_eq!(value.shape(), param.value().shape(), "{prefix}.{name}");
        *param.value_mut() = value;
    });
    module
}

/// Compares every parameter's gradient with PyTorch's.
fn assert_gradients(module: &mut impl Module, found: &Gradients, golden: &Golden, prefix: &str) {
    module.for_each_parameter(|name, param| {
        let expected = golden.matrix::<f32>(&format!("{prefix}.{name}"));
        let found = found.of(param).unwrap_or_else(|| panic!("{prefix}.{name}: no gradient"));
        assert_close!(found, expected, 1e-5, "{prefix}.{name}");
    });
}

/// Where sentences of the recorded lengths begin and end.
fn offsets(golden: &Golden, lengths: &str) -> Vec<usize> {
    let mut offsets = vec![0];
    golden.indices(lengths).iter().for_each(|n| offsets.push(offsets[offsets.len() - 1] + n));
    offsets
}

#[test]
fn an_encoder_block_is_pytorchs() {
    let golden = tests::golden::load("transformer");
    let sequences = Sequences::new(&offsets(&golden, "source_lengths"));
    for (place, norm) in PLACES {
        let place = format!("{place}_blocks");
        let block = EncoderBlock::new(&sizes(norm), &mut rng(0));
        let mut block = filled(block, &golden, &format!("{place}.encoder"));
        let tape = Tape::new();
        let x = tape.leaf(golden.matrix(&format!("{place}.source")));
        let (y, _) = block.forward(x, &sequences);
        assert_close!(&*y.value(), golden.matrix::<f32>(&format!("{place}.encoded")), 1e-5);
        let dy = tape.constant(golden.matrix(&format!("{place}.dencoded")));
        let gradients = y.component_mul(dy).sum().backward();
        let prefix = format!("{place}.gradient.encoder");
        assert_close!(gradients.wrt(x), golden.matrix::<f32>(&format!("{prefix}.source")), 1e-5);
        assert_gradients(&mut block, &gradients, &golden, &prefix);
    }
}

#[test]
fn a_decoder_block_is_pytorchs() {
    let golden = tests::golden::load("transformer");
    let [source, target] =
        ["source_lengths", "target_lengths"].map(|lengths| offsets(&golden, lengths));
    let own = Sequences::new(&target).with(AttentionMask::Causal);
    let across = Sequences::between(&target, &source);
    for (place, norm) in PLACES {
        let place = format!("{place}_blocks");
        let block = DecoderBlock::new(&sizes(norm), &mut rng(0));
        let mut block = filled(block, &golden, &format!("{place}.decoder"));
        let tape = Tape::new();
        let x = tape.leaf(golden.matrix(&format!("{place}.x")));
        let h = tape.leaf(golden.matrix(&format!("{place}.source")));
        let (y, _) = block.forward(x, h, &own, &across);
        assert_close!(&*y.value(), golden.matrix::<f32>(&format!("{place}.decoded")), 1e-5);
        let dy = tape.constant(golden.matrix(&format!("{place}.ddecoded")));
        let gradients = y.component_mul(dy).sum().backward();
        let prefix = format!("{place}.gradient.decoder");
        assert_close!(gradients.wrt(x), golden.matrix::<f32>(&format!("{prefix}.x")), 1e-5);
        assert_close!(gradients.wrt(h), golden.matrix::<f32>(&format!("{prefix}.source")), 1e-5);
        assert_gradients(&mut block, &gradients, &golden, &prefix);
    }
}

/// Two blocks and one, one and two; smoothed labels; PyTorch pads its batch and masks the padding.
#[test]
fn a_whole_transformer_is_pytorchs() {
    let golden = tests::golden::load("transformer");
    let cases = [(2, 1, Tied::Output), (1, 2, Tied::Everything)];
    for ((place, norm), (encoder_blocks, decoder_blocks, tied)) in PLACES.into_iter().zip(cases) {
        let config = Config {
            source_words: 7,
            target_words: 7,
            encoder_blocks,
            decoder_blocks,
            block: sizes(norm),
            tied,
            smoothing: 0.1,
            encoding: transformer::Encoding::PAPER,
            longest: 8,
        };
        let mut model = filled(Transformer::new(&config, &mut rng(0)), &golden, place);
        let cut = |words: &str, lengths: &str| -> Vec<Vec<usize>> {
            let (words, ends) =
                (golden.indices(&format!("{place}.{words}")), offsets(&golden, lengths));
            ends.windows(2).map(|ends| words[ends[0]..ends[1]].to_vec()).collect()
        };
        let sources = cut("sources", "source_lengths");
        let pairs: Vec<_> = sources.into_iter().zip(cut("targets", "target_lengths")).collect();
        let batch = batch(&pairs);

        let tape = Tape::no_grad();
        let (h, _) = Transformer::encode(&model, &tape, &batch.source);
        let (x, _) = model.decode(h, &batch.source, &batch.previous);
        let logits = model.logits(x).value();
        assert_close!(&*logits, golden.matrix::<f32>(&format!("{place}.logits")), 1e-5);

        let tape = Tape::new();
        let loss = model.training_loss(&tape, &batch); // smoothed, as while training
        assert_close!(loss.scalar(), golden.scalar::<f32>(&format!("{place}.loss")), 1e-5);
        let gradients = loss.backward();
        assert_gradients(&mut model, &gradients, &golden, &format!("{place}.gradient"));
    }
}
