"""A decoder with the block of today, two texts: python tests/golden/language_model.py

RMSNorm, a gated network, rotary positions and grouped queries; the loss and the gradients of all parameters. Parameters
have our names; weights are (outputs, inputs) as everywhere in PyTorch, the table is (words, entries).
"""

import torch
import torch.nn.functional as F

import golden

torch.manual_seed(16)
V, D, HIDDEN, H, G, BLOCKS = 7, 8, 11, 4, 2, 2
TEXTS = [[0, 3, 5, 2, 3], [0, 6, 1]]


def leaf(*shape, mean=0.0):
    return torch.randn(*shape).mul(0.4).add(mean).requires_grad_()


p = {"words.weight": leaf(V, D)}
for b in range(BLOCKS):
    name = f"blocks.{b}"
    rows = G * D // H
    for part, outputs, bias in [("w_q", D, True), ("w_k", rows, False), ("w_v", rows, True), ("w_o", D, True)]:
        p[f"{name}.attention.{part}.weight"] = leaf(outputs, D)
        if bias:
            p[f"{name}.attention.{part}.bias"] = leaf(outputs)
    p[f"{name}.attention_norm.weight"] = leaf(D, mean=1.0)
    p[f"{name}.feed_forward.gate.weight"] = leaf(HIDDEN, D)
    p[f"{name}.feed_forward.inner.weight"] = leaf(HIDDEN, D)
    p[f"{name}.feed_forward.outer.weight"] = leaf(D, HIDDEN)
    p[f"{name}.feed_forward_norm.weight"] = leaf(D, mean=1.0)
p["norm.weight"] = leaf(D, mean=1.0)


def linear(name, x):
    return F.linear(x, p[f"{name}.weight"], p.get(f"{name}.bias"))


def norm(name, x):
    return F.rms_norm(x, (D,), p[f"{name}.weight"], eps=1e-5)


def heads(x, count):
    return x.reshape(len(x), count, D // H).transpose(0, 1)  # (heads, tokens, rows)


def rotated(x):
    d = D // H
    angles = torch.arange(x.shape[1])[:, None] / 10000 ** (2 * torch.arange(d // 2) / d)
    pairs = torch.view_as_complex(x.reshape(*x.shape[:2], d // 2, 2))
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).reshape(x.shape)


def logits(text):
    x = p["words.weight"][text]
    for b in range(BLOCKS):
        name = f"blocks.{b}"
        y = norm(f"{name}.attention_norm", x)
        q = rotated(heads(linear(f"{name}.attention.w_q", y), H))
        k = rotated(heads(linear(f"{name}.attention.w_k", y), G))
        v = heads(linear(f"{name}.attention.w_v", y), G)
        o = F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True, enable_gqa=True)[0]
        x = x + linear(f"{name}.attention.w_o", o.transpose(0, 1).reshape(len(text), D))
        y = norm(f"{name}.feed_forward_norm", x)
        gate = F.silu(linear(f"{name}.feed_forward.gate", y))
        x = x + linear(f"{name}.feed_forward.outer", gate * linear(f"{name}.feed_forward.inner", y))
    return norm("norm", x) @ p["words.weight"].T


found = [logits(text[:-1]) for text in TEXTS]
loss = sum(F.cross_entropy(y, torch.tensor(text[1:]), reduction="sum") for y, text in zip(found, TEXTS))
loss.backward()

golden.save(
    "language_model",
    texts=torch.tensor([word for text in TEXTS for word in text]),
    lengths=torch.tensor([len(text) for text in TEXTS]),
    logits=torch.cat(found),
    loss=loss,
    **p,
    **{f"d.{name}": value.grad for name, value in p.items()},
)
