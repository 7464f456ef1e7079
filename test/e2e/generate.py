"""blocks-run generate: the costs of what search and sampling find are those of the graph of given outputs; a beam that
holds everything finds what trying everything finds.

usage: generate.py BLOCKS_RUN MODEL FOLDER
"""
import itertools
import json
import os
import subprocess
import sys

import numpy as np

RUN, MODEL, FOLDER = sys.argv[1:]
os.makedirs(FOLDER, exist_ok=True)
os.environ["XDG_CACHE_HOME"] = os.path.join(FOLDER, "cache")
WORDS = np.array([[1, 6, 3], [4, 2, 0]])
END, LENGTH = 0, 4


def path(name):
    return os.path.join(FOLDER, name)


def call(*arguments, status=0):
    done = subprocess.run([RUN, *arguments], capture_output=True, text=True)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout if status == 0 else done.stderr


def generate(*options):
    lines = call("generate", MODEL, "--json", "--input", f"words={path('words.npy')}", *options).splitlines()
    return [event for event in map(json.loads, lines) if event["event"] == "hypothesis"]


def costs(sentence, sequences):
    """The cost of each sequence, by the graph @cost."""
    length = max(map(len, sequences))
    outputs = np.array([list(s) + [0] * (length - len(s)) for s in sequences]).T
    mask = np.array([[t < len(s) for s in sequences] for t in range(length)], np.float32)
    for name, array in ("x", np.repeat(WORDS[:, [sentence]], len(sequences), axis=1)), ("y", outputs), ("m", mask):
        np.save(path(name + ".npy"), np.ascontiguousarray(array))
    call("infer", MODEL, "--entry", "cost", "--input", f"words={path('x.npy')}", "--input", f"outputs={path('y.npy')}",
         "--input", f"mask={path('m.npy')}", "--output", f"costs={path('costs.npy')}")
    return np.load(path("costs.npy")).astype(np.float64).sum(0)


np.save(path("words.npy"), WORDS)
everything = [s for n in range(1, LENGTH + 1) for s in itertools.product(range(5), repeat=n)
              if END not in s[:-1] and (s[-1] == END or n == LENGTH)]
for beam, penalty in (3, 0), (7, 1), (1000, 0), (1000, 1):
    found = generate("--beam-size", str(beam), "--end", str(END), "--max-length", str(LENGTH), "--length-penalty",
                     str(penalty))
    for sentence in range(WORDS.shape[1]):
        own = [h for h in found if h["sentence"] == sentence]
        np.testing.assert_allclose([h["cost"] for h in own], costs(sentence, [h["outputs"] for h in own]), atol=2e-5)
        scores = [h["cost"] / len(h["outputs"]) ** penalty for h in own]
        assert scores == sorted(scores) and len(own) == min(beam, len(everything)), (beam, len(own))
        assert all(h["finished"] == (h["outputs"][-1] == END) for h in own)
        if beam == 1000:
            assert {tuple(h["outputs"]) for h in own} == set(everything)
sampled = generate("--sample", "--end", "99")
assert len(sampled) == 3 and all(len(h["outputs"]) == 8 for h in sampled)
for h in sampled:
    np.testing.assert_allclose(h["cost"], costs(h["sentence"], [h["outputs"]])[0], atol=2e-5)
assert sampled == generate("--sample", "--end", "99")
message = call("generate", MODEL, "--input", f"words={path('words.npy')}", "--end", "5", status=2)
assert "only 5" in message, message
message = call("generate", MODEL, status=2)
assert "words" in message, message
for option, value in (("--beam-size", "4"), ("--max-length", "9"), ("--length-penalty", "1")):
    message = call("generate", MODEL, "--sample", option, value, status=2)
    assert "excludes" in message and option in message, message
message = call("generate", MODEL, "--beam-size", "1000000000", status=2)
assert "from 1 to 65536, found '1000000000'" in message, message
