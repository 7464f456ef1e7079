"""The sum of all outputs that beam search finds in the model of Blocks' own test, frozen there: 2816.

usage: beam_sum.py BLOCKS_RUN MODEL FOLDER
Parameters are drawn as Blocks draws them: one generator for all bricks in the order of the children, biases before
weights.
"""
import json
import os
import subprocess
import sys

import numpy as np

RUN, MODEL, FOLDER = sys.argv[1:]
os.makedirs(FOLDER, exist_ok=True)
os.environ["XDG_CACHE_HOME"] = os.path.join(FOLDER, "cache")
LENGTH, BEAM, VOCABULARY, DIM = 15, 10, 20, 10
init = np.random.RandomState(1234)


def gaussian(*shape):
    return init.normal(0, .5, size=shape).astype(np.float32)


inner = "/generator/att_trans/"
look = inner + "sequencecontentattention/"
parameters = {
    "/lookup.W": gaussian(VOCABULARY, DIM),
    "/generator/readout/lookupfeedback/lookuptable.W": gaussian(VOCABULARY, DIM),
    "/generator/readout/merge/transform_states.W": gaussian(DIM, VOCABULARY),
    "/generator/readout/merge/transform_weighted_averages.W": gaussian(DIM, VOCABULARY),
    "/generator/readout/bias.b": gaussian(VOCABULARY),
    "/generator/fork/fork_inputs.b": gaussian(DIM),
    "/generator/fork/fork_inputs.W": gaussian(DIM, DIM),
    inner + "simplerecurrent.W": gaussian(DIM, DIM),
    inner + "simplerecurrent.initial_state": np.zeros(DIM, np.float32),
    look + "state_trans/transform_states.W": gaussian(DIM, DIM),
    look + "preprocess.b": gaussian(DIM),
    look + "preprocess.W": gaussian(DIM, DIM),
    look + "energy_comp/linear.W": gaussian(DIM, 1),
    inner + "distribute/fork_inputs.W": gaussian(DIM, DIM),
}
words = os.path.join(FOLDER, "words.npy")
np.save(words, np.random.RandomState(1234).randint(VOCABULARY, size=(LENGTH, 1)))
stored = os.path.join(FOLDER, "parameters.npz")
np.savez(stored, **parameters)
done = subprocess.run([RUN, "generate", MODEL, "--json", "--parameters", stored, "--input", f"words={words}",
                       "--beam-size", str(BEAM), "--end", "0", "--max-length", str(3 * LENGTH)],
                      capture_output=True, text=True)
assert done.returncode == 0, done.stderr
found = [event for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "hypothesis"]
assert len(found) == BEAM, len(found)
assert sum(sum(h["outputs"]) for h in found) == 2816, sum(sum(h["outputs"]) for h in found)
