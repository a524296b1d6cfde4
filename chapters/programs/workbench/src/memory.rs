//! How much memory there is, and how much is used.

use crate::error::{Error, Result};
use std::fs;
use std::path::Path;

/// The most memory the process has held so far, in bytes, where the system says it (Linux).
pub fn peak_memory() -> Option<u64> {
    field(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:").map(|kibibytes| kibibytes << 10)
}

/// The bytes by which the process grew at most while `run` ran; where the system says it (Linux). What lies free
/// in the allocator is used first, and does not count.
pub(crate) fn growth(run: impl FnOnce()) -> Option<u64> {
    fs::write("/proc/self/clear_refs", "5").ok()?; // the peak is now what is held
    let before = peak_memory()?;
    run();
    Some(peak_memory()?.saturating_sub(before))
}

/// How many more bytes this process may hold before the machine swaps, or the control group that it
/// runs in ends it; where the system says it (Linux).
pub fn free_memory() -> Option<u64> {
    let machine = field(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")? << 10;
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let left = left_in_groups(Path::new("/sys/fs/cgroup"), &groups);
    [left, left_of_limit()].into_iter().flatten().chain([machine]).min()
}

/// What a limit on the process's addresses (`ulimit -v`) leaves, if there is one.
fn left_of_limit() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?; // or `unlimited`
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kibibytes = |name| field(&status, name);
    // What an allocator has reserved, more than stacks are, and not yet used is left, too.
    let unused = kibibytes("VmData:")?.saturating_sub(kibibytes("RssAnon:")?);
    let reserved = if unused > 256 << 10 { unused } else { 0 };
    Some(limit.saturating_sub(kibibytes("VmSize:")?.saturating_sub(reserved) << 10))
}

/// What the control groups of a process (`0::/its/path`) have left, if one of them has a limit: its own
/// and all above it. Files that are only kept for speed do not count as held.
fn left_in_groups(mount: &Path, groups: &str) -> Option<u64> {
    let path = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let left = Path::new(path).ancestors().filter_map(|group| {
        let read = |name: &str| fs::read_to_string(mount.join(group).join(name)).ok();
        let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
        let cached = read("memory.stat").and_then(|text| field(&text, "inactive_file"));
        let held = number("memory.current")?.saturating_sub(cached.unwrap_or(0));
        Some(number("memory.max")?.saturating_sub(held))
    });
    left.min()
}

/// The number behind a name.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Refuses what would take more memory than there is. `bytes` is an estimate; `None` stands for
/// more than can be counted.
///
/// # Errors
/// When `bytes` are more than are free.
pub fn must_fit(what: &str, bytes: Option<u64>) -> Result<()> {
    let free = free_memory().unwrap_or(u64::MAX);
    match bytes {
        Some(bytes) if bytes <= free => Ok(()),
        _ => {
            let bytes = bytes.map_or("more than any machine has".to_owned(), readable);
            Err(Error::argument(format!(
                "{what} would take about {bytes} of memory, and {} are free",
                readable(free)
            )))
        }
    }
}

/// Bytes for people: two digits and a unit.
///
/// ```
/// use workbench::memory::readable;
/// assert_eq!([readable(900), readable(2_500_000), readable(73 << 30)], ["900 B", "2.4 MiB", "73 GiB"]);
/// ```
pub fn readable(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let power = (bytes.max(1).ilog2() / 10) as usize;
    let number = bytes as f64 / (1u64 << (10 * power)) as f64;
    let digits = usize::from(power > 0 && number < 9.95);
    format!("{number:.digits$} {}", units[power])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tightest_control_group_counts() {
        let mount = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = mount.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let left = |groups: &str| left_in_groups(mount.path(), groups);
        assert_eq!(left("0::/a/b\n"), None);
        write("a/memory.max", "1000\n");
        write("a/memory.current", "700\n");
        write("a/memory.stat", "anon 400\ninactive_file 100\n");
        assert_eq!(left("1:cpu:/a\n0::/a/b\n"), Some(400));
        write("a/b/memory.max", "max\n");
        write("a/b/memory.current", "600\n");
        assert_eq!(left("0::/a/b\n"), Some(400));
    }

    #[test]
    fn growth_is_what_was_held_in_passing() {
        let grown = growth(|| drop(std::hint::black_box(vec![1_u8; 64 << 20])));
        assert!(grown.is_none_or(|bytes| bytes > 60 << 20), "{grown:?}");
    }

    #[test]
    fn what_does_not_fit_is_told_with_a_number() {
        must_fit("this", Some(1 << 20)).unwrap();
        if let Some(free) = free_memory() {
            assert!(free > 1 << 20);
            let line = must_fit("this model", Some(5 << 50)).unwrap_err().to_string();
            assert!(
                line.starts_with("this model would take about 5.0 PiB of memory, and "),
                "{line}"
            );
        }
        let line = must_fit("this model", None).unwrap_err().to_string();
        assert!(line.contains("more than any machine has"), "{line}");
    }
}
