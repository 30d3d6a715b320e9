"""check_dump.py TEGULA EXAMPLES EMULATOR WORK: TEGULA_DUMP and `tegula ptx --run`: what is written and shown, and what is said of mistakes."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

tegula, examples, emulator, work = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], pathlib.Path(sys.argv[4])
softmax = str(examples / "example_05_softmax")
failures = []
shutil.rmtree(work, ignore_errors=True)
cpu = {"TEGULA_DEVICE": "cpu"}
gpu = {"TEGULA_DEVICE": "gpu", "TEGULA_DRIVER": emulator, "TEGULA_CACHE_DIR": str(work / "cache")}


def run(*command, status=0, **variables):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=os.environ | variables)
    check(result.returncode == status, f"{' '.join(map(str, command))}: exit status {result.returncode}, not {status}", result)
    return result


def check(holds, text, result):
    if not holds:
        failures.append(f"{text}\n--- standard output\n{result.stdout[-3000:]}\n--- standard error\n{result.stderr[-3000:]}")


def files(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


def stages(folder):
    return {re.sub(r"^.*\.(\d-)?([a-z-]+)\.[a-z]+$", r"\2", name) for name in files(folder)}


# Every stage is there, on the CPU and on a GPU, also of code that the cache on disk has.
result = run(softmax, TEGULA_DUMP=str(work / "cpu" / "new"), **cpu)
check(stages(work / "cpu" / "new") == {"tile", "proved", "canonical", "placed", "loops", "llvm-dialect", "llvm", "asm", "plan"},
      f"the stages of the CPU: {sorted(files(work / 'cpu' / 'new'))}", result)
run(softmax, **gpu)
for _ in range(2):  # the second time over the first one's files
    result = run(softmax, TEGULA_DUMP=str(work / "gpu"), **gpu)
shown = files(work / "gpu")
check(stages(work / "gpu") == {"tile", "proved", "canonical", "stages", "layouts", "threads", "llvm-dialect", "llvm", "ptx", "plan"},
      f"the stages of a GPU: {sorted(shown)}", result)
check(all(text.strip() for text in shown.values()), "no file is empty", result)
check(all(re.fullmatch(r"softmax-[0-9a-f]{12}(\.sm_90a\.[a-z0-9_-]+)?(\.\d-[a-z-]+\.(mlir|ll|ptx)|\.plan\.txt)", name) for name in shown),
      f"the names: {sorted(shown)}", result)
plan = next(text for name, text in shown.items() if name.endswith(".plan.txt"))
for line in (r"kernel: softmax", r"place: .*05_softmax.cpp:\d+", r"target: sm_90a", r"facts: \d+ \(.*\)", r"threads: \d+ \(\d+ warps\)",
             r"shared memory: \d+ bytes", r"loads: 1; staged in shared memory: 0; kept there: \d", r"stores: 1; boxed, by TMA: 0",
             r"places that may speak: 0", r"registers: \d+ of each thread, \d+ bytes spilled"):
    check(re.search(f"^{line}", plan, re.MULTILINE), f"the plan has '{line}': {plan}", result)
check(run(softmax, **gpu).stdout == run(softmax, TEGULA_DUMP=str(work / "gpu"), **gpu).stdout, "the program does the same", result)

# Processes at once.
together = [subprocess.Popen([softmax], env=os.environ | cpu | {"TEGULA_DUMP": str(work / "together")}, stdout=subprocess.DEVNULL)
            for _ in range(4)]
check(all(process.wait() == 0 for process in together), "four processes write to one folder", result)
check(sorted(files(work / "together")) == sorted(files(work / "cpu" / "new")), "and leave what one leaves", result)

# Folders in which nothing can be written.
(work / "file").write_text("")
for folder, why in ((work / "file", "Not a directory|File exists"), (work / "file" / "below", "Not a directory")):
    result = run(softmax, status=-signal.SIGABRT, TEGULA_DUMP=str(folder), **cpu)  # nobody catches it
    check(re.search(f"TEGULA_DUMP is '{folder}', where no file can be made: ({why}); set it to a folder that can be written",
                    result.stdout + result.stderr), "a folder that is none", result)

# tegula ptx --run
result = run(tegula, "ptx", "--run", softmax, **gpu)
check(".target sm_90a" in result.stdout and "// kernel: softmax\n" in result.stdout and "softmax:" in result.stderr, "the PTX", result)
result = run(tegula, "ptx", "--stage", "layouts", "--kernel", "softmax", "--run", softmax, **gpu)
check("tile.layout" in result.stdout and "\n.target" not in result.stdout, "a stage of a kernel", result)
result = run(tegula, "ptx", "--kernel", "sofmax", "--run", softmax, status=2, **gpu)
check("compiled no kernel 'sofmax' (did you mean 'softmax'?); it compiled\nsoftmax" in result.stderr, "another kernel", result)
result = run(tegula, "ptx", "--stage", "nosuch", "--run", softmax, status=2, **gpu)
check(re.search("there is no stage 'nosuch'; there are .*canonical.* ptx", result.stderr), "another stage", result)
result = run(tegula, "ptx", "--run", softmax, status=2, **cpu)
check("code for the CPU has no PTX: TEGULA_DEVICE=gpu" in result.stderr, "a program on the CPU", result)
result = run(tegula, "ptx", "--stage", "asm", "--run", softmax, **cpu)
check("# target: cpu" in result.stdout and "tegula_program_softmax" in result.stdout, "assembly", result)
result = run(tegula, "ptx", "--run", "true", status=1)
check("'true' compiled no kernel" in result.stderr, "a program without kernels", result)
result = run(tegula, "ptx", "--run", "false", status=1)
check("'false' exited with status 1" in result.stderr, "a program that fails", result)
result = run(tegula, "ptx", "--run", "/no/such/program", status=1)
check("'/no/such/program' cannot be run: No such file" in result.stderr, "a program that is not there", result)
for wrong in (["--run"], ["--kernel", "k"], ["softmax", "--run", "true"], ["--ragged", "--run", "true"], ["--stage"]):
    check("usage: tegula" in run(tegula, "ptx", *wrong, status=2).stderr, "a wrong command line shows the right one", result)
check("--run PROGRAM" in run(tegula, "ptx", "--help").stdout, "help", result)

print("\n".join(failures) or "all as expected")
sys.exit(bool(failures))
