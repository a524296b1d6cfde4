//! Who, where, what, and the tasks.

/// The people of the stories.
pub const PEOPLE: [&str; 4] = ["anna", "paul", "nina", "omar"];
/// The places that they go to.
pub const PLACES: [&str; 5] = ["garden", "kitchen", "cellar", "attic", "hall"];
/// The things that they carry.
pub const THINGS: [&str; 3] = ["apple", "cup", "book"];
/// The parts of a day, in their order.
pub const TIMES: [&str; 4] = ["morning", "afternoon", "evening", "night"];
/// The words for counts.
pub const NUMBERS: [&str; 4] = ["none", "one", "two", "three"];

/// A kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    OneFact,    // where is somebody?
    TwoFacts,   // where is something?
    ThreeFacts, // where was something before it was there?
    YesNo,      // is somebody there?
    Counting,   // how many things does somebody carry?
    Names,      // where is somebody, when two go together?
    Time,       // where was somebody before?
}

impl Task {
    pub const ALL: [Task; 7] = [
        Task::OneFact,
        Task::TwoFacts,
        Task::ThreeFacts,
        Task::YesNo,
        Task::Counting,
        Task::Names,
        Task::Time,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Task::OneFact => "one fact",
            Task::TwoFacts => "two facts",
            Task::ThreeFacts => "three facts",
            Task::YesNo => "yes or no",
            Task::Counting => "counting",
            Task::Names => "names",
            Task::Time => "time",
        }
    }
}
