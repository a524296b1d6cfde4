//! The translator beside the chapter's own: without a look back.

use bahdanau::fixed_context::FixedContext;
use seq2seq::{Batch, Sizes, Translator};
use shared::{Tape, rng};
use tests::assert_close;

fn sizes(layers: usize) -> Sizes {
    Sizes { source_words: 9, target_words: 9, embedding: 5, hidden: 6, layers, dropout: 0.0 }
}

fn model(layers: usize) -> FixedContext {
    FixedContext::new(&sizes(layers), &mut rng(3))
}

const PAIRS: [(&[usize], &[usize]); 3] =
    [(&[3, 4, 5, 2], &[6, 2]), (&[8, 2], &[3, 4, 5, 2]), (&[5, 4, 2], &[7, 3, 2])];

#[test]
fn a_batch_is_its_sentences_and_dictating_gives_the_loss() {
    check(&model(1));
    check(&model(2));
}

fn check(model: &impl Translator) {
    let loss = |pairs: &[(&[usize], &[usize])]| {
        model.loss(&Tape::no_grad(), &Batch::new(pairs, 1)).scalar()
    };
    let alone = PAIRS.map(|pair| loss(&[pair]));
    assert_close!(loss(&PAIRS), alone.iter().sum::<f32>(), 1e-4);
    for ((source, target), loss) in PAIRS.iter().zip(alone) {
        let (mut state, mut last, mut sum) = (model.encode(&[source]), 1, 0.0);
        for &word in *target {
            sum -= model.next(&mut state, &[last]).log_probabilities[(word, 0)];
            last = word;
        }
        assert_close!(loss, sum, 1e-4);
    }
}

/// The context has the forward reader's last state above the backward reader's first.
#[test]
fn each_half_of_the_context_has_read_everything() {
    let model = model(1);
    let context = |source: &[usize]| model.encode(&[source]).context.clone();
    let whole = context(&[3, 4, 5, 2]);
    for other in [[8, 4, 5, 2], [3, 8, 5, 2], [3, 4, 8, 2]] {
        let changed = &*context(&other) - &*whole;
        assert!(changed.rows(0, 6).amax() > 1e-6, "forwards, {other:?}");
        assert!(changed.rows(6, 6).amax() > 1e-6, "backwards, {other:?}");
    }
}
