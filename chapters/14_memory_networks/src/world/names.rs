//! Who, where, what, and the tasks.

/// Who is told about.
pub const PEOPLE: [&str; 4] = ["anna", "paul", "nina", "omar"];
/// Where they go.
pub const PLACES: [&str; 5] = ["garden", "kitchen", "cellar", "attic", "hall"];
/// What they carry.
pub const THINGS: [&str; 3] = ["apple", "cup", "book"];
/// The parts of a day, in their order.
pub const TIMES: [&str; 4] = ["morning", "afternoon", "evening", "night"];
/// What can be counted.
pub const NUMBERS: [&str; 4] = ["none", "one", "two", "three"];

/// What is asked.
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
