"""Two small classifiers as the library transformers saves them, and their logits: python tests/golden/fine_tuning.py

Needs PyTorch and transformers. Writes the folders `fine_tuning/sequences/` (BertForSequenceClassification, three
classes) and `fine_tuning/words/` (BertForTokenClassification, four), with random parameters that are multiples of
1/64 far from zero and a vocabulary, and `fine_tuning.json`: the logits of a pair and two single sequences of
different lengths, padded here as they never are in the course, with the loss of the classes given. All is computed
in double precision. Of words, only first pieces have a class; the others are labelled -100, which counts for nothing.
"""

import pathlib

import torch
from transformers import BertConfig, BertForSequenceClassification, BertForTokenClassification

import golden

FOLDER = pathlib.Path(__file__).parent / "fine_tuning"
CLS, SEP = 2, 3
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefgh", *(f"##{letter}" for letter in "abcdefgh")]
PAIRS = [([7, 13, 11], [9, 5]), ([20, 6], []), ([11, 5, 8, 14, 16], [])]
CLASSES = [2, 0, 1]
WORDS = [(0, 1, 3), (0, 3, 0), (0, 5, 2), (1, 1, 1), (2, 1, 0), (2, 2, 2), (2, 3, 1)]  # sequence, place, class

torch.manual_seed(12)
sizes = dict(
    vocab_size=len(PIECES),
    hidden_size=12,
    num_hidden_layers=2,
    num_attention_heads=3,
    intermediate_size=20,
    max_position_embeddings=12,
    attn_implementation="eager",
)


def draw(parameter):
    """Multiples of 1/64 from ±[0.1, 0.8]: exact in bfloat16."""
    size = torch.randint(7, 52, parameter.shape)
    return size * (2 * torch.randint(0, 2, parameter.shape) - 1) / 64


def classifier(kind, name, labels):
    config = BertConfig(**sizes, id2label=dict(enumerate(labels)), label2id={l: i for i, l in enumerate(labels)})
    model = kind(config).eval()
    for parameter_name, parameter in model.named_parameters():
        parameter.data = draw(parameter)
        if parameter_name.endswith("LayerNorm.weight"):
            parameter.data = parameter.data / 2 + 1
    model.save_pretrained(FOLDER / name)
    (FOLDER / name / "vocab.txt").write_text("".join(f"{piece}\n" for piece in PIECES))
    return model.double()


sequences = [[CLS, *a, SEP, *(b + [SEP] if b else [])] for a, b in PAIRS]
kinds = [[0] * (len(a) + 2) + ([1] * (len(b) + 1) if b else []) for a, b in PAIRS]
longest = max(map(len, sequences))


def padded(rows, filler=0):
    return torch.tensor([row + [filler] * (longest - len(row)) for row in rows])


inputs = dict(
    input_ids=padded(sequences),
    token_type_ids=padded(kinds),
    attention_mask=padded([[1] * len(sequence) for sequence in sequences]),
)
of_sequences = classifier(BertForSequenceClassification, "sequences", ["zebra", "apple", "mango"])
of_words = classifier(BertForTokenClassification, "words", ["person", "animal", "place", "other"])
whole = of_sequences(**inputs, labels=torch.tensor(CLASSES))
labels = torch.full((len(sequences), longest), -100)
for sequence, place, answer in WORDS:
    labels[sequence, place] = answer
single = of_words(**inputs, labels=labels)
offsets = torch.tensor([0, *map(len, sequences)]).cumsum(0)
golden.save(
    "fine_tuning",
    pieces=torch.tensor(sum(sequences, [])),
    segments=torch.tensor(sum(kinds, [])),
    offsets=offsets,
    classes=torch.tensor(CLASSES),
    sequence_logits=whole.logits.float(),
    sequence_loss=whole.loss.float(),
    asked=torch.tensor([offsets[sequence] + place for sequence, place, _ in WORDS]),
    tags=torch.tensor([answer for *_, answer in WORDS]),
    word_logits=torch.stack([single.logits[sequence, place] for sequence, place, _ in WORDS]).float(),
    word_loss=single.loss.float(),
)
