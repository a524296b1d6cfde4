//! Is it the gradient? A memory network of which only that changes: in its first steps, what flows back into the
//! scores is multiplied by a factor.

use crate::{Alignment, Answered, Answers, MemoryNetwork, Stories, bags, read};
use shared::{Float, Module, Tape, Var, Visitor};

pub struct Scaled {
    pub network: MemoryNetwork,
    /// Of the first steps: the alignment, and the factor. Then a softmax, and the gradient as it is.
    pub first: (Alignment, Float),
}

impl Module for Scaled {
    fn visit(&mut self, visitor: &mut Visitor) {
        self.network.visit(visitor);
    }
}

impl Answers for Scaled {
    /// As the network's own. Queries and keys reach the loss through their scores alone, so what flows back
    /// into both is what flows back into the scores, scaled; what is read flows back as it is.
    fn answer<'t>(&self, tape: &'t Tape, stories: &Stories, alignment: Alignment) -> Answered<'t> {
        let (alignment, factor) =
            if alignment == Alignment::Linear { self.first } else { (alignment, 1.0) };
        let (network, segments) = (&self.network, stories.segments());
        let mut u = bags(tape.param(&network.words[0]), &stories.questions, network.order);
        let mut weights = Vec::new();
        for k in 1..network.words.len() {
            let keys = network.sentences(tape, stories, k - 1);
            let values = network.sentences(tape, stories, k);
            let scaled = |x| scaled(x, factor);
            let (o, p) = read(scaled(u), scaled(keys), values, &segments, alignment);
            u = u + o;
            weights.push(p);
        }
        let last = tape.param(&network.words[network.words.len() - 1]);
        Answered { logits: last.tr_mul(u), weights }
    }
}

/// The same numbers; what flows back is multiplied.
fn scaled(x: Var<'_>, factor: Float) -> Var<'_> {
    x.tape().push([x], x.value().as_ref().clone(), move |dy, [x_id], gradients| {
        gradients.update(x_id, |dx| *dx += dy * factor);
    })
}
