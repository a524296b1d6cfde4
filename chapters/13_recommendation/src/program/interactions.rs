//! Files of interactions: a line says who had to do with what, and when.

use super::data::{Customer, Data};
use crate::Action;
use clap::Args;
use std::collections::{BTreeSet, HashMap};
use std::fmt::{self, Display};
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

/// The numbers of names.
type Names = HashMap<Box<str>, usize>;

/// How much a file holds, of which not all may be used.
struct Counts {
    interactions: usize,
    old: usize, // interactions of customers with many
    customers: usize,
    items: usize,
}

/// Customers of a file, with a line for each thing that a reader should know of how it was read.
pub fn read_interactions(path: &Path, arguments: &DataArgs) -> Result<(Data, Vec<String>)> {
    let (mut rows, layout) = Rows::open(path, |first| Layout::of(first, arguments))?;
    if layout.header.is_empty() {
        rows.without_header();
    }
    let keep = arguments.keep as usize;
    let (customers, names, counts) = collect(&mut rows, &layout, keep)?;
    let data = usable(path, customers, names)?;
    let mut notices = counts.notices(&data, &layout, keep);
    notices.extend(rows.notices());
    Ok((data, notices))
}

/// Reads interactions, of each customer the last `keep`.
fn collect(
    rows: &mut Rows,
    layout: &Layout,
    keep: usize,
) -> Result<(Vec<Vec<Entry>>, Names, Counts)> {
    let (mut users, mut items) = (Names::new(), Names::new());
    let mut customers: Vec<Vec<Entry>> = Vec::new();
    let (mut read, mut old) = (0, 0);
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
    old += customers.iter_mut().map(|own| settle(own, keep)).sum::<usize>();
    let counts = Counts { interactions: read, old, customers: users.len(), items: items.len() };
    Ok((customers, items, counts))
}

impl Counts {
    fn notices(&self, data: &Data, layout: &Layout, keep: usize) -> Vec<String> {
        let (name, read, customers) = (&data.name, self.interactions, &data.customers);
        let used: usize = customers.iter().map(|one| one.actions.len()).sum();
        let pairs = customers.iter().flat_map(|one| one.times.windows(2));
        let tied = pairs.filter(|pair| pair[0] == pair[1]).count();
        let people = counted(customers.len(), "customer");
        let items = counted(data.items.len(), "item");
        let read =
            format!("{name}: {read} interactions read; {used} are used, of {people} with {items}");
        let mut notices = vec![read, layout.to_string()];
        let mut note = |count: usize, what: &str| {
            notices.extend((count > 0).then(|| format!("{count} {what}")));
        };
        note(self.old, &format!("were dropped: older than a customer's last {keep} (--keep)"));
        let few = format!("customers were dropped: fewer than {LEAST} interactions");
        note(self.customers - customers.len(), &few);
        note(self.items - data.items.len(), "items were dropped: in no interaction that is used");
        note(tied, "interactions have the time of the one before; the order of the lines decides");
        notices
    }
}

/// The number of a name; a new name gets the next one.
fn number_of(known: &mut Names, name: &str) -> usize {
    let next = known.len();
    known.get(name).copied().unwrap_or_else(|| *known.entry(name.into()).or_insert(next))
}

/// Sorts by time, then by lines, and keeps the last `keep`. Returns how many are dropped.
fn settle(own: &mut Vec<Entry>, keep: usize) -> usize {
    own.sort_by(|a, b| a.0.total_cmp(&b.0)); // stable: equal times stay as they came
    own.drain(..own.len().saturating_sub(keep)).count()
}

/// The customers with enough interactions, and the items of these, in the order of the file.
fn usable(path: &Path, mut customers: Vec<Vec<Entry>>, names: Names) -> Result<Data> {
    if customers.is_empty() {
        return Err(Error::file(path, "there is no interaction in it"));
    }
    customers.retain(|own| own.len() >= LEAST);
    if customers.len() < 2 {
        let count = counted(customers.len(), "customer");
        let reason = format!("{count} with {LEAST} interactions or more; needed are two");
        return Err(Error::file(path, reason));
    }
    let used: BTreeSet<u32> = customers.iter().flatten().map(|one| one.1).collect();
    if used.len() < 2 {
        return Err(Error::file(path, "a single item: there is nothing to choose from"));
    }
    let numbers: HashMap<u32, usize> = used.into_iter().zip(0..).collect();
    let mut items = vec![String::new(); numbers.len()];
    for (name, number) in names {
        if let Some(number) = numbers.get(&(number as u32)) {
            items[*number] = name.into();
        }
    }
    let customers = customers.into_iter().map(|own| Customer {
        actions: own.iter().map(|one| Action { item: numbers[&one.1], kind: 0 }).collect(),
        times: own.iter().map(|(time, _)| *time).collect(),
        ..Customer::default()
    });
    let (customers, name) = (customers.collect(), path.display().to_string());
    Ok(Data { items, kinds: vec!["interaction".to_owned()], customers, name })
}

fn number(field: &str) -> Option<f64> {
    field.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Whether a field says when: a date, or seconds since 1970 that are no grade or count.
fn is_time(field: &str) -> bool {
    match number(field) {
        Some(seconds) => seconds >= 1e8,
        None => unambiguous_moment(field).is_some(),
    }
}

/// A column's name without its type, which RecBole writes behind a colon: `user_id:token`.
fn bare(name: &str) -> &str {
    name.split(':').next().unwrap_or(name)
}

/// The column of a role (a row of [`USUAL`]): the one asked for, by its name, with or without a type, or
/// its number; else by a usual name; without a `header` the first two columns say who and what, and the
/// first date or number of seconds after them says when.
fn column_of(
    role: usize,
    asked: &Option<String>,
    first: &[String],
    header: &[String],
) -> Option<usize> {
    if let Some(asked) = asked {
        let named = header.iter().position(|name| name == asked || bare(name) == asked);
        let numbered = asked.parse().ok().filter(|n| (1..=first.len()).contains(n));
        return named.or(numbered.map(|n: usize| n - 1));
    }
    if header.is_empty() {
        return if role < 2 { Some(role) } else { (2..first.len()).find(|i| is_time(&first[*i])) };
    }
    let names = header.iter().map(|name| bare(name).to_lowercase().replace(['_', ' ', '-'], ""));
    let names: Vec<String> = names.collect();
    USUAL[role].iter().find_map(|known| names.iter().position(|name| name == known))
}

/// The places of the columns.
struct Layout {
    user: usize,
    item: usize,
    time: Option<usize>,
    /// The names of the columns, none in a file without them.
    header: Vec<String>,
}

impl Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let shown = |place: usize| match self.header.get(place) {
            Some(name) => format!("`{}`", shorten(bare(name))),
            None => format!("column {}", place + 1),
        };
        write!(f, "{} says who, {} what, ", shown(self.user), shown(self.item))?;
        match self.time {
            Some(place) => write!(f, "{} when", shown(place))?,
            None => write!(f, "no column says when: the order of the lines counts")?,
        }
        write!(f, " (--user, --item, --time)")
    }
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

    /// Reads the first row: names, or already an interaction.
    fn of(first: &[String], arguments: &DataArgs) -> Result<Layout, String> {
        if first.len() < 2 {
            return Err("between columns stand tabs, semicolons, commas or `::`".to_owned());
        }
        let has_header = !first.iter().any(|field| number(field).is_some() || is_time(field));
        let header = if has_header { first.to_vec() } else { Vec::new() };
        let missing = |what| {
            let listed = first.iter().take(10).map(|name| format!("`{}`", shorten(bare(name))));
            let listed = listed.collect::<Vec<_>>().join(", ");
            format!("no column says {what} (--{what}, by name or number); the columns are {listed}")
        };
        let of = |role, asked| column_of(role, asked, first, &header);
        let user = of(0, &arguments.user).ok_or_else(|| missing("user"))?;
        let item = of(1, &arguments.item).ok_or_else(|| missing("item"))?;
        let time = of(2, &arguments.time);
        if time.is_none() && arguments.time.is_some() {
            return Err(missing("time"));
        }
        let layout = Layout { user, item, time, header };
        if user == item || [user, item].map(Some).contains(&time) {
            return Err(format!("one column for two of three: {layout}"));
        }
        Ok(layout)
    }
}
