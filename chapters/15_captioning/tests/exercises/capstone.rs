//! 15.9, the capstone: the reader's functions read pictures, and measure where a query looks.

use super::neighbourhood::Neighbourhood;
use super::pointing::Pointing;
use bahdanau::attention::{contexts, softmax_in_segments};
use captioning::world::{Colour, PLACES, Pairs, SIDE, Scene, Shape};
use scoring_functions::Sequences;
use shared::{Adam, Linear, Matrix, Module, Optimizer, Param, Rng, Tape, Var, Vector};
use shared::{Visitor, cross_entropy, rng};
use tests::exercises::must_learn;

tests::parts! {
    1 neighbourhood: Neighbourhood = [|x, _, _, _| Vector::zeros(9 * x.nrows())],
    5 pointing: Pointing,
}

/// Places of a picture.
const N: usize = PLACES * PLACES;

fn check(parts: Parts) {
    let yours = run(parts);
    let told = |of: &[f32; 2]| {
        let [right, share] = of.map(|share| 100.0 * share);
        format!("{right:.0} % of colours right, {share:.0} % of the weight on the ring")
    };
    must_learn(yours[0] > 0.5, yours, || run(SOLVED), told);
}

/// Two or three things, of which one is a ring.
fn with_a_ring(rng: &mut Rng) -> Scene {
    let scene = Scene::new(2..=3, Pairs::Known, rng);
    let rings = scene.things.iter().filter(|thing| thing.shape == Shape::Ring).count();
    if rings == 1 { scene } else { with_a_ring(rng) }
}

/// The four quarters of every place, (12, 64): red, green and blue of each, between −1 and 1.
fn small(scene: &Scene) -> Matrix {
    Matrix::from_fn(12, N, |i, place| {
        let (quarter, channel) = (i / 3, i % 3);
        let (y, x) = (place / PLACES * 4 + quarter / 2 * 2, place % PLACES * 4 + quarter % 2 * 2);
        let pixels = [0, 1, SIDE, SIDE + 1].map(|more| scene.picture[y * SIDE + x + more][channel]);
        pixels.map(f32::from).iter().sum::<f32>() / 510.0 - 1.0
    })
}

/// Two layers on the reader's neighbourhoods and that of the colours; one query.
struct Finder([Linear; 3], Param);

impl Module for Finder {
    fn visit(&mut self, visitor: &mut Visitor) {
        for (name, layer) in ["first", "second", "output"].into_iter().zip(&mut self.0) {
            visitor.module(name, layer);
        }
        visitor.param("query", &mut self.1);
    }
}

impl Finder {
    /// Logits of the colours (6, b), and the weights (1, 64·b).
    fn forward<'t>(&self, parts: Parts, tape: &'t Tape, scenes: &[Scene]) -> (Var<'t>, Var<'t>) {
        let mut columns = Vec::new();
        for x in scenes.iter().map(small) {
            for i in 0..N {
                let nine = (parts.neighbourhood)(&x, PLACES, i / PLACES, i % PLACES);
                columns.extend_from_slice(nine.as_slice());
            }
        }
        let x = tape.constant(Matrix::from_vec(108, N * scenes.len(), columns));
        let Finder([first, second, output], query) = self;
        let values = second.forward(first.forward(x).relu()).relu();
        let sequences = Sequences::per_query((0..scenes.len()).map(|j| j * N..(j + 1) * N));
        let weights = softmax_in_segments(tape.param(query).tr_mul(values), &sequences);
        (output.forward(contexts(values, weights, &sequences)), weights)
    }
}

/// Which of the things is the ring, and its colour.
fn ring(scene: &Scene) -> (usize, usize) {
    let thing = scene.things.iter().position(|thing| thing.shape == Shape::Ring).expect("a ring");
    let colour = Colour::ALL.iter().position(|colour| *colour == scene.things[thing].colour);
    (thing, colour.expect("a colour"))
}

/// Trains, then: the share of colours that are right, and of the weight on the ring.
fn run(parts: Parts) -> [f32; 2] {
    let rng = &mut rng(0);
    let sizes = [(108, 32), (32, 32), (32, Colour::ALL.len())];
    let layers = sizes.map(|(inputs, outputs)| Linear::new(inputs, outputs, rng));
    let mut model = Finder(layers, Param::new(Matrix::zeros(32, 1)));
    let mut adam = Adam::new(0.005);
    for _ in 0..400 {
        let scenes: Vec<Scene> = (0..16).map(|_| with_a_ring(rng)).collect();
        let colours: Vec<usize> = scenes.iter().map(|scene| ring(scene).1).collect();
        let tape = Tape::new();
        let loss = cross_entropy(model.forward(parts, &tape, &scenes).0, &colours) * (1.0 / 16.0);
        adam.step(&mut model, &loss.backward().into());
    }
    let scenes: Vec<Scene> = (0..200).map(|_| with_a_ring(rng)).collect();
    let tape = Tape::no_grad();
    let (logits, weights) = model.forward(parts, &tape, &scenes);
    let (logits, weights) = (logits.value(), weights.value());
    let (mut right, mut share) = (0.0, 0.0);
    for (j, scene) in scenes.iter().enumerate() {
        let (thing, colour) = ring(scene);
        right += f32::from(logits.column(j).imax() == colour);
        let weights = &weights.as_slice()[j * N..(j + 1) * N];
        share += (parts.pointing)(weights, &scene.shown, SIDE, thing);
    }
    [right, share].map(|sum| sum / scenes.len() as f32)
}
