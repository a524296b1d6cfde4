"""An end-to-end memory network and a key-value memory, forward and backward, by PyTorch's autograd.

Three stories of different lengths with two-hop questions. Sukhbaatar et al. 2015, sections 2 and 4.1: position and
temporal encoding, adjacent tying; Miller et al. 2016, section 3.1. One story at a time, so that nothing is padded.
"""

import golden
import torch
import torch.nn.functional as F

torch.manual_seed(14)
V, M, d, K = 9, 4, 5, 2
STORIES = [[[0, 1, 2], [3, 1, 4, 5]], [[6, 7], [2, 1, 0], [8, 8, 3]], [[4]]]
VALUES = [[[2], [5]], [[7], [0], [3]], [[4]]]
QUESTIONS = [[1, 2], [6, 0, 5], [4, 8]]
ANSWERS = torch.tensor([5, 0, 4])


def draw(*shape):
    return (torch.randn(*shape, dtype=torch.float64) * 0.7).requires_grad_()


def weights(length):
    j = torch.arange(1, length + 1, dtype=torch.float64)[:, None] / length
    k = torch.arange(1, d + 1, dtype=torch.float64)[None, :] / d
    return (1 - j) - k * (1 - 2 * j)


def bag(table, words, order=True):
    vectors = table[torch.tensor(words)]
    return (weights(len(words)) * vectors if order else vectors).sum(0)


def run(hop, stories, linear=False):
    logits, attention = [], []
    for i, story in enumerate(stories):
        out, p = hop(story, QUESTIONS[i], i, linear)
        logits.append(out)
        attention.append(p)
    loss = F.cross_entropy(torch.stack(logits), ANSWERS, reduction="sum")
    return torch.stack(logits), torch.cat(attention, 1), loss


words, times = [draw(V, d) for _ in range(K + 1)], [draw(M, d) for _ in range(K + 1)]


def end_to_end(story, question, _, linear):
    ages = torch.arange(len(story) - 1, -1, -1)
    memory = [torch.stack([bag(E, s) for s in story]) + T[ages] for E, T in zip(words, times)]
    u, p = bag(words[0], question), []
    for k in range(K):
        scores = memory[k] @ u
        p.append(scores if linear else torch.softmax(scores, 0))
        u = u + p[-1] @ memory[k + 1]
    return words[K] @ u, torch.stack(p)


tensors = {}
for name, linear in [("softmax", False), ("linear", True)]:
    logits, attention, loss = run(end_to_end, STORIES, linear)
    gradients = torch.autograd.grad(loss, words + times)
    tensors |= {f"{name}_logits": logits, f"{name}_weights": attention, f"{name}_loss": loss}
    for kind, part in [("words", gradients[: K + 1]), ("times", gradients[K + 1 :])]:
        tensors |= {f"{name}_{kind}_{k}": g for k, g in enumerate(part)}

table, answers, updates = draw(V, d), draw(V, d), [draw(d, d) for _ in range(K)]


def key_value(story, question, i, _):
    keys = torch.stack([bag(table, s, False) for s in story])
    values = torch.stack([bag(table, s, False) for s in VALUES[i]])
    q, p = bag(table, question, False), []
    for R in updates:
        p.append(torch.softmax(keys @ q, 0))
        q = R @ (q + p[-1] @ values)
    return answers @ q, torch.stack(p)


logits, attention, loss = run(key_value, STORIES)
gradients = torch.autograd.grad(loss, [table, answers, *updates])
names = ["table", "answers", *(f"update_{k}" for k in range(K))]
tensors |= {"kv_logits": logits, "kv_weights": attention, "kv_loss": loss}
tensors |= {f"kv_{name}_gradient": g for name, g in zip(names, gradients)}
tensors |= {f"words_{k}": t for k, t in enumerate(words)} | {f"times_{k}": t for k, t in enumerate(times)}
tensors |= dict(zip([f"kv_{name}" for name in names], [table, answers, *updates]))
golden.save("memory_networks", **{name: tensor.float() for name, tensor in tensors.items()})
