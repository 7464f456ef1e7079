"""Times training steps of a reference model interleaved with other programs that speak the line protocol.

usage: mlp_step.py BLOCKS_RUN [--model mlp|lenet|lstm_lm|lstm_lm_medium|draw|seq2seq] [--threads N] [--rounds N] [--seconds S] [--peer NAME=COMMAND]...

The model, weights and batches are those of the reference trajectories (test/golden). A peer is any program
that answers, one JSON line each, {"cmd":"losses","n":5}, {"cmd":"run","n":N} (from the initial weights: two untimed
steps, then N timed ones; {"elapsed":seconds,…}) and {"cmd":"quit"}, after a first line {"event":"ready",…}.
Programs take turns, one running at a time, in rotating order; printed are medians, their spread, and the ratio
to each peer round by round, which holds when the machine's speed drifts. Nothing here passes or fails.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "..", "golden")


class Worker:
    def __init__(self, name, command):
        self.name, self.rates, self.cpu = name, [], []
        self.process = subprocess.Popen(command, shell=isinstance(command, str), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.ready = json.loads(self.process.stdout.readline())

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def calibrate(self, seconds):
        self.losses = self.ask(cmd="losses", n=5)["losses"]
        self.steps = max(3, int(seconds * 20 / self.ask(cmd="run", n=20)["elapsed"]))

    def measure(self):
        answer = self.ask(cmd="run", n=self.steps)
        self.rates.append(self.steps / answer["elapsed"])
        self.cpu.append(answer.get("cpu", 0.0) / self.steps)


# The network's file, the rule and the batch size of each trajectory. Of several networks that differ in their sizes alone
# the file is written, too.
CLIPPED = "step_clipping(threshold=5), scale(learning_rate=0.1)"
MODELS = {"draw": ("draw", "adam(learning_rate=0.001)", 64),
          "mlp": ("mlp_tanh", "scale(learning_rate=0.1)", 128),
          "lenet": ("lenet", "scale(learning_rate=0.05)", 128),
          "lstm_lm": ("lstm_lm", CLIPPED, 35),
          "lstm_lm_medium": (None, CLIPPED, 35),
          "seq2seq": ("seq2seq", "adam(learning_rate=0.001)", 30)}
WRITERS = {"lstm_lm_medium": ["lstm_lm_files.py", "650"]}


def ours(model, blocks_run, threads, folder):
    """The command that serves the reference model, after writing its files."""
    writer, *sizes = WRITERS.get(model, [f"{model}_files.py"])
    subprocess.run([sys.executable, f"{GOLDEN}/{writer}", GOLDEN + "/data", folder, *sizes], check=True)
    network, rule, batch_size = MODELS[model]
    path = f"{GOLDEN}/Inputs/{network}.mlir" if network else folder + "/model.mlir"
    return [blocks_run, "bench", path, "--serve", "--entry", "train", "--threads",
            str(threads), "--data", folder + "/data.hdf5", "--set-parameters", folder + "/weights.npz",
            "--step-rule", rule, "--batch-size", str(batch_size)]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("blocks_run")
    arguments.add_argument("--model", choices=sorted(MODELS), default="mlp")
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--rounds", type=int, default=9)
    arguments.add_argument("--seconds", type=float, default=0.5)
    arguments.add_argument("--peer", action="append", default=[])
    a = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = ours(a.model, a.blocks_run, a.threads, folder)
        workers = [Worker("blocks", command)] + [Worker(*peer.split("=", 1)) for peer in a.peer]
        for worker in workers:
            worker.calibrate(a.seconds)
        for k in range(a.rounds):
            for worker in workers[k % len(workers):] + workers[:k % len(workers)]:
                worker.measure()
        for worker in workers:
            ratios = [mine / other for mine, other in zip(workers[0].rates, worker.rates)]
            print(f"{worker.name:10s} {statistics.median(worker.rates):8.1f} steps/s "
                  f"({min(worker.rates):.1f} to {max(worker.rates):.1f}); blocks is {statistics.median(ratios):.2f} times "
                  f"as fast ({min(ratios):.2f} to {max(ratios):.2f}); {1e3 * statistics.median(worker.cpu):.1f} ms of "
                  f"processor time a step; first losses {worker.losses[:2]}")
            worker.process.stdin.write('{"cmd":"quit"}\n')
            worker.process.stdin.close()


main()
