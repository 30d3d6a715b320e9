"""check_command.py --status N [--stdout REGEX]... [--stderr REGEX]... -- COMMAND...: runs a command and compares what it did."""
import argparse
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--status", type=int, required=True)
parser.add_argument("--stdout", action="append", default=[])
parser.add_argument("--stderr", action="append", default=[])
parser.add_argument("command", nargs="+")
wanted = parser.parse_args()

run = subprocess.run(wanted.command, capture_output=True, text=True)
wrong = [f"exit status {run.returncode}, not {wanted.status}"] if run.returncode != wanted.status else []
for name, text, patterns in (("standard output", run.stdout, wanted.stdout), ("standard error", run.stderr, wanted.stderr)):
    wrong += [f"the {name} does not match '{p}'" for p in patterns if not re.search(p, text, re.MULTILINE)]
for problem in wrong:
    print(problem)
if wrong:
    print(f"--- standard output\n{run.stdout}\n--- standard error\n{run.stderr}")
sys.exit(bool(wrong))
