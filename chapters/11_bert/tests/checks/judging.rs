//! What is counted of masked tokens and of pairs.

use bert::program::Held;
use bert::{Config, Examples, Pretraining, Rungs, Special, Tokens};
use shared::{Float, Tape, rng};

const SPECIAL: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };

/// The lead of *does not follow* over *follows* for each pair.
fn leads(model: &Pretraining, tokens: &Tokens) -> Vec<Float> {
    let tape = Tape::no_grad();
    let (h, _) = model.bert.forward(&tape, tokens);
    let logits = model.next_logits(h, tokens).value();
    logits.column_iter().map(|logits| logits[1] - logits[0]).collect()
}

/// Four pairs with a masked token each, and a bias between what the model says of the first with its
/// mask and without: what is counted is what it says of the one and of the other, class by class.
#[test]
fn pairs_are_told_with_masks_and_without_and_by_class() {
    let sizes = Config { vocabulary: 12, width: 8, feed_forward: 12, heads: 2, ..Config::BASE };
    let config = Config { blocks: 2, longest: 8, deviation: 0.5, dropout: 0.0, ..sizes };
    let mut model = Pretraining::new(&config, &mut rng(1));
    let pairs = |first: fn(usize) -> usize| -> Tokens {
        let pairs = [0, 1, 2, 3].map(|i| Tokens::of(&[first(i), 9], Some(&[10 - i]), &SPECIAL));
        Tokens::side_by_side(&pairs)
    };
    let (whole, masks) = (pairs(|i| 5 + i), pairs(|_| SPECIAL.mask));
    let middle = (leads(&model, &whole)[0] + leads(&model, &masks)[0]) / 2.0;
    model.next.as_mut().unwrap().bias.as_mut().unwrap().value_mut()[1] -= middle;
    let said = [&masks, &whole].map(|tokens| {
        leads(&model, tokens).iter().map(|lead| usize::from(*lead > 0.0)).collect::<Vec<_>>()
    });
    assert_ne!(said[0][0], said[1][0], "or nothing was tested");
    for follows in [[0, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]] {
        let part = Examples {
            tokens: masks.clone(),
            masked: masks.pieces.offsets[..4].iter().map(|first| first + 1).collect(),
            originals: vec![5, 6, 7, 8],
            follows: follows.to_vec(),
        };
        let rungs = Rungs { uniform: 0.0, unigram: 0.0, bigram: 0.0 };
        let scores = Held { parts: vec![part], rungs, in_common: 0.0 }.judge(&model);
        let share = |said: &[usize], classes: &[usize]| {
            let of = said.iter().zip(&follows).filter(|(_, class)| classes.contains(class));
            let right: Vec<bool> = of.map(|(said, class)| said == class).collect();
            let count = right.iter().filter(|right| **right).count() as f64;
            (!right.is_empty()).then(|| count / right.len() as f64)
        };
        let both = follows.contains(&0) && follows.contains(&1);
        assert_eq!(scores.has_both_kinds(), both);
        assert_eq!(scores.next_accuracy.is_nan(), !both);
        assert!(!both || Some(scores.next_accuracy) == share(&said[0], &[0, 1]));
        assert!(!both || Some(scores.whole_accuracy) == share(&said[1], &[0, 1]));
        assert_eq!(scores.follow_accuracy, share(&said[0], &[0]));
        assert_eq!(scores.other_accuracy, share(&said[0], &[1]));
        assert_eq!((scores.pairs, scores.pieces), (4, 4));
    }
}
