//! A model's numbers as PyTorch has them, measures as RecBole has them: `tests/golden/recommendation.py`.

use recommendation::{Action, Histories, Model, Question, Rank, Reader, Sequential};
use shared::{Matrix, Module, Tape, rng};
use tests::assert_close;
use tests::golden::{Golden, load};
use transformer::BlockSizes;

/// A SASRec with the file's parameters; the one kind that there is adds nothing.
fn sasrec(golden: &Golden) -> Sequential {
    let block =
        BlockSizes { d_model: 8, d_ff: 16, heads: 2, dropout: 0.0, norm: Default::default() };
    let mut model = Sequential::sasrec([9, 1, 6], 2, &block, &mut rng(0));
    model.for_each_parameter(|name, param| {
        *param.value_mut() = match name {
            "items.weight" => golden.matrix("items"),
            "kinds.weight" => Matrix::zeros(8, 1),
            "positions.weight" => golden.matrix("positions"),
            _ => golden.matrix(name),
        };
    });
    model
}

#[test]
fn states_loss_and_gradient_are_theirs() {
    let golden = load("recommendation");
    let model = sasrec(&golden);
    let Reader::Attention { .. } = &model.reader else { panic!("it attends") };
    let history = golden.indices("history").into_iter().map(|item| Action { item, kind: 0 });
    let history: Vec<Action> = history.collect();
    let histories = Histories::new(&[&history]);
    let tape = Tape::new();
    let (states, _) = model.forward(&tape, &histories);
    assert_close!(&*states.value(), golden.matrix::<f32>("states"), 1e-5);
    let (columns, next) = ((0..6).collect(), golden.indices("following"));
    let question = Question::Next { histories, columns, next };
    let model = Model::Sequential(model);
    let tape = Tape::new();
    let loss = model.loss(&tape, &question);
    assert_close!(loss.scalar(), golden.scalar::<f32>("loss"), 1e-5);
    let gradients = loss.backward();
    let Model::Sequential(model) = &model else { unreachable!() };
    let d_items = gradients.of(&model.items.weight).unwrap();
    assert_close!(d_items, golden.matrix::<f32>("d_items"), 2e-5);
}

#[test]
fn hit_rate_and_ndcg_are_theirs() {
    let golden = load("recommendation");
    let (hits, gains) = (golden.values::<f64>("hit"), golden.values::<f64>("ndcg"));
    for ((above, hit), gain) in golden.indices("above").into_iter().zip(hits).zip(gains) {
        let rank = Rank { above, equal: 0 };
        assert_close!(rank.hit(10), hit, 1e-12);
        assert_close!(rank.ndcg(10), gain, 1e-12);
    }
}
