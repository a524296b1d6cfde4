//! The generator's truth.

use captioning::program::{Pointing, pointing, references, scenes};
use captioning::world::{Names, Pairs, Relation, SIDE, Scene, is_new};
use proptest::prelude::*;
use seq2seq::bleu::{corpus_bleu, corpus_bleu_many};
use shared::rng;
use std::collections::HashSet;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Every pixel shows one thing or none, every thing is seen, and lies in its box.
    #[test]
    fn masks_partition_the_picture(seed in 0_u64..100_000, count in 2_usize..=4) {
        let scene = Scene::new(count..=count, Pairs::Known, &mut rng(seed));
        prop_assert_eq!(scene.shown.len(), SIDE * SIDE);
        prop_assert_eq!(scene.picture.len(), SIDE * SIDE);
        for (k, thing) in scene.things.iter().enumerate() {
            let own: Vec<usize> = (0..SIDE * SIDE).filter(|i| scene.shown[*i] == Some(k)).collect();
            prop_assert!(own.len() >= thing.width * thing.width * 2 / 5, "{thing:?}: {} pixels", own.len());
            let inside = |i: &usize| (thing.x..thing.x + thing.width).contains(&(i % SIDE))
                && (thing.y..thing.y + thing.width).contains(&(i / SIDE));
            prop_assert!(own.iter().all(inside));
            prop_assert!(scene.things_at_places().contains(&Some(k)));
        }
    }

    /// What a caption says is so, and the other way round.
    #[test]
    fn captions_are_true(seed in 0_u64..100_000, count in 2_usize..=4, any in 0_usize..24) {
        let scene = Scene::new(count..=count, Pairs::New, &mut rng(seed));
        prop_assert!(scene.things.iter().any(|thing| is_new(thing.shape, thing.colour)));
        let captions = scene.captions();
        let different: HashSet<String> = captions.iter().map(|caption| caption.words.join(" ")).collect();
        prop_assert_eq!((different.len(), &captions[0]), ([2, 6, 24][count - 2], &scene.caption()));
        let caption = &captions[any % captions.len()];
        prop_assert_eq!(caption.words.len(), caption.names.len());
        let named: HashSet<usize> = caption.names.iter().filter_map(|names| match names { Names::Thing(k) => Some(*k), _ => None }).collect();
        prop_assert_eq!(named.len(), count);
        for (word, names) in caption.words.iter().zip(&caption.names) {
            match *names {
                Names::Size(k) => prop_assert_eq!(*word, scene.things[k].size()),
                Names::Colour(k) => prop_assert_eq!(*word, scene.things[k].colour.word()),
                Names::Thing(k) => prop_assert_eq!(*word, scene.things[k].shape.word()),
                Names::Nothing => prop_assert!(["a", "of"].contains(word)),
                Names::Relation(a, b) => {
                    let opposite = |relation| match relation {
                        Relation::Above => Relation::Below,
                        Relation::Below => Relation::Above,
                        Relation::LeftOf => Relation::RightOf,
                        Relation::RightOf => Relation::LeftOf,
                    };
                    let (there, back) = (scene.things[a].lies(&scene.things[b]), scene.things[b].lies(&scene.things[a]));
                    prop_assert_eq!(there, opposite(back));
                    let said = ["above", "below", "left", "right"][there as usize];
                    prop_assert_eq!(*word, said);
                }
            }
        }
    }
}

/// All the weight on the thing that is named: a share of 1; the same weight everywhere: the share of its places.
#[test]
fn pointing_is_the_share_on_the_mask() {
    let scenes = scenes(20, 2..=3, Pairs::Known, &mut rng(7));
    let weights = |on: fn(&[Option<usize>], usize) -> Vec<f32>| {
        let weights = scenes.iter().map(|scene| {
            let places = scene.things_at_places();
            let things = scene.caption().names.into_iter().map(|names| match names {
                Names::Size(k) | Names::Colour(k) | Names::Thing(k) | Names::Relation(_, k) => k,
                Names::Nothing => 0,
            });
            things.map(|k| on(&places, k)).collect::<Vec<_>>()
        });
        weights.collect::<Vec<_>>()
    };
    let all = weights(|places, k| {
        let n = places.iter().filter(|place| **place == Some(k)).count() as f32;
        places.iter().map(|place| if *place == Some(k) { 1.0 / n } else { 0.0 }).collect()
    });
    let Pointing { things, colours, sizes, relations, next_thing, uniform } =
        pointing(&scenes, &all);
    for share in [things, colours, sizes, relations, next_thing] {
        assert!((share - 1.0).abs() < 1e-6, "{share}");
    }
    let even =
        pointing(&scenes, &weights(|places, _| vec![1.0 / places.len() as f32; places.len()]));
    assert!((even.things - uniform).abs() < 1e-6 && uniform < 0.2, "{even:?}");
}

/// Known pairs are 24 of 30; every colour and every shape is among them.
#[test]
fn six_pairs_are_new() {
    use captioning::world::{Colour, Shape};
    let of = |new: bool| {
        let pairs =
            Shape::ALL.into_iter().flat_map(|shape| Colour::ALL.map(|colour| (shape, colour)));
        pairs.filter(move |(shape, colour)| is_new(*shape, *colour) == new).collect::<Vec<_>>()
    };
    assert_eq!((of(true).len(), of(false).len()), (6, 24));
    let colours: HashSet<_> = of(false).iter().map(|pair| pair.1).collect();
    let shapes: HashSet<_> = of(false).iter().map(|pair| pair.0).collect();
    assert_eq!((shapes.len(), colours.len()), (5, 6));
}

/// True captions in another order: all runs of words are true ones, and the grammar's own alone has fewer of them.
#[test]
fn with_all_true_captions_as_references_the_order_does_not_matter() {
    let references = references(&scenes(50, 2..=3, Pairs::Known, &mut rng(8)));
    let last: Vec<_> = references.iter().map(|all| all.last().unwrap().clone()).collect();
    let own: Vec<_> = references.iter().map(|all| all[0].clone()).collect();
    assert!((corpus_bleu_many(&last, &references) - 100.0).abs() < 1e-9);
    let one = corpus_bleu(&last, &own);
    assert!((30.0..70.0).contains(&one), "{one}");
}
