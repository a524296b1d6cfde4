//! `cargo run --release -p evidence -- CHAPTER [COMPARISON]`: runs what a page's comparison rests on.

use clap::{Args, Command, FromArgMatches};
use evidence::{CHAPTERS, StudyArgs};
use std::process::ExitCode;
use workbench::program::{run, with_negative_numbers};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let mut program = Command::new("evidence")
        .about("Runs what a page's comparison rests on: trains every row with every seed, and judges it")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true);
    for (chapter, comparisons) in CHAPTERS {
        let mut command =
            StudyArgs::augment_args(Command::new(*chapter).about(comparisons[0].about))
                .args_conflicts_with_subcommands(true);
        for comparison in &comparisons[1..] {
            let other = Command::new(comparison.name).about(comparison.about);
            command = command.subcommand(StudyArgs::augment_args(other));
        }
        program = program.subcommand(command);
    }
    let matches = with_negative_numbers(program).get_matches();
    let (chapter, matches) = matches.subcommand().expect("a chapter");
    let (_, comparisons) = CHAPTERS.iter().find(|(name, _)| *name == chapter).expect("a chapter");
    let (comparison, matches) = match matches.subcommand() {
        Some((name, matches)) => (
            comparisons.iter().find(|comparison| comparison.name == name).expect("its name"),
            matches,
        ),
        None => (&comparisons[0], matches),
    };
    let arguments = StudyArgs::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
    run(|| (comparison.run)(comparison, &arguments))
}
