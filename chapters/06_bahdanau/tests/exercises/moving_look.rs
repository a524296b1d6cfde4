//! 6.6: another sentence's words.

use seq2seq::{Batch, Packed};
use shared::Matrix;
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

type Memory = fn(&Matrix, &Packed) -> Matrix;

pub fn exercise() -> Exercise<Memory> {
    Exercise {
        number: 6,
        title: "spot the bug: another sentence's words",
        kind: Kind::SpotTheBug,
        difficulty: 2,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: ORIGINAL_BUG,
                hint: "in the order of the sources",
                answer: in_the_sources_order,
            },
            Wrong {
                name: "left as it was packed",
                hint: "still packed step by step",
                answer: |states, _| states.clone(),
            },
            Wrong {
                name: "from the sources to the targets",
                hint: "the other way round",
                answer: the_other_way_round,
            },
            Wrong {
                name: "sentences in order, their words back to front",
                hint: "",
                answer: |states, batch| {
                    let mut order = batch.annotations.clone();
                    batch.offsets.windows(2).for_each(|w| order[w[0]..w[1]].reverse());
                    states.select_columns(&order)
                },
            },
        ],
    }
}

fn check(memory: Memory) {
    // By source length 1, 2, 3, 4 (the first digit of their words), by target length 2, 4, 1, 3.
    let pairs: [(&[usize], &[usize]); 4] = [
        (&[31, 32, 2], &[5, 2]),
        (&[11, 12, 13, 14, 2], &[5, 6, 2]),
        (&[41, 2], &[5, 6, 7, 2]),
        (&[21, 22, 23, 2], &[5, 6, 7, 8, 2]),
    ];
    let batch = Packed::new(&Batch::new(&pairs, 1));
    // An "annotation" that names its word and its sentence.
    let mut states = Matrix::zeros(2, batch.source.len());
    for (j, length) in batch.source_steps.lengths().iter().enumerate() {
        for column in (0..*length).map(|t| batch.source_steps.column(j, t)) {
            states[(0, column)] = batch.source[column] as f32;
            states[(1, column)] = (j + 1) as f32;
        }
    }
    let found = memory(&states, &batch);
    let expected = [
        [21.0, 22.0, 23.0, 2.0, 41.0, 2.0, 11.0, 12.0, 13.0, 14.0, 2.0, 31.0, 32.0, 2.0],
        [2.0, 2.0, 2.0, 2.0, 4.0, 4.0, 1.0, 1.0, 1.0, 1.0, 1.0, 3.0, 3.0, 3.0],
    ];
    expect(found, expected, 1e-6)
        .of("memory(states, batch), the decoder's sentences 21 …, 41 …, 11 …, 31 …,")
        .or_hint(
            in_the_sources_order(&states, &batch),
            "whole sentences, but in the order of the sources: the decoder counts by the length of the targets",
        )
        .or_hint(
            the_other_way_round(&states, &batch),
            "the other way round: for the decoder's first sentence, its place among the sources",
        )
        .or_hint(states, "still packed step by step")
        .check();
}

fn in_the_sources_order(states: &Matrix, batch: &Packed) -> Matrix {
    states.select_columns(&batch.source_steps.by_sequence())
}

/// For each source, its place among the targets: the inverse of what is needed.
fn the_other_way_round(states: &Matrix, batch: &Packed) -> Matrix {
    let mut place = vec![0; batch.sentences()];
    batch.source_of.iter().enumerate().for_each(|(j, source)| place[*source] = j);
    let (steps, lengths) = (&batch.source_steps, batch.source_steps.lengths());
    let words = |j: &usize| (0..lengths[*j]).map(|t| steps.column(*j, t)).collect::<Vec<_>>();
    let columns: Vec<usize> = place.iter().flat_map(words).collect();
    states.select_columns(&columns)
}
