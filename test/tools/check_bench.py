#!/usr/bin/env python3
"""Tests of what surrounds the benchmarks: the report, and the turns that Tegula and its peers take.

usage: check_bench.py BENCH_FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

BENCH = pathlib.Path(sys.argv.pop(1)).resolve()


def run(script, *arguments):
    return subprocess.run([sys.executable, BENCH / script, *arguments], capture_output=True, text=True, encoding="utf-8")


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)


class Report(InFolder):
    LINE = {"bench": "add f32", "case": "2^28", "value": 4000, "unit": "GB/s", "device": "H200", "date": "2026-01-02T00:00:00Z"}

    def lines(self, *lines):
        return "".join(json.dumps({**self.LINE, **line}) + "\n" for line in lines)

    def test_the_newest_of_each_figure_is_shown(self):
        file = self.write("a.jsonl", self.lines({"value": 1111, "date": "2026-01-01T00:00:00Z"}, {"value": 2222}, {"case": "2^20", "value": 3333}))
        older = self.write("b.jsonl", self.lines({"value": 4444, "date": "2025-12-31T00:00:00Z"}))
        result = run("report.py", file, older)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("2222", result.stdout)
        self.assertIn("3333", result.stdout)
        self.assertNotIn("1111", result.stdout)
        self.assertNotIn("4444", result.stdout)

    def test_devices_are_told_apart(self):
        result = run("report.py", self.write("a.jsonl", self.lines({"value": 1111}, {"device": "H100", "value": 2222})))
        self.assertLess(result.stdout.index("H200\n"), result.stdout.index("1111"))
        self.assertLess(result.stdout.index("1111"), result.stdout.index("H100\n"))
        self.assertLess(result.stdout.index("H100\n"), result.stdout.index("2222"))

    def test_peers_and_ratios_are_shown(self):
        result = run("report.py", self.write("a.jsonl", self.lines({"peer": "torch 9", "peer_value": 3900, "ratio": 1.026})))
        self.assertRegex(result.stdout, r"add f32 +2\^28 +4000 +3900 +GB/s +1\.03× +2026-01-02 +torch 9")

    def test_a_peer_by_itself_is_left_out(self):
        result = run("report.py", self.write("a.jsonl", self.lines({"value": 1111}, {"value": 2222, "program": "torch 9"})))
        self.assertIn("1111", result.stdout)
        self.assertNotIn("2222", result.stdout)

    def test_a_line_that_is_none_is_named(self):
        result = run("report.py", self.write("a.jsonl", self.lines({}) + '{"bench": "add"}\n'))
        self.assertEqual(result.returncode, 1)
        self.assertIn("a.jsonl:2: not a line with bench, case, device and date", result.stderr)

    def test_nothing_was_kept(self):
        result = run("report.py", self.write("a.jsonl", ""))
        self.assertEqual(result.returncode, 1)
        self.assertIn("run scripts/bench cpu or scripts/bench gpu", result.stderr)


SERVER = """
import sys
sys.path.insert(0, {bench!r})
from serving import serve
values = {values!r}

def prepare(case):
    if case["case"] == "broken":
        raise ValueError("does not fit")
    if case["case"] == "deadly":
        sys.exit(7) if {mortal} else None
    turns = iter(values[case["case"]])
    return {variant!r}, lambda: next(turns)

cases = [dict(bench="b", case=case, unit="µs" if case == "time" else "GB/s") for case in values]
serve({{"device": "fake", "driver": "1", "clocks": "2"}}, cases, prepare)
"""


class Beside(InFolder):
    def server(self, name, values, variant, mortal=False):
        text = textwrap.dedent(SERVER).format(bench=str(BENCH), values=values, variant=variant, mortal=mortal)
        return f"{sys.executable} {self.write(name, text)}"

    def beside(self, ours, theirs, *arguments):
        results = self.folder / "results.jsonl"
        result = run("beside.py", "--ours", self.server("ours.py", ours, "fast", mortal=True), "--peers",
                     self.server("theirs.py", theirs, "torch"), "--results", str(results), *arguments)
        lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()] if results.exists() else []
        return result, {line["case"]: line for line in lines}

    def test_the_ratio_is_the_median_over_the_rounds(self):
        result, lines = self.beside({"speed": [10, 30, 20]}, {"speed": [10, 10, 20]})
        self.assertEqual(result.returncode, 0, result.stderr)
        line = lines["speed"]
        self.assertEqual((line["value"], line["peer_value"], line["ratio"]), (20, 10, 1))
        self.assertEqual((line["peer"], line["variant"], line["unit"]), ("torch", "fast", "GB/s"))
        for key in ("device", "driver", "clocks", "date", "command"):
            self.assertIn(key, line)

    def test_of_times_the_shorter_is_better(self):
        _, lines = self.beside({"time": [5, 5, 5]}, {"time": [10, 10, 10]})
        self.assertEqual(lines["time"]["ratio"], 2)

    def test_what_has_no_peer_is_measured_alone(self):
        _, lines = self.beside({"alone": [5, 6, 7]}, {"speed": [1, 1, 1]})
        self.assertEqual(lines["alone"]["value"], 6)
        self.assertNotIn("peer", lines["alone"])

    def test_a_failure_is_told_and_the_rest_is_measured(self):
        result, lines = self.beside({"broken": [1], "deadly": [1], "speed": [4, 4, 4]}, {"broken": [1], "deadly": [1], "speed": [2, 2, 2]})
        self.assertEqual(result.returncode, 1)
        self.assertIn("ValueError: does not fit", result.stdout)
        self.assertIn("ended with status 7 when asked to prepare b deadly", result.stdout)
        self.assertIn("2 failed", result.stderr)
        self.assertEqual(list(lines), ["speed"])
        self.assertEqual(lines["speed"]["ratio"], 2)

    def test_the_filter_chooses(self):
        _, lines = self.beside({"speed": [1, 1, 1], "other": [1, 1, 1]}, {}, "spe")
        self.assertEqual(list(lines), ["speed"])


if __name__ == "__main__":
    unittest.main()
