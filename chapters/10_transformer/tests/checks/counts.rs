//! Parameters, before anything is built and after it.

use bahdanau::Reading;
use clap::ValueEnum;
use luong::Scoring;
use luong::windows::Reach;
use seq2seq::Translator;
use seq2seq::translating::recurrent::{Config, SizeArgs};
use seq2seq::translating::{Chapter, Description, Words};
use shared::{Module, rng};
use transformer::program::{CHAPTER, Positions, Sizes};

fn bench(name: &str) -> Sizes {
    CHAPTER.benches.iter().find(|bench| bench.0 == name).unwrap().1().config
}

/// The paper's base model, N = 6, d_model = 512, d_ff = 2048, h = 8, with one table for its "about
/// 37000 tokens": 63.07 million parameters. The paper's table 3 says 65 million. It does not say how it
/// counts; what is certain is the sum below. PyTorch's layers have 9,216 more, the bias of the keys of 18
/// attentions, which changes no output.
#[test]
fn the_base_model_has_63_million_parameters() {
    let count = |sizes: &Sizes, words: usize| {
        let [d, d_ff] = [sizes.width, sizes.feed_forward].map(|width| width as usize);
        let attention = 4 * d * d + 3 * d; // queries, values and the output have a bias
        let network = d * d_ff + d_ff + d_ff * d + d;
        let norm = 2 * d;
        let encoder = attention + network + 2 * norm; //     of the base model 3,151,872
        let decoder = 2 * attention + network + 3 * norm; // 4,203,008
        let [encoders, decoders] = [sizes.encoder_blocks, sizes.decoder_blocks];
        encoders as usize * encoder + decoders as usize * decoder + words * d
    };
    let base = bench("base");
    let (width, feed_forward, heads, encoder_blocks, decoder_blocks) = (12, 7, 3, 3, 2);
    let small = Sizes { width, feed_forward, heads, encoder_blocks, decoder_blocks, ..base };
    let words = Words { source: 11, target: 11 };
    let built = (CHAPTER.build)(&small, words, &mut rng(0)).parameter_count();
    assert_eq!(built, count(&small, 11));

    assert_eq!((base.encoder_blocks, base.decoder_blocks), (6, 6));
    assert_eq!((base.width, base.feed_forward, base.heads), (512, 2048, 8));
    assert_eq!(count(&base, 37_000), 63_073_280);
    let golden = tests::golden::load("transformer").indices("base_parameters");
    assert_eq!(golden, [count(&base, 37_000) + 18 * 512]);
}

/// A model of which the least number does not fit is refused before it is built; so no other one may be much larger.
#[test]
fn the_least_number_of_parameters_is_known_before_a_model_is_built() {
    for (layers, words) in [(1, 10), (1, 2000), (3, 10)] {
        let sizes = SizeArgs { embedding: 24, hidden: 32, layers, dropout: 0.0 };
        let five = Config { sizes: sizes.clone(), choices: seq2seq::program::Choices {} };
        is_least(&seq2seq::program::CHAPTER, &five, words);
        for reading in [Reading::Forward, Reading::BothDirections] {
            let six = Config { sizes: sizes.clone(), choices: reading.into() };
            is_least(&bahdanau::program::CHAPTER, &six, words);
            for (score, reach) in Scoring::value_variants()
                .iter()
                .flat_map(|score| Reach::value_variants().iter().map(move |reach| (*score, *reach)))
            {
                for projected in [true, false] {
                    let usual = luong::program::Choices::default();
                    let feeding = projected;
                    let choices = luong::program::Choices {
                        score,
                        reach,
                        reading,
                        projected,
                        feeding,
                        ..usual
                    };
                    let seven = Config { sizes: sizes.clone(), choices };
                    is_least(&luong::program::CHAPTER, &seven, words);
                }
            }
        }
        for (norm, tied) in crate::support::KINDS {
            for positions in Positions::value_variants().iter().copied() {
                let (encoder_blocks, longest) = (layers, 16);
                let ten = Sizes { encoder_blocks, longest, norm, tied, positions, ..Sizes::QUICK };
                is_least(&CHAPTER, &ten, words);
            }
        }
    }
}

fn is_least<C: Description, M: Translator>(chapter: &Chapter<C, M>, config: &C, words: usize) {
    let words = Words { source: words, target: words };
    let built = (chapter.build)(config, words, &mut rng(0)).parameter_count() as u128;
    let least = (chapter.least)(config, words);
    assert!(least <= built && built <= 4 * least, "{}: {least} of {built}", chapter.name);
}
