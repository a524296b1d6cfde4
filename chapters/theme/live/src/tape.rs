//! The appendix's tape: two expressions, and every share of a gradient in the order in which it is handed back.

use shared::{Float, Matrix, Tape, Var, squared_error};
use std::cell::RefCell;
use std::rc::Rc;

/// An expression – 0: w goes into two nodes, 1: the loss with two neighbours – and w → how many nodes there are; for
/// each how many numbers it has, and these; then for each share the node that hands it back, the one that receives
/// it, as many numbers as that has, and as many again: what it has received so far.
///
/// ```
/// // w = 3, a = 2w, L = a·w. L hands 3 to a, 6 to w; a hands 6 to w.
/// let answer = live::tape(&[0.0, 3.0]);
/// assert_eq!(answer[..7], [3.0, 1.0, 3.0, 1.0, 6.0, 1.0, 18.0]);
/// assert_eq!(answer[answer.len() - 4..], [1.0, 0.0, 6.0, 12.0]);
/// ```
pub fn tape(numbers: &[Float]) -> Vec<Float> {
    let [expression, w] = *numbers else { panic!("two numbers") };
    let tape = Tape::new();
    let w = tape.leaf(Matrix::from_element(1, 1, w));
    let watch = Watch::default();
    let nodes = if expression == 0.0 { twice(w, &watch) } else { neighbours(w, &watch) };
    let mut answer = vec![nodes.len() as Float];
    for node in &nodes {
        let value = node.value();
        answer.push(value.len() as Float);
        answer.extend(value.iter());
    }
    nodes[nodes.len() - 1].backward();
    let mut received: Vec<Option<Matrix>> = vec![None; nodes.len()];
    for (from, to, share) in watch.0.take() {
        let sum = received[to].take().map_or(share.clone(), |before| before + &share);
        answer.extend([from as Float, to as Float]);
        answer.extend(share.iter().chain(&sum));
        received[to] = Some(sum);
    }
    answer
}

/// Sees every share pass.
#[derive(Clone, Default)]
struct Watch(Rc<RefCell<Vec<(usize, usize, Matrix)>>>);

impl Watch {
    /// A node, as another is made of it: what that one hands back is noted.
    fn on<'t>(&self, (to, node): (usize, Var<'t>), from: usize) -> Var<'t> {
        let seen = self.0.clone();
        node.tape().push([node], node.value(), move |share, [id], gradients| {
            seen.borrow_mut().push((from, to, share.clone()));
            gradients.add(id, share);
        })
    }
}

/// L = a·w with a = 2w.
fn twice<'t>(w: Var<'t>, watch: &Watch) -> Vec<Var<'t>> {
    let a = watch.on((0, w), 1) * 2.0;
    let (right, left) = (watch.on((0, w), 2), watch.on((1, a), 2));
    vec![w, a, left.component_mul(right)]
}

/// Chapter 2's graph, as its page writes it.
fn neighbours<'t>(w: Var<'t>, watch: &Watch) -> Vec<Var<'t>> {
    let tape = w.tape();
    let u = tape.constant(Matrix::from_row_slice(1, 2, &[1.0, 2.0])); // distances
    let y = tape.constant(Matrix::from_row_slice(1, 2, &[3.0, 1.0])); // values
    let mut nodes = vec![w, u, y];
    let operations: [&dyn Fn(Var<'t>) -> Var<'t>; 7] = [
        &|w| w * u,
        &|wu| wu.square(),
        &|square| square.transpose(),
        &|column| column * -0.5,
        &|s| s.softmax(),
        &|alpha| y * alpha,
        &|f| squared_error(f, &Matrix::from_element(1, 1, 2.0)),
    ];
    let mut last = 0;
    for operation in operations {
        let next = nodes.len();
        nodes.push(operation(watch.on((last, nodes[last]), next)));
        last = next;
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::tape;

    fn last(w: [f32; 2]) -> f32 {
        *tape(&w).last().expect("numbers")
    }

    #[test]
    fn w_receives_the_derivative() {
        for w in [-1.5, 0.5, 3.0] {
            assert_eq!(last([0.0, w]), 4.0 * w);
        }
        assert!((last([1.0, 1.0]) - 1.137).abs() < 5e-4, "as on the page");
    }

    /// Node by node the page's values and derivatives.
    #[test]
    fn neighbours_are_the_pages() {
        let answer = tape(&[1.0, 1.0]);
        let page = [0.818, 0.182, 1.0, 2.635, 1.0, 0.403, /* share */ 9.0, 8.0, 1.270];
        assert_eq!(answer[0], 10.0);
        let from = answer
            .windows(9)
            .position(|some| some.iter().zip(page).all(|(a, b): (&f32, f32)| (a - b).abs() < 6e-4));
        assert!(from.is_some(), "{answer:?}");
    }
}
