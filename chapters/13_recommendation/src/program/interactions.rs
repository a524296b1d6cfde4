//! Files of interactions: a line says who had to do with what, and when.

use super::data::{Customer, Data};
use crate::Action;
use clap::Args;
use std::collections::{HashMap, HashSet};
use std::mem::take;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
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

/// Usual names, in small letters and without `_`.
const USER: [&str; 5] = ["userid", "user", "customer", "customerid", "reviewerid"];
const ITEM: [&str; 6] = ["itemid", "movieid", "item", "product", "productid", "asin"];
const TIME: [&str; 4] = ["timestamp", "time", "date", "datetime"];
/// Customers with fewer cannot be trained on, validated and tested.
const LEAST: usize = 3;

/// Numbers for names, in the order in which they come.
#[derive(Default)]
struct Names(HashMap<Box<str>, u32>, usize);
/// Bytes that a name takes beside its letters, about.
const NAME: usize = 48;

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.0.get(name) {
            return *number;
        }
        let number = self.0.len() as u32;
        self.0.insert(name.into(), number);
        self.1 += NAME + name.len();
        number
    }
}

/// Where the columns are, and how a reader is told.
struct Layout {
    user: usize,
    item: usize,
    time: Option<usize>,
    has_header: bool,
    told: String,
}

/// One interaction: time, item.
type Entry = (f64, u32);
/// So often it is looked whether memory is left.
const LINES: usize = 1 << 20;

/// What was read of a file so far, and counted on the way.
#[derive(Default)]
struct Reading {
    now: f64,
    /// Whether times are dates, once one was read.
    dated: Option<bool>,
    items: Names,
    users: Names,
    customers: Vec<Vec<Entry>>,
    read: usize,
    old: usize,
    twice: usize,
    future: usize,
}

/// Customers of a file, with a line for each thing that a reader should know of how it was read.
pub fn read_interactions(path: &Path, arguments: &DataArgs) -> Result<(Data, Vec<String>)> {
    let (mut rows, layout) = Rows::open(path, |first| Layout::of(first, arguments))?;
    if !layout.has_header {
        rows.without_header();
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(f64::MAX, |t| t.as_secs_f64());
    let (mut reading, keep) = (Reading { now, ..Reading::default() }, arguments.keep as usize);
    while let Some(row) = rows.next_row()? {
        reading.add(&row, &layout, keep).map_err(|reason| rows.refuse(&row, reason))?;
        if reading.read.is_multiple_of(LINES) {
            reading.must_have_room(keep)?;
        }
    }
    if reading.read == 0 {
        return Err(Error::file(path, "there is no interaction in it"));
    }
    let people = reading.customers.len();
    (0..people).for_each(|user| reading.settle(user, keep));
    let data = reading.usable(path)?;
    let mut notices = reading.notices(&data, people, keep);
    notices.insert(1, layout.told);
    notices.extend(rows.notices());
    Ok((data, notices))
}

impl Reading {
    /// Refuses to read on when what was kept, once more as histories, does not fit.
    fn must_have_room(&self, keep: usize) -> Result<()> {
        let (kept, customers) = (self.read - self.old - self.twice, self.customers.len());
        let bytes = kept * (size_of::<Action>() + size_of::<f64>()) + self.items.1 + self.users.1;
        let what = format!("the last {keep} interactions of {customers} customers (--keep)");
        must_fit(&what, Some(bytes as u64))
    }

    fn add(&mut self, row: &Row, layout: &Layout, keep: usize) -> Result<(), String> {
        let [user, item] = [layout.user, layout.item].map(|place| &row.fields[place]);
        if user.is_empty() || item.is_empty() {
            return Err("who or what is missing".to_owned());
        }
        let time = match layout.time {
            Some(place) => self.time(&row.fields[place])?,
            None => row.line as f64,
        };
        self.future += usize::from(layout.time.is_some() && time > self.now);
        self.read += 1;
        let (user, item) = (self.users.number(user) as usize, self.items.number(item));
        if user == self.customers.len() {
            self.customers.push(Vec::new());
        }
        self.customers[user].push((time, item));
        if self.customers[user].len() >= 2 * keep {
            self.settle(user, keep);
        }
        Ok(())
    }

    /// A time: all are numbers, or all are dates.
    fn time(&mut self, field: &str) -> Result<f64, String> {
        let (number, shown) = (number(field), shorten(field));
        let dated = *self.dated.get_or_insert(number.is_none());
        match number.or_else(|| unambiguous_moment(field)) {
            Some(_) if dated == number.is_some() => Err(format!(
                "the time `{shown}` is not written as the first is, a number or a date"
            )),
            Some(time) => Ok(time),
            None => Err(format!(
                "the time `{shown}` is no number, and no date as 2024-03-31 or 2024-03-31T12:30:00Z"
            )),
        }
    }

    /// In order of time, then of lines; the same item at the same time counts once; the last `keep`.
    fn settle(&mut self, user: usize, keep: usize) {
        let own = &mut self.customers[user];
        own.sort_by(|a, b| a.0.total_cmp(&b.0)); // stable: equal times stay as they came
        let before = own.len();
        let mut run = HashSet::new(); // items of this time
        let mut at = f64::NAN;
        own.retain(|(time, item)| {
            if *time != at {
                at = *time;
                run.clear();
            }
            run.insert(*item)
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

fn number(field: &str) -> Option<f64> {
    field.parse().ok().filter(|number: &f64| number.is_finite())
}

impl Layout {
    /// What the first row says: names, or already an interaction.
    fn of(first: &[String], arguments: &DataArgs) -> Result<Layout, String> {
        if first.len() < 2 {
            return Err("between columns stand tabs, semicolons, commas or `::`".to_owned());
        }
        let names: Vec<&str> =
            first.iter().map(|name| name.split(':').next().unwrap_or(name)).collect();
        let numbered =
            |asked: &String| asked.parse().ok().filter(|n| (1..=first.len()).contains(n));
        let asked = [&arguments.user, &arguments.item, &arguments.time];
        let by_number =
            |name: &&Option<String>| name.as_ref().is_some_and(|n| numbered(n).is_some());
        let has_header = !first.iter().any(|field| is_value(field))
            && (names.iter().any(|name| is_usual(name)) || !asked[..2].iter().all(by_number));
        let listed = listed(&names);
        let find = |i: usize, what: &str, known: &[&str]| match asked[i] {
            Some(name) => {
                let place = names.iter().position(|one| one == name && has_header);
                let place = place.or(numbered(name).map(|n| n - 1)).map(Some);
                place.ok_or_else(|| {
                    let name = shorten(name);
                    format!("no column `{name}` says {what} (--{what}); the columns are {listed}")
                })
            }
            None if has_header => {
                Ok(known.iter().find_map(|name| names.iter().position(|one| usual(one) == *name)))
            }
            None => Ok((i < 2).then_some(i)),
        };
        let missing = |what| {
            format!("no column says {what} (--{what}, by name or number); the columns are {listed}")
        };
        let user = find(0, "user", &USER)?.ok_or_else(|| missing("user"))?;
        let item = find(1, "item", &ITEM)?.ok_or_else(|| missing("item"))?;
        let time = if has_header || asked.iter().any(|name| name.is_some()) {
            find(2, "time", &TIME)?
        } else {
            guessed(first)?
        };
        let shown = |place: usize| {
            if has_header {
                format!("`{}`", shorten(names[place]))
            } else {
                format!("column {}", place + 1)
            }
        };
        let when = time
            .map_or("no column says when: the order of the lines counts".to_owned(), |place| {
                format!("{} when", shown(place))
            });
        let [who, what] = [user, item].map(shown);
        let told = format!("{who} says who, {what} what, {when} (--user, --item, --time)");
        if user == item || [user, item].map(Some).contains(&time) {
            return Err(format!("one column for two of three: {told}"));
        }
        Ok(Layout { user, item, time, has_header, told })
    }
}

fn listed(names: &[&str]) -> String {
    let names: Vec<String> =
        names.iter().take(10).map(|name| format!("`{}`", shorten(name))).collect();
    names.join(", ")
}

/// A column's name in small letters and without `_`.
fn usual(name: &str) -> String {
    name.to_lowercase().replace(['_', ' ', '-'], "")
}

fn is_usual(name: &str) -> bool {
    [&USER[..], &ITEM, &TIME].concat().contains(&&usual(name)[..])
}

/// Whether a field is a value, and no name of a column.
fn is_value(field: &str) -> bool {
    number(field).or_else(|| unambiguous_moment(field)).is_some()
}

/// Where no names are: the column that says when, behind who and what. Seconds since 1970 and dates do; grades
/// do not, up to ten.
fn guessed(first: &[String]) -> Result<Option<usize>, String> {
    const GRADES: f64 = 10.0;
    const SECONDS: f64 = 1e8;
    let others =
        || first.iter().enumerate().skip(2).map(|(place, field)| (place, number(field), field));
    let is_time = |(_, number, field): &(usize, Option<f64>, &String)| {
        number.map_or(unambiguous_moment(field).is_some(), |number| number >= SECONDS)
    };
    let times: Vec<usize> = others().filter(is_time).map(|(place, ..)| place).collect();
    let is_doubtful = |(_, number, _): &(usize, Option<f64>, &String)| {
        number.is_some_and(|n| n > GRADES && n < SECONDS)
    };
    let place = match (&times[..], others().find(is_doubtful)) {
        ([place], _) => return Ok(Some(*place)),
        ([], None) => return Ok(None),
        ([place, ..], _) => *place,
        ([], Some((place, ..))) => place,
    };
    let (field, column) = (shorten(&first[place]), place + 1);
    Err(format!(
        "the first line has no names, and a number such as `{field}` may be a time or none: --time {column} \
         says that column {column} is the time, --user 1 --item 2 alone that the order of the lines counts"
    ))
}
