"""A decoder step with additive attention over sentences of 4, 1 and 3 words: python tests/golden/bahdanau.py

Scores, weights, contexts and the new states, and the gradients of a weighted sum of contexts and
states with respect to everything.
"""

import torch

import golden

torch.manual_seed(6)
LENGTHS, EMBEDDING, HIDDEN, VALUE, SCORE = (4, 1, 3), 3, 5, 4, 6
BATCH, WORDS = len(LENGTHS), sum(LENGTHS)


def leaf(*shape):
    return torch.randn(*shape).mul(0.7).requires_grad_()


values, states, previous = leaf(WORDS, VALUE), leaf(BATCH, HIDDEN), leaf(BATCH, EMBEDDING)
w, u, v = leaf(SCORE, HIDDEN), leaf(SCORE, VALUE), leaf(SCORE)
weight_x, weight_c = leaf(3 * HIDDEN, EMBEDDING), leaf(3 * HIDDEN, VALUE)
weight_h, bias_x, bias_h = leaf(3 * HIDDEN, HIDDEN), leaf(3 * HIDDEN), leaf(3 * HIDDEN)

sentences = values.split(LENGTHS)
scores = [torch.tanh(states[j] @ w.T + h @ u.T) @ v for j, h in enumerate(sentences)]
weights = [torch.softmax(e, 0) for e in scores]
contexts = torch.stack([alpha @ h for alpha, h in zip(weights, sentences)])
gates = torch.cat((previous, contexts), 1), states
following = torch.gru_cell(*gates, torch.cat((weight_x, weight_c), 1), weight_h, bias_x, bias_h)

dcontexts, dfollowing = torch.randn(BATCH, VALUE), torch.randn(BATCH, HIDDEN)
((contexts * dcontexts).sum() + (following * dfollowing).sum()).backward()

inputs = dict(
    values=values, states=states, previous=previous, w=w, u=u, v=v, weight_x=weight_x, weight_c=weight_c,
    weight_h=weight_h, bias_x=bias_x, bias_h=bias_h,
)
golden.save(
    "bahdanau",
    **inputs,
    dcontexts=dcontexts,
    dfollowing=dfollowing,
    scores=torch.cat(scores),
    weights=torch.cat(weights),
    contexts=contexts,
    following=following,
    **{f"d{name}": tensor.grad for name, tensor in inputs.items()},
)
