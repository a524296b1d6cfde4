"""SASRec beside RecBole's: trained on ml-100k in one run, and a training step of both:
python tests/peers/recommendation.py            # trains both; nearly all of the time is RecBole's
python tests/peers/recommendation.py --time     # the steps alone

Requires a Rust toolchain, torch, and RecBole 1.2.1, which brings `ml-100k.inter`. (It asks for a library Ray that newer
Pythons do not have and this does not need: `pip install --no-deps recbole==1.2.1`, then `pip install numpy scipy pandas
scikit-learn pyyaml tqdm colorlog colorama tensorboard texttable tabulate psutil thop plotly cloudpickle`.)

Equal on both sides: the file, in order of time, then of lines, which is checked; the last rating of everybody held out as the
test, the one before it for validation; histories of at most 50; width, blocks, heads, hidden units; learned positions,
normalisation after each residual, item vectors that are tied with the output; dropout of the input and after sublayers;
cross-entropy over all films, Adam; epochs chosen by NDCG@10 on validation; a full ranking that leaves the films of the
history in it (for a sequential model RecBole takes out its padding alone); HR@10 and NDCG@10. RecBole's evaluator must
find the means that are computed here from its model's scores.
Not equal: RecBole also drops attention weights, has a GELU, makes a history of its own for every film that it learns, in
batches of 256 of them at a rate of 0.001, and keeps the best of all epochs until five in a row are no better. Ours has
neither, cuts histories that begin 10 actions apart and learns from each what follows its last 10, in batches of 32, at a
rate that rises to 0.003 and falls to 0, for 20, 40 or 80 epochs.
"""

import argparse
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
import types
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = ROOT / "chapters/13_recommendation/figures/films.json"
LONGEST, FILMS, K = 50, 1682, 10
SIZES = {"width": 32, "blocks": 1, "heads": 1, "hidden": 64, "dropout": 0.2}  # the chapter's
STEPS = {
    "chapter": SIZES | {"batch": 256},
    "recbole": {"width": 64, "blocks": 2, "heads": 2, "hidden": 256, "dropout": 0.5, "batch": 2048},  # RecBole's own
}
MEASURES = {
    "hit": lambda above: float(above < K),
    "ndcg": lambda above: 1 / math.log2(above + 2) if above < K else 0.0,
}


def recbole():
    """The library, and its names for what NumPy 2, PyTorch 2.6 and a machine without Ray no longer have."""
    import numpy
    import torch

    warnings.filterwarnings("ignore")
    for name, kind in {"float_": float, "float": float, "int": int, "bool": bool, "complex_": complex, "unicode_": str}.items():
        if name not in vars(numpy):
            setattr(numpy, name, kind)
    ray = types.ModuleType("ray")  # its quick start imports it to search hyperparameters, which is not done here
    ray.tune = types.ModuleType("ray.tune")
    sys.modules.setdefault("ray", ray)
    sys.modules.setdefault("ray.tune", ray.tune)
    load = torch.load
    torch.load = lambda *files, **options: load(*files, **{"weights_only": False} | options)  # its own checkpoint
    sys.argv = sys.argv[:1]  # it reads them
    import recbole

    return recbole


def prepared(folder, size, batch, epochs=1, seed=0):
    """RecBole's configuration, its three data sets and its model."""
    write_file(folder)
    from recbole.config import Config
    from recbole.data import create_dataset, data_preparation
    from recbole.model.sequential_recommender import SASRec
    from recbole.utils import init_seed

    changes = {
        "n_layers": size["blocks"],
        "n_heads": size["heads"],
        "hidden_size": size["width"],
        "inner_size": size["hidden"],
        "hidden_dropout_prob": size["dropout"],
        "attn_dropout_prob": size["dropout"],
        "MAX_ITEM_LIST_LENGTH": LONGEST,
        "train_batch_size": batch,
        "learning_rate": 1e-3,
        "loss_type": "CE",
        "train_neg_sample_args": None,
        "eval_args": {"split": {"LS": "valid_and_test"}, "order": "TO", "group_by": "user", "mode": "full"},
        "metrics": ["Hit", "NDCG"],
        "topk": [K],
        "metric_decimal_place": 12,
        "valid_metric": f"NDCG@{K}",
        "stopping_step": 4,
        "epochs": epochs,
        "seed": seed,
        "use_gpu": False,
        "show_progress": False,
        "data_path": str(folder),
        "load_col": {"inter": ["user_id", "item_id", "timestamp"]},
        "checkpoint_dir": str(folder),
    }
    config = Config(model="SASRec", dataset="films", config_dict=changes)
    init_seed(seed, True)
    parts = data_preparation(config, create_dataset(config))
    return config, parts, SASRec(config, parts[0].dataset)


def write_file(folder):
    """The interactions, their times replaced by their places in the order of time, then of lines; the file.

    RecBole scales times to 0 to 1 in single precision: different ones become equal, and 37 histories have another order."""
    source = pathlib.Path(recbole().__file__).parent / "dataset_example/ml-100k/ml-100k.inter"
    header, *lines = source.read_text().splitlines()
    order = sorted(range(len(lines)), key=lambda line: float(lines[line].split("\t")[3]))
    path = pathlib.Path(folder, "films/films.inter")  # under the name ml-100k it would read its own
    path.parent.mkdir(exist_ok=True)
    fields = [(*lines[line].split("\t")[:3], str(place)) for place, line in enumerate(order)]
    path.write_text("\n".join([header, *map("\t".join, fields)]) + "\n")
    return path


def last_two(path):
    """{person: (history, film)} of the test, from the file alone, whose lines are in order."""
    people = {}
    for line in path.read_text().splitlines()[1:]:
        person, film = line.split("\t")[:2]
        people.setdefault(person, []).append(film)
    return {person: (films[:-1][-LONGEST:], films[-1]) for person, films in people.items()}


def train_peer(seed, batch=256, epochs=100):
    """Trains RecBole's model; of everybody in the file's order, how many films are ranked before the one held out."""
    import torch

    torch.set_num_threads(1)  # its small operations gain little from a second one
    with tempfile.TemporaryDirectory() as folder:
        config, (training, validation, test), model = prepared(folder, SIZES, batch, epochs, seed)
        from recbole.trainer import Trainer

        trainer, scores_of, start = Trainer(config, model), [], time.perf_counter()

        def told(epoch, score):
            scores_of.append(score)
            print(f"RecBole, seed {seed}: epoch {epoch + 1}, validation {score:.4f}", file=sys.stderr, flush=True)

        trainer.fit(training, validation, verbose=False, callback_fn=told)
        seconds = time.perf_counter() - start
        theirs = trainer.evaluate(test)
        above = ranks_of(model, test, last_two(pathlib.Path(folder, "films/films.inter")))
    for name, worth in MEASURES.items():
        mean = statistics.fmean(map(worth, above))
        assert abs(mean - theirs[f"{name}@{K}"]) < 1e-9, f"{name}: {mean}, its evaluator: {theirs}"
    parameters, best = sum(one.numel() for one in model.parameters()), max(scores_of)
    epochs = scores_of.index(best) + 1
    return {"above": above, "validation": best, "epochs": epochs, "parameters": parameters, "seconds": seconds}


def ranks_of(model, test, expected):
    """By RecBole's model, and only if it is asked about the histories that the file has."""
    import torch

    names = {field: test.dataset.field2id_token[field] for field in ("user_id", "item_id")}
    found = {}
    with torch.no_grad():
        for interaction, _, _, films in test:
            scores = model.full_sort_predict(interaction)
            scores[:, 0] = -math.inf  # padding
            for i, film in enumerate(films):
                person = names["user_id"][interaction["user_id"][i]]
                items = interaction["item_id_list"][i][: int(interaction["item_length"][i])]
                history = [names["item_id"][item] for item in items]
                assert (history, names["item_id"][film]) == expected[person], f"another history of {person}"
                found[person] = int((scores[i] > scores[i, film]).sum())
    return [found[person] for person in expected]


def train_ours(seed):
    """Trains ours for several numbers of epochs; the run that validation likes best, as `train_peer`."""
    runs = []
    for epochs in (20, 40, 80):
        with tempfile.TemporaryDirectory() as folder:
            ranks = pathlib.Path(folder, "ranks.json")
            arguments = ["train", "--data", write_file(folder), "--keep", 1000, "--out", folder, "--ranks", ranks]
            start = time.perf_counter()
            program(*arguments, "--seed", seed, "--epochs", epochs, "--stride", 10, *sizes(SIZES))
            seconds = time.perf_counter() - start
            results = json.loads(pathlib.Path(folder, "results.json").read_text())
            above = json.loads(ranks.read_text())["ranks"]
        best = results["epochs"][-1]["evaluation"]["scores"]["NDCG@10"]
        print(f"ours, seed {seed}: {epochs} epochs, validation {best:.4f}", file=sys.stderr, flush=True)
        run = {"validation": best, "epochs": epochs, "parameters": results["parameters"], "seconds": seconds}
        runs.append(run | {"above": above})
    return max(runs, key=lambda run: run["validation"])


def program(*arguments, threads=2):
    command = ["cargo", "run", "--quiet", "--release", "-p", "recommendation", "--", *map(str, arguments)]
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


def sizes(size):
    return [part for name, value in size.items() for part in (f"--{name}", value)]


def compared(runs):
    """{side: {measure: mean}} over seeds and people, and of the differences 95 % of resamplings of the people."""
    row, people = {}, len(runs["ours"][0]["above"])
    own = {}  # of each person, the mean over seeds
    for side, of_seeds in runs.items():
        about = {"epochs": statistics.fmean(run["epochs"] for run in of_seeds), "parameters": of_seeds[0]["parameters"]}
        own[side] = {}
        for name, worth in MEASURES.items():
            own[side][name] = [statistics.fmean(map(worth, ranks)) for ranks in zip(*(run["above"] for run in of_seeds))]
            of_seed = [statistics.fmean(map(worth, run["above"])) for run in of_seeds]
            about |= {name: statistics.fmean(of_seed), f"{name}_lowest": min(of_seed), f"{name}_highest": max(of_seed)}
        row[side] = about
    row["difference"] = {}
    for name in MEASURES:
        each = [a - b for a, b in zip(own["ours"][name], own["recbole"][name])]
        draw = random.Random(0)
        means = sorted(statistics.fmean(draw.choices(each, k=people)) for _ in range(1000))
        row["difference"] |= {name: statistics.fmean(each), f"{name}_low": means[24], f"{name}_high": means[975]}
    return row | {"seeds": len(runs["ours"])}


def kept(folder, name, make):
    """What was found before, or is made and kept now."""
    path = pathlib.Path(folder, name) if folder else None
    if path and path.exists():
        return json.loads(path.read_text())
    found = make()
    if path:
        path.write_text(json.dumps(found))
    return found


def peer_step(name, threads):
    """RecBole's step, in a process of its own so that its peak memory is its own."""
    command = [sys.executable, __file__, "--peer", name, "--threads", str(threads)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1])


def run_peer_step(name, threads, seconds=6.0):
    """Trains RecBole's model on random full histories for a while; milliseconds of the best and the median step."""
    import resource

    with tempfile.TemporaryDirectory() as folder:
        _, _, model = prepared(folder, STEPS[name], STEPS[name]["batch"])
    import torch

    torch.set_num_threads(threads)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    batch = STEPS[name]["batch"]
    interaction = {
        "item_id_list": torch.randint(1, FILMS + 1, (batch, LONGEST)),
        "item_length": torch.full((batch,), LONGEST),
        "item_id": torch.randint(1, FILMS + 1, (batch,)),
    }
    model.train()
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        optimizer.zero_grad()
        model.calculate_loss(interaction).backward()
        optimizer.step()
        times.append(time.perf_counter() - start)
    times.sort()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"milliseconds": times[0] * 1e3, "median_milliseconds": times[len(times) // 2] * 1e3, "peak_mib": peak}


def measure(threads=2, rounds=3):
    """{config: {side: row}}, the median over the rounds of each side's median step; the sides take turns.

    `every` is ours as it is trained, with an answer after each of the 50 actions."""
    table = {}
    for name, size in STEPS.items():
        bench = ["bench", "--json", *sizes(size)]
        sides = {
            "ours": lambda: json.loads(program(*bench, threads=threads)),
            "every": lambda: json.loads(program(*bench, "--every", threads=threads)),
            "recbole": lambda: peer_step(name, threads),
        }
        rows = {side: [] for side in sides}
        for _ in range(rounds):
            for side, run in sides.items():
                rows[side].append(run())
        keys = ("milliseconds", "median_milliseconds", "peak_mib")
        table[name] = {side: {key: statistics.median(row[key] for row in own) for key in keys} for side, own in rows.items()}
        for row in table[name].values():
            row["ratio"] = row["median_milliseconds"] / table[name]["ours"]["median_milliseconds"]
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", action="store_true", help="measure the steps alone")
    parser.add_argument("--threads", type=int, default=2, help="of the steps")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--keep", metavar="DIR", help="a folder for what was trained, which is not trained again")
    parser.add_argument("--write", action="store_true", help="into the chapter's films.json")
    parser.add_argument("--peer", choices=STEPS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        print(json.dumps(run_peer_step(arguments.peer, arguments.threads)))
        return
    if arguments.time:
        found = {"steps": measure(arguments.threads, arguments.rounds)}
    else:
        runs = {"ours": [], "recbole": []}
        for seed in range(arguments.seeds):
            for side, train in {"ours": train_ours, "recbole": train_peer}.items():
                runs[side].append(kept(arguments.keep, f"{side}_{seed}.json", lambda: train(seed)))
        found = {"beside": compared(runs)}
    print(json.dumps(found, indent=1))
    if arguments.write:
        RECORD.write_text(json.dumps(json.loads(RECORD.read_text()) | rounded(found), indent=1) + "\n")


def rounded(found):
    """To four digits, as nothing here is known better."""
    if isinstance(found, dict):
        return {name: rounded(value) for name, value in found.items()}
    return float(f"{found:.4g}") if isinstance(found, float) else found


if __name__ == "__main__":
    main()
