//! Runs the instructions for tiles on a processor that refuses them: each refusal is a signal, whose
//! handler does what Intel's manual (volume 2) says and goes on behind the instruction.

use libc::{c_int, c_void, siginfo_t, ucontext_t};
use std::cell::RefCell;

type Tile = [[u8; 64]; 16];

thread_local! {
    /// Those of a thread, while they are configured.
    static TILES: RefCell<Option<[Tile; 8]>> = const { RefCell::new(None) };
}

/// Emulates from now on, for this process. What is no instruction for tiles, or not as this crate uses them, ends it.
pub(super) fn install() {
    // SAFETY: a handler of the form that the flag asks for; the rest of the structure may be zero.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = emulate as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO;
        assert_eq!(libc::sigaction(libc::SIGILL, &raw const action, std::ptr::null_mut()), 0);
    }
}

/// General registers in the order of their numbers in an instruction.
const REGISTERS: [c_int; 16] = [
    libc::REG_RAX,
    libc::REG_RCX,
    libc::REG_RDX,
    libc::REG_RBX,
    libc::REG_RSP,
    libc::REG_RBP,
    libc::REG_RSI,
    libc::REG_RDI,
    libc::REG_R8,
    libc::REG_R9,
    libc::REG_R10,
    libc::REG_R11,
    libc::REG_R12,
    libc::REG_R13,
    libc::REG_R14,
    libc::REG_R15,
];

extern "C" fn emulate(_: c_int, _: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: what the system hands to a handler with `SA_SIGINFO`; an instruction that was refused is
    // followed by more code of this function's crate.
    let (registers, code) = unsafe {
        let registers = &mut (*context.cast::<ucontext_t>()).uc_mcontext.gregs;
        let at = registers[libc::REG_RIP as usize] as *const [u8; 10];
        (registers, at.read_unaligned())
    };
    let [0xc4, extension, vex, opcode, operands, ..] = code else {
        panic!("no instruction for tiles: {code:02x?}")
    };
    assert!(extension & 31 == 2 && vex & 0x84 == 0, "{code:02x?}");
    let extended = |low: u8, bit: u8| usize::from(low | (!extension >> bit & 1) << 3);
    let (first, second, third) = (operands >> 3 & 7, operands & 7, !vex >> 3 & 15);
    let mut length = 5;
    // The address, and how far a tile's rows are apart: base, index and scale, and an offset.
    let (mut start, mut stride) = (0, 0);
    if operands >> 6 != 3 {
        let value = |register: usize| registers[REGISTERS[register] as usize] as usize;
        let mut base = second;
        if second == 4 {
            let [_, _, _, _, _, scaled, ..] = code;
            base = scaled & 7;
            stride = value(extended(scaled >> 3 & 7, 6)) << (scaled >> 6);
            length += 1;
        }
        start = value(extended(base, 5));
        let offset = match operands >> 6 {
            0 => (base != 5).then_some((0, 0)).expect("no address without a base"),
            1 => (code[length] as i8 as isize, 1),
            _ => (i32::from_le_bytes(code[length..].try_into().unwrap()) as isize, 4),
        };
        start = start.wrapping_add_signed(offset.0);
        length += offset.1;
    }
    let row = |r: usize| (start + r * stride) as *mut [u8; 64];
    TILES.with_borrow_mut(|tiles| match (opcode, vex & 3, operands >> 6 == 3) {
        (0x49, 0, false) => {
            // SAFETY: the instruction reads 64 bytes.
            let shapes = unsafe { (start as *const [u8; 64]).read_unaligned() };
            let expected: [u8; 64] = std::array::from_fn(|i| match i {
                0 => 1,                              // palette
                16..32 if i.is_multiple_of(2) => 64, // bytes of a row
                48..56 => 16,                        // rows
                _ => 0,
            });
            assert!(shapes == expected, "{shapes:?}");
            *tiles = Some([[[0; 64]; 16]; 8]);
        }
        (0x49, 0, true) => *tiles = None,
        (opcode, prefix, is_register) => {
            let tiles = tiles.as_mut().expect("tiles are configured");
            let first = usize::from(first);
            match (opcode, prefix, is_register) {
                (0x49, 3, true) => tiles[first] = [[0; 64]; 16],
                (0x4b, 3, false) => {
                    // SAFETY: the instruction reads 64 bytes of 16 rows, …
                    tiles[first] = std::array::from_fn(|r| unsafe { row(r).read_unaligned() });
                }
                (0x4b, 2, false) => {
                    // SAFETY: … or writes them.
                    (0..16).for_each(|r| unsafe { row(r).write_unaligned(tiles[first][r]) });
                }
                (0x5c, 2, true) => {
                    let [a, b] = [second, third].map(|tile| tiles[usize::from(tile)]);
                    multiply(&mut tiles[first], &a, &b);
                }
                _ => panic!("no instruction for tiles: {code:02x?}"),
            }
        }
    });
    registers[libc::REG_RIP as usize] += length as i64;
}

/// `TDPBF16PS`: rows of `a` and pairs of rows of `b`.
fn multiply(sums: &mut Tile, a: &Tile, b: &Tile) {
    let number = |tile: &Tile, row: usize, n: usize| {
        f32::from_bits(
            u32::from(u16::from_le_bytes([tile[row][2 * n], tile[row][2 * n + 1]])) << 16,
        )
    };
    for (row, sums) in sums.iter_mut().enumerate() {
        for (column, sum) in sums.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let mut parts = [0.0; 2];
            for (k, part) in (0..32).map(|k| (k, k % 2)) {
                parts[part] += number(a, row, k) * number(b, k / 2, 2 * column + part);
            }
            *sum = (f32::from_le_bytes(*sum) + (parts[0] + parts[1])).to_le_bytes();
        }
    }
}
