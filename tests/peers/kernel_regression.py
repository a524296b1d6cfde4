"""Kernel regression with 10⁵ queries × 10⁵ keys beside NumPy: python tests/peers/kernel_regression.py

Requires numpy and a Rust toolchain. NumPy's side is the same sum in blocks, so that the weights never
stand in memory at once; it takes minutes.
"""

import os
import pathlib
import subprocess
import time

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
N, BLOCK, BANDWIDTH = 100_000, 1_000, numpy.float32(0.1)


def peer(x, y):
    out = numpy.empty_like(x)
    for start in range(0, N, BLOCK):
        u = (x[start : start + BLOCK, None] - x[None, :]) / BANDWIDTH
        weights = numpy.exp(numpy.float32(-0.5) * u * u)
        out[start : start + BLOCK] = weights @ y / weights.sum(axis=1)
    return out


def measure():
    """Seconds of both sides, and the most memory ours had resident."""
    command = ["cargo", "run", "--quiet", "--release", "-p", "tests", "--example", "smooth"]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    seconds, mebibytes, prediction = map(float, lines)

    x = (5.0 * ((numpy.arange(N) * 7919) % N) / N).astype(numpy.float32)
    y = (2.0 * numpy.sin(x) + x**0.8).astype(numpy.float32)
    start = time.perf_counter()
    out = peer(x, y)
    numpy_seconds = time.perf_counter() - start
    assert abs(out[3] - prediction) < 1e-4, "the two sides disagree"
    return {
        "seconds": seconds,
        "mebibytes": mebibytes,
        "numpy_seconds": numpy_seconds,
        "ratio": numpy_seconds / seconds,
    }


def main():
    table = measure()
    print(f"{os.cpu_count()} cores, {N} queries × {N} keys, f32")
    print(f"ours   {table['seconds']:7.2f} s, at most {table['mebibytes']:.0f} MiB resident")
    print(f"numpy  {table['numpy_seconds']:7.2f} s: {table['ratio']:.0f} times as long")


if __name__ == "__main__":
    main()
