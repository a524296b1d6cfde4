//! The operations every chapter uses: each a forward rule and, side by side with it, its backward.
//!
//! `dy` is the gradient of the loss with respect to the operation's value `y`: a matrix of the same
//! shape. `x_id` is the place on the tape where the operation's share of `dx` is added, the gradient of
//! its operand `x`.

use crate::elementwise::{self, map, zip, zip3};
use crate::tape::Var;
use products::{Float, Matrix, Operand, product};
use std::ops::{Add, Mul, Neg, Sub};
use std::sync::Arc;

// ANCHOR: product
/// The matrix product `a·b`: `a` (m, k), `b` (k, n) → (m, n).
impl<'t> Mul for Var<'t> {
    type Output = Var<'t>;
    fn mul(self, rhs: Var<'t>) -> Var<'t> {
        let (a, b) = (self.value(), rhs.value());
        let y = product(&*a, &*b);
        self.tape().push([self, rhs], y, move |dy, [a_id, b_id], gradients| {
            gradients.gemm(a_id, &dy, &b.t()); // da = dy·bᵀ
            gradients.gemm(b_id, &a.t(), &dy); // db = aᵀ·dy
        })
    }
}
// ANCHOR_END: product

impl<'t> Add for Var<'t> {
    type Output = Var<'t>;
    fn add(self, rhs: Var<'t>) -> Var<'t> {
        let (a, b) = (self.value(), rhs.value());
        let y = zip(Matrix::clone(&a), &b, |a, b| a + b);
        self.tape().push([self, rhs], y, move |dy, [a_id, b_id], gradients| {
            gradients.add(a_id, dy.clone());
            gradients.add(b_id, dy);
        })
    }
}

impl<'t> Sub for Var<'t> {
    type Output = Var<'t>;
    fn sub(self, rhs: Var<'t>) -> Var<'t> {
        let (a, b) = (self.value(), rhs.value());
        let y = zip(Matrix::clone(&a), &b, |a, b| a - b);
        self.tape().push([self, rhs], y, move |dy, [a_id, b_id], gradients| {
            gradients.add(b_id, -&dy);
            gradients.add(a_id, dy);
        })
    }
}

impl<'t> Neg for Var<'t> {
    type Output = Var<'t>;
    fn neg(self) -> Var<'t> {
        self * -1.0
    }
}

/// Every entry times a number.
impl<'t> Mul<Float> for Var<'t> {
    type Output = Var<'t>;
    fn mul(self, factor: Float) -> Var<'t> {
        let y = &*self.value() * factor;
        self.tape().push([self], y, move |dy, [x_id], gradients| gradients.add(x_id, dy * factor))
    }
}

impl<'t> Var<'t> {
    /// `aᵀ·b` without a transposed copy: `a` (k, m), `b` (k, n) → (m, n).
    pub fn tr_mul(self, rhs: Var<'t>) -> Var<'t> {
        let (a, b) = (self.value(), rhs.value());
        let y = product(&a.t(), &*b);
        self.tape().push([self, rhs], y, move |dy, [a_id, b_id], gradients| {
            gradients.gemm(a_id, &*b, &dy.t()); // da = b·dyᵀ
            gradients.gemm(b_id, &*a, &dy); //     db = a·dy
        })
    }

    /// The transpose (n, m) of a value (m, n).
    pub fn transpose(self) -> Var<'t> {
        let y = self.value().transpose();
        self.tape()
            .push([self], y, move |dy, [x_id], gradients| gradients.add(x_id, dy.transpose()))
    }

    /// The product of entries at the same place: `y = a ⊙ b`.
    pub fn component_mul(self, rhs: Var<'t>) -> Var<'t> {
        let (a, b) = (self.value(), rhs.value());
        let y = zip(Matrix::clone(&a), &b, |a, b| a * b);
        self.tape().push([self, rhs], y, move |dy, [a_id, b_id], gradients| {
            gradients.add(a_id, zip(dy.clone(), &b, |dy, b| dy * b));
            gradients.add(b_id, zip(dy, &a, |dy, a| dy * a));
        })
    }

    /// A column (m, 1) added to every column of a value (m, n): a bias.
    pub fn add_column(self, column: Var<'t>) -> Var<'t> {
        let (x, b) = (self.value(), column.value());
        assert!(
            b.shape() == (x.nrows(), 1),
            "a column of shape {:?} cannot be added to the columns of {:?}",
            b.shape(),
            x.shape()
        );
        let mut y = Matrix::clone(&x);
        elementwise::add_to_columns(y.as_mut_slice(), b.as_slice());
        self.tape().push([self, column], y, move |dy, [x_id, b_id], gradients| {
            gradients.update(b_id, |db| {
                elementwise::add_columns_to(db.as_mut_slice(), dy.as_slice());
            });
            gradients.add(x_id, dy);
        })
    }

    /// `y = W x + b` with this value as `W` (k, m), `x` (m, n) and `b` (k, 1) → (k, n): the same
    /// numbers as `(W * x).add_column(b)`, without keeping `W x` as well.
    pub fn affine(self, x: Var<'t>, b: Var<'t>) -> Var<'t> {
        let (w, input, bias) = (self.value(), x.value(), b.value());
        assert!(
            bias.shape() == (w.nrows(), 1),
            "a column of shape {:?} cannot be added to {} rows",
            bias.shape(),
            w.nrows()
        );
        let mut y = product(&*w, &*input);
        elementwise::add_to_columns(y.as_mut_slice(), bias.as_slice());
        self.tape().push([self, x, b], y, move |dy, [w_id, x_id, b_id], gradients| {
            gradients.update(b_id, |db| {
                elementwise::add_columns_to(db.as_mut_slice(), dy.as_slice()); // db = Σ dyⱼ
            });
            gradients.gemm(w_id, &dy, &input.t()); //                         dW = dy·xᵀ
            gradients.gemm(x_id, &w.t(), &dy); //                             dx = Wᵀ·dy
        })
    }

    /// `e^x` of every entry.
    pub fn exp(self) -> Var<'t> {
        self.entrywise(elementwise::exp, |_x, y| y)
    }

    /// `ln x` of every entry.
    pub fn ln(self) -> Var<'t> {
        self.entrywise(Float::ln, |x, _y| 1.0 / x)
    }

    /// `√x` of every entry.
    pub fn sqrt(self) -> Var<'t> {
        self.entrywise(Float::sqrt, |_x, y| 0.5 / y)
    }

    /// `1/x` of every entry.
    pub fn recip(self) -> Var<'t> {
        self.entrywise(Float::recip, |_x, y| -y * y)
    }

    /// `x²` of every entry.
    pub fn square(self) -> Var<'t> {
        self.entrywise(|x| x * x, |x, _y| 2.0 * x)
    }

    // ANCHOR: tanh
    // ANCHOR: tanh_alone
    /// `tanh x` of every entry; its derivative is `1 − tanh² x`.
    pub fn tanh(self) -> Var<'t> {
        self.entrywise(elementwise::tanh, |_x, y| 1.0 - y * y)
    }
    // ANCHOR_END: tanh_alone

    /// The logistic function `σ(x) = 1/(1 + e^−x)` of every entry; its derivative is `σ(1 − σ)`.
    pub fn sigmoid(self) -> Var<'t> {
        self.entrywise(elementwise::sigmoid, |_x, y| y * (1.0 - y))
    }

    /// `max(x, 0)` of every entry; the derivative at 0 is taken as 0.
    pub fn relu(self) -> Var<'t> {
        self.entrywise(|x| if x < 0.0 { 0.0 } else { x }, |x, _y| if x > 0.0 { 1.0 } else { 0.0 })
    }

    // ANCHOR: entrywise
    /// A function of each entry, given with its derivative in terms of `x` and `y = f(x)`.
    pub fn entrywise(
        self,
        f: impl Fn(Float) -> Float,
        derivative: impl Fn(Float, Float) -> Float + 'static,
    ) -> Var<'t> {
        let x = self.value();
        let y = Arc::new(map(&x, f));
        self.tape().push([self], y.clone(), move |dy, [x_id], gradients| {
            gradients.add(x_id, zip3(dy, &x, &y, |dy, x, y| dy * derivative(x, y)));
        })
    }
    // ANCHOR_END: entrywise
    // ANCHOR_END: tanh

    // ANCHOR: softmax
    /// The softmax of every column: positive entries that sum to 1.
    ///
    /// With `α` a column of the result, `∂αᵢ/∂xⱼ = αᵢ(δᵢⱼ − αⱼ)`, so `dx = α ⊙ (dα − αᵀdα)`.
    pub fn softmax(self) -> Var<'t> {
        let mut alpha = Matrix::clone(&self.value());
        elementwise::softmax_columns(&mut alpha);
        let alpha = Arc::new(alpha);
        self.tape().push([self], alpha.clone(), move |mut dy, [x_id], gradients| {
            elementwise::softmax_backward(&mut dy, &alpha);
            gradients.add(x_id, dy);
        })
    }
    // ANCHOR_END: softmax

    /// The sum of all entries, 1 × 1.
    pub fn sum(self) -> Var<'t> {
        let x = self.value();
        let (rows, columns) = x.shape();
        self.tape().push(
            [self],
            Matrix::from_element(1, 1, x.sum()),
            move |dy, [x_id], gradients| {
                gradients.add(x_id, Matrix::from_element(rows, columns, dy[(0, 0)]));
            },
        )
    }

    /// The mean of all entries, 1 × 1.
    pub fn mean(self) -> Var<'t> {
        let (rows, columns) = self.shape();
        self.sum() * (1.0 / (rows * columns) as Float)
    }

    /// The sum of every column: (m, n) → (1, n).
    pub fn column_sums(self) -> Var<'t> {
        let x = self.value();
        let (rows, columns) = x.shape();
        let y = Matrix::from_fn(1, columns, |_, j| x.column(j).sum());
        self.tape().push([self], y, move |dy, [x_id], gradients| {
            gradients.add(x_id, Matrix::from_fn(rows, columns, |_, j| dy[(0, j)]));
        })
    }

    /// `count` rows from row `first` on, such as one gate's or one head's.
    pub fn rows(self, first: usize, count: usize) -> Var<'t> {
        let y = self.value().rows(first, count).into_owned();
        self.tape().push([self], y, move |dy, [x_id], gradients| {
            gradients.update(x_id, |dx| {
                let mut block = dx.rows_mut(first, count);
                block += dy;
            });
        })
    }

    /// `count` columns from column `first` on, such as one sentence's tokens.
    pub fn columns(self, first: usize, count: usize) -> Var<'t> {
        let y = copied_columns(&self.value(), first, count);
        self.tape().push([self], y, move |dy, [x_id], gradients| {
            gradients.update(x_id, |dx| {
                let mut block = dx.columns_mut(first, count);
                block += dy;
            });
        })
    }

    /// Column `ids[j]` of this value (d, v) becomes column `j` of the result (d, n): an embedding.
    ///
    /// # Panics
    /// When an id is not below the number of columns.
    pub fn select_columns(self, ids: &[usize]) -> Var<'t> {
        let table = self.value();
        if let Some(id) = ids.iter().find(|id| **id >= table.ncols()) {
            panic!("id {id} in a table of {} columns", table.ncols());
        }
        let y = table.select_columns(ids);
        let ids = ids.to_vec();
        self.tape().push([self], y, move |dy, [x_id], gradients| {
            gradients.update(x_id, |dx| {
                for (&id, dy_j) in ids.iter().zip(dy.column_iter()) {
                    let mut column = dx.column_mut(id);
                    column += dy_j;
                }
            });
        })
    }

    /// This value (m, n) on top of another (k, n) → (m + k, n).
    pub fn stack(self, below: Var<'t>) -> Var<'t> {
        let (a, b) = (self.value(), below.value());
        assert!(
            a.ncols() == b.ncols(),
            "cannot stack {:?} on {:?}: the columns must be equally many",
            a.shape(),
            b.shape()
        );
        let (m, k) = (a.nrows(), b.nrows());
        let mut y = Matrix::zeros(m + k, a.ncols());
        y.rows_mut(0, m).copy_from(&a);
        y.rows_mut(m, k).copy_from(&b);
        self.tape().push([self, below], y, move |dy, [a_id, b_id], gradients| {
            gradients.add(a_id, dy.rows(0, m).into_owned());
            gradients.add(b_id, dy.rows(m, k).into_owned());
        })
    }

    /// This value (m, n) followed by another (m, k) → (m, n + k).
    pub fn append(self, right: Var<'t>) -> Var<'t> {
        let (a, b) = (self.value(), right.value());
        assert!(
            a.nrows() == b.nrows(),
            "cannot append {:?} to {:?}: the rows must be equally many",
            b.shape(),
            a.shape()
        );
        let (n, k) = (a.ncols(), b.ncols());
        let mut y = Matrix::zeros(a.nrows(), n + k);
        y.columns_mut(0, n).copy_from(&a);
        y.columns_mut(n, k).copy_from(&b);
        self.tape().push([self, right], y, move |dy, [a_id, b_id], gradients| {
            gradients.add(a_id, dy.columns(0, n).into_owned());
            gradients.add(b_id, dy.columns(n, k).into_owned());
        })
    }

    /// Values (m, n₁), (m, n₂), … side by side → (m, n₁ + n₂ + …), such as the states of all steps
    /// of a recurrence.
    ///
    /// ```
    /// use shared::{Matrix, Tape, Var};
    /// let tape = Tape::new();
    /// let (a, b) = (tape.leaf(Matrix::zeros(2, 1)), tape.leaf(Matrix::identity(2, 2)));
    /// assert_eq!(*Var::side_by_side(&[a, b]).value(), Matrix::from_row_slice(2, 3, &[
    ///     0.0, 1.0, 0.0,
    ///     0.0, 0.0, 1.0,
    /// ]));
    /// ```
    ///
    /// # Panics
    /// When there is none, or their rows are not equally many.
    pub fn side_by_side(parts: &[Var<'t>]) -> Var<'t> {
        let first = *parts.first().expect("at least one value to put side by side");
        let values: Vec<_> = parts.iter().map(|part| part.value()).collect();
        let widths: Vec<usize> = values.iter().map(|value| value.ncols()).collect();
        let rows = values[0].nrows();
        let mut y = Vec::with_capacity(rows * widths.iter().sum::<usize>());
        for value in &values {
            let shapes = (values[0].shape(), value.shape());
            assert!(shapes.1.0 == rows, "side by side: {:?} and {:?}", shapes.0, shapes.1);
            y.extend_from_slice(value.as_slice()); // a block of columns is contiguous
        }
        let y = Matrix::from_vec(rows, widths.iter().sum(), y);
        first.tape().push(parts.to_vec(), y, move |dy, ids, gradients| {
            let mut start = 0;
            for (id, width) in ids.into_iter().zip(widths) {
                gradients.add(id, copied_columns(&dy, start, width));
                start += width;
            }
        })
    }
}

/// A block of columns is contiguous: one copy of memory instead of one an entry.
fn copied_columns(x: &Matrix, first: usize, count: usize) -> Matrix {
    let rows = x.nrows();
    Matrix::from_column_slice(rows, count, &x.as_slice()[first * rows..(first + count) * rows])
}
