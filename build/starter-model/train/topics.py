"""Questions whose vectors tell what they are about: those about one topic are near to each other."""
import numpy as np
import torch
import torch.nn.functional as F

# Questions of a step; they are drawn from so many times as many of about their length, so that little is padding.
QUESTIONS, LIKE_LENGTH = 384, 8
TEMPERATURE, SMOOTHED = 0.06, 0.05
# Each question lacks up to this share of its tokens: what is learned holds without some of them.
DROPPED = 0.3
# How much the last vector counts beside the mean: engines without pooling give that one.
LAST_WEIGHT = 0.3


class TopicQuestions:
    def __init__(self, arrays, seed):
        self.tokens, self.starts = arrays["question_tokens"], arrays["question_starts"].astype(np.int64)
        self.topics = arrays["question_topics"].astype(np.int64)
        self.by_length = np.argsort(np.diff(self.starts), kind="stable")
        self.seed = seed

    @property
    def count(self):
        """Of topics."""
        return int(self.topics.max()) + 1

    def tensors(self, step):
        """Tokens (questions, length), their lengths, and the number of the topic of each."""
        random = np.random.default_rng([self.seed, step])
        window = min(QUESTIONS * LIKE_LENGTH, len(self.by_length))
        first = random.integers(0, len(self.by_length) - window + 1)
        rows = random.choice(self.by_length[first : first + window], min(QUESTIONS, window), replace=False)
        questions = []
        for row in rows:
            whole = self.tokens[self.starts[row] : self.starts[row + 1]]
            kept = whole[random.random(len(whole)) >= DROPPED * random.random()]
            questions.append(kept if len(kept) else whole)
        lengths = np.array([len(question) for question in questions])
        tokens = np.zeros((len(rows), int(lengths.max())), dtype=np.int64)
        for at, question in enumerate(questions):
            tokens[at, : len(question)] = question
        return torch.from_numpy(tokens), torch.from_numpy(lengths), torch.from_numpy(self.topics[rows])


def pooled(model, tokens, lengths):
    """The mean of each question's vectors, and the last of them."""
    positions = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)
    hidden = model(tokens, positions)
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
