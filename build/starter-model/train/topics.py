"""Questions whose vectors tell what they are about: those about one topic are near to each other."""
import numpy as np
import torch
import torch.nn.functional as F

from batches import sent

# They are drawn from so many times as many of about their length, so that little is padding.
LIKE_LENGTH = 8
TEMPERATURE, SMOOTHED = 0.06, 0.05
# Each question lacks up to this share of its tokens: what is learned holds without some of them.
TOKENS_DROPPED = 0.4
# How much the last vector counts beside the mean: engines without pooling give that one.
LAST_WEIGHT = 0.3


class TopicQuestions:
    """Draws questions, so many at a step."""

    def __init__(self, arrays, seed, device, at_a_step):
        tokens, starts, self.topics = (arrays["question_" + name].astype("int64") for name in ("tokens", "starts", "topics"))
        self.tokens = torch.from_numpy(tokens).to(device)
        self.starts, self.lengths = starts[:-1], np.diff(starts)
        self.by_length = self.lengths.argsort(kind="stable")
        self.seed, self.device, self.at_a_step = seed, device, min(at_a_step, len(self.lengths))

    @property
    def count(self):
        """Of topics."""
        return int(self.topics.max()) + 1

    def tensors(self, step):
        """Tokens (questions, length), their lengths, and the number of the topic of each."""
        device = self.device
        random = torch.Generator(device).manual_seed(self.seed * 1_000_003 + step)
        drawn = np.random.default_rng([self.seed, step])
        window = min(self.at_a_step * LIKE_LENGTH, len(self.by_length))
        first = drawn.integers(0, len(self.by_length) - window + 1)
        rows = self.by_length[first + drawn.permutation(window)[: self.at_a_step]]
        width = int(self.lengths[rows].max())
        starts, lengths, topics = (sent(of[rows], device) for of in (self.starts, self.lengths, self.topics))
        place = torch.arange(width, device=device)
        there = place < lengths[:, None]
        tokens = self.tokens[torch.where(there, starts[:, None] + place, 0)]
        share = TOKENS_DROPPED * torch.rand(len(rows), 1, generator=random, device=device)
        kept = there & (torch.rand(tokens.shape, generator=random, device=device) >= share)
        kept[:, 0] |= ~kept.any(1)
        # what is kept moves to the front, in its order
        tokens = torch.where(kept, tokens, 0).gather(1, (~kept).byte().argsort(dim=1, stable=True))
        return tokens, kept.sum(1), topics


def pooled(model, tokens, lengths):
    """The mean of each question's vectors, and the last of them."""
    positions = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)
    hidden = model(tokens, positions, drops=True)
    there = (positions < lengths[:, None])[..., None]
    mean = (hidden * there).sum(1) / lengths[:, None]
    return mean, hidden[torch.arange(len(tokens), device=tokens.device), lengths - 1]


def topic_loss(model, vectors, tokens, lengths, topics):
    """How far questions are from the vector of their topic, among those of all topics."""
    centres = F.normalize(vectors, dim=-1)
    mean, last = (
        F.cross_entropy(F.normalize(found.float(), dim=-1) @ centres.t() / TEMPERATURE, topics, label_smoothing=SMOOTHED)
        for found in pooled(model, tokens, lengths)
    )
    return mean + LAST_WEIGHT * last
