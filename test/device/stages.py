"""The stages of run.sh: each with its own time, all recorded, whatever happens to the others.

usage: stages.py PACK OUT.json SCRATCH [--short]
Needs Python alone. In OUT: {"pack", "rehearsal", "seconds", "right", "stages": [{"name", "status", "seconds", "result",
"output"}]}; status is right, wrong, skipped or time (it ran past its limit), output the end of what it printed.
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

from reference_models import MODELS, SHORT

PACK, OUT, SCRATCH = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
IS_SHORT, REHEARSAL = "--short" in sys.argv, bool(os.environ.get("BLOCKS_CUDA_DRIVER"))
HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 465  # Seconds for all stages together.
START = time.monotonic()
ABOUT = json.loads((PACK / "pack.json").read_text())
TARGET = ["--cuda-arch", ABOUT["arch"], "--cpu-level", ABOUT["level"]]
RUN, CASES = str(PACK / "bin/blocks-run"), str(PACK / "bin/test-device-cases")
MODELS = {name: model for name, model in MODELS.items() if (PACK / "models" / name).exists()}


class Wrong(Exception):
    """A stage found something wrong."""


class Skipped(Exception):
    """A stage cannot run here."""


class Stage:
    """What a stage may use: its time, and a record of what its commands printed."""

    def __init__(self, seconds):
        self.until = min(time.monotonic() + seconds, START + LIMIT)
        self.output = ""
        self.result = {}  # What was found so far, for when the time is up.

    def left(self):
        return self.until - time.monotonic()

    def command(self, *arguments, check=True):
        """Output of a command, which is ended when the stage's time is up."""
        if self.left() <= 0:
            raise subprocess.TimeoutExpired(arguments[0], 0)
        done = subprocess.run(list(map(str, arguments)), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=self.left(), errors="replace")
        self.output += done.stdout
        if check and done.returncode != 0:
            raise Wrong(f"{pathlib.Path(arguments[0]).name} ended with {done.returncode}")
        return done.stdout


def environment():
    libraries = [str(PACK / "lib"), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    return dict(os.environ, LD_LIBRARY_PATH=":".join(libraries), BLOCKS_CACHE_DIR=str(SCRATCH / "cache"),
                BLOCKS_COMPILER_IDENTITY=ABOUT["compiler"])


def own_copy_of_cache():
    """A cache that others may write to is not used."""
    shutil.copytree(PACK / "cache", SCRATCH / "cache")
    (SCRATCH / "cache").chmod(0o700)


# --- Stages: each returns its result ---------------------------------------------

def machine(stage):
    def first_line(*arguments):
        if not shutil.which(arguments[0]):
            return None
        return (stage.command(*arguments, check=False).strip().splitlines() or [""])[-1]
    return {"gpu": first_line("nvidia-smi", "--query-gpu=name,driver_version,compute_cap,memory.total", "--format=csv,noheader"),
            "nvcc": first_line("nvcc", "--version"), "system": first_line("uname", "-srm"), "python": sys.version.split()[0],
            "sanitizer": first_line("compute-sanitizer", "--version"), "processors": os.cpu_count(),
            "torch": first_line(sys.executable, "-c", "import torch; print(torch.__version__, torch.version.cuda)")}


def doctor(stage):
    lines = stage.command(RUN, "doctor", "--json", check=False).splitlines()
    found = next((event for event in map(json.loads, lines) if event.get("event") == "doctor"), {})
    if not found.get("gpus"):
        raise Wrong("no GPU was found")
    return found


def read_cases(file):
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    return {"cases": len(rows), "wrong": [row for row in rows if not row["right"]],
            "worst": max((row["worst"] for row in rows), default=None)}


def conformance(stage, *wrapper, every=1):
    file = SCRATCH / "cases.jsonl"
    file.unlink(missing_ok=True)
    problem = None
    try:
        stage.command(*wrapper, CASES, PACK / "cases", "--every", every, "--json", file)
    except Wrong as wrong:
        problem = str(wrong)
    result = read_cases(file) if file.exists() else {}
    if problem:
        raise Wrong(problem, result)
    return result


def sanitizer(tool, every):
    def run(stage):
        if REHEARSAL:
            raise Skipped("the emulator checks by itself")
        if not shutil.which("compute-sanitizer"):
            raise Skipped("compute-sanitizer is not installed")
        return conformance(stage, "compute-sanitizer", "--tool", tool, "--error-exitcode", "99", "--print-limit", "20",
                           every=every)
    return run


def train(stage, name, device, steps, tag, *options):
    """The losses of a training from the stored weights."""
    model, folder, log = MODELS[name], PACK / "models" / name, SCRATCH / f"{name}-{tag}.jsonl"
    target = TARGET if device == "cuda" else TARGET[2:]
    stage.command(RUN, "train", folder / "model.mlir", "--data", folder / "data.hdf5", "--scheme", "sequential", "--batch-size",
                  model.batch_size, "--batches", steps, "--step-rule", model.rule, "--set-parameters", folder / "weights.npz",
                  "--log", log, "--log-every", 1, "--no-progress", "--device", device, *target, *options)
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    losses = {row["iterations"]: row["values"]["train/cost"] for row in reversed(rows)}
    return [losses[i] for i in range(1, steps + 1)]


def worst(name, losses):
    expected = json.loads((PACK / "models" / name / "losses.json").read_text())
    return max(abs(found / right - 1) for found, right in zip(losses, expected))


def trajectories(stage):
    result, problems = stage.result, []
    for name, model in MODELS.items():
        if not model.trajectory:
            continue
        steps = 3 if IS_SHORT else model.steps
        first, again = (train(stage, name, "cuda", steps, tag) for tag in ("first", "again"))
        result[name] = {"steps": steps, "worst": worst(name, first), "repeats": first == again}
        if result[name]["worst"] > model.tolerance or first != again:
            problems.append(name)
    if problems:
        raise Wrong("trajectories of " + ", ".join(problems), result)
    return result


def checkpoints(stage):
    """Half of the MLP's trajectory on one device, the rest on the other."""
    result, steps = stage.result, 4 if IS_SHORT else 20
    for first, second in ("cuda", "cpu"), ("cpu", "cuda"):
        tag = f"{first}-{second}"
        checkpoint = ["--checkpoint", SCRATCH / f"{tag}.ckpt"]
        train(stage, "mlp", first, steps // 2, tag, *checkpoint)
        losses = train(stage, "mlp", second, steps, tag, *checkpoint, "--resume")
        result[tag] = worst("mlp", losses)
        if result[tag] > MODELS["mlp"].tolerance:
            raise Wrong(tag, result)
    return result


# --- Benchmarks ------------------------------------------------------------------

class Peer:
    """A program that speaks the line protocol of test/bench/mlp_step.py."""

    def __init__(self, stage, command):
        self.stage = stage
        self.process = subprocess.Popen(["timeout", str(max(1, int(stage.left()))), *map(str, command)], env=environment(),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.ready = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line.startswith("{"):
            _, errors = self.process.communicate()
            self.stage.output += line + errors
            if self.stage.left() <= 1:
                raise Wrong("the stage's time was up")
            raise Wrong(((line + errors).strip().splitlines() or ["it ended without a word"])[-1])
        answer = json.loads(line)
        return self.answer() if answer.get("event") not in (None, "ready") else answer

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def rates(stage, command):
    """Steps a second, in three runs of about a second: with the loss read after each step, and at the end alone."""
    peer = Peer(stage, command)
    try:
        result = {"first_losses": peer.ready.get("losses")}
        for each in True, False:
            n = max(2, 3 if IS_SHORT else int(20 / peer.ask(cmd="run", n=20, each=each)["elapsed"]))
            runs = [n / peer.ask(cmd="run", n=n, each=each)["elapsed"] for _ in range(1 if IS_SHORT else 3)]
            result["each" if each else "free"] = {"steps": n, "median": statistics.median(runs), "runs": runs}
        return result
    finally:
        peer.close()


def blocks_command(name, *options):
    model, folder = MODELS[name], PACK / "models" / name
    weights = ["--set-parameters", folder / "weights.npz"] if (folder / "weights.npz").exists() else []
    return [RUN, "bench", folder / "model.mlir", "--serve", "--entry", "train", "--data", folder / "data.hdf5", "--step-rule",
            model.rule, "--batch-size", model.batch_size, "--device", "cuda", *TARGET, *weights, *options]


def have_torch():
    probe = "import torch, sys; sys.exit(not torch.cuda.is_available())"
    return not REHEARSAL and subprocess.run([sys.executable, "-c", probe], stderr=subprocess.DEVNULL).returncode == 0


def benchmark(name):
    def run(stage):
        result = stage.result
        def measure(what, command):
            try:
                result[what] = rates(stage, command)
            except (Wrong, OSError, ValueError) as problem:
                result[what] = {"problem": str(problem)}
        measure("blocks", blocks_command(name))
        measure("blocks_tf32", blocks_command(name, "--tf32"))
        if name != "draw" and have_torch():
            peer = [sys.executable, HERE / "torch_peer.py", name]
            measure("torch", peer)
            measure("torch_tf32", [*peer, "--tf32"])
            if name != "seq2seq":  # Minutes of compiling: its loop over time is unrolled.
                measure("torch_compile", [*peer, "--compile"])
                measure("torch_compile_tf32", [*peer, "--compile", "--tf32"])
        if "problem" in result["blocks"]:
            raise Wrong(result["blocks"]["problem"], result)
        return result
    return run


# --- All of them -----------------------------------------------------------------

def perform(name, seconds, function):
    stage, start = Stage(seconds), time.monotonic()
    entry = {"name": name, "status": "right", "result": None}
    try:
        entry["result"] = function(stage)
    except Skipped as reason:
        entry.update(status="skipped", result=str(reason))
    except subprocess.TimeoutExpired:
        entry.update(status="time", result=stage.result)
    except Wrong as wrong:
        entry.update(status="wrong", result=list(wrong.args))
    except Exception as problem:  # The other stages still run.
        entry.update(status="wrong", result=repr(problem))
    entry.update(seconds=round(time.monotonic() - start, 2), output=stage.output[-4000:])
    print(f"{entry['status']:8s} {entry['seconds']:7.1f} s  {name}", flush=True)
    return entry


def main():
    own_copy_of_cache()
    stages = [("machine", 40, machine), ("doctor", 20, doctor), ("conformance", 90, conformance),
              ("trajectories", 60, trajectories), ("checkpoints", 30, checkpoints),
              ("bench mlp", 70, benchmark("mlp")), ("memcheck", 60, sanitizer("memcheck", 12)),
              ("racecheck", 60, sanitizer("racecheck", 24))]
    stages += [(f"bench {name}", 60, benchmark(name)) for name in MODELS if name not in SHORT]
    report = {"pack": ABOUT, "rehearsal": REHEARSAL, "short": IS_SHORT, "right": False, "stages": []}
    for stage in stages:
        report["stages"].append(perform(*stage))
        report["seconds"] = round(time.monotonic() - START, 1)
        report["right"] = all(entry["status"] in ("right", "skipped") for entry in report["stages"])
        OUT.write_text(json.dumps(report, indent=1))  # After each, so that nothing is lost.
    print(f"{'all right' if report['right'] else 'not all right'}; results are in {OUT}")
    sys.exit(0 if report["right"] else 1)


main()
