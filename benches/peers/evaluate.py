"""How long PyTorch and numpy take for one position through a plain network 91-100-1, on one thread.

Beside it stands `cargo bench --bench evaluate`, whose `dense_100_scratch` does the same from the position itself. A peer that
is not installed is left out. The outputs of all peers are checked against each other.

    python3 benches/peers/evaluate.py
"""

import argparse
import math
import random
import statistics
import time

INPUTS, HIDDEN, POSITIONS = 91, 100, 256


def network(draw):
    """Weights W1 (inputs x hidden), b1, w2, b2, uniform in +-1/sqrt(fan-in)."""
    uniform = lambda count, fan_in: [draw.uniform(-1, 1) / math.sqrt(fan_in) for _ in range(count)]
    first = [uniform(HIDDEN, INPUTS) for _ in range(INPUTS)]
    return first, uniform(HIDDEN, INPUTS), uniform(HIDDEN, HIDDEN), uniform(1, HIDDEN)[0]


def positions(draw):
    """Rows of inputs like those of a board: 32 points of 90 taken, and the side to move."""
    rows = []
    for _ in range(POSITIONS):
        row = [0.0] * INPUTS
        for point in draw.sample(range(INPUTS - 1), 32):
            row[point] = draw.choice([-1, 1]) * draw.choice([20, 120, 125, 270, 285, 600]) / 600
        row[-1] = draw.choice([-1.0, 1.0])
        rows.append(row)
    return rows


def by_definition(weights, row):
    """The output with nothing but loops."""
    first, b1, w2, b2 = weights
    hidden = [math.tanh(b1[j] + sum(x * first[t][j] for t, x in enumerate(row) if x)) for j in range(HIDDEN)]
    return math.tanh(sum(w * h for w, h in zip(w2, hidden)) + b2)


def numpy_peer(weights, rows):
    """A function from the number of a position to its output, and numpy's version."""
    import numpy as np

    first, b1, w2 = (np.array(part, dtype=np.float32) for part in weights[:3])
    x, b2 = np.array(rows, dtype=np.float32), np.float32(weights[3])
    return lambda index: float(np.tanh(np.tanh(x[index] @ first + b1) @ w2 + b2)), np.__version__


def torch_peer(weights, rows):
    """A function from the number of a position to its output, and PyTorch's version."""
    import torch

    torch.set_num_threads(1)
    first, b1, w2 = (torch.tensor(part, dtype=torch.float32) for part in weights[:3])
    x = torch.tensor(rows, dtype=torch.float32)
    net = torch.nn.Sequential(
        torch.nn.Linear(INPUTS, HIDDEN), torch.nn.Tanh(), torch.nn.Linear(HIDDEN, 1), torch.nn.Tanh()
    )
    with torch.no_grad():
        net[0].weight.copy_(first.T)
        net[0].bias.copy_(b1)
        net[2].weight.copy_(w2[None])
        net[2].bias.fill_(weights[3])

    def output(index):
        with torch.inference_mode():
            return net(x[index]).item()

    return output, torch.__version__


def microseconds(output, repeats):
    """The median and the best time of one position."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        for index in range(POSITIONS):
            output(index)
        times.append((time.perf_counter() - begin) / POSITIONS * 1e6)
    return statistics.median(times), min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=30, help="runs over all positions")
    arguments = parser.parse_args()
    draw = random.Random(1)
    weights, rows = network(draw), positions(draw)
    for name, peer in [("numpy", numpy_peer), ("PyTorch", torch_peer)]:
        try:
            output, version = peer(weights, rows)
        except ImportError:
            print(f"{name}: not installed")
            continue
        for index in range(0, POSITIONS, 16):
            assert abs(output(index) - by_definition(weights, rows[index])) < 1e-5, name
        median, best = microseconds(output, arguments.repeats)
        print(f"{name} {version}: {median:.2f} µs a position, best {best:.2f}")


if __name__ == "__main__":
    main()
