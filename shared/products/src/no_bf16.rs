//! What stands in for `bf16` in builds and on processors that have none.

use crate::matrix::{Float, View};
use crate::unit::Unit;

/// No product is worth it.
pub(crate) fn is_worth(_: usize, _: usize, _: usize) -> bool {
    false
}

/// Is never called.
///
/// # Safety
/// Nothing happens.
pub(crate) unsafe fn rounded(
    _: Unit,
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
    _: Unit,
    _: Float,
    _: *mut Float,
    _: (usize, usize),
    _: Float,
    _: &View,
    _: &View,
) {
    unreachable!("this build has no bf16")
}
