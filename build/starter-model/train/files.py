"""What training reads and writes: arrays beside each other in one folder."""
import json
import os
import re

import numpy as np

ARRAYS = {
    "tokens": "<u2",
    "learn": "u1",
    "starts": "<u4",
    "cuts": "<u4",
    "question_tokens": "<u2",
    "question_starts": "<u4",
    "question_topics": "<u2",
}


def refuse_held_back(path):
    """The questions that judge the model must not be among what it learns from."""
    if "eval" in re.split(r"[\\/]", path):
        raise ValueError(f"{path} judges the model: nothing that it learns from may be read there")
    return path


def read_corpus(folder):
    """The arrays that write-tokens.ts has written, by name."""
    return {name: np.fromfile(os.path.join(refuse_held_back(folder), name + ".bin"), dtype=kind) for name, kind in ARRAYS.items()}


def write_topics(folder, vectors):
    """Writes a float32 row for each topic as topics.bin."""
    np.ascontiguousarray(vectors, dtype="<f4").tofile(os.path.join(folder, "topics.bin"))


def write_weights(folder, tensors):
    """Writes (name, float32 array) pairs as weights.bin, with names and shapes in weights.json."""
    listed = []
    with open(os.path.join(folder, "weights.bin.part"), "wb") as out:
        for name, values in tensors:
            listed.append({"name": name, "shape": list(values.shape)})
            out.write(np.ascontiguousarray(values, dtype="<f4").tobytes())
    os.replace(os.path.join(folder, "weights.bin.part"), os.path.join(folder, "weights.bin"))
    with open(os.path.join(folder, "weights.json"), "w", encoding="utf-8") as out:
        json.dump(listed, out)


# GGUF's: where each tensor's weights begin, and a block of Q8_0.
ALIGNMENT, BLOCK = 32, np.dtype([("scale", "<f2"), ("values", "i1", 32)])


def read_weights(path, first_byte, like):
    """The weights of a GGUF file that write-model.ts has written, by name: `like` has names and shapes in its order."""
    with open(path, "rb") as file:
        data = file.read()
    weights, at = {}, first_byte
    for name, values in like:
        if values.ndim == 1:
            found, size = np.frombuffer(data, "<f4", values.size, at), 4 * values.size
        else:
            blocks = np.frombuffer(data, BLOCK, values.size // 32, at)
            found, size = blocks["values"] * blocks["scale"].astype("<f4")[:, None], blocks.nbytes
        weights[name] = found.reshape(values.shape).copy()
        at += -(-size // ALIGNMENT) * ALIGNMENT
    return weights
