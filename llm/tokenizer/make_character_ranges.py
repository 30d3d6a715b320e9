"""make_character_ranges.py [OUTPUT]: writes CharacterRanges.inc, from the regular expressions of Hugging Face's tokenizers.

Needs the Python package tokenizers, 0.22 or later; its classes are those of Unicode 16.
"""
import pathlib
import sys

from tokenizers import Regex, pre_tokenizers

code_points = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def ranges(pattern):
    """First and last code point of each run of those that the pattern matches."""
    remove = pre_tokenizers.Split(Regex(pattern), "removed")
    runs = []
    for c in code_points:
        if remove.pre_tokenize_str(chr(c)):
            continue
        if runs and runs[-1][1] == c - 1:
            runs[-1][1] = c
        else:
            runs.append([c, c])
    return runs


def lines(words, width=132):
    line = ""
    for word in words:
        if len(line) + 1 + len(word) > width:
            yield line
            line = ""
        line += (" " if line else "") + word
    yield line


text = "// Written by make_character_ranges.py.\n"
for kind, pattern in (("letter", r"\p{L}"), ("number", r"\p{N}"), ("space", r"\s")):
    text += "\n".join(lines(f"{{0x{first:X}, 0x{last:X}, {kind}}}," for first, last in ranges(pattern))) + "\n"
output = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("CharacterRanges.inc"))
output.write_text(text)
