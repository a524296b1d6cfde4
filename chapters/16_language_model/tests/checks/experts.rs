//! Experts: a token gets the mean of what its experts say, and what balances them.

use language_model::{Experts, SwiGlu};
use shared::{Float, Matrix, Tape, rng};
use tests::{assert_close, uneven};

fn said(expert: &SwiGlu, x: &Matrix) -> Matrix {
    let tape = Tape::no_grad();
    Matrix::clone(&expert.forward(tape.constant(x.clone())).value())
}

/// Every expert computes every token; then the weights, expert by expert.
fn naive(experts: &Experts, x: &Matrix) -> Matrix {
    let mut p = experts.router.weight.value() * x;
    shared::elementwise::softmax_columns(&mut p);
    let all: Vec<Matrix> = experts.experts.iter().map(|expert| said(expert, x)).collect();
    let mut y = Matrix::zeros(x.nrows(), x.ncols());
    for (j, chosen) in experts.choose(&p).into_iter().enumerate() {
        let sum: Float = chosen.iter().map(|e| p[(*e, j)]).sum();
        for e in &chosen {
            let weight = if chosen.len() > 1 { p[(*e, j)] / sum } else { p[(*e, j)] };
            let mut column = y.column_mut(j);
            column += all[*e].column(j) * weight;
        }
    }
    y
}

#[test]
fn a_token_gets_the_mean_of_what_its_experts_say() {
    let x = uneven(6, 9, 0.2) * 3.0;
    for (count, kept) in [(1, 1), (4, 1), (4, 2), (3, 3)] {
        let experts = Experts::new(6, 5, count, kept, &mut rng(1));
        let found = experts.forward(Tape::no_grad().constant(x.clone())).value();
        assert_close!(&*found, naive(&experts, &x), 1e-5, "{kept} of {count}");
    }
}

/// The most probable are chosen, the first of equals first.
#[test]
fn the_largest_scores_choose() {
    let experts = Experts::new(2, 3, 3, 2, &mut rng(1));
    let p = Matrix::from_column_slice(3, 2, &[0.2, 0.5, 0.3, 0.4, 0.2, 0.4]);
    assert_eq!(experts.choose(&p), [[1, 2], [0, 2]]);
}

#[test]
#[should_panic(expected = "3 of 2 experts kept")]
fn no_more_are_kept_than_there_are() {
    Experts::new(2, 3, 2, 3, &mut rng(1));
}
