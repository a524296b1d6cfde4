//! Files of interactions: the layouts that people have, and what is refused.

use crate::line::told;
use recommendation::program::{Data, DataArgs, Parts, read_interactions};
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
    ["7", "30", "5", "1000000200"],
    ["7", "10", "3", "1000000100"],
    ["9", "10", "4", "1000000050"],
    ["7", "20", "1", "1000000300"],
    ["9", "30", "2", "1000000070"],
    ["9", "20", "5", "1000000060"],
];

fn table(header: &str, separator: &str) -> String {
    let rows = ROWS.map(|row| row.join(separator));
    [&[header.to_owned()][..], &rows].concat().join("\n").trim_start().to_owned()
}

#[test]
fn every_layout_is_read_alike() {
    let names = |data: &Data| -> Vec<Vec<String>> {
        let names = data
            .customers
            .iter()
            .map(|one| one.actions.iter().map(|action| data.items[action.item].clone()).collect());
        names.collect()
    };
    let expected = [["10", "30", "20"], ["10", "20", "30"]];
    for content in [
        table("", "\t"),                                                            // u.data
        table("", "::"),                                                            // ratings.dat
        table("userId,movieId,rating,timestamp", ","),                              // ratings.csv
        table("user_id:token\titem_id:token\trating:float\ttimestamp:float", "\t"), // .inter
        format!("\u{feff}{}", table("user;item;stars;time", ";").replace('\n', "\r\n")),
        table("UserID;ItemID;rating;time", ";").replace("1000000", "2009-05-05T20:18:00."), // dates
        table("", ",").replace("1000000", "2009-05-05T20:18:00.").replace("\n7", "\n\"7\""),
        table("who,what,\"stars, of five\",time", ",").replace("who,what", "user,item"),
    ] {
        let (data, notices) = read(&content, &arguments()).unwrap();
        assert_eq!(names(&data), expected, "{content}");
        let read = "FILE: 6 interactions read; 6 are used, of 2 customers with 3 items";
        assert_eq!(notices[0], read);
        assert!(notices[1].ends_with(" when (--user, --item, --time)"), "{}", notices[1]);
        assert_eq!(notices.len(), 2);
        assert_eq!(Parts::last_out(&data).test.len(), 2);
    }
    for (columns, header, separator) in [
        (["who", "what", "when"], "who,what,stars,when", ","),
        (["1", "2", "4"], "", "\t"),
        (["a:token", "b", "c:float"], "a:token\tb:token\tr:float\tc:float", "\t"), // .inter
    ] {
        let [user, item, time] = columns.map(|column| Some(column.to_owned()));
        let asked = DataArgs { user, item, time, ..arguments() };
        let (data, _) = read(table(header, separator), &asked).unwrap();
        assert_eq!(names(&data), expected);
    }
}

#[test]
fn what_is_dropped_or_decided_is_told() {
    let text = "user,item,time\na,caf\u{e9},1\na,b,1\na,c,2\nb,b,9\nb,c,3\nb,d,4\nc,b,1\n";
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let (data, notices) = read(latin, &arguments()).unwrap();
    assert_eq!(data.items, ["café", "b", "c", "d"]);
    assert_eq!(
        notices[2..],
        [
            "1 customers were dropped: fewer than 3 interactions",
            "1 interactions have the time of the one before; the order of the lines decides",
            "1 lines are not UTF-8 and were read as Latin-1 (Windows-1252)",
        ]
    );
    let (data, notices) =
        read("user,item\nc,u\na,x\na,y\na,z\nb,x\nb,v\nb,z\n", &arguments()).unwrap();
    assert_eq!(data.items, ["x", "y", "z", "v"]);
    assert_eq!(notices[3..], ["1 items were dropped: in no interaction that is used"]);
    assert_eq!(data.customers[1].actions[1].item, 3);
    let (_, notices) = read("user,item\na,x\na,y\na,z\nb,x\nb,y\nb,z\n", &arguments()).unwrap();
    let told = "`user` says who, `item` what, no column says when: the order of the lines counts (--user, --item, --time)";
    assert_eq!(notices[1], told);
    // Grades up to ten are no times.
    let (_, notices) = read("1,x,5\n1,y,3\n1,z,1\n2,x,2\n2,y,2\n2,z,4\n", &arguments()).unwrap();
    assert!(notices[1].contains("column 2 what, no column says when"), "{}", notices[1]);
}

/// The last interactions of each customer are kept, however long the file and whatever its order.
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
    let who = DataArgs { user: Some("who".into()), ..arguments() };
    for (content, arguments, wanted) in [
        ("user,item,time\n", arguments(), "there is no interaction in it"),
        ("hello\n", arguments(), "FILE:1: between columns stand tabs, semicolons, commas or `::`"),
        ("user,item,time\na,x,soon\n", arguments(), "FILE:2: the time `soon` is no number"),
        ("user,item,time\na,,3\n", arguments(), "FILE:2: who or what is missing"),
        ("user,item,time\na,x,3/4/2024\n", arguments(), "FILE:2: the time `3/4/2024` is no"),
        ("user,item,time\na,x,1\na,x,2024-03-31\n", arguments(), "FILE:3: the time `2024-03-31`"),
        ("name,item,time\na,x,3\n", arguments(), "FILE:1: no column says user (--user, by"),
        ("user,item\na,x\n", who, "FILE:1: no column says user (--user, by"),
        ("1,2,3\n1,3,3\n1,4,3\n", arguments(), "1 customer with 3 interactions or more; needed"),
        ("a,x,1\na,x,2\na,x,3\nb,x,1\nb,x,2\nb,x,3\n", arguments(), "a single item"),
    ] {
        let told = read(content, &arguments).unwrap_err();
        assert!(told.contains(wanted), "{content:?}: {told}");
    }
}
