//! A story: who is in it, what is told first, what happens, and how it ends.

use super::dice::Dice;
use super::entities::{Entity, LASTING, PASSING};
use super::script::{ENDINGS, PLOTS, Plot, Step, opening};
use super::sentences::Teller;
use super::told::{SENTENCES, Story, Tense};
use shared::Rng;

/// The story that a generator's numbers make.
pub(super) fn story(rng: Rng) -> Story {
    let mut dice = Dice(rng);
    let tense = if dice.chance(0.5) { Tense::Past } else { Tense::Present };
    let mut story = Story { entities: Vec::new(), sentences: Vec::new(), tense };
    for role in LASTING {
        let entity = Entity::draw(role, &story.entities, &mut dice);
        story.entities.push(entity);
    }
    let plan = Plan::draw(&mut dice);
    let dice = &mut dice;
    let mut teller = Teller { story: &mut story, dice, by_name: true, slot: "morning", holder: 0 };
    for step in &plan.opening {
        teller.tell(step);
    }
    for (plot, slot, steps) in &plan.middle {
        teller.slot = slot;
        teller.cast(plot);
        for (place, step) in steps.iter().enumerate() {
            // What comes next is likely to have people in common, and little else.
            teller.by_name = place + 1 == steps.len();
            teller.tell(step);
        }
    }
    if let Some(step) = plan.ending {
        teller.tell(step);
    }
    story
}

impl Teller<'_> {
    /// Finds somebody and something for the roles that are new in every plot.
    fn cast(&mut self, plot: &Plot) {
        let place = (plot.home[0] && plot.has("p")).then_some("p");
        let others = PASSING.into_iter().filter(|role| plot.has(role));
        for role in place.into_iter().chain(others) {
            let entity = Entity::draw(role, &self.story.entities, self.dice);
            self.story.entities.push(entity);
        }
    }
}

/// A story before it is told: its steps in order.
struct Plan {
    opening: Vec<&'static Step>,
    middle: Vec<(&'static Plot, &'static str, Vec<&'static Step>)>,
    ending: Option<&'static Step>,
}

/// The parts of a day, in their order.
pub(super) const SLOTS: [&str; 5] = ["morning", "noon", "afternoon", "evening", "night"];

/// The facts that an opening can tell, in the order of telling, except for the first two: the hero comes first.
const FACTS: [&str; 8] = ["job", "home", "pet", "called", "thing", "tie", "job2", "home2"];

/// Whom and what an opening must bring into the story before a plot can have them, and how.
const INTRODUCED: [(&str, &str); 3] = [("pet", "pet"), ("thing", "thing"), ("b", "tie")];

impl Plan {
    fn draw(dice: &mut Dice) -> Plan {
        let plots = Plan::plots(dice);
        let mut facts = vec![if dice.chance(0.5) { "job" } else { "home" }];
        facts.extend(introductions(&plots));
        let middle = Plan::middle(plots, dice);
        let told: usize = middle.iter().map(|(_, _, steps)| steps.len()).sum();
        for fact in FACTS {
            let about = match fact {
                "called" => "pet",
                "job2" | "home2" => "tie",
                _ => facts[0],
            };
            let length = told + facts.len();
            if !facts.contains(&fact)
                && facts.contains(&about)
                && length < *SENTENCES.end()
                && (length < *SENTENCES.start() || dice.chance(0.5))
            {
                facts.push(fact);
            }
        }
        facts[1..].sort_by_key(|fact| FACTS.iter().position(|one| one == fact));
        let room = told + facts.len() < *SENTENCES.end();
        let ending = (room && dice.chance(0.7)).then(|| Plan::ending(&facts, dice));
        let opening = facts.iter().map(|fact| &opening(fact).steps[0]).collect();
        Plan { opening, middle, ending }
    }

    /// One to three plots that can follow each other, and the way home.
    fn plots(dice: &mut Dice) -> Vec<&'static Plot> {
        let mut plots: Vec<&'static Plot> = Vec::new();
        let back = PLOTS.iter().find(|plot| plot.name == "return").expect("a way home");
        let (mut at_home, mut mine) = (true, true);
        for _ in 0..1 + dice.below(3) {
            let can_be_next = |plot: &&'static Plot| {
                plot.home[0] == at_home
                    && plot.name != back.name
                    && plots.iter().all(|one| one.name != plot.name)
                    && (mine || !plot.needs.contains(&"mine"))
                    && leaves_the_way_home(&[&plots[..], &[*plot]].concat())
            };
            let choices: Vec<&'static Plot> = PLOTS.iter().filter(can_be_next).collect();
            if choices.is_empty() {
                break;
            }
            let plot = dice.pick(&choices);
            (at_home, mine) = (plot.home[1], mine && !plot.gives_away());
            plots.push(plot);
        }
        if !at_home {
            plots.push(back);
        }
        plots
    }

    /// The steps that are told, at parts of the day that come in their order.
    fn middle(
        plots: Vec<&'static Plot>,
        dice: &mut Dice,
    ) -> Vec<(&'static Plot, &'static str, Vec<&'static Step>)> {
        let mut slots = SLOTS.to_vec();
        while slots.len() > plots.len() {
            slots.remove(dice.below(slots.len()));
        }
        let told = plots.into_iter().zip(slots).map(|(plot, slot)| {
            let steps = plot.steps.iter().filter(|step| !step.optional || dice.chance(0.6));
            (plot, slot, steps.collect())
        });
        told.collect()
    }

    /// A last sentence about somebody or something that the story has.
    fn ending(facts: &[&str], dice: &mut Dice) -> &'static Step {
        let mut lacking = INTRODUCED.to_vec();
        lacking.retain(|(_, fact)| !facts.contains(fact));
        let told = ENDINGS.iter().filter(|plot| !lacking.iter().any(|(role, _)| plot.has(role)));
        &dice.pick(&told.collect::<Vec<_>>()).steps[0]
    }
}

/// Whether a story of these plots has a sentence left.
fn leaves_the_way_home(plots: &[&'static Plot]) -> bool {
    let steps: usize = plots.iter().map(|plot| plot.steps.len()).sum();
    1 + introductions(plots).count() + steps < *SENTENCES.end()
}

/// The facts that must be told before these plots.
fn introductions(plots: &[&'static Plot]) -> impl Iterator<Item = &'static str> {
    INTRODUCED
        .into_iter()
        .filter(|(role, _)| plots.iter().any(|plot| plot.has(role)))
        .map(|(_, fact)| fact)
}
