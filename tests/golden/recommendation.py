"""SASRec as PyTorch has it, measures as RecBole has them: python tests/golden/recommendation.py

Needs PyTorch and, for the measures, RecBole 1.2.1 (its metrics need NumPy, its package colorlog, pandas, tqdm and
others). Writes `recommendation.json`: the states of two layers of `torch.nn.TransformerEncoderLayer` (post-norm, relu,
causal) on vectors of items and positions after one LayerNorm, the loss of the next items over all items with tied
vectors and its gradient of those vectors; and Hit@10 and NDCG@10 of ranks that are given. All in double precision.
"""

import numpy as np
import torch

import golden

torch.manual_seed(13)
torch.set_default_dtype(torch.float64)
D, HEADS, ITEMS, LENGTH = 8, 2, 9, 6


def draw(*shape):
    return torch.randn(*shape) * 0.5


items, positions = draw(ITEMS, D).requires_grad_(), draw(LENGTH, D)
norm = torch.nn.LayerNorm(D)
norm.weight.data, norm.bias.data = 1 + draw(D) / 4, draw(D) / 4
layers = torch.nn.ModuleList(
    torch.nn.TransformerEncoderLayer(D, HEADS, 2 * D, dropout=0.0, activation="relu", batch_first=True)
    for _ in range(2)
)
tensors = {"items": items.detach(), "positions": positions, "norm.gain": norm.weight[None], "norm.bias": norm.bias[None]}
for number, layer in enumerate(layers):
    for parameter in layer.parameters():
        parameter.data = draw(*parameter.shape)
    attention = layer.self_attn
    attention.in_proj_bias.data[D : 2 * D] = 0  # a bias of keys changes nothing
    for block, name in enumerate("qkv"):
        rows = slice(block * D, (block + 1) * D)
        tensors[f"blocks.{number}.attention.w_{name}.weight"] = attention.in_proj_weight[rows].T
        if name != "k":
            tensors[f"blocks.{number}.attention.w_{name}.bias"] = attention.in_proj_bias[None, rows]
    tensors[f"blocks.{number}.attention.w_o.weight"] = attention.out_proj.weight.T
    tensors[f"blocks.{number}.attention.w_o.bias"] = attention.out_proj.bias[None]
    for name, part in [("attention_norm", layer.norm1), ("feed_forward_norm", layer.norm2)]:
        tensors[f"blocks.{number}.{name}.gain"], tensors[f"blocks.{number}.{name}.bias"] = part.weight[None], part.bias[None]
    for name, part in [("inner", layer.linear1), ("outer", layer.linear2)]:
        tensors[f"blocks.{number}.feed_forward.{name}.weight"] = part.weight.T
        tensors[f"blocks.{number}.feed_forward.{name}.bias"] = part.bias[None]

history, following = torch.tensor([3, 1, 4, 1, 5, 8]), torch.tensor([1, 4, 1, 5, 8, 2])
x = norm(items[history] + positions)[None]
mask = torch.nn.Transformer.generate_square_subsequent_mask(LENGTH)
for layer in layers:
    x = layer(x, src_mask=mask)
loss = torch.nn.functional.cross_entropy(x[0] @ items.T, following, reduction="sum")
loss.backward()
tensors |= {"history": history, "following": following, "states": x[0], "loss": loss, "d_items": items.grad}

for name, kind in [("int", int), ("float", float)]:
    if name not in np.__dict__:
        setattr(np, name, kind)  # RecBole 1.2.1 names types that NumPy has dropped
from recbole.evaluator.metrics import NDCG, Hit  # noqa: E402

above = np.array([0, 1, 2, 5, 8, 9, 10, 11, 40, 3])  # how many others are ranked before the bought item
relevant = (np.arange(12)[None, :] == above[:, None]).astype(int)  # the first twelve places
config = {"metric_decimal_place": 12, "topk": [10]}
lengths = np.ones(len(above), dtype=int)
hits = Hit(config).metric_info(relevant)[:, 9]
gains = NDCG(config).metric_info(relevant, lengths)[:, 9]
tensors |= {"above": torch.tensor(above), "hit": torch.tensor(hits)[None].double(), "ndcg": torch.tensor(gains)[None]}
golden.save("recommendation", **tensors)
