"""The textbook's training of one width, and gradients of a matrix, by PyTorch's autograd.

Every point is predicted from all others; the loss is the sum of squared errors.
"""

import golden
import torch

torch.manual_seed(2)
n = 50
x = torch.sort(torch.rand(n) * 5).values
y = 2 * torch.sin(x) + x**0.8 + torch.normal(0.0, 0.5, (n,))
itself = torch.eye(n, dtype=torch.bool)


def loss(distances, values, itself):
    weights = torch.softmax((-distances**2 / 2).masked_fill(itself, -torch.inf), dim=1)
    return ((weights @ values - values) ** 2).sum()


w = torch.rand(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)
path, losses, slopes = [], [], []
for epoch in range(6):
    optimizer.zero_grad()
    error = loss((x[:, None] - x) * w, y, itself)
    error.backward()
    path.append(w.item())
    losses.append(error.item())
    slopes.append(w.grad.item())
    optimizer.step()

places = torch.randn(20, 3)
values = torch.sin(2 * places[:, 0]) + 0.1 * torch.randn(20)
matrix = torch.randn(2, 3, requires_grad=True)
difference = places[:, None] - places
distance = (difference @ matrix.T).pow(2).sum(-1).clamp_min(1e-30).sqrt()
error = loss(distance, values, torch.eye(20, dtype=torch.bool))
error.backward()

golden.save(
    "parametric_attention",
    x=x,
    y=y,
    path=torch.tensor(path),
    losses=torch.tensor(losses),
    slopes=torch.tensor(slopes),
    places=places,
    values=values,
    matrix=matrix.detach(),
    matrix_loss=error.detach(),
    matrix_gradient=matrix.grad,
)
