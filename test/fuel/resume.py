"""Every pipeline of pipelines.json is stopped at a batch and goes on in another
process, with another number of threads, from another server: what the two print
is what one process prints, to the end of the next epoch. The suite stops each
pipeline at a few places; with a fourth argument `all` it stops at every batch
of the first epoch and tries every way of going on from there."""
import itertools
import json
import re
import subprocess
import sys

from toolkit import check, made, path, run, scratch, status, tools

every = sys.argv[4:] == ["all"]
ways = ["0", "1", "4", "served"]
stops = processes = 0


def toml(value):
    return json.dumps(value)  # Texts, numbers and lists of them are alike.


def configuration(number, options):
    """As a file for --config; transformers with their options one by one."""
    options = {"file": "mnist_small.hdf5", "split": "test", "batch_size": 8, "scheme": "shuffled", **options}
    options["file"] = path(options["file"])
    options["more_files"] = [path(name) for name in options.get("more_files", [])]
    lines = [f"{key} = {toml(value)}" for key, value in options.items() if key != "transforms"]
    for text in options.get("transforms", []):
        name, inside = re.fullmatch(r"(\w+)(?:\((.*)\))?", text).groups()
        lines += ["[[transform]]", f'name = "{name}"']
        lines += [f'{key} = "{value}"' for key, value in (entry.split("=") for entry in (inside or "").split(",") if entry)]
    name = made(f"pipeline{number}.toml")
    with open(name, "w") as file:
        file.write("\n".join(lines) + "\n")
    return name


class Server:
    def __init__(self, config, workers):
        self.process = subprocess.Popen([tools + "/fuel-server", "--config", config, "--port", "0", "--workers", workers,
                                         "--quiet"], stdout=subprocess.PIPE, text=True)
        self.port = self.process.stdout.readline().strip().rsplit(":", 1)[-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        check(self.process.wait(30) == 0, "the server's status")
        self.process.stdout.close()


def cat(config, way, *arguments):
    """The lines of fuel-cat by epoch: requests and data of each batch."""
    global processes
    processes += 1
    if way == "served":
        with Server(config, "1") as server:
            ran = run("fuel-cat", f"tcp://127.0.0.1:{server.port}?timeout=300", "--json", *arguments)
    else:
        ran = run("fuel-cat", "--config", config, "--workers", way, "--json", *arguments)
    check(ran.returncode == 0, f"{config} {way} {arguments}: {ran.stderr}")
    epochs = {}
    for line in map(json.loads, ran.stdout.splitlines()):
        epochs.setdefault(line["epoch"], []).append((line["request"], line["data"]))
    return epochs


def stop(config, whole, place, save, resumes):
    """Saves after `place` batches, and goes on to the end of the next epoch."""
    global stops
    stops += 1
    state = made("state")
    first = cat(config, save, "--batches", place, "--epochs", 2, "--save-state", state)
    for resume in resumes:
        rest = cat(config, resume, "--resume", state, "--epochs", 2)
        check(first.get(1, []) + rest.get(1, []) == whole[1] and rest.get(2, []) == whole[2],
              f"{config}: saved with {save} after {place} batches, resumed with {resume}")
    with open(state) as file:
        return file.read()


def suite(number, config, whole):
    """Beginning, middle and end, and ways that differ between pipelines."""
    last = len(whole[1])
    pairs = itertools.cycle((save, resume) for save in ways for resume in ways if save != resume)
    for _ in range(number):
        next(pairs)
    for place in sorted({0, last // 2, last}):
        save, resume = next(pairs)
        stop(config, whole, place, save, [resume])


def everything(config, whole):
    for place in range(len(whole[1]) + 1):
        states = {stop(config, whole, place, save, ways) for save in ways}
        check(len(states) == 1, f"{config}: different states after {place} batches")


pipelines = json.load(open(path("pipelines.json")))
text = json.dumps(pipelines)
for kind in ("transforms", "schemes"):
    for line in run("fuel-cat", "--help-" + kind).stdout.splitlines():
        name = re.match(r"\w*", line).group()
        check(not name or re.search(rf'"{name}[("]', text), f"no pipeline has {name}")
for number, options in enumerate(pipelines):
    config = configuration(number, options)
    whole = cat(config, "0", "--epochs", 2)
    check(len(whole) == 2, f"{config}: {len(whole)} epochs")
    if every:
        everything(config, whole)
    else:
        suite(number, config, whole)
if every:
    print(len(pipelines), "pipelines,", stops, "stops,", processes, "processes")
sys.exit(status())
