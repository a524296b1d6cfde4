//! The smallest circle: one question, eight answers.
//!
//!     cargo run --release -p full_circle --example smallest_circle

use full_circle::Kind;

fn main() {
    // Chapter 1's thermometer: it was 14° at nine, 17° at ten, 20° at one. How warm was it at half past ten?
    let (hours, degrees) = ([0.0, 1.0, 4.0], [14.0, 17.0, 20.0]);
    let half_past_ten = [1.5];
    let answers = Kind::ALL.map(|kind| {
        let parameter = if kind == Kind::LeastSquares { 0.1 } else { 1.0 };
        let weights = kind.weights(parameter, &half_past_ten, &hours); // (3, 1)
        let answer = kind.curve(parameter, &half_past_ten, &hours, &degrees)[0];
        println!(
            "{:18} {answer:5.1}°, weights {:5.2} {:5.2} {:5.2}",
            kind.name(),
            weights[0],
            weights[1],
            weights[2]
        );
        answer
    });
    // The local line goes on where the mean of what is near falls back.
    let [_, _, constant, line, ..] = answers;
    assert!(line > constant + 0.5, "{line} and {constant}");
}
