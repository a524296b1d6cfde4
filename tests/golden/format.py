"""Every case of the golden format, for the loader's own tests."""

import golden
import torch

torch.manual_seed(0)
random = torch.randn(64) * 10.0 ** torch.randint(-20, 20, (64,))

golden.save(
    "format",
    x=torch.arange(6.0).reshape(2, 3),
    batch=torch.arange(24.0).reshape(2, 3, 4),
    vector=torch.tensor([float("inf"), float("-inf"), float("nan"), -1e-30]),
    scalar=torch.tensor(1 / 3),
    double=torch.tensor(1 / 3, dtype=torch.float64),
    empty=torch.zeros(0, 3),
    random=random,
    random_bits=random.view(torch.int32).long() & 0xFFFFFFFF,
)
