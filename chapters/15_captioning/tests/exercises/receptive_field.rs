//! 15.2: how much a unit sees.

use tests::exercises::{Exercise, wrong};
use tests::expect;

type ReceptiveField = fn(&[(usize, usize)]) -> usize;

pub const EXERCISE: Exercise<ReceptiveField> = Exercise {
    check,
    wrong: &[
        wrong("neighbourhoods overlap: a layer adds to what is seen", |layers| {
            layers.iter().map(|layer| layer.0).product()
        }),
        wrong("units of a layer above a stride of 2 are two pixels apart", |layers| {
            1 + layers.iter().map(|layer| layer.0 - 1).sum::<usize>()
        }),
        wrong(
            "a layer's own stride moves the units of the layers above it, not what it sees itself",
            |layers| {
                let (mut sees, mut apart) = (1, 1);
                for (width, stride) in layers {
                    apart *= stride;
                    sees += (width - 1) * apart;
                }
                sees
            },
        ),
        wrong("strides multiply from layer to layer", |layers| {
            let before = [&[(1, 1)], layers].concat();
            1 + layers
                .iter()
                .zip(before)
                .map(|(layer, below)| (layer.0 - 1) * below.1)
                .sum::<usize>()
        }),
    ],
};

fn check(receptive_field: ReceptiveField) {
    let cases: [(&str, &[(usize, usize)]); 8] = [
        ("a single unit of one layer: what is its width?", &[(3, 2)]),
        ("neighbouring units are a pixel apart here", &[(3, 1), (5, 1)]),
        (
            "the units of the first layer are 2 pixels apart, those of the second 4",
            &[(3, 2), (3, 2), (3, 1)],
        ),
        ("widths and strides of all sizes", &[(5, 1), (3, 3), (2, 2), (3, 1)]),
        ("a stride above the width leaves pixels out", &[(1, 2), (3, 1)]),
        ("wide layers", &[(7, 4), (7, 4), (3, 2)]),
        ("the last layer is as good as none", &[(4, 3), (1, 1)]),
        ("there is no layer", &[]),
    ];
    for (hint, layers) in cases {
        let right = seen(layers, 0..1);
        expect(receptive_field(layers) as f32, right as f32, 0.0)
            .of(format!("receptive_field(&{layers:?})"))
            .hint(hint)
            .check();
    }
}

/// Walks down from a unit, layer by layer: which units of the layer below does it see?
fn seen(layers: &[(usize, usize)], units: std::ops::Range<usize>) -> usize {
    match layers.split_last() {
        None => units.len(),
        Some(((width, stride), below)) => {
            seen(below, units.start * stride..(units.end - 1) * stride + width)
        }
    }
}
