//! The matrix type of the course and its one product, with what computes it: nothing above knows which
//! kernel that was.
//!
//! | file | holds |
//! |---|---|
//! | `matrix` | the matrix type, with free transposes |
//! | `product` | [`gemm`] and [`product()`] |
//! | `kernel` | where every product passes: the kernel, and its dear cases |
//! | [`short`] | the product of matrices that are too small for the kernel |
//! | `precision`, `bf16` | the switch to factors that are rounded to 16 bits, and their kernels |
//! | [`prepack()`] | weights, whose rounded copies are kept |
//! | `processor`, `backend`, `trial` | which of a processor's instructions multiply them, and which are faster |
//! | `arithmetic` | multiplications, additions and copies, counted |
//! | `ladder` | with a feature of that name: slower products, to measure against |

mod arithmetic;
mod backend;
#[cfg(all(feature = "bf16", not(feature = "f64"), target_arch = "x86_64"))]
mod bf16;
#[cfg(not(all(feature = "bf16", not(feature = "f64"), target_arch = "x86_64")))]
#[path = "no_bf16.rs"]
mod bf16;
mod kernel;
#[cfg(feature = "ladder")]
mod ladder;
mod matrix;
mod precision;
mod prepack;
mod processor;
mod product;
pub mod short;
mod trial;

pub use arithmetic::{arithmetic, copied};
pub use backend::Backend;
#[cfg(feature = "ladder")]
pub use ladder::Products;
pub use matrix::{Float, Matrix, Operand, Target, Vector, View, ViewMut};
pub use precision::Precision;
pub use prepack::{prepack, prepacked};
pub use product::{gemm, product};
pub use trial::{Times, Trial};
