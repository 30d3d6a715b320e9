"""summary.py REPORT...: from ctest's reports, the slowest tests and the sum, counting the cases inside each test."""
import re
import sys
import xml.etree.ElementTree as xml


def has_failed(case):
    """Also if what it depends on failed, so that it did not run."""
    message = (case.find("skipped") if case.find("skipped") is not None else case).get("message") or ""
    return case.get("status") == "fail" or (case.get("status") == "notrun" and "SKIP" not in message)


def count(case, text):
    """How many cases of a test passed and failed: what GoogleTest, lit and our own checkers print; else the test itself is one."""
    own = re.findall(r"^(\d+) passed, (\d+) failed\b", text, re.M)
    if own:
        return int(own[-1][0]), int(own[-1][1])
    passed = re.findall(r"^\[  PASSED  \] (\d+) tests?\.|^  Passed\s*: (\d+)", text, re.M)
    failed = re.findall(r"^ ?(\d+) FAILED TESTS?|^  Failed\s*: (\d+)", text, re.M)
    total = lambda groups: sum(int(n) for group in groups for n in group if n)
    if passed or failed:
        return total(passed), total(failed)
    return (0, 1) if has_failed(case) else (1, 0)


passed = failed = 0
times = []
for report in sys.argv[1:]:
    where = report.split("/")[-2]
    for case in xml.parse(report).getroot().iter("testcase"):
        text = case.findtext("system-out") or ""
        p, f = count(case, text)
        if has_failed(case) and f == 0:
            f = 1
        passed, failed = passed + p, failed + f
        times.append((float(case.get("time")), f"{case.get('name')} ({where})"))
        times += [(int(ms) / 1000, f"{case.get('name')}: {name} ({where})")
                  for name, ms in re.findall(r"^\[       OK \] (\S+) \((\d+) ms\)", text, re.M)]

print("Slowest:")
for seconds, name in sorted(times, reverse=True)[:12]:
    print(f"  {seconds:8.1f} s  {name}")
print(f"{passed} passed, {failed} failed")
