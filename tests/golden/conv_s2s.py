"""ConvS2S (Gehring et al. 2017) of 2 + 2 layers over 3 words: two pairs of sentences of different lengths.

The logits, the weights of the last layer, and the gradients of a weighted sum of the logits. Convolutions
and gates are PyTorch's own; a sentence is computed alone, so that nothing is padded but its ends.
"""

import torch
import torch.nn.functional as F

import golden

torch.manual_seed(9)
D, K, LAYERS, WORDS, PLACES = 4, 3, 2, 7, 6
SOURCES, TARGETS = [[3, 4, 6, 2], [5, 2]], [[1, 3, 5], [1, 6, 4, 3, 5]]
HALF = 0.5**0.5


def leaf(*shape):
    return torch.randn(*shape).mul(0.7).requires_grad_()


tables = {name: leaf(size, D) for name, size in
          dict(source=WORDS, source_positions=PLACES, target=WORDS, target_positions=PLACES).items()}  # fmt: skip
encoder = [(leaf(2 * D, D, K), leaf(2 * D)) for _ in range(LAYERS)]
decoder = [(leaf(2 * D, D, K), leaf(2 * D), leaf(D, D), leaf(D)) for _ in range(LAYERS)]
output = (leaf(WORDS, D), leaf(WORDS))


def convolved(x, weight, bias, before, after):  # x: tokens as rows
    return F.glu(F.conv1d(F.pad(x.T[None], (before, after)), weight, bias), dim=1)[0].T


def embed(side, words):
    return tables[side][words] + tables[f"{side}_positions"][: len(words)]


def translate(source, target):
    e = z = embed("source", source)
    for weight, bias in encoder:
        z = (z + convolved(z, weight, bias, 1, 1)) * HALF
    values, g = (z + e) * HALF, embed("target", target)
    x = g
    for weight, bias, query, query_bias in decoder:
        h = convolved(x, weight, bias, K - 1, 0)
        q = (F.linear(h, query, query_bias) + g) * HALF
        alpha = torch.softmax(q @ z.T, dim=1)
        c = alpha @ values * len(source) ** 0.5
        x = (x + (h + c) * HALF) * HALF
    return F.linear(x, *output), alpha


found = [translate(source, target) for source, target in zip(SOURCES, TARGETS)]
logits = torch.cat([logits for logits, _ in found])
d_logits = torch.randn_like(logits)
logits.backward(d_logits)

parameters = dict(tables)
for l, (weight, bias) in enumerate(encoder):
    parameters |= {f"encoder_{l}_w": weight, f"encoder_{l}_b": bias}
for l, (weight, bias, query, query_bias) in enumerate(decoder):
    parameters |= {f"decoder_{l}_w": weight, f"decoder_{l}_b": bias, f"query_{l}_w": query, f"query_{l}_b": query_bias}
parameters |= {"output_w": output[0], "output_b": output[1]}


def rows(x):  # (2d, d, k) to the rows of windows, [x_{i-1}; x_i; x_{i+1}]
    return x.permute(0, 2, 1).flatten(1) if x.dim() == 3 else x


golden.save(
    "conv_s2s",
    logits=logits,
    dlogits=d_logits,
    weights_0=found[0][1],
    weights_1=found[1][1],
    **{name: rows(x.detach()) for name, x in parameters.items()},
    **{f"d{name}": rows(x.grad) for name, x in parameters.items()},
)
