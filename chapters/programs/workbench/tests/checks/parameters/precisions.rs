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

/// What 16 bits stand for, by the definition of IEEE 754: a sign, an exponent and a fraction.
fn by_definition(bits: u16, exponent_bits: u32) -> f64 {
    let fraction_bits = 15 - exponent_bits;
    let (largest, bias) = ((1 << exponent_bits) - 1, (1 << (exponent_bits - 1)) - 1);
    let exponent = (bits >> fraction_bits) as i32 & largest;
    let fraction = (bits & ((1 << fraction_bits) - 1)) as f64 / 2f64.powi(fraction_bits as i32);
    let size = match exponent {
        0 => fraction * 2f64.powi(1 - bias), // subnormal: no leading 1
        _ if exponent == largest && fraction == 0.0 => f64::INFINITY,
        _ if exponent == largest => f64::NAN,
        _ => (1.0 + fraction) * 2f64.powi(exponent - bias),
    };
    if bits >> 15 == 1 { -size } else { size }
}

#[test]
fn every_number_of_half_precision_is_read_exactly() {
    for (dtype, exponent_bits, how_many) in [(Dtype::F16, 5, 2 * 1024), (Dtype::BF16, 8, 2 * 128)] {
        let (finite, others): (Vec<u16>, Vec<u16>) =
            (0..=u16::MAX).partition(|bits| by_definition(*bits, exponent_bits).is_finite());
        assert_eq!(others.len(), how_many); // infinities and NaN
        let bytes = finite.iter().flat_map(|bits| bits.to_le_bytes()).collect();
        let found = read(dtype, finite.len(), bytes).unwrap();
        for (bits, x) in finite.iter().zip(found) {
            let expected = by_definition(*bits, exponent_bits);
            assert_eq!((x as f64).to_bits(), expected.to_bits(), "{dtype} {bits:#06x}"); // −0, too
        }
        for bits in others.into_iter().step_by(37) {
            let bytes = [0, bits].iter().flat_map(|bits| bits.to_le_bytes()).collect();
            let x = by_definition(bits, exponent_bits);
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
