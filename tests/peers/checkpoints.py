"""Checkpoints beside the library transformers, in both directions: python tests/peers/checkpoints.py

Requires torch, transformers and a Rust toolchain. Random models are saved by transformers in f32, f16 and bf16,
with both heads or one; `cargo run -p bert --example logits` reads each, prints its logits and writes it again, and
transformers reads what was written. Both ways, all logits must agree.

`--folder FOLDER` compares one checkpoint instead, whatever stands upon the encoder: for a classifier
(`BertForSequenceClassification`, `BertForTokenClassification`) it prints what transformers answers to lines of
`{"pieces": [...], "segments": [...]}` on standard input, for a program of ours to be held against; `--ours COMMAND`
runs that program on the same lines and compares. It must answer each with a line of JSON that holds `logits`: a
list, or one for each piece.
"""

import argparse
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

import torch
import transformers

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOGITS = ["cargo", "run", "--quiet", "--release", "-p", "bert", "--example", "logits", "--"]
TOLERANCE = 1e-4
SIZES = dict(
    vocab_size=97,
    hidden_size=48,
    num_hidden_layers=3,
    num_attention_heads=4,
    intermediate_size=80,
    max_position_embeddings=40,
)


def random_model(kind):
    """Parameters ten times as large as a fresh model's, biases with them: so that each has an influence."""
    model = getattr(transformers, kind)(transformers.BertConfig(**SIZES)).eval()
    for parameter in model.parameters():
        parameter.data += 0.2 * torch.randn_like(parameter)
    return model


def random_sequences(count=8):
    longest, pieces = SIZES["max_position_embeddings"], SIZES["vocab_size"]
    for n in torch.randint(1, longest + 1, (count - 1,)).tolist() + [longest]:
        second = torch.arange(n) >= torch.randint(n, ())
        yield {"pieces": torch.randint(pieces, (n,)).tolist(), "segments": second.long().tolist()}


@torch.no_grad()
def theirs(folder, sequences):
    """Logits by the names of `logits.rs`, in f32 whatever the file holds; a classifier's are `logits`."""
    config = transformers.AutoConfig.from_pretrained(folder)
    kind = getattr(transformers, config.architectures[0])
    model, report = kind.from_pretrained(folder, dtype=torch.float32, output_loading_info=True)
    for what in ("missing_keys", "unexpected_keys", "mismatched_keys"):
        assert not report[what], f"{folder}: {what}: {report[what]}"
    model.eval()
    for sequence in sequences:
        ids, segments = (torch.tensor([sequence[name]]) for name in ("pieces", "segments"))
        said = model(input_ids=ids, token_type_ids=segments)
        if "prediction_logits" in said:
            states = model.bert(input_ids=ids, token_type_ids=segments)
            masked, next, pooled = said.prediction_logits, said.seq_relationship_logits[0], states.pooler_output[0]
            yield {"masked": masked[0].tolist(), "next": next.tolist(), "pooled": pooled.tolist()}
        elif "MaskedLM" in config.architectures[0]:
            yield {"masked": said.logits[0].tolist(), "next": None, "pooled": None}
        else:
            yield {"logits": said.logits[0].tolist()}


def ours(command, sequences):
    """What a program of ours answers, line by line."""
    lines = "".join(json.dumps(sequence) + "\n" for sequence in sequences)
    run = subprocess.run(command, cwd=ROOT, input=lines, check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def difference(found, expected):
    """The largest between two lists of answers."""
    assert len(found) == len(expected), f"{len(found)} answers, {len(expected)} are needed"
    largest = 0.0
    for ours, theirs in zip(found, expected):
        for name, value in theirs.items():
            if value is None:
                assert ours[name] is None, f"{name}: {ours[name]}, nothing is needed"
                continue
            a, b = torch.tensor(ours[name]), torch.tensor(value)
            assert a.shape == b.shape, f"{name}: {a.shape} and {b.shape}"
            largest = max(largest, (a - b).abs().max().item())
    return largest


def report(what, found):
    print(f"{what:44} largest difference {found:.1e}")
    if not found <= TOLERANCE:
        sys.exit(f"{what}: {found} is more than {TOLERANCE}")


def compare_all():
    torch.manual_seed(0)
    sequences = list(random_sequences())
    for kind in ("BertForPreTraining", "BertForMaskedLM"):
        for dtype in (torch.float32, torch.float16, torch.bfloat16):
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                random_model(kind).to(dtype).save_pretrained(folder / "theirs")
                found = ours([*LOGITS, folder / "theirs", folder / "ours"], sequences)
                name = f"{kind} {str(dtype).removeprefix('torch.')}"
                report(f"{name}, read here:", difference(found, list(theirs(folder / "theirs", sequences))))
                report(f"{name}, written here:", difference(found, list(theirs(folder / "ours", sequences))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", help="one checkpoint, on sequences from standard input")
    parser.add_argument("--ours", metavar="COMMAND", help="the program that is compared on it")
    arguments = parser.parse_args()
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    if not arguments.folder:
        return compare_all()
    sequences = [json.loads(line) for line in sys.stdin]
    expected = list(theirs(arguments.folder, sequences))
    if arguments.ours:
        return report(arguments.folder, difference(ours(shlex.split(arguments.ours), sequences), expected))
    for answer in expected:
        print(json.dumps(answer))


if __name__ == "__main__":
    main()
