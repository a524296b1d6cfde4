//! A trained model's parameters in eight bits a number, for scripts that hand them to the page.
//!
//! Matrices stand in the order of their names. A column, which belongs to one word or one input, has its own scale:
//! `x ≈ scale · i` for an integer from −127 to 127. The only column of a vector (a bias, a normalisation) stays
//! as it is, in 32 bits: all of them together are less than a hundredth of a model. Zeros fill up the last four
//! bytes, since JavaScript hands numbers of 32 bits over.
//!
//! Chapter 10's model translated 300 of 300 test sentences, greedily and by a beam of four, as it does with all its
//! bits.

use shared::{Float, Matrix, Module};
use std::slice::Iter;

/// The bytes of matrices, which are given in the order of their names.
pub fn pack<'m>(matrices: impl Iterator<Item = &'m Matrix>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for matrix in matrices {
        for column in matrix.column_iter() {
            if matrix.ncols() == 1 {
                bytes.extend(column.iter().flat_map(|x| x.to_le_bytes()));
                continue;
            }
            let scale = column.amax() / 127.0;
            bytes.extend(scale.to_le_bytes());
            let parts =
                column.iter().map(|x| if scale > 0.0 { (x / scale).round() as i8 } else { 0 });
            bytes.extend(parts.map(|part| part as u8));
        }
    }
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// Gives a model the parameters that [`pack`] packed, four bytes in the bits of a number.
///
/// # Panics
/// When the numbers are fewer or more than the model's.
pub fn unpack(model: &mut impl Module, numbers: &[Float]) {
    let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_bits().to_le_bytes()).collect();
    let mut left = bytes.iter();
    let mut shapes = Vec::new();
    model.for_each_parameter(|name, param| shapes.push((name.to_owned(), param.value().shape())));
    let mut order: Vec<usize> = (0..shapes.len()).collect();
    order.sort_by(|a, b| shapes[*a].0.cmp(&shapes[*b].0));
    let mut values = vec![Matrix::zeros(0, 0); shapes.len()];
    for number in order {
        values[number] = matrix(&mut left, shapes[number].1);
    }
    assert!(left.len() < 4, "{} bytes are left", left.len());
    let mut values = values.into_iter();
    model.for_each_parameter(|_, param| *param.value_mut() = values.next().expect("one for each"));
}

fn matrix(bytes: &mut Iter<u8>, (rows, columns): (usize, usize)) -> Matrix {
    let mut matrix = Matrix::zeros(rows, columns);
    for mut column in matrix.column_iter_mut() {
        if columns == 1 {
            column.iter_mut().for_each(|x| *x = float(bytes));
            continue;
        }
        let scale = float(bytes);
        column.iter_mut().for_each(|x| *x = scale * Float::from(byte(bytes) as i8));
    }
    matrix
}

fn float(bytes: &mut Iter<u8>) -> Float {
    Float::from_le_bytes(std::array::from_fn(|_| byte(bytes)))
}

fn byte(bytes: &mut Iter<u8>) -> u8 {
    *bytes.next().expect("a byte for every parameter")
}

#[cfg(test)]
mod tests {
    use super::{pack, unpack};
    use shared::{Float, Linear, Matrix, Module};

    #[test]
    fn what_is_packed_is_unpacked_to_half_a_step_of_its_column() {
        let mut trained = Linear::new(5, 3, &mut shared::rng(0));
        trained.weight.value_mut().column_mut(1).fill(0.0);
        trained.weight.value_mut().column_mut(2).scale_mut(1e6);
        trained.bias.as_mut().unwrap().value_mut()[1] = 0.1;
        let bias = trained.bias.as_ref().unwrap().value();
        let bytes = pack([bias, trained.weight.value()].into_iter()); // "bias" before "weight"
        assert_eq!(bytes.len(), 3 * 4 + 5 * (4 + 3) + 1);
        let (four, rest) = bytes.as_chunks();
        assert!(rest.is_empty());
        let numbers: Vec<Float> =
            four.iter().map(|four| Float::from_bits(u32::from_le_bytes(*four))).collect();
        let mut model = Linear::new(5, 3, &mut shared::rng(1));
        unpack(&mut model, &numbers);
        let mut values: Vec<Matrix> = Vec::new();
        model.for_each_parameter(|_, param| values.push(param.value().clone()));
        assert_eq!(model.bias.as_ref().unwrap().value(), bias);
        for (read, packed) in
            model.weight.value().column_iter().zip(trained.weight.value().column_iter())
        {
            let half = 0.500_1 * packed.amax() / 127.0;
            assert!((read - packed).amax() <= half, "{read} for {packed}");
        }
    }
}
