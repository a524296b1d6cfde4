//! The committed parameters, eight bits a number, do what the pages say of the trained models.

mod parameters;

use bert::world::{Tag, tasks};
use corpora::tokenize;
use language_model::world::WORDS;
use parameters::{Captioner, FEW, Filler, Pair, Resolver, Shop, Translator, Tuner, Writer};
use recommendation::world;
use std::collections::HashSet;
use std::fmt::Write;

fn are_shares(weights: impl AsRef<[f32]>) -> bool {
    (weights.as_ref().iter().sum::<f32>() - 1.0).abs() < 1e-5
}

#[test]
fn the_translator_translates_as_the_page_says() {
    let translator = Translator::new();
    for (english, french) in [
        (
            "the black cat does not see the old man's white horse.",
            "le chat noir ne voit pas le cheval blanc du vieil homme .",
        ),
        (
            "the girl took the red apple and ate it.",
            "la fille a pris la pomme rouge et l' a mangé .",
        ),
    ] {
        let found = translator.translate(4.0, &tokenize(english));
        assert_eq!(found.words.join(" "), french);
        assert!(found.mean.iter().chain(found.heads.iter().flatten()).all(are_shares));
    }
    assert!(translator.alike("old")[..8].contains(&"new".to_owned()));
}

#[test]
fn the_translator_translates_as_before_it_was_packed() {
    let translator = Translator::new();
    let sizes = parallel::Sizes { train: 1, ..Default::default() };
    let test = parallel::splits(&sizes, 0).test;
    let right = test
        .iter()
        .take(100)
        .filter(|pair| translator.translate(1.0, &pair.source).words == pair.target);
    assert_eq!(right.count(), 94);
}

/// Both endings of the page's drawing, and the nouns that may change places also exchanged: the answer, and the
/// word at which the head looks that the page has chosen.
#[test]
fn the_resolver_names_what_it_is_and_looks_there() {
    let resolver = Resolver::new();
    for (before, endings) in [
        ("the animal did not cross the street", [("tired", "animal"), ("wide", "street")]),
        ("the trophy did not fit into the suitcase", [("big", "trophy"), ("small", "suitcase")]),
        ("the suitcase did not fit into the trophy", [("big", "suitcase"), ("small", "trophy")]),
    ] {
        for (ending, noun) in endings {
            let text = format!("{before} because it was too {ending}");
            let sentence: Vec<&str> = text.split(' ').collect();
            let it = sentence.iter().position(|word| *word == "it").unwrap();
            let (best, heads) = resolver.resolve(&sentence, it);
            assert_eq!((heads.len(), best[0].0), (8, noun), "{text}");
            let column = &heads[resolver.head];
            let largest = (0..column.len()).max_by(|a, b| column[*a].total_cmp(&column[*b]));
            assert_eq!(sentence[largest.unwrap()], noun, "{text}");
            assert!(heads.iter().all(are_shares));
        }
    }
}

/// The bars of the page's text, which the trained model drew with all its bits.
#[test]
fn the_filler_knows_who_has_the_puppy() {
    let filler = Filler::new();
    for (name, percent) in [("lucy", 79.9), ("bruno", 68.3)] {
        let text = format!("{name} has a gentle black puppy . she takes the puppy for a walk .");
        let (best, _) = filler.fill(&text, 7);
        let (first, p) = best[0];
        assert_eq!(first, name);
        assert!((100.0 * p - percent).abs() < 3.0, "{p} for {percent} %");
    }
}

/// What the page shows of it: it finds a thing where it was shown, and not where it was carried.
#[test]
fn the_writer_knows_where_a_thing_was_shown() {
    let writer = Writer::new();
    let best = |text: &str| writer.next(text, 1.0, 1.0)[0];
    let asked = "where is the cup ? the cup is in the";
    for place in ["attic", "kitchen", "garden"] {
        let shown = format!(
            "there is a coin in the hall . there is a cup in the {place} . anna went to the attic ."
        );
        let (word, _, world) = best(&format!("{shown} {asked}"));
        assert_eq!((word, world), (place, 1.0));
    }
    let carried = "there is a cup in the attic . anna went to the attic . anna took the cup . anna went to the garden .";
    let (word, _, world) = best(&format!("{carried} {asked}"));
    assert_eq!((word, world), ("attic", 0.0));
    assert_eq!(
        writer.next("anna went to the", 1.0, 0.5).iter().filter(|next| next.1 > 0.0).count(),
        3
    );
}

/// As many right answers as with all its bits: three of four.
#[test]
fn the_writer_answers_as_before_it_was_packed() {
    let writer = Writer::new();
    let rng = &mut shared::rng(16);
    let right = |_: &u32| {
        let (prompt, truth) = language_model::answering::question(96, rng);
        let text: Vec<&str> = prompt[1..].iter().map(|word| WORDS[*word]).collect();
        writer.next(&text.join(" "), 1.0, 1.0)[0].0 == WORDS[truth]
    };
    let right = (0..100).filter(right).count();
    assert!((65..=90).contains(&right), "{right} of 100");
}

/// Both write as with all their bits: the attention's 300 of 300 test sentences, the other's 275.
#[test]
fn of_two_translators_the_one_that_looks_back_keeps_what_is_said() {
    let pair = Pair::new();
    for (english, one, look) in [
        ("the old cat sleeps.", "le vieux chat dort .", "le vieux chat dort ."),
        (
            "did the queen show him the beautiful garden?",
            "est-ce que la reine l' a envoyé le nouveau lit ?",
            "est-ce que la reine lui a montré le beau jardin ?",
        ),
        (
            "the famous queen is not going to meet my uncle but she is going to wake up next week.",
            "la reine célèbre ne va pas répondre à la princesse mais elle va lui écrire le sandwich .",
            "la reine célèbre ne va pas rencontrer mon oncle mais elle va se réveiller la semaine prochaine .",
        ),
    ] {
        let both = pair.translate(&tokenize(english));
        assert_eq!([both.one.join(" "), both.look.join(" ")], [one, look]);
        assert!(both.weights.iter().all(are_shares));
    }
    let sizes = parallel::Sizes { train: 1, ..Default::default() };
    let test = parallel::splits(&sizes, 0).test;
    let (mut one, mut look) = (0, 0);
    for known in &test[..100] {
        let both = pair.translate(&known.source);
        one += usize::from(both.one == known.target);
        look += usize::from(both.look == known.target);
    }
    assert_eq!([one, look], [43, 84]);
    assert_eq!(pair.nearest("beautiful")[0], "pretty");
}

/// So many short texts with one of these names, a half with an animal's; in each the first such name is asked that
/// does not begin the text, since who begins one is nearly always a person.
fn names(texts: &[tasks::Tagged], count: usize, both: &HashSet<&str>) -> Vec<String> {
    let mut room = [count / 2; 2];
    let mut lines = Vec::new();
    for text in texts {
        let mut places = 1..text.words.len();
        let Some(asked) = places.find(|i| both.contains(&*text.words[*i])) else { continue };
        let animal = text.tags[asked] == Tag::Animal;
        let left = &mut room[usize::from(animal)];
        if *left == 0 || text.words.len() > 16 {
            continue;
        }
        *left -= 1;
        let label = if animal { "animal" } else { "person" };
        lines.push(format!("{label}\t{asked}\t{}", text.words.join(" ")));
    }
    lines
}

/// Chapter 12's ten texts to label and a hundred more: of stories that no training has read.
#[test]
fn the_names_are_of_the_chapters_task() {
    let sizes = tasks::Sizes { train: 1_000, validation: 1, test: 3_000, noise: 0.0 };
    let parts = tasks::tags(&sizes, 0).unwrap();
    let tagged = |tag| {
        let words = parts.test.iter().flat_map(|text| text.words.iter().zip(&text.tags));
        words.filter(|(_, other)| **other == tag).map(|(word, _)| &**word).collect::<HashSet<_>>()
    };
    let both = &tagged(Tag::Person) & &tagged(Tag::Animal);
    let mut few = names(&parts.train, FEW, &both);
    few.sort_by_key(|line| line.rsplit('\t').next().map(str::to_owned)); // persons and animals mixed
    let texts = [few, names(&parts.test, 100, &both)].concat();
    assert_eq!(texts.len(), FEW + 100);
    let script = format!(
        "// Written by `REDRAW=1 cargo test -p live --test trained names`: what is named, by which word, in which text.\nlive.figure(`\n{}\n`);\n",
        texts.join("\n")
    );
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../12_fine_tuning/figures/names.js");
    if std::env::var_os("REDRAW").is_some() {
        std::fs::write(file, &script).unwrap();
    }
    assert!(std::fs::read_to_string(file).unwrap() == script, "REDRAW=1 writes it");
}

#[test]
fn ten_labels_teach_more_where_the_encoder_has_read() {
    let tuner = Tuner::new();
    let begin = tuner.train(1, &tuner.labels[..FEW]);
    assert!(begin.iter().all(|nats| (nats - 2_f32.ln()).abs() < 0.2), "{begin:?}");
    let losses = tuner.train(99, &tuner.labels[..FEW]);
    let shares = tuner.answer().map(|answer| answer[0]);
    assert!(losses.iter().all(|nats| *nats < 0.01), "{losses:?}");
    let drawing = include_str!("../../../12_fine_tuning/figures/tune.svg");
    let drawn = drawing.split('>').filter_map(|text| text.strip_suffix(" %</text"));
    let drawn: Vec<f32> = drawn.map(|percent| percent.parse().unwrap()).collect();
    let percent = shares.map(|share| (100.0 * share).round());
    assert_eq!(percent.to_vec(), drawn);
    let page = include_str!("../../../12_fine_tuning/README.md");
    let says = format!("gets {} right, the layer on random numbers {},", percent[0], percent[1]);
    assert!(page.contains(&says), "{says}");
    assert!(shares[0] > shares[1] + 0.15, "{shares:?}");
    let others: Vec<f32> = tuner.labels[..FEW].iter().map(|label| 1.0 - label).collect();
    live::tune_start(&[0.0]);
    tuner.train(100, &others);
    let turned = tuner.answer()[0][0];
    assert!(
        (turned - 1.0 + shares[0]).abs() < 0.05,
        "the new layer learns the reader's labels, not the true ones: {turned}"
    );
}

/// The figure begins with the scene of its drawing, which the model captioned with all its bits; and of a hundred new
/// scenes it captions about as many as the page says.
#[test]
fn the_captioner_says_what_a_scene_shows() {
    let captioner = Captioner::new();
    let script = include_str!("../../../15_captioning/figures/looks.js");
    let (_, first) = script.split_once("const first = ").unwrap();
    let first: Vec<[u8; 5]> = serde_json::from_str(first.split_once(';').unwrap().0).unwrap();
    let seen = captioner.see(&first);
    let drawing = include_str!("../../../15_captioning/figures/looks.svg");
    let drawn: Vec<&str> =
        drawing.split('>').filter_map(|text| text.strip_suffix("</text")).skip(1).collect();
    assert_eq!(seen.said, drawn);
    assert!(seen.clear && seen.said == seen.right);
    let (mut right, mut on_named) = (0, Vec::new());
    for seed in 0..100 {
        let numbers: Vec<u8> = live::scene(&[seed as f32]).iter().map(|x| *x as u8).collect();
        let things = numbers.as_chunks().0;
        let seen = captioner.see(things);
        assert!(seen.clear && seen.right.len() >= 9, "{:?}", seen.right);
        assert!(seen.looks.iter().all(|(weights, _)| are_shares(weights)));
        if seen.said == seen.right {
            right += 1;
            let shapes = ["square", "disc", "ring", "triangle", "cross"];
            let named = seen.said.iter().zip(&seen.looks);
            for (_, (_, shares)) in named.filter(|(word, _)| shapes.contains(&word.as_str())) {
                on_named.push(shares.iter().copied().fold(0.0, f32::max));
            }
        }
    }
    let mean = on_named.iter().sum::<f32>() / on_named.len() as f32;
    assert_eq!(right, 98);
    assert!((0.85..0.97).contains(&mean), "{mean} of the weight of a shape word on one thing");
}

/// What is tried in the text below chapter 13's figure.
#[test]
fn what_was_bought_speaks_for_what_it_needs() {
    let (model, start) = (Shop::new(), Shop::start());
    for (candidate, reason) in [
        ("ink for printer B", "printer B"),
        ("Salt 2", "Salt 1"),
        ("film for camera C", "camera C"),
        ("spice 6", "spice 6 (basket)"),
    ] {
        let told = model.ask(candidate, &start);
        let weights = told.weights.iter().enumerate();
        let (at, weight) = weights.max_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap();
        assert_eq!((start[at], *weight > 0.9), (reason, true), "{candidate}: {:?}", told.weights);
        assert!(
            told.best.iter().any(|best| (&*best.0, best.1) == (candidate, at)),
            "{:?}",
            told.best
        );
    }
    let without: Vec<&str> =
        start.iter().copied().filter(|action| *action != "printer B").collect();
    assert!(model.ask("ink for printer B", &without).place > 100);
    let basket = &model.ask("printer B", &without).best;
    assert!(
        basket.iter().any(|(item, reason, _)| item == "printer B" && *reason == 2),
        "{basket:?}"
    );
    // Ink is not needed at once.
    let later =
        |views: usize| [&start[..], &["printer A"], &vec!["puzzle 2 (view)"; views]].concat();
    let place = |story: &[&str]| model.ask("ink for printer A", story).place;
    let places = [place(&start), place(&later(0)), place(&later(1))];
    assert!(places[0] > 50 && places[1] > 10 && places[2] <= 5, "{places:?}");
}

/// The reasons are those of all bits (`cargo run --release -p recommendation`: 91.0 % of 1145 purchases).
#[test]
fn the_recommender_gives_reasons_as_before_it_was_packed() {
    let model = Shop::new();
    let shop = world::Shop::new(&world::Sizes::default(), 0);
    let (mut all, mut right) = (0, 0);
    for events in &shop.customers[..600] {
        let last = events.iter().rposition(|event| event.kind == world::Kind::Purchase).unwrap();
        let first = last.saturating_sub(50);
        let Some(reason) = events[last].reason.and_then(|reason| reason.checked_sub(first)) else {
            continue;
        };
        let actions: Vec<[f32; 2]> = events[first..last]
            .iter()
            .map(|event| [event.item as f32, event.kind as u8 as f32])
            .collect();
        let weights = model.told(events[last].item as f32, &actions).weights;
        all += 1;
        right += usize::from(weights.iter().all(|weight| *weight <= weights[reason]));
    }
    assert_eq!([all, right], [344, 309]);
}

/// The figure as it begins, for paper.
#[test]
fn the_printed_shop_is_the_live_one() {
    let (model, start, candidate) = (Shop::new(), Shop::start(), Shop::constant("candidate"));
    let told = model.ask(candidate, &start);
    let (row, left, width) = (28, 200, 150.0);
    let below = 40 + row * start.len();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 410 {0}\" width=\"410\" height=\"{0}\" font-family=\"sans-serif\" font-size=\"15\" fill=\"currentColor\">\n<style>:root{{color:#222222}}@media(prefers-color-scheme:dark){{:root{{color:#dddddd}}}}</style>\n<text x=\"4\" y=\"20\" font-weight=\"bold\">What speaks for {candidate}?</text>\n",
        below + 36 + 24 * told.best.len(),
    );
    for (i, (action, weight)) in start.iter().zip(&told.weights).enumerate() {
        let y = 34 + row * i;
        svg += &format!(
            r##"<text x="4" y="{0}">{action}</text>
<rect x="{left}" y="{y}" width="{width}" height="22" fill-opacity="0.06"/>
<rect x="{left}" y="{y}" width="{1:.1}" height="22" fill="#D55E00"/>
<text x="402" y="{0}" text-anchor="end">{2:.0} %</text>
"##,
            y + 17,
            width * weight,
            100.0 * weight
        );
    }
    writeln!(svg, "<text x=\"4\" y=\"{}\" font-weight=\"bold\">Recommended</text>", below + 18)
        .unwrap();
    for (i, (item, reason, weight)) in told.best.iter().enumerate() {
        let (y, reason) = (below + 42 + 24 * i, start[*reason]);
        writeln!(svg, "<text x=\"4\" y=\"{y}\">{} {item} <tspan font-size=\"13\">because of {reason}, {:.0} %</tspan></text>", i + 1, 100.0 * weight).unwrap();
    }
    svg += "</svg>\n";
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../13_recommendation/figures/asks.svg");
    if std::env::var_os("REDRAW").is_some() {
        std::fs::write(file, &svg).unwrap();
    }
    assert!(std::fs::read_to_string(file).unwrap() == svg, "REDRAW=1 writes it");
}
