//! Files of interactions: the layouts that people have, and what is refused.

use crate::line::told;
use recommendation::experiment::{Data, DataArgs, Split, read_interactions};
use std::fs;

fn arguments() -> DataArgs {
    DataArgs { keep: 500, ..DataArgs::default() }
}

fn read(content: impl AsRef<[u8]>, arguments: &DataArgs) -> Result<(Data, Vec<String>), String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("FILE");
    fs::write(&path, content).unwrap();
    read_interactions(&path, arguments)
        .map(|(data, notices)| (data, notices.iter().map(|notice| told(&folder, notice)).collect()))
        .map_err(|error| told(&folder, error))
}

/// Two customers with three interactions each, out of order.
const ROWS: [[&str; 4]; 6] = [
    ["7", "30", "5", "200"],
    ["7", "10", "3", "100"],
    ["9", "10", "4", "50"],
    ["7", "20", "1", "300"],
    ["9", "30", "2", "70"],
    ["9", "20", "5", "60"],
];

fn table(header: &str, separator: &str) -> String {
    let rows = ROWS.map(|row| row.join(separator));
    [&[header.to_owned()][..], &rows].concat().join("\n").trim_start().to_owned()
}

#[test]
fn every_layout_is_read_alike() {
    let names = |data: &Data| -> Vec<Vec<String>> {
        let of = |one: &recommendation::experiment::Customer| {
            one.actions.iter().map(|action| data.items[action.item].clone()).collect()
        };
        data.customers.iter().map(of).collect()
    };
    let expected = [["10", "30", "20"], ["10", "20", "30"]];
    for content in [
        table("", "\t"),                                                            // u.data
        table("", "::"),                                                            // ratings.dat
        table("userId,movieId,rating,timestamp", ","),                              // ratings.csv
        table("user_id:token\titem_id:token\trating:float\ttimestamp:float", "\t"), // .inter
        format!("\u{feff}{}", table("user;item;stars;time", ";").replace('\n', "\r\n")),
    ] {
        let (data, notices) = read(&content, &arguments()).unwrap();
        assert_eq!(names(&data), expected, "{content}");
        assert_eq!(notices, ["FILE: 6 interactions read; 6 are used, of 2 customers with 3 items"]);
        assert_eq!(Split::LeaveLastOut.of(&data).test.len(), 2);
    }
    let named = DataArgs {
        user: Some("who".into()),
        item: Some("what".into()),
        time: Some("when".into()),
        ..arguments()
    };
    let (data, _) = read(table("who,what,stars,when", ","), &named).unwrap();
    assert_eq!(names(&data), expected);
}

#[test]
fn what_is_dropped_or_decided_is_told() {
    let text =
        "user,item,time\na,caf\u{e9},1\na,b,1\na,b,1\na,c,2\nb,b,9999999999\nb,c,3\nb,d,4\nc,b,1\n";
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let (data, notices) = read(latin, &arguments()).unwrap();
    assert_eq!(data.items[0], "café");
    assert_eq!(
        notices[1..],
        [
            "1 were dropped: the same customer, item and time once more",
            "1 customers were dropped: fewer than 3 interactions",
            "1 lines are not UTF-8 and were read as Latin-1",
            "1 interactions have the time of the one before; the order of the lines decides",
            "1 interactions are of the future, if times are seconds since 1970; their order counts",
        ]
    );
    let (_, notices) = read("user,item\na,x\na,y\na,z\nb,x\nb,y\nb,z\n", &arguments()).unwrap();
    assert_eq!(notices[1], "no column says when: the order of the lines counts");
}

/// Of each customer the last ones are kept, however long the file and whatever its order.
#[test]
fn memory_is_bounded_by_customers() {
    let rows = (0..3000).map(|i| format!("{},{},{}", i % 2, i, (i * 7919) % 3000));
    let text = format!("user,item,time\n{}", rows.collect::<Vec<_>>().join("\n"));
    let (data, notices) = read(text, &DataArgs { keep: 50, ..arguments() }).unwrap();
    for customer in &data.customers {
        assert_eq!(customer.times.len(), 50);
        assert!(customer.times.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(customer.times[0] >= 2800.0, "not the last ones: {}", customer.times[0]);
    }
    assert!(
        notices.contains(&"2900 were dropped: older than a customer's last 50 (--keep)".to_owned())
    );
}

#[test]
fn what_cannot_be_used_is_refused_with_its_line() {
    let named = |user: &str| DataArgs { user: Some(user.into()), ..arguments() };
    for (content, arguments, wanted) in [
        ("", arguments(), "there is no interaction in it"),
        ("user,item,time\n", arguments(), "there is no interaction in it"),
        ("hello\n", arguments(), "FILE:1: between columns stand tabs, commas, semicolons or `::`"),
        ("user,item,time\na,x,soon\n", arguments(), "FILE:2: the time `soon` is no number"),
        ("user,item,time\na,x,NaN\n", arguments(), "FILE:2: the time `NaN` is no number"),
        ("user,item,time\na,x\n", arguments(), "FILE:2: 2 columns, the first line has 3"),
        ("user,item,time\na,,3\n", arguments(), "FILE:2: who or what is missing"),
        ("user,item,time\na,x\0,3\n", arguments(), "FILE:2: a byte is zero"),
        ("u\0s\0e\0r\0", arguments(), "FILE:1: a byte is zero: no text, but packed or UTF-16"),
        ("<!DOCTYPE html>\n", arguments(), "is a page of HTML"),
        ("name,item,time\na,x,3\n", arguments(), "FILE:1: no column says user (--user)"),
        ("user,item\na,x\n", named("who"), "FILE:1: no column `who` says user (--user)"),
        (
            "1\t2\t3\n1\t3\t4\n1\t4\t5\n",
            arguments(),
            "1 customer with 3 interactions or more; needed are two",
        ),
        ("a,x,1\n", arguments(), "FILE:1: no column says user"),
        (
            "user,item,time\na,x,1\na,x,2\na,x,3\nb,x,1\nb,x,2\nb,x,3\n",
            arguments(),
            "a single item",
        ),
    ] {
        let told = read(content, &arguments).unwrap_err();
        assert!(told.contains(wanted), "{content:?}: {told}");
    }
}
