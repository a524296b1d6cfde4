//! Both networks against PyTorch: `tests/golden/memory_networks.py`.

use memory_networks::{Alignment, Answers, KeyValue, MemoryNetwork, Order, Stories};
use shared::{Linear, Matrix, Module, Param, Ragged, Tape, cross_entropy};
use tests::assert_close;
use tests::golden::{Golden, load};

const ANSWERS: [usize; 3] = [5, 0, 4];

fn stories(values: bool) -> Stories {
    let sentences: [&[usize]; 6] =
        [&[0, 1, 2], &[3, 1, 4, 5], &[6, 7], &[2, 1, 0], &[8, 8, 3], &[4]];
    let held: [&[usize]; 6] = [&[2], &[5], &[7], &[0], &[3], &[4]];
    Stories {
        sentences: Ragged::new(&sentences),
        values: values.then(|| Ragged::new(&held)),
        offsets: vec![0, 2, 5, 6],
        questions: Ragged::new(&[&[1, 2], &[6, 0, 5], &[4, 8]]),
    }
}

fn param(golden: &Golden, name: &str) -> Param {
    Param::new(golden.matrix(name))
}

/// Logits, weights of both hops, loss and the gradient of every parameter.
fn compare(
    golden: &Golden,
    name: &str,
    model: &mut (impl Answers + Module),
    (stories, alignment): (&Stories, Alignment),
    gradients: &[(&str, String, bool)],
) {
    let tape = Tape::new();
    let answered = model.answer(&tape, stories, alignment);
    assert_close!(&*answered.logits.value(), golden.matrix::<f32>(&format!("{name}_logits")), 1e-4);
    let weights = golden.matrix::<f32>(&format!("{name}_weights"));
    for (hop, found) in answered.weights.iter().enumerate() {
        assert_close!(&found.transpose(), weights.columns(hop, 1).into_owned(), 1e-4);
    }
    let loss = cross_entropy(answered.logits, &ANSWERS);
    assert_close!(loss.scalar(), golden.scalar::<f32>(&format!("{name}_loss")), 1e-4);
    let found = loss.backward();
    let mut seen = 0;
    model.for_each_parameter(|ours, param| {
        let (_, theirs, turned) = gradients.iter().find(|(name, ..)| *name == ours).expect(ours);
        let mut expected: Matrix = golden.matrix(theirs);
        if *turned {
            expected = expected.transpose();
        }
        assert_close!(found.of(param).expect(ours).clone(), expected, 1e-4, "{ours}");
        seen += 1;
    });
    assert_eq!(seen, gradients.len());
}

#[test]
fn an_end_to_end_network_is_pytorchs_with_softmax_and_without() {
    let golden = load("memory_networks");
    let tables = |kind: &str| (0..3).map(|k| param(&golden, &format!("{kind}_{k}"))).collect();
    let mut network =
        MemoryNetwork { words: tables("words"), times: tables("times"), order: Order::Positions };
    for (name, alignment) in [("softmax", Alignment::Softmax), ("linear", Alignment::Linear)] {
        let names = ["words.0", "words.1", "words.2", "times.0", "times.1", "times.2"];
        let gradients =
            names.map(|ours| (ours, format!("{name}_{}", ours.replace('.', "_")), false));
        compare(&golden, name, &mut network, (&stories(false), alignment), &gradients);
    }
}

#[test]
fn a_key_value_network_is_pytorchs() {
    let golden = load("memory_networks");
    let update = |k: usize| {
        let matrix: Matrix = golden.matrix(&format!("kv_update_{k}"));
        Linear { weight: Param::new(matrix.transpose()), bias: None } // PyTorch's are (outputs, inputs)
    };
    let mut network = KeyValue {
        words: param(&golden, "kv_table"),
        updates: vec![update(0), update(1)],
        answers: param(&golden, "kv_answers"),
        order: Order::Bag,
    };
    let gradients = [
        ("words", "kv_table_gradient".to_owned(), false),
        ("updates.0.weight", "kv_update_0_gradient".to_owned(), true),
        ("updates.1.weight", "kv_update_1_gradient".to_owned(), true),
        ("answers", "kv_answers_gradient".to_owned(), false),
    ];
    compare(&golden, "kv", &mut network, (&stories(true), Alignment::Softmax), &gradients);
}
