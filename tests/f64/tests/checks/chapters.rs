//! Written by `cargo run -p tests --example f64`.

#[path = "../../../../chapters/06_bahdanau/tests/gradients/mod.rs"]
mod bahdanau;
#[path = "../../../../chapters/11_bert/tests/gradients/mod.rs"]
mod bert;
#[path = "../../../../chapters/15_captioning/tests/gradients/mod.rs"]
mod captioning;
#[path = "../../../../chapters/12_fine_tuning/tests/gradients/mod.rs"]
mod fine_tuning;
#[path = "../../../../chapters/17_full_circle/tests/gradients/mod.rs"]
mod full_circle;
#[path = "../../../../chapters/08_hard_attention/tests/gradients/mod.rs"]
mod hard_attention;
#[path = "../../../../chapters/01_kernel_regression/tests/gradients/mod.rs"]
mod kernel_regression;
#[path = "../../../../chapters/16_language_model/tests/gradients/mod.rs"]
mod language_model;
#[path = "../../../../chapters/07_luong/tests/gradients/mod.rs"]
mod luong;
#[path = "../../../../chapters/14_memory_networks/tests/gradients/mod.rs"]
mod memory_networks;
#[path = "../../../../chapters/02_parametric_attention/tests/gradients/mod.rs"]
mod parametric_attention;
#[path = "../../../../chapters/13_recommendation/tests/gradients/mod.rs"]
mod recommendation;
#[path = "../../../../chapters/04_recurrent_networks/tests/gradients/mod.rs"]
mod recurrent_networks;
#[path = "../../../../chapters/03_scoring_functions/tests/gradients/mod.rs"]
mod scoring_functions;
#[path = "../../../../chapters/09_self_attention/tests/gradients/mod.rs"]
mod self_attention;
#[path = "../../../../chapters/10_transformer/tests/gradients/mod.rs"]
mod transformer;
