//! What this processor has for products of rounded factors, if this build has such products.

pub(crate) use here::{has_bf16, has_tiles};

#[cfg(all(feature = "bf16", not(feature = "f64"), target_arch = "x86_64"))]
mod here {
    use std::arch::asm;
    use std::arch::x86_64::__cpuid_count;
    use std::sync::LazyLock;

    /// The instructions of AVX-512 BF16, and those that go with them?
    pub(crate) fn has_bf16() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512bf16")
    }

    /// Matrix tiles that multiply bf16 (AMX), which the system lets this process use? Asked once.
    pub(crate) fn has_tiles() -> bool {
        static ANSWER: LazyLock<bool> = LazyLock::new(|| {
            // Bits 22 (bf16) and 24 (tiles) of leaf 7, which every processor with AVX-512 has.
            const BITS: u32 = 1 << 22 | 1 << 24;
            has_bf16() && __cpuid_count(7, 0).edx & BITS == BITS && is_permitted()
        });
        *ANSWER
    }

    /// Tiles are 8 KiB that the system keeps for every thread that uses them: it wants to be asked, once a
    /// process.
    /// (Linux's documentation, *Using XSTATE features in user space applications*. On other systems
    /// nobody has tried.)
    fn is_permitted() -> bool {
        const ARCH_PRCTL: usize = 158;
        const ARCH_REQ_XCOMP_PERM: usize = 0x1023;
        const XFEATURE_XTILEDATA: usize = 18;
        if !cfg!(target_os = "linux") {
            return false;
        }
        let answer: isize;
        // SAFETY: a call of Linux that reads and writes no memory of the process.
        unsafe {
            asm!(
                "syscall",
                inlateout("rax") ARCH_PRCTL => answer,
                in("rdi") ARCH_REQ_XCOMP_PERM,
                in("rsi") XFEATURE_XTILEDATA,
                out("rcx") _,
                out("r11") _,
                options(nostack, nomem),
            );
        }
        answer == 0
    }
}

/// Tests of rounded products ask what there is: where a processor has the instructions and this module
/// passed them over, they would test nothing and be green.
#[cfg(all(
    test,
    feature = "bf16",
    not(feature = "f64"),
    target_arch = "x86_64",
    target_os = "linux"
))]
#[test]
fn nothing_that_the_system_names_is_passed_over() {
    let system =
        std::fs::read_to_string("/proc/cpuinfo").expect("Linux names the processor's flags");
    let all =
        |flags: &[&str]| flags.iter().all(|flag| system.split_whitespace().any(|s| s == *flag));
    assert_eq!(has_bf16(), all(&["avx512f", "avx512bw", "avx512_bf16"]));
    assert_eq!(has_tiles(), has_bf16() && all(&["amx_tile", "amx_bf16"]));
}

#[cfg(not(all(feature = "bf16", not(feature = "f64"), target_arch = "x86_64")))]
mod here {
    pub(crate) fn has_bf16() -> bool {
        false
    }

    pub(crate) fn has_tiles() -> bool {
        false
    }
}
