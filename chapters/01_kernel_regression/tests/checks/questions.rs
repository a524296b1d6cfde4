//! The answers of `questions.md`, computed.

use kernel_regression::{Kernel, leave_one_out, mean_squared_error, nadaraya_watson, quotient};
use tests::questions::{answers, option};

#[test]
fn answers_are_those_computed() {
    let (hours, degrees) = ([9.0, 10.0, 13.0], [14.0, 17.0, 20.0]);
    let at = |hour, kernel, h| nadaraya_watson(&[hour], &hours, &degrees, kernel, h)[0];
    let three = at(15.0, Kernel::Gaussian, 1.0);
    let afternoon = [three > 20.0, (19.99..=20.0).contains(&three), (three - 17.0).abs() < 0.5];

    let far = quotient(&[10.0], &[0.0, 1.0, 2.0], &degrees, Kernel::Gaussian, 0.1)[0];
    let far = [far == 20.0, far == 17.0, far == 0.0, far.is_nan()];

    let values = [2.0, 6.0];
    let predicted = leave_one_out(&[0.0, 1.0], &values, Kernel::Gaussian, 0.1);
    answers(
        env!("CARGO_MANIFEST_DIR"),
        &[
            ("1a", option(afternoon)),
            ("1b", option(far)),
            ("1c", at(10.5, Kernel::Boxcar, 2.0).to_string()),
            ("1d", mean_squared_error(&predicted, &values).to_string()),
        ],
    );
}
