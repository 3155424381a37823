"""Questions about the same thing, whose vectors are to be nearest to each other."""
import numpy as np
import torch
import torch.nn.functional as F

# Pairs of a step: each question is to find its partner among so many.
PAIRS, TEMPERATURE = 64, 0.05


class Pairs:
    def __init__(self, arrays, seed):
        self.tokens, self.starts = arrays["question_tokens"], arrays["question_starts"].astype(np.int64)
        topics = arrays["question_topics"]
        self.rows = [np.flatnonzero(topics == topic) for topic in range(int(topics.max()) + 1)]
        self.seed = seed

    def tensors(self, step):
        """Two questions about each of some topics: tokens and lengths, the first ones of all topics before the second ones."""
        random = np.random.default_rng([self.seed, step])
        topics = random.choice(len(self.rows), min(PAIRS, len(self.rows)), replace=False)
        rows = np.array([random.choice(self.rows[topic], 2, replace=False) for topic in topics]).T.reshape(-1)
        lengths = self.starts[rows + 1] - self.starts[rows]
        tokens = np.zeros((len(rows), int(lengths.max())), dtype=np.int64)
        for at, (row, length) in enumerate(zip(rows, lengths)):
            tokens[at, :length] = self.tokens[self.starts[row] : self.starts[row] + length]
        return torch.from_numpy(tokens), torch.from_numpy(lengths)


def contrast(vectors):
    """How hard it is for each question to find its partner by its vector."""
    first, second = F.normalize(vectors, dim=-1).chunk(2)
    likeness = first @ second.t() / TEMPERATURE
    partners = torch.arange(len(first), device=likeness.device)
    return (F.cross_entropy(likeness, partners) + F.cross_entropy(likeness.t(), partners)) / 2


def pair_loss(model, tokens, lengths):
    """Of the mean of a question's vectors, and of the last one, which is what engines without pooling give."""
    positions = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)
    hidden = model(tokens, positions)
    there = (positions < lengths[:, None])[..., None]
    mean = (hidden * there).sum(1) / lengths[:, None]
    last = hidden[torch.arange(len(tokens), device=tokens.device), lengths - 1]
    return (contrast(mean) + contrast(last)) / 2
