"""Attention that knows distances, with PyTorch's own attention: rotations as complex numbers, the rest as masks.

Two heads of 4; a sequence of 5 asks itself, up to each place, and another of 7. Outputs and the gradients of a
weighted sum of them with respect to everything, the vectors of the distances -2 … 2 included.
"""

import torch
import torch.nn.functional as F

import golden

torch.manual_seed(31)
HEADS, D, N, M, CLIP = 2, 4, 5, 7, 2
tensors = {
    name: torch.randn(rows, HEADS * D).mul(0.7)
    for name, rows in dict(q=N, k=N, v=N, k_other=M, v_other=M, doutput=N).items()
}
tensors["vectors"] = torch.randn(2 * CLIP + 1, D)


def by_head(x):
    return x.view(-1, HEADS, D).transpose(0, 1)  # head, token, row


def rotated(x):
    places = torch.arange(x.shape[1])
    angles = places[:, None] / 10_000 ** (torch.arange(0, D, 2) / D)
    turn = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(torch.view_as_complex(x.reshape(*x.shape[:2], D // 2, 2)) * turn).flatten(2)


def run(name, kind, causal):
    keys = ("k", "v") if causal else ("k_other", "v_other")
    q, k, v, vectors = (tensors[key].clone().requires_grad_() for key in ("q", *keys, "vectors"))
    heads = [by_head(x) for x in (q, k, v)]
    distance = torch.arange(heads[1].shape[1])[None] - torch.arange(N)[:, None]  # key minus query
    mask = torch.zeros(HEADS, *distance.shape)
    if kind == "rope":
        heads[:2] = [rotated(x) for x in heads[:2]]
    elif kind == "alibi":
        slopes = torch.tensor([2 ** (-8 * h / HEADS) for h in range(1, HEADS + 1)])
        mask = -slopes[:, None, None] * distance.abs()
    else:
        a = vectors[distance.clamp(-CLIP, CLIP) + CLIP]  # query, key, row
        mask = torch.einsum("hnd,nmd->hnm", heads[0], a) / D**0.5
    if causal:
        mask = mask.masked_fill(distance > 0, -torch.inf)
    output = F.scaled_dot_product_attention(*heads, attn_mask=mask).transpose(0, 1).reshape(N, -1)
    output.backward(tensors["doutput"])
    found = dict(output=output, dq=q.grad, dk=k.grad, dv=v.grad)
    found |= dict(dvectors=vectors.grad) if kind == "shaw" else {}
    return {f"{name}_{key}": value.detach().clone() for key, value in found.items()}


runs = {}
for kind in ("shaw", "rope", "alibi"):
    runs |= run(f"{kind}_causal", kind, True) | run(f"{kind}_across", kind, False)
golden.save("relative", **tensors, **runs)
