#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Operators of PyTorch's Vulkan back end beside its CPU code. The last line says how many are right; exit status 1 where one is not."""
import torch

torch.manual_seed(1)
a, b = torch.rand(1, 8, 33, 35), torch.rand(1, 8, 33, 35)
m, n = torch.rand(64, 48), torch.rand(48, 32)
f = torch.nn.functional
cases = [
    (torch.add, a, b), (torch.mul, a, b), (torch.relu, a - 0.5), (torch.sigmoid, a), (torch.mm, m, n),
    (lambda x: torch.softmax(x, 1), a), (lambda x: torch.mean(x, (2, 3)), a),
    (lambda x: f.interpolate(x, scale_factor=2), a), (lambda x, y: torch.cat([x, y], 1), a, b),
]
right = sum(torch.allclose(op(*x), op(*[t.to("vulkan") for t in x]).cpu(), atol=1e-4) for op, *x in cases)
print(f"{right} of {len(cases)} operators right")
raise SystemExit(right != len(cases))
