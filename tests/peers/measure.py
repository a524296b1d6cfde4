"""Everything that the page *Where the time goes* quotes: python tests/peers/measure.py

Requires numpy, torch, ctranslate2, a C++ compiler and a Rust toolchain; takes about half an hour, during
which nothing else should run. Writes chapters/appendix/figures/results.json; with names of sections, such
as `bahdanau`, measures these alone and leaves the others as they are.
"""

import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

import numpy
import torch

import attention
import bahdanau
import decoding
import kernel_regression
import transformer

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRODUCTS = ("plain", "left_transposed", "right_transposed", "accumulating")


def products():
    """{kind: {size: {"ours", "gemm_crate"}}} in GFLOP/s on one thread, from the benchmark's estimates."""
    command = ["cargo", "bench", "--quiet", "-p", "benches", "--bench", "products"]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    table = {}
    for kind in PRODUCTS:
        for size in (64, 128, 256, 512, 1024):
            row = {}
            for side in ("ours", "gemm_crate"):
                path = ROOT / "target/criterion" / kind / side / str(size) / "new/estimates.json"
                nanoseconds = json.loads(path.read_text())["median"]["point_estimate"]
                row[side] = 2 * size**3 / nanoseconds
            row["ratio"] = row["ours"] / row["gemm_crate"]
            table.setdefault(kind, {})[size] = row
    return table


def memory():
    """{form: {length: {"ms", "mib"}}} of attention over one sequence after another, as it grows."""
    command = ["cargo", "bench", "--quiet", "-p", "benches", "--bench", "attention", "--", "--table"]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    table = {}
    for row in (json.loads(line) for line in lines.splitlines() if line.startswith("{")):
        table.setdefault(row["form"], {})[row["length"]] = {"ms": row["ms"], "mib": row["mib"]}
    return table


def processor():
    """The processor's name, as Linux tells it."""
    path = pathlib.Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


SECTIONS = {
    "products": products,
    "attention": attention.measure,
    "growth": memory,
    "kernel_regression": kernel_regression.measure,
    "bahdanau": bahdanau.measure,
    "transformer": transformer.measure,
    "decoding": decoding.measure,
}


def main():
    path = ROOT / "chapters/appendix/figures/results.json"
    wanted = sys.argv[1:] or list(SECTIONS)
    results = json.loads(path.read_text()) if sys.argv[1:] else {}
    results["machine"] = {
        "date": datetime.date.today().isoformat(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "torch": torch.__version__,
        "numpy": numpy.__version__,
    }
    for name in wanted:
        results[name] = SECTIONS[name]()
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
