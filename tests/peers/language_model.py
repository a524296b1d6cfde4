"""Writing one text word by word, beside PyTorch: python tests/peers/language_model.py --model out/language_model/model

Requires numpy, torch (`pip install numpy torch`) and a Rust toolchain; the model is one that `cargo run --release -p
language_model` left. Both sides write the same words, greedily, with keys and values kept: PyTorch in a cache that is
laid out once. The best of several texts on each side, alternating between them.
"""

import argparse
import json
import pathlib
import re
import struct
import subprocess
import time

import numpy
import torch
import torch.nn.functional as F

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = 120
ROUNDS = 5


def read(folder):
    """The configuration and the parameters, by name."""
    data = (pathlib.Path(folder) / "model.safetensors").read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + length])
    config = json.loads(header.pop("__metadata__")["description"])["model"]["config"]
    parameters = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        values = numpy.frombuffer(data[8 + length + begin : 8 + length + end], dtype="<f4")
        parameters[name] = torch.from_numpy(values.reshape(entry["shape"]).copy())
    return config, parameters


class Writer:
    def __init__(self, config, p):
        self.p, self.blocks, self.heads, self.groups = p, config["blocks"], config["heads"], config["groups"]
        self.d = config["width"] // self.heads
        speeds = 10000 ** (-2 * torch.arange(self.d // 2) / self.d)
        angles = torch.arange(WORDS + 1)[:, None] * speeds
        self.turn = torch.polar(torch.ones_like(angles), angles)
        self.cache = torch.empty(self.blocks, 2, self.groups, WORDS + 1, self.d)

    def linear(self, name, x):
        bias = self.p.get(f"{name}.bias")
        return F.linear(x, self.p[f"{name}.weight"], None if bias is None else bias.flatten())

    def norm(self, name, x):
        return F.rms_norm(x, x.shape, self.p[f"{name}.weight"].flatten(), eps=1e-5)

    def rotated(self, x, position):
        pairs = torch.view_as_complex(x.reshape(-1, self.d // 2, 2)) * self.turn[position]
        return torch.view_as_real(pairs).reshape(-1, self.d)

    def step(self, word, position):
        x = self.p["words.weight"][:, word]
        for b in range(self.blocks):
            name, kept = f"blocks.{b}", self.cache[b]
            y = self.norm(f"{name}.attention_norm", x)
            q = self.rotated(self.linear(f"{name}.attention.w_q", y), position)
            kept[0, :, position] = self.rotated(self.linear(f"{name}.attention.w_k", y), position)
            kept[1, :, position] = self.linear(f"{name}.attention.w_v", y).reshape(self.groups, self.d)
            k, v = kept[0, :, : position + 1], kept[1, :, : position + 1]
            o = F.scaled_dot_product_attention(q[None, :, None], k[None], v[None], enable_gqa=True)
            x = x + self.linear(f"{name}.attention.w_o", o.flatten())
            y = self.norm(f"{name}.feed_forward_norm", x)
            gate = F.silu(self.linear(f"{name}.feed_forward.gate", y))
            x = x + self.linear(f"{name}.feed_forward.outer", gate * self.linear(f"{name}.feed_forward.inner", y))
        return self.norm("norm", x) @ self.p["words.weight"]

    @torch.inference_mode()
    def write(self):
        word, words = 0, []
        for position in range(WORDS):
            word = int(self.step(word, position).argmax())
            words.append(word)
        return words


def ours(model):
    """The words that the program writes, and how many a second it says."""
    command = ["target/release/language_model", "write", "--model", model, "--temperature", "0", "--length", str(WORDS)]
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return run.stdout.strip(), int(re.search(r"(\d+) words a second", run.stderr)[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="out/language_model/model")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    model = str(pathlib.Path(arguments.model).resolve())
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "language_model"], cwd=ROOT, check=True)
    source = (ROOT / "chapters/16_language_model/src/world/mod.rs").read_text()
    names = re.findall(r'"([^"]+)"', source[source.index("pub const WORDS") : source.index("pub const BEGIN")])
    writer = Writer(*read(model))
    writer.write()
    rates, text = {"ours": 0, "PyTorch": 0}, None
    for _ in range(ROUNDS):
        text, rate = ours(model)
        rates["ours"] = max(rates["ours"], rate)
        begin = time.perf_counter()
        words = writer.write()
        rates["PyTorch"] = max(rates["PyTorch"], WORDS / (time.perf_counter() - begin))
    theirs = " ".join(names[word] for word in words).replace(" .", ".").replace(" ?", "?")
    assert text == theirs, f"other words:\n{text}\n{theirs}"
    for name, rate in rates.items():
        print(f"{name:8} {rate:8.0f} words a second")
    print(f"{rates['ours'] / rates['PyTorch']:.1f} times as fast, the same {WORDS} words")


if __name__ == "__main__":
    main()
