"""Additive attention, v·tanh(W_q q + b + W_k k), in PyTorch: scores, output and all gradients."""

import golden
import torch

torch.manual_seed(4)
n, m, d_q, d_k, d_v, h = 3, 5, 4, 6, 2, 7
q, k, values = (torch.randn(*shape, requires_grad=True) for shape in ((n, d_q), (m, d_k), (m, d_v)))
w_q, w_k, v = torch.nn.Linear(d_q, h), torch.nn.Linear(d_k, h, bias=False), torch.nn.Linear(h, 1, bias=False)
doutput = torch.randn(n, d_v)

scores = v(torch.tanh(w_q(q)[:, None, :] + w_k(k)[None, :, :])).squeeze(-1)  # (n, m)
output = scores.softmax(-1) @ values
output.backward(doutput)

golden.save(
    "scoring_functions_additive",
    q=q,
    k=k,
    values=values,
    w_q=w_q.weight,
    b=w_q.bias,
    w_k=w_k.weight,
    v=v.weight.flatten(),
    doutput=doutput,
    scores=scores,
    output=output,
    dq=q.grad,
    dk=k.grad,
    dvalues=values.grad,
    dw_q=w_q.weight.grad,
    db=w_q.bias.grad,
    dw_k=w_k.weight.grad,
    dv=v.weight.grad.flatten(),
)
