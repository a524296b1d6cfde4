//! 12.3: what has a gradient? The check asks a model.

use bert::{Bert, Config, Special, Tokens};
use fine_tuning::{Asks, Classifier, Questions, read_words};
use shared::{Matrix, Module, Param, Tape, rng};
use tests::exercises::{Exercise, Kind, Wrong};

type Table = [[bool; 3]; 6];
type HaveGradients = fn() -> Table;

pub fn exercise() -> Exercise<HaveGradients> {
    Exercise {
        number: 3,
        title: "what has a gradient?",
        kind: Kind::Predict,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "keys' biases are like others",
                hint: "a softmax does not see",
                answer: || with(3, [true, false, true]),
            },
            Wrong {
                name: "the whole table moves",
                hint: "is not read",
                answer: || with(1, [true, false, true]),
            },
            Wrong {
                name: "a frozen encoder still passes a gradient to its table",
                hint: "constant",
                answer: || with(0, [true, true, true]),
            },
            Wrong {
                name: "the pooler is part of the new layer",
                hint: "pre-trained too",
                answer: || with(4, [true, true, false]),
            },
            Wrong {
                name: "tags go through the pooler",
                hint: "pre-trained too",
                answer: || with(4, [true, false, true]),
            },
            Wrong {
                name: "frozen means that nothing is learnt",
                hint: "the new layer",
                answer: || with(5, [true, false, true]),
            },
        ],
    }
}

fn with(row: usize, answer: [bool; 3]) -> Table {
    crate::support::with(crate::solutions::have_gradients(), row, answer)
}

const SPECIAL: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };
const READ: usize = 6;
const UNREAD: usize = 8;

fn check(have_gradients: HaveGradients) {
    let columns = [(Asks::Sequences, false), (Asks::Sequences, true), (Asks::Words, false)];
    let found = columns.map(|(asks, frozen)| measured(asks, frozen));
    let right: Table = std::array::from_fn(|row| found.map(|column| column[row]));
    crate::support::check_answers(
        have_gradients(),
        right,
        [
            "what is read has one – but to a frozen encoder's tape all of it is a constant",
            "a column that is not read has no influence: the table is not the output as well, as it is in pre-training",
            "the new layer's gradient goes down through the values, unless the encoder is a constant",
            "it adds the same to all scores of a query, and a softmax does not see that",
            "the pooler stands between [CLS] and the new layer; it is pre-trained too, and frozen with the rest",
            "the new layer is what is always learnt",
        ],
    );
}

/// Which of the rows have a gradient.
fn measured(asks: Asks, frozen: bool) -> [bool; 6] {
    let config = Config {
        vocabulary: 9,
        width: 8,
        feed_forward: 6,
        heads: 2,
        blocks: 2,
        longest: 8,
        dropout: 0.0,
        ..Config::BASE
    };
    let mut model = Classifier::new(Bert::new(&config, &mut rng(0)), &config, asks, 3, &mut rng(1));
    let mut phase = 0.0;
    model.for_each_parameter(|_, param| {
        let (rows, columns) = param.value().shape();
        phase += 0.7;
        *param.value_mut() += Matrix::from_fn(rows, columns, |i, j| {
            0.4 * (1.3 * i as f32 + 2.1 * j as f32 + phase).sin()
        });
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
    let of = |param: &Param| gradients.of(param).cloned();
    let large = |x: Option<f32>| x.is_some_and(|x| x > 1e-5);
    let table = of(&model.bert.embeddings.words.weight);
    let column = |piece: usize| table.as_ref().map(|table| table.column(piece).amax());
    let last = &model.bert.blocks[1].attention;
    let bias = |layer: &shared::Linear| layer.bias.as_ref().and_then(of).map(|d| d.amax());
    [
        large(column(READ)),
        large(column(UNREAD)),
        large(of(&last.w_v.weight).map(|d| d.amax())),
        large(bias(&last.w_k)),
        large(model.bert.pooler.as_ref().and_then(|pooler| of(&pooler.weight)).map(|d| d.amax())),
        large(bias(&model.classifier)),
    ]
}
