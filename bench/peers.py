#!/usr/bin/env python3
"""The cases of gpu-bench with PyTorch and what it calls (cuBLAS above all), measured in the same way.

usage: peers.py [FILTER] [--json FILE] [--serve] [--list]
"""
import argparse
import datetime
import gc
import json
import math
import statistics
import subprocess
import sys
import time

import torch
import torch.nn.functional as F

from serving import serve

ROUND_SECONDS, GRAPH_SECONDS, ROUNDS = 4e-3, 1e-3, 25
TORCH = f"torch {torch.__version__.split('+')[0]}"
CUBLAS = f"cuBLAS ({TORCH})"


def sets_for(size):
    """As many sets of inputs as do not fit into a cache together."""
    return max(1, math.ceil(200e6 / size))


def repetitions(once, seconds, most):
    return min(max(1, math.ceil(seconds / max(once, 1e-7))), most)


def event_seconds(work):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    work()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1e-3


def launched(run, sets):
    """`run(i)` works on set i; returns a function that measures the seconds of one run."""

    def runs(count):
        def work():
            for i in range(count):
                run(i % sets)

        return event_seconds(work) / count

    runs(sets)
    count = max(sets, repetitions(runs(sets), ROUND_SECONDS, 4096))
    return lambda: runs(count)


def replayed(run, sets):
    """The same, from a graph."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):  # libraries set themselves up before a capture
        for i in range(min(sets, 3)):
            run(i)
    torch.cuda.synchronize()
    nodes = math.ceil(repetitions(event_seconds(lambda: run(0)), GRAPH_SECONDS, 24) / sets) * sets
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for i in range(nodes):
            run(i % sets)

    def replays(count):
        def work():
            for _ in range(count):
                graph.replay()

        return event_seconds(work) / (count * nodes)

    replays(1)
    count = repetitions(replays(1) * nodes, ROUND_SECONDS, 4096)
    return lambda: replays(count)


def fastest(ways, how, sets):
    """Of several ways to do it, (name, run) each."""
    timed = [(name, how(run, sets)) for name, run in ways]
    name, seconds = min(timed, key=lambda way: min(way[1]() for _ in range(3)))
    return (name if len(ways) > 1 else ""), seconds


def normal(*shape, dtype):
    return torch.randn(*shape, device="cuda", dtype=dtype)


def copy(size):
    x = [normal(size, dtype=torch.float32) for _ in range(sets_for(8 * size))]
    y = [torch.empty_like(t) for t in x]
    return fastest([("", lambda i: y[i].copy_(x[i]))], launched, len(x))


def add(size, dtype):
    width = torch.finfo(dtype).bits // 8
    count = sets_for(3 * width * size)
    a, b = ([normal(size, dtype=dtype) for _ in range(count)] for _ in range(2))
    c = [torch.empty_like(t) for t in a]
    return fastest([("", lambda i: torch.add(a[i], b[i], out=c[i]))], launched, count)


def matrices(rows, columns, dtype, inputs):
    width = torch.finfo(dtype).bits // 8
    count = sets_for(rows * columns * width * (inputs + 1))
    return count, [[normal(rows, columns, dtype=dtype) for _ in range(inputs)] for _ in range(count)]


def softmax(rows, columns):
    count, x = matrices(rows, columns, torch.bfloat16, 1)
    return fastest([("", lambda i: torch.softmax(x[i][0], -1))], launched, count)


def rms_norm(rows, columns):
    count, x = matrices(rows, columns, torch.bfloat16, 1)
    weight = normal(columns, dtype=torch.bfloat16)
    return fastest([("", lambda i: F.rms_norm(x[i][0], (columns,), weight, 1e-6))], launched, count)


def silu_gate(rows, columns):
    count, x = matrices(rows, columns, torch.bfloat16, 2)
    gate = lambda g, u: F.silu(g) * u
    ways = [("eager", lambda i: gate(*x[i]))]
    try:
        compiled = torch.compile(gate)
        compiled(*x[0])
        ways.append(("compiled", lambda i: compiled(*x[i])))
    except Exception as error:  # pylint: disable=broad-except # a compiler of C may be missing
        print(f"peers: torch.compile is left out: {type(error).__name__}", file=sys.stderr)
    return fastest(ways, launched, count)


def transpose(rows, columns, dtype):
    count, x = matrices(rows, columns, dtype, 1)
    y = [torch.empty(columns, rows, device="cuda", dtype=dtype) for _ in range(count)]
    return fastest([("", lambda i: y[i].copy_(x[i][0].t()))], launched, count)


def largest(rows, columns, find):
    count = sets_for(4 * rows * columns)
    x = [normal(rows, columns, dtype=torch.float32) for _ in range(count)]
    return fastest([("", lambda i: find(x[i]))], replayed, count)


def matrix_vector(rows, columns):
    count = sets_for(2 * rows * columns)
    w = [normal(rows, columns, dtype=torch.bfloat16) for _ in range(count)]
    x = [normal(columns, dtype=torch.bfloat16) for _ in range(count)]
    y = [normal(rows, dtype=torch.bfloat16) for _ in range(count)]
    ways = [("mv", lambda i: torch.mv(w[i], x[i], out=y[i])), ("linear", lambda i: F.linear(x[i][None], w[i]))]
    return fastest(ways, replayed, count)


def matrix_product(n):
    count = sets_for(8 * n * n)
    a, b = ([normal(n, n, dtype=torch.bfloat16) for _ in range(count)] for _ in range(2))
    c = [torch.empty_like(t) for t in a]
    return fastest([("", lambda i: torch.mm(a[i], b[i], out=c[i]))], launched, count)


def small_operation():
    x = normal(128, dtype=torch.float32)
    y = torch.empty_like(x)
    return lambda _: torch.add(x, x, out=y)


def host_seconds(count, work):
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(count):
        work()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / count


def launch_synchronous():
    run = small_operation()

    def work():
        run(0)
        torch.cuda.synchronize()

    host_seconds(10, work)
    return "", lambda: host_seconds(1000, work)


def launch_back_to_back():
    run = small_operation()
    host_seconds(10, lambda: run(0))
    return "", lambda: host_seconds(1000, lambda: run(0))


def launch_node():
    run = small_operation()
    run(0)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(1000):
            run(0)
    graph.replay()
    return "", lambda: event_seconds(graph.replay) / 1000


def make_cases():
    cases = []

    def case(bench, what, unit, amount, peer, prepare):
        cases.append({"bench": bench, "case": what, "unit": unit, "amount": amount, "peer": peer, "prepare": prepare})

    case("copy f32", "1 GiB", "GB/s", 8e-9 * 2**28, f"{TORCH} copy_", lambda: copy(2**28))
    for name, dtype, width in (("f32", torch.float32, 4), ("bf16", torch.bfloat16, 2)):
        for power in (20, 24, 28):
            case(f"add {name}", f"2^{power}", "GB/s", 3e-9 * width * 2**power, TORCH, lambda p=power, d=dtype: add(2**p, d))
    for rows, columns in ((8192, 4096), (4096, 32768)):
        case("softmax bf16", f"{rows}x{columns}", "GB/s", 4e-9 * rows * columns, TORCH, lambda r=rows, c=columns: softmax(r, c))
    for rows, columns in ((8192, 4096), (16384, 8192)):
        case("rms_norm bf16", f"{rows}x{columns}", "GB/s", 4e-9 * rows * columns, TORCH, lambda r=rows, c=columns: rms_norm(r, c))
    case("silu_gate bf16", "8192x9728", "GB/s", 6e-9 * 8192 * 9728, TORCH, lambda: silu_gate(8192, 9728))
    for name, dtype, width in (("bf16", torch.bfloat16, 2), ("f32", torch.float32, 4)):
        case(f"transpose {name}", "8192x8192", "GB/s", 2e-9 * width * 8192**2, TORCH, lambda d=dtype: transpose(8192, 8192, d))
    for rows in (1, 64):
        shape = f"{rows}x151936"
        case("argmax f32", shape, "µs", 0, TORCH, lambda r=rows: largest(r, 151936, lambda x: torch.argmax(x, -1)))
        case("topk64 f32", shape, "µs", 0, TORCH, lambda r=rows: largest(r, 151936, lambda x: torch.topk(x, 64, -1)))
    for rows, columns in ((19456, 2560), (2560, 9728), (6144, 2560), (2560, 4096), (151936, 2560), (51200, 5120), (5120, 25600)):
        case("matrix_vector bf16", f"{rows}x{columns}", "GB/s", 2e-9 * rows * columns, CUBLAS,
             lambda r=rows, c=columns: matrix_vector(r, c))
    for n in (1024, 2048, 4096, 8192):
        case("matrix_product bf16", f"{n}^3", "TFLOP/s", 2e-12 * n**3, CUBLAS, lambda n=n: matrix_product(n))
    case("launch", "synchronous", "µs", 0, TORCH, launch_synchronous)
    case("launch", "back to back", "µs", 0, TORCH, launch_back_to_back)
    case("launch", "graph node", "µs", 0, TORCH, launch_node)
    return cases


def prepare(case):
    """Returns a case's peer and a function that measures it in its unit."""
    gc.collect()
    torch.cuda.empty_cache()
    variant, seconds = case["prepare"]()

    def measure():
        time_of_one = statistics.median(seconds() for _ in range(ROUNDS))
        return time_of_one * 1e6 if case["unit"] == "µs" else case["amount"] / time_of_one

    return f"{case['peer']} {variant}".strip(), measure


def card():
    query = ["nvidia-smi", "--id=0", "--query-gpu=driver_version,clocks.sm,clocks.mem", "--format=csv,noheader,nounits"]
    try:
        driver, sm, memory = subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip().split(", ")
    except (OSError, ValueError, subprocess.CalledProcessError):
        driver = sm = memory = "unknown"
    return {"device": torch.cuda.get_device_name(), "driver": driver, "clocks": f"SM {sm} MHz, memory {memory} MHz"}


def main():
    parser = argparse.ArgumentParser(description="Measures PyTorch as gpu-bench measures Tegula.")
    parser.add_argument("filter", nargs="?", default="")
    parser.add_argument("--json", metavar="FILE", help="appends a line for each figure")
    parser.add_argument("--serve", action="store_true", help="is told by its standard input what to measure; see beside.py")
    parser.add_argument("--list", action="store_true", help="says which cases there are")
    options = parser.parse_args()
    cases = make_cases()
    if options.list:
        print("\n".join(f"{case['bench']} {case['case']}" for case in cases))
        return
    if options.serve:
        serve(card(), cases, prepare)
        return
    for case in cases:
        if options.filter in f"{case['bench']} {case['case']}":
            peer, measure = prepare(case)
            value = measure()
            print(f"{case['bench']:20} {case['case']:22} {value:10.4g}  {case['unit']:8} {peer}", flush=True)
            if options.json:
                line = {"bench": case["bench"], "case": case["case"], "value": float(f"{value:.4g}"), "unit": case["unit"],
                        "program": peer, **card(), "command": " ".join(["peers.py"] + sys.argv[1:]),
                        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}
                with open(options.json, "a", encoding="utf-8") as file:
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
