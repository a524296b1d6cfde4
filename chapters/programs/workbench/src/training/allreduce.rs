//! Sums over processes in a fixed tree, by messages between two of them.
//!
//! A library's own all-reduce may add in any order, and chooses another for another number of
//! processes. Here all three ways add in the tree of [`LossAndGradients`](shared::LossAndGradients)
//! over the ranks, `((0 + 1) + (2 + 3)) + …`, so that they and one process alone have the same bits.
//! For n numbers on P processes each of them sends
//!
//! | way | messages after one another | numbers |
//! |---|---|---|
//! | recursive doubling: neighbours at distance 1, 2, 4 … exchange all they have | log₂ P | n·log₂ P |
//! | recursive halving, then doubling: half, a quarter … of the numbers are summed, and handed back (Rabenseifner 2004) | 2·log₂ P | 2n·(1 − 1/P) |
//! | up the tree to rank 0 and down again, for any P | 2·log₂ P, rounded up | rank 0: n·log₂ P |

use shared::Float;

/// Where messages between processes go.
pub trait Link {
    /// The number of this process, from 0.
    fn rank(&self) -> usize;

    /// How many there are.
    fn count(&self) -> usize;

    /// Sends numbers to another process and receives numbers from it, both at once. It does the same,
    /// with as many numbers to send as are received here; none is a message too.
    fn exchange(&mut self, with: usize, send: &[Float], receive: &mut [Float]);
}

/// As long as so few numbers are sent, the number of messages decides.
const SHORT: usize = 1 << 11;

/// Replaces the numbers by their sums over all processes, of which each brings as many.
pub fn all_reduce(link: &mut dyn Link, numbers: &mut [Float]) {
    match (link.count().is_power_of_two(), numbers.len() <= SHORT) {
        (true, true) => doubling(link, numbers),
        (true, false) => halving(link, numbers, 1),
        (false, _) => up_and_down(link, numbers),
    }
}

/// At distance 1, 2, 4 … neighbours exchange their sums: both then have the sum of both.
fn doubling(link: &mut dyn Link, numbers: &mut [Float]) {
    let mut theirs = vec![0.0; numbers.len()];
    let mut distance = 1;
    while distance < link.count() {
        link.exchange(link.rank() ^ distance, numbers, &mut theirs);
        add(numbers, &theirs);
        distance *= 2;
    }
}

// ANCHOR: halving
/// The neighbour at this distance sums one half and we the other; what all others add to our half
/// happens at larger distances; then both halves are exchanged.
fn halving(link: &mut dyn Link, numbers: &mut [Float], distance: usize) {
    if distance == link.count() {
        return;
    }
    let neighbour = link.rank() ^ distance;
    let (low, high) = numbers.split_at_mut(numbers.len() / 2);
    let (ours, theirs) = if link.rank() < neighbour { (low, high) } else { (high, low) };
    let mut part = vec![0.0; ours.len()];
    link.exchange(neighbour, theirs, &mut part);
    add(ours, &part);
    halving(link, ours, 2 * distance);
    link.exchange(neighbour, ours, theirs);
}
// ANCHOR_END: halving

/// Sums climb to rank 0, by blocks of 1, 2, 4 … ranks, and the whole sum comes down the same way.
fn up_and_down(link: &mut dyn Link, numbers: &mut [Float]) {
    let (rank, count) = (link.rank(), link.count());
    let mut theirs = vec![0.0; numbers.len()];
    let mut distance = 1;
    while distance < count && rank & distance == 0 {
        if rank + distance < count {
            link.exchange(rank + distance, &[], &mut theirs);
            add(numbers, &theirs);
        }
        distance *= 2;
    }
    if rank > 0 {
        link.exchange(rank - distance, numbers, &mut []);
        link.exchange(rank - distance, &[], numbers);
    }
    while distance > 1 {
        distance /= 2;
        if rank + distance < count {
            link.exchange(rank + distance, numbers, &mut []);
        }
    }
}

/// Of two numbers, the sum does not depend on which comes first.
fn add(sum: &mut [Float], numbers: &[Float]) {
    for (sum, x) in sum.iter_mut().zip(numbers) {
        *sum += x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use std::sync::mpsc::{Receiver, Sender, channel};

    /// Processes that are threads: a channel from each to each.
    struct Threads {
        rank: usize,
        to: Vec<Sender<Vec<Float>>>,
        from: Vec<Receiver<Vec<Float>>>,
        sent: usize,
    }

    impl Link for Threads {
        fn rank(&self) -> usize {
            self.rank
        }

        fn count(&self) -> usize {
            self.to.len()
        }

        fn exchange(&mut self, with: usize, send: &[Float], receive: &mut [Float]) {
            self.sent += send.len();
            self.to[with].send(send.to_vec()).unwrap();
            receive.copy_from_slice(&self.from[with].recv().unwrap());
        }
    }

    fn links(count: usize) -> Vec<Threads> {
        let mut from: Vec<Vec<_>> = (0..count).map(|_| Vec::new()).collect();
        let to = (0..count).map(|_| {
            let (to, ends): (Vec<_>, Vec<_>) = (0..count).map(|_| channel()).unzip();
            from.iter_mut().zip(ends).for_each(|(from, end)| from.push(end));
            to
        });
        let to: Vec<_> = to.collect();
        let link = |(rank, (to, from))| Threads { rank, to, from, sent: 0 };
        to.into_iter().zip(from).enumerate().map(link).collect()
    }

    /// What each process has afterwards, and how many numbers it sent.
    fn run(
        parts: &[Vec<Float>],
        sum: impl Fn(&mut dyn Link, &mut [Float]) + Sync,
    ) -> Vec<(Vec<Float>, usize)> {
        std::thread::scope(|scope| {
            let process = |(mut link, part): (Threads, &Vec<Float>)| {
                let (mut numbers, sum) = (part.clone(), &sum);
                scope.spawn(move || {
                    sum(&mut link, &mut numbers);
                    (numbers, link.sent)
                })
            };
            let all: Vec<_> = links(parts.len()).into_iter().zip(parts).map(process).collect();
            all.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    fn parts(count: usize, numbers: usize) -> Vec<Vec<Float>> {
        let rng = &mut shared::rng(count as u64);
        let mut number = || (rng.random::<Float>() - 0.5).powi(5);
        (0..count).map(|_| (0..numbers).map(|_| number()).collect()).collect()
    }

    /// The naive twin.
    fn tree(parts: &[Vec<Float>]) -> Vec<Float> {
        match parts {
            [one] => one.clone(),
            _ => {
                let (left, right) = parts.split_at(parts.len().next_power_of_two() / 2);
                tree(left).iter().zip(tree(right)).map(|(a, b)| a + b).collect()
            }
        }
    }

    #[test]
    fn all_ways_have_the_bits_of_the_tree() {
        for count in 1..=9 {
            for numbers in [0, 1, 7, 100, SHORT + 3] {
                let parts = parts(count, numbers);
                let expected = tree(&parts);
                let check = |found: Vec<(Vec<Float>, usize)>| {
                    assert!(found.iter().all(|(sum, _)| *sum == expected), "{count} × {numbers}");
                };
                check(run(&parts, all_reduce));
                check(run(&parts, up_and_down));
                if count.is_power_of_two() {
                    check(run(&parts, doubling));
                    check(run(&parts, |link, numbers| halving(link, numbers, 1)));
                }
            }
        }
    }

    #[test]
    fn the_order_matters_at_all() {
        let parts = parts(8, 100);
        let in_a_row: Vec<Float> =
            (0..100).map(|i| parts.iter().map(|part| part[i]).sum()).collect();
        assert_ne!(tree(&parts), in_a_row);
    }

    #[test]
    fn as_many_numbers_are_sent_as_the_table_says() {
        let sent = |found: Vec<(Vec<Float>, usize)>| found[0].1;
        let parts = parts(8, 800);
        assert_eq!(sent(run(&parts, doubling)), 3 * 800);
        assert_eq!(sent(run(&parts, |link, numbers| halving(link, numbers, 1))), 2 * 700);
        assert_eq!(sent(run(&parts, up_and_down)), 3 * 800);
    }
}
