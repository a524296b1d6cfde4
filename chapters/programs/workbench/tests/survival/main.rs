//! Training that is killed, interrupted and started again: by signals, which are Unix's.

#[cfg(unix)]
#[path = "../checks/toy/mod.rs"]
mod toy;
#[cfg(unix)]
mod unix;

fn main() -> std::process::ExitCode {
    #[cfg(unix)]
    return unix::main();
    #[cfg(not(unix))]
    std::process::ExitCode::SUCCESS
}
