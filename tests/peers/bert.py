"""A step of BERT's pre-training, beside PyTorch: python tests/peers/bert.py

Requires torch, transformers (`pip install torch transformers`; 2.x and 5.x, CPU is enough), a C++ compiler
(for torch.compile) and a Rust toolchain. Both sides train the same model on equally many random pieces:
dropout of 0.1 on the tokens and on what every sublayer adds (none on attention's weights), both losses,
forward, backward, clipping at norm 1, AdamW. PyTorch gets its best form: attention in one operation
(`scaled_dot_product_attention`), logits of the hidden pieces alone, as in BERT's own code, and of its two
fast implementations of AdamW the faster; it runs eager and compiled, in f32 and, where asked and where the
processor has instructions for it, under bf16 autocast. Beside its best form runs the one that is shortest to
write, in which the library computes its own loss, and logits of every piece for it (`own_loss`). A ratio
compares forms of one precision. The best of many steps on each side, alternating between them; beside it the
matrix product alone, of both.

In one thing the two do not do the same work: our last block computes only the tokens that the losses ask
for, the library's computes all. `gigaoperations`, multiplications and additions in matrix products, tells
how much that is.
"""

import argparse
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import time

from transformer import ROOT, product_gflops

CONFIGS = {
    "textbook": {"blocks": 2, "width": 128, "inner": 256, "heads": 2, "words": 20_256, "batch": 512, "length": 64, "hidden": 10},
    "small": {"blocks": 4, "width": 256, "inner": 1024, "heads": 4, "words": 8_000, "batch": 32, "length": 128, "hidden": 19},
    "base": {"blocks": 12, "width": 768, "inner": 3072, "heads": 12, "words": 30_522, "batch": 4, "length": 128, "hidden": 19},
}
FORMS = ("eager", "compiled", "own_loss", "own_loss_compiled", "eager_bf16", "compiled_bf16")
IN_BF16 = ("base",)
ADAMW = ("foreach", "fused")


def in_bf16(config):
    """Whether the model is measured in bf16 as well: where the processor has instructions for it."""
    path = pathlib.Path("/proc/cpuinfo")
    return config in IN_BF16 and path.exists() and "bf16" in path.read_text()


def forms_of(config):
    """What PyTorch runs with these sizes."""
    return [form for form in FORMS if in_bf16(config) or not form.endswith("bf16")]


def sizes(size):
    """The library's name for them."""
    import transformers

    return transformers.BertConfig(
        vocab_size=size["words"],
        hidden_size=size["width"],
        num_hidden_layers=size["blocks"],
        num_attention_heads=size["heads"],
        intermediate_size=size["inner"],
        hidden_dropout_prob=0.1,
        attention_probs_dropout_prob=0.0,
        attn_implementation="sdpa",
    )


def build(size):
    """The model, and two functions without arguments that give the sum of its two losses over a batch of random
    pieces: from logits of the hidden ones alone, and as the library has it."""
    import torch
    import transformers
    from torch.nn import functional

    model = transformers.BertForPreTraining(sizes(size)).train()
    batch, length, hidden, words = size["batch"], size["length"], size["hidden"], size["words"]
    pieces, originals = torch.randint(5, words, (batch, length)), torch.randint(5, words, (batch * hidden,))
    segments = (torch.arange(length) >= length // 2).long().repeat(batch, 1)
    places = (torch.arange(batch)[:, None] * length + torch.arange(1, hidden + 1)).flatten()
    follows = torch.arange(batch) % 2
    labels = torch.full((batch * length,), -100).index_copy(0, places, originals).view(batch, length)  # -100: not asked

    def own_loss():
        return model(input_ids=pieces, token_type_ids=segments, labels=labels, next_sentence_label=follows).loss

    def loss():
        h, first = model.bert(input_ids=pieces, token_type_ids=segments, return_dict=False)[:2]
        logits = model.cls.predictions(h.flatten(0, 1).index_select(0, places))
        next_logits = model.cls.seq_relationship(first)
        return functional.cross_entropy(logits, originals) + functional.cross_entropy(next_logits, follows)

    return model, loss, own_loss


def optimizer(model, kind):
    import torch

    plain = [p for p in model.parameters() if p.ndim == 1]
    decayed = [p for p in model.parameters() if p.ndim > 1]
    groups = [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=1e-4, **{kind: True})


def ours(config, threads, precision, seconds):
    """What `bert bench --json` says."""
    command = ["cargo", "run", "--quiet", "--release", "-p", "bert", "--", "bench", "--config", config, "--json"]
    command += ["--precision", precision, "--seconds", str(seconds)]
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
    run = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    row = json.loads(run.stdout)
    return row | {"gigaoperations": row["gflops"] * row["milliseconds"] / 1e3}


def peer(name, config, threads, *more):
    """The same from PyTorch, in a process of its own so that its peak memory is its own."""
    command = [sys.executable, __file__, "--peer", name, "--config", config, "--threads", str(threads), *more]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(run.stdout.splitlines()[-1])


def peak_mib():
    """The most memory that this process had."""
    status = pathlib.Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in status if line.startswith("VmHWM:")).split()[1]) / 1024


def times_of(step, seconds, at_least=5):
    """Seconds of several steps, the fastest first."""
    for _ in range(3):
        step()  # compilation, first touches of memory
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < at_least:
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return sorted(times)


def run_adamw(config, seconds):
    """Milliseconds that each implementation of AdamW takes over the model's parameters."""
    import torch

    model, *_ = build(CONFIGS[config])
    for p in model.parameters():
        p.grad = torch.randn_like(p)
    return {kind: times_of(optimizer(model, kind).step, seconds / 2)[0] * 1e3 for kind in ADAMW}


def run_peer(config, form, kind, seconds):
    """Trains the model with PyTorch for a while; milliseconds of the best and the median step."""
    import torch
    from torch import nn
    from torch.utils.flop_counter import FlopCounterMode

    size = CONFIGS[config]
    model, loss, own_loss = build(size)
    loss = own_loss if form.startswith("own_loss") else loss
    adamw = optimizer(model, kind)
    autocast = torch.autocast("cpu", torch.bfloat16) if form.endswith("bf16") else contextlib.nullcontext()
    forward = torch.compile(loss, dynamic=False) if "compiled" in form else loss

    def step(forward=forward):
        adamw.zero_grad(set_to_none=True)
        with autocast:
            y = forward()
        y.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adamw.step()

    times, memory = times_of(step, seconds), peak_mib()
    with FlopCounterMode(display=False) as counter:
        step(loss)
    return {
        "milliseconds": times[0] * 1e3,
        "median_milliseconds": times[len(times) // 2] * 1e3,
        "steps": len(times),
        "tokens_per_second": size["batch"] * size["length"] / times[0],
        "gigaoperations": counter.get_total_flops() / 1e9,
        "peak_mib": memory,
        "product_gflops": product_gflops(),
        "adamw": kind,
    }


def measure(threads=2, rounds=3, configs=CONFIGS, seconds=20.0):
    """The best round of each side, as {config: {side: row}}; `ratio` is its time over ours of that precision."""
    table, timed = {}, ("--seconds", str(seconds))
    for config in configs:
        adamw = peer("adamw", config, threads, *timed)
        kind = min(adamw, key=adamw.get)
        sides = {"ours": lambda: ours(config, threads, "f32", seconds)}
        if in_bf16(config):
            sides["ours_bf16"] = lambda: ours(config, threads, "bf16", seconds)
            sides["ours_bf16x3"] = lambda: ours(config, threads, "bf16x3", seconds)
        for form in forms_of(config):
            sides[form] = lambda form=form: peer(form, config, threads, "--adamw", kind, *timed)
        rows = {name: [] for name in sides}
        for _ in range(rounds):
            for name, run in sides.items():
                rows[name].append(run())
        best = {name: min(row, key=lambda row: row["milliseconds"]) for name, row in rows.items()}
        for name, row in best.items():
            row["ratio"] = row["milliseconds"] / best["ours_bf16" if name.endswith("bf16") else "ours"]["milliseconds"]
        product = max(row["product_gflops"] for form in forms_of(config) for row in rows[form])
        table[config] = best | {"adamw_milliseconds": adamw, "product_gflops": product}
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long the steps of each side are timed")
    parser.add_argument("--config", choices=CONFIGS, action="append", help="this one alone (may be repeated)")
    parser.add_argument("--peer", choices=("adamw", *FORMS), help=argparse.SUPPRESS)
    parser.add_argument("--adamw", choices=ADAMW, default="fused", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    configs = arguments.config or list(CONFIGS)
    if arguments.peer:
        import torch

        torch.set_num_threads(arguments.threads)
        torch.manual_seed(0)
        if arguments.peer == "adamw":
            found = run_adamw(configs[0], arguments.seconds)
        else:
            found = run_peer(configs[0], arguments.peer, arguments.adamw, arguments.seconds)
        print(json.dumps(found))
        return
    for config, found in measure(arguments.threads, arguments.rounds, configs, arguments.seconds).items():
        print(f"{config}: {CONFIGS[config]}")
        sides = {name: row for name, row in found.items() if isinstance(row, dict) and "ratio" in row}
        peak, theirs = sides["ours"]["peak_gflops"], found["product_gflops"]
        print(f"  the kernel alone {peak:.0f} GFLOP/s, PyTorch's product {theirs:.0f}: {peak / theirs:.2f} x")
        for name, row in sides.items():
            if name.startswith("ours"):
                print(f"  {name} reaches {row['share_of_peak']:.0%} of {row['peak_gflops']:.0f} GFLOP/s")
        for name, row in sides.items():
            print(
                f"  {name:17}  {row['milliseconds']:8.2f} ms (median {row['median_milliseconds']:.2f})"
                f"  {row['tokens_per_second']:10.0f} pieces/s  {row['gigaoperations']:6.1f} Gop"
                f"  {row['peak_mib']:6.0f} MiB  ours is {row['ratio']:.2f} x"
            )


if __name__ == "__main__":
    main()
