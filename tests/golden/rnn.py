"""Recurrent layers of PyTorch over a packed batch: outputs, final states and all gradients.

One and two layers, one and two directions, from given start states. The sequences are sorted, longest
first, so the memory of PyTorch's PackedSequence is that of a matrix packed by `Steps`. The loss weighs
outputs and final states with fixed numbers. `gru.py` and `lstm.py` do the same for their layers.
"""

import golden
import torch
from torch.nn.utils.rnn import PackedSequence, pack_sequence

LENGTHS = [5, 3, 3, 1]
INPUTS, HIDDEN = 3, 4


def run(name, kind, layers, directions):
    """Every tensor of one network, its name preceded by `name`."""
    torch.manual_seed(10 * layers + directions)
    net = kind(INPUTS, HIDDEN, layers, bidirectional=directions == 2)
    packed = pack_sequence([torch.randn(length, INPUTS) for length in LENGTHS])
    x = packed.data.clone().requires_grad_()
    lstm = kind is torch.nn.LSTM
    shape = (layers * directions, len(LENGTHS), HIDDEN)
    start = [torch.randn(shape).mul(0.5).requires_grad_() for _ in range(2 if lstm else 1)]
    output, last = net(PackedSequence(x, packed.batch_sizes), tuple(start) if lstm else start[0])
    last = list(last) if lstm else [last]
    values = [output.data, *last]
    weights = [torch.randn(value.shape) for value in values]
    sum((value * weight).sum() for value, weight in zip(values, weights)).backward()

    tensors = {"x": x, "dx": x.grad}
    names = ["output", "last_h", "last_c"]
    tensors |= {key: value for key, value in zip(names, values)}
    tensors |= {f"d{key}": weight for key, weight in zip(names, weights)}
    for key, state in zip(["start_h", "start_c"], start):
        tensors |= {key: state, f"d{key}": state.grad}
    for key, parameter in net.named_parameters():
        tensors |= {key: parameter, f"d{key}": parameter.grad}
    return {f"{name}_{key}": value for key, value in tensors.items()}


def save(name, kind):
    networks = [("one", 1, 1), ("two", 2, 1), ("both", 1, 2), ("deep", 2, 2)]
    tensors = {}
    for network, layers, directions in networks:
        tensors |= run(network, kind, layers, directions)
    golden.save(name, lengths=torch.tensor(LENGTHS), **tensors)


if __name__ == "__main__":
    save("rnn", torch.nn.RNN)
