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
    /// Multiplications from which on products round their factors.
    from: u64,
    line: Option<String>,
}

impl PrecisionArgs {
    /// Computes so from now on, and says in one line how. Where the processor knows no bf16, products stay
    /// in f32 for `bf16`; of its ways to multiply rounded factors it takes a fast one, and leaves those products in
    /// f32 that would lose by it, by a trial of some ten milliseconds. (A run that goes on from a checkpoint takes
    /// what was found before it.)
    ///
    /// # Errors
    /// `bf16x3` on a processor without bf16.
    pub fn begin(self) -> Result<()> {
        let trial = Precision::Bf16.is_supported().then_some(Trial::run as fn() -> Trial);
        let Decision { precision, unit, from, line } = self.decide(trial)?;
        precision.begin_with_threshold(from);
        unit.begin();
        if let Some(line) = line {
            say_aside(format_args!("--precision {line}"));
        }
        Ok(())
    }

    /// `trial`: that of the processor, if it has bf16.
    fn decide(self, trial: Option<impl FnOnce() -> Trial>) -> Result<Decision> {
        let in_f32 = Decision {
            precision: Precision::F32,
            unit: Backend::Bf16,
            from: Precision::threshold(),
            line: None,
        };
        let (precision, ways) = match self.precision {
            Choice::F32 => return Ok(in_f32),
            Choice::Bf16 => (Precision::Bf16, "rounded factors, multiplied"),
            Choice::Bf16x3 => (Precision::Bf16x3, "three products in place of one,"),
        };
        let Some(trial) = trial else {
            if precision == Precision::Bf16x3 {
                return Err(Error::argument(
                    "--precision bf16x3: this processor has no AVX-512 BF16",
                ));
            }
            let line = "bf16: this processor has no AVX-512 BF16; products stay in f32";
            return Ok(Decision { line: Some(line.to_owned()), ..in_f32 });
        };
        let (unit, from) = trial().faster(precision);
        let name = precision.name();
        let line = if from == u64::MAX {
            format!(
                "{name}: slower than f32 on this processor in products of every size tried; they stay in f32"
            )
        } else {
            let mut line = format!("{name}: {ways} {}", by(unit));
            if from > in_f32.from {
                line += &format!(
                    "; products of less than {from} multiplications, which would lose, stay in f32"
                );
            }
            line
        };
        Ok(Decision { precision, unit, from, line: Some(line) })
    }
}

fn by(unit: Backend) -> &'static str {
    match unit {
        Backend::Bf16 => "by AVX-512 BF16",
        Backend::F32 => "by instructions for f32, which are faster here than those of AVX-512 BF16",
        Backend::Tiles => "by AMX tiles",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::Times;
    use std::time::Duration;

    /// The decision where layers take so many microseconds by f32, bf16, rounded in f32, tiles and three products; by
    /// tiles 0 where the processor has none.
    fn decided(precision: Choice, times: [[u64; 5]; 3]) -> Decision {
        let times = times.map(|times| {
            let [whole, bf16, f32, tiles, split] = times.map(Duration::from_micros);
            Times { whole, bf16, f32, tiles: (!tiles.is_zero()).then_some(tiles), split }
        });
        PrecisionArgs { precision }.decide(Some(|| Trial(times))).unwrap()
    }

    #[test]
    fn the_faster_way_is_taken_and_said_and_what_would_lose_stays_in_f32() {
        for (times, unit, said) in [
            ([100, 50, 100, 0, 150], Backend::Bf16, "by AVX-512 BF16"),
            ([150, 216, 115, 0, 600], Backend::F32, "than those of AVX-512 BF16"),
            ([150, 216, 115, 30, 80], Backend::Tiles, "by AMX tiles"),
        ] {
            let decision = decided(Choice::Bf16, [times; 3]);
            assert_eq!((decision.precision, decision.unit), (Precision::Bf16, unit));
            assert!(decision.line.unwrap().ends_with(said), "{said}");
        }
        let [slow, fast] = [[100, 50, 90, 30, 130], [100, 50, 90, 30, 60]];
        for (times, from, said) in [
            (
                [fast; 3],
                Precision::threshold(),
                "bf16x3: three products in place of one, by AMX tiles",
            ),
            (
                [slow, slow, fast],
                1 << 24,
                "bf16x3: three products in place of one, by AMX tiles; products of less than 16777216 multiplications, which would lose, stay in f32",
            ),
            (
                [fast, fast, slow],
                u64::MAX,
                "bf16x3: slower than f32 on this processor in products of every size tried; they stay in f32",
            ),
        ] {
            let decision = decided(Choice::Bf16x3, times);
            assert_eq!((decision.unit, decision.from), (Backend::Tiles, from));
            assert_eq!(decision.line.unwrap(), said);
        }
    }

    #[test]
    fn without_bf16_products_stay_in_f32_or_are_refused() {
        let decide = |precision| PrecisionArgs { precision }.decide(None::<fn() -> Trial>);
        let decision = decide(Choice::Bf16).unwrap();
        assert_eq!(decision.precision, Precision::F32);
        assert!(decision.line.unwrap().contains("no AVX-512 BF16; products stay in f32"));
        // Of a program that ends with it, exit code 2.
        let refused = decide(Choice::Bf16x3).unwrap_err();
        assert!(matches!(refused, Error::Argument(_)));
        let line = "--precision bf16x3: this processor has no AVX-512 BF16";
        assert_eq!(refused.to_string(), line);
    }
}
