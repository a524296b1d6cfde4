//! `--precision`.

use super::say_aside;
use clap::{Args, ValueEnum};
use shared::Precision;

/// In which precision a program computes its products; add it to a command's own arguments with
/// `#[command(flatten)]`.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct PrecisionArgs {
    /// In how many bits matrix products read their factors
    #[arg(long, value_enum, default_value_t)]
    precision: Choice,
}

#[derive(ValueEnum, Clone, Copy, Debug, Default)]
enum Choice {
    /// All 32
    #[default]
    F32,
    /// 16, where the processor is faster with them; everything but products stays as it is
    Bf16,
}

impl PrecisionArgs {
    /// Computes so from now on; in f32, with a line that says so, where the processor knows no bf16.
    pub fn begin(self) {
        let wanted = match self.precision {
            Choice::F32 => Precision::F32,
            Choice::Bf16 => Precision::Bf16,
        };
        if wanted.is_supported() {
            return wanted.begin();
        }
        let line = "--precision bf16: this processor has no AVX-512 BF16; products stay in f32";
        say_aside(line);
    }
}
