"""A small BERT as the library transformers saves it, its results and every gradient: python tests/golden/bert.py

Needs PyTorch and transformers. Writes the folder `bert/` (config.json, model.safetensors), a random
`BertForPreTraining` whose parameters are multiples of 1/64 far from zero, and `bert.json`: what it makes of two
pairs and a single sequence of different lengths, padded here as they never are in the course. The ε of its
normalisations is large, so that another one is noticed. All is computed in double precision.

Names are those of transformers. Of results only the columns that are no padding are saved, sequence after
sequence; the weights of a head are saved row by row for each query.
"""

import pathlib

import torch
from transformers import BertConfig, BertForPreTraining

import golden

FOLDER = pathlib.Path(__file__).parent / "bert"
CLS, SEP = 2, 3
PAIRS = [([7, 12, 31], [9, 5]), ([20, 6], []), ([11, 30, 8, 25, 14], [17, 22, 10, 19])]

torch.manual_seed(11)
config = BertConfig(
    vocab_size=32,
    hidden_size=12,
    num_hidden_layers=2,
    num_attention_heads=3,
    intermediate_size=20,
    max_position_embeddings=12,
    layer_norm_eps=0.01,
    attn_implementation="eager",
)
model = BertForPreTraining(config).eval()


def draw(parameter):
    """Multiples of 1/64 from ±[0.1, 0.8]: exact in bfloat16."""
    size = torch.randint(7, 52, parameter.shape)
    return size * (2 * torch.randint(0, 2, parameter.shape) - 1) / 64


for name, parameter in model.named_parameters():
    parameter.data = draw(parameter)
    if name.endswith("LayerNorm.weight"):
        parameter.data = parameter.data / 2 + 1
model.save_pretrained(FOLDER)
model.double()

sequences = [[CLS, *a, SEP, *(b + [SEP] if b else [])] for a, b in PAIRS]
kinds = [[0] * (len(a) + 2) + ([1] * (len(b) + 1) if b else []) for a, b in PAIRS]
longest = max(map(len, sequences))


def padded(rows, filler=0):
    return torch.tensor([row + [filler] * (longest - len(row)) for row in rows])


hidden = [(0, 2, 13), (0, 5, 9), (1, 1, 28), (2, 3, 8), (2, 4, 31), (2, 10, 4)]  # sequence, place, piece
labels = torch.full((len(sequences), longest), -100)
for sequence, place, piece in hidden:
    labels[sequence, place] = piece
follows = torch.tensor([0, 1, 1])
real = padded([[1] * len(sequence) for sequence in sequences])
results = model(
    input_ids=padded(sequences),
    token_type_ids=padded(kinds),
    attention_mask=real,
    labels=labels,
    next_sentence_label=follows,
    output_hidden_states=True,
    output_attentions=True,
)
results.loss.backward()


def short(tensor):
    """Nine digits, where seventeen would be written."""
    return tensor.float()


def columns(tensor):
    """(sequences, longest, d) -> (n, d), without the padding."""
    return short(tensor[real.bool()])


offsets = torch.tensor([0, *map(len, sequences)]).cumsum(0)
tensors = {
    "pieces": torch.tensor(sum(sequences, [])),
    "segments": torch.tensor(sum(kinds, [])),
    "offsets": offsets,
    "hidden": torch.tensor([offsets[sequence] + place for sequence, place, _ in hidden]),
    "originals": torch.tensor([piece for _, _, piece in hidden]),
    "follows": follows,
    "masked_logits": columns(results.prediction_logits),
    "next_logits": short(results.seq_relationship_logits),
    "loss": short(results.loss),
}
tensors |= {f"states.{i}": columns(state) for i, state in enumerate(results.hidden_states)}
tensors["pooled"] = short(model.bert.pooler(results.hidden_states[-1]))
for block, weights in enumerate(results.attentions):
    for i, sequence in enumerate(sequences):
        n = len(sequence)
        tensors |= {f"weights.{block}.{i}.{head}": short(weights[i, head, :n, :n]) for head in range(3)}
gradients = {name: parameter.grad for name, parameter in model.named_parameters()}
keys = [name for name in gradients if name.endswith("key.bias")]
assert all(gradients.pop(name).abs().max() < 1e-12 for name in keys), "a bias of the keys has an influence"
assert all(gradient.abs().max() > 1e-4 for gradient in gradients.values())
tensors |= {f"gradient.{name}": short(gradient) for name, gradient in gradients.items()}
golden.save("bert", **tensors)
