"""The network: a residual encoder and decoder at half the input's resolution, with heads for classes, edges, depth and normals."""
import torch
from torch import nn
from torch.nn import functional as F

CLASSES = 17
EDGES = 3
# Classes, edges, the logarithm of the depth in heights of the camera, the normal in camera axes.
OUTPUTS = CLASSES + EDGES + 1 + 3


def conv(inputs, outputs, stride=1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    def __init__(self, width, dilation=1):
        super().__init__()
        narrow = width // 2
        self.body = nn.Sequential(
            nn.Conv2d(width, narrow, 1, bias=False),
            nn.BatchNorm2d(narrow),
            nn.ReLU(inplace=True),
            nn.Conv2d(narrow, narrow, 3, 1, dilation, dilation=dilation, bias=False),
            nn.BatchNorm2d(narrow),
            nn.ReLU(inplace=True),
            nn.Conv2d(narrow, width, 1, bias=False),
            nn.BatchNorm2d(width),
        )

    def forward(self, x):
        return F.relu(x + self.body(x))


class Network(nn.Module):
    """Input: red, green and blue from 0 to 1, and the logarithm of width over height of the photo, which is squeezed to a square."""

    def __init__(self, widths=(24, 48, 96, 224), last=40):
        super().__init__()
        a, b, c, d = widths
        self.stem = conv(6, a, 2)
        self.quarter = nn.Sequential(conv(a, b, 2), Residual(b), Residual(b))
        self.eighth = nn.Sequential(conv(b, c, 2), Residual(c), Residual(c), Residual(c, 2))
        self.sixteenth = nn.Sequential(conv(c, d, 2), Residual(d), Residual(d, 2), Residual(d, 4), Residual(d, 2))
        self.context = nn.Conv2d(d, d, 1)
        self.from_sixteenth = nn.Conv2d(d, 64, 1)
        self.from_eighth = nn.Conv2d(c, 64, 1)
        self.from_quarter = nn.Conv2d(b, 64, 1)
        self.from_stem = nn.Conv2d(a, last, 1)
        self.up_eighth = Residual(64)
        self.up_quarter = nn.Sequential(Residual(64), nn.Conv2d(64, last, 1))
        self.up_half = conv(last, last)
        self.out = nn.Conv2d(last, OUTPUTS, 1)

    def forward(self, picture, aspect):
        count, _, height, width = picture.shape
        rows = ((torch.arange(height) + 0.5) / height * 2 - 1).view(1, 1, height, 1).expand(count, 1, height, width)
        columns = ((torch.arange(width) + 0.5) / width * 2 - 1).view(1, 1, 1, width).expand(count, 1, height, width)
        shape = aspect.view(count, 1, 1, 1).expand(count, 1, height, width)
        x = torch.cat([(picture - 0.5) * 3, rows, columns, shape], 1).contiguous(memory_format=torch.channels_last)
        half = self.stem(x)
        quarter = self.quarter(half)
        eighth = self.eighth(quarter)
        deep = self.sixteenth(eighth)
        deep = deep + F.relu(self.context(deep.mean((2, 3), keepdim=True)))

        def up(value, like):
            return F.interpolate(value, size=like.shape[2:], mode="bilinear", align_corners=False)

        y = self.from_sixteenth(deep)
        y = self.up_eighth(F.relu(up(y, eighth) + self.from_eighth(eighth)))
        y = self.up_quarter(F.relu(up(y, quarter) + self.from_quarter(quarter)))
        y = self.up_half(F.relu(up(y, half) + self.from_stem(half)))
        return self.out(y)


def convolutions(network):
    """Each convolution with its name and the normalization that follows it, or None."""
    modules = dict(network.named_modules())
    for name, module in modules.items():
        if isinstance(module, nn.Conv2d):
            prefix, _, last = name.rpartition(".")
            norm = modules.get(f"{prefix}.{int(last) + 1}") if last.isdigit() else None
            yield name, module, norm if isinstance(norm, nn.BatchNorm2d) else None
