"""nn.MultiheadAttention with 3 heads of 2: itself, itself up to each place, another sequence.

Outputs, every head's weights, and the gradients of a weighted sum of the outputs with respect to
everything. PyTorch gives the keys a bias; here it is far from 0, and its gradient is saved, which is
0 up to rounding.
"""

import torch

import golden

torch.manual_seed(9)
WIDTH, HEADS, N, M = 6, 3, 4, 5


def leaf(*shape):
    return torch.randn(*shape).mul(0.7)


tensors = dict(x=leaf(N, WIDTH), y=leaf(M, WIDTH), doutput=leaf(N, WIDTH))
parameters = dict(
    in_proj_weight=leaf(3 * WIDTH, WIDTH), in_proj_bias=leaf(3 * WIDTH),
    out_proj_weight=leaf(WIDTH, WIDTH), out_proj_bias=leaf(WIDTH),
)  # fmt: skip
layer = torch.nn.MultiheadAttention(WIDTH, HEADS)
layer.load_state_dict({name.replace("out_proj_", "out_proj."): value for name, value in parameters.items()})
later = torch.ones(N, N, dtype=torch.bool).triu(1)  # True: hidden


def run(name, asks_itself, **mask):
    x, y = (tensors[key].clone().requires_grad_() for key in ("x", "y"))
    keys = x if asks_itself else y
    layer.zero_grad()
    output, weights = layer(x, keys, keys, average_attn_weights=False, **mask)
    output.backward(tensors["doutput"])
    found = dict(output=output, weights=weights, dx=x.grad)  # weights: head, query, key
    found |= {} if asks_itself else {"dy": y.grad}
    for part, of_weight, of_bias in zip("qkv", layer.in_proj_weight.grad.chunk(3), layer.in_proj_bias.grad.chunk(3)):
        found |= {f"dw_{part}": of_weight, f"db_{part}": of_bias}
    found |= dict(dw_o=layer.out_proj.weight.grad, db_o=layer.out_proj.bias.grad)
    return {f"{name}_{key}": value.detach().clone() for key, value in found.items()}


parts = {}
for part, weight, bias in zip("qkv", parameters["in_proj_weight"].chunk(3), parameters["in_proj_bias"].chunk(3)):
    parts |= {f"w_{part}": weight, f"b_{part}": bias}
golden.save(
    "multi_head",
    **tensors,
    **parts,
    w_o=parameters["out_proj_weight"],
    b_o=parameters["out_proj_bias"],
    **run("itself", True),
    **run("causal", True, attn_mask=later),
    **run("another", False),
)
