"""PyTorch's training steps of the reference models on a GPU, for comparison (bench.py drives it).

usage: torch_peer.py MODEL [--compile] [--tf32] [--device cuda]      MODEL: mlp, lenet, lstm_lm, lstm_lm_medium, seq2seq
Speaks the line protocol of test/bench/mlp_step.py. Networks, batches' sizes and step rules are those of test/golden;
weights and data are made up. The batches lie on the GPU from the start. With "each" the loss is read after every step.
"""
import argparse
import json
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F


def mlp():
    net = nn.Sequential(nn.Linear(784, 500), nn.Tanh(), nn.Linear(500, 500), nn.Tanh(), nn.Linear(500, 10))
    return net, lambda x, y: F.cross_entropy(net(x), y), [(torch.rand(128, 784), torch.randint(10, (128,)))], 0.1


def lenet():
    net = nn.Sequential(nn.Conv2d(1, 20, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.ReLU(), nn.MaxPool2d(2),
                        nn.Flatten(), nn.Linear(800, 500), nn.ReLU(), nn.Linear(500, 10))
    return net, lambda x, y: F.cross_entropy(net(x), y), [(torch.rand(128, 1, 28, 28), torch.randint(10, (128,)))], 0.05


class LanguageModel(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.words, self.lstm, self.readout = nn.Embedding(10000, dim), nn.LSTM(dim, dim, 2), nn.Linear(dim, 10000)

    def forward(self, x, y, h, c):
        states, carried = self.lstm(self.words(x), (h, c))
        return F.cross_entropy(self.readout(states).flatten(0, 1), y.flatten(), reduction="sum") / 20, carried


def language_model(dim):
    net = LanguageModel(dim)
    carried = [None]

    def loss(x, y):
        if carried[0] is None:
            carried[0] = (torch.zeros(2, 20, dim, device=x.device),) * 2
        cost, state = net(x, y, *carried[0])
        carried[0] = tuple(s.detach() for s in state)
        return cost
    return net, loss, [tuple(torch.randint(10000, (35, 20)) for _ in range(2))], "clipped"


class Translation(nn.Module):
    def __init__(self, words=5000, embedding=128, dim=256):
        super().__init__()
        self.source, self.target = nn.Embedding(words, embedding), nn.Embedding(words, embedding)
        self.encoder = nn.GRU(embedding, dim, bidirectional=True)
        self.first = nn.Linear(dim, dim)
        self.cell = nn.GRUCell(embedding + 2 * dim, dim)
        self.prepare, self.ask, self.energy = nn.Linear(2 * dim, dim), nn.Linear(dim, dim, bias=False), nn.Linear(dim, 1)
        self.merge, self.readout = nn.Linear(dim + 2 * dim + embedding, dim), nn.Linear(dim, words)
        self.dim = dim

    def forward(self, src, yin, yout):
        attended, _ = self.encoder(self.source(src))
        prepared, fed = self.prepare(attended), self.target(yin)
        h, rows = torch.tanh(self.first(attended[0, :, self.dim:])), []
        for t in range(yin.shape[0]):
            weights = torch.softmax(self.energy(torch.tanh(prepared + self.ask(h))), 0)
            average = (weights * attended).sum(0)
            h = self.cell(torch.cat([fed[t], average], 1), h)
            rows.append(torch.cat([h, average, fed[t]], 1))
        logits = self.readout(torch.tanh(self.merge(torch.stack(rows))))
        return F.cross_entropy(logits.flatten(0, 1), yout.flatten())


def seq2seq():
    net = Translation()
    return net, net, [tuple(torch.randint(5000, (30, 32)) for _ in range(3))], "adam"


MODELS = {"mlp": mlp, "lenet": lenet, "lstm_lm": lambda: language_model(200), "lstm_lm_medium": lambda: language_model(650),
          "seq2seq": seq2seq}


class Peer:
    def __init__(self, a):
        self.device = torch.device(a.device)
        net, loss, batches, rule = MODELS[a.model]()
        net.to(self.device)
        self.batches = [tuple(part.to(self.device) for part in batch) for batch in batches]
        self.loss = torch.compile(loss) if a.compile else loss
        self.parameters = list(net.parameters())
        self.clip = rule == "clipped"
        self.optimizer = torch.optim.Adam(self.parameters, lr=1e-3, fused=self.device.type == "cuda") if rule == "adam" else \
            torch.optim.SGD(self.parameters, lr=rule if isinstance(rule, float) else 0.1)

    def step(self):
        self.optimizer.zero_grad(set_to_none=True)
        cost = self.loss(*self.batches[0])
        cost.backward()
        if self.clip:
            nn.utils.clip_grad_norm_(self.parameters, 5.0)
        self.optimizer.step()
        return cost

    def wait(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def run(self, n, each):
        for _ in range(2):
            self.step()
        self.wait()
        start = time.perf_counter()
        for _ in range(n):
            cost = self.step()
            if each:
                value = cost.item()
        value = cost.item()
        return {"elapsed": time.perf_counter() - start, "loss": value}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", choices=sorted(MODELS))
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--tf32", action="store_true")
    parser.add_argument("--device", default="cuda")
    a = parser.parse_args()
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = a.tf32
    start = time.perf_counter()
    peer = Peer(a)
    first = [float(peer.step().item()) for _ in range(3)]
    print(json.dumps({"event": "ready", "first_steps_s": time.perf_counter() - start, "losses": first,
                      "versions": {"torch": torch.__version__, "cuda": torch.version.cuda}}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if request["cmd"] == "quit":
            break
        print(json.dumps(peer.run(request["n"], request.get("each", False))), flush=True)


main()
