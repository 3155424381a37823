"""The network: llama's architecture, with tied embeddings."""
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


DROPPED = 0.1


class Shape:
    """Sizes of the network: vocabulary, width, layers, heads, key_heads, feed_forward, context."""

    theta, epsilon = 10000.0, 1e-5

    def __init__(self, **sizes):
        self.__dict__.update(sizes)

    @property
    def head(self):
        return self.width // self.heads


class Norm(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(shape.width))
        self.epsilon = shape.epsilon

    def forward(self, x):
        if x.is_cuda:
            return F.rms_norm(x, self.weight.shape, self.weight, self.epsilon)
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.epsilon) * self.weight


def rotate(x, cos, sin):
    """Rotary positions on the two halves of a head."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)


class Block(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.attention_norm, self.feed_norm = Norm(shape), Norm(shape)
        self.queries_keys_values = nn.Linear(shape.width, (shape.heads + 2 * shape.key_heads) * shape.head, bias=False)
        self.mixed = nn.Linear(shape.width, shape.width, bias=False)
        self.gate_up = nn.Linear(shape.width, 2 * shape.feed_forward, bias=False)
        self.down = nn.Linear(shape.feed_forward, shape.width, bias=False)

    def attend(self, x, cos, sin, mask):
        s, (rows, length, _) = self.shape, x.shape
        heads = self.queries_keys_values(x).view(rows, length, s.heads + 2 * s.key_heads, s.head).transpose(1, 2)
        turned = rotate(heads[:, : s.heads + s.key_heads], cos, sin)
        if x.is_cuda:
            values = heads[:, s.heads + s.key_heads :]
            queries, keys = (part.to(values.dtype) for part in turned.split((s.heads, s.key_heads), dim=1))
            mixed = F.scaled_dot_product_attention(queries, keys, values, is_causal=True, enable_gqa=True)
            return self.mixed(mixed.transpose(1, 2).reshape(rows, length, s.width))
        # the query heads of one key head stand below each other: one product for all of them, and no copies of keys
        group = s.heads // s.key_heads
        queries = turned[:, : s.heads].reshape(rows * s.key_heads, group * length, s.head)
        keys = turned[:, s.heads :].reshape(rows * s.key_heads, length, s.head)
        values = heads[:, s.heads + s.key_heads :].reshape(rows * s.key_heads, length, s.head)
        scores = torch.baddbmm(mask, queries, keys.transpose(1, 2), alpha=s.head**-0.5)
        mixed = torch.bmm(F.softmax(scores, dim=-1), values)
        return self.mixed(mixed.view(rows, s.heads, length, s.head).transpose(1, 2).reshape(rows, length, s.width))

    def forward(self, x, cos, sin, mask, drops):
        x = x + F.dropout(self.attend(self.attention_norm(x), cos, sin, mask), DROPPED, drops)
        gate, up = self.gate_up(self.feed_norm(x)).chunk(2, dim=-1)
        return x + F.dropout(self.down(F.silu(gate) * up), DROPPED, drops)


class Model(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = Norm(shape)
        frequencies = shape.theta ** (-torch.arange(0, shape.head, 2).float() / shape.head)
        angles = torch.arange(shape.context + 1).float()[:, None] * frequencies[None]
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)
        self.masks = {}
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                ends_a_branch = name.endswith(("mixed.weight", "down.weight"))
                deviation = 0.05 if "embedding" in name else 0.02 / (math.sqrt(2 * shape.layers) if ends_a_branch else 1)
                nn.init.normal_(weight, std=deviation)

    def mask(self, length):
        """Hides what comes later; padding stands at the right end, so nothing else has to be hidden."""
        if length not in self.masks:
            later = torch.full((length, length), -1e9, device=self.embedding.weight.device).triu(1)
            self.masks[length] = later.repeat(self.shape.heads // self.shape.key_heads, 1)[None]
        return self.masks[length]

    def forward(self, tokens, positions, drops=False):
        """`drops`: leaves out a share of the numbers, so that what is learned from few texts relies on no single one."""
        x = F.dropout(self.embedding(tokens), DROPPED, drops)
        cos, sin = self.cos[positions][:, None], self.sin[positions][:, None]
        mask = None if x.is_cuda else self.mask(tokens.shape[1])
        for block in self.blocks:
            x = block(x, cos, sin, mask, drops)
        return self.norm(x)

    def logits(self, hidden):
        return F.linear(hidden, self.embedding.weight)


def neighbouring(matrix, heads):
    """Rows of each head from two halves to pairs: llama.cpp rotates neighbours."""
    rows, columns = matrix.shape
    return matrix.reshape(heads, 2, rows // heads // 2, columns).transpose(0, 2, 1, 3).reshape(rows, columns)


def tensors(state, shape):
    """The weights by the names that GGUF has for them, as arrays."""
    queries, keys = shape.heads * shape.head, shape.key_heads * shape.head
    get = lambda name: state[name].detach().cpu().float().numpy()
    yield "token_embd.weight", get("embedding.weight")
    for index in range(shape.layers):
        block, name = f"blocks.{index}.", f"blk.{index}."
        all_heads, gate_up = get(block + "queries_keys_values.weight"), get(block + "gate_up.weight")
        yield name + "attn_norm.weight", get(block + "attention_norm.weight")
        yield name + "attn_q.weight", neighbouring(all_heads[:queries], shape.heads)
        yield name + "attn_k.weight", neighbouring(all_heads[queries : queries + keys], shape.key_heads)
        yield name + "attn_v.weight", all_heads[queries + keys :]
        yield name + "attn_output.weight", get(block + "mixed.weight")
        yield name + "ffn_norm.weight", get(block + "feed_norm.weight")
        yield name + "ffn_gate.weight", gate_up[: shape.feed_forward]
        yield name + "ffn_up.weight", gate_up[shape.feed_forward :]
        yield name + "ffn_down.weight", get(block + "down.weight")
    yield "output_norm.weight", get("norm.weight")  # no output.weight: the embedding is tied


def halves(matrix, heads):
    """The other way round."""
    rows, columns = matrix.shape
    return matrix.reshape(heads, rows // heads // 2, 2, columns).transpose(0, 2, 1, 3).reshape(rows, columns)


def state_of(weights, shape):
    """The network's state of weights by GGUF's names."""
    state = {"embedding.weight": weights["token_embd.weight"], "norm.weight": weights["output_norm.weight"]}
    for index in range(shape.layers):
        block = {name.split(".", 2)[2]: values for name, values in weights.items() if name.startswith(f"blk.{index}.")}
        queries, keys = halves(block["attn_q.weight"], shape.heads), halves(block["attn_k.weight"], shape.key_heads)
        state.update({f"blocks.{index}.{name}.weight": values for name, values in (
            ("attention_norm", block["attn_norm.weight"]),
            ("feed_norm", block["ffn_norm.weight"]),
            ("queries_keys_values", np.concatenate((queries, keys, block["attn_v.weight"]))),
            ("mixed", block["attn_output.weight"]),
            ("gate_up", np.concatenate((block["ffn_gate.weight"], block["ffn_up.weight"]))),
            ("down", block["ffn_down.weight"]),
        )})
    return {name: torch.from_numpy(values) for name, values in state.items()}
