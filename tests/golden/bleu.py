"""BLEU by sacreBLEU, and by the textbook's formula, of made-up and of random corpora.

A corpus is candidates with one or more references each. Saved are all words as numbers (BLEU asks only which are
equal), the lengths of all sentences, and for each corpus how many candidates it has and how many references each:
first come its candidates, then the references of the first candidate, of the second …
"""

import math
import random

import golden
import sacrebleu
import torch

ONE_REFERENCE = {
    "equal": [("le chat noir dort sur le lit .", "le chat noir dort sur le lit .")],
    "one word differs": [("le chat noir dort sur le lit .", "le chat blanc dort sur le lit .")],
    "too short": [("le chat dort sur le lit", "le grand chat noir dort sur le lit de ma sœur .")],
    "too long": [("le grand chat noir dort sur le lit de ma sœur .", "le chat dort sur le lit .")],
    "a word too often": [("le le le le le le le", "le chat est sur le tapis .")],
    "no run of four": [("le chat dort , le chien dort", "le chat dort ; le chien mange")],
    "no run of three or four": [("le chat mange , le chien", "le chat dort ; le chien")],
    "words only": [("noir chat le dort .", ". le chat dort noir")],
    "no word": [("one two three four five", "un deux trois quatre cinq")],
    "too few words for a run of four": [("le chat dort", "le chat dort"), ("il pleut .", "il pleut .")],
    "one sentence of four words": [("le chat dort", "le chat dort"), ("il pleut ici .", "il pleut ici .")],
    "an empty candidate": [("", "il pleut ."), ("le chat dort ici .", "le chat dort là .")],
    "nothing but empty candidates": [("", "il pleut ."), ("", "le chat dort .")],
    "punctuation": [
        ("« l' homme » , dit-il , n' est - il pas là ?!", "« l' homme » , dit-il ; n' est - il pas ici ? !"),
        ("c' est à 10:30 , 3,5 % de plus ...", "c' est à 10:30 , 3,5 % de moins ..."),
    ],
    "counted over the corpus": [
        ("a b c d e f g h", "a b c d e f g h"),
        ("a b", "x y z a b c d e f g h i j k"),
        ("x y z x y z", "x y z"),
    ],
}
SEVERAL_REFERENCES = {
    "two": [
        ("elle court dans le parc", ["elle court au parc", "elle marche dans le parc"]),
        ("il pleut beaucoup ici .", ["ici , il pleut beaucoup .", "il pleut trop ici ."]),
    ],
    "equally close lengths: the shorter counts": [("a b c d e f", ["a b c d", "a b c d e f g h"])],
    "equally close lengths, the other way round": [("a b c d e f", ["a b c d e f g h", "a b c d"])],
    "the closest is longer": [("a b c d e f", ["a b", "a b c d e f g", "a b c d e f g h i"])],
    "a count of one reference, not of all": [("a a a a b b", ["a a b b c c", "a b a c a d", "a a a e e e"])],
}


def sentence(rng, kinds, longest):
    return [f"w{min(int(rng.expovariate(1.0) * kinds / 3), kinds - 1)}" for _ in range(rng.randint(1, longest))]


def garbled(rng, words, kinds):
    """Some words changed, left out, doubled or exchanged with the next."""
    result = []
    for word in words:
        chance = rng.random()
        result += [] if chance < 0.08 else [word, word] if chance < 0.16 else [f"w{rng.randrange(kinds)}"] if chance < 0.3 else [word]
    if rng.random() < 0.4 and len(result) > 2:
        place = rng.randrange(len(result) - 1)
        result[place], result[place + 1] = result[place + 1], result[place]
    return result


def random_corpus(rng, references):
    kinds, longest = rng.choice([(5, 6), (12, 9), (30, 20), (200, 30)])
    corpus = []
    for _ in range(rng.randint(1, 8)):
        words = sentence(rng, kinds, longest)
        corpus.append((" ".join(garbled(rng, words, kinds)), [" ".join(garbled(rng, words, kinds)) for _ in range(references)]))
    return corpus


def sacre(corpus):
    candidates = [candidate for candidate, _ in corpus]
    streams = [list(stream) for stream in zip(*(references for _, references in corpus))]
    return sacrebleu.corpus_bleu(candidates, streams, tokenize="none", force=True).score


def textbook(candidate, reference, k):
    if not candidate:
        return 0.0
    score = math.exp(min(0, 1 - len(reference) / len(candidate)))
    for n in range(1, min(k, len(candidate)) + 1):
        left = [reference[i : i + n] for i in range(len(reference) - n + 1)]
        matches = 0
        for i in range(len(candidate) - n + 1):
            if candidate[i : i + n] in left:
                left.remove(candidate[i : i + n])
                matches += 1
        score *= (matches / (len(candidate) - n + 1)) ** (1 / 2**n)
    return score


rng = random.Random(3)
corpora = [[(candidate, [reference]) for candidate, reference in corpus] for corpus in ONE_REFERENCE.values()]
corpora += list(SEVERAL_REFERENCES.values())
corpora += [random_corpus(rng, references) for references in (1, 1, 1, 2, 3) for _ in range(12)]

sentences = []
for corpus in corpora:
    sentences += [candidate.split() for candidate, _ in corpus]
    sentences += [reference.split() for _, references in corpus for reference in references]
numbers = {}
double = torch.float64
golden.save(
    "bleu",
    words=torch.tensor([numbers.setdefault(word, len(numbers)) for words in sentences for word in words]),
    lengths=torch.tensor([len(words) for words in sentences]),
    corpora=torch.tensor([[len(corpus), len(corpus[0][1])] for corpus in corpora]),
    sacrebleu=torch.tensor([sacre(corpus) for corpus in corpora], dtype=double),
    # of the first candidate and its first reference, k = 1 … 4
    textbook=torch.tensor(
        [[textbook(corpus[0][0].split(), corpus[0][1][0].split(), k) for k in (1, 2, 3, 4)] for corpus in corpora],
        dtype=double,
    ),
)
