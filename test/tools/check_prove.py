"""check_prove.py TEGULA EXAMPLES: `tegula prove` in all its forms: what it prints, and what it exits with."""
import json
import pathlib
import subprocess
import sys

tegula, examples = sys.argv[1], pathlib.Path(sys.argv[2])
failures = []


def prove(*arguments, status):
    run = subprocess.run([tegula, "prove", *map(str, arguments)], capture_output=True, text=True)
    check(run.returncode == status, f"prove {' '.join(map(str, arguments))}: exit status {run.returncode}, not {status}", run)
    return run


def check(holds, text, run):
    if not holds:
        failures.append(f"{text}\n--- standard output\n{run.stdout[-4000:]}\n--- standard error\n{run.stderr[-4000:]}")


def proofs(run):
    """The lines of JSON, each with all of its fields."""
    result = [json.loads(line) for line in run.stdout.splitlines()]
    for proof in result:
        check(list(proof) == ["kernel", "file", "line", "ms", "obligations", "conditions", "refutation"], "a proof's fields", run)
        for o in proof["obligations"]:
            fields = ["kind", "what", "parameter", "axis", "file", "line", "other_line", "rung", "how", "ms"]
            check(list(o) == fields, "an obligation's fields", run)
        for c in proof["conditions"]:
            check(list(c) == ["text", "purpose", "file", "line"], "a condition's fields", run)
    return result


# The library: everything is proved, or follows from what the host checks at the launch.
run = prove("--json", status=0)
library = proofs(run)
check(len(library) > 10 and all(p["obligations"] for p in library), "every library kernel has obligations", run)
check(all(o["rung"] in ("proved", "condition") for p in library for o in p["obligations"]), "the rungs of the library", run)
check(all(o["file"].startswith("kernels/") for p in library for o in p["obligations"]), "files are named from the root", run)
run = prove(status=0)
check(all(f"kernel '{p['kernel']}' (" in run.stdout for p in library), "the table has every kernel", run)
check(run.stdout.splitlines()[-1].startswith(f"{len(library)} kernels: "), "the table ends with the sum", run)

run = prove("add", "--json", status=0)
check([p["kernel"] for p in proofs(run)] == ["add"], "one kernel is proved alone", run)
run = prove("matrix_product_persistent", "--json", status=0)
steps = [o for p in proofs(run) for o in p["obligations"] if o["kind"] == "step"]
check([(o["what"], o["parameter"], o["axis"], o["rung"]) for o in steps] == [("step of a loop", -1, -1, "proved")], "a step", run)
run = prove("matrix_product_persistent", status=0)
check(f"{steps[0]['file']}:{steps[0]['line']}  step      step of a loop  " in run.stdout, "the table has steps, too", run)
run = prove("nonesuch", status=2)
check("no kernel 'nonesuch'" in run.stderr and " softmax" in run.stderr, "an unknown name lists the known ones", run)
for wrong in (["--nonesuch"], ["add", "softmax"], ["--run"], ["add", "--run", "true"]):
    check("usage: tegula" in prove(*wrong, status=2).stderr, "a wrong command line shows the right one", run)

# A program: what it prints stays apart from the proofs, and its exit status is reported.
run = prove("--run", examples / "example_02_vector_add", status=0)
check("vector add: " in run.stdout and "kernel 'add' (" in run.stdout and "exited with status 0" in run.stdout, "a program", run)
run = prove("--json", "--run", examples / "example_02_vector_add", status=0)
check([p["kernel"] for p in proofs(run)] == ["add"] and "vector add: " in run.stderr, "JSON of a program", run)
run = prove("--run", examples / "example_15_refuted", status=1)
check(" ms, refuted\n" in run.stdout and "exited with status 0" in run.stdout, "a program with a refuted kernel", run)
run = prove("--json", "--run", examples / "example_15_refuted", status=1)
check([bool(p["refutation"]) for p in proofs(run)] == [False, True], "JSON of a refuted kernel", run)
run = prove("--run", "false", status=1)
check("exited with status 1" in run.stdout and "compiled no kernel" in run.stderr, "a program that fails", run)
run = prove("--run", "/no/such/program", status=1)
check("'/no/such/program' cannot be run: No such file" in run.stderr, "a program that is not there", run)

print("\n".join(failures) or "all as expected")
sys.exit(bool(failures))
