#!/usr/bin/env python3
"""Compiles programs that must fail, and checks what is said about them.

Each file says in comments what must be said:
  // error: TEXT         the compiler refuses it, and its output contains TEXT
  // error-gcc: TEXT     the same for g++, where its text differs
  // trace-error: TEXT   it compiles and runs; tracing fails, exit status 1, and the output contains TEXT
  // flags: FLAGS        more flags for this file; with clang's own analyses (-Werror=consumed) the file is for clang only
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

CLANG_ONLY = {"-Werror=consumed"}


def directives(path):
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if match := re.match(r"// ([a-z-]+): (.*)", line):
            found.setdefault(match[1], []).append(match[2].strip())
    return found


def run(command, seconds=120):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=seconds)
    return done.returncode, done.stdout


def missing(texts, output):
    return [f"the output lacks: {text}" for text in texts if text not in output]


def check(path, options, scratch):
    """The complaints about one file, or None where it is not for this compiler."""
    said = directives(path)
    flags = shlex.split(" ".join(said.get("flags", [])))
    gcc = "g++" in pathlib.Path(options.compiler).name and "clang" not in options.compiler
    if gcc and CLANG_ONLY & set(flags):
        return None
    command = [options.compiler, *shlex.split(options.flags), *flags]
    for folder in options.include:
        command += ["-I", folder]
    if "trace-error" in said:
        if options.link is None:
            return None
        program = os.path.join(scratch, path.stem)
        status, output = run([*command, str(path), "-o", program, *shlex.split(options.link)])
        if status != 0:
            return ["it does not compile", output]
        status, output = run([program])
        problems = missing(said["trace-error"], output)
        if status != 1:
            problems.append(f"exit status {status} instead of 1")
        return problems + [output] if problems else []
    texts = said.get("error-gcc", said.get("error", [])) if gcc else said.get("error", [])
    if not texts:
        return ["the file does not say what must be said"]
    status, output = run([*command, "-fsyntax-only", str(path)])
    problems = ["it compiles"] if status == 0 else missing(texts, output)
    return problems + [output[:4000]] if problems else []


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="clang++-22")
    parser.add_argument("--flags", default="-std=c++20", help="for every file")
    parser.add_argument("--include", action="append", default=[], help="a folder to find headers in; may be repeated")
    parser.add_argument("--link", help="objects and libraries for the programs that run; without it they are left out")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="all files beside this script, if none is named")
    options = parser.parse_args()
    root = here.parent.parent
    options.include = options.include or [str(root / "include"), str(root)]
    files = options.files or sorted(here.glob("*.cpp"))

    failed = skipped = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, problems in zip(files, pool.map(lambda f: check(f, options, scratch), files)):
            if problems is None:
                skipped += 1
            elif problems:
                failed += 1
                print(f"{path.name}:", *problems, sep="\n  ")
    print(f"{len(files) - failed - skipped} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
