#!/usr/bin/env python3
"""Prints the newest of each figure that was kept: report.py [FILE...], by default every file in results/."""
import json
import pathlib
import sys

RESULTS = pathlib.Path(__file__).resolve().parent / "results"


def read(files):
    """The newest line of each benchmark, case and device, in the order of their first appearance."""
    newest = {}
    for file in files:
        for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            try:
                line = json.loads(text)
                if "program" in line:  # a peer by itself: peers.py
                    continue
                key = line["bench"], line["case"], line["device"]
                if key not in newest or line["date"] >= newest[key]["date"]:
                    newest[key] = line
            except (json.JSONDecodeError, KeyError, TypeError) as error:
                sys.exit(f"report.py: {file}:{number}: not a line with bench, case, device and date ({error}); remove or correct it")
    return list(newest.values())


def main():
    files = [pathlib.Path(name) for name in sys.argv[1:]] or sorted(RESULTS.glob("*.jsonl"))
    lines = read(files)
    if not lines:
        sys.exit(f"report.py: nothing was kept in {RESULTS} yet; run scripts/bench cpu or scripts/bench gpu")
    for device in dict.fromkeys(line["device"] for line in lines):
        print(f"{device}\n")
        print(f"  {'benchmark':20} {'case':16} {'Tegula':>10} {'peer':>10}  {'unit':8} {'ratio':>7}  {'date':10}  peer")
        for line in lines:
            if line["device"] != device:
                continue
            peer = f"{line['peer_value']:10.4g}" if "peer" in line else " " * 10
            ratio = f"{line['ratio']:6.2f}×" if "peer" in line else " " * 7
            print(f"  {line['bench']:20} {line['case']:16} {line['value']:10.4g} {peer}  {line['unit']:8} {ratio}  {line['date'][:10]}  "
                  f"{line.get('peer', '')}".rstrip())
        print()


if __name__ == "__main__":
    main()
