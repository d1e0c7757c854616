"""Trains the network on samples that `aerie-training stream` makes.

train.py STREAM_COMMAND VIEWS OUT --steps N [--side 128] [--start WEIGHTS] [--rate 0.0025] [--seed 1] [--bfloat16]

Writes OUT.part every four minutes and when it is told to stop, and continues from there. Does nothing if OUT is there.
"""
import argparse
import copy
import math
import os
import signal
import subprocess
import sys
import time

import numpy as np
import torch
from torch.nn import functional as F

from network import CLASSES, EDGES, Network

NONE = 255
NO_DEPTH = -32768
# Small and rare classes count more: floor, wall, ceiling, window, door, fixture, furniture, sky, lawn, paving, water, façade, roof,
# plants, vehicle, hanging lamp, standing lamp.
WEIGHTS = [1.5, 1.0, 1.0, 1.0, 1.3, 1.0, 1.0, 1.0, 1.0, 1.0, 1.6, 1.0, 1.1, 1.0, 1.4, 1.6, 1.6]


def batches(binary, views, side, seed, size):
    half = side // 2
    cells = half * half
    lengths = [side * side * 3, cells, cells, cells * 2, cells * 3, 4]
    stream = subprocess.Popen([binary, "stream", views, str(side), str(seed)], stdout=subprocess.PIPE)
    try:
        while True:
            data = stream.stdout.read(sum(lengths) * size)
            rows = np.frombuffer(data, np.uint8).reshape(size, -1)
            parts = np.split(rows, np.cumsum(lengths)[:-1], 1)
            picture, labels, edges, depths, normals, aspect = [np.ascontiguousarray(p) for p in parts]
            yield (
                torch.from_numpy(picture.reshape(size, side, side, 3)).permute(0, 3, 1, 2).float() / 255,
                torch.from_numpy(labels.reshape(size, half, half).astype(np.int64)),
                torch.from_numpy(edges.reshape(size, half, half)),
                torch.from_numpy(depths.view("<i2").reshape(size, half, half).astype(np.int32)),
                torch.from_numpy(normals.view(np.int8).reshape(size, half, half, 3)).permute(0, 3, 1, 2).float() / 127,
                torch.from_numpy(aspect.view("<f4").reshape(size).copy()),
            )
    finally:
        stream.kill()


def depth_loss(output, depths):
    """Ratios of depths first (their logarithms less the mean of the picture, and the steps between neighbors, Li and Snavely 2018),
    then their scale: it cannot be seen in every photo."""
    valid = (depths != NO_DEPTH).float()
    error = (output - depths.float() / 4096) * valid
    mean = error.sum((1, 2)) / valid.sum((1, 2)).clamp(min=1)
    error = (error - mean[:, None, None]) * valid
    loss = error.abs().sum() / valid.sum().clamp(min=1) + 0.15 * mean.abs().mean()
    for step in (1, 2, 4):
        across = (error[:, :, step:] - error[:, :, :-step]) * valid[:, :, step:] * valid[:, :, :-step]
        down = (error[:, step:] - error[:, :-step]) * valid[:, step:] * valid[:, :-step]
        loss = loss + 0.3 * (across.abs().mean() + down.abs().mean())
    return loss


def losses(output, labels, edges, depths, normals):
    classes = F.cross_entropy(output[:, :CLASSES], labels, weight=torch.tensor(WEIGHTS), ignore_index=NONE)
    truth = torch.stack([(edges & bit > 0).float() for bit in (1, 2, 4)], 1)
    lines = F.binary_cross_entropy_with_logits(output[:, CLASSES : CLASSES + EDGES], truth, pos_weight=torch.tensor(4.0))
    depth = depth_loss(output[:, CLASSES + EDGES], depths)
    valid = (normals.abs().sum(1) > 0).float()
    cosine = F.cosine_similarity(output[:, CLASSES + EDGES + 1 :], normals, 1)
    turn = ((1 - cosine) * valid).sum() / valid.sum().clamp(min=1)
    return torch.stack([classes, lines, depth, turn])


def save(state, path):
    torch.save(state, path + ".new")
    os.replace(path + ".new", path)


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
    arguments.add_argument("--bfloat16", action="store_true", help="half the time, where the processor multiplies bfloat16")
    options = arguments.parse_args()
    if os.path.exists(options.out):
        return
    part = options.out + ".part"
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    network = Network().to(memory_format=torch.channels_last)
    if options.start:
        network.load_state_dict(torch.load(options.start))
    smooth = copy.deepcopy(network)
    optimizer = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=0.02)
    step, mean = 0, None
    if os.path.exists(part):
        state = torch.load(part)
        network.load_state_dict(state["network"])
        smooth.load_state_dict(state["smooth"])
        optimizer.load_state_dict(state["optimizer"])
        step, mean = state["step"], state["mean"]
        print(f"continuing {options.out} after {step} steps", flush=True)
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    signal.signal(signal.SIGINT, lambda *_: stopped.append(True))
    # Other samples after an interruption than before it.
    source = batches(options.binary, options.views, options.side, options.seed * 1_000_003 + step, options.batch)
    start = saved = time.time()
    first = step
    network.train()
    while step < options.steps:
        share = step / options.steps
        rate = options.rate * min(1, step / 100 + 0.01) * (0.5 * (1 + math.cos(math.pi * share)) + 0.01)
        for group in optimizer.param_groups:
            group["lr"] = rate
        picture, labels, edges, depths, normals, aspect = next(source)
        with torch.autocast("cpu", torch.bfloat16, enabled=options.bfloat16):
            output = network(picture, aspect)
        parts = losses(output.float(), labels, edges, depths, normals)
        optimizer.zero_grad()
        (parts * torch.tensor([1.0, 0.4, 0.8, 0.6])).sum().backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimizer.step()
        step += 1
        mean = parts.detach() if mean is None else 0.98 * mean + 0.02 * parts.detach()
        keep = min(0.998, step / (step + 20))
        with torch.no_grad():
            for old, new in zip(smooth.state_dict().values(), network.state_dict().values()):
                if old.dtype.is_floating_point:
                    old.mul_(keep).add_(new, alpha=1 - keep)
                else:
                    old.copy_(new)
        if step % 50 == 0:
            seconds = time.time() - start
            text = ", ".join(f"{name} {v:.4f}" for name, v in zip(("classes", "edges", "depth", "normals"), mean.tolist()))
            print(f"{step} steps, {seconds:.0f} s, {text}, {(step - first) * options.batch / seconds:.1f} samples/s", flush=True)
        if time.time() - saved > 240 or stopped:
            state = {"network": network.state_dict(), "smooth": smooth.state_dict(), "optimizer": optimizer.state_dict()}
            save({**state, "step": step, "mean": mean}, part)
            saved = time.time()
            if stopped:
                sys.exit(130)
    save(smooth.state_dict(), options.out)
    if os.path.exists(part):
        os.remove(part)


if __name__ == "__main__":
    main()
