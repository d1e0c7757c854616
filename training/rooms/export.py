"""Writes trained weights for `crates/segmentation`: batch normalization folded into the convolutions, half precision.

export.py CHECKPOINT OUT.safetensors
"""
import json
import struct
import sys

import numpy as np
import torch

from network import Network, convolutions


def load(path):
    """The network of a finished checkpoint, or of one that training continues from."""
    network = Network()
    state = torch.load(path)
    network.load_state_dict(state.get("smooth", state))
    return network.eval()


def main():
    tensors = {}
    for name, module, norm in convolutions(load(sys.argv[1])):
        weight = module.weight.detach().double()
        bias = module.bias.detach().double() if module.bias is not None else torch.zeros(weight.shape[0]).double()
        if norm is not None:
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
