"""Times training steps of the reference MLP, interleaved with other programs that speak the line protocol.

usage: mlp_step.py BLOCKS_RUN [--threads N] [--rounds N] [--seconds S] [--peer NAME=COMMAND]...

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
        self.name, self.rates = name, []
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
        self.rates.append(self.steps / self.ask(cmd="run", n=self.steps)["elapsed"])


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("blocks_run")
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--rounds", type=int, default=9)
    arguments.add_argument("--seconds", type=float, default=0.5)
    arguments.add_argument("--peer", action="append", default=[])
    a = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, GOLDEN + "/mlp_files.py", GOLDEN + "/data", folder], check=True)
        ours = [a.blocks_run, "bench", GOLDEN + "/Inputs/mlp_tanh.mlir", "--serve", "--entry", "train", "--threads",
                str(a.threads), "--data", folder + "/mlp.hdf5", "--set-parameters", folder + "/mlp_weights.npz",
                "--step-rule", "scale(learning_rate=0.1)"]
        workers = [Worker("blocks", ours)] + [Worker(*peer.split("=", 1)) for peer in a.peer]
        for worker in workers:
            worker.calibrate(a.seconds)
        for k in range(a.rounds):
            for worker in workers[k % len(workers):] + workers[:k % len(workers)]:
                worker.measure()
        for worker in workers:
            ratios = [mine / other for mine, other in zip(workers[0].rates, worker.rates)]
            print(f"{worker.name:10s} {statistics.median(worker.rates):8.1f} steps/s "
                  f"({min(worker.rates):.1f} to {max(worker.rates):.1f}); blocks is {statistics.median(ratios):.2f} times "
                  f"as fast ({min(ratios):.2f} to {max(ratios):.2f}); first losses {worker.losses[:2]}")
            worker.process.stdin.write('{"cmd":"quit"}\n')
            worker.process.stdin.close()


main()
