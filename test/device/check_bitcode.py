"""check_bitcode.py LLVM_BIN CLANG BITCODE ROOT: the GPU's functions are complete, call nothing outside themselves, and use no local memory.

ptxas, where it is installed, says the last of kernels into which the functions of single precision are inlined.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

llvm, clang, bitcode, root = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nfailed:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


header = (root / "lib/device/Functions.h").read_text()
declared = {name: arguments.count(",") + 1 for name, arguments in re.findall(r"(tegula_\w+)\((.*?)\);", header)}
symbols = [line.split() for line in run(llvm / "llvm-nm", bitcode).splitlines()]
missing = set(declared) - {symbol[-1] for symbol in symbols if symbol[-2] == "T"}
undefined = [symbol[-1] for symbol in symbols if symbol[-2] == "U"]
if not declared or missing:
    sys.exit(f"{bitcode} lacks what lib/device/Functions.h declares: {sorted(missing)}; is a file not listed in lib/device/CMakeLists.txt?")
if undefined:
    sys.exit(f"{bitcode} calls what no GPU has: {undefined}; write it in lib/device")

kernels = "".join(
    f"float {name}({', '.join(['float'] * count)});\n"
    f"[[clang::device_kernel]] void kernel_{name}(float* data) {{ for (int i = 0; i < 4; ++i)\n"
    f"  data[i] = {name}({', '.join(f'data[i + {4 * k}]' for k in range(count))}); }}\n"
    for name, count in declared.items() if name.endswith("f") and name != "tegula_erf")
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    (folder / "kernels.cpp").write_text(f'extern "C" {{\n{kernels}}}\n')
    run(clang, "--target=nvptx64-nvidia-cuda", "-march=sm_80", "-nocudalib", "-O2", "-emit-llvm", "-c", folder / "kernels.cpp",
        "-o", folder / "kernels.bc")
    run(llvm / "llvm-link", folder / "kernels.bc", "--only-needed", "--internalize", bitcode, "-o", folder / "linked.bc")
    run(llvm / "opt", "-O2", folder / "linked.bc", "-o", folder / "optimized.bc")
    run(llvm / "llc", "-mcpu=sm_80", folder / "optimized.bc", "-o", folder / "kernels.ptx")
    ptx = (folder / "kernels.ptx").read_text()
    called = set(re.findall(r"call\S*\s+\(retval0\), (\w+)", ptx))
    if called & set(declared) or ".local" in ptx:
        sys.exit(f"not inlined into kernels: {sorted(called & set(declared))}; local memory in {re.findall(r'.*[.]local.*', ptx)}")
    ptxas = shutil.which("ptxas", path="/usr/local/cuda/bin") or shutil.which("ptxas")
    if not ptxas:
        print("no ptxas here: the PTX was not assembled")
        sys.exit(0)
    report = run(ptxas, "-arch=sm_80", "-v", folder / "kernels.ptx", "-o", folder / "kernels.cubin")
    frames = re.findall(r"Function properties for (\w+)\s+([1-9]\d*) bytes stack frame.*", report)
    if frames:
        sys.exit(f"local memory in {frames}")
print(f"{len(declared)} functions")
