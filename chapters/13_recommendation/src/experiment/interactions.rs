//! Files of interactions: a line says who had to do with what, and when.

use super::data::{Customer, Data};
use crate::Action;
use clap::Args;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::mem::take;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use workbench::error::{Error, Result};
use workbench::files::{cannot_read, must_be_a_file, shorten};
use workbench::folders::must_be_itself;
use workbench::memory::must_fit;
use workbench::program::counted;

#[derive(Args, Clone, Debug, Default)]
pub struct DataArgs {
    /// Interactions: MovieLens' `u.data`, `ratings.dat` or `ratings.csv`, RecBole's `.inter`, or any table
    /// whose first line names its columns [default: the generated shop]
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Name of the column that says who
    #[arg(long, value_name = "COLUMN", requires = "data")]
    pub user: Option<String>,
    /// Name of the column that says what
    #[arg(long, value_name = "COLUMN", requires = "data")]
    pub item: Option<String>,
    /// Name of the column that says when, in numbers; without one the order of the lines counts
    #[arg(long, value_name = "COLUMN", requires = "data")]
    pub time: Option<String>,
    /// How many interactions of each customer are kept, the last ones: memory does not grow with the file
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(3..=100_000))]
    pub keep: u32,
}

const USER: [&str; 4] = ["user_id", "userId", "user", "customer"];
const ITEM: [&str; 4] = ["item_id", "movieId", "item", "product"];
const TIME: [&str; 3] = ["timestamp", "time", "date"];
/// Customers with fewer cannot be trained on, validated and tested.
const LEAST: usize = 3;

/// Numbers for names, in the order in which they come.
#[derive(Default)]
struct Names(HashMap<Box<str>, u32>);

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.0.get(name) {
            return *number;
        }
        let number = self.0.len() as u32;
        self.0.insert(name.into(), number);
        number
    }
}

/// Where the columns are.
struct Layout {
    separator: &'static str,
    fields: usize,
    user: usize,
    item: usize,
    time: Option<usize>,
    has_header: bool,
}

/// One interaction: time, item.
type Entry = (f64, u32);
/// So often it is looked whether memory is left.
const LINES: u64 = 1 << 20;

/// What was read of a file so far, and counted on the way.
#[derive(Default)]
struct Reading {
    now: f64,
    layout: Option<Layout>,
    items: Names,
    users: Names,
    customers: Vec<Vec<Entry>>,
    read: usize,
    latin: usize,
    old: usize,
    twice: usize,
    future: usize,
}

/// Customers of a file, with a line for each thing that a reader should know of how it was read.
pub fn read_interactions(path: &Path, arguments: &DataArgs) -> Result<(Data, Vec<String>)> {
    let mut reading = read_lines(path, arguments)?;
    if reading.read == 0 {
        return Err(Error::file(path, "there is no interaction in it"));
    }
    let (people, keep) = (reading.customers.len(), arguments.keep as usize);
    (0..people).for_each(|user| reading.settle(user, keep));
    let data = reading.usable(path)?;
    let notices = reading.notices(&data, people, keep);
    Ok((data, notices))
}

fn read_lines(path: &Path, arguments: &DataArgs) -> Result<Reading> {
    must_be_a_file(path)?;
    let unread = |error| Error::file(path, cannot_read(path, &error));
    let mut file = BufReader::with_capacity(1 << 20, File::open(path).map_err(unread)?);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(f64::MAX, |t| t.as_secs_f64());
    let (mut reading, mut bytes) = (Reading { now, ..Reading::default() }, Vec::new());
    for line in 1.. {
        bytes.clear();
        if file.read_until(b'\n', &mut bytes).map_err(unread)? == 0 {
            break;
        }
        if line == 1 {
            must_be_itself(path, &bytes)?;
        }
        let refuse = |reason: String| Error::line(path, line, reason);
        reading.line(&bytes, line, arguments).map_err(refuse)?;
        if line.is_multiple_of(LINES) {
            let kept = reading.read - reading.old - reading.twice;
            must_have_room(kept, reading.customers.len(), arguments.keep)?;
        }
    }
    Ok(reading)
}

/// Refuses to read on when what was kept, once more as histories, does not fit.
fn must_have_room(kept: usize, customers: usize, keep: u32) -> Result<()> {
    let bytes = kept * (size_of::<Action>() + size_of::<f64>());
    let what = format!("the last {keep} interactions of {customers} customers (--keep)");
    must_fit(&what, Some(bytes as u64))
}

impl Reading {
    /// One more line: names of columns, an interaction, or nothing.
    fn line(&mut self, bytes: &[u8], number: u64, arguments: &DataArgs) -> Result<(), String> {
        if bytes.contains(&0) {
            return Err("a byte is zero: no text, but packed or UTF-16".to_owned());
        }
        let text = text_of(bytes, &mut self.latin);
        let text = text.trim_start_matches('\u{feff}').trim_end_matches(['\n', '\r']);
        if text.trim().is_empty() {
            return Ok(());
        }
        if self.layout.is_none() {
            let layout = self.layout.insert(Layout::of(text, arguments)?);
            if layout.has_header {
                return Ok(());
            }
        }
        let layout = self.layout.as_ref().expect("the first line said it");
        let (user, item, time) = layout.row(text, number)?;
        self.future += usize::from(layout.time.is_some() && time > self.now);
        self.read += 1;
        let (user, item) = (self.users.number(user) as usize, self.items.number(item));
        if user == self.customers.len() {
            self.customers.push(Vec::new());
        }
        self.customers[user].push((time, item));
        let keep = arguments.keep as usize;
        if self.customers[user].len() >= 2 * keep {
            self.settle(user, keep);
        }
        Ok(())
    }

    /// In order of time, then of lines; the same item at the same time counts once; the last `keep`.
    fn settle(&mut self, user: usize, keep: usize) {
        let own = &mut self.customers[user];
        own.sort_by(|a, b| a.0.total_cmp(&b.0)); // stable: equal times stay as they came
        let before = own.len();
        let mut run: Vec<u32> = Vec::new(); // items of this time
        let mut at = f64::NAN;
        own.retain(|(time, item)| {
            if *time != at {
                (at, run) = (*time, Vec::new());
            }
            let is_new = !run.contains(item);
            run.push(*item);
            is_new
        });
        self.twice += before - own.len();
        let too_many = own.len().saturating_sub(keep);
        self.old += too_many;
        own.drain(..too_many);
    }

    /// The customers with enough interactions, and the names of the items.
    fn usable(&mut self, path: &Path) -> Result<Data> {
        let mut customers = take(&mut self.customers);
        customers.retain(|own| own.len() >= LEAST);
        if customers.len() < 2 {
            let count = counted(customers.len(), "customer");
            let reason = format!("{count} with {LEAST} interactions or more; needed are two");
            return Err(Error::file(path, reason));
        }
        let mut names = vec![String::new(); self.items.0.len()];
        let items = take(&mut self.items.0).into_iter();
        items.for_each(|(name, number)| names[number as usize] = name.into());
        if names.len() < 2 {
            return Err(Error::file(path, "a single item: there is nothing to choose from"));
        }
        Ok(data(path, names, customers))
    }

    fn notices(&self, data: &Data, people: usize, keep: usize) -> Vec<String> {
        let customers = data.customers.len();
        let actions: usize = data.customers.iter().map(|one| one.actions.len()).sum();
        let mut notices = vec![format!(
            "{}: {} interactions read; {actions} are used, of {} with {}",
            data.name,
            self.read,
            counted(customers, "customer"),
            counted(data.items.len(), "item")
        )];
        // Where most are of the future, these are no seconds.
        let future = if self.future < self.read / 2 { self.future } else { 0 };
        for (count, what) in [
            (self.twice, "were dropped: the same customer, item and time once more"),
            (self.old, &format!("were dropped: older than a customer's last {keep} (--keep)")),
            (
                people - customers,
                &format!("customers were dropped: fewer than {LEAST} interactions"),
            ),
            (self.latin, "lines are not UTF-8 and were read as Latin-1"),
            (
                tied(data),
                "interactions have the time of the one before; the order of the lines decides",
            ),
            (
                future,
                "interactions are of the future, if times are seconds since 1970; their order counts",
            ),
        ] {
            if count > 0 {
                notices.push(format!("{count} {what}"));
            }
        }
        if self.layout.as_ref().is_some_and(|layout| layout.time.is_none()) {
            notices.push("no column says when: the order of the lines counts".to_owned());
        }
        notices
    }
}

fn data(path: &Path, items: Vec<String>, customers: Vec<Vec<Entry>>) -> Data {
    let customer = |own: Vec<Entry>| Customer {
        actions: own.iter().map(|(_, item)| Action { item: *item as usize, kind: 0 }).collect(),
        times: own.iter().map(|(time, _)| *time).collect(),
        ..Customer::default()
    };
    let customers: Vec<Customer> = customers.into_iter().map(customer).collect();
    let name = path.display().to_string();
    Data { items, kinds: vec!["interaction".to_owned()], customers, name }
}

fn tied(data: &Data) -> usize {
    let of = |one: &Customer| one.times.windows(2).filter(|pair| pair[0] == pair[1]).count();
    data.customers.iter().map(of).sum()
}

fn text_of(bytes: &[u8], latin: &mut usize) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => {
            *latin += 1;
            bytes.iter().map(|byte| char::from(*byte)).collect()
        }
    }
}

impl Layout {
    /// What the first line says: names, or already an interaction as MovieLens has them.
    fn of(line: &str, arguments: &DataArgs) -> Result<Layout, String> {
        let separators = ["::", "\t", ";", ","];
        let Some(separator) = separators.into_iter().find(|one| line.contains(one)) else {
            return Err("between columns stand tabs, commas, semicolons or `::`".to_owned());
        };
        let fields: Vec<&str> = line.split(separator).map(plain).collect();
        let asked = [&arguments.user, &arguments.item, &arguments.time];
        let is_number = |field: &&str| field.parse::<f64>().is_ok();
        if fields.iter().all(is_number) && asked.iter().all(|name| name.is_none()) {
            let count = fields.len();
            let time = (count >= 3).then_some(count - 1); // user, item, (rating,) time
            return Ok(Layout {
                separator,
                fields: count,
                user: 0,
                item: 1,
                time,
                has_header: false,
            });
        }
        let names: Vec<&str> =
            fields.iter().map(|name| name.split(':').next().unwrap_or(name)).collect();
        let find = |asked: &Option<String>, usual: &[&str]| match asked {
            Some(name) => names.iter().position(|one| one == name),
            None => usual.iter().find_map(|name| names.iter().position(|one| one == name)),
        };
        let missing = |what: &str, asked: &Option<String>| {
            let asked =
                asked.as_ref().map_or(String::new(), |name| format!(" `{}`", shorten(name)));
            let names: Vec<String> =
                names.iter().take(10).map(|name| format!("`{}`", shorten(name))).collect();
            format!("no column{asked} says {what} (--{what}); the columns are {}", names.join(", "))
        };
        let user = find(&arguments.user, &USER).ok_or_else(|| missing("user", &arguments.user))?;
        let item = find(&arguments.item, &ITEM).ok_or_else(|| missing("item", &arguments.item))?;
        let time = find(&arguments.time, &TIME);
        if time.is_none() && arguments.time.is_some() {
            return Err(missing("time", &arguments.time));
        }
        Ok(Layout { separator, fields: names.len(), user, item, time, has_header: true })
    }

    fn row<'l>(&self, line: &'l str, number: u64) -> Result<(&'l str, &'l str, f64), String> {
        let fields: Vec<&str> = line.split(self.separator).map(plain).collect();
        if fields.len() != self.fields {
            return Err(format!("{} columns, the first line has {}", fields.len(), self.fields));
        }
        let [user, item] = [self.user, self.item].map(|place| fields[place]);
        if user.is_empty() || item.is_empty() {
            return Err("who or what is missing".to_owned());
        }
        let Some(place) = self.time else { return Ok((user, item, number as f64)) };
        match fields[place].parse::<f64>() {
            Ok(time) if time.is_finite() => Ok((user, item, time)),
            _ => Err(format!("the time `{}` is no number", shorten(fields[place]))),
        }
    }
}

fn plain(field: &str) -> &str {
    field.trim().trim_matches('"')
}
