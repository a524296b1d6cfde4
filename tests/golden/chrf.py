"""chrF by sacreBLEU (chrF2, its defaults), of made-up and of random corpora of one reference each.

Saved are all sentences as code points, with the length of each: candidate, reference, candidate … of the corpora in
turn; and for each corpus how many pairs it has.
"""

import random

import golden
import torch
from sacrebleu.metrics import CHRF

MADE_UP = [
    [("le chat noir dort sur le lit .", "le chat noir dort sur le lit .")],
    [("le chat noir dort sur le lit .", "le chat blanc dort sur mon lit .")],
    [("", "il pleut ."), ("le chat dort ici .", "le chat dort là .")],
    [("", "il pleut .")],
    [("abc", ""), ("le chat", "le chien")],
    [("a", "a")],
    [("ab", "ab"), ("à l' été", "à l' étang")],
    [("xyz", "abc")],
    [("les chats dorment", "le chat dort")],
    [("aaaaaaaa", "aaa"), ("aaa", "aaaaaaaa")],
    [("œuf « oui » !", "œufs « oui » ?")],
    [("un deux trois quatre cinq six", "six cinq quatre trois deux un")],
]


def random_corpus(rng):
    words = "le la chat chats chatte noir noire noirs dort dorment l' été . , ne pas".split()
    corpus = []
    for _ in range(rng.randint(1, 6)):
        reference = rng.choices(words, k=rng.randint(1, 12))
        candidate = [rng.choice(words) if rng.random() < 0.3 else word for word in reference]
        corpus.append((" ".join(candidate[: rng.randint(1, 12)]), " ".join(reference)))
    return corpus


rng = random.Random(7)
corpora = MADE_UP + [random_corpus(rng) for _ in range(24)]
texts = [text for corpus in corpora for pair in corpus for text in pair]
scores = [
    CHRF().corpus_score([candidate for candidate, _ in corpus], [[reference for _, reference in corpus]]).score
    for corpus in corpora
]
golden.save(
    "chrf",
    texts=torch.tensor([ord(c) for text in texts for c in text]),
    lengths=torch.tensor([len(text) for text in texts]),
    corpora=torch.tensor([len(corpus) for corpus in corpora]),
    sacrebleu=torch.tensor(scores, dtype=torch.float64),
)
