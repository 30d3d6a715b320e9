"""The other half of `gpu-bench --serve`: requests and answers, a line each."""
import json
import sys


def serve(card, cases, prepare):
    """Answers requests from the standard input. `prepare(case)` returns its variant and a function that measures one value."""
    by_name = {f"{case['bench']} {case['case']}": case for case in cases}
    measure = None
    for line in sys.stdin:
        request = line.strip()
        try:
            if request == "card":
                answer = card
            elif request == "cases":
                answer = {"cases": [{key: case[key] for key in ("bench", "case", "unit")} for case in cases]}
            elif request == "drop":
                measure, answer = None, {}
            elif request == "measure" and measure:
                answer = {"value": measure()}
            elif request.startswith("prepare ") and request[8:] in by_name:
                measure = None
                variant, measure = prepare(by_name[request[8:]])
                answer = {"variant": variant}
            else:
                answer = {"error": f"not understood: {request}"}
        except Exception as error:  # pylint: disable=broad-except # whatever it is, the other side is told
            measure, answer = None, {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
