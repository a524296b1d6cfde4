//! Time and memory against length: softmax attention, fused and in tiles, beside a memory in chunks and token by token.

use crate::comparison::{Comparison, Numbers};
use full_circle::linear_attention;
use full_circle::linear_attention::CHUNK;
use scoring_functions::flash::flash_attention;
use scoring_functions::fused::scaled_dot_attention;
use scoring_functions::{AttentionMask, Sequences};
use serde_json::{Value, json};
use shared::{Float, Matrix, Tape, Var, rng};
use std::collections::BTreeMap;
use std::process::Command;
use std::time::Instant;
use workbench::error::{Error, Result};
use workbench::figure::{Chart, Svg};
use workbench::memory::peak_memory;
use workbench::program::say;
use workbench::statistics::significant;

pub const COST: Comparison = Comparison {
    name: "cost",
    about: "Seconds and memory of one head, there and back, against the length of the sequence",
    record: "17_full_circle/figures/cost.json",
    claims: &[],
    figures: &[("cost", seconds)],
    run: |this, arguments| match std::env::var(ONE) {
        Ok(one) => one_of(&one),
        Err(_) => this.record_once(arguments, "lengths", found),
    },
};

/// Set for a process that measures one form at one length: the most memory of a process only grows.
const ONE: &str = "ONE_OF_COST";

const LENGTHS: [usize; 7] = [256, 512, 1024, 2048, 4096, 8192, 16_384];
/// Rows of the head.
const P: usize = 64;

const FORMS: [&str; 5] = ["fused", "tiles", "linear", "delta", "recurrence"];

fn found() -> BTreeMap<String, Value> {
    let forms = FORMS.map(|form| {
        // One token after another, of a long sequence, takes as long as it seems.
        let lengths = LENGTHS.into_iter().filter(|n| form != "recurrence" || *n <= 4096);
        let of_lengths = lengths.map(|n| (n.to_string(), measured(form, n)));
        (form.to_owned(), json!(of_lengths.collect::<BTreeMap<_, _>>()))
    });
    forms.into()
}

/// Milliseconds and mebibytes, from a process of its own.
fn measured(form: &str, n: usize) -> Value {
    say(format!("{form}, {n} tokens"));
    let output = Command::new(std::env::current_exe().expect("this program"))
        .args(["full_circle", "cost", "--out"])
        .arg(std::env::temp_dir())
        .env(ONE, format!("{form} {n}"))
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .expect("this program once more");
    let text = String::from_utf8(output.stdout).expect("two numbers");
    let numbers: Vec<f64> =
        text.split_whitespace().map(|number| number.parse().expect("a number")).collect();
    let [seconds, bytes] = numbers[..] else { panic!("{text}: two numbers") };
    let mebibytes = significant(bytes / f64::from(1 << 20));
    json!({"milliseconds": significant(1e3 * seconds), "mebibytes": mebibytes})
}

/// Prints the seconds, the best of three, and the bytes that this process held more at most.
fn one_of(one: &str) -> Result<()> {
    let (form, n) = one.split_once(' ').expect("a form and a length");
    let n: usize = n.parse().map_err(|_| Error::argument("a length"))?;
    let rng = &mut rng(0);
    let mut normal = || Matrix::from_fn(P, n, |_, _| rand::RngExt::random_range(rng, -1.0..1.0));
    let inputs = [normal(), normal() * (0.1 as Float), normal()];
    let rates = Matrix::from_element(1, n, 0.5);
    let before = peak_memory().unwrap_or(0);
    let mut best = f64::INFINITY;
    let mut peak = 0;
    for run in 0..3 {
        let start = Instant::now();
        let tape = Tape::new();
        let qkv = inputs.each_ref().map(|x| tape.leaf(x.clone()));
        forward(form, &tape, qkv, &rates, n).sum().backward();
        best = best.min(start.elapsed().as_secs_f64());
        if run == 0 {
            peak = peak_memory().unwrap_or(0) - before;
        }
    }
    println!("{best} {peak}");
    Ok(())
}

fn forward<'t>(form: &str, tape: &'t Tape, qkv: [Var<'t>; 3], rates: &Matrix, n: usize) -> Var<'t> {
    let [q, k, v] = qkv;
    let causal = Sequences::single(n, n).with(AttentionMask::Causal);
    let rates = || Some(tape.leaf(rates.clone()));
    match form {
        "fused" => scaled_dot_attention(q, k, v, 1, &causal),
        "tiles" => flash_attention(q, k, v, 1, &causal),
        "linear" => linear_attention(qkv, None, 1, &[0, n], CHUNK),
        "delta" => linear_attention(qkv, rates(), 1, &[0, n], CHUNK),
        _ => linear_attention(qkv, rates(), 1, &[0, n], 1),
    }
}

fn seconds(found: &Numbers) -> Svg {
    let names = [
        "softmax, fused",
        "softmax, in tiles",
        "linear, chunks",
        "delta rule, chunks",
        "delta rule, token by token",
    ];
    let mut chart = Chart::new("", "tokens", "milliseconds, there and back");
    for (form, name) in FORMS.into_iter().zip(names) {
        let line: Vec<(f64, f64)> = LENGTHS
            .iter()
            .filter_map(|n| {
                Some((*n as f64, found.once.get(form)?[n.to_string()]["milliseconds"].as_f64()?))
            })
            .collect();
        chart = chart.line(name, &line);
    }
    chart.named_above().log(true, true).draw()
}
