"""Trains the network on samples that `aerie-training stream` makes.

train.py STREAM_COMMAND VIEWS OUT --steps N [--side 128] [--start WEIGHTS] [--rate 0.0025] [--seed 1]
"""
import argparse
import copy
import math
import subprocess
import time

import numpy as np
import torch
from torch.nn import functional as F

from network import CLASSES, Network

NONE = 255


def batches(binary, views, side, seed, size):
    half = side // 2
    lengths = [side * side * 3, half * half, half * half, 4]
    stream = subprocess.Popen([binary, "stream", views, str(side), str(seed)], stdout=subprocess.PIPE)
    try:
        while True:
            data = stream.stdout.read(sum(lengths) * size)
            rows = np.frombuffer(data, np.uint8).reshape(size, -1)
            picture, labels, edges, aspect = np.split(rows, np.cumsum(lengths)[:-1], 1)
            yield (
                torch.from_numpy(picture.reshape(size, side, side, 3).copy()).permute(0, 3, 1, 2).float() / 255,
                torch.from_numpy(labels.reshape(size, half, half).astype(np.int64)),
                torch.from_numpy(edges.reshape(size, half, half).copy()),
                torch.from_numpy(np.frombuffer(aspect.tobytes(), np.float32).copy()),
            )
    finally:
        stream.kill()


def loss_of(output, labels, edges, weights):
    classes = F.cross_entropy(output[:, :CLASSES], labels, weight=weights, ignore_index=NONE)
    truth = torch.stack([(edges & bit > 0).float() for bit in (1, 2, 4)], 1)
    lines = F.binary_cross_entropy_with_logits(output[:, CLASSES:], truth, pos_weight=torch.tensor(4.0))
    return classes + 0.4 * lines, classes


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("binary")
    arguments.add_argument("views")
    arguments.add_argument("out")
    arguments.add_argument("--steps", type=int, required=True)
    arguments.add_argument("--side", type=int, default=128)
    arguments.add_argument("--start")
    arguments.add_argument("--rate", type=float, default=0.0025)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--batch", type=int, default=24)
    arguments.add_argument("--threads", type=int, default=2)
    options = arguments.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    network = Network().to(memory_format=torch.channels_last)
    if options.start:
        network.load_state_dict(torch.load(options.start))
    smooth = copy.deepcopy(network)
    optimizer = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=0.02)
    weights = torch.tensor([1.5, 1.0, 1.0, 1.0, 1.3, 1.0, 1.0, 1.0])
    source = batches(options.binary, options.views, options.side, options.seed, options.batch)
    start = time.time()
    saved = start
    step, mean = 0, 0.0
    network.train()
    while step < options.steps:
        share = step / options.steps
        rate = options.rate * min(1, step / 100 + 0.01) * (0.5 * (1 + math.cos(math.pi * share)) + 0.01)
        for group in optimizer.param_groups:
            group["lr"] = rate
        picture, labels, edges, aspect = next(source)
        loss, classes = loss_of(network(picture, aspect), labels, edges, weights)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimizer.step()
        step += 1
        mean = classes.item() if step == 1 else 0.98 * mean + 0.02 * classes.item()
        keep = min(0.998, step / (step + 20))
        with torch.no_grad():
            for old, new in zip(smooth.state_dict().values(), network.state_dict().values()):
                if old.dtype.is_floating_point:
                    old.mul_(keep).add_(new, alpha=1 - keep)
                else:
                    old.copy_(new)
        if step % 100 == 0:
            seconds = time.time() - start
            print(f"{step} steps, {seconds:.0f} s, loss {mean:.4f}, {step * options.batch / seconds:.1f} samples/s", flush=True)
        if time.time() - saved > 240:
            torch.save(smooth.state_dict(), options.out)
            saved = time.time()
    torch.save(smooth.state_dict(), options.out)


if __name__ == "__main__":
    main()
