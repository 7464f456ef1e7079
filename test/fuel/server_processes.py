"""Real processes of fuel-server and fuel-cat under faults at random moments: either
is killed or stopped for longer than the other waits, both are killed, a client is
slow, has a wrong key, or the port is taken. What a client prints, over all its
lives, is what one undisturbed process prints; or there is an error within the time
limit.

  server_processes.py SCRATCH DATA TOOLS [FAULTS [SEED]]

The suite runs each fault once. The long form takes their number and a seed.
"""
import os
import random
import signal
import subprocess
import sys
import time

from toolkit import check, made, path, run, scratch, status, tools

faults = int(sys.argv[4]) if len(sys.argv) > 4 else 0
seed = int(sys.argv[5]) if len(sys.argv) > 5 else int(time.time())
rng = random.Random(seed)
print("seed", seed)

STREAM = ["--scheme", "shuffled", "--seed", "3", "--batch-size", "1", "--transform", "scale_and_shift(scale=1/255,which=features)"]
FILE, KEY, OTHER = path("mnist_small.hdf5"), made("key"), made("other-key")
EPOCHS, TIMEOUT, LIMIT = "2", 1.0, 120


def make_keys():
    for name in (KEY, OTHER):
        if not os.path.exists(name):
            run("fuel-server", "--make-key", name, check=True)


class Server:
    def __init__(self, port=0, key=False):
        self.key = key
        self.start(port)

    def start(self, port):
        command = [tools + "/fuel-server", FILE, *STREAM, "--port", str(port), "--timeout", str(TIMEOUT), "--quiet",
                   "--workers", rng.choice("012")] + (["--key", KEY] if self.key else [])
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def restart(self):
        self.kill()
        time.sleep(rng.random() * 0.2)
        self.start(self.port)

    def pause(self, seconds):
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        self.process.terminate()
        check(self.process.wait(LIMIT) == 0, "the server's end")
        self.process.stdout.close()

    def address(self, reconnect=LIMIT, key=KEY):
        return (f"tcp://127.0.0.1:{self.port}?timeout={TIMEOUT}&reconnect={reconnect}&depth={rng.choice([1, 2, 8])}"
                + (f"&key={key}" if self.key else ""))


class Client:
    """A process of fuel-cat. What it printed is kept, also when it was killed."""

    def __init__(self, address, *arguments):
        self.output = made("output")
        self.file = open(self.output, "w")
        self.errors = open(made("errors"), "w+")
        self.process = subprocess.Popen([tools + "/fuel-cat", address, "--json", "--epochs", EPOCHS, *map(str, arguments)],
                                        stdout=self.file, stderr=self.errors)

    def pause(self, seconds):
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        self.process.kill()
        self.process.wait()
        return self.lines()

    def end(self, what, expected=0):
        """Waits for the end, checks the status, and returns the lines."""
        try:
            found = self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            found = "none in time"
            self.kill()
        self.errors.seek(0)
        self.message = self.errors.read()
        check(found == expected, f"{what}: status {found}, expected {expected}: {self.message}")
        return self.lines()

    def refused(self):
        """Whether the server ended before the client was received: an error that
        says so, and nothing printed. Later ends are reconnected from."""
        try:
            found = self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            return False
        with open(made("errors")) as file:
            message = file.read()
        return found == 1 and os.path.getsize(self.output) == 0 and "127.0.0.1:" in message

    def lines(self):
        """Whole lines only: a killed process may leave a part of one."""
        self.file.close()
        with open(self.output) as file:
            return [line for line in file.read().splitlines(keepends=True) if line.endswith("\n")]


def exact(found, what):
    check(found == whole, f"{what}: {len(found)} lines, expected {len(whole)}, equal to the first "
          f"{next((i for i, (a, b) in enumerate(zip(found, whole)) if a != b), min(len(found), len(whole)))}")


def survives(client, what):
    if not client.refused():
        exact(client.end(what), what)


def moment():
    time.sleep(rng.random() * duration)


#===-- Faults ---------------------------------------------------------------===#

def server_killed(server):
    client = Client(server.address())
    moment()
    server.restart()
    survives(client, "server killed")


def server_stopped(server):
    client = Client(server.address())
    moment()
    server.pause(TIMEOUT * (1.2 + rng.random()))
    survives(client, "server stopped")


def server_gone(server):
    """Without reconnecting there is an error in time, and a prefix."""
    client = Client(server.address(reconnect=0))
    moment()
    if client.process.poll() is None:
        rng.choice([server.kill, lambda: server.process.send_signal(signal.SIGSTOP)])()
        began = time.time()
        found = client.process.wait(LIMIT)
        check(time.time() - began < TIMEOUT + 3, "server gone: the error came late")
        lines = client.lines()
        check(lines == whole[:len(lines)], "server gone: what was printed before")
        check(found == 1 or (found == 0 and len(lines) == len(whole)), f"server gone: status {found}")
        if found == 1:
            with open(made("errors")) as file:
                check(str(server.port) in file.read(), "server gone: the error names no port")
    else:
        exact(client.end("server gone"), "server gone")
    server.restart()


def pieces(server, disturb):
    """A client that saves its state every so often, and is killed in between."""
    lines, state = [], made("state")
    while len(lines) < len(whole):
        resume = ["--resume", state] if lines else []
        step = min(rng.randrange(40, 200), len(whole) - len(lines))
        client = Client(server.address(), *resume, "--batches", step, "--save-state", state + ".new")
        if rng.random() < 0.5:
            time.sleep(rng.random() * duration / 4)
            disturb(server)
            unsaved = client.kill()
            if not os.path.exists(state + ".new"):
                check_bodies(unsaved, lines)
                continue
        else:
            unsaved = client.end("a piece")
        if not os.path.exists(state + ".new"):
            return  # Told already.
        os.replace(state + ".new", state)
        lines += unsaved
    check([body(line) for line in lines] == bodies, "client killed: all its pieces")


def body(line):
    """Without the numbers of batch and epoch, which count from a process's start."""
    return line[line.index('"request"'):]


def check_bodies(unsaved, lines):
    start = len(lines)
    check([body(line) for line in unsaved] == bodies[start:start + len(unsaved)], "client killed: what it had printed")


def client_killed(server):
    pieces(server, lambda server: None)


def both_killed(server):
    pieces(server, lambda server: server.restart())


def client_stopped(server):
    client = Client(server.address())
    moment()
    client.pause(TIMEOUT * (1.2 + rng.random()))
    survives(client, "client stopped")


def client_slow(server):
    client = Client(server.address())
    for _ in range(6):
        client.pause(rng.random() * TIMEOUT / 4)
        time.sleep(rng.random() * duration / 10)
    exact(client.end("client slow"), "client slow")


def wrong_key(server):
    began = time.time()
    client = Client(server.address(reconnect=0, key=OTHER))
    check(client.end("wrong key", 1) == [], "wrong key: something was printed")
    check(time.time() - began < 5 and "key" in client.message, f"wrong key: {client.message}")
    exact(Client(server.address()).end("right key"), "right key")


def port_taken(server):
    began = time.time()
    ran = run("fuel-server", FILE, "--port", server.port, timeout=LIMIT)
    check(ran.returncode == 1 and str(server.port) in ran.stderr and time.time() - began < 5, f"port taken: {ran}")


ordinary = [server_killed, server_stopped, server_gone, client_killed, both_killed, client_stopped, client_slow, port_taken]
make_keys()
whole = run("fuel-cat", FILE, "--json", "--epochs", EPOCHS, *STREAM, check=True).stdout.splitlines(keepends=True)
bodies = [body(line) for line in whole]
plain, locked = Server(), Server(key=True)
began = time.time()
exact(Client(plain.address()).end("undisturbed"), "undisturbed")
duration = time.time() - began
done, verbose = {}, os.environ.get("VERBOSE")
for number in range(faults or len(ordinary) + 1):
    server = rng.choice([plain, locked])
    fault = rng.choice(ordinary + [wrong_key]) if faults else [*ordinary, wrong_key][number]
    began = time.time()
    fault(locked if fault is wrong_key else server)
    if verbose:
        print(f"{fault.__name__}: {time.time() - began:.2f} s", flush=True)
    done[fault.__name__] = done.get(fault.__name__, 0) + 1
plain.stop()
locked.stop()
print(sum(done.values()), "faults:", done)
sys.exit(status())
