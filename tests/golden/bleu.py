"""BLEU by sacreBLEU, and by the textbook's formula, of made-up and of random corpora; its tokens 13a.

A corpus is candidates with one or more references each. Saved are all words as numbers (BLEU asks only which are
equal), the lengths of all sentences, and for each corpus how many candidates it has and how many references each:
first come its candidates, then the references of the first candidate, of the second …

Sentences as people write them are saved as code points, all in one list, with the length of each: candidate,
reference, candidate … of the corpora in turn. Before anything is saved, the course's tokens are held against
sacreBLEU's on 200,000 random lines by each of its rules (this runs cargo).
"""

import json
import math
import os
import pathlib
import random
import subprocess
import tempfile

import golden
import sacrebleu
import torch
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

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
WRITTEN = {
    "capitals": [("le chat noir dort sur le lit.", "Le chat noir dort sur le lit."), ("Paris est là-bas.", "PARIS est là-bas.")],
    "apostrophes, straight and curly": [
        ("L'homme qu'il a vu aujourd'hui n'est pas d'ici.", "L’homme qu’il a vu aujourd’hui n’est pas d’ici."),
        ("C'est l'été : rock 'n' roll à 5 o'clock", "C'est l'été ; rock 'n' roll à 5 o'clock"),
    ],
    "blanks that do not break, before French marks": [
        ("Quoi\u202f? Non\u00a0! Si\u202f; peut-être\u00a0: oui.", "Quoi ? Non ! Si ; peut-être : oui."),
        ("10\u202f000\u00a0€ et 1\u2009000 km", "10 000 € et 1 000 km"),
    ],
    "guillemets and dashes": [
        ("«\u00a0Viens\u202f!\u00a0», dit-elle.", "« Viens ! », dit-elle."),
        ("«Viens!», dit-elle – ou — non…", "« Viens! », dit-elle - ou -- non..."),
    ],
    "numbers": [
        ("3,5 % de 1.000,25 à 10:30, le 3. mai; -5, .5 et 5.", "3,5 % de 1,000.25 à 10:30, le 3 mai; - 5, 0.5 et 5 ."),
        ("Le score est 3-1, de 1990-2000, en A4-B5.", "Le score est 3 - 1, de 1990 - 2000, en A4-B5."),
    ],
    "dots and commas": [("a... b.. c. d.e ,,f, g.,h 1.,2", "a ... b .. c . d . e ,, f , g . , h 1 . , 2")],
    "marks of ASCII": [('a!b"c#d$e%f&g(h)i*j+k/l:m;n<o=p>q?r@s[t\\u]v^w_x`y{z|a}b~c', "a ! b \" c # d $ e % f & g ( h )")],
    "names of SGML": [("&quot;AT&amp;T&quot; &lt;b&gt; &amp;lt; &nbsp; <skipped>", '"AT&T" <b> < & nbsp ;')],
    "ends and tabs": [("  un deux\ttrois-\nquatre\ncinq \n", "un deux trois quatre cinq"), ("", "rien"), (" ", " ")],
    "capitals that change their length": [("İstanbul ΑΣ STRASSE Œuvre ÉTÉ ẞ", "i̇stanbul ας strasse œuvre été ß")],
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


def sacre_written(corpus, lowercase):
    candidates, references = zip(*corpus)
    return sacrebleu.corpus_bleu(candidates, [references], lowercase=lowercase, force=True).score


def written_line(rng, length):
    """Few kinds of characters, so that the tokeniser's rules meet each other."""
    kinds = ["aÉœİΣ", "0159", "...,,--'", " \u00a0\u202f\t\x1c\n", "!?;:()[]{}<>/&%$#@*+=^_`|~\\\"", "«»’…–—€²½我，。한か☺𠀀"]
    names = ["&quot;", "&amp;", "&lt;", "<skipped>", "-\n"]
    return "".join(
        rng.choice(names) if rng.random() < 0.02 else rng.choice(rng.choices(kinds, (5, 4, 4, 3, 2, 1))[0])
        for _ in range(length)
    )


def tokens(line, lowercase):
    return Tokenizer13a()((line.lower() if lowercase else line).rstrip()).split()


def written_words(rng):
    """References of typical words and marks, and candidates that differ in some, or in case."""
    words = "Le le chat CHAT noir l'ami l’ami 3,5 10-12 n'est-ce « » , . ! ? : ... \u202f! un deux trois".split(" ")
    corpus = []
    for _ in range(rng.randint(1, 6)):
        reference = rng.choices(words, k=rng.randint(4, 15))
        candidate = [rng.choice(words) if rng.random() < 0.2 else word for word in reference]
        candidate = [word.swapcase() if rng.random() < 0.15 else word for word in candidate]
        corpus.append(tuple(rng.choice([" ", " ", ""]).join(text) for text in (candidate, reference)))
    return corpus


def hold_tokens_against_ours():
    """`cargo test` reads a file of [line, its tokens, those of the line in lower case, by zh, by char]."""
    rng = random.Random(5)
    lines = [written_line(rng, rng.randint(0, 30)) for _ in range(200_000)]

    def all_tokens(line):
        others = [tokenizer(line.rstrip()).split() for tokenizer in (TokenizerZh(), TokenizerChar())]
        return [line, [tokens(line, False), tokens(line, True), *others]]

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "tokens.json"
        path.write_text(json.dumps([all_tokens(line) for line in lines]))
        command = "cargo test -p seq2seq --test checks -- --ignored tokens_of_a_file"
        subprocess.run(command.split(), check=True, env={**os.environ, "TOKENS": str(path)})


def code_points(texts):
    return torch.tensor([ord(c) for text in texts for c in text])


def lengths(texts):
    return torch.tensor([len(text) for text in texts])


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

written = list(WRITTEN.values()) + [written_words(rng) for _ in range(20)]
texts = [text for corpus in written for pair in corpus for text in pair]
tokenized = [" ".join(tokens(text, False)) for text in texts]
hold_tokens_against_ours()

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
    texts=code_points(texts),
    text_lengths=lengths(texts),
    tokens=code_points(tokenized),
    token_lengths=lengths(tokenized),
    written_corpora=torch.tensor([len(corpus) for corpus in written]),
    sacrebleu_mixed=torch.tensor([sacre_written(corpus, False) for corpus in written], dtype=double),
    sacrebleu_lower=torch.tensor([sacre_written(corpus, True) for corpus in written], dtype=double),
)
