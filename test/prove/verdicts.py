#!/usr/bin/env python3
"""The ratchet: every obligation of the library's kernels and of the examples is settled at least as well as verdicts.txt says.

usage: verdicts.py TEGULA EXAMPLE... [--update]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PINNED = pathlib.Path(__file__).with_name("verdicts.txt")
RUNGS = ["proved", "condition", "checked", "waived", "refuted"]
MEANT_TO_BE_REFUTED = {"15_refuted"}


def proofs_of_library(tegula):
    output = subprocess.run([tegula, "prove", "--json"], capture_output=True, text=True).stdout
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def proofs_of_program(program):
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "proofs.json")
        environment = {**os.environ, "TEGULA_PROOFS": str(log)}
        environment.pop("TEGULA_CHECKS", None)
        subprocess.run([program], env=environment, stdout=subprocess.DEVNULL, check=True)
        return [json.loads(line) for line in log.read_text().splitlines()]


def verdicts(source, proofs):
    """One row per obligation: where, kernel, kind, what, which of several alike; and its rung."""
    rows = {}
    for proof in proofs:
        print(f"{source:22} {proof['kernel']:28} {len(proof['obligations']):3} obligations {proof['ms']:8.1f} ms")
        seen = {}
        for obligation in proof["obligations"]:
            key = (source, proof["kernel"], obligation["kind"], obligation["what"])
            seen[key] = seen.get(key, 0) + 1
            row = (*key, str(seen[key]))
            # A kernel that is proved twice (for two element types) counts with its worst.
            rows[row] = max(rows.get(row, "proved"), obligation["rung"], key=RUNGS.index)
    return rows


def read(path):
    rows = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            *row, rung = [field.strip() for field in line.split("|")]
            rows[tuple(row)] = rung
    return rows


def write(path, rows):
    head = "# where | kernel | kind | what | which of several alike | rung. Written by verdicts.py --update.\n"
    path.write_text(head + "".join(" | ".join((*row, rung)) + "\n" for row, rung in rows.items()))


def main():
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    if not arguments:
        sys.exit(__doc__)
    rows = verdicts("library", proofs_of_library(arguments[0]))
    for program in arguments[1:]:
        source = pathlib.Path(program).name.removeprefix("example_")
        rows.update(verdicts(source, proofs_of_program(program)))
    failures = []
    for row, rung in rows.items():
        if RUNGS.index(rung) > RUNGS.index("condition") and row[0] not in MEANT_TO_BE_REFUTED:
            failures.append(f"{' | '.join(row)}: {rung}; what is shipped must be proved, or a condition of the launch")
    if "--update" in sys.argv:
        write(PINNED, rows)
    pinned = read(PINNED)
    better = []
    for row, rung in pinned.items():
        if row not in rows:
            failures.append(f"{' | '.join(row)}: pinned as {rung}, and gone")
        elif RUNGS.index(rows[row]) > RUNGS.index(rung):
            failures.append(f"{' | '.join(row)}: was {rung}, is {rows[row]}")
        elif rows[row] != rung:
            better.append(f"{' | '.join(row)}: was {rung}, is {rows[row]}")
    better += [f"{' | '.join(row)}: new, {rung}" for row, rung in rows.items() if row not in pinned]
    if better or failures:
        print("\n".join(better + failures))
        print(f"to pin what is: {sys.executable} {' '.join(sys.argv)} --update")
    print(f"{len(rows)} obligations, {len(better)} better or new, {len(failures)} weaker or gone")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
