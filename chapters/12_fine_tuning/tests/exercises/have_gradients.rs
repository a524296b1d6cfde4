//! 12.3: what has a gradient? The check asks a model.

use super::solutions;
use bert::{Bert, Config, Special, Tokens};
use fine_tuning::{Asks, Classifier, Questions, read_words};
use shared::{Linear, Matrix, Module, Param, Tape, rng};
use tests::exercises::{Exercise, check_answers, unhinted, with};
use tests::uneven;

type HaveGradients = fn() -> [[bool; 3]; 6];

pub const EXERCISE: Exercise<HaveGradients> = Exercise {
    check,
    wrong: &[
        unhinted("a frozen encoder passes a gradient on", || but(0, [true; 3])),
        unhinted("the whole table moves", || but(1, [true, false, true])),
        unhinted("keys' biases are like others", || but(3, [true, false, true])),
        unhinted("the pooler is part of the new layer", || but(4, [true, true, false])),
        unhinted("frozen means that nothing is learnt", || but(5, [true, false, true])),
    ],
};

fn but(row: usize, said: [bool; 3]) -> [[bool; 3]; 6] {
    with(solutions::have_gradients(), row, said)
}

const WHY: [&str; 6] = [
    "what is read has one – but to a frozen encoder's tape all of it is a constant",
    "a column that is not read has no influence: the table is not the output as well, as it is in pre-training",
    "the new layer's gradient goes down through the values, unless the encoder is a constant",
    "it adds the same to all scores of a query, and a softmax does not see that",
    "the pooler stands between [CLS] and the new layer; it is pre-trained too, and frozen with the rest",
    "the new layer is what is always learnt",
];

const SPECIAL: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };
const READ: usize = 6;
const UNREAD: usize = 8;

fn check(have_gradients: HaveGradients) {
    let columns = [(Asks::Sequences, false), (Asks::Sequences, true), (Asks::Words, false)];
    let found = columns.map(|(asks, frozen)| measured(asks, frozen));
    let right = std::array::from_fn(|row| found.map(|column| column[row]));
    check_answers(have_gradients(), right, WHY);
}

/// Which of the rows have a gradient.
fn measured(asks: Asks, frozen: bool) -> [bool; 6] {
    let sizes = Config { vocabulary: 9, width: 8, feed_forward: 6, longest: 8, ..Config::BASE };
    let config = Config { heads: 2, blocks: 2, dropout: 0.0, ..sizes };
    let mut model = Classifier::new(Bert::new(&config, &mut rng(0)), &config, asks, 3, &mut rng(1));
    let mut phase = 0.0;
    model.for_each_parameter(|_, param| {
        let (rows, columns) = param.value().shape();
        phase += 0.7;
        *param.value_mut() += uneven(rows, columns, phase) * 0.2;
    });
    model.freeze_encoder(frozen);
    let questions = match asks {
        Asks::Sequences => {
            let texts = [&[5, READ][..], &[7]].map(|text| Tokens::of(text, None, &SPECIAL));
            Questions::of_sequences(Tokens::side_by_side(&texts), vec![2, 0])
        }
        Asks::Words => read_words(&[vec![5], vec![READ, 7]], vec![2, 0], &SPECIAL),
    };
    let gradients = model.loss(&Tape::new(), &questions).backward();
    let of = |param: &Param| gradients.of(param).map_or(Matrix::zeros(1, 9), Matrix::clone);
    let bias = |layer: &Linear| layer.bias.as_ref().map_or(0.0, |bias| of(bias).amax());
    let table = of(&model.bert.embeddings.words.weight);
    let last = &model.bert.blocks[1].attention;
    [
        table.column(READ).amax(),
        table.column(UNREAD).amax(),
        of(&last.w_v.weight).amax(),
        bias(&last.w_k),
        model.bert.pooler.as_ref().map_or(0.0, |pooler| of(&pooler.weight).amax()),
        bias(&model.classifier),
    ]
    .map(|largest| largest > 1e-5)
}
