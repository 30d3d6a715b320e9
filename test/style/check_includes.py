"""check_includes.py ROOT | --try: folders include only what the figure of docs/architecture.md lets them, and all that it lists.

A line of the figure is `folder → folders that it may include`; each of those stands on a line before. Files of a folder that has
no line belong to the nearest one around it.
"""
import pathlib
import re
import sys
import tempfile

FIGURE = re.compile(r"^```layers\n(.*?)^```", re.M | re.S)
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)


def read_figure(text):
    allowed = {}
    for line in FIGURE.search(text)[1].splitlines():
        layer, _, below = line.partition("→")
        for other in below.split():
            if other not in allowed:
                yield f"the figure lets {layer.strip()} include {other}, which is not on a line before", None
        allowed[layer.strip()] = below.split()
    yield None, allowed


def layer_of(path, layers):
    return max((layer for layer in layers if path.is_relative_to(layer)), key=len, default=None)


def faults(root):
    *wrong, (_, allowed) = read_figure((root / "docs/architecture.md").read_text())
    yield from (fault for fault, _ in wrong)
    unused = {(layer, other) for layer, others in allowed.items() for other in others}
    for top in sorted({layer.split("/")[0] for layer in allowed}):
        for file in sorted(path for path in (root / top).rglob("*") if path.suffix in (".cpp", ".h", ".hpp")):
            name = file.relative_to(root)
            here = layer_of(name, allowed)
            for included in INCLUDE.findall(file.read_text()):
                beside, public = file.parent / included, root / "include" / included
                path = beside if beside.exists() else public if public.exists() else root / included
                there = layer_of(path.resolve().relative_to(root), allowed) if path.resolve().is_relative_to(root) else None
                if there is None or there == here:
                    continue
                unused.discard((here, there))
                if here is None or there not in allowed[here]:
                    yield f"{name} includes {included}, but {here} may not include {there}"
    yield from (f"the figure lets {layer} include {other}, but no file does" for layer, other in sorted(unused))


def try_it():
    good = {"docs/architecture.md": "```layers\nlow\nhigh → low\n```\n", "low/a.h": "", "high/b.h": '#include "low/a.h"\n'}
    bad = {"high/b.h": ("", "no file does"), "low/a.h": ('#include "high/b.h"\n', "low may not include high"),
           "docs/architecture.md": ("```layers\nhigh → low\nlow\n```\n", "not on a line before")}
    for changed in (None, *bad):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in good.items():
                path = pathlib.Path(folder).resolve() / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(bad[changed][0] if name == changed else text)
            found = list(faults(pathlib.Path(folder).resolve()))
            assert len(found) == bool(changed) and all(bad[changed][1] in fault for fault in found), (changed, found)


if sys.argv[1] == "--try":
    try_it()
else:
    found = list(faults(pathlib.Path(sys.argv[1]).resolve()))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))
