"""The convolutional example learns: after one epoch at least 83 % of the test set are right."""
from tools import *

done = run("blocks-run", "train", MODEL, "--data", DATA, "--valid-split", "test", "--epochs", 1, "--step-rule",
           "adam(learning_rate=0.001)", "--save-parameters", path("lenet.npz"), "--log", path("lenet.jsonl"), "--no-progress")
values = [json.loads(line) for line in open(path("lenet.jsonl"))][-1]["values"]
print(values)
assert values["test/error_rate"] <= 0.17, values
# Evaluation in another process and with another batch size finds the same.
event, = events(run("blocks-run", "eval", MODEL, "--parameters", path("lenet.npz"), "--data", DATA, "--split", "test",
                    "--batch-size", 1000, "--json"), "eval")
assert abs(event["values"]["test/error_rate"] - values["test/error_rate"]) < 1e-5, event
