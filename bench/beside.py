#!/usr/bin/env python3
"""Measures Tegula and its peers on a GPU in turns, case by case, prints a table with ratios and keeps the raw lines.

usage: beside.py [FILTER] [--rounds N] [--results FILE] [--ours COMMAND] [--peers COMMAND]
"""
import argparse
import datetime
import json
import pathlib
import shlex
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TIMES = ("µs", "ms")  # where less is better


class Program:
    """A program that answers requests. One that ends is started again at the next request."""

    def __init__(self, command):
        self.command = command
        self.process = None

    def ask(self, request):
        """Returns the answer; raises RuntimeError with what went wrong."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        try:
            self.process.stdin.write(request + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise RuntimeError(f"'{shlex.join(self.command)}' ended with status {self.process.wait()} when asked to {request}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


def better(unit, value, peer_value):
    """How many times better than the peer."""
    return peer_value / value if unit in TIMES else value / peer_value


def measure(case, ours, theirs, rounds):
    """In turns; returns what a line says about the case."""
    name = f"{case['bench']} {case['case']}"
    variant = ours.ask(f"prepare {name}").get("variant", "")
    peer = theirs.ask(f"prepare {name}")["variant"] if theirs else None
    values, peer_values = [], []
    for _ in range(rounds):
        values.append(ours.ask("measure")["value"])
        if theirs:
            peer_values.append(theirs.ask("measure")["value"])
    line = {"bench": case["bench"], "case": case["case"], "value": rounded(statistics.median(values)), "unit": case["unit"]}
    if variant:
        line["variant"] = variant
    if theirs:
        ratios = [better(case["unit"], value, peer_value) for value, peer_value in zip(values, peer_values)]
        line.update(peer=peer, peer_value=rounded(statistics.median(peer_values)), ratio=rounded(statistics.median(ratios)))
        theirs.ask("drop")
    ours.ask("drop")
    return line


def rounded(value):
    return float(f"{value:.4g}")


def show(line):
    peer = f"{line['peer_value']:10.4g}" if "peer" in line else " " * 10
    ratio = f"{line['ratio']:6.2f}×  {line['peer']}" if "peer" in line else ""
    print(f"{line['bench']:20} {line['case']:16} {line['value']:10.4g} {peer}  {line['unit']:8} {ratio:24} {line.get('variant', '')}",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description="Measures Tegula and its peers on a GPU in turns.")
    parser.add_argument("filter", nargs="?", default="", help="only the cases whose name contains it")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--results", metavar="FILE", help="a line for each figure is appended to it")
    parser.add_argument("--ours", default=shlex.quote(str(HERE / "gpu-bench")), metavar="COMMAND")
    parser.add_argument("--peers", default=shlex.join([sys.executable, str(HERE / "peers.py")]), metavar="COMMAND")
    options = parser.parse_args()
    command = shlex.join(["beside.py"] + sys.argv[1:])

    ours, theirs = (Program(shlex.split(text) + ["--serve"]) for text in (options.ours, options.peers))
    try:
        known = {(case["bench"], case["case"]) for case in theirs.ask("cases")["cases"]}
    except RuntimeError as error:
        print(f"beside.py: peers are left out: {error}", file=sys.stderr)
        known = set()
    print(f"{'benchmark':20} {'case':16} {'Tegula':>10} {'peer':>10}  {'unit':8} {'ratio':>7}  peer; more is better")
    failures = 0
    for case in ours.ask("cases")["cases"]:
        if options.filter not in f"{case['bench']} {case['case']}":
            continue
        try:
            line = measure(case, ours, theirs if (case["bench"], case["case"]) in known else None, options.rounds)
            line.update(ours.ask("card"))
        except RuntimeError as error:
            failures += 1
            print(f"{case['bench']:20} {case['case']:16} failed: {error}", flush=True)
            continue
        show(line)
        if options.results:
            line.update(date=datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), command=command)
            with open(options.results, "a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
    ours.close()
    theirs.close()
    if failures:
        print(f"{failures} failed", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
