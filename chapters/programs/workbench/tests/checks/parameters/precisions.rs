//! Numbers of other precisions: each is read as the number it stands for.

use super::foreign::{Tensor, load_foreign, write};
use safetensors::tensor::Dtype;
use shared::{Float, Matrix, Param};
use workbench::parameters::{Entry, Foreign, Theirs};

/// The numbers of a tensor `[n]`, or what is said of it.
fn read(dtype: Dtype, n: usize, bytes: Vec<u8>) -> Result<Vec<Float>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let tensor: Tensor = ("x".to_owned(), dtype, vec![n], bytes);
    write(&path, &[tensor]);
    let table = Foreign { prefixes: vec![], entries: vec![Entry::new("0", Theirs::new("x", [n]))] };
    let mut model = vec![Param::new(Matrix::zeros(n, 1))];
    match load_foreign(&path, &mut model, &table) {
        Ok(_) => Ok(model[0].value().as_slice().to_vec()),
        Err(error) => Err(error.to_string().replace(&path.display().to_string(), "FILE")),
    }
}

/// A third, the least of all, −0, the largest; then what is none. By IEEE 754, of 5 and of 8 bits of exponent.
#[test]
fn numbers_of_half_precision_are_read_exactly() {
    let half = 2f32.powi(-24);
    let brain = f32::from_bits(1 << 16); // 2⁻¹³³
    for (dtype, bits, numbers, infinite) in [
        (Dtype::F16, [0x3555, 1, 0x8000, 0x7bff], [0.333_251_95, half, -0.0, 65504.0], 0x7c00),
        (
            Dtype::BF16,
            [0x3eab, 1, 0x8000, 0x7f7f],
            [0.333_984_38, brain, -0.0, 3.389_531_4e38],
            0x7f80,
        ),
    ] {
        let bytes = bits.iter().flat_map(|bits: &u16| bits.to_le_bytes()).collect();
        let found = read(dtype, 4, bytes).unwrap();
        assert!(found.iter().zip(numbers).all(|(x, y)| x.to_bits() == y.to_bits()), "{found:?}");
        for (bits, x) in [(infinite, "inf"), (infinite | 0x8000, "-inf"), (infinite + 1, "NaN")] {
            let bytes = [0, bits].iter().flat_map(|bits: &u16| bits.to_le_bytes()).collect();
            assert_eq!(read(dtype, 2, bytes).unwrap_err(), format!("FILE: tensor `x` holds {x}"));
        }
    }
}

#[test]
fn single_precision_keeps_its_bits_and_double_precision_is_rounded() {
    let single = [0.1, -0.0, 1e-45, f32::MIN_POSITIVE, f32::MAX, f32::MIN];
    let bytes = single.iter().flat_map(|x| x.to_le_bytes()).collect();
    let found = read(Dtype::F32, single.len(), bytes).unwrap();
    assert!(found.iter().zip(single).all(|(x, y)| x.to_bits() == y.to_bits()));

    let double = |numbers: &[f64]| {
        read(Dtype::F64, numbers.len(), numbers.iter().flat_map(|x| x.to_le_bytes()).collect())
    };
    assert_eq!(double(&[0.1, -1.5, 1e-60, 3e38]).unwrap(), [0.1, -1.5, 0.0, 3e38]);
    let too_large = "FILE: tensor `x` holds -1e300, which is too large for F32";
    assert_eq!(double(&[0.0, -1e300, f64::NAN]).unwrap_err(), too_large);
    assert_eq!(double(&[f64::NAN]).unwrap_err(), "FILE: tensor `x` holds NaN");
    assert_eq!(double(&[f64::NEG_INFINITY]).unwrap_err(), "FILE: tensor `x` holds -inf");
}

#[test]
fn numbers_of_other_types_are_refused() {
    for (dtype, bytes) in
        [(Dtype::I64, 16), (Dtype::U8, 2), (Dtype::BOOL, 2), (Dtype::F8_E4M3, 2), (Dtype::F4, 1)]
    {
        let needed = "F32 or F64 or F16 or BF16 is needed";
        let said = read(dtype, 2, vec![0; bytes]).unwrap_err();
        assert_eq!(said, format!("FILE: tensor `x` is {dtype}, {needed}"));
    }
}
