//! The committed parameters, eight bits a number, do what the pages say of the trained models.

mod parameters;

use corpora::tokenize;
use parameters::{Filler, Pair, Translator};

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
        assert_eq!(translator.translate(4.0, &tokenize(english)).words.join(" "), french);
    }
}

#[test]
fn the_translator_translates_as_before_it_was_packed() {
    let translator = Translator::new();
    let sizes = worlds::parallel::Sizes { train: 1, ..Default::default() };
    let test = worlds::parallel::splits(&sizes, 0).test;
    let right =
        |pair: &&corpora::Pair| translator.translate(1.0, &pair.source).words == pair.target;
    assert_eq!(test[..100].iter().filter(right).count(), 94);
}

#[test]
fn weights_are_shares_and_an_adjective_is_like_others() {
    let translator = Translator::new();
    assert!(translator.alike("old")[..8].contains(&"new".to_owned()));
    let found = translator.translate(1.0, &tokenize("the old man sees a white horse."));
    for weights in found.mean.iter().chain(found.heads.iter().flatten()) {
        let sum: f32 = weights.iter().sum();
        assert!((sum - 1.0).abs() < 1e-5, "{weights:?}");
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

/// As both wrote with all their bits: the attention's 300 of 300 test sentences, the other's 275.
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
        for weights in &both.weights {
            let sum: f32 = weights.iter().sum();
            assert!((sum - 1.0).abs() < 1e-5, "{weights:?}");
        }
    }
    let sizes = worlds::parallel::Sizes { train: 1, ..Default::default() };
    let test = worlds::parallel::splits(&sizes, 0).test;
    let (mut one, mut look) = (0, 0);
    for known in &test[..100] {
        let both = pair.translate(&known.source);
        one += usize::from(both.one == known.target);
        look += usize::from(both.look == known.target);
    }
    assert_eq!([one, look], [43, 84]);
    assert_eq!(pair.nearest("beautiful")[0], "pretty");
}
