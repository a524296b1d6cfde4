"""The whole captioner, two pictures with captions of three words and of two: python tests/golden/captioning.py

The loss with the doubly stochastic term, and the gradients of all parameters. Parameters have our names; weights
are (outputs, inputs) as everywhere in PyTorch, those of convolutions with the neighbourhood's pixels before its
channels, as ours have them.
"""

import torch
import torch.nn.functional as F

import golden

torch.manual_seed(15)
CHANNELS, EMBEDDING, HIDDEN, SCORE, WORDS, EVEN = (4, 5, 6), 4, 5, 3, 7, 0.5
SIDE, PLACES = 32, 64


def leaf(*shape):
    return torch.randn(*shape).mul(0.4).requires_grad_()


sizes = zip((5, *CHANNELS), CHANNELS, ("first", "second", "third"))
p = {}
for inputs, outputs, name in sizes:
    p[f"encoder.{name}.weight"] = leaf(outputs, 9 * inputs)
    p[f"encoder.{name}.bias"] = leaf(outputs)
for name, inputs, outputs, has_bias in [
    ("start_h", CHANNELS[2], HIDDEN, True),
    ("start_c", CHANNELS[2], HIDDEN, True),
    ("score.w_q", HIDDEN, SCORE, True),
    ("score.w_k", CHANNELS[2], SCORE, False),
    ("gate", HIDDEN, 1, True),
    ("context", CHANNELS[2], 4 * HIDDEN, False),
    ("of_state", HIDDEN, EMBEDDING, True),
    ("of_context", CHANNELS[2], EMBEDDING, False),
    ("output", EMBEDDING, WORDS, True),
]:
    p[f"{name}.weight"] = leaf(outputs, inputs)
    if has_bias:
        p[f"{name}.bias"] = leaf(outputs)
p["words.weight"] = leaf(EMBEDDING, WORDS)
p["score.v"] = leaf(SCORE)
p["lstm.weight_x"], p["lstm.weight_h"] = leaf(4 * HIDDEN, EMBEDDING), leaf(4 * HIDDEN, HIDDEN)
p["lstm.bias_x"], p["lstm.bias_h"] = leaf(4 * HIDDEN), leaf(4 * HIDDEN)

pictures = torch.randint(0, 256, (2, SIDE * SIDE, 3))
captions = [[3, 5, 2], [6, 2]]  # each ends with the end word
BEGIN = 1

place = (2 * torch.arange(SIDE) + 1) / SIDE - 1
column, row = place.repeat(SIDE), place.repeat_interleave(SIDE)


def linear(name, x):
    return F.linear(x, p[f"{name}.weight"], p.get(f"{name}.bias"))


def convolution(name, x, stride):
    w = p[f"encoder.{name}.weight"]
    w = w.reshape(w.shape[0], 3, 3, -1).permute(0, 3, 1, 2)
    return F.relu(F.conv2d(x, w, p[f"encoder.{name}.bias"], stride=stride, padding=1))


loss = torch.zeros(())
weights = []
for picture, caption in zip(pictures, captions):
    x = torch.cat((picture / 127.5 - 1, column[:, None], row[:, None]), 1)  # (1024, 5)
    x = x.T.reshape(1, 5, SIDE, SIDE)
    x = convolution("third", convolution("second", convolution("first", x, 2), 2), 1)
    a = x[0].flatten(1).T  # (64, c)
    h, c = (torch.tanh(linear(name, a.mean(0))) for name in ("start_h", "start_c"))
    even = torch.zeros(PLACES)
    for before, word in zip([BEGIN, *caption], caption):
        e = torch.tanh(linear("score.w_q", h) + linear("score.w_k", a)) @ p["score.v"]
        alpha = torch.softmax(e, 0)
        weights.append(alpha)
        even = even + alpha
        z = torch.sigmoid(linear("gate", h)) * (alpha @ a)
        y = p["words.weight"][:, before]
        w = torch.cat((p["lstm.weight_x"], p["context.weight"]), 1)
        h, c = (
            s[0]
            for s in torch.lstm_cell(
                torch.cat((y, z))[None], (h[None], c[None]), w, p["lstm.weight_h"], p["lstm.bias_x"], p["lstm.bias_h"]
            )
        )
        logits = linear("output", y + linear("of_state", h) + linear("of_context", z))
        loss = loss - torch.log_softmax(logits, 0)[word]
    loss = loss + EVEN * ((1 - even) ** 2).sum()
loss.backward()

golden.save(
    "captioning",
    pictures=pictures.float(),
    loss=loss,
    weights=torch.stack(weights),
    **p,
    **{f"d {name}": tensor.grad for name, tensor in p.items()},
)
