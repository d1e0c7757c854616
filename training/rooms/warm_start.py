"""Starts a network from exported weights, narrower ones too.

warm_start.py STREAM_COMMAND VIEWS WEIGHTS.safetensors OUT

New channels start at random and count for nothing at first, so that the network computes what the old one did. Exported weights have
no normalization: it gets the statistics of one batch, and the scale and offset that undo them, so that training, which normalizes by
batch, starts from the same function.
"""
import json
import struct
import sys

import numpy as np
import torch

from network import Network, convolutions
from train import batches, save


def read(path):
    data = open(path, "rb").read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        a, b = entry["data_offsets"]
        kind = "<f2" if entry["dtype"] == "F16" else "<f4"
        array = np.frombuffer(data[8 + length + a : 8 + length + b], kind).reshape(entry["shape"])
        tensors[name] = torch.from_numpy(array.astype(np.float32))
    return tensors


def main():
    binary, views, weights, out = sys.argv[1:]
    torch.manual_seed(0)
    tensors = read(weights)
    network = Network().eval()
    with torch.no_grad():
        for name, module, norm in convolutions(network):
            weight, bias = tensors[f"{name}.weight"].permute(3, 2, 0, 1), tensors[f"{name}.bias"]
            outputs, inputs = weight.shape[:2]
            module.weight[:outputs].zero_()
            module.weight[:outputs, :inputs] = weight
            if norm is None:
                module.bias[:outputs] = bias
                module.bias[outputs:].zero_()
            else:

                def calibrate(norm, values, bias=bias, outputs=outputs):
                    mean, variance = values[0].mean((0, 2, 3)), values[0].var((0, 2, 3), unbiased=False)
                    norm.running_mean.copy_(mean)
                    norm.running_var.copy_(variance)
                    norm.weight[:outputs] = torch.sqrt(variance + norm.eps)[:outputs]
                    norm.bias[:outputs] = bias + mean[:outputs]

                norm.register_forward_pre_hook(calibrate)
        picture, *_, aspect = next(batches(binary, views, 160, 1, 48))
        network(picture, aspect)
    save(network.state_dict(), out)


if __name__ == "__main__":
    main()
