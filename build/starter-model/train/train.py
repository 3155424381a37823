#!/usr/bin/env python3
"""Trains the starter model on what write-tokens.ts has written, and writes its weights.

    train.py --work DIR --tokens N [--threads N] [--weights FILE --first-byte N]

It goes on from DIR/checkpoint.pt where there is one, else it begins with the weights of a GGUF file, which stand there
from its Nth byte, if one is given, or with random ones. It writes the weights, too, whenever it saves: for a training that
began with others their mean with those, by which less of what they could is lost. SIGTERM and Ctrl-C
save first. It needs PyTorch 1.13 or newer, Debian's python3-torch with libopenblas0-openmp for example, and runs on the
CPU, or with PyTorch 2.5 or newer on a GPU that it finds.
"""
import argparse
import contextlib
import json
import os
import signal
import time

import torch
import torch.nn.functional as F

from batches import Batches
from files import read_corpus, read_weights, write_topics, write_weights
from model import Model, Shape, state_of, tensors
from muon import Muon
from topics import TopicQuestions, topic_loss

# The rate rises over the first steps, stays, and falls to this share of itself over the last part of the tokens.
WARM_UP_STEPS, FALLING_PART, LAST_RATE = 100, 0.35, 0.02
# Tokens of a step: a GPU has enough to do only with many, and a CPU would take too few steps with them.
BATCHES = {"cuda": 32768, "cpu": 6144}
EMBEDDING_RATE, BLOCK_RATE, WEIGHT_DECAY = 2e-3, 0.01, 0.1
# The vectors of questions are learned, too, with this weight; their topics' vectors are shipped for the look-up.
# There is a question for so many tokens of a step.
TOPICS_WEIGHT, TOPICS_RATE, TOKENS_A_QUESTION = 1.0, 5e-3, 16


def seconds_of_products(kind, device, most=float("inf")):
    """How long ten products of two matrices take with numbers of this kind: no longer is tried than the most that counts."""
    left, right = (torch.randn(1024, 512).to(device, kind) for _ in range(2))
    (left @ right.t()).sum().item()
    began = time.time()
    for _ in range(10):
        product = left @ right.t()
        if time.time() - began > most:
            break
    product.sum().item()
    return time.time() - began


def short_numbers(device):
    """Lets matrices be multiplied as bfloat16 where this machine does so faster: some processors take twice as long."""
    if device == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = True
        return torch.autocast(device, dtype=torch.bfloat16)
    most = seconds_of_products(torch.float32, device) / 1.2
    faster = seconds_of_products(torch.bfloat16, device, most) < most
    return torch.autocast(device, dtype=torch.bfloat16) if faster else contextlib.nullcontext()


class Training:
    def __init__(self, args):
        self.args = args
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.numbers = short_numbers(self.device)
        args.batch = args.batch or BATCHES[self.device]
        with open(os.path.join(args.work, "shape.json"), encoding="utf-8") as file:
            self.shape = Shape(**json.load(file))
        torch.manual_seed(args.seed)
        self.model = Model(self.shape).to(self.device)
        if self.device == "cuda":
            for block in self.model.blocks:
                block.compile(dynamic=True)
        arrays = read_corpus(args.work)
        self.batches = Batches(arrays, args.seed, self.device, args.batch, self.shape.context)
        self.questions = TopicQuestions(arrays, args.seed, self.device, args.batch // TOKENS_A_QUESTION)
        self.topics = torch.nn.Parameter(0.05 * torch.randn(self.questions.count, self.shape.width).to(self.device))
        inner = {id(p) for block in self.model.blocks for p in block.parameters() if p.dim() == 2}
        outer = [p for p in self.model.parameters() if id(p) not in inner]
        self.adam = torch.optim.AdamW(
            [{"params": [p for p in outer if p.dim() == 2], "weight_decay": WEIGHT_DECAY, "full": EMBEDDING_RATE},
             {"params": [p for p in outer if p.dim() == 1], "weight_decay": 0.0, "full": EMBEDDING_RATE},
             {"params": [self.topics], "weight_decay": 0.0, "full": TOPICS_RATE}], betas=(0.9, 0.95))
        self.loss = torch.zeros((), device=self.device)
        self.muon = Muon(self.model)
        device = torch.cuda.get_device_name() if self.device == "cuda" else "a CPU"
        self.state = {"device": device, "step": 0, "tokens": 0, "epoch": 0, "batch": 0, "seconds": 0.0, "loss": 0.0}
        self.path = os.path.join(args.work, "checkpoint.pt")
        self.earlier = {}
        if args.weights:
            like = tensors(self.model.state_dict(), self.shape)
            self.earlier = read_weights(args.weights, args.first_byte, like)
            self.model.load_state_dict(state_of(self.earlier, self.shape))
        if os.path.exists(self.path):
            self.load()

    def load(self):
        kept = torch.load(self.path, map_location=self.device)
        self.model.load_state_dict(kept["model"])
        self.topics.data.copy_(kept["topics"])
        self.adam.load_state_dict(kept["adam"])
        for momentum, saved in zip(self.muon.momenta, kept["momenta"]):
            momentum.copy_(saved)
        torch.set_rng_state(kept["random"].cpu())
        self.state = kept["state"]
        self.loss.fill_(self.state["loss"])
        self.say("resumed")

    def save(self):
        self.state["loss"] = float(self.loss)
        torch.save({"model": self.model.state_dict(), "topics": self.topics.data, "adam": self.adam.state_dict(), "momenta": self.muon.momenta,
                    "random": torch.get_rng_state(), "state": self.state}, self.path + ".part")
        os.replace(self.path + ".part", self.path)
        learned = tensors(self.model.state_dict(), self.shape)
        write_weights(self.args.work, ((name, (values + self.earlier.get(name, values)) / 2) for name, values in learned))
        write_topics(self.args.work, self.topics.detach().cpu().numpy())
        with open(os.path.join(self.args.work, "state.json"), "w", encoding="utf-8") as out:
            json.dump(self.state, out)

    def say(self, event):
        """A line of JSON for run.ts."""
        self.state["loss"] = float(self.loss)
        print(json.dumps({"event": event, **self.state, "of_tokens": self.args.tokens}), flush=True)

    def rate(self):
        """The share of the full rate at this point."""
        left = 1 - self.state["tokens"] / self.args.tokens
        falling = min(1.0, LAST_RATE + (1 - LAST_RATE) * max(0.0, left) / FALLING_PART)
        return falling * min(1.0, (self.state["step"] + 1) / WARM_UP_STEPS)

    def step(self, batch):
        tokens, positions, targets, learned = batch
        hidden = self.model(tokens, positions).flatten(0, 1)[learned]  # the vocabulary only where a token is learned
        loss = F.cross_entropy(self.model.logits(hidden), targets.flatten()[learned])
        questions = self.questions.tensors(self.state["step"])
        self.adam.zero_grad(set_to_none=True)
        self.model.zero_grad(set_to_none=True)
        (loss + TOPICS_WEIGHT * topic_loss(self.model, self.topics, *questions)).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        rate = self.rate()
        for group in self.adam.param_groups:
            group["lr"] = group["full"] * rate
        self.adam.step()
        self.muon.step(BLOCK_RATE * rate, WEIGHT_DECAY)
        # stays where it is: to read it would be to wait for it
        self.loss = 0.98 * self.loss + 0.02 * loss.detach() if self.state["step"] else loss.detach()
        return tokens.numel()

    def run(self):
        state, args = self.state, self.args
        torch.set_num_threads(args.threads)
        ends = []
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: ends.append(True))
        saved = said = time.time()
        epoch = self.batches.epoch(state["epoch"])
        while state["tokens"] < args.tokens and not ends:
            if state["batch"] >= len(epoch):
                state["epoch"], state["batch"] = state["epoch"] + 1, 0
                epoch = self.batches.epoch(state["epoch"])
            began = time.time()
            with self.numbers:
                count = self.step(self.batches.tensors(*epoch[state["batch"]]))
            now = time.time()
            state.update(step=state["step"] + 1, batch=state["batch"] + 1, tokens=state["tokens"] + count, seconds=state["seconds"] + now - began)
            if now - said > args.report:
                said = now
                self.say("progress")
            if now - saved > args.save:
                self.save()
                saved = time.time()
        self.save()
        self.say("stopped" if ends else "done")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", required=True)
    parser.add_argument("--weights")
    parser.add_argument("--first-byte", type=int, default=0)
    parser.add_argument("--tokens", type=int, required=True)
    parser.add_argument("--batch", type=int, help="tokens of a step; absent: as many as suit the machine")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=float, default=10.0, help="seconds")
    parser.add_argument("--save", type=float, default=240.0, help="seconds")
    Training(parser.parse_args()).run()


if __name__ == "__main__":
    main()
