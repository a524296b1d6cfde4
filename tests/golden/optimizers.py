"""Five steps of Adam and of AdamW from PyTorch: gradients that differ from step to step, sizes from 1e-9 to 100.

The smallest are of the size of ε, so that its place in the formula shows; one step's gradient is zero.
"""

import golden
import torch

torch.manual_seed(3)
start = torch.tensor([1.0, -2.0, 0.5, 3.0, -0.25])
sizes = torch.tensor([1.0, 100.0, 1e-2, 1e-6, 1e-9])
gradients = torch.randn(5, 5) * sizes
gradients[2, 0] = 0.0


def path(optimizer, **settings):
    theta = start.clone().requires_grad_()
    adam = optimizer([theta], lr=0.1, **settings)
    steps = []
    for gradient in gradients:
        theta.grad = gradient.clone()
        adam.step()
        steps.append(theta.detach().clone())
    return torch.stack(steps)


golden.save(
    "optimizers",
    start=start,
    gradients=gradients,
    adam=path(torch.optim.Adam),
    adamw=path(torch.optim.AdamW, weight_decay=0.1),
)
