"""check_tidy.py CLANG_TIDY ROOT BUILD FOLDER...: clang-tidy on every compiled file in some folders, as many at a time as there are cores."""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

clang_tidy, root, build = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
folders = tuple(str(root / folder) + "/" for folder in sys.argv[4:])
commands = json.loads((build / "compile_commands.json").read_text())
files = sorted({c["file"] for c in commands if c["file"].startswith(folders)})
# What comes from a precompiled header is looked at as if it were ours, which takes as long again.
for command in commands:
    command["command"] = re.sub(r" -Winvalid-pch.* -Xclang \S*cmake_pch\.hxx(?= )", "", command["command"])
database = tempfile.TemporaryDirectory()
(pathlib.Path(database.name) / "compile_commands.json").write_text(json.dumps(commands))


def check(file):
    run = subprocess.run([clang_tidy, "-p", database.name, "--quiet", file], capture_output=True, text=True)
    return file, run.returncode, run.stdout + (run.stderr if run.returncode else "")


failed = 0
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for file, code, text in pool.map(check, files):
        if code:
            failed += 1
            print(f"{os.path.relpath(file, root)}:\n{text}")
print(f"{len(files)} files, {failed} of them with warnings")
sys.exit(failed > 0 or not files)
