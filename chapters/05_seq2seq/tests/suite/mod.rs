//! What the exercises of chapter 5 must do, and typical mistakes that the checks must reject.

mod mistakes;

use seq2seq::bleu::corpus_bleu;
use seq2seq::decoding::{beam, greedy};
use seq2seq::{Batch, Next, Translator};
use shared::{Float, Matrix, Module, Rng, Tape, Var, Visitor};
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Suite};
use tests::{assert_close, expect, finite_difference};

use crate::attempt;
use mistakes::*;

type Continuations = Vec<(usize, usize, f64)>;
type TeacherForcing = fn(&[usize], usize, usize) -> (Vec<usize>, Vec<usize>);
type ClippedMatches = fn(&[&str], &[&str], usize) -> (usize, usize);

/// One field an exercise.
#[derive(Clone, Copy)]
pub struct Table {
    pub teacher_forcing: TeacherForcing,
    pub clipped_matches: ClippedMatches,
    pub bleu: fn([usize; 4], [usize; 4], usize, usize) -> f64,
    pub cross_entropy_gradient: fn(&Matrix, &[usize]) -> Matrix,
    pub beam_step: fn(&[f64], &Matrix, usize) -> Continuations,
    pub trap: fn() -> Matrix,
    pub perplexity: fn(&[(f64, usize)]) -> f64,
    pub source_of: fn(&[(usize, usize)]) -> Vec<usize>,
}

/// The functions of the module that this test program calls `attempt`: exercises or solutions.
pub fn table() -> Table {
    Table {
        teacher_forcing: attempt::teacher_forcing,
        clipped_matches: attempt::clipped_matches,
        bleu: attempt::bleu,
        cross_entropy_gradient: attempt::cross_entropy_gradient,
        beam_step: attempt::beam_step,
        trap: attempt::trap,
        perplexity: attempt::perplexity,
        source_of: attempt::source_of,
    }
}

pub fn suite() -> Suite<Table> {
    let exercise = |number, title, kind, difficulty, minutes, check, mistakes| Exercise {
        number,
        title,
        kind,
        difficulty,
        minutes,
        check,
        mistakes,
    };
    use Kind::{Derive, Implement, SpotTheBug};
    Suite::new(env!("CARGO_MANIFEST_DIR"))
        .exercise(exercise(1, "teacher forcing", Implement, 1, 5, teacher_forcing, TEACHER))
        .exercise(exercise(2, "clipped counts", Implement, 2, 15, clipped_matches, CLIPPED))
        .exercise(exercise(3, "BLEU from its counts", Implement, 1, 10, bleu, BLEU))
        .exercise(exercise(
            4,
            "the gradient of the cross-entropy",
            Derive,
            2,
            15,
            gradient,
            GRADIENT,
        ))
        .exercise(exercise(5, "one step of a beam", Implement, 3, 25, beam_step, BEAM_STEP))
        .exercise(exercise(6, "a trap for a beam of two", Derive, 2, 20, trap, TRAP))
        .exercise(exercise(7, "spot the bug: perplexity", SpotTheBug, 1, 5, perplexity, PERPLEXITY))
        .exercise(exercise(
            8,
            "spot the bug: whose context?",
            SpotTheBug,
            2,
            15,
            source_of,
            SOURCE_OF,
        ))
}

fn teacher_forcing(table: &Table) {
    for target in [&[7, 5, 9][..], &[4], &[]] {
        let (given, answers) = (table.teacher_forcing)(target, 1, 2);
        assert!(
            given.len() == answers.len(),
            "teacher_forcing({target:?}, 1, 2): {} words given, but {} answers",
            given.len(),
            answers.len()
        );
        assert!(
            given.first() == Some(&1),
            "teacher_forcing({target:?}, 1, 2): the decoder is first given the begin word 1, not {:?}",
            given.first()
        );
        assert!(
            answers.last() == Some(&2),
            "teacher_forcing({target:?}, 1, 2): the last answer is the end word 2: how else would it learn to stop?"
        );
        assert!(
            given[1..] == *target && answers[..target.len()] == *target,
            "teacher_forcing({target:?}, 1, 2) is ({given:?}, {answers:?}): the answer at every step is the word that is given next"
        );
    }
}

fn clipped_matches(table: &Table) {
    let words = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
    let count = |candidate: &'static str, reference: &'static str, n, expected, why: &str| {
        let found = (table.clipped_matches)(&words(candidate), &words(reference), n);
        assert!(
            found == expected,
            "clipped_matches({candidate:?}, {reference:?}, {n}) is {found:?}, not {expected:?}: {why}"
        );
    };
    let the = "`the` stands in the reference twice, so two of seven match";
    count("the the the the the the the", "the cat is on the mat", 1, (2, 7), the);
    count(
        "the cat sat",
        "the the cat",
        1,
        (2, 3),
        "a run counts as often as in the shorter of the two",
    );
    count("le chat noir dort", "le chat dort", 1, (3, 4), "the runs are the candidate's");
    count("le chat noir dort", "le chat dort", 2, (1, 3), "only `le chat` stands in both");
    let order = "a run is matched by the same words in the same order, side by side";
    count("noir chat le", "le chat noir", 2, (0, 2), order);
    count("a b a b a", "a b a b", 2, (3, 4), "`a b` twice and `b a` once");
    count(
        "noir chat le",
        "le chat noir",
        1,
        (3, 3),
        "where in the sentence a run stands is all one",
    );
    count("en fin", "enf in", 2, (0, 1), "runs are compared word by word, not letter by letter");
    count("oui", "oui oui", 2, (0, 0), "one word has no run of two");
}

fn bleu(table: &Table) {
    let score = |matches, runs, c, r| (table.bleu)(matches, runs, c, r);
    let close = |found: f64, expected: f64, what: &str| {
        assert!((found - expected).abs() < 1e-9, "{what}: {found}, not {expected}");
    };
    close(score([7, 6, 5, 4], [7, 6, 5, 4], 7, 7), 1.0, "a perfect candidate");
    let worked = (6.0 / 7.0 * 4.0 / 6.0 * 3.0 / 5.0 * 2.0 / 4.0_f64).powf(0.25);
    close(score([6, 4, 3, 2], [7, 6, 5, 4], 7, 7), worked, "a geometric mean of four shares");
    let short = (1.0 - 9.0 / 7.0_f64).exp() * worked;
    close(
        score([6, 4, 3, 2], [7, 6, 5, 4], 7, 9),
        short,
        "7 words for 9: the penalty is exp(1 − 9/7)",
    );
    close(
        score([6, 4, 3, 2], [7, 6, 5, 4], 7, 5),
        worked,
        "7 words for 5: too long is not punished here",
    );
    close(score([5, 2, 1, 0], [6, 5, 4, 3], 6, 6), 0.0, "a share of 0");
    close(score([3, 2, 1, 0], [3, 2, 1, 0], 3, 3), 0.0, "three words have no run of four to share");
    let corpus = [["le chat noir dort sur le lit", "le chat noir dort sur mon grand lit"]];
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let [candidates, references] = [0, 1].map(|i| corpus.map(|pair| words(pair[i])).to_vec());
    let whole = corpus_bleu(&candidates, &references) / 100.0;
    close(score([6, 4, 3, 2], [7, 6, 5, 4], 7, 8), whole, "as seq2seq::bleu::corpus_bleu has it");
}

fn gradient(table: &Table) {
    let logits = Matrix::from_row_slice(3, 2, &[1.0, -0.5, 0.0, 2.0, -2.0, 0.5]);
    let targets = [2, 0];
    let loss = |z: &nalgebra::DMatrix<f64>| -> f64 {
        let of = |j: usize| z.column(j).map(f64::exp).sum().ln() - z[(targets[j], j)];
        (0..2).map(of).sum()
    };
    let right = finite_difference(loss, &logits);
    expect((table.cross_entropy_gradient)(&logits, &targets), right.clone(), 1e-6)
        .of("cross_entropy_gradient(logits, [2, 0])")
        .given("logits", &logits)
        .or_hint(-&right, "the sign is turned round: a larger logit of the target lowers the loss")
        .or_hint(&right * 0.5, "this is the gradient of the mean: the loss is summed over columns")
        .or_hint(
            targets_alone(&logits, &targets),
            "the other words' logits stand in the logarithm of the sum, too",
        )
        .or_hint(probabilities(&logits), "these are the probabilities: where has the target gone?")
        .check();
    let large = Matrix::from_row_slice(2, 1, &[1000.0, 0.0]);
    expect((table.cross_entropy_gradient)(&large, &[1]), [1.0, -1.0], 1e-6)
        .of("cross_entropy_gradient([1000, 0], [1])")
        .check();
    let large = Matrix::from_row_slice(2, 3, &[1000.0, -1001.0, -1000.0, 999.0, -1000.0, 1000.0]);
    let found = (table.cross_entropy_gradient)(&large, &[1, 0, 0]);
    assert!(
        found.iter().all(|x| x.is_finite()),
        "cross_entropy_gradient({large}, [1, 0, 0]) is {found}: subtract each column's own largest logit before exp"
    );
    let p = 0.731_058_6;
    expect(found, [[p, -p, -1.0], [-p, p, 1.0]], 1e-6)
        .of("cross_entropy_gradient(logits, [1, 0, 0])")
        .given("logits", &large)
        .check();
}

fn beam_step(table: &Table) {
    let logits = Matrix::from_row_slice(3, 2, &[2.0, 10.0, 1.0, 10.5, -1.0, 9.0]);
    let sums = [-1.0, -2.0];
    let right = attempt_free_beam_step(&sums, &logits, 4);
    let found = (table.beam_step)(&sums, &logits, 4);
    assert!(found.len() == 4, "beam_step(…, 4) returns {} continuations", found.len());
    for (place, (found, right)) in found.iter().zip(&right).enumerate() {
        assert!(
            (found.0, found.1) == (right.0, right.1),
            "beam_step([-1, -2], {logits}, 4): at place {place} stands word {} after beginning {} (ln p {:.4}), but word {} after {} is more probable (ln p {:.4})",
            found.1,
            found.0,
            found.2,
            right.1,
            right.0,
            right.2
        );
        assert_close!(
            found.2,
            right.2,
            1e-6,
            "ln p of word {} after beginning {}",
            right.1,
            right.0
        );
    }
    let large = Matrix::from_row_slice(2, 2, &[1000.0, -1000.0, 999.0, -1001.0]);
    let found = (table.beam_step)(&[0.0, -0.1], &large, 3);
    let sums: Vec<f64> = found.iter().map(|step| step.2).collect();
    assert!(sums.iter().all(|sum| sum.is_finite()), "logits of ±1000 give ln p = {sums:?}");
    let places: Vec<_> = found.iter().map(|step| (step.0, step.1)).collect();
    assert!(places == [(0, 0), (1, 0), (0, 1)], "logits of ±1000: {places:?}");
    let all = (table.beam_step)(&[0.0, -0.1], &large, 10);
    assert!(all.len() == 4, "of 4 continuations, a width of 10 keeps all, not {}", all.len());
    let found = (table.beam_step)(&[-0.5], &Matrix::from_column_slice(2, 1, &[1000.0, -1000.0]), 2);
    let sums: Vec<f64> = found.iter().map(|step| step.2).collect();
    assert_close!(
        sums,
        [-0.5, -2000.5],
        1e-6,
        "logits 1000 and -1000: a probability of e^−2000 is 0 in the computer, its logarithm is −2000"
    );
    let found = (table.beam_step)(&[-1.0, -9.0], &logits, 3);
    let beginnings: Vec<_> = found.iter().map(|step| step.0).collect();
    assert!(
        beginnings == [0, 0, 0],
        "beam_step([-1, -9], {logits}, 3) continues the beginnings {beginnings:?}: all places may go to one beginning"
    );
}

fn trap(table: &Table) {
    let p = (table.trap)();
    assert!(p.shape() == (4, 4), "a trap of shape {:?}, not (4, 4)", p.shape());
    for (j, column) in p.column_iter().enumerate() {
        assert!(
            column.iter().all(|p| (0.0..=1.0).contains(p)),
            "column {j} holds no probabilities: {column}"
        );
        assert!((column.sum() - 1.0).abs() < 1e-5, "column {j} sums to {}, not 1", column.sum());
    }
    let model = Chain(p);
    let best = model.best();
    let found = beam(&model, &[2], 2, 0.0);
    let probability = if found.ended { found.log_probability.exp() } else { 0.0 };
    assert!(
        best > 0.01,
        "the best sentence of up to six words has a probability of {best:.4} only: nearly nothing ever ends"
    );
    assert!(
        probability <= 0.5 * best + 1e-6,
        "a beam of two finds a sentence of probability {probability:.3}, the best one has {best:.3}: that is no trap"
    );
    let greedy = greedy(&model, &[2]);
    assert!(greedy.log_probability.exp() <= best + 1e-6);
}

/// p(next | last): the model of exercise 5.6 as a translator.
struct Chain(Matrix);

impl Chain {
    /// The probability of the most probable sentence of up to six words.
    fn best(&self) -> f64 {
        let mut open = vec![(1.0_f64, 0)]; // probability, last word
        let mut best: f64 = 0.0;
        for _ in 0..7 {
            best =
                open.iter().map(|(p, last)| p * f64::from(self.0[(0, *last)])).fold(best, f64::max);
            let longer = |(p, last): &(f64, usize)| {
                let (p, last) = (*p, *last);
                (1..4).map(move |word| (p * f64::from(self.0[(word, last)]), word))
            };
            open = open.iter().flat_map(longer).collect();
        }
        best
    }
}

impl Module for Chain {
    fn visit(&mut self, _: &mut Visitor) {}
}

impl Translator for Chain {
    type State = ();

    fn loss<'t>(&self, _: &'t Tape, _: &Batch, _: Option<&mut Rng>) -> Var<'t> {
        unreachable!("it is not trained")
    }

    fn encode(&self, _: &[usize]) {}

    /// Word numbers are `<unk>`, `<bos>`, `<eos>`, then 1, 2, 3 of the exercise.
    fn next(&self, _: &(), last: usize) -> Next<()> {
        let column = self.0.column(last.saturating_sub(2));
        let p: [Float; 6] = [0.0, 0.0, column[0], column[1], column[2], column[3]];
        Next { state: (), log_probabilities: p.map(Float::ln).to_vec(), alignment: Vec::new() }
    }
}

fn perplexity(table: &Table) {
    let even = [(30.0, 10), (50.0, 10)];
    let found = (table.perplexity)(&even);
    assert!((found - 4.0_f64.exp()).abs() < 1e-9, "perplexity({even:?}) is {found}, not e⁴");
    let uneven = [(90.0, 30), (9.0, 1)];
    let (found, right) = ((table.perplexity)(&uneven), (99.0 / 31.0_f64).exp());
    assert!(
        (found - right).abs() < 1e-9,
        "perplexity({uneven:?}) is {found:.3}, not {right:.3}: 30 of 31 words have a cross-entropy of 3"
    );
}

fn source_of(table: &Table) {
    let check = |pairs: &[(usize, usize)], why: &str| {
        let pairs_of_words: Vec<(Vec<usize>, Vec<usize>)> =
            pairs.iter().map(|(s, t)| (vec![3; *s], vec![4; *t])).collect();
        let borrowed: Vec<(&[usize], &[usize])> =
            pairs_of_words.iter().map(|(s, t)| (&s[..], &t[..])).collect();
        let right = Batch::new(&borrowed, 1).source_of;
        let found = (table.source_of)(pairs);
        assert!(found == right, "source_of({pairs:?}) is {found:?}, not {right:?}: {why}");
    };
    let other = "the longest target would start from another sentence's context";
    check(&[(3, 5), (6, 2)], other);
    check(&[(4, 2), (7, 6), (5, 9)], other);
    check(&[(2, 8), (9, 3), (5, 5), (7, 1)], other);
    check(&[(3, 3), (3, 4), (3, 3)], other);
    let stay = "equally long ones stay in the order given, on both sides";
    check(&[(3, 5), (3, 2), (4, 5)], stay);
    let many: Vec<_> = (0..40).map(|i| (1 + 7 * i % 3, 1 + 5 * i % 4)).collect(); // an unstable sort shows
    check(&many, stay);
}

/// What 5.5 asks for, told once more, in another way: all probabilities, then a sort.
fn attempt_free_beam_step(sums: &[f64], logits: &Matrix, width: usize) -> Continuations {
    let mut all = Continuations::new();
    for (b, sum) in sums.iter().enumerate() {
        let exponentials: Vec<f64> = logits.column(b).iter().map(|z| f64::from(*z).exp()).collect();
        let total: f64 = exponentials.iter().sum();
        all.extend(exponentials.iter().enumerate().map(|(v, e)| (b, v, sum + (e / total).ln())));
    }
    all.sort_by(|x, y| y.2.total_cmp(&x.2));
    all[..width].to_vec()
}
