//! The committed results, what the comparison is made of, and what can be run again in seconds.

use seq2seq::translating::{Quick, Recipe, Words, quick};
use seq2seq::{BEGIN, Batch, Translator};
use shared::{Tape, rng};
use std::path::Path;
use std::process::Command;
use tests::assert_close;
use transformer::program::{
    BEST, Chapter, EQUAL_TIME, MODELS, Model, OTHERS, OfPositions, OfPrecisions, Results, Sizes,
    VARIANTS, by_positions, by_precision, claims, claims_of_positions, equalised, figures,
};
use transformer::{Norm, Tied};
use workbench::viewer::{State, Viewer};

/// Exit code and what was said.
fn program(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_transformer"));
    let output = program.current_dir(folder).args(arguments.split(' ')).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn committed() -> Results {
    tests::chapter::results(env!("CARGO_MANIFEST_DIR"))
}

/// The models on equal parameters differ by less than the page says, before anything is trained.
#[test]
fn recurrent_models_can_be_made_as_large_as_the_transformer() {
    let (words, parameters) = (Words { source: 540, target: 909 }, 847_232);
    let choices = bahdanau::program::Choices::from(bahdanau::Reading::BothDirections);
    type Six = bahdanau::program::Chapter;
    let config = equalised::<Six, _>(choices, words, parameters);
    let found = Six::parameters(&config, words).unwrap();
    assert!(found.abs_diff(parameters) * 100 < parameters, "{found} parameters");
}

/// Whether a claim held is decided by the numbers beside it; the page has every claim.
#[test]
fn the_claims_follow_from_the_numbers_and_the_page_tells_them() {
    tests::chapter::claims(env!("CARGO_MANIFEST_DIR"), &claims(&committed().models));
}

/// What `--what positions` found, from a file of the figures.
fn of_positions(file: &str) -> OfPositions {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("figures").join(file);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The same of the ways to know a position, and their figure.
#[test]
fn positions_are_judged_and_drawn_by_their_numbers() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let found = of_positions("positions.json");
    assert_eq!(found.models.len(), 11);
    let judged = claims_of_positions(&found.models);
    assert_eq!(judged, found.claims);
    tests::chapter::claims_on_page(folder, &judged);
    for row in found.models.keys().filter(|row| !row.starts_with("alibi")) {
        let mut fewer = found.models.clone();
        fewer.remove(row);
        assert!(!claims_of_positions(&fewer).contains_key("test"), "{row} is not judged");
    }
    tests::chapter::figures(folder, [("positions", by_positions(&found))]);
}

/// The default was chosen by the long part of one corpus. On another, which chose nothing (`--what positions
/// --only sinusoids,shaw_both,rope_both --seed 100`), it is the best there again, with every seed.
#[test]
fn the_default_positions_are_the_best_on_fresh_sentences_too() {
    let (chosen, fresh) = (of_positions("positions.json"), of_positions("positions_fresh.json"));
    assert!(fresh.seeds.iter().all(|seed| !chosen.seeds.contains(seed)));
    assert_eq!(fresh.claims, claims_of_positions(&fresh.models));
    assert!(fresh.models.keys().eq(["rope_both", "shaw_both", "sinusoids"]));
    let default = format!("{}_both", BEST.name());
    let long = |row: &str| &fresh.models[row].parts["long"].bleu;
    for other in fresh.models.keys().filter(|row| **row != default) {
        assert!(long(&default).lowest > long(other).highest, "{default} and {other}");
    }
}

/// What the appendix *Half the bits* quotes and shows.
#[test]
fn precisions_are_drawn_by_their_numbers() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../appendix");
    let text = std::fs::read_to_string(Path::new(folder).join("figures/precision.json")).unwrap();
    let found: OfPrecisions = serde_json::from_str(&text).unwrap();
    assert!(found.models.keys().eq(["bf16", "bf16x3", "f32"]));
    assert!(found.models.values().all(|model| model.losses.len() == model.epochs));
    tests::chapter::figures(folder, [("precision", by_precision(&found).unwrap())]);
}

/// Same seed, same numbers; another processor may round sums of f32 otherwise.
#[test]
fn a_training_of_seconds_can_be_repeated() {
    let Quick { loss } = quick::<Chapter>(&Sizes::QUICK);
    assert_close!(loss, committed().quick.loss, 1e-3);
}

#[test]
fn the_committed_figures_are_drawn_from_the_committed_results() {
    tests::chapter::figures(env!("CARGO_MANIFEST_DIR"), figures(&committed()));
}

/// The links are the grammar's; what silenced heads do is what the chapter says.
#[test]
fn the_committed_page_of_attentions_is_drawn_from_its_own_data() {
    let known = parallel::examples()[0].alignment.clone().unwrap();
    let folder = env!("CARGO_MANIFEST_DIR");
    tests::chapter::attentions(folder, |data| {
        let mut viewer = serde_json::from_str::<Viewer>(data).unwrap();
        viewer.states[0].groups[2].links =
            known.sure.iter().map(|&(read, written)| [written, read]).collect();
        let without = |head: [usize; 3]| {
            let of = |state: &&State| state.silenced == Some(head);
            viewer.states.iter().find(of).unwrap().answer.as_str()
        };
        assert_eq!(without([2, 1, 2]), viewer.states[0].answer);
        assert!(without([2, 1, 0]).contains("la cheval"));
        viewer.html()
    });
    let drawing = std::fs::read_to_string(format!("{folder}/figures/attention.svg")).unwrap();
    assert!(drawing.contains("To write “cheval”, head 3 of block 2 looks at “horse” ("));
}

/// Every row that ran has every seed, and a name that the page knows.
#[test]
fn every_seed_of_every_row_ran() {
    let results = committed();
    let known = [&MODELS[..], &EQUAL_TIME, &VARIANTS, &OTHERS].concat();
    for (name, model) in &results.models {
        assert!(known.contains(&name.as_str()), "{name}");
        for scores in model.parts.values() {
            assert_eq!(scores.bleu.of_seeds.len(), results.seeds.len(), "{name}");
        }
        assert_eq!(model.curve.len(), model.epochs, "{name}");
        assert_eq!(model.losses.len(), model.epochs, "{name}");
    }
}

/// With sinusoids every start gives other inputs; judged, all sentences begin at position 0.
#[test]
fn pairs_begin_at_random_places_while_training_and_at_0_otherwise() {
    let words = Words { source: 9, target: 9 };
    let still = Sizes { dropout: 0.0, smoothing: 0.0, ..Sizes::QUICK };
    let moved = Sizes { start: 16, ..still.clone() };
    let pair: (&[usize], &[usize]) = (&[3, 4, 2], &[5, 6, 7, 2]);
    let batch = Batch::new(&[pair, pair], BEGIN);
    let loss = |sizes: &Sizes, seed: Option<u64>| {
        let model = Chapter::build(sizes, words, &mut rng(0));
        let tape = seed.map_or_else(Tape::without_gradients, |seed| Tape::training(rng(seed)));
        model.loss(&tape, &batch).scalar()
    };
    assert_eq!(loss(&still, Some(1)), loss(&still, Some(2)));
    assert_ne!(loss(&moved, Some(1)), loss(&moved, Some(2)));
    assert_eq!(loss(&moved, None), loss(&still, None));
}

/// No more positions than the table of positions has, and no table that no argument can give.
#[test]
fn a_start_beyond_the_positions_is_refused() {
    let check = |start, longest| Chapter::check(&Sizes { start, longest, ..Sizes::QUICK });
    let reason = check(65, 128).unwrap_err();
    assert!(reason.contains("position 65") && reason.contains("128 tokens"), "{reason}");
    assert!(check(64, 128).is_ok() && check(u32::MAX, 128).is_err() && check(0, u32::MAX).is_err());
    let moved = Sizes { start: 48, ..Sizes::QUICK };
    let model = Chapter::build(&moved, Words { source: 9, target: 9 }, &mut rng(0));
    assert_eq!(Translator::longest(&model), 128 - 48); // wherever it begins, it ends within the table
}

/// A sentence longer than the table of positions is refused before the training.
#[test]
fn sentences_beyond_the_last_place_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let lines = |i: usize| format!("cat {i}\tchat {i}\n");
    let long = "so many words that nine positions cannot hold them all";
    let text: String = (0..40).map(lines).chain([format!("{long}\toui\n")]).collect();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let refused = |arguments: &str, reason: &str| {
        let (code, said) = program(folder.path(), arguments);
        assert!(code == Some(2) && said.contains(reason), "{said}");
    };
    let train =
        "train --data pairs.tsv --min-frequency 1 --width 8 --heads 2 --longest 9 --epochs 1";
    write("pairs.tsv", &text);
    refused(train, "positions for 9");

    write("pairs.tsv", &(0..40).map(lines).collect::<String>());
    assert_eq!(program(folder.path(), train).0, Some(0));
    write("in.txt", &format!("cat 1\n{long}\n"));
    refused("translate --file in.txt --output out.txt", "in.txt:2: the sentence has 11 words");
    // Hardly trained, it does not find an end: the end word would be one position too far.
    refused("translate cat --view look.html --beam 1", "without an end");
}

/// What a row changes is what its name says.
#[test]
fn variants_change_one_thing() {
    use clap::Parser;
    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        compare: transformer::program::CompareArgs,
    }
    let arguments = Line::parse_from(["compare"]).compare;
    let models = transformer::program::models(&arguments, Words { source: 540, target: 909 });
    let words = Words { source: 540, target: 909 };
    let all = transformer::program::rows(&arguments, &models, words, &[20.0, 10.0, 20.0, 40.0]);
    let epochs = |name: &str| all.iter().find(|row| row.name == name).unwrap().epochs;
    assert_eq!(epochs("seq2seq_equal_time"), 2 * epochs("transformer"));
    assert_eq!(epochs("luong_equal_time"), epochs("transformer") / 2);
    let config = |name: &str| match &all.iter().find(|row| row.name == name).unwrap().config.model {
        Model::Transformer(sizes, schedule) => (sizes.clone(), *schedule),
        _ => panic!("{name} is no Transformer"),
    };
    let (sizes, schedule) = config("transformer");
    if let Some(row) = all.iter().find(|row| row.name == "bf16") {
        assert_eq!(config("bf16"), (sizes.clone(), schedule));
        assert_eq!(row.config.precision, shared::Precision::Bf16);
    }
    assert!(
        all.iter().all(|row| row.name == "bf16" || row.config.precision == shared::Precision::F32)
    );
    assert_eq!(config("untied"), (Sizes { tied: Tied::Nothing, ..sizes.clone() }, schedule));
    assert_eq!(config("without_smoothing").0, Sizes { smoothing: 0.0, ..sizes.clone() });
    assert_eq!(config("random_start").0, Sizes { start: 16, ..sizes.clone() });
    let (linear, at_once) = (config("linear"), config("linear_without_warm_up"));
    assert_eq!((&linear.0, at_once.1.warmup), (&sizes, 0));
    assert_eq!(linear.1.shape, at_once.1.shape);
    assert_eq!(config("linear_pre"), (Sizes { norm: Norm::Pre, ..sizes }, linear.1));
}

/// The depth experiment's numbers do not depend on the machine except for the rounding of sums. With sums alone
/// around the parts this is much: from a processor with AVX-512 to one without, three seeds of five moved, by an
/// eighth, a quarter and up to 37 times, and the lowest of the five by less than one in a hundred.
#[test]
fn the_gradients_below_fresh_blocks_can_be_computed_again() {
    let now = transformer::program::depth();
    for (there, here) in committed().depth.iter().zip(&now) {
        assert_eq!(there.around, here.around);
        assert_eq!(here.gradients.len(), transformer::program::BLOCKS + 1);
        let grows = matches!(here.around, transformer::program::Around::Sum);
        for (there, here) in there.gradients.iter().zip(&here.gradients) {
            let (a, b) = if grows { (there.lowest, here.lowest) } else { (there.mean, here.mean) };
            // Four digits after the point are written; the largest are sums of many large ones.
            assert!((a - b).abs() < 2e-4 + 1e-2 * a.abs(), "{a} there, {b} here");
            let times = here.mean / there.mean;
            assert!((0.2..5.0).contains(&times), "{} there, {} here", there.mean, here.mean);
        }
    }
}

/// A short comparison, as of `--epochs 1`: nobody gets to a BLEU of 85.
#[test]
fn learning_is_drawn_when_no_model_gets_far() {
    use seq2seq::translating::compared::late_learning;
    let (low, high) =
        ([(3.0, 2.0, 4.0), (9.0, 8.0, 10.0)], [(80.0, 79.0, 81.0), (90.0, 89.0, 91.0)]);
    let drawn = |curve: &[(f64, f64, f64)]| {
        late_learning(&[("model", curve, workbench::figure::colour::LEARNT)]).to_string()
    };
    assert!(drawn(&low).contains("Learning"));
    assert!(drawn(&high).contains("who gets there"));
}
