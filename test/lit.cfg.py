# IR tests: each .mlir file says with RUN lines how it is run and with CHECK lines what must come out.
# Run through ctest, or by hand: lit -v -D opt=build/dev/bin/tegula-opt -D filecheck=FileCheck-22 test/dialect
import os
import tempfile

import lit.formats

config.name = "tegula"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params.get("out") or os.path.join(tempfile.gettempdir(), "tegula-lit")
opt = os.path.abspath(lit_config.params["opt"])
config.substitutions += [(r"\btegula-opt\b", opt), (r"\bFileCheck\b", lit_config.params["filecheck"])]
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
