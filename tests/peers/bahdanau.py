"""A training step of the encoder-decoder with additive attention, beside PyTorch:
python tests/peers/bahdanau.py

Requires torch (any 2.x, CPU is enough) and a Rust toolchain. Both sides train the textbook's model on
random words: two layers of gated units in the encoder and in the decoder, forward, backward, clipping,
Adam. PyTorch runs it twice: programmed as the textbook does, which projects the keys again at every
step, and with the keys projected once, as our side does. The best of many steps on each side,
alternating between them.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIGS = {
    "textbook": {"width": 256, "batch": 128, "steps": 9, "words": 200},
    "small": {"width": 32, "batch": 64, "steps": 10, "words": 200},
}


def ours(config, threads):
    """What `bahdanau bench --json` says."""
    command = ["cargo", "run", "--quiet", "--release", "-p", "bahdanau", "--", "bench", "--config", config, "--json"]
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
    run = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    return json.loads(run.stdout)


def peer(config, threads, form):
    """The same from PyTorch, in a process of its own so that its peak memory is its own."""
    command = [sys.executable, __file__, "--peer", form, "--config", config, "--threads", str(threads)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def run_peer(config, threads, form, seconds=6.0):
    """Trains the model with PyTorch for a while; milliseconds of the best and the median step."""
    import torch
    from torch import nn

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    size = CONFIGS[config]
    width, batch, steps, words = size["width"], size["batch"], size["steps"], size["words"]

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.source, self.target = nn.Embedding(words, width), nn.Embedding(words, width)
            self.encoder = nn.GRU(width, width, 2, dropout=0.2)
            self.decoder = nn.GRU(2 * width, width, 2, dropout=0.2)
            self.w_q, self.w_k = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
            self.v = nn.Linear(width, 1, bias=False)
            self.output = nn.Linear(width, words)

        def forward(self, source, target):  # (steps, batch) each
            annotations, state = self.encoder(self.source(source))
            values = annotations.transpose(0, 1)  # (batch, steps, width)
            keys = self.w_k(values) if form == "projected" else None
            outputs = []
            for x in self.target(target):
                query = self.w_q(state[-1]).unsqueeze(1)
                features = torch.tanh(query + (self.w_k(values) if keys is None else keys))
                weights = torch.softmax(self.v(features).squeeze(-1), dim=-1)
                context = torch.bmm(weights.unsqueeze(1), values).squeeze(1)
                output, state = self.decoder(torch.cat((context, x), dim=-1).unsqueeze(0), state)
                outputs.append(output)
            return self.output(torch.cat(outputs))

    model = Model()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005, fused=True)
    source, target, answer = (torch.randint(3, words, (steps, batch)) for _ in range(3))

    def step():
        optimizer.zero_grad(set_to_none=True)
        logits = model(source, target)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), answer.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    times.sort()
    best, median = times[0] * 1e3, times[len(times) // 2] * 1e3
    return {
        "milliseconds": best,
        "median_milliseconds": median,
        "tokens_per_second": batch * steps / best * 1e3,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def measure(threads=2, rounds=3):
    """The best round of each side, as {config: {side: row}}."""
    table = {}
    for config in CONFIGS:
        sides = {
            "ours": lambda: ours(config, threads),
            "textbook": lambda: peer(config, threads, "textbook"),
            "projected": lambda: peer(config, threads, "projected"),
        }
        rows = {name: [] for name in sides}
        for _ in range(rounds):
            for name, run in sides.items():
                rows[name].append(run())
        table[config] = {name: min(row, key=lambda row: row["milliseconds"]) for name, row in rows.items()}
        for name, row in table[config].items():
            row["ratio"] = row["milliseconds"] / table[config]["ours"]["milliseconds"]
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--config", choices=CONFIGS, help=argparse.SUPPRESS)
    parser.add_argument("--peer", choices=("textbook", "projected"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        print(json.dumps(run_peer(arguments.config, arguments.threads, arguments.peer)))
        return
    for config, sides in measure(arguments.threads, arguments.rounds).items():
        print(f"{config}: {CONFIGS[config]}")
        for name, row in sides.items():
            print(
                f"  {name:9}  {row['milliseconds']:8.2f} ms (median {row['median_milliseconds']:.2f})"
                f"  {row['tokens_per_second']:10.0f} tokens/s  {row['peak_mib']:6.0f} MiB  ours is {row['ratio']:.2f} x"
            )


if __name__ == "__main__":
    main()
