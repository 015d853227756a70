"""Compares ONNX models with the networks that they were made of: such as read `board91` and have no skip term.

    python onnx_check.py --roughboard target/release/roughboard RUN_OR_NET...

For each network: exports it, runs the model in onnxruntime on the positions of tests/data/xiangqi_perft.json, and compares
the outputs with those of numpy (the snippet in docs/formats.md, within 1e-5) and of `roughboard eval` (whose scores are
whole numbers, so within half a point and the rounding of its sums). Exits with 1 if they differ.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCORE_UNIT = 2000.0  # scores of networks are this many times the argument of tanh


def documented_value():
    """The function `value` of docs/formats.md."""
    names = {}
    exec((ROOT / "docs/formats.md").read_text().split("```python\n")[1].split("```")[0], names)
    return names["value"]


def codes_of(fen):
    board, side = fen.split()[:2]
    points = "".join("".join("." * int(c) if c.isdigit() else c for c in rank) for rank in board.split("/")[::-1])
    return ["krcnabp.PBANCRK".index(piece) for piece in points] + [int(side == "w")]


def run_model(file, fens):
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    codes = np.array([codes_of(fen) for fen in fens], dtype=np.int64)
    name = session.get_inputs()[0].name
    if name == "codes":
        return session.run(None, {name: codes})[0]
    values = json.loads(session.get_modelmeta().custom_metadata_map["values"])
    numbers = [[values[t][code] for t, code in enumerate(row)] for row in codes]
    return session.run(None, {name: np.array(numbers, dtype=np.float32)})[0]


def evaluated(program, net, fen):
    """The argument of tanh for Red, as `roughboard eval` says."""
    text = subprocess.run([program, "eval", "--evaluator", net, "--fen", fen, "--json"], capture_output=True, check=True)
    return json.loads(text.stdout)["value_for_red"] / SCORE_UNIT


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--roughboard", default="roughboard")
    parser.add_argument("nets", nargs="+")
    arguments = parser.parse_args()
    suite = json.loads((ROOT / "tests/data/xiangqi_perft.json").read_text())
    fens = [position["fen"] for position in suite["positions"]]
    value, right = documented_value(), True
    for net in arguments.nets:
        with tempfile.TemporaryDirectory() as folder:
            model = f"{folder}/model.onnx"
            command = [arguments.roughboard, "export", "onnx", net, "--out", model]
            subprocess.run(command, check=True, capture_output=True)
            outputs = run_model(model, fens)
        file = f"{net}/net.safetensors" if pathlib.Path(net).is_dir() else net
        by_numpy = max(abs(float(y) - float(value(file, fen))) for y, fen in zip(outputs, fens))
        arguments_of_tanh = [math.atanh(max(-0.99999, min(0.99999, float(y)))) for y in outputs]
        by_eval = max(abs(a - evaluated(arguments.roughboard, net, fen)) for a, fen in zip(arguments_of_tanh, fens))
        print(f"{net}: {len(fens)} positions, numpy differs by {by_numpy:.1e}, eval by {by_eval:.1e}")
        right = right and by_numpy < 1e-5 and by_eval < 1e-3
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
