//! The committed parameters, handed to the functions as the pages do.

mod shop;

use live::{HEADS, script};
use serde_json::Value;
pub use shop::Shop;

/// A script's description of its model, and the parameters as JavaScript hands them over.
pub fn parameters(file: &str) -> (Value, Vec<f32>) {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let file = format!("{root}/{file}.js");
    let bytes = script::read(&std::fs::read_to_string(file).expect("a committed script"));
    let end = bytes.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
    let (numbers, rest) = bytes[end..].as_chunks();
    assert!(rest.is_empty());
    let numbers = numbers.iter().map(|four| f32::from_bits(u32::from_le_bytes(*four)));
    (serde_json::from_slice(&bytes[..end]).expect("JSON"), numbers.collect())
}

fn words(value: &Value) -> Vec<String> {
    serde_json::from_value(value.clone()).expect("words")
}

fn number(words: &[String], word: &str) -> f32 {
    words.iter().position(|other| other == word).unwrap_or(0) as f32
}

/// Known words like this one, in the order that a function gives them.
fn others(words: &[String], word: &str, order: fn(&[f32]) -> Vec<f32>) -> Vec<String> {
    let own = number(words, word);
    let others = order(&[own]).into_iter().filter(|other| *other >= 3.0 && *other != own);
    others.map(|other| words[other as usize].clone()).collect()
}

fn codes(text: &str) -> Vec<f32> {
    text.chars().map(|letter| u32::from(letter) as f32).collect()
}

/// Chapter 10's model.
pub struct Translator {
    english: Vec<String>,
    french: Vec<String>,
}

/// A translation, and the weights of every French word on the English ones and their end.
pub struct Translation {
    pub words: Vec<String>,
    pub mean: Vec<Vec<f32>>,
    /// The weights of every head of both blocks.
    pub heads: Vec<Vec<Vec<f32>>>,
}

impl Translator {
    pub fn new() -> Translator {
        let (about, numbers) = parameters("10_transformer/figures/parameters");
        let [english, french] = ["source", "target"].map(|side| words(&about[side]));
        let sizes = [english.len() as f32, french.len() as f32];
        live::translator(&[&sizes, &numbers[..]].concat());
        Translator { english, french }
    }

    pub fn translate(&self, width: f32, sentence: &[String]) -> Translation {
        let numbers = sentence.iter().map(|word| number(&self.english, word));
        let answer = live::translate(&[width].into_iter().chain(numbers).collect::<Vec<_>>());
        let (count, read) = (answer[1] as usize, sentence.len() + 1);
        let (found, weights) = answer[2..].split_at(count);
        let (mean, heads) = weights.split_at(count * read);
        let columns = |weights: &[f32]| weights.chunks(read).map(<[f32]>::to_vec).collect();
        let heads: Vec<_> = heads.chunks((count + 1) * read).map(columns).collect();
        assert_eq!(heads.len(), 2 * HEADS);
        let words = found.iter().map(|word| self.french[*word as usize].clone()).collect();
        Translation { words, mean: columns(mean), heads }
    }

    /// Known words like this one, the most alike first.
    pub fn alike(&self, word: &str) -> Vec<String> {
        others(&self.english, word, live::alike)
    }
}

/// The models of chapters 5 and 6.
pub struct Pair {
    english: Vec<String>,
    french: Vec<String>,
}

/// Either model's translation of a sentence, and the weights of every word of the second.
pub struct Both {
    pub one: Vec<String>,
    pub look: Vec<String>,
    pub weights: Vec<Vec<f32>>,
}

impl Pair {
    pub fn new() -> Pair {
        let hand_over = |file: &str, function: fn(&[f32]) -> Vec<f32>| {
            let (about, numbers) = parameters(&format!("06_bahdanau/figures/{file}"));
            let vocabularies = ["source", "target"].map(|side| words(&about[side]));
            let sizes = &about["config"]["sizes"];
            let widths = ["embedding", "hidden"].map(|name| sizes[name].as_f64().unwrap() as f32);
            let counts = vocabularies.each_ref().map(|words| words.len() as f32);
            function(&[&counts, &widths, &numbers[..]].concat());
            vocabularies
        };
        let vocabularies = hand_over("one_vector", live::one_vector);
        assert_eq!(hand_over("looking", live::looking), vocabularies);
        let [english, french] = vocabularies;
        Pair { english, french }
    }

    pub fn translate(&self, sentence: &[String]) -> Both {
        let numbers: Vec<f32> = sentence.iter().map(|word| number(&self.english, word)).collect();
        let answer = live::side_by_side(&numbers);
        let spelt = |answer: &[f32]| {
            let numbers = &answer[1..=answer[0] as usize];
            numbers.iter().map(|word| self.french[*word as usize].clone()).collect::<Vec<_>>()
        };
        let one = spelt(&answer);
        let answer = &answer[1 + one.len()..];
        let look = spelt(answer);
        let weights = answer[1 + look.len()..].chunks(sentence.len() + 1).map(<[f32]>::to_vec);
        Both { one, weights: weights.collect(), look }
    }

    /// Known words like this one, the most alike first.
    pub fn nearest(&self, word: &str) -> Vec<String> {
        others(&self.english, word, live::nearest)
    }
}

/// Chapter 9's model of *it*.
pub struct Resolver {
    words: Vec<String>,
    /// Which of the eight heads looks at the noun that *it* stands for.
    pub head: usize,
}

impl Resolver {
    pub fn new() -> Resolver {
        let (about, numbers) = parameters("09_self_attention/figures/parameters_it");
        let words = words(&about["words"]);
        live::resolver(&[&[words.len() as f32], &numbers[..]].concat());
        let of = |part: &str| about["head"][part].as_u64().expect("a number") as usize;
        Resolver { words, head: 4 * of("block") + of("head") }
    }

    /// The three most probable answers, and by head the weights of all words when the word at `asks` asks.
    pub fn resolve(&self, sentence: &[&str], asks: usize) -> (Vec<(&str, f32)>, Vec<Vec<f32>>) {
        let place = |list: &[&str], word: &str| list.iter().position(|other| *other == word);
        let known: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let words = sentence.iter().map(|word| place(&known, word).expect("a known word") as f32);
        let it = place(sentence, "it").expect("an it") as f32;
        let numbers = [it].into_iter().chain(words);
        let answer = live::resolve(&numbers.collect::<Vec<_>>());
        let (best, weights) = answer.split_at(6);
        let (best, _) = best.as_chunks::<2>();
        let best = best.iter().map(|[word, p]| (&*self.words[*word as usize], *p));
        let n = sentence.len();
        let heads = weights.chunks(n * n).map(|head| head[n * asks..n * (asks + 1)].to_vec());
        (best.collect(), heads.collect())
    }
}

/// Chapter 11's model.
pub struct Filler {
    pieces: Vec<String>,
}

impl Filler {
    pub fn new() -> Filler {
        let (about, numbers) = parameters("11_bert/figures/parameters");
        let pieces = words(&about["pieces"]);
        let letters = codes(&pieces.iter().map(|piece| format!("{piece}\n")).collect::<String>());
        live::filler(&[&[letters.len() as f32], &letters[..], &numbers].concat());
        Filler { pieces }
    }

    /// The most probable pieces at one of a text, its words and marks parted by blanks, with their probabilities;
    /// and the probability of that one.
    pub fn fill(&self, text: &str, hidden: usize) -> (Vec<(&str, f32)>, f32) {
        let pieces = text.split(' ').flat_map(|word| live::cut(&codes(word)));
        let answer = live::fill(&[hidden as f32].into_iter().chain(pieces).collect::<Vec<_>>());
        let (best, original) = answer.split_at(10);
        let (best, _) = best.as_chunks::<2>();
        (best.iter().map(|[piece, p]| (&*self.pieces[*piece as usize], *p)).collect(), original[0])
    }
}

/// Chapter 12's new layers, and the texts that its page has.
pub struct Tuner {
    /// The label of each text: 1 for an animal.
    pub labels: Vec<f32>,
}

/// How many of the texts a reader labels.
pub const FEW: usize = 10;

impl Tuner {
    pub fn new() -> Tuner {
        let (about, numbers) = parameters("11_bert/figures/parameters");
        let pieces = words(&about["pieces"]);
        let letters = codes(&pieces.iter().map(|piece| format!("{piece}\n")).collect::<String>());
        live::tuning(&[&[letters.len() as f32], &letters[..], &numbers].concat());
        let script = include_str!("../../../../12_fine_tuning/figures/names.js");
        let mut labels = Vec::new();
        for (label, rest) in script.lines().filter_map(|line| line.split_once('\t')) {
            let (asked, text) = rest.split_once('\t').expect("three columns");
            live::tune_read(&[&[asked.parse().expect("a number")], &codes(text)[..]].concat());
            labels.push(if label == "animal" { 1.0 } else { 0.0 });
        }
        live::tune_start(&[0.0]);
        Tuner { labels }
    }

    /// So many steps from these labels: the losses before the last one.
    pub fn train(&self, steps: usize, labels: &[f32]) -> Vec<f32> {
        (0..steps).fold(Vec::new(), |_, _| live::tune_train(labels))
    }

    /// For the trained encoder and the other one: the share that is right, then how probable it is of every text that
    /// its name is an animal's.
    pub fn answer(&self) -> [Vec<f32>; 2] {
        let answer = live::tune_answer(&self.labels[FEW..]);
        let (trained, random) = answer.split_at(answer.len() / 2);
        [trained.to_vec(), random.to_vec()]
    }
}

/// Chapter 15's model.
pub struct Captioner {
    words: Vec<String>,
}

/// The model's view of a scene.
pub struct Seen {
    /// Whether it is clear what is to be said.
    pub clear: bool,
    pub right: Vec<String>,
    pub said: Vec<String>,
    /// For every word the weights of 64 places, and the share on each thing.
    pub looks: Vec<(Vec<f32>, Vec<f32>)>,
}

impl Captioner {
    pub fn new() -> Captioner {
        let (about, numbers) = parameters("15_captioning/figures/parameters");
        let config = &about["config"];
        let sizes = ["embedding", "hidden", "score"].map(|name| config[name].clone());
        let sizes = config["channels"].as_array().expect("channels").iter().chain(&sizes);
        let sizes: Vec<f32> = sizes.map(|size| size.as_u64().expect("a size") as f32).collect();
        let letters = live::captioner(&[sizes, numbers].concat());
        let text: String = letters.iter().map(|letter| char::from(*letter as u8)).collect();
        Captioner { words: text.lines().map(str::to_owned).collect() }
    }

    /// Things by shape, colour, column, row and width.
    pub fn see(&self, things: &[[u8; 5]]) -> Seen {
        let answer = live::see(&things.concat().into_iter().map(f32::from).collect::<Vec<_>>());
        let mut left = answer[1024..].iter().copied();
        let mut cut = |count: usize| left.by_ref().take(count).collect::<Vec<f32>>();
        let clear = cut(1)[0] == 1.0;
        let [right, said] = [(); 2].map(|()| {
            let count = cut(1)[0] as usize;
            cut(count).iter().map(|word| self.words[*word as usize].clone()).collect::<Vec<_>>()
        });
        let looks = said.iter().map(|_| (cut(64), cut(things.len()))).collect();
        Seen { clear, right, said, looks }
    }
}

/// Chapter 16's model.
pub struct Writer {
    words: Vec<String>,
}

impl Writer {
    pub fn new() -> Writer {
        let (_, numbers) = parameters("16_language_model/figures/parameters");
        let letters = live::writer(&numbers);
        let text: String = letters.iter().map(|letter| char::from(*letter as u8)).collect();
        Writer { words: text.lines().map(str::to_owned).collect() }
    }

    /// The words that may come next, the most probable first: their probability here and in the world.
    pub fn next(&self, text: &str, temperature: f32, top_p: f32) -> Vec<(&str, f32, f32)> {
        let words = text.split_whitespace().map(|word| number(&self.words, word));
        let numbers: Vec<f32> = [temperature, top_p, 0.5].into_iter().chain(words).collect();
        let answer = live::write_on(&numbers);
        let (model, rest) = answer[1..].split_at(self.words.len());
        let known = self.words.iter().zip(model).zip(rest);
        let mut next: Vec<_> =
            known.skip(1).map(|((word, p), world)| (&**word, *p, *world)).collect();
        next.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.2.total_cmp(&a.2)));
        next
    }
}
