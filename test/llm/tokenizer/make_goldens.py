"""make_goldens.py TOKENIZER OUTPUT: writes what Hugging Face's tokenizers makes of some hundred texts, with a given tokenizer.json.

Needs the Python package tokenizers, 0.22 or later. small_goldens.json is from small.json, qwen3_goldens.json from Qwen3's.
"""
import json
import pathlib
import random
import sys
import unicodedata

from tokenizers import Tokenizer

source, output = map(pathlib.Path, sys.argv[1:])
random.seed(2)

PHRASES = [
    "", "a", " ", "\n", "Hello, world!", "The quick brown fox jumps over the lazy dog.", "  leading and trailing  ",
    # contractions, where case and what follows matter
    "I'm you're he's she'll we've they'd don't", "I'M YOU'RE HE'S SHE'LL WE'VE THEY'D DON'T", "i'M yoU'Re He'S wE'lL tHeY'vE iT'd",
    "'s't'm'd're've'll", "'S'T'M'D'RE'VE'LL", "'r 'v 'l 'x '' ' '", "it'\u017f '\u017f '\u017fa", "rock'n'roll o'clock 'tis", "x's's", "1's", " 's",
    "it\u2019s curly", "'sa 'lla 'rer",
    # digits
    "0", "1234567890", "3.14159", "1,000,000", "2026-01-31", "a1b2c3", "१२३ ٤٥٦ ²³¹ ½ ⅷ 〇 一二三", "x²+y²=z²", "0x7fff", "١٢٣abc",
    # white space
    "a  b", "a   b", "a\tb", "a\t\tb", "a \t b", "a\nb", "a\n\nb", "a \n b", "a\r\nb", "a\r\n\r\n  b", "\n\n\n", "   ", "   \n", "\n   ", "\n   a",
    "a\u00a0b", "a\u00a0\u00a0b", "a\u3000\u3000b", "a\u2003b", "a\u2028b\u2029c", "a\u0085b", "a\u0085\u0085b", "a\x0b\x0cb", "a\u200bb", "a\u180eb", "a\ufeffb",
    "a\x1c\x1d\x1e\x1fb", "\u1680a\u1680\u1680", " \u2009\n\u205f x", "x" + " " * 17 + "y", "x" + " " * 130 + "y", "\t" * 9 + "z", "\r\r\r", " \r \r ",
    # control characters
    "".join(map(chr, range(32))), "a\x00b", "\x7f\x80\x9f", "\u200e\u202eabc\u202c", "\ue000\uf8ff", "\U000f0000\U0010ffff", "\ufffd\ufffe\uffff",
    # punctuation
    "!!!", " !!!", "...\n...", "(a)(b)", "-- a --b", "#include <stdio.h>", "a.b.c", "«a» “b” „c“", "!\n\n!", "?!\r\n x", "_a_b__c", "$100 €20 ¥3 ₿",
    "~/.config/x", "https://example.org/a?b=c&d=%20#e", "name@example.org", "***bold*** _it_", "| a | b |\n|---|---|\n", "1+1=2", "a/b\\c",
    # code
    "int main(int argc, char** argv) {\n  return 0;\n}\n", "def f(x):\n    if x:\n        return x\n\n\n", "for(;;){}", "x = [i**2 for i in range(10)]",
    "SELECT * FROM t WHERE a <> 'b';", "<div class=\"a\">\n\t<p>b</p>\n</div>", "{\"a\": [1, 2.5e-3, null], \"b\": \"\\u00e9\"}", "#!/bin/sh\nset -e\n",
    "const auto& [key, value] = *map.find(\"x\");", "\\begin{equation} a^2 \\end{equation}", "camelCaseName snake_case_name CONSTANT_NAME",
    # scripts
    "Größenwahn, Straße, ÄÖÜ", "naïve café, façade, coöperate", "Příliš žluťoučký kůň", "Żółć gęślą jaźń", "Türkçe İstanbul ıI", "Tiếng Việt rất đẹp",
    "Привет, мир! Ёлка", "Ελληνικά, ΰ ς σ", "Հայերեն", "ქართული ენა", "עברית שָׁלוֹם", "العربية: السَّلامُ عَلَيْكُم", "فارسی می‌خواهم", "اردو",
    "हिन्दी क्षत्रिय", "বাংলা ভাষা", "ਪੰਜਾਬੀ", "ગુજરાતી", "தமிழ் மொழி", "తెలుగు", "ಕನ್ನಡ", "മലയാളം", "සිංහල", "ภาษาไทยไม่มีช่องว่าง", "ພາສາລາວ", "བོད་ཡིག",
    "မြန်မာ", "አማርኛ", "ភាសាខ្មែរ", "ᠮᠣᠩᠭᠣᠯ", "한국어 문장입니다.", "日本語の文章です。カタカナ、ひらがな。", "中文句子，没有空格。", "繁體中文句子", "ᏣᎳᎩ", "ⵜⴰⵎⴰⵣⵉⵖⵜ", "𐌲𐌿𐍄", "𓀀𓁐", "𝓗𝓮𝓵𝓵𝓸 𝟙𝟚", "ＦＵＬＬ　ｗｉｄｔｈ",
    "\U00016d40\U00016d70\U0001e5d0\U0001e5f1 \U000105c0\U0002ebf0", "ꟛ\u1c89\u1c8a",
    # emoji
    "🙂", "🙂🙂🙂", " 🙂 🎉", "👩‍💻👨‍👩‍👧‍👦", "👍🏽👍🏿", "🇩🇪🇫🇷", "1️⃣#️⃣", "❤️ ❤", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "a🙂b", "☺︎☺️", "🫠🪿🫨",
    # normalization
    "e\u0301", "\u00e9", "A\u030a \u212b \u00c5", "\u2126 \u03a9", "a\u0323\u0302 a\u0302\u0323", "\u1e9b\u0323", "\uac00 \u1100\u1161\u11a8 \u1100\u1161", "\u0344 \u0958 \u2adc",
    "q\u0307\u0323", "\u0301a", "e\u0301\u0301\u0301", "\ufb01 \ufb06 \u00df", "x\u0345\u0334", "\u0041\u0300\u0315\u0323", "\u09c7\u09be \u0b47\u0b3e", "\U0001d15e \U0001d1bc",
    "a\u07fd\u0301 a\u08d3\u0301 a\U00010efd\u0301", "\uf900\ufa30\U0002f800", "n\u0303o\u0308u\u0302", "\u0f73\u0f75\u0f81", "\u0340\u0341\u0343\u0374\u037e\u0387",
    # long words
    "Donaudampfschifffahrtsgesellschaftskapitän", "supercalifragilisticexpialidocious", "a" * 100, "ab" * 60, "z" * 257, "=" * 80, "🙂" * 40, "的" * 50,
    "pneumonoultramicroscopicsilicovolcanoconiosis" * 3, "-" * 33 + "\n" + "-" * 33, "lololololololololol", "hahahahaha",
]


def variations(added):
    """Texts in which added tokens stand, or nearly do."""
    for content in added:
        yield from (content, f"a{content}b", f" {content} ", content * 2, content[:-1], content[1:], content[:3] + content)
    yield "".join(added)
    yield f"{added[1]}user\ne\u0301{added[2]}\u0301\n{added[1]}assistant\n"
    yield "<|" + "<|im" + "<|im_start|" + "<|im_start|>" + "|>"


def random_text():
    assigned = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000 and unicodedata.category(chr(c)) != "Cn"]
    marks = [c for c in assigned if unicodedata.category(chr(c))[0] == "M"]
    kinds = [assigned, marks, range(128), range(0x250), [9, 10, 11, 13, 32, 32, 0xA0, 0x3000], [c for c in range(0xD800)], range(0xAC00, 0xD7A4)]
    return "".join(chr(random.choice(random.choice(kinds))) for _ in range(random.randint(1, 24)))


file = json.loads(source.read_text())
with_added = Tokenizer.from_str(json.dumps(file))
added = [token["content"] for token in file["added_tokens"]]
without_added = Tokenizer.from_str(json.dumps(file | {"added_tokens": []}))
size = with_added.get_vocab_size()

texts = list(dict.fromkeys(PHRASES + list(variations(added)) + [random_text() for _ in range(120)]))
encode, decode = [], []
for text in texts:
    as_text = without_added.encode(text, add_special_tokens=False).ids
    as_tokens = with_added.encode(text, add_special_tokens=False).ids
    encode.append({"text": text, "as_text": as_text} | ({"as_tokens": as_tokens} if as_tokens != as_text else {}))
for _ in range(150):
    ids = [random.randrange(size) if random.random() < 0.6 else random.choice(range(size - len(added), size)) for _ in range(random.randint(0, 8))]
    decode.append({"ids": ids, "keep": with_added.decode(ids, skip_special_tokens=False), "skip": with_added.decode(ids)})
for _ in range(100):  # bytes of characters, cut and in disorder
    ids = [random.choice(without_added.encode(text, add_special_tokens=False).ids or [0])
           for text in random.choices(["é", "的", "🙂", "\u07fd", "\U00010efd", "a", "\x80"], k=random.randint(1, 6))]
    decode.append({"ids": ids, "keep": with_added.decode(ids, skip_special_tokens=False), "skip": with_added.decode(ids)})


def lines(cases):
    return ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)


output.write_text(f'{{"size": {size}, "encode": [\n{lines(encode)}\n], "decode": [\n{lines(decode)}\n]}}\n')
