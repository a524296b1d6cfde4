"""A training step of the language model, beside PyTorch: python tests/peers/language_model_step.py

Requires numpy, torch (2.5 or later; `pip install numpy torch`), a C++ compiler (for torch.compile) and a Rust toolchain.
Both sides train the same model on equally many random words: forward, backward, clipping at norm 1, AdamW. PyTorch gets
attention in one operation, its own RMSNorm and fused AdamW; it runs eager and compiled, and the peer to name is the
faster of the two. The best of many steps on each side, alternating between them.
"""

import argparse
import json
import os
import subprocess
import sys

from bert import optimizer, times_of
from transformer import ROOT, product_gflops

CONFIGS = {
    "small": {"blocks": 4, "width": 256, "heads": 4, "groups": 2, "words": 8_000, "batch": 16, "today": True},
    "gpt2": {"blocks": 12, "width": 768, "heads": 12, "groups": 12, "words": 50_257, "batch": 4, "today": False},
}
LENGTH = 128
FORMS = ("eager", "compiled")


def build(size):
    """The model, and a function that gives its mean loss on random words."""
    import torch
    from torch import nn
    from torch.nn import functional as F

    width, heads, groups, today = size["width"], size["heads"], size["groups"], size["today"]
    d = width // heads
    norm = (lambda: nn.RMSNorm(width, eps=1e-5)) if today else (lambda: nn.LayerNorm(width))
    speeds = 10000 ** (-2 * torch.arange(d // 2) / d)
    angles = torch.arange(LENGTH)[:, None] * speeds
    cos, sin = angles.cos(), angles.sin()

    def rotated(x):  # (batch, heads, n, d)
        even, odd = x[..., ::2], x[..., 1::2]
        return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention_norm, self.feed_forward_norm = norm(), norm()
            self.q, self.k = nn.Linear(width, width), nn.Linear(width, groups * d, bias=False)
            self.v, self.o = nn.Linear(width, groups * d), nn.Linear(width, width)
            hidden = (2 * 4 * width + 1) // 3 if today else 4 * width
            self.inner, self.outer = nn.Linear(width, hidden, bias=not today), nn.Linear(hidden, width, bias=not today)
            self.gate = nn.Linear(width, hidden, bias=False) if today else None

        def forward(self, x):
            y = self.attention_norm(x)
            split = lambda x, count: x.view(*x.shape[:2], count, d).transpose(1, 2)
            q, k, v = split(self.q(y), heads), split(self.k(y), groups), split(self.v(y), groups)
            if today:
                q, k = rotated(q), rotated(k)
            o = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=groups != heads)
            x = x + self.o(o.transpose(1, 2).flatten(2))
            y = self.feed_forward_norm(x)
            inner = self.inner(y)
            hidden = F.silu(self.gate(y)) * inner if today else F.gelu(inner, approximate="tanh")
            return x + self.outer(hidden)

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.words = nn.Embedding(size["words"], width)
            nn.init.normal_(self.words.weight, std=width**-0.5)
            self.positions = None if today else nn.Parameter(torch.randn(LENGTH, width) * 0.02)
            self.blocks = nn.ModuleList(Block() for _ in range(size["blocks"]))
            self.norm = norm()

        def forward(self, words):
            x = self.words(words)
            x = x if today else x + self.positions
            for block in self.blocks:
                x = block(x)
            return F.linear(self.norm(x), self.words.weight)

    model = Model()
    text = torch.randint(0, size["words"], (size["batch"], LENGTH + 1))
    loss = lambda: F.cross_entropy(model(text[:, :-1]).flatten(0, 1), text[:, 1:].flatten())
    return model, loss


def run_peer(config, form, seconds):
    import torch

    model, loss = build(CONFIGS[config])
    adamw = optimizer(model, "fused")
    run = torch.compile(loss, dynamic=False) if form == "compiled" else loss

    def step():
        adamw.zero_grad(set_to_none=True)
        run().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adamw.step()

    times = times_of(step, seconds)
    parameters = sum(parameter.numel() for parameter in model.parameters())
    return {"milliseconds": times[0] * 1e3, "parameters": parameters, "product_gflops": product_gflops()}


def ours(config, threads, seconds):
    """What `language_model bench --json` says."""
    command = ["cargo", "run", "--quiet", "--release", "-p", "language_model", "--", "bench", "--config", config]
    command += ["--json", "--seconds", str(seconds)]
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
    return json.loads(subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True).stdout)


def peer(config, form, threads, seconds):
    command = [sys.executable, __file__, "--peer", form, "--config", config, "--threads", str(threads)]
    run = subprocess.run([*command, "--seconds", str(seconds)], check=True, capture_output=True, text=True)
    return json.loads(run.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10.0, help="how long the steps of each side are timed")
    parser.add_argument("--config", choices=CONFIGS, action="append", help="this one alone (may be repeated)")
    parser.add_argument("--peer", choices=FORMS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    threads, seconds, configs = arguments.threads, arguments.seconds, arguments.config or list(CONFIGS)
    if arguments.peer:
        import torch

        torch.set_num_threads(threads)
        torch.manual_seed(0)
        print(json.dumps(run_peer(configs[0], arguments.peer, seconds)))
        return
    for config in configs:
        sides = {"ours": lambda: ours(config, threads, seconds)}
        sides |= {form: lambda form=form: peer(config, form, threads, seconds) for form in FORMS}
        rows = {name: [] for name in sides}
        for _ in range(arguments.rounds):
            for name, run in sides.items():
                rows[name].append(run())
        best = {name: min(row, key=lambda row: row["milliseconds"]) for name, row in rows.items()}
        print(f"{config}: {CONFIGS[config]}")
        row = best["ours"]
        print(f"  ours reaches {row['share_of_peak']:.0%} of {row['peak_gflops']:.0f} GFLOP/s")
        for name, row in best.items():
            ratio = row["milliseconds"] / best["ours"]["milliseconds"]
            print(f"  {name:9} {row['milliseconds']:9.2f} ms, {row['parameters']} parameters: {ratio:.2f} x ours")


if __name__ == "__main__":
    main()
