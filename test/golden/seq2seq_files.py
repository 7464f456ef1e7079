"""The first weights and batches of the sequence-to-sequence trajectory, as files that blocks-run reads.

usage: seq2seq_files.py DATA_FOLDER OUT_FOLDER
Writes OUT/data.hdf5 (20 batches of 30 positions and 30 steps of 32 sentences, one after the other along time) and
OUT/weights.npz. Of the reference's update gate, which keeps the old state, ours is the complement: its columns of
weights are negated, and gates and candidate, which stand side by side there, are parameters of their own here.
"""
import sys

import numpy as np

import fuel_file
from stored_weights import first_weights

BATCHES, STEPS, BATCH = 20, 30, 32
WORDS, EMBEDDING, DIM = 5000, 128, 256


def glorot(rows, columns):
    return np.sqrt(6 / (rows + columns))


# Name in the trajectory: shape, scale of the first weights (0: zeros). Gates are [reset, update, candidate].
PARAMETERS = {"Esrc": ((WORDS, EMBEDDING), 0.1), "Etrg": ((WORDS, EMBEDDING), 0.1), "v": ((DIM,), 0.1)}
for letter in "fb":
    PARAMETERS["W" + letter] = ((EMBEDDING, 3 * DIM), glorot(EMBEDDING, DIM))
    PARAMETERS["U" + letter] = ((DIM, 3 * DIM), glorot(DIM, DIM))
for name, rows, columns in (("Wi", DIM, 1), ("Ua", 2 * DIM, 1), ("Wa", DIM, 1), ("Wy", EMBEDDING, 3),
                            ("Wc", 2 * DIM, 3), ("Ud", DIM, 3), ("Rs", DIM, 1), ("Rc", 2 * DIM, 1), ("Ry", EMBEDDING, 1)):
    PARAMETERS[name] = ((rows, columns * DIM), glorot(rows, DIM))
PARAMETERS["Wo"] = ((DIM, WORDS), glorot(DIM, WORDS))
for name, dim in (("bwf", 3 * DIM), ("buf", 3 * DIM), ("bwb", 3 * DIM), ("bub", 3 * DIM), ("bi", DIM), ("ba", DIM),
                  ("bwd", 3 * DIM), ("bud", 3 * DIM), ("br", DIM), ("bo", WORDS)):
    PARAMETERS[name] = ((dim,), 0)

# Paths of what is one parameter on both sides, and of [candidate, gates].
WHOLE = {"Esrc": "/source_words.W", "Etrg": "/target_words.W", "Wi": "/first_state/linear_0.W",
         "bi": "/first_state/linear_0.b", "Ua": "/decoder/attention/preprocess.W",
         "ba": "/decoder/attention/preprocess.b", "Wa": "/decoder/attention/state_trans/transform_states.W",
         "v": "/decoder/attention/energy_comp/linear.W", "Rs": "/merge/transform_states.W",
         "Rc": "/merge/transform_averages.W", "Ry": "/merge/transform_words.W", "br": "/post_merge/bias.b",
         "Wo": "/post_merge/linear.W", "bo": "/post_merge/linear.b"}
GATED = {"Wc": ("/decoder/distribute/fork_inputs.W", "/decoder/distribute/fork_gate_inputs.W")}
for letters, brick, transition in (("fff", "forward", "/forward"), ("bbb", "backward", "/backward"),
                                   ("ydd", "decoder", "/decoder/transition")):
    fork = f"/{brick}_fork/fork_"
    GATED["W" + letters[0]] = (fork + "inputs.W", fork + "gate_inputs.W")
    GATED["bw" + letters[1]] = (fork + "inputs.b", fork + "gate_inputs.b")
    GATED["bu" + letters[1]] = (f"/{brick}_bias.b", f"/{brick}_gate_bias.b")
    GATED["U" + letters[2]] = (transition + ".state_to_state", transition + ".state_to_gates")


def to_paths(arrays):
    """Parameters of the trajectory by their paths here."""
    found = {path: arrays[name] for name, path in WHOLE.items()}
    found[WHOLE["v"]] = arrays["v"].reshape(DIM, 1)
    for name, (candidate, gates) in GATED.items():
        reset, update, rest = np.split(arrays[name], 3, axis=-1)
        found[candidate], found[gates] = rest, np.concatenate([-update, reset], axis=-1)
    return found


def from_paths(arrays):
    """The other way around."""
    found = {name: arrays[path] for name, path in WHOLE.items()}
    for name, (candidate, gates) in GATED.items():
        update, reset = np.split(arrays[gates], 2, axis=-1)
        found[name] = np.concatenate([reset, -update, arrays[candidate]], axis=-1)
    return found


def words(steps, seed):
    """Numbers of words by Zipf's law, (batches, steps, sentences)."""
    law = 1.0 / np.arange(1, WORDS + 1)
    drawn = np.random.RandomState(seed).choice(WORDS, size=(BATCHES, steps, BATCH), p=law / law.sum())
    return drawn.astype(np.int32)


def along_time(batches):
    return np.ascontiguousarray(batches.reshape(-1, BATCH))


def write_files(work):
    source, target = words(STEPS, 41), words(STEPS + 1, 42)
    fuel_file.write(work + "/data.hdf5", {"train": {"src": along_time(source), "yin": along_time(target[:, :-1]),
                                                    "yout": along_time(target[:, 1:])}},
                    {"src": ["positions", "batch"], "yin": ["time", "batch"], "yout": ["time", "batch"]})
    arrays = {name: first_weights("s2s/" + name, shape, scale) for name, (shape, scale) in PARAMETERS.items()}
    np.savez(work + "/weights.npz", **to_paths(arrays))


if __name__ == "__main__":
    write_files(sys.argv[2])
