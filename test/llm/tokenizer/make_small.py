"""make_small.py: writes small.json, a tokenizer with 256 bytes, a few hundred merges and some added tokens, in the form of Qwen3's.

Needs the Python package tokenizers. Ids are in no order, so that no test can pass by counting; and added tokens are there that begin
alike, that have characters which ByteLevel reads as bytes, and that have characters which it does not know.
"""
import json
import pathlib
import random

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

PATTERN = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")

LINES = """
A tile is a block of numbers that one program of a kernel reads, changes and writes. The kernel is one function, and many
programs of it run at once; each of them works on a tile of its own. We'll say that a kernel is safe if no launch of it can
read or write outside of its tensors. It isn't enough that it's been tested: the prover looks at every launch there may be.
They're told apart by their shapes. I've counted 1234567890 of them, and I'd say that's enough; you'd better not count again.
for (int i = 0; i < n; ++i) { sum += a[i] * b[i]; }    // the product of two vectors
    if (value == 0) { return; }
        while (true) { x = f(x); y = g(y); }
def area(width, height):
    return width * height
{"name": "tile", "shape": [64, 128], "kind": null}
Die Kachel ist ein Block von Zahlen, und jedes Programm schreibt höchstens einmal darauf. Über Größen weiß man früh genug.
La tuile est un bloc de nombres; chaque programme écrit à sa place, même où les autres ont déjà été. Voilà ce que ça coûte.
Плитка это блок чисел, и каждая программа пишет только свою плитку. Это можно доказать.
一块是一组数字，每个程序写自己的一块。这是可以证明的。程序读，程序写，程序证明。
タイルは数の集まりです。プログラムはそれぞれ自分のタイルに書きます。
타일은 숫자의 묶음이고 프로그램은 자기 타일에 씁니다.
البلاط كتلة من الأرقام وكل برنامج يكتب في مكانه
टाइल संख्याओं का एक समूह है
🙂🙂🎉🎉👩‍💻👩‍💻 a line with pictures 🙂🎉
"""

ADDED = [  # content, special
    ("<|endoftext|>", True), ("<|im_start|>", True), ("<|im_end|>", True), ("<think>", False), ("</think>", False),
    ("<|im_start|>user", False),  # longer than one that begins alike
    ("start|>u", False),          # in the middle of another
    ("<é>", True),                # é is a byte of its own in ByteLevel's alphabet, and not UTF-8
    ("⟨end⟩", False),             # no byte of that alphabet
    ("two words", False),         # nor is the space
]

tokenizer = Tokenizer(models.BPE())
tokenizer.normalizer = normalizers.NFC()
tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
    pre_tokenizers.Split(Regex(PATTERN), "isolated"),
    pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=False, use_regex=False),
])
tokenizer.decoder = decoders.ByteLevel(add_prefix_space=False, trim_offsets=False, use_regex=False)
alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
tokenizer.train_from_iterator(
    LINES.splitlines(keepends=True),
    trainers.BpeTrainer(vocab_size=256 + 400, initial_alphabet=alphabet, show_progress=False, min_frequency=1))

file = json.loads(tokenizer.to_str())
model = file["model"]
tokens = sorted(model["vocab"], key=model["vocab"].get)
ids = list(range(len(tokens)))
random.Random(1).shuffle(ids)
model["vocab"] = dict(zip(tokens, ids))
# As Qwen3's file has them.
model["continuing_subword_prefix"] = model["end_of_word_suffix"] = ""
file["added_tokens"] = [
    {"id": id, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": special}
    for id, (content, special) in enumerate(ADDED, len(tokens))]

# One line for a value, but for the objects above it.
sections = []
for key, value in file.items():
    if key == "model":
        inner = ",\n".join(f"    {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in value.items())
        sections.append(f'  "model": {{\n{inner}\n  }}')
    else:
        sections.append(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
pathlib.Path(__file__).with_name("small.json").write_text("{\n" + ",\n".join(sections) + "\n}\n")
