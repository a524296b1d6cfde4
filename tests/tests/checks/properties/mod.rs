//! Properties: what the chapters claim to hold always, tried on many random cases.

mod bahdanau;
mod hard_attention;
mod kernel_regression;
mod luong;
mod parametric_attention;
mod recurrent_networks;
mod scoring_functions;
mod seq2seq;
mod text;
