"""Scaled dot-product attention of PyTorch: outputs and gradients, with and without masks.

As many queries as keys, so that the causal mask means the same to everyone.
"""

import golden
import torch
from torch.nn.functional import scaled_dot_product_attention

torch.manual_seed(3)
n, d, d_v = 7, 6, 4
q, k = torch.randn(n, d) * 1.5, torch.randn(n, d) * 1.5
v, doutput = torch.randn(n, d_v), torch.randn(n, d_v)
lengths = torch.tensor([3, 7, 1, 5, 7, 2, 4])


def run(name, attend):
    leaves = [x.clone().requires_grad_() for x in (q, k, v)]
    output = attend(*leaves)
    output.backward(doutput)
    dq, dk, dv = (leaf.grad for leaf in leaves)
    return {f"{name}_output": output, f"{name}_dq": dq, f"{name}_dk": dk, f"{name}_dv": dv}


def heads(x, count):  # (n, count·d) → (count, n, d)
    return x.reshape(n, count, -1).transpose(0, 1)


def two_heads(q, k, v):
    output = scaled_dot_product_attention(heads(q, 2), heads(k, 2), heads(v, 2))
    return output.transpose(0, 1).reshape(n, d_v)


visible = torch.arange(n) < lengths[:, None]  # row: query, column: key
golden.save(
    "scoring_functions",
    q=q,
    k=k,
    v=v,
    doutput=doutput,
    lengths=lengths,
    **run("full", scaled_dot_product_attention),
    **run("causal", lambda q, k, v: scaled_dot_product_attention(q, k, v, is_causal=True)),
    **run("lengths", lambda q, k, v: scaled_dot_product_attention(q, k, v, attn_mask=visible)),
    **run("two_heads", two_heads),
)
