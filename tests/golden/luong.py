"""A decoder step with input feeding and local-p attention over sentences of 5, 2 and 4 words: python tests/golden/luong.py

General scores inside windows of ±2 around predicted positions, weights, attentional states, and the
gradients of a weighted sum of both with respect to everything.
"""

import torch

import golden

torch.manual_seed(7)
LENGTHS, EMBEDDING, HIDDEN, D = (5, 2, 4), 3, 6, 2
BATCH, WORDS = len(LENGTHS), sum(LENGTHS)


def leaf(*shape):
    return torch.randn(*shape).mul(0.7).requires_grad_()


values, states, previous, fed = leaf(WORDS, HIDDEN), leaf(BATCH, HIDDEN), leaf(BATCH, EMBEDDING), leaf(BATCH, HIDDEN)
weight_x, weight_feed = leaf(3 * HIDDEN, EMBEDDING), leaf(3 * HIDDEN, HIDDEN)
weight_h, bias_x, bias_h = leaf(3 * HIDDEN, HIDDEN), leaf(3 * HIDDEN), leaf(3 * HIDDEN)
w_a, w_p, v_p, w_c = leaf(HIDDEN, HIDDEN), leaf(HIDDEN, HIDDEN), leaf(HIDDEN), leaf(HIDDEN, 2 * HIDDEN)

gates = torch.cat((previous, fed), 1), states
h = torch.gru_cell(*gates, torch.cat((weight_x, weight_feed), 1), weight_h, bias_x, bias_h)
positions = torch.tensor(LENGTHS) * torch.sigmoid(torch.tanh(h @ w_p.T) @ v_p)
weights, contexts, windows = [], [], []
for h_t, h_bar, p in zip(h, values.split(LENGTHS), positions):
    s = torch.arange(len(h_bar))
    inside = s[(s - p).abs() <= D]
    assert (s - p).abs().sub(D).abs().min() > 0.01, "too near to the edge of a window"
    align = torch.softmax(h_bar[inside] @ w_a.T @ h_t, 0)
    weight = align * torch.exp(-((inside - p) ** 2) / (2 * (D / 2) ** 2))
    windows += inside.tolist()
    weights.append(weight)
    contexts.append(weight @ h_bar[inside])
attentional = torch.tanh(torch.cat((torch.stack(contexts), h), 1) @ w_c.T)
weights = torch.cat(weights)

dweights, dattentional = torch.randn(len(weights)), torch.randn(BATCH, HIDDEN)
((weights * dweights).sum() + (attentional * dattentional).sum()).backward()

inputs = dict(
    values=values, states=states, previous=previous, fed=fed, weight_x=weight_x, weight_feed=weight_feed,
    weight_h=weight_h, bias_x=bias_x, bias_h=bias_h, w_a=w_a, w_p=w_p, v_p=v_p, w_c=w_c,
)
golden.save(
    "luong",
    **inputs,
    dweights=dweights,
    dattentional=dattentional,
    positions=positions,
    windows=torch.tensor(windows),
    weights=weights,
    attentional=attentional,
    **{f"d{name}": tensor.grad for name, tensor in inputs.items()},
)
