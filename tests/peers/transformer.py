"""A training step of the Transformer, beside PyTorch: python tests/peers/transformer.py

Requires torch (2.x, CPU is enough), a C++ compiler (for torch.compile) and a Rust toolchain. Both sides
train the same model on equally many random words: dropout on the vectors of words and on what every
sublayer adds, smoothed labels, forward, backward, clipping at norm 1, Adam. PyTorch runs it eager and
compiled, in f32 and under bf16 autocast; ours runs in f32 and with factors in bf16, and a ratio compares
forms of one precision (the peer to name is the faster of eager and compiled). The best of many
steps on each side, alternating between them; beside it the matrix product alone, of both.
"""

import argparse
import contextlib
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIGS = {
    "textbook": {"width": 256, "inner": 64, "heads": 4, "blocks": 2, "batch": 128, "steps": 9, "words": 200, "dropout": 0.2, "tied": False},
    "small": {"width": 32, "inner": 64, "heads": 4, "blocks": 2, "batch": 64, "steps": 10, "words": 200, "dropout": 0.2, "tied": False},
    "base": {"width": 512, "inner": 2048, "heads": 8, "blocks": 6, "batch": 16, "steps": 32, "words": 8000, "dropout": 0.1, "tied": True},
}
FORMS = ("eager", "compiled", "eager_bf16", "compiled_bf16")


def build(size):
    """The model of chapter 10 in PyTorch: normalisation after the residual, as in the paper."""
    import torch
    from torch import nn
    from torch.nn import functional

    width, heads, dropout = size["width"], size["heads"], size["dropout"]

    def split(x):  # (batch, n, width) -> (batch, heads, n, width / heads)
        return x.unflatten(-1, (heads, -1)).transpose(1, 2)

    class SelfAttention(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

        def forward(self, x, causal):
            q, k, v = map(split, self.qkv(x).chunk(3, -1))
            h = functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
            return self.out(h.transpose(1, 2).flatten(2))

    class CrossAttention(nn.Module):
        def __init__(self):
            super().__init__()
            self.q, self.kv, self.out = nn.Linear(width, width), nn.Linear(width, 2 * width), nn.Linear(width, width)

        def forward(self, x, source):
            k, v = map(split, self.kv(source).chunk(2, -1))
            h = functional.scaled_dot_product_attention(split(self.q(x)), k, v)
            return self.out(h.transpose(1, 2).flatten(2))

    def feed_forward():
        return nn.Sequential(nn.Linear(width, size["inner"]), nn.ReLU(), nn.Linear(size["inner"], width))

    class EncoderBlock(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention, self.feed_forward = SelfAttention(), feed_forward()
            self.norms, self.drop = nn.ModuleList(nn.LayerNorm(width) for _ in range(2)), nn.Dropout(dropout)

        def forward(self, x):
            x = self.norms[0](x + self.drop(self.attention(x, False)))
            return self.norms[1](x + self.drop(self.feed_forward(x)))

    class DecoderBlock(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention, self.cross, self.feed_forward = SelfAttention(), CrossAttention(), feed_forward()
            self.norms, self.drop = nn.ModuleList(nn.LayerNorm(width) for _ in range(3)), nn.Dropout(dropout)

        def forward(self, x, source):
            x = self.norms[0](x + self.drop(self.attention(x, True)))
            x = self.norms[1](x + self.drop(self.cross(x, source)))
            return self.norms[2](x + self.drop(self.feed_forward(x)))

    class Transformer(nn.Module):
        def __init__(self):
            super().__init__()
            self.target = nn.Embedding(size["words"], width)
            self.source = self.target if size["tied"] else nn.Embedding(size["words"], width)
            self.encoder = nn.ModuleList(EncoderBlock() for _ in range(size["blocks"]))
            self.decoder = nn.ModuleList(DecoderBlock() for _ in range(size["blocks"]))
            self.output = nn.Linear(width, size["words"], bias=False)
            for table in {self.source, self.target}:
                nn.init.normal_(table.weight, std=width**-0.5)
            if size["tied"]:
                self.output.weight = self.target.weight
            self.drop = nn.Dropout(dropout)
            places = torch.arange(256)[:, None] / 10_000 ** (torch.arange(0, width, 2) / width)
            self.register_buffer("positions", torch.stack((places.sin(), places.cos()), -1).flatten(1))

        def embed(self, table, words, first=0):
            return table(words) * math.sqrt(width) + self.positions[first : first + words.shape[1]]

        def encode(self, source):
            x = self.drop(self.embed(self.source, source))
            for block in self.encoder:
                x = block(x)
            return x

        def forward(self, source, previous):  # (batch, steps) each
            h = self.encode(source)
            x = self.drop(self.embed(self.target, previous))
            for block in self.decoder:
                x = block(x, h)
            return self.output(x)

    return Transformer()


def ours(config, threads, precision):
    """What `transformer bench --json` says."""
    command = ["cargo", "run", "--quiet", "--release", "-p", "transformer", "--", "bench", "--config", config, "--json"]
    command += ["--precision", precision]
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
    run = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    return json.loads(run.stdout)


def peer(config, threads, form):
    """The same from PyTorch, in a process of its own so that its peak memory is its own."""
    command = [sys.executable, __file__, "--peer", form, "--config", config, "--threads", str(threads)]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(run.stdout.splitlines()[-1])


def product_gflops(size=1024, seconds=0.5):
    """PyTorch's own matrix product."""
    import torch

    a, b, times = torch.randn(size, size), torch.randn(size, size), []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        a @ b
        times.append(time.perf_counter() - start)
    return 2 * size**3 / min(times) / 1e9


def run_peer(config, threads, form, seconds=6.0):
    """Trains the model with PyTorch for a while; milliseconds of the best and the median step."""
    import torch
    from torch import nn

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    size = CONFIGS[config]
    batch, steps, words = size["batch"], size["steps"], size["words"]
    model = build(size)
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.1)
    source, target, answer = (torch.randint(3, words, (batch, steps)) for _ in range(3))
    autocast = torch.autocast("cpu", torch.bfloat16) if form.endswith("bf16") else contextlib.nullcontext()

    def loss():
        with autocast:
            return loss_of(model(source, target).flatten(0, 1), answer.flatten())

    optimizer = torch.optim.Adam(model.parameters(), lr=0.005, fused=True)
    run = torch.compile(loss) if form.startswith("compiled") else loss

    def step():
        optimizer.zero_grad(set_to_none=True)
        run().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    for _ in range(3):
        step()  # compilation, first touches of memory
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    times.sort()
    best, median = times[0] * 1e3, times[len(times) // 2] * 1e3
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "milliseconds": best,
        "median_milliseconds": median,
        "steps": len(times),
        "tokens_per_second": batch * steps / best * 1e3,
        "peak_mib": memory,
        "product_gflops": product_gflops(),
    }


def measure(threads=2, rounds=3, configs=CONFIGS, forms=FORMS):
    """The best round of each side, as {config: {side: row}}; `ratio` is its time over ours of that precision."""
    table = {}
    for config in configs:
        sides = {"ours": lambda: ours(config, threads, "f32"), "ours_bf16": lambda: ours(config, threads, "bf16")}
        sides["ours_bf16x3"] = lambda: ours(config, threads, "bf16x3")
        sides |= {form: lambda form=form: peer(config, threads, form) for form in forms}
        rows = {name: [] for name in sides}
        for _ in range(rounds):
            for name, run in sides.items():
                rows[name].append(run())
        table[config] = {name: min(row, key=lambda row: row["milliseconds"]) for name, row in rows.items()}
        for name, row in table[config].items():
            same = "ours_bf16" if name.endswith("bf16") else "ours"
            row["ratio"] = row["milliseconds"] / table[config][same]["milliseconds"]
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--config", choices=CONFIGS, action="append", help="this one alone (may be repeated)")
    parser.add_argument("--form", choices=FORMS, action="append", help="of PyTorch, this one alone (may be repeated)")
    parser.add_argument("--peer", choices=FORMS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    configs = arguments.config or list(CONFIGS)
    if arguments.peer:
        print(json.dumps(run_peer(configs[0], arguments.threads, arguments.peer)))
        return
    for config, sides in measure(arguments.threads, arguments.rounds, configs, arguments.form or FORMS).items():
        print(f"{config}: {CONFIGS[config]}")
        peak = sides["ours"]["peak_gflops"]
        theirs = max(row["product_gflops"] for row in sides.values() if "product_gflops" in row)
        print(f"  the kernel alone {peak:.0f} GFLOP/s, PyTorch's product {theirs:.0f}: {peak / theirs:.2f} x")
        print(f"  ours reaches {sides['ours']['share_of_peak']:.0%} of the kernel")
        print(f"  in bf16 {sides['ours_bf16']['share_of_peak']:.0%} of {sides['ours_bf16']['peak_gflops']:.0f} GFLOP/s")
        for name, row in sides.items():
            print(
                f"  {name:13}  {row['milliseconds']:8.2f} ms (median {row['median_milliseconds']:.2f})"
                f"  {row['tokens_per_second']:10.0f} tokens/s  {row['peak_mib']:6.0f} MiB  ours is {row['ratio']:.2f} x"
            )


if __name__ == "__main__":
    main()
