//! Questions at random.

use super::*;

impl<R: Rng> Sampler<'_, R> {
    /// does she sing, is she tired
    pub(super) fn question(&mut self) -> Sentence {
        let tense = self.tense();
        Sentence::Question(self.asked(|sampler| {
            if sampler.chance(0.3) {
                sampler.copular_clause(tense, &Around::Nothing)
            } else {
                sampler.doing(tense, &Around::Nothing, true, |_| true)
            }
        }))
    }

    /// where, when, why
    pub(super) fn asking(&mut self) -> Sentence {
        static WORDS: [Expression; 3] = [
            Expression { english: "where", french: "où" },
            Expression { english: "when", french: "quand" },
            Expression { english: "why", french: "pourquoi" },
        ];
        let tense = self.tense();
        let kind = self.weighted(&[3, 2, 3]);
        let mut clause = self.asked(|sampler| match kind {
            2 if sampler.chance(0.4) => sampler.copular_clause(tense, &Around::Nothing),
            0 => sampler.doing(tense, &Around::Nothing, true, |v| {
                let stays = v.is_action() && !v.with_place();
                stays && v.recipients.is_empty() && v.english[0] != "leave"
            }),
            _ => sampler.doing(tense, &Around::Nothing, true, |v| v.is_action()),
        });
        let predicate = &mut clause.predicates[0];
        if kind < 2 {
            predicate.adverb =
                predicate.adverb.filter(|adverb| adverb.kind == "manner" && kind == 1);
            predicate.place = predicate.place.take().filter(|_| kind != 0);
            predicate.frequency = predicate.frequency.filter(|_| kind != 1);
        }
        Sentence::Asking(&WORDS[kind], clause)
    }

    /// who sings, who is tired
    pub(super) fn who(&mut self) -> Sentence {
        let tense = self.tense();
        let somebody = Features::third(Number::Singular, Gender::Masculine);
        let predicate = self.predicate_of(anybody(), somebody, tense);
        Sentence::Who(VerbPhrase { polarity: Polarity::Yes, ..predicate })
    }

    /// what does she see, who does she see
    pub(super) fn object_question(&mut self, thing: bool) -> Sentence {
        let tense = self.tense();
        let verb = self.verb(tense, |verb| {
            let wanted = verb.objects.iter().any(|noun| match noun.class {
                "animal" | "beast" => false,
                _ => noun.human() != thing,
            });
            let knows = thing && verb.english[0] == "know"; // that would be savoir
            verb.preposition.is_empty() && verb.recipients.is_empty() && wanted && !knows
        });
        let clause = self.asked(|sampler| {
            let people: Vec<_> = verb.subjects.iter().copied().filter(|n| n.human()).collect();
            let subject = sampler.subject(&people, &Around::Nothing);
            let gap = Some(Object::Gap(None));
            let predicates = vec![sampler.verb_phrase(verb, tense, &subject, gap, None)];
            Clause { subject, predicates }
        });
        if thing { Sentence::What(clause) } else { Sentence::Whom(clause) }
    }

    /// Few ask about themselves, whether something is not so, or with a subject that is
    /// long or unknown.
    fn asked(&mut self, mut draw: impl FnMut(&mut Self) -> Clause) -> Clause {
        loop {
            let mut clause = draw(self);
            clause.predicates[0].polarity = Polarity::Yes;
            if let Nominal::Noun(phrase) = &mut clause.subject {
                phrase.complement = None;
                if matches!(phrase.determiner, Determiner::A | Determiner::Some | Determiner::Many)
                {
                    phrase.determiner = Determiner::The;
                }
            }
            if clause.subject.features().row() != 0 {
                return clause;
            }
        }
    }
}
