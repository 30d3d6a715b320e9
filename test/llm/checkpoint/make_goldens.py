"""make_goldens.py FOLDER: writes the files in goldens/ with the package `safetensors` (0.8.0, and numpy). GoldenTest.cpp reads them, and
has the same numbers."""
import json
import pathlib
import sys

import numpy
from safetensors import TensorSpec, serialize_file

folder = pathlib.Path(sys.argv[1])
numbers = numpy.arange(6, dtype=numpy.float32) * 0.75 - 2


def tensor(dtype, shape, data):
    return dtype, shape, numpy.frombuffer(data, dtype=numpy.uint8)


def bf16(values):
    return (values.astype(numpy.float32).view(numpy.uint32) >> 16).astype(numpy.uint16).tobytes()  # exact for these


def save(path, tensors, metadata):
    path.parent.mkdir(parents=True, exist_ok=True)
    specs = {name: TensorSpec(dtype=dtype, shape=shape, data_ptr=data.ctypes.data, data_len=data.nbytes)
             for name, (dtype, shape, data) in tensors.items()}
    serialize_file(specs, str(path), metadata)


save(folder / "single/model.safetensors", {
    "f32": tensor("float32", [2, 3], numbers.tobytes()),
    "f16": tensor("float16", [3, 2], numbers.astype(numpy.float16).tobytes()),
    "bf16": tensor("bfloat16", [6], bf16(numbers)),
    "scalar": tensor("float32", [], numpy.float32(0.5).tobytes()),
    "empty": tensor("float32", [0, 4], b""),
    "i64": tensor("int64", [2], numpy.array([-1, 1 << 40], dtype=numpy.int64).tobytes()),
    "f8": tensor("float8_e4m3fn", [3], bytes([0x38, 0x40, 0xb8])),
    "bool": tensor("bool", [3], bytes([1, 0, 1])),
}, {"format": "pt"})

shards = {
    "model-00001-of-00002.safetensors": {"a.weight": tensor("bfloat16", [6], bf16(numbers))},
    "model-00002-of-00002.safetensors": {"b.weight": tensor("bfloat16", [2, 3], bf16(-numbers)), "c.weight": tensor("float16", [1], b"\x00\x3c")},
}
for name, tensors in shards.items():
    save(folder / "sharded" / name, tensors, None)
weight_map = {tensor: name for name, tensors in shards.items() for tensor in tensors}
index = {"metadata": {"total_size": 26}, "weight_map": weight_map}
(folder / "sharded/model.safetensors.index.json").write_text(json.dumps(index, indent=2) + "\n")
