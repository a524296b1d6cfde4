//! Where every head looks: drawn for one sentence, and held against the known alignments.

use super::recipe::Chapter;
use crate::Transformer;
use corpora::{BEGIN, Pair};
use scoring_functions::fused::Weights;
use seq2seq::Batch;
use seq2seq::alignment::AlignmentErrors;
use seq2seq::translating::corpus::{Corpus, Part};
use seq2seq::translating::judge::together;
use seq2seq::translating::{Recipe, draw};
use shared::{Matrix, Tape};
use workbench::figure::{Heatmap, Svg};

const COLUMNS: usize = 2;

/// The heads of the last block of the encoder, of the decoder, and of the decoder's look across,
/// for one pair. The end words are left out.
pub(super) fn heads(model: &Transformer, corpus: &Corpus, pair: &Pair) -> [(&'static str, Svg); 3] {
    let source = closed(corpus.source.encode(&pair.source));
    let target = closed(corpus.target.encode(&pair.target));
    let looks = Chapter::looks(model, &source, &target);
    let before: Vec<String> = [vec!["⟨begin⟩".to_owned()], pair.target.clone()].concat();
    let before = &before[..pair.target.len()]; // the words that were read
    let last = |part: usize, rows: usize, columns: usize| -> Vec<Matrix> {
        let heads = looks[part].blocks.last().expect("a block");
        heads.iter().map(|head| head.view((0, 0), (rows, columns)).into_owned()).collect()
    };
    let (m, n) = (pair.source.len(), pair.target.len());
    let looks = [last(0, m, m), last(1, n, n), last(2, m, n)];
    drawn(&looks, pair, before)
}

fn drawn(
    [read, behind, across]: &[Vec<Matrix>; 3],
    pair: &Pair,
    before: &[String],
) -> [(&'static str, Svg); 3] {
    let (source, target) = (&pair.source[..], &pair.target[..]);
    let own = ["the word that looks", "where it looks"];
    let next = ["the word to be written", "where the decoder looks"];
    let map = |i: usize, head: &Matrix, labels: [&str; 2], names: [&[String]; 2]| {
        Heatmap::new(&format!("head {}", i + 1), labels[0], labels[1], head)
            .x_names(names[0])
            .y_names(names[1])
            .range(0.0..1.0)
    };
    let encoder = |(i, head): (usize, &Matrix)| {
        let largest = head.column_iter().map(|weights| weights.imax()).enumerate();
        let largest: Vec<_> = largest.map(|(j, i)| (i, j)).collect();
        map(i, head, own, [source, source]).rings("largest of its column", &largest)
    };
    let decoder = |(i, head)| map(i, head, own, [before, before]).hatched("hidden", |i, j| i > j);
    let links = draw::links(pair);
    let cross = |(i, head)| map(i, head, next, [target, source]).rings("known link", &links);
    [
        ("heads_encoder", panels(read.iter().enumerate().map(encoder))),
        ("heads_decoder", panels(behind.iter().enumerate().map(decoder))),
        ("heads_cross", panels(across.iter().enumerate().map(cross))),
    ]
}

fn panels(heads: impl Iterator<Item = Heatmap>) -> Svg {
    let heads: Vec<Heatmap> = heads.collect();
    let panels: Vec<Svg> = heads.iter().map(Heatmap::panel).collect();
    Svg::grid(&panels, COLUMNS).keyed(&heads[0].key())
}

/// The alignment error rate on a part of every head that looks across, block by block: the largest
/// weight is the link. Empty when no alignment is known.
pub fn head_error_rates(model: &Transformer, part: &Part) -> Vec<Vec<f64>> {
    let heads: Vec<usize> = model.decoder.iter().map(|block| block.cross.heads).collect();
    let errors = together(part.len(), |range| {
        let pairs: Vec<_> = range.clone().map(|i| part.numbers(i)).collect();
        let (tape, batch) = (Tape::without_gradients(), Batch::new(&pairs, BEGIN));
        let (h, _) = model.encode(&tape, &batch.source);
        let (_, written) = model.decode(h, &batch.source, &batch.previous);
        let of_pair = |(segment, i): (usize, usize)| {
            let pair = &part.pairs[i];
            let (m, n) = (pair.source.len(), pair.target.len()); // without the end words
            let errors = |(block, head)| {
                let [_, across]: &[Weights; 2] = &written[block];
                let weights = across.of(segment, head).view((0, 0), (m, n)).into_owned();
                let gold = pair.alignment.as_ref();
                gold.map(|gold| AlignmentErrors::of(&weights, &gold.sure, &gold.possible))
            };
            all(&heads).map(errors).collect::<Option<Vec<_>>>()
        };
        range.enumerate().map(of_pair).collect()
    });
    let Some(errors) = errors.into_iter().collect::<Option<Vec<_>>>() else { return Vec::new() };
    let mut sums: Vec<Vec<AlignmentErrors>> =
        heads.iter().map(|count| vec![AlignmentErrors::default(); *count]).collect();
    for pair in &errors {
        for ((block, head), errors) in all(&heads).zip(pair) {
            sums[block][head].add(errors);
        }
    }
    sums.iter().map(|block| block.iter().map(AlignmentErrors::rate).collect()).collect()
}

fn all(heads: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    let of = |(block, count): (usize, &usize)| (0..*count).map(move |head| (block, head));
    heads.iter().enumerate().flat_map(of)
}

fn closed(mut words: Vec<usize>) -> Vec<usize> {
    words.push(corpora::END);
    words
}
