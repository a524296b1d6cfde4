//! Parameters, known before anything is built.

use seq2seq::translating::{Benched, Recipe, Words};
use shared::{Module, rng};
use transformer::experiment::recipe::{Chapter, Preset, Sizes};
use transformer::{Norm, Tied};

/// Widths, depths and heads that all differ.
fn sizes(norm: Norm, tied: Tied) -> Sizes {
    Sizes {
        width: 12,
        feed_forward: 7,
        heads: 3,
        encoder_blocks: 3,
        decoder_blocks: 2,
        norm,
        tied,
        ..Chapter::workload(&Preset::Small).config
    }
}

#[test]
fn the_number_of_parameters_is_known_before_a_model_is_built() {
    let (same, others) = (Words { source: 11, target: 11 }, Words { source: 11, target: 17 });
    let cases = [
        (Tied::Nothing, others),
        (Tied::Output, others),
        (Tied::Output, same),
        (Tied::Everything, same),
    ];
    for norm in [Norm::Post, Norm::Pre] {
        for (tied, words) in cases {
            let sizes = sizes(norm, tied);
            let built = Chapter::build(&sizes, words, &mut rng(0)).parameter_count() as u64;
            assert_eq!(
                Chapter::parameters(&sizes, words),
                Some(built),
                "{norm:?} {tied:?} {words:?}"
            );
        }
        assert_eq!(Chapter::parameters(&sizes(norm, Tied::Everything), others), None);
    }
}

/// The paper's base model, N = 6, d_model = 512, d_ff = 2048, h = 8, with one table for its "about
/// 37000 tokens": 63.07 million parameters. The paper's table 3 says 65 million. It does not say how it
/// counts; what is certain is the sum below. PyTorch's layers have 9,216 more, the bias of the keys of 18
/// attentions, which changes no output.
#[test]
fn the_base_model_has_63_million_parameters() {
    let base = Chapter::workload(&Preset::Base).config;
    assert_eq!((base.encoder_blocks, base.decoder_blocks), (6, 6));
    assert_eq!((base.width, base.feed_forward, base.heads), (512, 2048, 8));
    let words = Words { source: 37_000, target: 37_000 };
    let count = Chapter::parameters(&base, words).unwrap();

    let attention = 4 * 512 * 512 + 3 * 512; // queries, values and the output have a bias
    let network = 512 * 2048 + 2048 + 2048 * 512 + 512;
    let norm = 2 * 512;
    let encoder = attention + network + 2 * norm; //     3,151,872
    let decoder = 2 * attention + network + 3 * norm; // 4,203,008
    let table = 37_000 * 512; //                        18,944,000
    assert_eq!(count, 6 * encoder + 6 * decoder + table);
    assert_eq!(count, 63_073_280);
    let golden = tests::golden::load("transformer").indices("base_parameters");
    assert_eq!(golden, [count as usize + 18 * 512]);

    // Three tables instead of one, as without tying: 101 million.
    let untied = Chapter::parameters(&Sizes { tied: Tied::Nothing, ..base }, words);
    assert_eq!(untied, Some(count + 2 * table));
}
