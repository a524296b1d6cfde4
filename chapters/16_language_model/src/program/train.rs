//! `train`: learn what comes next, say how far that is from what can be known, write, and keep the model. `compare`:
//! an LSTM beside it.

use super::ladder::ladder;
use super::saved::{KIND, save};
use super::source::Source;
use super::training::{EPOCHS, Lstm, fit, mean_nats, options, right_answers};
use super::write::{Writer, in_lines};
use crate::{Config, Gpt, NetworkKind, NormKind, Sampling};
use clap::Args;
use shared::{Float, Module, rng};
use std::path::PathBuf;
use workbench::error::{Error, Result};
use workbench::files::holds_own_model;
use workbench::memory::must_fit;
use workbench::program::{Session, Table, TrainingArgs, say, within};
use workbench::statistics::rounded;
use workbench::stream;
use workbench::training::{Options, Watch, in_all_processes, json};

#[derive(Args, Clone, Debug)]
pub struct TrainArgs {
    #[command(flatten)]
    pub training: TrainingArgs,
    /// A text to learn from, in UTF-8, byte by byte [default: texts of the world]
    #[arg(long, value_name = "FILE")]
    pub corpus: Option<PathBuf>,
    #[command(flatten)]
    pub sizes: Sizes,
    /// Into how many shards a batch is cut, which may run at the same time, also in several processes
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = within(1..=1024))]
    pub shards: usize,
}

/// The model's sizes and its four switches.
#[derive(Args, Clone, Debug)]
pub struct Sizes {
    /// Entries of a token
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = within(2..=4096))]
    pub width: usize,
    /// Blocks
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = within(1..=64))]
    pub blocks: usize,
    /// Heads, which divide the width
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = within(1..=64))]
    pub heads: usize,
    /// Heads of keys and values, which divide the heads
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = within(1..=64))]
    pub groups: usize,
    /// The normalisation
    #[arg(long, value_enum, default_value = "rms")]
    pub norm: NormKind,
    /// The feed-forward network
    #[arg(long, value_enum, default_value = "swi-glu")]
    pub network: NetworkKind,
    /// Learn a vector for every position instead of rotating queries and keys
    #[arg(long)]
    pub learned_positions: bool,
    /// Words of a text, read at once
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = within(2..=8192))]
    pub length: usize,
    /// The share of units that are left out while training
    #[arg(long, value_name = "P", default_value_t = 0.0)]
    pub dropout: Float,
}

impl Sizes {
    fn config(&self, vocabulary: usize) -> Result<Config> {
        let Sizes { width, blocks, heads, groups, norm, network, length, dropout, .. } = *self;
        let refuse = |reason: String| Err(Error::argument(reason));
        if !width.is_multiple_of(heads) {
            return refuse(format!("--heads {heads}: they do not divide a width of {width}"));
        }
        if !heads.is_multiple_of(groups) {
            return refuse(format!("--groups {groups}: they do not divide {heads} heads"));
        }
        let rotary = !self.learned_positions;
        if rotary && !(width / heads).is_multiple_of(2) {
            let reason = "a rotation turns pairs of them";
            return refuse(format!(
                "--heads {heads}: heads of {} rows, but {reason}",
                width / heads
            ));
        }
        if !(0.0..1.0).contains(&dropout) {
            return refuse(format!("--dropout {dropout}: it must be at least 0 and below 1"));
        }
        let feed_forward = 4 * width;
        let config = Config {
            vocabulary,
            width,
            feed_forward,
            blocks,
            heads,
            groups,
            norm,
            network,
            rotary,
            experts: 1,
            kept: 1,
            balance: 0.0,
            longest: length,
            dropout,
        };
        let parameters = blocks * 12 * width * width + width * (vocabulary + length);
        must_fit("this model", Some(16 * parameters as u64))?; // with gradients and moments
        Ok(config)
    }
}

/// Texts that are watched after each epoch, and those of the test.
const WATCHED: usize = 32;
const TEST: usize = 200;
/// Words that are written in the end.
const WRITTEN: usize = 60;

/// In this process, or in all that `mpirun` has started: the first leads, the others follow.
pub fn train(arguments: &TrainArgs) -> Result<()> {
    in_all_processes(|peers| {
        let own = Options { shards: arguments.shards, peers, ..options(EPOCHS) }.divided()?;
        if own.leads() { lead(arguments, own) } else { follow(arguments, own) }
    })
}

/// Computes gradients for the process that leads, and leaves words and files to it.
fn follow(TrainArgs { training, corpus, sizes, .. }: &TrainArgs, own: Options) -> Result<()> {
    let options = cosine(training.options(own)?);
    training.precision.begin()?;
    let source = Source::open(corpus.as_deref(), sizes.length)?;
    let config = sizes.config(source.words().count())?;
    let mut model = Gpt::new(&config, &mut rng(stream(training.common.seed, 0)));
    let _watch = Watch::begin(); // Ctrl-C waits here, too, or it would end the process that saves
    fit(&mut model, &config, &source, sizes.length, &[], &options)?;
    options.peers.map_or(Ok(()), |peers| peers.share(&mut Vec::new())) // the model is saved
}

fn lead(TrainArgs { training, corpus, sizes, .. }: &TrainArgs, own: Options) -> Result<()> {
    let mut session = begin(training, own)?;
    let peers = session.options.peers.clone();
    let source = Source::open(corpus.as_deref(), sizes.length)?;
    let config = sizes.config(source.words().count())?;
    let mut model = Gpt::new(&config, &mut rng(stream(training.common.seed, 0)));
    let [watched, test] = [WATCHED, TEST].map(|count| source.held_out(count, sizes.length));
    say(format!("{} parameters\n", model.parameter_count()));
    let history = session
        .train(|options| fit(&mut model, &config, &source, sizes.length, &watched, options))?;
    session.save("it was not tested", |folder| {
        save(folder, &mut model, source.words())?;
        peers.map_or(Ok(()), |peers| peers.share(&mut Vec::new()))
    })?;
    let loss = mean_nats(&model, &test);
    let rows = report(&source, sizes.length, &test, &[("this model", loss)]);
    if let Source::World = source {
        let right = 100.0 * right_answers(&model, &test);
        say(format!("{right:.0} % of the answers in these texts are right\n"));
    }
    sample(&model, &source, training.common.seed);
    let (seed, parameters) = (training.common.seed, model.parameter_count());
    let epochs = &history.epochs;
    session.finish(
        &json!({ "seed": seed, "parameters": parameters, "losses": rows, "epochs": epochs }),
    )?;
    say("try: cargo run --release -p language_model -- write \"anna went to the\"");
    Ok(())
}

/// With a rate that falls over the epochs that were asked for.
fn cosine(mut training: Options) -> Options {
    training.schedule.shape = options(training.epochs).schedule.shape;
    training
}

fn begin(training: &TrainingArgs, own: Options) -> Result<Session> {
    let mut session = Session::begin(KIND, training, own)?;
    session.options = cosine(session.options);
    holds_own_model(session.model(), &[KIND])?;
    Ok(session)
}

/// A line a model: its loss, and how much that is above what can be known.
fn report(
    source: &Source,
    length: usize,
    test: &[Vec<usize>],
    models: &[(&'static str, f64)],
) -> Vec<(&'static str, f64)> {
    let ngrams = ladder(source, length, test);
    let mut rows = vec![
        ("all words alike", ngrams.uniform),
        ("their frequencies", ngrams.unigram),
        ("after the word before", ngrams.bigram),
        ("after the two before", ngrams.trigram),
    ];
    rows.extend(models);
    let floor = source.floor(test);
    rows.extend(floor.map(|floor| ("the world itself", floor)));
    let unit = source.words().unit();
    let mut table = Table::new(
        [
            "of texts never seen".to_owned(),
            format!("nats a {unit}"),
            "above the world".to_owned(),
            "perplexity".to_owned(),
        ]
        .each_ref()
        .map(|head| head.as_str()),
    );
    for (name, loss) in &rows {
        let above = floor.map_or("–".to_owned(), |floor| format!("{:.3}", loss - floor));
        table.row([(*name).to_owned(), format!("{loss:.3}"), above, format!("{:.2}", loss.exp())]);
    }
    say(format!("\n{table}"));
    rows.into_iter().map(|(name, loss)| (name, rounded(loss))).collect()
}

/// What it writes after a beginning that it has not chosen.
fn sample(model: &Gpt, source: &Source, seed: u64) {
    let beginning = match source {
        Source::World => vec![crate::world::BEGIN],
        Source::File(_) => source.held_out(1, 1)[0].clone(),
    };
    let rng = &mut rng(stream(seed, 3));
    let mut writer = Writer::new(model, &beginning);
    let words: Vec<usize> = (0..WRITTEN).map(|_| writer.next(Sampling::PLAIN, rng)).collect();
    say(format!("it writes: {}\n", in_lines(&source.words().decode(&words))));
}

#[derive(Args, Clone, Debug)]
pub struct CompareArgs {
    #[command(flatten)]
    pub training: TrainArgs,
}

pub fn compare(CompareArgs { training: arguments }: &CompareArgs) -> Result<()> {
    let TrainArgs { training, corpus, sizes, shards } = arguments;
    if training.checkpoint.is_some() {
        return Err(Error::argument("--checkpoint: a comparison keeps no state of its trainings"));
    }
    let session = begin(training, Options { shards: *shards, ..options(EPOCHS) }.divided()?)?;
    let source = Source::open(corpus.as_deref(), sizes.length)?;
    let config = sizes.config(source.words().count())?;
    let [watched, test] = [WATCHED, TEST].map(|count| source.held_out(count, sizes.length));
    let seed = training.common.seed;
    let mut gpt = Gpt::new(&config, &mut rng(stream(seed, 0)));
    let parameters = gpt.parameter_count();
    let mut lstm = lstm(config.vocabulary, config.width, parameters, seed);
    say(format!("GPT: {parameters} parameters, LSTM: {}\n", lstm.parameter_count()));
    let options = |title: &str| Options { title: title.to_owned(), ..session.options.clone() };
    fit(&mut gpt, &config, &source, sizes.length, &watched, &options("GPT"))?;
    fit(&mut lstm, &"LSTM", &source, sizes.length, &watched, &options("LSTM"))?;
    let losses = [("LSTM", mean_nats(&lstm, &test)), ("GPT", mean_nats(&gpt, &test))];
    let rows = report(&source, sizes.length, &test, &losses);
    session.output.results(&json!({ "seed": seed, "parameters": parameters, "losses": rows }))
}

/// An LSTM of one layer, whose state is as large as fits into so many parameters.
pub fn lstm(vocabulary: usize, width: usize, parameters: usize, seed: u64) -> Lstm {
    let model = |hidden| Lstm::new(vocabulary, width, hidden, 1, &mut rng(stream(seed, 0)));
    let hidden =
        (1..).take_while(|h| 4 * h * (width + h + 1) + vocabulary * (width + h + 1) <= parameters);
    model(hidden.last().unwrap_or(1))
}
