"""Momentum whose updates are made orthogonal, for the matrices inside the blocks.

It learns rare associations, as each fact is one, in far fewer samples than AdamW does.
"""
import torch


class Muon:
    def __init__(self, model, momentum=0.95):
        s = model.shape
        queries, keys = s.heads * s.head, s.key_heads * s.head
        self.momentum, self.parts, self.matrices = momentum, [], []
        for block in model.blocks:
            # matrices that were put together are orthogonalised one by one
            for weight, sizes in (
                (block.queries_keys_values.weight, (queries, keys, keys)),
                (block.mixed.weight, (s.width,)),
                (block.gate_up.weight, (s.feed_forward, s.feed_forward)),
                (block.down.weight, (s.width,)),
            ):
                start = 0
                for size in sizes:
                    self.parts.append((len(self.matrices), slice(start, start + size)))
                    start += size
                self.matrices.append(weight)
        self.momenta = [torch.zeros_like(weight) for weight in self.matrices]

    @staticmethod
    def orthogonal(x):
        """Newton-Schulz steps, for a stack of matrices with no more rows than columns."""
        x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
        for _ in range(5):
            square = torch.bmm(x, x.transpose(1, 2))
            x = 3.4445 * x + torch.bmm(torch.baddbmm(square, square, square, beta=-4.7750, alpha=2.0315), x)
        return x

    @torch.no_grad()
    def step(self, rate, decay):
        for weight, momentum in zip(self.matrices, self.momenta):
            momentum.mul_(self.momentum).add_(weight.grad)
            weight.mul_(1 - rate * decay)
        stacks = {}
        for index, rows in self.parts:
            update = self.matrices[index].grad[rows].add(self.momenta[index][rows], alpha=self.momentum)
            wide = update if update.shape[0] <= update.shape[1] else update.t()
            stacks.setdefault(wide.shape, []).append((index, rows, wide))
        for parts in stacks.values():
            for (index, rows, _), wide in zip(parts, self.orthogonal(torch.stack([wide for _, _, wide in parts]))):
                part = self.matrices[index][rows]
                update = wide if part.shape == wide.shape else wide.t()
                part.add_(update, alpha=-rate * max(1, part.shape[0] / part.shape[1]) ** 0.5)
