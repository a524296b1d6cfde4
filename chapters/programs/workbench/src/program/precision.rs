//! `--precision`.

use super::say_aside;
use crate::error::{Error, Result};
use clap::{Args, ValueEnum};
use shared::{Backend, Precision, Trial};

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
    /// 16 and 16 more in the same products: three in place of one, with about ten times the error of f32
    Bf16x3,
}

/// What a program computes in, and what it says about that.
#[derive(Debug, PartialEq)]
struct Decision {
    precision: Precision,
    unit: Backend,
    line: Option<String>,
}

impl PrecisionArgs {
    /// Computes so from now on, and says in one line how. Where the processor knows no bf16, products stay
    /// in f32 for `bf16`; of its ways to multiply rounded factors it takes a fast one, by a trial of a
    /// few milliseconds. (A run that goes on from a checkpoint takes that of the checkpoint.)
    ///
    /// # Errors
    /// `bf16x3` on a processor without bf16.
    pub fn begin(self) -> Result<()> {
        let trial = Precision::Bf16.is_supported().then_some(Trial::run as fn() -> Trial);
        let Decision { precision, unit, line } = self.decide(trial)?;
        precision.begin();
        unit.begin();
        if let Some(line) = line {
            say_aside(format_args!("--precision {line}"));
        }
        Ok(())
    }

    /// `trial`: that of the processor, if it has bf16.
    fn decide(self, trial: Option<impl FnOnce() -> Trial>) -> Result<Decision> {
        let in_f32 = Decision { precision: Precision::F32, unit: Backend::Bf16, line: None };
        match (self.precision, trial) {
            (Choice::F32, _) => Ok(in_f32),
            (Choice::Bf16, None) => {
                let line = "bf16: this processor has no AVX-512 BF16; products stay in f32";
                Ok(Decision { line: Some(line.to_owned()), ..in_f32 })
            }
            (Choice::Bf16x3, None) => {
                Err(Error::argument("--precision bf16x3: this processor has no AVX-512 BF16"))
            }
            (Choice::Bf16, Some(trial)) => {
                let unit = trial().faster();
                let line = format!("bf16: rounded factors, multiplied {}", by(unit));
                Ok(Decision { precision: Precision::Bf16, unit, line: Some(line) })
            }
            (Choice::Bf16x3, Some(trial)) => {
                let (unit, is_slower) = trial().faster_split();
                let slower =
                    if is_slower { ", slower than one in f32 on this processor" } else { "" };
                let line = format!("bf16x3: three products {} in place of one{slower}", by(unit));
                Ok(Decision { precision: Precision::Bf16x3, unit, line: Some(line) })
            }
        }
    }
}

fn by(unit: Backend) -> &'static str {
    match unit {
        Backend::Bf16 => "by AVX-512 BF16",
        Backend::F32 => "in f32, which is faster than AVX-512 BF16 on this processor",
        Backend::Tiles => "by AMX tiles",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// The decision where a product takes so many microseconds by bf16, f32 and tiles; 0 where the processor has none.
    fn decided(precision: Choice, times: [u64; 3]) -> Result<Decision> {
        let [bf16, f32, tiles] = times.map(Duration::from_micros);
        let tiles = (!tiles.is_zero()).then_some(tiles);
        let trial = (!bf16.is_zero()).then_some(move || Trial { bf16, f32, tiles });
        PrecisionArgs { precision }.decide(trial)
    }

    #[test]
    fn the_faster_way_is_taken_and_said() {
        for (times, unit, said) in [
            ([50, 100, 0], Backend::Bf16, "by AVX-512 BF16"),
            ([216, 115, 0], Backend::F32, "in f32, which is faster"),
            ([216, 115, 30], Backend::Tiles, "by AMX tiles"),
        ] {
            let decision = decided(Choice::Bf16, times).unwrap();
            assert_eq!((decision.precision, decision.unit), (Precision::Bf16, unit));
            assert!(decision.line.unwrap().contains(said));
        }
        for (times, unit, slower) in [
            ([25, 100, 0], Backend::Bf16, false),
            ([50, 100, 0], Backend::Bf16, true),
            ([216, 115, 30], Backend::Tiles, false),
        ] {
            let decision = decided(Choice::Bf16x3, times).unwrap();
            assert_eq!((decision.precision, decision.unit), (Precision::Bf16x3, unit));
            assert_eq!(decision.line.unwrap().contains("slower"), slower);
        }
    }

    #[test]
    fn without_bf16_products_stay_in_f32_or_are_refused() {
        let decision = decided(Choice::Bf16, [0; 3]).unwrap();
        assert_eq!(decision.precision, Precision::F32);
        assert!(decision.line.unwrap().contains("no AVX-512 BF16; products stay in f32"));
        // Of a program that ends with it, exit code 2.
        let refused = decided(Choice::Bf16x3, [0; 3]).unwrap_err();
        assert!(matches!(refused, Error::Argument(_)));
        let line = "--precision bf16x3: this processor has no AVX-512 BF16";
        assert_eq!(refused.to_string(), line);
    }
}
