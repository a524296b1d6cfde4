"""Everything that the page *Where the time goes* quotes: python tests/peers/measure.py

Requires numpy, torch, ctranslate2, transformers, onnx, onnxscript, onnxruntime, a C++ compiler and a Rust
toolchain; takes about an hour, during which nothing else should run. Writes chapters/appendix/figures/results.json; with names of sections, such
as `bahdanau`, measures these alone and leaves the others as they are.
"""

import argparse
import datetime
import importlib.metadata
import inspect
import json
import math
import os
import pathlib
import platform
import subprocess
import sys

import numpy
import torch

import attention
import bahdanau
import bert
import decoding
import embed
import kernel_regression
import transformer

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRODUCTS = ("plain", "left_transposed", "right_transposed", "accumulating")
NARROW = ("768x3072x256", "3072x768x256", "3072x768x256_added", "512x2048x256", "256x1024x64", "256x8000x64")
NARROW += ("768x30522x38",)


def benchmark(pattern):
    """Runs the benchmarks of products whose name the pattern fits."""
    command = ["cargo", "bench", "--quiet", "-p", "benches", "--bench", "products", "--", pattern]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def both_sides(kind, size, operations):
    """{"ours", "gemm_crate", "ratio"}, the first two in GFLOP/s on one thread, from a benchmark's estimates."""
    row = {}
    for side in ("ours", "gemm_crate"):
        path = ROOT / "target/criterion" / kind / side / str(size) / "new/estimates.json"
        row[side] = operations / json.loads(path.read_text())["median"]["point_estimate"]  # nanoseconds
    return row | {"ratio": row["ours"] / row["gemm_crate"]}


def products():
    """{kind: {size: {"ours", "gemm_crate", "ratio"}}} of square products."""
    benchmark("^(" + "|".join(PRODUCTS) + ")/")
    sizes = (64, 128, 256, 512, 1024)
    return {kind: {size: both_sides(kind, size, 2 * size**3) for size in sizes} for kind in PRODUCTS}


def narrow():
    """{shape: {"ours", "gemm_crate", "ratio"}} of transposed weights beside few columns."""
    benchmark("^narrow/")
    operations = {shape: 2 * math.prod(map(int, shape.removesuffix("_added").split("x"))) for shape in NARROW}
    return {shape: both_sides("narrow", shape, count) for shape, count in operations.items()}


def memory():
    """{form: {length: {"ms", "mib"}}} of attention over one sequence after another, as it grows."""
    command = ["cargo", "bench", "--quiet", "-p", "benches", "--bench", "attention", "--", "--table"]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    table = {}
    for row in (json.loads(line) for line in lines.splitlines() if line.startswith("{")):
        table.setdefault(row["form"], {})[row["length"]] = {"ms": row["ms"], "mib": row["mib"]}
    return table


LADDER = ["cargo", "bench", "--quiet", "-p", "benches", "--bench", "ladder"]


def ladder():
    """{name: {...}}: the rungs of a training step, the roofs above them, the products by themselves."""
    lines = subprocess.run(LADDER, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    rows = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
    table = {row.pop("name"): row for row in rows}
    rungs = [(name, row) for name, row in table.items() if "gradient_distance" in row]
    for (_, below), (_, row) in zip(rungs, rungs[1:]):
        row["gain"] = below["milliseconds"] / row["milliseconds"]
    for name, row in rungs:
        peak = table["peak_bf16" if name == "bf16" else "peak_f32"]
        row["share_of_peak"] = row["gflops"] / peak["two" if name in ("threads", "bf16") else "one"]
    for row in (table["memory"], table["cache"]):
        row["ridge"] = table["peak_f32"]["one"] / row["one"]
    return table


def processor():
    """The processor's name, as Linux tells it."""
    path = pathlib.Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def instructions():
    """What the processor has of what products are computed with, as Linux tells it: figures travel between machines
    that have the same."""
    path = pathlib.Path("/proc/cpuinfo")
    flags = set(path.read_text().split()) if path.exists() else set()
    return [flag for flag in ("avx2", "avx512f", "avx512_bf16", "amx_bf16") if flag in flags]


def version(library):
    """The version of a library that only some sections need; none where it is not installed."""
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return None


def precision():
    """{size: {"bf16_error", "f32_error", "bf16_gflops", "f32_gflops", …}} of square products on one thread."""
    command = ["cargo", "bench", "--quiet", "-p", "benches", "--bench", "precision"]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    rows = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
    return {row.pop("size"): row for row in rows}


def add_limits(results):
    """Beside ours, what × the faster form of PyTorch would be if the whole step ran at the kernel's own speed."""
    for section, peers in {"transformer": ("eager", "compiled"), "bert": ("eager", "compiled"), "decoding": ("torch",)}.items():
        for rows in results.get(section, {}).values():
            rows = rows.get("greedy", rows)
            rows["ours"]["limit"] = min(rows[peer]["ratio"] for peer in peers) / rows["ours"]["share_of_peak"]


LIBRARIES = ("ctranslate2", "transformers", "onnxruntime")
SECTIONS = {
    "products": products,
    "narrow": narrow,
    "precision": precision,
    "attention": attention.measure,
    "growth": memory,
    "kernel_regression": kernel_regression.measure,
    "bahdanau": bahdanau.measure,
    "transformer": transformer.measure,
    "decoding": decoding.measure,
    "bert": bert.measure,
    "embed": embed.measure,
    "ladder": ladder,
}


def main():
    path = ROOT / "chapters/appendix/figures/results.json"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", choices=[[], *SECTIONS])
    parser.add_argument("--rounds", type=int, default=3, help="how often both sides are measured in turn")
    arguments = parser.parse_args()
    wanted = arguments.sections or list(SECTIONS)
    results = json.loads(path.read_text()) if arguments.sections else {}
    machine = {
        "date": datetime.date.today().isoformat(),
        "processor": processor(),
        "instructions": instructions(),
        "cores": os.cpu_count(),
        "torch": torch.__version__,
        "numpy": numpy.__version__,
    }
    machine |= {name: found for name in LIBRARIES if (found := version(name))}
    for name in wanted:
        measure = SECTIONS[name]
        takes_rounds = "rounds" in inspect.signature(measure).parameters
        results[name] = measure(rounds=arguments.rounds) if takes_rounds else measure()
        results.setdefault("machines", {})[name] = machine
    add_limits(results)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(results, indent=2) + "\n")
    if "ladder" in wanted:
        subprocess.run([*LADDER, "--", "--draw"], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
