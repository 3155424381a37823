"""Batches of samples of like length, so that little is padding and attention stays short."""
import numpy as np
import torch

# The first words of an answer decide which answer it is; the rest is soon known by heart, and costs most of the time. So
# this share of the samples with a known answer ends early.
CUT_SHARE = 0.6
# This share of the conversations has a gap in the positions before a turn: the model meets distances far beyond the
# lengths that it is trained on.
GAP_SHARE = 0.3


def whole_steps(lengths):
    """Few widths, so that few shapes of arrays come again and again."""
    return -(-lengths // 8) * 8


def sent(array, device):
    """An array on the device. Nothing waits for what that has to do before."""
    return torch.from_numpy(array).to(device, non_blocking=True)


class Batches:
    def __init__(self, arrays, seed, device, batch_tokens, context):
        starts, self.cuts = arrays["starts"].astype(np.int64), arrays["cuts"]
        self.starts, self.whole = starts[:-1], np.diff(starts)
        self.tokens = torch.from_numpy(arrays["tokens"].astype(np.int32)).to(device)
        self.learn = arrays["learn"].astype(bool)
        self.seed, self.device, self.batch_tokens, self.context = seed, device, batch_tokens, context

    def epoch(self, number):
        """The batches of an epoch as (seed, rows, lengths), the same ones each time that they are asked for."""
        random = np.random.default_rng([self.seed, number])
        cut = (self.cuts > 0) & (random.random(len(self.starts)) < CUT_SHARE)
        lengths = np.where(cut, np.minimum(self.cuts, self.whole), self.whole)
        order = random.permutation(len(self.starts))
        widths = whole_steps(lengths)
        alike = max(8192, self.batch_tokens)
        batches = []
        for at in range(0, len(order), alike):
            chunk = order[at : at + alike]
            chunk = chunk[np.argsort(lengths[chunk], kind="stable")]
            first = 0
            while first < len(chunk):
                last = first + 1
                while last < len(chunk) and (last + 1 - first) * widths[chunk[last]] <= self.batch_tokens:
                    last += 1
                batches.append(chunk[first:last])
                first = last
        random.shuffle(batches)
        seeds = random.integers(0, 2**62, len(batches))
        return [(int(seed), rows, lengths[rows]) for seed, rows in zip(seeds, batches)]

    def tensors(self, seed, rows, lengths):
        """Tokens, their positions, and the next tokens, (rows, length) each; where in these, row after row, learned ones are."""
        random = torch.Generator(self.device).manual_seed(seed)
        width = int(whole_steps(lengths.max()))
        place = np.arange(width)
        there = place < lengths[:, None]
        at = np.where(there, self.starts[rows][:, None] + place, 0)
        learn = self.learn[at] & there
        # a turn begins behind each answer
        turns = np.pad(learn[:, :-1] & ~learn[:, 1:] & there[:, 1:], ((0, 0), (1, 0)))
        at, there, turns, learned = (sent(of, self.device) for of in (at, there, turns, np.flatnonzero(learn[:, 1:])))
        tokens = self.tokens[at].long() * there
        chosen = (turns * torch.rand(turns.shape, generator=random, device=self.device)).argmax(1, keepdim=True)
        gap = torch.randint(0, self.context - width, (len(rows), 1), generator=random, device=self.device)
        has_gap = turns.any(1, keepdim=True) & (torch.rand(len(rows), 1, generator=random, device=self.device) < GAP_SHARE)
        place = torch.arange(width, device=self.device)
        positions = place + gap * (has_gap & (place >= chosen))
        return tokens[:, :-1], positions[:, :-1], tokens[:, 1:], learned
