"""Compares the forward pass of `crates/segmentation` with PyTorch's: parity.py CHECKPOINT WEIGHTS.safetensors SEGMENT STREAM VIEWS

SEGMENT is the example `segment` of aerie-segmentation, STREAM is aerie-training.
"""
import subprocess
import sys

import numpy as np
import torch

from export import load
from network import CLASSES, EDGES
from train import batches


def main():
    checkpoint, weights, segment, stream, views = sys.argv[1:]
    picture, *_, aspect = next(batches(stream, views, 160, 77, 4))
    with torch.no_grad():
        output = load(checkpoint)(picture, aspect)
    parts = torch.split(output, [CLASSES, EDGES, 1, 3], 1)
    normal = torch.nn.functional.normalize(parts[3], dim=1)
    truth = torch.cat([parts[0].softmax(1), parts[1].sigmoid(), parts[2].exp(), normal], 1).permute(0, 2, 3, 1).numpy()
    pixels = (picture.permute(0, 2, 3, 1).numpy() * 255).round().astype(np.uint8)
    data = b"".join(p.tobytes() + np.float32(np.exp(a)).tobytes() for p, a in zip(pixels, aspect.numpy()))
    out = subprocess.run([segment, weights], input=data, stdout=subprocess.PIPE, check=True).stdout
    found = np.frombuffer(out, "<f4").reshape(truth.shape)
    off = np.abs(found - truth)
    off[..., CLASSES + EDGES] /= truth[..., CLASSES + EDGES]
    at = 0
    for name, count in (("classes", CLASSES), ("edges", EDGES), ("depth", 1), ("normals", 3)):
        k = slice(at, at + count)
        at += count
        print(f"{name}: at most {off[..., k].max():.5f} apart, mean {off[..., k].mean():.6f}")
    if off.max() > 1e-2:
        sys.exit("the forward passes differ")


if __name__ == "__main__":
    main()
