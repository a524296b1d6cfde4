"""Scaled dot-product attention, forward and backward, beside PyTorch: python tests/peers/attention.py

Requires torch (any 2.x, CPU is enough) and a Rust toolchain. 8 heads of width 64, 2048 tokens in
sequences of 32, 128 and 512; f32; the best of many runs on each side, alternating between the two.
"""

import argparse
import json
import os
import pathlib
import subprocess
import time

import torch

HEADS, WIDTH, TOKENS = 8, 64, 2048
LENGTHS = (32, 128, 512)
ROOT = pathlib.Path(__file__).resolve().parents[2]


def ours(threads):
    """{(form, length): row} as the benchmark's table prints them."""
    command = ["cargo", "bench", "--quiet", "-p", "benches", "--bench", "attention", "--", "--table", "--short"]
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
    lines = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    rows = [json.loads(line) for line in lines.stdout.splitlines() if line.startswith("{")]
    return {(row["form"], row["length"]): row for row in rows}


def peer(length, seconds=2.0):
    """Milliseconds of PyTorch's forward and backward, the best of as many runs as fit."""
    shape = (TOKENS // length, HEADS, length, WIDTH)
    q, k, v = (torch.rand(shape).mul(2).sub(1).requires_grad_() for _ in range(3))
    gradient = torch.rand(shape)
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        out = torch.nn.functional.scaled_dot_product_attention(q, k, v)
        torch.autograd.grad(out, (q, k, v), gradient)
        best = min(best, time.perf_counter() - start)
    return best * 1e3


def measure(threads=os.cpu_count(), rounds=3):
    """The best of all rounds, as {form: {length: {"ms", "gflops", "ratio"}}}; ratio to torch."""
    torch.set_num_threads(threads)
    best = {}
    for _ in range(rounds):
        for (form, length), row in ours(threads).items():
            best[form, length] = min(best.get((form, length), float("inf")), row["ms"])
        for length in LENGTHS:
            best["torch", length] = min(best.get(("torch", length), float("inf")), peer(length))
    table = {}
    for (form, length), ms in best.items():
        operations = 12 * (TOKENS // length) * HEADS * length**2 * WIDTH
        row = {"ms": ms, "gflops": operations / ms / 1e6, "ratio": best["torch", length] / ms}
        table.setdefault(form, {})[length] = row
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    table = measure(arguments.threads, arguments.rounds)

    print(f"{arguments.threads} threads, torch {torch.__version__}, {HEADS} heads of width {WIDTH}, {TOKENS} tokens")
    print("form      length        ms  GFLOP/s  torch's time / this")
    for form, rows in table.items():
        for length, row in rows.items():
            print(f"{form:9} {length:6} {row['ms']:9.2f} {row['gflops']:8.0f} {row['ratio']:10.2f}")


if __name__ == "__main__":
    main()
