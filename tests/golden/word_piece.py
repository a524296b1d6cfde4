"""Texts in pieces, by transformers' BertTokenizer: python tests/golden/word_piece.py

Writes a small vocabulary, word_piece/vocab.txt, and how it cuts hard texts, word_piece/cases.json: for each text
the numbers with the settings of BERT uncased, and with those of BERT cased. Before anything is saved, the same is
held against the tokenizer in pure Python that BERT's authors published, apart from the texts where the two are
known to differ.
"""

import json
import pathlib

import transformers
from transformers.models.bert.tokenization_bert_legacy import BertTokenizerLegacy

FOLDER = pathlib.Path(__file__).parent / "word_piece"

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789"
MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~«»…–—“”‘’¿¡。，、！？"
WORDS = (
    "the of un want run gold transform attention is all you need deja vu naive cafe strasse uber resume "
    "The Paris It élève été MASK mask cls do n t elephant 東 京 中 国 人 한국 カタ ひ ß œ æ ﬁ σ ς ω α "
    "и привет ğ ı i̇ ½ ² 😀 👍 ❤ é É"
).split()
CONTINUED = "##able ##ning ##ing ##ed ##s ##er ##ers ##tion ##phant ##ele ##ве ##т ##국 ##カ ##ナ ##😀 ##️ ##é ##ß ##œ ##σ ##ς".split()
PIECES = SPECIAL + list(LETTERS) + list(DIGITS) + list(MARKS) + [f"##{c}" for c in LETTERS + DIGITS] + WORDS + CONTINUED
PIECES = list(dict.fromkeys(PIECES))

TEXTS = [
    "", " ", "\t\n \r\n", "unwanted running", "The the THE tHe", "Attention is all you need.",
    "éléphant ÉLÈVE été", "e\u0301le\u0300ve", "Déjà vu, naïve café résumé", "Über die Straße", "STRASSE ẞ ß",
    "œuvre ŒUVRE æther", "ΑΣ ΟΔΥΣΣΕΥΣ σς", "İstanbul ısı ğ", "Привет, ПРИВЕТ", "ﬁne ﬁ", "½ ² ³",
    "東京", "中国人 people", "a中b国c", "한국 한국어", "カタカナ ひらがな", "\u1112\u1161\u11ab", "𠀀𪜀",
    "😀", "a😀b 👍🏽", "❤️ ❤", "👨‍👩‍👧", "🇫🇷",
    "x" * 100, "x" * 101, "ab" * 60 + " the", "é" * 100, "é" * 101,
    "a\u0000b", "a\u0007b\u001fc", "a\u200bb\u200dc\ufeffd", "soft\u00adhyphen", "a\ufffdb", "a\u0085b\u000bc\u000cd",
    "a\u00a0b\u202fc\u2009d\u3000e\u2028f", "line\none\r\ntwo\rthree\ttab",
    "[MASK]", "the [MASK] of the [mask]", "a[MASK]b", "[CLS] the [SEP] [PAD] [UNK]", "[ MASK ] [[MASK]]", "[MASK][MASK].",
    "don't do n't \"don’t\"", "«gold» “gold” ‘gold’", "a--b – c — d…", "3.14 1,000 $5 50% #1 @you", "¿qué? ¡no!",
    "x^2_{i} ~ `y` | z \\ /", "中。国，人！", "http://a.b/c?d=e&f", "^ ` ~ < = > + $ |", "٣ ३ 五",
    "ŧħë ŵéîrđ ẃörðs", "ệ ṩ ǖ", "a\u0301\u0302\u0323", "\u0301", "Ⅻ ℌ ™ №", "a_b-c'd", "the\u0000", "zzz##ing ##ing",
]
# Python's final sigma, and accents that the old tokenizer joins with their letters where they stay.
DIFFERENT = {("ΑΣ ΟΔΥΣΣΕΥΣ σς", True), ("e\u0301le\u0300ve", False)}


def main():
    FOLDER.mkdir(exist_ok=True)
    vocabulary = FOLDER / "vocab.txt"
    vocabulary.write_text("".join(f"{piece}\n" for piece in PIECES), encoding="utf-8", newline="\n")
    assert len(TEXTS) == len(set(TEXTS))
    ours = {lower: transformers.BertTokenizer(vocab=str(vocabulary), do_lower_case=lower) for lower in (True, False)}
    theirs = {lower: BertTokenizerLegacy(str(vocabulary), do_lower_case=lower) for lower in (True, False)}
    cases = []
    for text in TEXTS:
        cut = {lower: ours[lower].encode(text, add_special_tokens=False) for lower in ours}
        for lower in theirs:
            python = theirs[lower].convert_tokens_to_ids(theirs[lower].tokenize(text))
            assert (python != cut[lower]) == ((text, lower) in DIFFERENT), (text, lower)
        cases.append({"text": text, "uncased": cut[True], "cased": cut[False]})
    lines = ",\n".join(json.dumps(case) for case in cases)
    made_by = f'"made_by": "word_piece.py", "transformers": "{transformers.__version__}"'
    (FOLDER / "cases.json").write_text(f"{{{made_by}, \"cases\": [\n{lines}\n]}}\n", encoding="utf-8")
    print(f"{len(cases)} texts, {len(PIECES)} pieces")


main()
