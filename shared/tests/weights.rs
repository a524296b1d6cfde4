//! What a training step copies of weights: the switch of precisions is one for a process, so this is one test in a
//! program of its own.

use shared::{
    Adam, Linear, Matrix, Module, Optimizer, Precision, Tape, Visitor, copied, loss_and_gradients,
    prepacked, rng, squared_error,
};

const IN: usize = 64;
const HIDDEN: usize = 96;
const TOKENS: usize = 32;

struct Mlp {
    hidden: Linear,
    output: Linear,
}

impl Module for Mlp {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("hidden", &mut self.hidden);
        visitor.module("output", &mut self.output);
    }
}

impl Mlp {
    fn new() -> Mlp {
        let rng = &mut rng(0);
        Mlp { hidden: Linear::new(IN, HIDDEN, rng), output: Linear::new(HIDDEN, IN, rng) }
    }

    /// One step on two shards, on so many threads.
    fn step(&mut self, adam: &mut Adam, threads: usize) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let shards = [3, 5].map(|seed| {
                Matrix::from_fn(IN, TOKENS, |i, j| ((i * seed + j * 7) % 11) as f32 / 11.0)
            });
            let (_, gradients) = loss_and_gradients(&shards, |tape, x| {
                let h = self.hidden.forward(tape.constant(x.clone())).tanh();
                squared_error(self.output.forward(h), x)
            });
            adam.step(self, &gradients);
        });
    }

    fn numbers(&mut self) -> Vec<f32> {
        let mut numbers = Vec::new();
        self.for_each_parameter(|_, param| numbers.extend_from_slice(param.value().as_slice()));
        numbers
    }
}

/// Bytes that `f` copies.
fn copied_by(f: impl FnOnce()) -> usize {
    let before = copied();
    f();
    (copied() - before) as usize
}

#[test]
fn every_weight_is_copied_once_a_step_for_each_direction() {
    if !Precision::Bf16.is_supported() {
        eprintln!("not tested: this processor has no AVX-512 BF16");
        return;
    }
    Precision::Bf16.begin();
    // Every size is a multiple of 32, hence of all panels but those of 12 columns, and none is small.
    let [one, two] = [1, 2].map(|threads| {
        let (mut mlp, mut adam) = (Mlp::new(), Adam::new(0.01));
        let steps = [(); 3].map(|()| copied_by(|| mlp.step(&mut adam, threads)));
        (mlp.numbers(), steps)
    });
    assert!(one.0 == two.0, "the same numbers on any number of threads");
    assert_eq!(one.1, two.1, "the same copies on any number of threads");
    // Of the hidden layer's weight the transpose is not needed: nobody asks for the gradient of the input.
    let weights = 2 * (IN * HIDDEN + 2 * IN * HIDDEN);
    let left = |rows: usize, inner: usize| 2 * rows * inner;
    let right = |inner: usize, columns: usize| 2 * inner * columns.next_multiple_of(12);
    let inputs = right(IN, TOKENS) + right(HIDDEN, TOKENS);
    let errors = right(IN, TOKENS); // times the transposed weight of the output
    let gradients =
        left(IN, TOKENS) + right(TOKENS, HIDDEN) + left(HIDDEN, TOKENS) + right(TOKENS, IN);
    let [first, later, last] = one.1;
    assert_eq!([later, last], [weights + 2 * (inputs + errors + gradients); 2]);
    // Before the first step nothing is kept; behind each step copies are made for the next one.
    assert_eq!(first, later + weights);
    assert_eq!(prepacked(), 0, "the models are gone");
    // A model that learns nothing copies once in its life.
    let model = Mlp::new();
    let [once, again] = [(); 2].map(|()| {
        copied_by(|| {
            let tape = Tape::no_grad();
            model.hidden.forward(tape.constant(Matrix::from_element(IN, TOKENS, 1.0)));
        })
    });
    assert_eq!(once - again, 2 * IN * HIDDEN);
    assert_eq!(prepacked(), 2 * IN * HIDDEN);
}
