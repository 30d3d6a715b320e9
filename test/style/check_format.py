"""check_format.py CLANG_FORMAT ROOT: every C++ file of the project is formatted as .clang-format says."""
import pathlib
import subprocess
import sys

clang_format, root = sys.argv[1], pathlib.Path(sys.argv[2])
folders = ["include", "kernels", "lib", "llm", "tools", "examples", "test", "bench"]
files = sorted(f for folder in folders for f in (root / folder).rglob("*") if f.suffix in (".h", ".hpp", ".cpp"))
wrong = [f for f in files if subprocess.run([clang_format, str(f)], capture_output=True, check=True).stdout != f.read_bytes()]
for f in wrong:
    print(f"{f.relative_to(root)}: not formatted; run {clang_format} -i on it")
print(f"{len(files)} files, {len(wrong)} of them not formatted")
sys.exit(bool(wrong) or not files)
