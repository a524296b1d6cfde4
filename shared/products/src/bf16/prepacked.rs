//! Weights, copied once: a product copies its factors, and a weight is a factor of many products between two steps
//! of an optimiser, on every shard, in forward and in backward; where nothing trains, it never changes.
//!
//! Other libraries call it *prepacking*. Here no layer knows of it: a product asks whether its left factor is such
//! a weight. A copy cannot be stale: it is asked for by the address of the weight, and counts as long as the
//! weight lives where it was. To change it, [`Arc::make_mut`] takes it out of reach of a [`Weak`], and so does what takes
//! it out of its `Arc`; `Arc::get_mut` refuses.

use super::pack::{Block, Factor, HEIGHT, Line};
use crate::arithmetic::count_copied;
use crate::matrix::{Matrix, Operand, View};
use crate::precision::Precision;
use rayon::prelude::*;
use std::any::TypeId;
use std::collections::HashMap;
use std::mem::MaybeUninit;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock, Weak};

/// Fewer numbers are no weight that is worth it.
const LEAST: usize = 1 << 10;

/// More numbers are copied on several threads: with fewer, to wake one takes longer.
const PARALLEL: usize = 1 << 14;

/// By the address of their numbers.
static WEIGHTS: LazyLock<RwLock<HashMap<usize, Arc<Weight>>>> = LazyLock::new(RwLock::default);

struct Weight {
    value: Weak<Matrix>,
    shape: (usize, usize),
    /// Its copy, and that of its transpose, once a product has needed them.
    copies: [Mutex<Option<Arc<Prepacked>>>; 2],
}

impl Weight {
    fn is_alive(&self) -> bool {
        self.value.strong_count() > 0
    }

    fn copy(&self, side: usize) -> Option<Arc<Prepacked>> {
        self.copies[side].lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// All panels of a left factor, block after block of its depth.
pub(super) struct Prepacked {
    panels: Vec<Line>, // without a length: all that it has room for is written
    form: TypeId,
    fill: unsafe fn(&mut Vec<Line>, &View, bool),
}

impl Prepacked {
    /// The panels of the block from the inner index `k` on, in the copy of a factor with so many rows.
    pub(super) fn block<F: Factor>(&self, rows: usize, k: usize) -> *const u32 {
        let bytes = rows.next_multiple_of(HEIGHT) * F::bytes_of(k);
        self.panels.as_ptr().cast::<u8>().wrapping_add(bytes).cast()
    }

    fn bytes(&self) -> usize {
        self.panels.capacity() * size_of::<Line>()
    }
}

/// Copies a left factor to `panels`; on whatever threads are free, if that is wanted and worth it.
///
/// # Safety
/// As for [`Factor::pack`].
unsafe fn fill<F: Factor>(panels: &mut Vec<Line>, a: &View, in_parallel: bool) {
    let (rows, depth) = a.shape();
    let lines = rows.next_multiple_of(HEIGHT) * F::bytes_of(depth) / size_of::<Line>();
    panels.reserve_exact(lines);
    count_copied(lines * size_of::<Line>());
    let mut room = &mut panels.spare_capacity_mut()[..lines];
    let deep = F::deep(depth);
    for k in (0..depth).step_by(deep) {
        let inner = k..depth.min(k + deep);
        let panel = HEIGHT * F::bytes_of(inner.len()) / size_of::<Line>();
        let pack = |(n, to): (usize, &mut [MaybeUninit<Line>])| {
            let first = n * HEIGHT;
            let block = Block::of(a, first..rows.min(first + HEIGHT), inner.clone());
            // SAFETY: up to 32 rows of the view are read; there is room for a panel; the caller vouches for the
            // processor.
            unsafe { F::pack::<false>(to.as_mut_ptr().cast(), block, HEIGHT) };
        };
        let here;
        (here, room) = room.split_at_mut(panel * rows.div_ceil(HEIGHT));
        if in_parallel && a.len() > PARALLEL {
            here.par_chunks_mut(panel).enumerate().for_each(pack);
        } else {
            here.chunks_mut(panel).enumerate().for_each(pack);
        }
    }
}

/// The copy of a left factor, if it is a weight or its transpose: made by the first product that needs it, while
/// others wait.
///
/// # Safety
/// The processor can make such copies.
pub(super) unsafe fn copy_of<F: Factor>(a: &View) -> Option<Arc<Prepacked>> {
    let weights = WEIGHTS.read().unwrap_or_else(PoisonError::into_inner);
    let weight = weights.get(&(a.as_ptr() as usize)).filter(|weight| weight.is_alive())?.clone();
    drop(weights);
    let (rows, columns) = weight.shape;
    let side = match (a.shape(), a.strides()) {
        (shape, strides) if (shape, strides) == ((rows, columns), (1, rows)) => 0,
        (shape, strides) if (shape, strides) == ((columns, rows), (rows, 1)) => 1,
        _ => return None, // a block of it
    };
    let mut copy = weight.copies[side].lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(copy) = copy.as_ref().filter(|copy| copy.form == TypeId::of::<F>()) {
        return Some(copy.clone());
    }
    let mut panels = Vec::new();
    // SAFETY: the caller vouches for the processor. (Not in parallel: who waits for others may be given work that
    // needs this lock.)
    unsafe { fill::<F>(&mut panels, a, false) };
    let new = Arc::new(Prepacked { panels, form: TypeId::of::<F>(), fill: fill::<F> });
    *copy = Some(new.clone());
    Some(new)
}

/// See [`prepack`](crate::prepack()).
pub(crate) fn prepack(weight: &Arc<Matrix>) {
    if Precision::current() != Precision::F32 && weight.len() >= LEAST {
        declare(weight);
    }
}

pub(super) fn declare(weight: &Arc<Matrix>) {
    let address = weight.as_ptr() as usize;
    let weights = WEIGHTS.read().unwrap_or_else(PoisonError::into_inner);
    if weights.get(&address).is_some_and(|weight| weight.is_alive()) {
        return;
    }
    drop(weights);
    let new = |copies: [Option<Arc<Prepacked>>; 2]| {
        let (value, shape) = (Arc::downgrade(weight), weight.shape());
        Arc::new(Weight { value, shape, copies: copies.map(Mutex::new) })
    };
    let mut weights = WEIGHTS.write().unwrap_or_else(PoisonError::into_inner);
    if weights.get(&address).is_some_and(|weight| weight.is_alive()) {
        return; // another shard was faster
    }
    // What was there has changed, or is gone: its copies are made again, in their memory, where all can help.
    let before = weights.remove(&address).filter(|before| before.shape == weight.shape());
    let copies = [0, 1].map(|side| before.as_ref().and_then(|before| before.copy(side)));
    drop(before);
    if copies.iter().all(Option::is_none) {
        weights.retain(|_, weight| weight.is_alive());
        weights.insert(address, new(copies));
        return;
    }
    drop(weights);
    let views = [weight.whole(), weight.t()];
    let mut views = views.iter();
    let copies = copies.map(|copy| {
        let view = views.next()?;
        let Prepacked { mut panels, form, fill } = Arc::into_inner(copy?)?;
        // SAFETY: such a copy was made before.
        unsafe { fill(&mut panels, view, true) };
        Some(Arc::new(Prepacked { panels, form, fill }))
    });
    let mut weights = WEIGHTS.write().unwrap_or_else(PoisonError::into_inner);
    weights.retain(|_, weight| weight.is_alive());
    weights.entry(address).or_insert_with(|| new(copies));
}

/// See [`prepacked`](crate::prepacked()).
pub(crate) fn prepacked() -> usize {
    let mut weights = WEIGHTS.write().unwrap_or_else(PoisonError::into_inner);
    weights.retain(|_, weight| weight.is_alive());
    let copies = weights.values().flat_map(|weight| [0, 1].map(|side| weight.copy(side)));
    copies.flatten().map(|copy| copy.bytes()).sum()
}
