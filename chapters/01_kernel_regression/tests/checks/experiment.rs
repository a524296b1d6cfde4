//! The page's numbers can be measured again: same seed, same results.

use kernel_regression::program::{Config, Results, consistency, run};
use serde_json::Value;

fn committed() -> Results {
    tests::chapter::results(env!("CARGO_MANIFEST_DIR"))
}

/// Everything except the large sets of points, which take a few seconds in a release build.
#[test]
fn the_experiment_gives_the_committed_numbers() {
    let committed = committed();
    let sizes = vec![100, 316];
    let (again, figures) = run(&Config { sizes: sizes.clone(), ..Config::default() }, || ());

    let (mut old, mut new) = (json(&committed), json(&again));
    for results in [&mut old, &mut new] {
        let results = results.as_object_mut().unwrap();
        results.remove("measured");
        let consistency = results["consistency"].as_object_mut().unwrap();
        consistency.retain(|key, _| key == "constant" || key == "sizes");
        let kept = consistency["sizes"].as_object_mut().unwrap();
        kept.retain(|n, _| sizes.iter().any(|size| n == &size.to_string()));
        assert_eq!(kept.len(), sizes.len());
    }
    // Processors add up in different order.
    tests::chapter::alike("results", &old, &new, 1e-3, &[]);

    for (name, figure) in figures.iter().filter(|(name, _)| *name != "consistency") {
        let path = format!("{}/figures/{name}.svg", env!("CARGO_MANIFEST_DIR"));
        let drawn = std::fs::read_to_string(&path).expect("every figure is committed");
        assert_eq!(
            words(&drawn),
            words(&figure.to_string()),
            "{name}.svg is not what the experiment draws"
        );
    }
}

/// What the page claims of these numbers.
#[test]
fn the_claims_of_the_page_hold() {
    let results = committed();
    let error = |kernel: &str| results.kernels[kernel].error;
    assert!(results.kernels.values().all(|fit| fit.error < 0.2 * results.average_pooling.error));
    assert!(error("gaussian") < results.bandwidths.narrow.error);
    assert!(error("gaussian") < results.bandwidths.wide.error);
    assert!(error("gaussian") < 1.1 * results.bandwidths.best.error);
    assert!(results.underflow[1].quotient_nan > 0.1);
    assert!(results.underflow.iter().all(|row| row.softmax_nan == 0.0));
    assert!(results.lookup.iter().all(|memory| memory.best_over_noise == 1.0));

    let consistency = &results.consistency;
    let (slope, se) = (consistency.slope_inside_large, consistency.slope_inside_large_se);
    assert!((slope + 0.8).abs() < 3.0 * se, "slope {slope} ± {se}");
    assert!(consistency.slope_whole > -0.7, "the ends slow the fall down");
    for (n, size) in consistency.sizes.range(1000..) {
        let excess = size.inside - size.theory;
        assert!(excess.abs() < 3.0 * size.inside_se, "{n} points: {size:?}");
    }
}

/// The file that the page has the reader write holds the readings that its table begins with.
#[test]
fn the_thermometer_of_the_box_is_that_of_the_table() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    for (hour, degrees) in [(9, 14), (10, 17), (13, 20)] {
        assert!(page.contains(&format!("| {hour}:00, {degrees} °C |")), "{hour}:00");
        assert!(page.contains(&format!("\\n{hour},{degrees}\\n")), "{hour},{degrees}");
    }
}

/// Every size has random numbers of its own, so a part of the experiment gives the same numbers.
#[test]
fn sizes_do_not_depend_on_each_other() {
    let sizes = |sizes: Vec<usize>| consistency(&Config { sizes, ..Config::default() }, || ()).0;
    let (alone, both) = (sizes(vec![100, 200]), sizes(vec![50, 100, 200]));
    assert_eq!(alone.sizes[&100].inside, both.sizes[&100].inside);
}

fn json(results: &Results) -> Value {
    serde_json::to_value(results).unwrap()
}

/// The text of a figure without its coordinates, which may differ by a pixel.
fn words(svg: &str) -> Vec<&str> {
    let texts = svg.split('<').filter_map(|tag| tag.split_once('>'));
    texts.map(|(_, text)| text.trim()).filter(|text| !text.is_empty()).collect()
}
