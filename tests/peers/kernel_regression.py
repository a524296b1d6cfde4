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
N, BLOCK = 100_000, 1_000


def peer(number, queries):
    """Predictions at the first so many queries in the given type of number, and the seconds it took."""
    x = (5.0 * ((numpy.arange(N) * 7919) % N) / N).astype(number)
    y = (2.0 * numpy.sin(x) + x**0.8).astype(number)
    bandwidth, half = number(0.1), number(-0.5)
    begin = time.perf_counter()
    out = numpy.empty(queries, number)
    for start in range(0, queries, BLOCK):
        u = (x[start : start + BLOCK, None] - x[None, :]) / bandwidth
        weights = numpy.exp(half * u * u)
        out[start : start + BLOCK] = weights @ y / weights.sum(axis=1)
    return out, time.perf_counter() - begin


def measure():
    """Seconds of both sides, and the most memory ours had resident."""
    command = ["cargo", "bench", "--quiet", "-p", "benches", "--bench", "smooth"]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    seconds, mebibytes, prediction = map(float, lines)

    out, single = peer(numpy.float32, N)
    assert abs(out[3] - prediction) < 1e-4, "the two sides disagree"
    double = 4 * peer(numpy.float64, N // 4)[1]  # a quarter of the queries takes a quarter of the time
    return {
        "seconds": seconds,
        "mebibytes": mebibytes,
        "numpy_seconds": single,
        "ratio": single / seconds,
        "numpy_double_seconds": double,
        "double_ratio": double / seconds,
    }


def main():
    table = measure()
    print(f"{os.cpu_count()} cores, {N} queries × {N} keys, f32")
    print(f"ours   {table['seconds']:7.2f} s, at most {table['mebibytes']:.0f} MiB resident")
    print(f"numpy  {table['numpy_seconds']:7.2f} s in f32: {table['ratio']:.0f} times as long")
    print(f"numpy  {table['numpy_double_seconds']:7.2f} s in f64, its default: {table['double_ratio']:.0f} times")


if __name__ == "__main__":
    main()
