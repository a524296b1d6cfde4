"""Writing 64 translations of 20 words, beside PyTorch and CTranslate2: python tests/peers/decoding.py

Requires numpy, torch, ctranslate2 (`pip install numpy torch ctranslate2`) and a Rust toolchain. All sides
read 64 sentences of 20 words and write 20 words for each with random weights of the same sizes: greedily
and with a beam of 4. PyTorch decodes with a hand-written cache of keys and values (greedily alone);
CTranslate2, an engine made for this, in f32 with the best of several ways to use the threads. Where the
processor multiplies bf16, ours in bf16 beside CTranslate2 in bf16 and in int8. The best of many calls on each
side, alternating between them.
"""

import argparse
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from transformer import CONFIGS, ROOT, build

SENTENCES, LENGTH = 64, 20
SEARCHES = {"greedy": 1, "beam": 4}
DECODED = ("textbook", "base")
SECONDS = 6.0


def ours(config, search, threads, precision="f32"):
    """What `tests/benches/benches/writing.rs` says."""
    command = ["cargo", "bench", "--quiet", "-p", "benches", "--bench", "writing", "--", config, search, precision]
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
    run = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    return json.loads(run.stdout)


def peer(name, config, search, threads):
    """The same from a peer, in a process of its own."""
    command = [sys.executable, __file__, "--peer", name, "--config", config, "--search", search]
    command += ["--threads", str(threads)]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(run.stdout.splitlines()[-1])


def best_of(call):
    """Seconds of the fastest call."""
    call()
    times, end = [], time.perf_counter() + SECONDS
    while time.perf_counter() < end or len(times) < 3:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def row(seconds, **more):
    return {"milliseconds": seconds * 1e3, "tokens_per_second": SENTENCES * LENGTH / seconds, **more}


def run_torch(config, _search, threads):
    """Greedy decoding with a cache that is laid out once and filled step by step."""
    import torch
    from torch.nn import functional

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    size = CONFIGS[config]
    model = build(size).eval()
    heads, d = size["heads"], size["width"] // size["heads"]
    source = torch.randint(3, size["words"], (SENTENCES, LENGTH))

    def split(x):  # (sentences, n, width) -> (sentences, heads, n, d)
        return x.unflatten(-1, (heads, d)).transpose(1, 2)

    def attend(q, k, v, out):
        return out(functional.scaled_dot_product_attention(split(q), k, v).transpose(1, 2).flatten(2))

    @torch.inference_mode()
    def translate():
        h = model.encode(source)
        read = [[split(x) for x in block.cross.kv(h).chunk(2, -1)] for block in model.decoder]
        kept = [torch.empty(2, SENTENCES, heads, LENGTH, d) for _ in model.decoder]
        last, words = torch.ones(SENTENCES, 1, dtype=torch.long), []
        for t in range(LENGTH):
            x = model.embed(model.target, last, t)
            for block, (keys, values), own in zip(model.decoder, read, kept):
                q, k, v = block.attention.qkv(x).chunk(3, -1)
                own[0, :, :, t], own[1, :, :, t] = split(k)[:, :, 0], split(v)[:, :, 0]
                y = attend(q, own[0, :, :, : t + 1], own[1, :, :, : t + 1], block.attention.out)
                x = block.norms[0](x + y)
                x = block.norms[1](x + attend(block.cross.q(x), keys, values, block.cross.out))
                x = block.norms[2](x + block.feed_forward(x))
            last = model.output(x).argmax(-1)
            words.append(last)
        return torch.cat(words, 1)

    return row(best_of(translate))


def run_ctranslate2(config, search, threads, compute_type="float32"):
    """CTranslate2: several ways to share the threads among batches, the fastest."""
    import ctranslate2
    import numpy

    size = CONFIGS[config]
    rng = numpy.random.default_rng(0)
    words = ["<unk>", "<s>", "</s>"] + [f"w{i}" for i in range(3, size["words"])]
    sources = [[words[i] for i in rng.integers(3, size["words"], LENGTH)] for _ in range(SENTENCES)]
    with tempfile.TemporaryDirectory() as folder:
        random_model(size, words, rng).save(folder)
        best = None
        for inter in {1, threads}:
            translator = ctranslate2.Translator(
                folder, device="cpu", compute_type=compute_type, inter_threads=inter, intra_threads=threads // inter
            )
            for batch in {SENTENCES // inter, SENTENCES // inter // 2}:

                def translate():
                    found = translator.translate_batch(
                        sources,
                        max_batch_size=batch,
                        beam_size=SEARCHES[search],
                        min_decoding_length=LENGTH,
                        max_decoding_length=LENGTH,
                    )
                    assert all(len(one.hypotheses[0]) == LENGTH for one in found)

                found = row(best_of(translate), inter_threads=inter, max_batch_size=batch)
                if best is None or found["milliseconds"] < best["milliseconds"]:
                    best = found
        return best


def random_model(size, words, rng):
    """A model of the same sizes in CTranslate2's format: normalisation after the residual, relu."""
    import ctranslate2
    import numpy

    width, inner = size["width"], size["inner"]
    spec = ctranslate2.specs.TransformerSpec.from_config(
        (size["blocks"], size["blocks"]),
        size["heads"],
        pre_norm=False,
        activation=ctranslate2.specs.Activation.RELU,
    )

    def linear(layer, rows, columns):
        layer.weight = (rng.standard_normal((rows, columns)) / columns**0.5).astype(numpy.float32)
        layer.bias = numpy.zeros(rows, numpy.float32)

    def norm(layer):
        layer.gamma, layer.beta = numpy.ones(width, numpy.float32), numpy.zeros(width, numpy.float32)

    def thought(layer):
        linear(layer.linear_0, inner, width)
        linear(layer.linear_1, width, inner)
        norm(layer.layer_norm)

    def attention(layer, rows):
        for part, count in zip(layer.linear, rows):
            linear(part, count * width, width)
        norm(layer.layer_norm)

    places = numpy.arange(256)[:, None] / 10_000 ** (numpy.arange(0, width, 2) / width)
    positions = numpy.stack((numpy.sin(places), numpy.cos(places)), -1).reshape(256, width).astype(numpy.float32)
    table = (rng.standard_normal((size["words"], width)) / width**0.5).astype(numpy.float32)
    for side, embeddings in ((spec.encoder, spec.encoder.embeddings[0]), (spec.decoder, spec.decoder.embeddings)):
        embeddings.weight, side.scale_embeddings = table, True
        side.position_encodings.encodings = positions
    for block in spec.encoder.layer:
        attention(block.self_attention, (3, 1))
        thought(block.ffn)
    for block in spec.decoder.layer:
        attention(block.self_attention, (3, 1))
        attention(block.attention, (1, 2, 1))
        thought(block.ffn)
    spec.decoder.projection.weight = table
    spec.register_source_vocabulary(words)
    spec.register_target_vocabulary(words)
    spec.validate()
    return spec


PEERS = {"torch": run_torch, "ctranslate2": run_ctranslate2}
ROUNDED = {
    f"ctranslate2_{name}": functools.partial(run_ctranslate2, compute_type=kind)
    for name, kind in (("bf16", "bfloat16"), ("int8", "int8"))
}


def has_bf16():
    """Does the processor multiply bf16, as Linux tells it?"""
    path = pathlib.Path("/proc/cpuinfo")
    return path.exists() and "avx512_bf16" in path.read_text().split()


def measure(threads=2, rounds=3, configs=DECODED):
    """The best round of each side, as {config: {search: {side: row}}}; `ratio` is its time over ours of that kind."""
    table = {}
    for config in configs:
        for search in SEARCHES:
            peers = [name for name in PEERS if (name, search) != ("torch", "beam")]
            sides = {"ours": lambda: ours(config, search, threads)}
            if has_bf16():
                sides["ours_bf16"] = lambda: ours(config, search, threads, "bf16")
                peers += ROUNDED
            sides |= {name: lambda name=name: peer(name, config, search, threads) for name in peers}
            rows = {name: [] for name in sides}
            for _ in range(rounds):
                for name, run in sides.items():
                    rows[name].append(run())
            best = {name: min(some, key=lambda row: row["milliseconds"]) for name, some in rows.items()}
            for name, found in best.items():
                same = "ours_bf16" if name in ROUNDED else "ours"
                found["ratio"] = found["milliseconds"] / best[same]["milliseconds"]
            table.setdefault(config, {})[search] = best
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--config", choices=DECODED, action="append", help="this one alone (may be repeated)")
    parser.add_argument("--peer", choices=[*PEERS, *ROUNDED], help=argparse.SUPPRESS)
    parser.add_argument("--search", choices=SEARCHES, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    configs = arguments.config or DECODED
    if arguments.peer:
        print(json.dumps((PEERS | ROUNDED)[arguments.peer](configs[0], arguments.search, arguments.threads)))
        return
    for config, searches in measure(arguments.threads, arguments.rounds, configs).items():
        print(f"{config}: {SENTENCES} sentences of {LENGTH} words, {CONFIGS[config]}")
        for search, sides in searches.items():
            for name, found in sides.items():
                print(
                    f"  {search:6}  {name:16}  {found['milliseconds']:8.1f} ms"
                    f"  {found['tokens_per_second']:8.0f} tokens/s  ours is {found['ratio']:.2f} x"
                )


if __name__ == "__main__":
    main()
