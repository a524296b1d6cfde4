//! What happens in a story, line by line, and what can be asked of it.

use super::names::{NUMBERS, PEOPLE, PLACES, THINGS, TIMES, Task};
use corpora::{Question, Story};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use shared::Rng;

/// Where a person is.
#[derive(Clone, Copy)]
struct PersonAt {
    place: usize,
    moved: usize, // the line of the move there
}

/// Where a thing is.
#[derive(Clone, Copy)]
struct ThingAt {
    place: usize,
    moved: usize,     // the line of the holder's move there
    handled: usize,   // the line of its taking or leaving
    came: [usize; 2], // the lines of its taking and of its holder's move when it came
}

/// A story while it is told. A line is known by its number, counted from 0.
pub(super) struct Telling<'r> {
    rng: &'r mut Rng,
    pub sentences: Vec<Vec<String>>,
    people: [Option<PersonAt>; PEOPLE.len()],
    holder: [Option<(usize, usize)>; THINGS.len()], // who has it, and the line of taking
    trail: [Vec<ThingAt>; THINGS.len()],
    handled: [Vec<usize>; PEOPLE.len()], // lines of taking and leaving
}

impl Telling<'_> {
    pub fn new(rng: &mut Rng) -> Telling<'_> {
        let (people, holder) = Default::default();
        let (trail, handled) = Default::default();
        Telling { rng, sentences: Vec::new(), people, holder, trail, handled }
    }

    /// One more line: a move, or something taken or left.
    pub fn line(&mut self, task: Task) {
        let share = match task {
            Task::TwoFacts | Task::ThreeFacts => 0.4,
            Task::Counting => 0.7,
            _ => 0.0,
        };
        // Fewer people, where more must come together.
        let people = if task == Task::ThreeFacts || task == Task::Counting { 2 } else { 4 };
        let person = self.rng.random_range(0..people);
        if self.rng.random_bool(share) && self.handle(person) {
            return;
        }
        let other = (person + self.rng.random_range(1..people)) % people;
        match task {
            Task::Names if self.rng.random_bool(0.6) => self.go(&[person, other]),
            _ => self.go(&[person]),
        }
    }

    fn go(&mut self, people: &[usize]) {
        let here: Vec<usize> = people.iter().filter_map(|person| self.at(*person)).collect();
        let free: Vec<usize> = (0..PLACES.len()).filter(|place| !here.contains(place)).collect();
        let place = *free.choose(self.rng).expect("a place where neither is");
        let line = self.sentences.len();
        let names: Vec<&str> = people.iter().map(|person| PEOPLE[*person]).collect();
        let verb = ["went", "walked", "ran"].choose(self.rng).expect("a verb");
        self.say(&format!("{} {verb} to the {}", names.join(" and "), PLACES[place]));
        for person in people {
            self.people[*person] = Some(PersonAt { place, moved: line });
            for thing in 0..THINGS.len() {
                if let Some((holder, taken)) = self.holder[thing]
                    && holder == *person
                {
                    let came = [taken, line];
                    self.trail[thing].push(ThingAt { place, moved: line, handled: taken, came });
                }
            }
        }
    }

    /// The person leaves something that it has, or takes something that may be here; whether it could.
    fn handle(&mut self, person: usize) -> bool {
        let (mut held, mut lying) = (Vec::new(), Vec::new());
        for thing in 0..THINGS.len() {
            let lies = self.trail[thing].last().map(|at| at.place);
            match self.holder[thing] {
                Some((holder, _)) if holder == person => held.push(thing),
                None if lies.is_none() || lies == self.at(person) => lying.push(thing),
                _ => {}
            }
        }
        let leaves = lying.is_empty() || self.rng.random_bool(0.3);
        let line = self.sentences.len();
        let Some(&thing) = if leaves { &held } else { &lying }.choose(self.rng) else {
            return false;
        };
        let verbs = if leaves { ["left", "dropped"] } else { ["took", "got"] };
        let verb = verbs.choose(self.rng).expect("a verb");
        self.say(&format!("{} {verb} the {}", PEOPLE[person], THINGS[thing]));
        self.handled[person].push(line);
        self.holder[thing] = (!leaves).then_some((person, line));
        if let Some(PersonAt { place, moved }) = self.people[person] {
            let at = ThingAt { place, moved, handled: line, came: [line, moved] };
            match self.trail[thing].last_mut() {
                Some(last) if last.place == place => *last = ThingAt { came: last.came, ..at },
                _ => self.trail[thing].push(at),
            }
        }
        true
    }

    fn at(&self, person: usize) -> Option<usize> {
        self.people[person].map(|at| at.place)
    }

    fn say(&mut self, sentence: &str) {
        self.sentences.push(corpora::stories::words(sentence));
    }

    /// The story with a question of the task, if one can be asked.
    pub fn asked(self, task: Task) -> Option<Story> {
        let person = self.rng.random_range(0..PEOPLE.len());
        let thing = self.rng.random_range(0..THINGS.len());
        match task {
            Task::OneFact | Task::Names => self.where_is_person(person),
            Task::YesNo => self.yes_or_no(person),
            Task::TwoFacts => self.where_is_thing(thing),
            Task::ThreeFacts => self.where_was_thing(thing),
            Task::Counting => self.how_many_things(person),
            Task::Time => None,
        }
    }

    /// *where is anna*, which follows from her last move.
    fn where_is_person(self, person: usize) -> Option<Story> {
        let PersonAt { place, moved } = self.people[person]?;
        self.ask(&format!("where is {}", PEOPLE[person]), PLACES[place], vec![moved])
    }

    /// *is anna in the hall*, where she is in half of the stories.
    fn yes_or_no(self, person: usize) -> Option<Story> {
        let PersonAt { place, moved } = self.people[person]?;
        let other = (place + self.rng.random_range(1..PLACES.len())) % PLACES.len();
        let (asked, answer) =
            if self.rng.random_bool(0.5) { (place, "yes") } else { (other, "no") };
        let question = format!("is {} in the {}", PEOPLE[person], PLACES[asked]);
        self.ask(&question, answer, vec![moved])
    }

    /// *where is the apple*, which follows from who took it or left it and that person's move.
    fn where_is_thing(self, thing: usize) -> Option<Story> {
        let ThingAt { place, moved, handled, .. } = *self.trail[thing].last()?;
        self.ask(&format!("where is the {}", THINGS[thing]), PLACES[place], vec![handled, moved])
    }

    /// *where was the apple before the hall*, if it came to the hall once.
    fn where_was_thing(self, thing: usize) -> Option<Story> {
        let trail = &self.trail[thing];
        let t = self.rng.random_range(1..trail.len().max(2));
        let (before, there) = (*trail.get(t - 1)?, *trail.get(t)?);
        if trail.iter().filter(|at| at.place == there.place).count() > 1 {
            return None; // before which time?
        }
        let [what, wh] = [THINGS[thing], PLACES[there.place]];
        let supports = vec![there.came[0], there.came[1], before.moved];
        self.ask(&format!("where was the {what} before the {wh}"), PLACES[before.place], supports)
    }

    /// *how many things does anna carry*, more rarely when there are none.
    fn how_many_things(self, person: usize) -> Option<Story> {
        let count = self.holder.iter().flatten().filter(|(who, _)| *who == person).count();
        let supports = self.handled[person].clone();
        if supports.is_empty() || (count == 0 && self.rng.random_bool(0.5)) {
            return None;
        }
        let question = format!("how many things does {} carry", PEOPLE[person]);
        self.ask(&question, NUMBERS[count], supports)
    }

    fn ask(self, question: &str, answer: &str, supports: Vec<usize>) -> Option<Story> {
        let words = corpora::stories::words(question);
        let told = self.sentences.len();
        let question = Question { words, answer: answer.to_owned(), supports, told, line: 0 };
        Some(Story { sentences: self.sentences, questions: vec![question] })
    }

    /// The days of three people, told in any order, with *where was anna before the hall*.
    pub fn times(mut self) -> Option<Story> {
        let mut lines = Vec::new();
        let mut people: Vec<usize> = (0..PEOPLE.len()).collect();
        people.shuffle(self.rng);
        for person in people.into_iter().take(3) {
            let mut places: Vec<usize> = (0..PLACES.len()).collect();
            places.shuffle(self.rng);
            let mut times: Vec<usize> = (0..TIMES.len()).collect();
            times.remove(self.rng.random_range(0..TIMES.len()));
            lines.extend(times.into_iter().zip(places).map(|(time, place)| (person, time, place)));
        }
        lines.shuffle(self.rng);
        let keep = self.rng.random_range(7..=lines.len());
        lines.truncate(keep);
        for (person, time, place) in &lines {
            let [who, when, wh] = [PEOPLE[*person], TIMES[*time], PLACES[*place]];
            self.say(&format!("in the {when} {who} went to the {wh}"));
        }
        let who = lines[self.rng.random_range(0..lines.len())].0;
        let mut own: Vec<usize> = (0..lines.len()).filter(|line| lines[*line].0 == who).collect();
        own.sort_by_key(|line| lines[*line].1);
        let later = self.rng.random_range(1..own.len().max(2));
        let (before, there) = (*own.get(later - 1)?, *own.get(later)?);
        let (person, _, place) = lines[there];
        let question = format!("where was {} before the {}", PEOPLE[person], PLACES[place]);
        let answer = PLACES[lines[before].2];
        self.ask(&question, answer, vec![there, before])
    }
}
