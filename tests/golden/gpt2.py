"""A small GPT-2 as the library transformers saves it, and its logits: python tests/golden/gpt2.py

Needs PyTorch and transformers. Writes the folder `gpt2/`: config.json, model.safetensors, and a tokenizer that is learnt
from the two texts, in the older files (vocab.json, merges.txt) and, in `gpt2/whole/`, in the library's own.
"""

import pathlib
import shutil

import tokenizers
import torch
import transformers

import golden

torch.manual_seed(16)
TEXTS = ["Paul's café: two cups, déjà vu.\n  Three more cups!", "the 猫 sat; the cat sat on 12 mats…"]
FOLDER = pathlib.Path(__file__).parent / "gpt2"
shutil.rmtree(FOLDER, ignore_errors=True)
(FOLDER / "whole").mkdir(parents=True)

pieces = tokenizers.ByteLevelBPETokenizer()
pieces.train_from_iterator(TEXTS, vocab_size=280, min_frequency=1, special_tokens=["<|endoftext|>"], show_progress=False)
pieces.save_model(str(FOLDER))
pieces.save(str(FOLDER / "whole" / "tokenizer.json"))

config = transformers.GPT2Config(
    vocab_size=pieces.get_vocab_size(), n_embd=12, n_layer=2, n_head=3, n_positions=64, layer_norm_epsilon=1e-4,
    bos_token_id=0, eos_token_id=0,
)
model = transformers.GPT2LMHeadModel(config).eval()
with torch.no_grad():
    for parameter in model.parameters():
        parameter.add_(torch.randn_like(parameter) * 0.2)
model.save_pretrained(FOLDER, safe_serialization=True)
(FOLDER / "generation_config.json").unlink(missing_ok=True)

found = {}
for i, text in enumerate(TEXTS):
    ids = torch.tensor(pieces.encode(text).ids)
    with torch.no_grad():
        found |= {f"pieces.{i}": ids, f"logits.{i}": model(ids[None]).logits[0]}  # (tokens, pieces)
golden.save("gpt2", **found)
