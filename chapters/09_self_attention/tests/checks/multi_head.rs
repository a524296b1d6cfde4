//! Multi-head attention against PyTorch's, and against a loop over its heads.

use scoring_functions::{AttentionMask, Sequences, attention};
use self_attention::grouped::repeat_heads;
use self_attention::{HeadSizes, MultiHead, Relative};
use shared::{Float, Linear, Matrix, Module, Param, Tape, product, rng};
use tests::golden::{self, Golden};
use tests::{assert_close, uneven};

/// A linear map with PyTorch's numbers; its weights load transposed.
fn linear(golden: &Golden, part: &str) -> Linear {
    let bias = (part != "k").then(|| Param::new(golden.matrix(&format!("b_{part}"))));
    Linear { weight: Param::new(golden.matrix(&format!("w_{part}")).transpose()), bias }
}

/// Without a bias of the keys, which PyTorch has, and which is far from 0 there.
fn layer(golden: &Golden) -> MultiHead {
    let [w_q, w_k, w_v, w_o] = ["q", "k", "v", "o"].map(|part| linear(golden, part));
    MultiHead { w_q, w_k, w_v, w_o, heads: 3, relative: Relative::None }
}

#[test]
fn outputs_weights_and_gradients_are_pytorchs() {
    let golden = golden::load("multi_head");
    let mut layer = layer(&golden);
    let [x, y, d_output] = ["x", "y", "doutput"].map(|name| golden.matrix::<Float>(name));
    assert!(golden.matrix::<Float>("b_k").amax() > 0.5, "a bias of the keys that could be seen");
    for (case, cross, mask) in [
        ("itself", false, AttentionMask::All),
        ("causal", false, AttentionMask::Causal),
        ("another", true, AttentionMask::All),
    ] {
        let of = |name: &str| golden.matrix::<Float>(&format!("{case}_{name}"));
        let tape = Tape::new();
        let tokens = tape.leaf(x.clone());
        let asked = if cross { tape.leaf(y.clone()) } else { tokens };
        let (n, m) = (tokens.shape().1, asked.shape().1);
        let sequences = Sequences::single(n, m).with(mask);
        let (output, weights) = layer.forward_with_weights(tokens, asked, &sequences);
        assert_close!(output.value(), of("output"), 1e-6, "{case}");
        let expected = of("weights"); // (m, H·n): head after head
        for head in 0..3 {
            let expected = expected.columns(head * n, n);
            assert_close!(weights.of(0, head), expected, 1e-6, "{case}, head {head}");
        }

        let gradients = output.component_mul(tape.constant(d_output.clone())).sum().backward();
        assert_close!(gradients.wrt(tokens), of("dx"), 2e-6, "{case}");
        if cross {
            assert_close!(gradients.wrt(asked), of("dy"), 2e-6, "{case}");
        }
        let names = ["w_q", "b_q", "w_k", "w_v", "b_v", "w_o", "b_o"];
        let mut names = names.iter();
        layer.for_each_parameter(|path, param| {
            let name = names.next().expect("seven parameters");
            let expected = if path.ends_with("weight") {
                of(&format!("d{name}")).transpose()
            } else {
                of(&format!("d{name}"))
            };
            let found = gradients.of(param).unwrap_or_else(|| panic!("no gradient: {path}"));
            assert!(expected.amax() > 0.01, "{case}: {path} has no influence");
            assert_close!(found, expected, 2e-6, "{case}: {path}");
        });
        assert_eq!(names.next(), None);
        // The bias that we leave out: PyTorch computes a gradient for it, and finds nothing.
        assert!(of("db_k").amax() < 1e-6, "{case}: {}", of("db_k").amax());
    }
}

/// Seven widths, no two alike: each head is the attention of its own rows, of whatever width.
#[test]
fn heads_of_general_sizes_are_a_loop_over_heads() {
    let sizes = HeadSizes { d_q: 7, d_k: 4, d_v: 5, d_o: 6, heads: 2, groups: 2, p: 3, p_v: 1 };
    let layer = MultiHead::with_sizes(&sizes, &mut rng(1));
    let [x, keys, values] = [(7, 4), (4, 8), (5, 8)].map(|(d, n)| uneven(d, n, d as f64));
    let tape = Tape::no_grad();
    let project = |w: &Linear, first: usize, count: usize, x: &Matrix| {
        tape.constant(product(&w.weight.value().rows(first, count).into_owned(), x))
    };
    let head = |i: usize| {
        let q = project(&layer.w_q, i * sizes.p, sizes.p, &x);
        let k = project(&layer.w_k, i * sizes.p, sizes.p, &keys);
        attention(q, k, project(&layer.w_v, i * sizes.p_v, sizes.p_v, &values))
    };
    let h = head(0).stack(head(1)); // (2, 4)
    let expected = product(layer.w_o.weight.value(), &*h.value());
    let all = [&x, &keys, &values].map(|x| tape.constant(x.clone()));
    let (found, weights) = layer.attend(all, &Sequences::single(4, 8));
    assert_eq!((found.shape(), weights.of(0, 1).shape()), ((6, 4), (8, 4)));
    assert_close!(found.value(), expected, 1e-5);
}

/// Grouped queries: the heads of one group ask the same keys and read the same values; with one group it is
/// multi-query attention.
#[test]
fn heads_of_a_group_share_keys_and_values() {
    for groups in [1, 2, 4] {
        let sizes = HeadSizes { groups, ..HeadSizes::usual(8, 4) };
        let mut layer = MultiHead::with_sizes(&sizes, &mut rng(4));
        layer.relative = Relative::Rope;
        assert_eq!((layer.groups(), layer.w_k.weight.value().nrows()), (groups, 2 * groups));
        let mut whole = MultiHead::new(8, 4, &mut rng(5));
        whole.relative = Relative::Rope;
        let copies = |x: &Matrix| {
            let heads: Vec<_> = (0..4).map(|head| x.rows(head * groups / 4 * 2, 2)).collect();
            Matrix::from_fn(8, x.ncols(), |i, j| heads[i / 2][(i % 2, j)])
        };
        *whole.w_k.weight.value_mut() = copies(layer.w_k.weight.value());
        *whole.w_v.weight.value_mut() = copies(layer.w_v.weight.value());
        *whole.w_q.weight.value_mut() = layer.w_q.weight.value().clone();
        *whole.w_o.weight.value_mut() = layer.w_o.weight.value().clone();
        let (tape, sequences) = (Tape::no_grad(), Sequences::new(&[0, 3, 7]));
        let x = tape.constant(uneven(8, 7, 0.0));
        let found = layer.forward(x, x, &sequences).value();
        assert_close!(found, whole.forward(x, x, &sequences).value(), 1e-6, "{groups} groups");
    }
}

#[test]
#[should_panic(expected = "3 groups for 4 heads")]
fn groups_must_divide_the_heads() {
    let tape = Tape::no_grad();
    repeat_heads(tape.constant(uneven(6, 2, 0.0)), 3, 4);
}

#[test]
#[should_panic(expected = "4 heads do not divide a width of 6")]
fn heads_must_divide_the_width() {
    MultiHead::new(6, 4, &mut rng(0));
}

/// A silenced head takes away what `W_o` makes of its values, and nothing else; then it is as before.
#[test]
fn a_silenced_head_adds_nothing() {
    let mut layer = MultiHead::new(6, 3, &mut rng(4));
    let (x, sequences) = (uneven(6, 5, 0.3), Sequences::single(5, 5));
    let run = |layer: &MultiHead| {
        let tape = Tape::no_grad();
        let x = tape.constant(x.clone());
        let (y, weights) = layer.forward_with_weights(x, x, &sequences);
        (Matrix::clone(&y.value()), weights.of(0, 1).clone())
    };
    let (whole, alpha) = run(&layer);
    let tape = Tape::no_grad();
    let v = layer.w_v.forward(tape.constant(x.clone())).value();
    let w_o = layer.w_o.weight.value().clone();
    let added = w_o.columns(2, 2) * (v.rows(2, 2) * &alpha); // W_o's columns of the middle head
    assert!(added.amax() > 0.01, "a head that can be heard");
    let before = layer.ablate(1);
    assert_close!(run(&layer).0, &whole - added, 1e-6);
    assert_eq!(run(&layer).1, alpha);
    *layer.w_o.weight.value_mut() = before;
    assert_eq!(run(&layer).0, whole);
}
