//! What stands in for `bf16` in builds and on processors that have none.

use crate::backend::Backend;
use crate::matrix::{Float, Matrix, View};
use std::sync::Arc;

/// No product copies it.
pub(crate) fn prepack(_: &Arc<Matrix>) {}

/// Nothing was.
pub(crate) fn prepacked() -> usize {
    0
}

/// No product is worth it.
pub(crate) fn is_worth(_: usize, _: usize, _: usize) -> bool {
    false
}

/// Is never called.
///
/// # Safety
/// Nothing happens.
pub(crate) unsafe fn rounded(
    _: Backend,
    _: Float,
    _: *mut Float,
    _: (usize, usize),
    _: Float,
    _: &View,
    _: &View,
) {
    unreachable!("this build has no bf16")
}

/// Is never called.
///
/// # Safety
/// Nothing happens.
pub(crate) unsafe fn split(
    _: Backend,
    _: Float,
    _: *mut Float,
    _: (usize, usize),
    _: Float,
    _: &View,
    _: &View,
) {
    unreachable!("this build has no bf16")
}
