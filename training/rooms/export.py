"""Writes trained weights for `crates/segmentation`: batch normalization folded into the convolutions, half precision.

export.py CHECKPOINT OUT.safetensors
"""
import json
import struct
import sys

import numpy as np
import torch

from network import Network


def main():
    network = Network()
    network.load_state_dict(torch.load(sys.argv[1]))
    network.eval()
    modules = dict(network.named_modules())
    tensors = {}
    for name, module in modules.items():
        if not isinstance(module, torch.nn.Conv2d):
            continue
        weight = module.weight.detach().double()
        bias = module.bias.detach().double() if module.bias is not None else torch.zeros(weight.shape[0]).double()
        prefix, _, last = name.rpartition(".")
        norm = modules.get(f"{prefix}.{int(last) + 1}") if last.isdigit() else None
        if isinstance(norm, torch.nn.BatchNorm2d):
            scale = norm.weight.detach().double() / torch.sqrt(norm.running_var.double() + norm.eps)
            weight = weight * scale[:, None, None, None]
            bias = (bias - norm.running_mean.double()) * scale + norm.bias.detach().double()
        tensors[f"{name}.weight"] = weight.permute(2, 3, 1, 0).contiguous().numpy().astype("<f2")
        tensors[f"{name}.bias"] = bias.numpy().astype("<f4")
    header, offset = {}, 0
    for name, tensor in tensors.items():
        kind = "F16" if tensor.dtype == np.dtype("<f2") else "F32"
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [offset, offset + tensor.nbytes]}
        offset += tensor.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(sys.argv[2], "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            out.write(tensor.tobytes())
    print(sum(t.size for t in tensors.values()), "parameters,", offset, "bytes")


if __name__ == "__main__":
    main()
