"""check_same.py A B: both programs succeed and print the same, also what they say of kernels that run with checks."""
import difflib
import subprocess
import sys

outputs = []
for program in sys.argv[1:3]:
    run = subprocess.run([program], capture_output=True, text=True)
    if run.returncode != 0 or "runs with checks" not in run.stderr:
        sys.exit(f"{program} exits with {run.returncode}\n{run.stderr}")
    outputs.append((run.stdout + run.stderr).splitlines())
difference = list(difflib.unified_diff(*outputs, *sys.argv[1:3], lineterm=""))
print("\n".join(difference) or f"{len(outputs[0])} equal lines")
sys.exit(bool(difference))
