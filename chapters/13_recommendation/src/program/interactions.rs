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

/// What the columns are called by themselves, in small letters and without `_`: who, what, when.
const USUAL: [&[&str]; 3] = [
    &["userid", "user", "customer", "customerid", "reviewerid"],
    &["itemid", "movieid", "item", "product", "productid", "asin"],
    &["timestamp", "time", "date", "datetime"],
];
/// Customers with fewer cannot be trained on, validated and tested.
const LEAST: usize = 3;
/// After so many lines it is looked whether memory is left.
const LINES: usize = 1 << 20;

/// What was read of a file so far, and counted on the way.
#[derive(Default)]
struct Reading {
    items: HashMap<Box<str>, usize>,
    users: HashMap<Box<str>, usize>,
    customers: Vec<Vec<(f64, u32)>>, // time, item
    read: usize,
    old: usize,
}

/// Customers of a file, with a line for each thing that a reader should know of how it was read.
pub fn read_interactions(path: &Path, arguments: &DataArgs) -> Result<(Data, Vec<String>)> {
    let (mut rows, layout) = Rows::open(path, |first| Layout::of(first, arguments))?;
    if !layout.has_header {
        rows.without_header();
    }
    let (mut reading, keep) = (Reading::default(), arguments.keep as usize);
    while let Some(row) = rows.next_row()? {
        reading.add(&row, &layout, keep).map_err(|reason| rows.refuse(&row, reason))?;
        if reading.read.is_multiple_of(LINES) {
            let kept = reading.read - reading.old; // once more as histories
            let what = format!("the last {keep} interactions of each customer (--keep)");
            must_fit(&what, Some((kept * (size_of::<Action>() + size_of::<f64>())) as u64))?;
        }
    }
    if reading.read == 0 {
        return Err(Error::file(path, "there is no interaction in it"));
    }
    let people = reading.customers.len();
    (0..people).for_each(|user| reading.settle(user, keep));
    let Reading { read, old, .. } = reading;
    let data = reading.usable(path)?;
    let used: usize = data.customers.iter().map(|one| one.actions.len()).sum();
    let customers = counted(data.customers.len(), "customer");
    let (name, items) = (&data.name, counted(data.items.len(), "item"));
    let mut notices = vec![format!(
        "{name}: {read} interactions read; {used} are used, of {customers} with {items}"
    )];
    notices.push(layout.told);
    let tied = |one: &Customer| one.times.windows(2).filter(|pair| pair[0] == pair[1]).count();
    let told = [
        (old, format!("were dropped: older than a customer's last {keep} (--keep)")),
        (
            people - data.customers.len(),
            format!("customers were dropped: fewer than {LEAST} interactions"),
        ),
        (
            data.customers.iter().map(tied).sum(),
            "interactions have the time of the one before; the order of the lines decides"
                .to_owned(),
        ),
    ];
    let told = told.iter().filter(|(count, _)| *count > 0);
    notices.extend(told.map(|(count, what)| format!("{count} {what}")));
    notices.extend(rows.notices());
    Ok((data, notices))
}

impl Reading {
    fn add(&mut self, row: &Row, layout: &Layout, keep: usize) -> Result<(), String> {
        let [user, item] = [layout.user, layout.item].map(|place| &row.fields[place]);
        if user.is_empty() || item.is_empty() {
            return Err("who or what is missing".to_owned());
        }
        let time = layout.time.map(|place| moment(&row.fields[place])).transpose()?;
        self.read += 1;
        let [user, item] = [(&mut self.users, user), (&mut self.items, item)]
            .map(|(known, name)| numbered(known, name));
        if user == self.customers.len() {
            self.customers.push(Vec::new());
        }
        self.customers[user].push((time.unwrap_or(row.line as f64), item as u32));
        if self.customers[user].len() >= 2 * keep {
            self.settle(user, keep);
        }
        Ok(())
    }

    /// In order of time, then of lines; the last `keep`.
    fn settle(&mut self, user: usize, keep: usize) {
        let own = &mut self.customers[user];
        own.sort_by(|a, b| a.0.total_cmp(&b.0)); // stable: equal times stay as they came
        let too_many = own.len().saturating_sub(keep);
        self.old += too_many;
        own.drain(..too_many);
    }

    /// The customers with enough interactions, and the names of the items.
    fn usable(self, path: &Path) -> Result<Data> {
        let customer = |own: Vec<(f64, u32)>| Customer {
            actions: own.iter().map(|one| Action { item: one.1 as usize, kind: 0 }).collect(),
            times: own.iter().map(|(time, _)| *time).collect(),
            ..Customer::default()
        };
        let customers = self.customers.into_iter().filter(|own| own.len() >= LEAST);
        let customers: Vec<Customer> = customers.map(customer).collect();
        if customers.len() < 2 {
            let count = counted(customers.len(), "customer");
            let reason = format!("{count} with {LEAST} interactions or more; needed are two");
            return Err(Error::file(path, reason));
        }
        let mut items = vec![String::new(); self.items.len()];
        self.items.into_iter().for_each(|(name, number)| items[number] = name.into());
        if items.len() < 2 {
            return Err(Error::file(path, "a single item: there is nothing to choose from"));
        }
        let name = path.display().to_string();
        Ok(Data { items, kinds: vec!["interaction".to_owned()], customers, name })
    }
}

/// The number of a name; a new name gets the next one.
fn numbered(known: &mut HashMap<Box<str>, usize>, name: &str) -> usize {
    let next = known.len();
    known.get(name).copied().unwrap_or_else(|| *known.entry(name.into()).or_insert(next))
}

/// A time in seconds since 1970, or in any other number.
fn moment(field: &str) -> Result<f64, String> {
    let is = "is no number, and no date as 2024-03-31 or 2024-03-31T12:30:00Z";
    let found = number(field).or_else(|| unambiguous_moment(field));
    found.ok_or_else(|| format!("the time `{}` {is}", shorten(field)))
}

fn number(field: &str) -> Option<f64> {
    field.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Where the columns are, and how a reader is told.
struct Layout {
    user: usize,
    item: usize,
    time: Option<usize>,
    has_header: bool,
    told: String,
}

impl Layout {
    /// What the first row says: names, or already an interaction. Without names who and what come first, and the
    /// first date or number of seconds behind them says when.
    fn of(first: &[String], arguments: &DataArgs) -> Result<Layout, String> {
        if first.len() < 2 {
            let known = "tabs, semicolons, commas, `::`, `|` or blanks";
            return Err(format!("between columns stand {known}"));
        }
        let is_time = |field: &String| match number(field) {
            Some(seconds) => seconds >= 1e8,
            None => unambiguous_moment(field).is_some(),
        };
        let has_header = !first.iter().any(|field| number(field).is_some() || is_time(field));
        let names: Vec<&str> =
            first.iter().map(|name| name.split(':').next().unwrap_or(name)).collect();
        let numbered = |asked: &String| {
            asked.parse().ok().filter(|n| (1..=first.len()).contains(n)).map(|n: usize| n - 1)
        };
        let find = |i: usize, asked: &Option<String>| match asked {
            Some(asked) => {
                let named = names.iter().position(|name| name == asked && has_header);
                named.or_else(|| numbered(asked))
            }
            None if has_header => USUAL[i].iter().find_map(|known| {
                let usual = |name: &str| name.to_lowercase().replace(['_', ' ', '-'], "");
                names.iter().position(|name| usual(name) == *known)
            }),
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
        let shown = |place: usize| match has_header {
            true => format!("`{}`", shorten(names[place])),
            false => format!("column {}", place + 1),
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
