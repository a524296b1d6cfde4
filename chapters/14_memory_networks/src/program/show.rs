//! A story with the weight of every hop.

use super::data::{Example, Lexicon, side_by_side};
use crate::{Alignment, Answers, MemoryNetwork};
use shared::{Float, Matrix, Tape};
use workbench::figure::{Heatmap, Svg};
use workbench::program::say;

const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];

/// What the network says, how sure it is, and the weights (sentences, hops).
pub fn weights(network: &MemoryNetwork, example: &Example) -> (usize, Float, Matrix) {
    let (tape, stories) = (Tape::no_grad(), side_by_side([example]));
    let answered = network.answer(&tape, &stories, Alignment::Softmax);
    let probabilities = answered.logits.softmax().value();
    let word = probabilities.column(0).imax();
    let sentences = example.sentences.len();
    let weights = Matrix::from_fn(sentences, answered.weights.len(), |i, k| answered.weights[k][i]);
    (word, probabilities[word], weights)
}

/// Prints the story with the weights, the question and the answer. So many sentences before are `forgotten`.
pub fn say_answer(network: &MemoryNetwork, lexicon: &Lexicon, example: &Example, forgotten: usize) {
    let (word, sure, weights) = weights(network, example);
    let text = |words| lexicon.text(words);
    for (i, sentence) in example.sentences.iter().enumerate() {
        let bar: String = weights.row(i).iter().map(|w| format!(" {}", bar(*w))).collect();
        let needed = if example.supports.contains(&i) { "*" } else { " " };
        say(format!("{:>3}{needed}{bar}  {}", forgotten + i + 1, text(sentence)));
    }
    let answer = lexicon.word(word);
    say(format!("{}?  {answer} ({:.0} %)\n", text(&example.question), 100.0 * sure));
}

/// A weight as a shade and a percentage.
fn bar(weight: Float) -> String {
    let shade = SHADES[((weight * 5.0) as usize).min(4)];
    format!("{} {:>3.0}", String::from_iter([shade; 2]), 100.0 * weight)
}

/// The weights as a picture, rings around the supporting facts in every hop.
pub fn picture(network: &MemoryNetwork, lexicon: &Lexicon, example: &Example) -> Svg {
    let (word, _, weights) = weights(network, example);
    let text = |words| lexicon.text(words);
    let hops: Vec<String> = (1..=weights.ncols()).map(|hop| format!("hop {hop}")).collect();
    let sentences: Vec<String> =
        example.sentences.iter().map(|words| lexicon.text(words)).collect();
    let rings: Vec<(usize, usize)> = (0..weights.ncols())
        .flat_map(|hop| example.supports.iter().map(move |fact| (*fact, hop)))
        .collect();
    let title = format!("{}?  {}", text(&example.question), lexicon.word(word));
    Heatmap::new(&title, "", "", &weights)
        .x_names(&hops)
        .y_names(&sentences)
        .range(0.0..1.0)
        .rings("a supporting fact", &rings)
        .panel()
}
