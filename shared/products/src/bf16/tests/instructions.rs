//! The instructions for tiles themselves, against their twin: on a processor without them, emulated.

use super::super::tiles::{Amx, Machine, Panels};
use super::*;
use std::num::NonZero;

#[test]
fn tiles_compute_what_their_twin_does() {
    if !has_tiles() {
        emulator::install();
    }
    let random = |seed: usize, length: usize| -> Vec<u16> {
        // Whole numbers from −8 to 8, whose sums are exact in any order.
        let numbers = (0..length).map(|i| ((i * 7919 + seed * 104_729) % 6007 % 17) as f32 - 8.0);
        numbers.map(|number| (number.to_bits() >> 16) as u16).collect() // exact in bf16
    };
    for (count, blocks) in [(1, 1), (1, 3), (3, 2)] {
        let panels: Vec<[Vec<u16>; 2]> = (0..count)
            .map(|n| [2 * n, 2 * n + 1].map(|seed| random(seed, blocks * 32 * SIDE)))
            .collect();
        let panels: Vec<Panels> =
            panels.iter().map(|panels| panels.each_ref().map(|panel| panel.as_ptr())).collect();
        let [mut sums, mut expected] = [[f32::NAN; SIDE * SIDE]; 2];
        // SAFETY: panels of that depth, room for the sums, and tiles that are there or emulated.
        unsafe {
            let _tiles = Configured::new();
            let blocks = NonZero::new(blocks).unwrap();
            Amx::multiply(Amx::ready(), &panels, blocks, sums.as_mut_ptr());
            Loops::multiply((), &panels, blocks, expected.as_mut_ptr());
        }
        assert_eq!(sums, expected, "{count} panels of {blocks} blocks");
    }
    // Products, which configure the tiles and release them; their copies need AVX-512 BF16.
    if has_bf16() {
        let (a, b) = (numbers(33, 40, 1), numbers(40, 35, 2));
        for split in [false, true] {
            let kind = Kind::Tiles { split };
            assert_eq!(kind.product(&a.whole(), &b.whole()), product(&a, &b), "{kind:?}");
        }
    }
}
