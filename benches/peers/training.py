"""Compares the speed of training a 91-100-1 tanh network: roughboard, PyTorch and numpy, in one run on one machine.

Positions are rows of 91 numbers of which 33 are not 0, as on a board of Xiangqi; the online methods use one thread,
batches all. A peer that is not installed is left out.

    pip install numpy torch
    python3 benches/peers/training.py          # builds and runs `cargo bench --bench training` first
"""

import json
import os
import subprocess
import time

N, HIDDEN, ALPHA, LAMBDA = 91, 100, 1e-3, 0.7
GAME = 80
SECONDS = 2.0


def by_roughboard():
    """Positions a second by name."""
    command = ["cargo", "bench", "--quiet", "--bench", "training", "--", "--json"]
    found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return dict(json.loads(found.strip().splitlines()[-1]))


def boards(numpy, count):
    """Rows like those of a board, and results."""
    random = numpy.random.default_rng(1)
    x = numpy.zeros((count, N), numpy.float32)
    for row in x:
        row[random.choice(N - 1, 32, replace=False)] = random.uniform(-1, 1, 32)
        row[N - 1] = 1
    return x, random.integers(-1, 2, count).astype(numpy.float32)


def rate(step, size):
    """Positions a second of `step(index)`, which learns `size` positions: the best of three spans of time."""
    step(0)
    rates = []
    for _ in range(3):
        begin, count = time.perf_counter(), 0
        while time.perf_counter() - begin < SECONDS / 3:
            step(count)
            count += 1
        rates.append(count * size / (time.perf_counter() - begin))
    return max(rates)


def by_numpy(numpy):
    x, z = boards(numpy, 32768)
    random = numpy.random.default_rng(2)
    weights = [
        random.uniform(-0.1, 0.1, shape).astype(numpy.float32) for shape in ((N, HIDDEN), (HIDDEN,), (HIDDEN,), ())
    ]
    w1, b1, w2, b2 = weights

    def learn(x, z):
        nonlocal w1, b1, w2, b2
        hidden = numpy.tanh(x @ w1 + b1)
        y = numpy.tanh(hidden @ w2 + b2)
        error = 2 * (y - z) * (1 - y * y) / len(z)
        delta = error[:, None] * w2 * (1 - hidden * hidden)
        w2 -= ALPHA * (hidden.T @ error)
        b2 -= ALPHA * error.sum()
        w1 -= ALPHA * (x.T @ delta)
        b1 -= ALPHA * delta.sum(0)

    def learn_one(index):
        nonlocal w1, b1, w2, b2
        row = x[index % len(x)]
        hidden = numpy.tanh(row @ w1 + b1)
        y = numpy.tanh(hidden @ w2 + b2)
        error = ALPHA * 2 * (y - z[index % len(x)]) * (1 - y * y)
        delta = error * w2 * (1 - hidden * hidden)
        w2 -= error * hidden
        b2 -= error
        w1 -= numpy.outer(row, delta)
        b1 -= delta

    traces = [numpy.zeros_like(w1), numpy.zeros_like(b1), numpy.zeros_like(w2), numpy.float32(0)]
    last = numpy.float32(0)

    def td(index):
        nonlocal w1, b1, w2, b2, last
        row = x[index % len(x)]
        hidden = numpy.tanh(row @ w1 + b1)
        y = numpy.tanh(hidden @ w2 + b2)
        if index % GAME:
            step = ALPHA * (y - last)
            w1 += step * traces[0]
            b1 += step * traces[1]
            w2 += step * traces[2]
            b2 += step * traces[3]
        slope = 1 - y * y
        delta = slope * w2 * (1 - hidden * hidden)
        traces[0] *= LAMBDA
        traces[0] += numpy.outer(row, delta)
        traces[1] *= LAMBDA
        traces[1] += delta
        traces[2] *= LAMBDA
        traces[2] += slope * hidden
        traces[3] = LAMBDA * traces[3] + slope
        last = y

    def batches(size):
        def step(index):
            first = index * size % len(x)
            learn(x[first : first + size], z[first : first + size])

        return step

    def forward(index):
        return numpy.tanh(numpy.tanh(x[index % len(x)] @ w1 + b1) @ w2 + b2)

    return {
        "batch 1": rate(learn_one, 1),
        "batch 256": rate(batches(256), 256),
        "batch 16384": rate(batches(16384), 16384),
        "TD": rate(td, 1),
        "forward": rate(forward, 1),
    }


def by_torch(torch, numpy):
    x, z = (torch.from_numpy(array) for array in boards(numpy, 32768))
    net = torch.nn.Sequential(torch.nn.Linear(N, HIDDEN), torch.nn.Tanh(), torch.nn.Linear(HIDDEN, 1), torch.nn.Tanh())
    optimiser = torch.optim.SGD(net.parameters(), lr=ALPHA)

    def batches(size):
        def step(index):
            first = index * size % len(x)
            optimiser.zero_grad()
            y = net(x[first : first + size])[:, 0]
            ((y - z[first : first + size]) ** 2).mean().backward()
            optimiser.step()

        return step

    weights = list(net.parameters())
    traces = [torch.zeros_like(weight) for weight in weights]
    last = 0.0

    def td(index):
        nonlocal last
        y = net(x[index % len(x)])[0]
        gradients = torch.autograd.grad(y, weights)
        with torch.no_grad():
            if index % GAME:
                torch._foreach_add_(weights, traces, alpha=ALPHA * (y.item() - last))
            torch._foreach_mul_(traces, LAMBDA)
            torch._foreach_add_(traces, gradients)
        last = y.item()

    def forward(index):
        with torch.no_grad():
            return net(x[index % len(x)])

    torch.set_num_threads(1)
    online = {"batch 1": rate(batches(1), 1), "TD": rate(td, 1), "forward": rate(forward, 1)}
    torch.set_num_threads(os.cpu_count() or 1)
    return online | {"batch 256": rate(batches(256), 256), "batch 16384": rate(batches(16384), 16384)}


def main():
    ours = by_roughboard()
    peers = {}
    try:
        import numpy

        peers["numpy"] = by_numpy(numpy)
        import torch

        peers["PyTorch"] = by_torch(torch, numpy)
    except ImportError as missing:
        print(f"{missing.name} is not installed and left out")
    threads = os.cpu_count() or 1
    rows = {
        "batch 1": "91-100-1, SGD, batch 1",
        "batch 256": f"91-100-1, SGD, batch 256, threads {threads}",
        "batch 16384": f"91-100-1, SGD, batch 16384, threads {threads}",
        "TD": "91-100-1, TD(λ) by moves, full traces",
    }
    for short, name in rows.items():
        print(f"{name}: {ours[name]:,.0f} positions/s")
        for peer, figures in peers.items():
            print(f"    {peer:8} {figures[short]:12,.0f} positions/s, roughboard is {ours[name] / figures[short]:.1f} times as fast")
    for peer, figures in peers.items():
        print(f"forward of one position, {peer}: {1e6 / figures['forward']:.2f} µs")


if __name__ == "__main__":
    main()
