//! The whole model against PyTorch.

use captioning::{Attention, Captioner, Config, word_of};
use seq2seq::{BEGIN, Batch, Translator};
use shared::{Matrix, Module, Tape, rng};
use tests::{assert_close, golden};

fn model(g: &golden::Golden) -> Captioner {
    let config = Config {
        channels: [4, 5, 6],
        embedding: 4,
        hidden: 5,
        score: 3,
        even: 0.5,
        ..Config::new(7)
    };
    let mut model = Captioner::new(&config, &mut rng(0));
    model.for_each_parameter(|name, param| {
        let name = name.replace(".linear", "");
        let value = ours(g, &name, param.value().shape());
        *param.value_mut() = value;
    });
    model
}

/// PyTorch's weights are (outputs, inputs), which a golden file loads turned round; its vectors load as columns,
/// and our table of words has a column a word.
fn ours(g: &golden::Golden, name: &str, shape: (usize, usize)) -> Matrix {
    let value: Matrix = g.matrix(name);
    if value.shape() == shape && value.ncols() == 1 { value } else { value.transpose() }
}

#[test]
fn loss_weights_and_all_gradients_equal_pytorch() {
    let g = golden::load("captioning");
    let mut model = model(&g);
    let pixels: Matrix = g.matrix("pictures"); // (3, 2·1024)
    let word = |pixel: usize| word_of([0, 1, 2].map(|c| pixels[(c, pixel)] as u8));
    let [first, second] =
        [0, 1024].map(|start| (start..start + 1024).map(word).collect::<Vec<_>>());
    let batch = Batch::new(&[(&first, &[3, 5, 2]), (&second, &[6, 2])], BEGIN);

    let tape = Tape::new();
    let loss = model.training_loss(&tape, &batch);
    let expected: Matrix = g.matrix("loss");
    assert_close!(loss.scalar(), expected[0], 1e-5);
    let gradients = loss.backward();
    model.for_each_parameter(|name, param| {
        let expected =
            ours(&g, &format!("d {}", name.replace(".linear", "")), param.value().shape());
        assert_close!(gradients.of(param).unwrap(), &expected, 2e-4, "{name}");
    });

    let weights: Matrix = g.matrix("weights"); // (64, 5): the words of the first caption, then of the second
    for (picture, words, first) in [(&first, &[BEGIN, 3, 5][..], 0), (&second, &[BEGIN, 6], 3)] {
        let mut state = model.encode(&[picture]);
        for (i, word) in words.iter().enumerate() {
            let found = model.next(&mut state, &[*word]).alignments.remove(0);
            assert_close!(
                Matrix::from_vec(64, 1, found),
                weights.columns(first + i, 1).into_owned(),
                1e-5
            );
        }
    }
    assert_eq!(model.attention, Attention::Soft);
}
