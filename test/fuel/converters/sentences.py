"""The converters text and parallel-text: against the same done in Python, on sentences of the reference data."""
import collections
import gzip
import os

import h5py
import numpy as np
from common import check, convert, folder, refused, run, same_file, scratch, write

reference = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "data", "fuel")
with gzip.open(os.path.join(reference, "converters", "verses.tsv.gz"), "rt", encoding="utf-8") as f:
    rows = [line.rstrip("\n").split("\t") for line in f]
english, spanish = [row[1] for row in rows], [row[2] for row in rows]
inputs = folder("inputs")


def at(name):
    return os.path.join(inputs, name)


def lines(name, texts, opened=open):
    with opened(at(name), "wt", encoding="utf-8") as f:
        f.write("".join(t + "\n" for t in texts))


lines("en.txt", english)
lines("es.txt.gz", spanish, gzip.open)


def vocabulary(texts, size=None, least=1, special=("<S>", "</S>", "<UNK>"), split=str.split):
    counts = collections.Counter(t for text in texts for t in split(text))
    words = sorted((w for w in counts if counts[w] >= least), key=lambda w: (-counts[w], w.encode()))
    return list(special) + words[:size]


def numbers(texts, words, split=str.split, around=True, dtype="i8"):
    table = {w: i for i, w in enumerate(words)}
    return [np.array(([table["<S>"]] if around else []) + [table.get(t, table.get("<UNK>")) for t in split(text)] +
                     ([table["</S>"]] if around else []), dtype) for text in texts]


def stored(path, name):
    with open(os.path.splitext(path)[0] + "." + name + ".txt", encoding="utf-8") as f:
        beside = f.read().splitlines()
    with h5py.File(path) as f:
        check(list(f[name].asstr()[()]) == beside, name + " in the file and beside it")
    return beside


time = ("batch", "time")
count = len(rows)
whole = {"train": {"features": (0, count)}}

# --- words ---------------------------------------------------------------------
words = vocabulary(english)
path = convert("text", inputs, "en.txt", beside=["result.vocabulary.txt"])
check(stored(path, "vocabulary") == words, "all words")
same_file(path, {"features": (numbers(english, words), time)}, whole)
lower = [t.lower() for t in english]
words = vocabulary(lower, 100, 3)
path = convert("text", inputs, "en.txt", "--lower-case", "--vocabulary-size", 100, "--min-count", 3, "--dtype", "uint8", beside=["result.vocabulary.txt"])
check(stored(path, "vocabulary") == words, "the most frequent words")
same_file(path, {"features": (numbers(lower, words, dtype="u1"), time)}, whole)
path = convert("text", inputs, "en.txt", "--bos", "", "--eos", "", "--unk", "", "--source", "words", beside=["result.vocabulary.txt"])
same_file(path, {"words": (numbers(english, vocabulary(english, special=()), around=False), time)}, {"train": {"words": (0, count)}})

# --- a vocabulary that is given; several files and splits; lines left out -----------
lines("words.txt", words)
lines("a.txt", lower[:60])
lines("b.txt", ["", *lower[60:80], "  ", lower[80]])
path = convert("text", inputs, "--train", "a.txt", "--train", "b.txt", "--valid", "es.txt.gz", "--vocabulary", at("words.txt"),
               "--empty-lines", "drop", "--max-length", 12, "--shuffle-seed", 4, beside=["result.vocabulary.txt"])
train = [t for t in lower[:81] if len(t.split()) <= 12]
valid = [t for t in spanish if len(t.split()) <= 12]
mixed = []
for part in (train, valid):
    order = np.arange(len(part))
    np.random.RandomState(4).shuffle(order)
    mixed += [part[i] for i in order]
same_file(path, {"features": (numbers(mixed, words), time)}, {"train": {"features": (0, len(train))}, "valid": {"features": (len(train), len(mixed))}})
with h5py.File(path) as f:
    comments = {r["split"]: r["comment"].decode() for r in f.attrs["split"]}
    check(comments[b"train"] == f"2 empty lines left out, {81 - len(train)} lines of more than 12 tokens left out", f"told: {comments}")
path = convert("text", inputs, "b.txt", beside=["result.vocabulary.txt"])
with h5py.File(path) as f:
    check(f["features"][0].tolist() == [0, 1] and len(f["features"]) == 23, "empty lines stay unless asked")
# Words are counted in what is trained on.
path = convert("text", inputs, "--train", "a.txt", "--valid", "es.txt.gz", beside=["result.vocabulary.txt"])
check(stored(path, "vocabulary") == vocabulary(lower[:60]), "counted in the split 'train'")

# --- characters and bytes --------------------------------------------------------------
characters = vocabulary(spanish, split=list)
path = convert("text", inputs, "es.txt.gz", "--level", "character", beside=["result.vocabulary.txt"])
check(stored(path, "vocabulary") == characters, "characters of UTF-8")
same_file(path, {"features": (numbers(spanish, characters, list), time)}, whole)
path = convert("text", inputs, "es.txt.gz", "--level", "byte")
same_file(path, {"features": ([np.frombuffer(t.encode(), "u1") for t in spanish], time)}, whole)

# --- pairs ---------------------------------------------------------------------------------
en, es = vocabulary(english, 150), vocabulary(spanish, 150)
beside = ["result.source_vocabulary.txt", "result.target_vocabulary.txt"]
pairs = {"source": (numbers(english, en), time), "target": (numbers(spanish, es), time)}
both = {"train": {s: (0, count) for s in pairs}}
lines("pairs.tsv", ["\t".join(row) for row in rows])
for arguments in (["en.txt", "es.txt.gz"], ["en.txt,es.txt.gz"], ["train=en.txt,es.txt.gz"], ["pairs.tsv", "--columns", "2,3"],
                  ["--train", "pairs.tsv", "--columns", "2,3"]):
    path = convert("parallel-text", inputs, *arguments, "--vocabulary-size", 150, beside=beside)
    same_file(path, pairs, both)
    check(stored(path, "source_vocabulary") == en and stored(path, "target_vocabulary") == es, "two vocabularies")
path = convert("parallel-text", inputs, "pairs.tsv", "--columns", "3,2", "--names", "spanish,english", "--split", "train=rest,valid=10",
               "--shuffle-seed", 2, "--max-length", 20, beside=["result.spanish_vocabulary.txt", "result.english_vocabulary.txt"])
kept = [i for i in range(count) if len(english[i].split()) <= 20 and len(spanish[i].split()) <= 20]
order = np.arange(len(kept))
np.random.RandomState(2).shuffle(order)
kept = [kept[i] for i in order]
same_file(path, {"spanish": (numbers([spanish[i] for i in kept], vocabulary(spanish)), time),
                 "english": (numbers([english[i] for i in kept], vocabulary(english)), time)},
          {"train": {s: (0, len(kept) - 10) for s in ("spanish", "english")}, "valid": {s: (len(kept) - 10, len(kept)) for s in ("spanish", "english")}})

# --- refusals ------------------------------------------------------------------------------
lines("short.txt", spanish[:-1])
refused("goes on; expected a line for each line", "parallel-text", inputs, "en.txt", "short.txt")
lines("gap.tsv", ["a\tb", "\tc"])
refused("gap.tsv', line 2, field 1: the line is empty", "parallel-text", inputs, "gap.tsv")
lines("one.tsv", ["a\tb", "a"])
refused("one.tsv', line 2: the line has 1 fields; expected at least 2", "parallel-text", inputs, "one.tsv")
refused("expected two numbers", "parallel-text", inputs, "one.tsv", "--columns", "1,x", status=2)
refused("two different names", "parallel-text", inputs, "one.tsv", "--names", "a,a", status=2)
refused("there is no", "parallel-text", inputs, "en.txt,nowhere.txt")
refused("do not fit the element type ui8", "text", inputs, "en.txt", "--dtype", "uint8", status=2)
refused("expected a type of integers", "text", inputs, "en.txt", "--dtype", "float32", status=2)
lines("few.txt", ["the", "and"])
refused("lacks '<S>'", "text", inputs, "en.txt", "--vocabulary", at("few.txt"), status=2)
refused("line 1: 'In' is not in the vocabulary", "text", inputs, "en.txt", "--vocabulary", at("few.txt"), "--bos", "", "--eos", "", "--unk", "")
refused("bytes need no vocabulary", "text", inputs, "en.txt", "--vocabulary", at("few.txt"), "--level", "byte", status=2)
lines("twice.txt", ["<S>", "</S>", "<UNK>", "the", "the"])
refused("'the' stands there twice", "text", inputs, "en.txt", "--vocabulary", at("twice.txt"))
lines("nothing.txt", [])
refused("has no examples", "text", inputs, "nothing.txt")
refused("expected at least 1", "text", inputs, "en.txt", "--min-count", 0, status=2)

# The vocabulary beside a file replaces that of an earlier conversion, and no other file.
out = folder("beside")
again = ["text", "en.txt", "-d", inputs, "-o", out, "-r", "mine"]
write(os.path.join(out, "mine.vocabulary.txt"), "dear\n")
ran = run("fuel-convert", *again)
with open(os.path.join(out, "mine.vocabulary.txt")) as f:
    check(ran.returncode == 1 and "mine.vocabulary.txt' exists" in ran.stderr and f.read() == "dear\n", "a file of the user's: " + ran.stderr)
check(os.listdir(out) == ["mine.vocabulary.txt"], "nothing else is left")
os.remove(os.path.join(out, "mine.vocabulary.txt"))
for _ in range(2):
    ran = run("fuel-convert", *again)
    check(ran.returncode == 0, "done again: " + ran.stderr)

write(at("wide.txt"), "one two\nthree\n".encode("utf-16"))
refused("of the list 'vocabulary' holds a NUL character", "text", inputs, "wide.txt", "--level", "character")
