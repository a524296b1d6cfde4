"""Vectors for 64 sentences, beside PyTorch and ONNX Runtime: python tests/peers/embed.py

Requires torch, transformers, onnx, onnxscript, onnxruntime (`pip install torch transformers onnx onnxscript
onnxruntime`), a C++ compiler (for torch.compile) and a Rust toolchain. All sides read 64 sentences of 8 to
48 pieces with an encoder of 6 blocks of width 384 with random weights, in f32, and make of each the mean of
its tokens, at length 1. Ours lays the sentences side by side. The peers pad, as their users do: all 64
in one batch, or, sorted by length, 32 and 32; the faster counts. PyTorch runs eager and compiled (once for
each shape), ONNX Runtime with all of its optimisations, and once more with its fused operations for BERT. Where the
processor multiplies bf16, ours and PyTorch once more in it. The best of many calls on each side, alternating
between them.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from bert import peak_mib, times_of
from decoding import has_bf16
from transformer import ROOT, product_gflops

SIZE = {"blocks": 6, "width": 384, "inner": 1536, "heads": 12, "words": 30_522}
SENTENCES = 64
PEERS = ("eager", "compiled", "onnxruntime", "onnxruntime_fused")
ROUNDED = ("eager_bf16", "compiled_bf16")
BATCHES = (64, 32)
KINDS = {"tensor(int64)": "int64", "tensor(int32)": "int32"}


def lengths():
    """Those of `bert bench --config embed`, the longest first."""
    return sorted((8 + i * 40 // 63 for i in range(SENTENCES)), reverse=True)


def encoder():
    """PyTorch's model: from pieces and mask (sentences, length) to vectors (sentences, width)."""
    import torch
    import transformers
    from bert import sizes
    from torch.nn import functional

    class Encoder(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.bert = transformers.BertModel(sizes(SIZE), add_pooling_layer=False)

        def forward(self, pieces, mask):
            h = self.bert(input_ids=pieces, attention_mask=mask, return_dict=False)[0]
            weights = mask.unsqueeze(-1).to(h.dtype)
            mean = (h * weights).sum(1) / weights.sum(1)
            return functional.normalize(mean, dim=1)

    torch.manual_seed(0)
    return Encoder().eval()


def batches(size):
    """The sentences in padded batches of so many: (pieces, mask)."""
    import torch

    torch.manual_seed(1)
    all_lengths = torch.tensor(lengths())
    found = []
    for part in all_lengths.split(size):
        mask = (torch.arange(int(part.max())) < part[:, None]).long()
        found.append((torch.randint(5, SIZE["words"], mask.shape) * mask, mask))
    return found


def run_torch(compiled, seconds, autocast=False):
    """{sentences in a batch: seconds of the fastest call}"""
    import torch

    model = encoder()
    run = torch.compile(model, dynamic=False) if compiled else model
    table = {}
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=autocast):
        for size in BATCHES:
            parts = batches(size)
            table[size] = times_of(lambda: [run(*part) for part in parts], seconds)[0]
    return table


def run_onnxruntime(fused, threads, seconds):
    """The same from ONNX Runtime; its vectors are checked against PyTorch's first."""
    import numpy
    import onnxruntime
    import torch

    model = encoder()
    with tempfile.TemporaryDirectory() as folder:
        path = export(model, pathlib.Path(folder), fused)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        inputs = [(one.name, KINDS[one.type]) for one in session.get_inputs()]
        assert [name for name, _ in inputs] == ["pieces", "mask"], inputs
        table = {}
        for size in BATCHES:
            parts = [
                {name: x.numpy().astype(kind) for (name, kind), x in zip(inputs, part)} for part in batches(size)
            ]
            with torch.inference_mode():
                expected = model(*batches(size)[0]).numpy()
            numpy.testing.assert_allclose(session.run(None, parts[0])[0], expected, atol=1e-5)
            table[size] = times_of(lambda: [session.run(None, part) for part in parts], seconds)[0]
        return table


def export(model, folder, fused):
    """Writes the model as ONNX; fused: with the operations that ONNX Runtime has for BERT."""
    import torch

    path, names = str(folder / "encoder.onnx"), {"input_names": ["pieces", "mask"], "output_names": ["vectors"]}
    if not fused:
        axes = {0: torch.export.Dim("sentences", min=2), 1: torch.export.Dim("length", min=2, max=512)}
        shapes = {"dynamic_shapes": (axes, axes), "external_data": False, "verbose": False}
        torch.onnx.export(model, batches(SENTENCES)[0], path, dynamo=True, **shapes, **names)
        return path
    from onnxruntime.transformers import optimizer

    # The fusions recognise attention that is written out, as the older exporter writes it.
    axes = {0: "sentences", 1: "length"}
    shapes = {"dynamic_axes": {"pieces": axes, "mask": axes, "vectors": {0: "sentences"}}}
    model.bert.set_attn_implementation("eager")
    torch.onnx.export(model, batches(SENTENCES)[0], path, dynamo=False, opset_version=17, **shapes, **names)
    model.bert.set_attn_implementation("sdpa")
    heads = {"num_heads": SIZE["heads"], "hidden_size": SIZE["width"]}
    graph = optimizer.optimize_model(path, model_type="bert", opt_level=0, **heads)
    found = graph.get_fused_operator_statistics()["Attention"]
    assert found == SIZE["blocks"], f"attention was fused in {found} of {SIZE['blocks']} blocks"
    path = str(folder / "fused.onnx")
    graph.save_model_to_file(path)
    return path


def run_peer(name, threads, seconds):
    """The faster way to batch."""
    if name.startswith("onnxruntime"):
        table = run_onnxruntime(name.endswith("fused"), threads, seconds)
    else:
        table = run_torch(name.startswith("compiled"), seconds, name.endswith("bf16"))
    size = min(table, key=table.get)
    return {
        "milliseconds": table[size] * 1e3,
        "tokens_per_second": sum(lengths()) / table[size],
        "batch": size,
        "milliseconds_by_batch": {size: seconds * 1e3 for size, seconds in table.items()},
        "peak_mib": peak_mib(),
        "product_gflops": product_gflops(),
    }


def ours(threads, precision="f32"):
    """What `bert bench --config embed --json` says."""
    command = ["cargo", "run", "--quiet", "--release", "-p", "bert", "--", "bench", "--config", "embed", "--json"]
    command += ["--precision", precision]
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
    run = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    return json.loads(run.stdout)


def peer(name, threads, seconds):
    """The same from a peer, in a process of its own."""
    command = [sys.executable, __file__, "--peer", name, "--threads", str(threads), "--seconds", str(seconds)]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(run.stdout.splitlines()[-1])


def measure(threads=2, rounds=3, seconds=4.0):
    """The best round of each side, as {side: row}; `ratio` is its time over ours of that precision."""
    sides = {"ours": lambda: ours(threads)}
    peers = list(PEERS)
    if has_bf16():
        sides["ours_bf16"] = lambda: ours(threads, "bf16")
        peers += ROUNDED
    sides |= {name: lambda name=name: peer(name, threads, seconds) for name in peers}
    rows = {name: [] for name in sides}
    for _ in range(rounds):
        for name, run in sides.items():
            rows[name].append(run())
    best = {name: min(some, key=lambda row: row["milliseconds"]) for name, some in rows.items()}
    for name, row in best.items():
        same = "ours_bf16" if name in ROUNDED else "ours"
        row["ratio"] = row["milliseconds"] / best[same]["milliseconds"]
    best["product_gflops"] = max(row["product_gflops"] for name in peers for row in rows[name])
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4.0, help="how long each way of a peer is timed")
    parser.add_argument("--peer", choices=[*PEERS, *ROUNDED], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        import torch

        torch.set_num_threads(arguments.threads)
        print(json.dumps(run_peer(arguments.peer, arguments.threads, arguments.seconds)))
        return
    found = measure(arguments.threads, arguments.rounds, arguments.seconds)
    print(f"{SENTENCES} sentences, {sum(lengths())} pieces, {SIZE}")
    theirs = found.pop("product_gflops")
    print(f"  the kernel alone {found['ours']['peak_gflops']:.0f} GFLOP/s, PyTorch's product {theirs:.0f}")
    for name, row in found.items():
        print(
            f"  {name:17}  {row['milliseconds']:8.2f} ms  {row['tokens_per_second']:8.0f} pieces/s"
            f"  {row['peak_mib']:6.0f} MiB  batches of {row.get('batch', SENTENCES)}  ours is {row['ratio']:.2f} x"
        )


if __name__ == "__main__":
    main()
