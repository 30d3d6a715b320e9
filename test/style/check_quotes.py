"""check_quotes.py ROOT: code that a document quotes from a file (```cpp FILE) is in that file, line by line."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
quote = re.compile(r"^```cpp (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
found = [(d, file, code) for d in sorted(root.glob("docs/*.md")) for file, code in quote.findall(d.read_text())]
wrong = [(d, file) for d, file, code in found if not (root / file).is_file() or code not in (root / file).read_text()]
for document, file in wrong:
    print(f"{document.relative_to(root)}: what it quotes from {file} is not there; quote the lines as they are now")
print(f"{len(found)} quotes, {len(wrong)} of them not as in the file")
sys.exit(bool(wrong) or not found)
