//! The book's live figures: a reader drags a query, and the chapters' own functions compute what follows.
//!
//! A live figure is four things:
//!
//! 1. **A drawing**, `figures/desk.svg`, put into the page as any other. It is what is printed, and what a
//!    reader without scripts sees.
//! 2. **A script beside it**, `figures/desk.js`. That it is there makes the figure live: `formulas` gives its
//!    `<figure>` the attribute `data-live`. It lays out and draws, and computes nothing that a chapter computes.
//! 3. **A function here**: numbers in, numbers out, in a file of the figure's own. It calls the chapters.
//! 4. **A test** in `tests/browser.rs`: the page shows that function's numbers.
//!
//! `theme/live.js` waits until a figure is near the screen, loads `mathematics.js` (this crate, compiled,
//! compressed and in base64, since a page from a disk may not read a binary file) and the figure's script, which says
//!
//! ```js
//! live.figure((stage) => {
//!     const svg = stage.svg(440, 300, "what it shows");       // empty; `stage.drawing` is the printed one
//!     const area = stage.add(svg, "rect", { … });
//!     const dot = stage.add(svg, "circle", { r: 8 });
//!     stage.drag(svg, area, dot, { label, at, step, text });  // pointer, finger, arrow keys
//!     stage.slider("h", { … });                               // stage.choice, .button, .training, .hint, .chart
//!     stage.draw((state) => {                                 // after every change of the state
//!         const [score] = stage.call("desk", [...state.query, 1, 0]);
//!         live.set(dot, { cx: 40 * score });
//!         stage.say(`score ${score}`);                        // to those who listen, when it rests
//!     });
//!     stage.start({ query: [2, 2], h: 1 });                   // the state, and what “Reset” returns to
//! });
//! ```
//!
//! An export here takes nothing and returns the length of its answer: `answer` hands it what JavaScript wrote
//! into [`live_input`], and keeps what it returns for [`live_output`]. Words travel as their numbers in a
//! vocabulary, switches as 0 and 1. What may be wrong in a reader's own data is refused by the script, in one
//! line: a panic here ends the figure.
//!
//! What moves or computes for longer does it in `stage.repeat`, step by step: it waits while nobody can see it.
//!
//! A trained model's parameters are a script too, beside the figure's own, with eight bits a number.
//! `cargo run -p live --example pack -- FOLDER figures/parameters.js` makes it of what a chapter's program saved.
//! In an `async` set-up
//!
//! ```js
//! const [about, numbers] = await live.parameters("figures/parameters.js");
//! stage.call("translator", [about.source.words.length, about.target.words.length], numbers);
//! ```
//!
//! `about` is what the saved file says of its model. The function builds the model, calls [`packed::unpack`], and
//! keeps it in a thread-local of the figure's file. `tests/trained.rs` says what a committed file must be able to do.
//!
//! Figures in which a sentence is typed share `sentences.js`: `await live.load(…)` hands over its class.
//!
//! After a change, `cargo run -p live --example build` writes `mathematics.js` anew. It is committed, so that who
//! builds the book needs no target for browsers.

mod bank;
mod captions;
mod copying;
mod desk;
mod estimating;
mod filling;
mod gates;
mod geometry;
mod induction;
mod looks;
mod memory;
pub mod packed;
mod pair;
mod recommending;
mod regression;
mod resolving;
#[cfg(not(target_arch = "wasm32"))]
pub mod script;
mod tape;
mod translating;
mod tuning;
mod window;
mod writing;

pub use bank::bank;
pub use captions::{captioner, scene, see};
pub use copying::{Copying, copy_look, copy_start, copy_train, copy_write};
pub use desk::desk;
pub use estimating::{chosen, estimate};
pub use filling::{cut, fill, filler};
pub use gates::{Adding, add_read, add_start, add_train, radius};
pub use geometry::geometry;
pub use induction::{Induction, induction_judge, induction_look, induction_start, induction_train};
pub use looks::looks;
pub use memory::{memory, memory_network};
pub use pair::{looking, nearest, one_vector, side_by_side};
pub use recommending::{BEST, recommend, recommender};
pub use regression::{descent, errors, landscape, points, regression};
pub use resolving::{resolve, resolver};
use shared::Float;
use std::cell::RefCell;
pub use tape::tape;
pub use translating::{HEADS, alike, translate, translator};
pub use tuning::{tune_answer, tune_read, tune_start, tune_train, tuning};
pub use window::window;
pub use writing::{write_on, writer};

thread_local! {
    static INPUT: RefCell<Vec<Float>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<Float>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for `length` numbers and says where JavaScript is to write them.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn live_input(length: usize) -> *mut Float {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0.0);
        input.as_mut_ptr()
    })
}

/// Where the last answer lies.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn live_output() -> *const Float {
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// Answers what was written to [`live_input`], and returns how many numbers the answer has.
fn answer(function: impl FnOnce(&[Float]) -> Vec<Float>) -> usize {
    let output = INPUT.with_borrow(|input| function(input));
    OUTPUT.replace(output);
    OUTPUT.with_borrow(Vec::len)
}

/// The functions, for JavaScript.
macro_rules! exports {
    ($($export:ident: $function:ident,)*) => {$(
        #[doc = concat!("[`", stringify!($function), "()`], for JavaScript.")]
        #[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
        pub extern "C" fn $export() -> usize {
            answer($function)
        }
    )*};
}

exports! {
    live_desk: desk,
    live_points: points,
    live_regression: regression,
    live_errors: errors,
    live_landscape: landscape,
    live_descent: descent,
    live_chosen: chosen,
    live_estimate: estimate,
    live_memory_network: memory_network,
    live_memory: memory,
    live_recommender: recommender,
    live_recommend: recommend,
    live_copy_start: copy_start,
    live_copy_train: copy_train,
    live_copy_look: copy_look,
    live_copy_write: copy_write,
    live_bank: bank,
    live_geometry: geometry,
    live_looks: looks,
    live_tape: tape,
    live_window: window,
    live_radius: radius,
    live_add_start: add_start,
    live_add_train: add_train,
    live_add_read: add_read,
    live_translator: translator,
    live_translate: translate,
    live_alike: alike,
    live_filler: filler,
    live_cut: cut,
    live_fill: fill,
    live_one_vector: one_vector,
    live_looking: looking,
    live_side_by_side: side_by_side,
    live_nearest: nearest,
    live_tuning: tuning,
    live_tune_read: tune_read,
    live_tune_start: tune_start,
    live_tune_train: tune_train,
    live_tune_answer: tune_answer,
    live_resolver: resolver,
    live_resolve: resolve,
    live_captioner: captioner,
    live_scene: scene,
    live_see: see,
    live_writer: writer,
    live_write_on: write_on,
    live_induction_start: induction_start,
    live_induction_train: induction_train,
    live_induction_judge: induction_judge,
    live_induction_look: induction_look,
}
