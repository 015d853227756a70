"""The residual network in PyTorch: its speed beside roughboard's, and the figures that tests/it/residual.rs checks.

    pip install torch
    python3 benches/peers/residual.py                                       # builds `cargo bench --bench residual` first
    python3 benches/peers/residual.py --write tests/data/residual_network.json
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import time

import torch
from torch import nn
from torch.nn import functional


class Residual(nn.Module):
    """The network of docs/residual.md."""

    def __init__(self, rows=6, columns=6, planes=7, channels=64, layers=6, policy=32, value=4, hidden=64):
        super().__init__()
        inputs = [planes] + [channels] * (layers - 1)
        self.convolutions = nn.ModuleList(nn.Conv2d(n, channels, 3, padding=1) for n in inputs)
        self.start = nn.Conv2d(channels, policy, 1)
        self.end = nn.Conv2d(channels, policy, 1)
        self.value = nn.Conv2d(channels, value, 1)
        self.hidden = nn.Linear(rows * columns * value, hidden)
        self.output = nn.Linear(hidden, 1)

    def forward(self, x):
        x = functional.relu(self.convolutions[0](x))
        for convolution in self.convolutions[1:]:
            x = functional.relu(x + convolution(x))
        start, end = self.start(x).flatten(2), self.end(x).flatten(2)
        logits = torch.einsum("ndi,ndj->nij", start, end).flatten(1) / math.sqrt(start.shape[1])
        value = functional.relu(self.value(x)).flatten(2).transpose(1, 2).flatten(1)
        return logits, torch.tanh(self.output(functional.relu(self.hidden(value))))[:, 0]

    def tensors(self):
        """The tensors in the order of a file of roughboard, each with the axes that bring it into that of PyTorch."""
        for convolution in self.convolutions:
            yield convolution.weight, (2, 3, 1, 0)
            yield convolution.bias, (0,)
        for head in (self.start, self.end, self.value):
            yield head.weight, (2, 3, 1, 0)
            yield head.bias, (0,)
        for layer in (self.hidden, self.output):
            yield layer.weight, (1, 0)
            yield layer.bias, (0,)


def loss_of(net, planes, legal, policy, results):
    """The loss without the weights' part: `legal` and `policy` are lists of logits and probabilities."""
    logits, values = net(planes)
    cross = 0.0
    for row, (moves, target) in enumerate(zip(legal, policy)):
        cross = cross - (torch.tensor(target, dtype=logits.dtype) * functional.log_softmax(logits[row, moves], 0)).sum()
    return cross / len(legal), ((values - results) ** 2).mean()


def write(path):
    """What PyTorch says, in double precision, of a network and rows that formulas make."""
    torch.set_default_dtype(torch.float64)
    shape = {"rows": 6, "columns": 6, "planes": 7, "channels": 8, "layers": 3, "policy": 4, "value": 2, "hidden": 8}
    net = Residual(**shape)
    flat = 0
    for tensor, axes in net.tensors():
        numbers = torch.arange(flat, flat + tensor.numel())
        flat += tensor.numel()
        formula = ((numbers * 7919 + 13) % 1009).to(torch.float64) / 1009 - 0.5
        turned = formula.reshape([tensor.shape[axis] for axis in axes])
        tensor.data = turned.permute([axes.index(axis) for axis in range(len(axes))]).contiguous()
    n = 4
    numbers = torch.arange(n * 7 * 36)
    planes = ((numbers * 7919 + numbers // 36 * 31) % 10 < 3).to(torch.float64).reshape(n, 7, 6, 6)
    legal = [[(37 * move + 101 * row) % 1296 for move in range(5 + row)] for row in range(n)]
    policy = [[(move + 1) / sum(range(1, len(moves) + 1)) for move in range(len(moves))] for moves in legal]
    results = torch.tensor([1.0, -1.0, 0.0, 1.0])
    logits, values = net(planes)
    cross, square = loss_of(net, planes, legal, policy, results)
    (cross + square).backward()
    gradient = torch.cat([tensor.grad.permute(axes).flatten() for tensor, axes in net.tensors()])
    facts = {
        "source": f"PyTorch {torch.__version__}, double precision, by benches/peers/residual.py",
        "logits": [row[::101].tolist() for row in logits],
        "values": values.tolist(),
        "policy_loss": cross.item(),
        "value_loss": square.item(),
        "n_parameters": flat,
        "gradient": gradient[::53].tolist(),
        "gradient_norm": gradient.norm().item(),
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(facts, file, indent=1)
        file.write("\n")


def rate(step, size, seconds=2.0):
    """Positions a second of `step()`, which takes `size` positions: the best of three spans of time."""
    step()
    rates = []
    for _ in range(3):
        begin, count = time.perf_counter(), 0
        while time.perf_counter() - begin < seconds / 3:
            step()
            count += 1
        rates.append(count * size / (time.perf_counter() - begin))
    return max(rates)


def speed():
    """Positions a second by name, as the benchmark of roughboard names them."""
    torch.set_num_threads(os.cpu_count() or 1)
    net = Residual()
    optimiser = torch.optim.Adam(net.parameters(), lr=1e-3)
    figures = {}
    for size in (1, 8, 64, 128, 256):
        planes = (torch.rand(size, 7, 6, 6) < 0.3).float()

        def forward():
            with torch.inference_mode():
                net(planes)

        figures[f"evaluate, batch {size}"] = rate(forward, size)
    legal = torch.rand(size, 1296) < 0.02
    policy = legal / legal.sum(1, keepdim=True)
    results = torch.randint(-1, 2, (size,)).float()

    def learn():
        optimiser.zero_grad()
        logits, values = net(planes)
        masked = functional.log_softmax(logits.masked_fill(~legal, -1e9), 1)
        square = sum((weight**2).sum() for weight in net.parameters())
        (-(policy * masked).sum(1).mean() + ((values - results) ** 2).mean() + 1e-4 * square).backward()
        optimiser.step()

    figures["learn, batch 256"] = rate(learn, size)
    return figures


def ours():
    """Positions a second of roughboard by name."""
    command = ["cargo", "bench", "--quiet", "--bench", "residual", "--", "--json"]
    found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return dict(json.loads(found.strip().splitlines()[-1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", metavar="FILE", help="write the figures for the tests")
    parser.add_argument("--rounds", type=int, default=5, help="how often each program is measured, in turn (default: 5)")
    arguments = parser.parse_args()
    if arguments.write:
        write(arguments.write)
        return
    rounds = [(ours(), speed()) for _ in range(arguments.rounds)]
    print(f"medians of {arguments.rounds} rounds; the ratio is the median of those of the rounds")
    for name in rounds[0][1]:
        own, peer = (statistics.median(figures[name] for figures in program) for program in zip(*rounds))
        ratio = statistics.median(own[name] / peer[name] for own, peer in rounds)
        print(f"{name:20} roughboard {own:10,.0f}, PyTorch {peer:10,.0f} positions/s: {ratio:.2f} times")


if __name__ == "__main__":
    main()
