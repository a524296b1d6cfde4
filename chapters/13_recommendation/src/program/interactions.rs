//! Files of interactions: a line says who had to do with what, and when.

use super::data::{Customer, Data};
use crate::Action;
use clap::Args;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::files::{Row, Rows, shorten, unambiguous_moment};
use workbench::memory::must_fit;
use workbench::program::counted;

#[derive(Args, Clone, Debug, Default)]
pub struct DataArgs {
    /// Interactions: MovieLens' `u.data`, `ratings.dat` or `ratings.csv`, RecBole's `.inter`, or any table
    /// [default: the generated shop]
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Name or number of the column that says who
    #[arg(long, value_name = "COLUMN", requires = "data")]
    pub user: Option<String>,
    /// Name or number of the column that says what
    #[arg(long, value_name = "COLUMN", requires = "data")]
    pub item: Option<String>,
    /// Name or number of the column that says when, in numbers or dates; without one the order of the lines
    /// counts
    #[arg(long, value_name = "COLUMN", requires = "data")]
    pub time: Option<String>,
    /// How many interactions of each customer are kept, the last ones: memory does not grow with the file
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(3..=100_000))]
    pub keep: u32,
}

/// The usual names of the columns, in small letters and without `_`: who, what, when.
const USUAL: [&[&str]; 3] = [
    &["userid", "user", "customer", "customerid", "reviewerid"],
    &["itemid", "movieid", "item", "product", "productid", "asin"],
    &["timestamp", "time", "date", "datetime"],
];
/// Customers with fewer cannot be trained on, validated and tested.
const LEAST: usize = 3;
/// After so many lines it is looked whether memory is left.
const LINES: usize = 1 << 20;

/// When, and which item.
type Entry = (f64, u32);

/// Customers of a file, with a line for each thing that a reader should know of how it was read.
pub fn read_interactions(path: &Path, arguments: &DataArgs) -> Result<(Data, Vec<String>)> {
    let (mut rows, layout) = Rows::open(path, |first| Layout::of(first, arguments))?;
    if !layout.has_header {
        rows.without_header();
    }
    let (mut users, mut items) = (HashMap::new(), HashMap::new());
    let mut customers: Vec<Vec<Entry>> = Vec::new();
    let (mut read, mut old) = (0, 0);
    let keep = arguments.keep as usize;
    let mut dated = None;
    while let Some(row) = rows.next_row()? {
        let refuse = |reason| rows.refuse(&row, reason);
        let [user, item] = layout.who_and_what(&row).map_err(refuse)?;
        let time = layout.time(&row, &mut dated).map_err(refuse)?;
        let (user, item) = (number_of(&mut users, user), number_of(&mut items, item));
        customers.resize_with(customers.len().max(user + 1), Vec::new);
        customers[user].push((time, item as u32));
        if customers[user].len() >= 2 * keep {
            old += settle(&mut customers[user], keep);
        }
        read += 1;
        if read % LINES == 0 {
            let what = format!("the last {keep} interactions of each customer (--keep)");
            let each = size_of::<Action>() + size_of::<f64>();
            must_fit(&what, Some(((read - old) * each) as u64))?;
        }
    }
    if read == 0 {
        return Err(Error::file(path, "there is no interaction in it"));
    }
    old += customers.iter_mut().map(|own| settle(own, keep)).sum::<usize>();
    let people = customers.len();
    let data = usable(path, customers, items)?;
    let used: usize = data.customers.iter().map(|one| one.actions.len()).sum();
    let few = people - data.customers.len();
    let tied = |one: &Customer| one.times.windows(2).filter(|pair| pair[0] == pair[1]).count();
    let tied: usize = data.customers.iter().map(tied).sum();
    let people = counted(data.customers.len(), "customer");
    let (name, items) = (&data.name, counted(data.items.len(), "item"));
    let read =
        format!("{name}: {read} interactions read; {used} are used, of {people} with {items}");
    let mut notices = vec![read, layout.told];
    let mut note = |count: usize, what: &str| {
        notices.extend((count > 0).then(|| format!("{count} {what}")));
    };
    note(old, &format!("were dropped: older than a customer's last {keep} (--keep)"));
    note(few, &format!("customers were dropped: fewer than {LEAST} interactions"));
    note(tied, "interactions have the time of the one before; the order of the lines decides");
    notices.extend(rows.notices());
    Ok((data, notices))
}

/// The number of a name; a new name gets the next one.
fn number_of(known: &mut HashMap<Box<str>, usize>, name: &str) -> usize {
    let next = known.len();
    known.get(name).copied().unwrap_or_else(|| *known.entry(name.into()).or_insert(next))
}

/// Sorts by time, then by lines, and keeps the last `keep`. Returns how many are dropped.
fn settle(own: &mut Vec<Entry>, keep: usize) -> usize {
    own.sort_by(|a, b| a.0.total_cmp(&b.0)); // stable: equal times stay as they came
    own.drain(..own.len().saturating_sub(keep)).count()
}

/// The customers with enough interactions, and the names of the items.
fn usable(
    path: &Path,
    customers: Vec<Vec<Entry>>,
    names: HashMap<Box<str>, usize>,
) -> Result<Data> {
    let customers = customers.into_iter().filter(|own| own.len() >= LEAST);
    let customers = customers.map(|own| Customer {
        actions: own.iter().map(|one| Action { item: one.1 as usize, kind: 0 }).collect(),
        times: own.iter().map(|(time, _)| *time).collect(),
        ..Customer::default()
    });
    let customers: Vec<Customer> = customers.collect();
    if customers.len() < 2 {
        let count = counted(customers.len(), "customer");
        let reason = format!("{count} with {LEAST} interactions or more; needed are two");
        return Err(Error::file(path, reason));
    }
    if names.len() < 2 {
        return Err(Error::file(path, "a single item: there is nothing to choose from"));
    }
    let mut items = vec![String::new(); names.len()];
    names.into_iter().for_each(|(name, number)| items[number] = name.into());
    let name = path.display().to_string();
    Ok(Data { items, kinds: vec!["interaction".to_owned()], customers, name })
}

fn number(field: &str) -> Option<f64> {
    field.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The places of the columns, and how a reader is told.
struct Layout {
    user: usize,
    item: usize,
    time: Option<usize>,
    has_header: bool,
    told: String,
}

impl Layout {
    fn who_and_what<'r>(&self, row: &'r Row) -> Result<[&'r str; 2], String> {
        let both = [self.user, self.item].map(|place| &row.fields[place][..]);
        if both.contains(&"") { Err("who or what is missing".to_owned()) } else { Ok(both) }
    }

    /// The time in seconds since 1970, or any other number; without a column the number of the line. A file has numbers
    /// or dates (`dated`): both together would be in no order.
    fn time(&self, row: &Row, dated: &mut Option<bool>) -> Result<f64, String> {
        let Some(field) = self.time.map(|place| &row.fields[place]) else {
            return Ok(row.line as f64);
        };
        let told = |is: &str| format!("the time `{}` {is}", shorten(field));
        let is = "is no number, and no date as 2024-03-31 or 2024-03-31T12:30:00Z";
        let (found, is_date) = match number(field) {
            Some(number) => (number, false),
            None => (unambiguous_moment(field).ok_or_else(|| told(is))?, true),
        };
        if *dated.get_or_insert(is_date) != is_date {
            return Err(told("is a date among numbers, or a number among dates"));
        }
        Ok(found)
    }

    /// Reads the first row: names, or already an interaction. Without names who and what come first, and the
    /// first date or number of seconds after them says when.
    fn of(first: &[String], arguments: &DataArgs) -> Result<Layout, String> {
        if first.len() < 2 {
            return Err("between columns stand tabs, semicolons, commas or `::`".to_owned());
        }
        let is_time = |field: &String| match number(field) {
            Some(seconds) => seconds >= 1e8,
            None => unambiguous_moment(field).is_some(),
        };
        let has_header = !first.iter().any(|field| number(field).is_some() || is_time(field));
        let names: Vec<&str> =
            first.iter().map(|name| name.split(':').next().unwrap_or(name)).collect();
        let usual = names.iter().map(|name| name.to_lowercase().replace(['_', ' ', '-'], ""));
        let usual: Vec<String> = usual.collect();
        let find = |i: usize, asked: &Option<String>| match asked {
            Some(asked) => {
                let named = names.iter().position(|name| name == asked && has_header);
                let numbered = asked.parse().ok().filter(|n| (1..=first.len()).contains(n));
                named.or(numbered.map(|n: usize| n - 1))
            }
            None if has_header => {
                USUAL[i].iter().find_map(|known| usual.iter().position(|name| name == known))
            }
            None if i < 2 => Some(i),
            None => (2..first.len()).find(|place| is_time(&first[*place])),
        };
        let missing = |what| {
            let listed = names.iter().take(10).map(|name| format!("`{}`", shorten(name)));
            let listed = listed.collect::<Vec<_>>().join(", ");
            format!("no column says {what} (--{what}, by name or number); the columns are {listed}")
        };
        let user = find(0, &arguments.user).ok_or_else(|| missing("user"))?;
        let item = find(1, &arguments.item).ok_or_else(|| missing("item"))?;
        let time = find(2, &arguments.time);
        if time.is_none() && arguments.time.is_some() {
            return Err(missing("time"));
        }
        let shown = |i: usize| {
            if has_header {
                format!("`{}`", shorten(names[i]))
            } else {
                format!("column {}", i + 1)
            }
        };
        let (who, what) = (shown(user), shown(item));
        let when = time.map(|place| format!("{} when", shown(place)));
        let when = when.unwrap_or("no column says when: the order of the lines counts".to_owned());
        let told = format!("{who} says who, {what} what, {when} (--user, --item, --time)");
        if user == item || [user, item].map(Some).contains(&time) {
            return Err(format!("one column for two of three: {told}"));
        }
        Ok(Layout { user, item, time, has_header, told })
    }
}
