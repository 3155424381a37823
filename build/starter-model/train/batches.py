"""Batches of samples of like length, so that little is padding and attention stays short."""
import numpy as np
import torch

# The first words of an answer decide which answer it is; the rest is soon known by heart, and costs most of the time. So
# this share of the samples with a known answer ends early.
CUT_SHARE = 0.6
# This share of the conversations has a gap in the positions before a turn: the model meets distances far beyond the
# lengths that it is trained on.
GAP_SHARE = 0.3


class Batches:
    def __init__(self, arrays, seed, batch_tokens, context):
        self.tokens, self.learn, starts, self.cuts = (arrays[name] for name in ("tokens", "learn", "starts", "cuts"))
        self.starts, self.whole = starts[:-1].astype(np.int64), np.diff(starts.astype(np.int64))
        self.seed, self.batch_tokens, self.context = seed, batch_tokens, context

    def epoch(self, number):
        """The batches of an epoch as (random, rows, lengths), the same ones each time that they are asked for."""
        random = np.random.default_rng([self.seed, number])
        cut = (self.cuts > 0) & (random.random(len(self.starts)) < CUT_SHARE)
        lengths = np.where(cut, np.minimum(self.cuts, self.whole), self.whole)
        order = random.permutation(len(self.starts))
        batches = []
        for at in range(0, len(order), 8192):
            chunk = order[at : at + 8192]
            chunk = chunk[np.argsort(lengths[chunk], kind="stable")]
            first = 0
            while first < len(chunk):
                last = first + 1
                while last < len(chunk) and (last + 1 - first) * lengths[chunk[last]] <= self.batch_tokens:
                    last += 1
                batches.append(chunk[first:last])
                first = last
        random.shuffle(batches)
        return [(np.random.default_rng([self.seed, number, index]), rows, lengths[rows]) for index, rows in enumerate(batches)]

    def tensors(self, random, rows, lengths):
        """Tokens, their positions, the next tokens, and which of these are learned: (rows, length) each."""
        width = -(-int(lengths.max()) // 8) * 8
        tokens = np.zeros((len(rows), width), dtype=np.int64)
        learn = np.zeros((len(rows), width), dtype=bool)
        positions = np.tile(np.arange(width), (len(rows), 1))
        for at, (row, length) in enumerate(zip(rows, lengths)):
            start = self.starts[row]
            tokens[at, :length] = self.tokens[start : start + length]
            learn[at, :length] = self.learn[start : start + length]
            turns = np.flatnonzero(np.diff(self.learn[start : start + length].astype(np.int8)) < 0) + 1
            if len(turns) and random.random() < GAP_SHARE:
                positions[at, random.choice(turns) :] += random.integers(0, self.context - width)
        arrays = tokens[:, :-1], positions[:, :-1], tokens[:, 1:], learn[:, 1:]
        return tuple(torch.from_numpy(np.ascontiguousarray(array)) for array in arrays)
