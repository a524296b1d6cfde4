//! Products whose factors are rounded to bf16: half the bits, and on processors with AVX-512 BF16 one
//! instruction for two multiplications where f32 has one.
//!
//! bf16 is the upper half of an f32: the same sign and exponent, hence the same range, and 8
//! significant bits instead of 24. The instruction multiplies two pairs of bf16 numbers and adds both
//! products to a sum in f32. So a factor's relative error is at most 2⁻⁸, one of rounding to 8 bits,
//! and the sum is rounded like one of f32, with one exception: the instruction takes numbers below
//! 2⁻¹²⁶ (subnormal ones) for 0, be they factors or sums.
//!
//! Everything else stays in f32: parameters, optimiser, what stands between the products, and the
//! results. A fast kernel copies its factors anyway, into the order in which it reads them; the copy
//! made here (`pack`) rounds on the way. Thus nothing has to be kept twice, and no factor is stale.
//!
//! Each kind of copy makes its kind of product:
//!
//! | copy of a factor | product |
//! |---|---|
//! | [`Half`]: rounded | `--precision bf16` by the instruction for bf16 |
//! | [`Wide`]: rounded, and kept in the 32 bits of an f32 | the same by instructions for f32, for processors on which these are faster |
//! | [`Split`]: rounded, and what rounding lost, rounded | `--precision bf16x3`: three products of bf16, 16 bits of every factor |
//! | [`Tiles`]: either, in blocks of 32 × 32 | both, on a processor with matrix [`tiles`] |
//!
//! [`Half`], [`Wide`] and [`Tiles`] multiply the same numbers, and every such product is exact in f32. They
//! differ in the order of sums, and in the subnormal numbers that [`Wide`] does not take for 0.
//!
//! Blocking and the innermost loop are those of the crate `gemmkit`; what is rounded, and how the
//! result is written, is ours. One product has the same bits whatever runs beside it.

use crate::backend::Backend;
use crate::matrix::{Operand, View};
use gemmkit::kernel::{AlphaStatus, BetaStatus, KernelFamily};
use gemmkit::simd::{Avx512Bf16, KernelSimd, SimdOps};
use gemmkit::{Parallelism, Workspace, bf16, driver};
use pack::{Factor, Half, LANES, Split, Wide, pack};
use std::arch::x86_64::__m512;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::num::NonZero;
use tiles::{Amx, Configured, Machine, SIDE, Tiles};

mod pack;
mod tiles;

/// Multiplications, and rows and columns of the result, from which on a product is about as fast as in f32
/// or faster: with fewer, both factors are copied for too little work.
const WORTH: usize = 1 << 16;
/// See [`WORTH`].
const WIDE: usize = 32;

/// Is the product of an m × k and a k × n matrix worth rounding its factors?
pub(crate) fn is_worth(m: usize, k: usize, n: usize) -> bool {
    m.min(n) >= WIDE && m * k * n >= WORTH
}

thread_local! {
    /// Room for the copies of a thread's products.
    static WORKSPACE: RefCell<Workspace> = const { RefCell::new(Workspace::new()) };
}

/// `dst = beta·dst + alpha·a·b`, `a` and `b` rounded to bf16.
///
/// # Safety
/// - `dst` is valid for writes, and unless `beta` is zero for reads, of `a.nrows() × b.ncols()` values at `strides`
///   (row, column).
/// - No shape is empty.
/// - The processor [has bf16](crate::processor::has_bf16), for [`Backend::Tiles`] tiles, too.
pub(crate) unsafe fn rounded(
    unit: Backend,
    beta: f32,
    dst: *mut f32,
    strides: (usize, usize),
    alpha: f32,
    a: &View,
    b: &View,
) {
    // SAFETY: the caller vouches for all.
    unsafe {
        match unit {
            Backend::Bf16 => run::<Half, COLUMNS>(beta, dst, strides, alpha, a, b),
            Backend::F32 => run::<Wide, COLUMNS>(beta, dst, strides, alpha, a, b),
            Backend::Tiles => {
                let _tiles = Configured::new();
                run::<Tiles<Amx, false>, SIDE>(beta, dst, strides, alpha, a, b)
            }
        }
    }
}

/// `dst = beta·dst + alpha·(a₁·b₁ + a₁·b₂ + a₂·b₁)`, where `a₁ + a₂` and `b₁ + b₂` are the factors with 16
/// of their 24 bits: by tiles, or else by the instruction for bf16.
///
/// # Safety
/// As for [`rounded`].
pub(crate) unsafe fn split(
    unit: Backend,
    beta: f32,
    dst: *mut f32,
    strides: (usize, usize),
    alpha: f32,
    a: &View,
    b: &View,
) {
    // SAFETY: the caller vouches for all.
    unsafe {
        match unit {
            Backend::Bf16 | Backend::F32 => run::<Split, COLUMNS>(beta, dst, strides, alpha, a, b),
            Backend::Tiles => {
                let _tiles = Configured::new();
                run::<Tiles<Amx, true>, SIDE>(beta, dst, strides, alpha, a, b)
            }
        }
    }
}

/// How many numbers of a copy have the bytes of one in f32.
const fn times<F: Multiplied<N>, const N: usize>() -> isize {
    (size_of::<f32>() / size_of::<F::Number>()) as isize
}

/// # Safety
/// As for [`rounded`].
unsafe fn run<F: Multiplied<N>, const N: usize>(
    beta: f32,
    dst: *mut f32,
    strides: (usize, usize),
    alpha: f32,
    a: &View,
    b: &View,
) where
    Avx512Bf16: KernelSimd<F::Number, F::Number, f32, f32>,
{
    if strides.0 != 1 && strides.1 == 1 {
        // The tiles are written by columns: compute the transpose, `dstᵀ = bᵀ·aᵀ`.
        // SAFETY: `dst` with its strides swapped is the transpose of what the caller vouches for.
        return unsafe { run::<F, N>(beta, dst, (1, strides.0), alpha, &b.t(), &a.t()) };
    }
    let ((m, k), n) = (a.shape(), b.ncols());
    // The driver takes the factors for what their copies hold: strides in its unit are longer.
    let strides_of =
        |view: &View| [view.strides().0, view.strides().1].map(|s| s as isize * times::<F, N>());
    let ([a_rows, a_columns], [b_rows, b_columns]) = (strides_of(a), strides_of(b));
    let (a, b) = (a.as_ptr().cast::<F::Number>(), b.as_ptr().cast::<F::Number>());
    let (rows, columns) = (strides.0 as isize, strides.1 as isize);
    WORKSPACE.with_borrow_mut(|room| {
        // SAFETY: the factors are only read by the packing below, which both constants of `Packed`
        // enforce and which undoes the casts; the caller vouches for the rest.
        unsafe {
            driver::run::<Packed<F, N>, _, REGISTERS, N>(
                Avx512Bf16,
                m,
                k,
                n,
                alpha,
                a,
                a_rows,
                a_columns,
                b,
                b_rows,
                b_columns,
                beta,
                dst,
                rows,
                columns,
                Parallelism::Serial,
                room,
            );
        }
    });
}

/// What is added up at a time: so many registers of 16 rows …
const REGISTERS: usize = 2;
/// … by so many columns: 24 sums in registers, of 32 that there are. (Tiles have room for [`SIDE`].)
const COLUMNS: usize = 12;
/// Rows of it.
const HEIGHT: usize = REGISTERS * LANES;

type Sums<const N: usize> = [[__m512; REGISTERS]; N];

/// How copies of factors are multiplied, `N` columns at a time.
trait Multiplied<const N: usize>: Factor {
    /// What the driver takes the numbers of a copy for: as many bytes as each has there.
    type Number: gemmkit::Scalar;
    /// Is the copy of a right factor by rows?
    const BY_ROWS: bool = false;

    /// Adds the products of a panel of rows and one of columns, each `depth` deep, to sums of zero.
    ///
    /// # Safety
    /// The panels are as [`pack`] writes them; the processor has bf16, and the code is compiled
    /// for it.
    unsafe fn add(depth: usize, a: *const u16, b: *const u16, sums: &mut Sums<N>);
}

impl Multiplied<COLUMNS> for Half {
    type Number = bf16;

    #[inline(always)]
    unsafe fn add(depth: usize, a: *const u16, b: *const u16, sums: &mut Sums<COLUMNS>) {
        let (a, b) = (a.cast::<bf16>(), b.cast());
        // SAFETY: the caller vouches for it.
        unsafe {
            KernelSimd::<_, _, _, f32>::dot_accumulate::<REGISTERS, COLUMNS>(
                Avx512Bf16, depth, a, b, sums,
            );
        }
    }
}

impl Multiplied<COLUMNS> for Wide {
    type Number = f32;

    #[inline(always)]
    unsafe fn add(depth: usize, a: *const u16, b: *const u16, sums: &mut Sums<COLUMNS>) {
        let (height, columns) = (HEIGHT as isize, COLUMNS as isize);
        let (a, b) = (a.cast::<f32>(), b.cast());
        // SAFETY: as above.
        unsafe {
            SimdOps::accumulate_tile::<REGISTERS, COLUMNS>(
                Avx512Bf16, depth, a, height, b, columns, 1, sums,
            );
        }
    }
}

impl Multiplied<COLUMNS> for Split {
    type Number = f32; // as many bytes as two of bf16

    #[inline(always)]
    unsafe fn add(depth: usize, a: *const u16, b: *const u16, sums: &mut Sums<COLUMNS>) {
        let padded = depth.next_multiple_of(Self::DEPTH);
        // SAFETY: as above; the second part of a panel lies behind the first.
        unsafe {
            let (a_low, b_low) = (a.add(HEIGHT * padded), b.add(COLUMNS * padded));
            Half::add(depth, a_low, b, sums);
            Half::add(depth, a, b_low, sums);
            Half::add(depth, a, b, sums);
        }
    }
}

/// How many blocks of 32 numbers a panel of that depth has.
fn blocks(depth: usize) -> NonZero<usize> {
    NonZero::new(depth.div_ceil(2 * LANES)).expect("an inner size that is not empty")
}

impl<M: Machine> Multiplied<SIDE> for Tiles<M, false> {
    type Number = bf16;
    const BY_ROWS: bool = true;

    #[inline(always)]
    unsafe fn add(depth: usize, a: *const u16, b: *const u16, sums: &mut Sums<SIDE>) {
        // SAFETY: as above.
        unsafe { M::multiply(M::ready(), &[[a, b]], blocks(depth), sums.as_mut_ptr().cast()) }
    }
}

impl<M: Machine> Multiplied<SIDE> for Tiles<M, true> {
    type Number = f32;
    const BY_ROWS: bool = true;

    #[inline(always)]
    unsafe fn add(depth: usize, a: *const u16, b: *const u16, sums: &mut Sums<SIDE>) {
        let blocks = blocks(depth);
        // SAFETY: as above; the second part of a panel lies behind the first.
        unsafe {
            let lost = SIDE * Self::DEPTH * blocks.get();
            let panels = [[a.add(lost), b], [a, b.add(lost)], [a, b]];
            M::multiply(M::ready(), &panels, blocks, sums.as_mut_ptr().cast());
        }
    }
}

/// The products of this module, as the driver wants them described.
#[derive(Clone, Copy)]
struct Packed<F, const N: usize>(PhantomData<F>);

impl<F: Multiplied<N>, const N: usize> KernelFamily for Packed<F, N> {
    type Lhs = F::Number;
    type Rhs = F::Number;
    type Acc = f32;
    type Out = f32;

    const FORCE_PACK_LHS: bool = true;
    const FORCE_PACK_RHS: bool = true;
    const DEPTH_MULTIPLE: usize = F::DEPTH;

    unsafe fn pack_lhs(
        dst: *mut F::Number,
        src: *const F::Number,
        rows: isize,
        columns: isize,
        m: usize,
        k: usize,
        width: usize,
    ) {
        let strides = (rows / times::<F, N>(), columns / times::<F, N>());
        // SAFETY: `run` made these pointers and strides from those of f32 values.
        unsafe { pack::<F, false>(dst.cast(), src.cast(), strides, m, k, width) }
    }

    unsafe fn pack_rhs(
        dst: *mut F::Number,
        src: *const F::Number,
        rows: isize,
        columns: isize,
        k: usize,
        n: usize,
        width: usize,
    ) {
        let strides = (columns / times::<F, N>(), rows / times::<F, N>());
        // SAFETY: as above; a right factor is packed as the left one of the transposed product.
        unsafe {
            if F::BY_ROWS {
                pack::<F, true>(dst.cast(), src.cast(), strides, n, k, width)
            } else {
                pack::<F, false>(dst.cast(), src.cast(), strides, n, k, width)
            }
        }
    }

    /// The driver's tile and that of this module are one, and so are `S` and [`Avx512Bf16`].
    #[inline(always)]
    unsafe fn microkernel<S, const REGISTERS_: usize, const COLUMNS_: usize>(
        _: S,
        k: usize,
        alpha: f32,
        beta: f32,
        _: AlphaStatus,
        beta_status: BetaStatus,
        a: *const F::Number,
        _: isize,
        b: *const F::Number,
        _: isize,
        _: isize,
        c: *mut f32,
        row_stride: isize,
        column_stride: isize,
        rows: usize,
        columns: usize,
        scratch: *mut f32,
    ) where
        S: KernelSimd<F::Number, F::Number, f32, f32>,
    {
        const { assert!(REGISTERS_ == REGISTERS && COLUMNS_ == N) };
        let simd = Avx512Bf16;
        // SAFETY: panels, tile and scratch are the driver's, which calls this in the right context.
        unsafe {
            let mut sums = [[simd.zero(); REGISTERS]; N];
            F::add(k, a.cast(), b.cast(), &mut sums);
            let (alphas, betas) = (simd.splat(alpha), simd.splat(beta));
            if rows == HEIGHT && columns == N && row_stride == 1 {
                for j in 0..N {
                    for i in 0..REGISTERS {
                        let to = c.offset(j as isize * column_stride).add(i * LANES);
                        let mut value = simd.mul(sums[j][i], alphas);
                        if beta_status != BetaStatus::Zero {
                            value = simd.mul_add(simd.loadu(to), betas, value);
                        }
                        simd.storeu(to, value);
                    }
                }
                return;
            }
            // A tile at the edge: through the scratch, value by value.
            for j in 0..N {
                for i in 0..REGISTERS {
                    simd.storeu(scratch.add(j * HEIGHT + i * LANES), simd.mul(sums[j][i], alphas));
                }
            }
            for j in 0..columns {
                for i in 0..rows {
                    let to = c.offset(i as isize * row_stride + j as isize * column_stride);
                    let value = *scratch.add(j * HEIGHT + i);
                    // Rounded once, as in the middle.
                    *to = if beta_status == BetaStatus::Zero {
                        value
                    } else {
                        beta.mul_add(*to, value)
                    };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
