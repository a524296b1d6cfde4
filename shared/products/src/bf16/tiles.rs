//! Products on the matrix tiles of Intel processors (AMX).
//!
//! A tile is a register of 16 rows with 64 bytes each, and there are eight. Of four, each holds 16 × 16
//! sums in f32; one instruction adds to them the product of a tile of 16 × 32 numbers in bf16 and one of
//! 32 × 16: 16,384 operations, where one of AVX-512 BF16 does 64. So 32 × 32 sums stay in registers while
//! the loop runs along the inner size, 32 numbers a step.
//!
//! A tile of the result lies by columns in memory: its rows are columns of the result. Hence the *right*
//! factor of the product is the left one of the instruction, whose rows are numbers along the inner size
//! (`BY_ROWS` in `pack`), and the left factor is the right one, whose rows are pairs of columns.
//! ([Intel's manual](https://www.intel.com/content/www/us/en/developer/articles/technical/intel-sdm.html),
//! volume 1, chapter 18: *Programming with Intel AMX*.)

use super::pack::{Block, Factor, LANES, pack};
use std::arch::asm;
use std::cell::Cell;
use std::marker::PhantomData;
use std::num::NonZero;

/// Rows and columns of the result whose sums are kept in tiles: two tiles each way.
pub(super) const SIDE: usize = 2 * LANES;

/// Both panels of a product of `blocks` times 32 numbers: of rows, and of columns of the result.
pub(super) type Panels = [*const u16; 2];

/// A machine that multiplies tiles.
pub(super) trait Machine: Copy + Send + Sync + 'static {
    /// Proof that this thread may multiply.
    type Ready;
    /// Is it a twin that any processor runs? Then it copies factors by itself.
    const IS_PORTABLE: bool = false;

    /// [`Factor::pack`].
    ///
    /// # Safety
    /// As there.
    unsafe fn pack<F: Factor, const BY_ROWS: bool>(dst: *mut u32, block: Block, width: usize) {
        // SAFETY: the caller vouches for all.
        unsafe { pack::<F, BY_ROWS>(dst, block, width) }
    }

    /// # Panics
    /// When it may not.
    fn ready() -> Self::Ready;

    /// Writes the sums of the products of all panels: [`SIDE`] columns of as many rows.
    ///
    /// # Panics
    /// When there is no panel.
    ///
    /// # Safety
    /// - The panels are as [`Factor::pack`] writes them for [`Tiles`], those of columns by rows.
    /// - Each is valid for reads of `blocks` times 32 numbers for each of 32 rows or columns.
    /// - `sums` is valid for writes of 32 × 32 numbers.
    unsafe fn multiply(
        ready: Self::Ready,
        panels: &[Panels],
        blocks: NonZero<usize>,
        sums: *mut f32,
    );
}

/// Numbers rounded to bf16 for tiles, or (`SPLIT`) also what that lost.
#[derive(Clone, Copy)]
pub(super) struct Tiles<M, const SPLIT: bool>(PhantomData<M>);

impl<M: Machine, const SPLIT: bool> Factor for Tiles<M, SPLIT> {
    const SPLIT: bool = SPLIT;
    const DEPTH: usize = 2 * LANES;
    const IS_PORTABLE: bool = M::IS_PORTABLE;

    unsafe fn pack<const BY_ROWS: bool>(dst: *mut u32, block: Block, width: usize) {
        // SAFETY: the caller vouches for all.
        unsafe { M::pack::<Self, BY_ROWS>(dst, block, width) }
    }
}

/// The processor itself.
#[derive(Clone, Copy)]
pub(super) struct Amx;

impl Machine for Amx {
    type Ready = Here;

    fn ready() -> Here {
        assert!(CONFIGURED.get(), "no tiles are configured on this thread");
        Here(PhantomData)
    }

    unsafe fn multiply(_: Here, panels: &[Panels], blocks: NonZero<usize>, sums: *mut f32) {
        assert!(!panels.is_empty(), "a product has panels");
        // SAFETY: the tiles are configured `Here`; the loops end, for there are panels and blocks; the
        // caller vouches for the panels, of which each step reads 2 KiB, and for the sums.
        unsafe {
            asm!(
                "tilezero tmm0",
                "tilezero tmm1",
                "tilezero tmm2",
                "tilezero tmm3",
                "2:", // for each pair of panels
                "mov {rows}, [{panels}]",
                "mov {columns}, [{panels} + 8]",
                "mov {left}, {blocks}",
                // ANCHOR: step
                "3:", // for 32 numbers of each row and column
                "tileloadd tmm4, [{columns} + {row}]",
                "tileloadd tmm6, [{rows} + {pair}]",
                "tdpbf16ps tmm0, tmm4, tmm6",
                "tileloadd tmm7, [{rows} + {pair} + 64]",
                "tdpbf16ps tmm1, tmm4, tmm7",
                "tileloadd tmm5, [{columns} + {row} + 1024]",
                "tdpbf16ps tmm2, tmm5, tmm6",
                "tdpbf16ps tmm3, tmm5, tmm7",
                "add {rows}, 2048",
                "add {columns}, 2048",
                "dec {left}",
                "jnz 3b",
                // ANCHOR_END: step
                "add {panels}, 16",
                "dec {count}",
                "jnz 2b",
                "tilestored [{sums} + {pair}], tmm0",
                "tilestored [{sums} + {pair} + 64], tmm1",
                "tilestored [{sums} + {pair} + 2048], tmm2",
                "tilestored [{sums} + {pair} + 2112], tmm3",
                panels = inout(reg) panels.as_ptr() => _,
                count = inout(reg) panels.len() => _,
                blocks = in(reg) blocks.get(),
                sums = in(reg) sums,
                row = in(reg) 64_usize,   // bytes of 16 pairs of one row
                pair = in(reg) 128_usize, // bytes of one pair of 32 rows, and of 32 sums
                rows = out(reg) _,
                columns = out(reg) _,
                left = out(reg) _,
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _, // the sums
                out("tmm4") _, out("tmm5") _, // columns of the result
                out("tmm6") _, out("tmm7") _, // rows of it
                options(nostack),
            );
        }
    }
}

thread_local! {
    static CONFIGURED: Cell<bool> = const { Cell::new(false) };
}

/// Tiles are configured on this thread.
pub(super) struct Here(PhantomData<*mut ()>); // of one thread: not `Send`

/// The tiles of this thread, eight of 16 rows with 64 bytes each, until it is dropped. (The calling
/// convention leaves it to a function that is called to configure others; none in between does.)
pub(super) struct Configured(PhantomData<*mut ()>);

impl Configured {
    /// # Safety
    /// The processor must [have tiles](crate::processor::has_tiles).
    pub(super) unsafe fn new() -> Configured {
        #[repr(C, align(64))]
        struct Shapes {
            palette: u8,
            start_row: u8,
            reserved: [u8; 14],
            bytes_of_rows: [u16; 16],
            rows: [u8; 16],
        }
        let of_tiles = |t: usize| t < 8;
        let shapes = Shapes {
            palette: 1,
            start_row: 0,
            reserved: [0; 14],
            bytes_of_rows: std::array::from_fn(|t| if of_tiles(t) { 64 } else { 0 }),
            rows: std::array::from_fn(|t| if of_tiles(t) { 16 } else { 0 }),
        };
        // SAFETY: 64 bytes are read, in the form that the manual describes; the caller vouches for tiles.
        unsafe { asm!("ldtilecfg [{}]", in(reg) &raw const shapes, options(nostack)) }
        CONFIGURED.set(true);
        Configured(PhantomData)
    }
}

impl Drop for Configured {
    fn drop(&mut self) {
        CONFIGURED.set(false);
        // SAFETY: nobody uses the tiles any more; where they were configured, they can be released.
        unsafe { asm!("tilerelease", options(nostack)) }
    }
}
