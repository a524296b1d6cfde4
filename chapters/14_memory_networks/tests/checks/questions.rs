//! The answers of `questions.md`, computed.

use memory_networks::sentences::position;
use memory_networks::{Alignment, Answers, MemoryNetwork, Order, Sizes, Stories};
use shared::{Matrix, Module, Param, Tape, rng};
use tests::questions::{answers, option};

/// Three words, one hop, tables that are unit vectors: the sentences *a b* and *b a* about *a*.
fn weights(times: bool) -> Matrix {
    let unit = || Param::new(Matrix::identity(3, 3));
    let network = MemoryNetwork {
        words: vec![unit(), unit()],
        times: if times { vec![Param::new(Matrix::identity(3, 2)), unit()] } else { vec![] },
        order: Order::Bag,
    };
    let tape = Tape::new();
    let stories = Stories::one(&[&[0, 1], &[1, 0]], &[0]);
    Matrix::clone(&network.answer(&tape, &stories, Alignment::Softmax).weights[0])
}

#[test]
fn answers_are_those_computed() {
    let network = |hops| {
        let sizes = Sizes { words: 40, memory: 10, width: 20, hops };
        MemoryNetwork::new(sizes, &mut rng(0)).parameter_count()
    };
    let more = network(3) - network(2);
    let [plain, timed] = [weights(false), weights(true)];
    let same = plain[0] == plain[1];
    assert!(timed[0] != timed[1] && position(0, 2, 0, 4) != position(1, 2, 0, 4));
    let right = [("14a", option([!same, same, false])), ("14b", more.to_string())];
    answers(env!("CARGO_MANIFEST_DIR"), &right);
}
