"""GRU layers of PyTorch: see `rnn.py`, which does the work."""

import rnn
import torch

rnn.save("gru", torch.nn.GRU)
