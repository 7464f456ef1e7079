"""Running the tools from tests: arguments, exit status, events."""
import json
import os
import subprocess
import sys

BIN, MODEL, DATA, WORK = sys.argv[1:5]
REST = sys.argv[5:]
os.environ.setdefault("BLOCKS_CACHE_DIR", os.path.join(WORK, "cache"))


def run(*args, status=0, **kwargs):
    """Runs a tool and checks its exit status; returns the finished process."""
    command = [os.path.join(BIN, args[0]), *map(str, args[1:])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=550, **kwargs)
    if done.returncode != status:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}, expected {status}\n{done.stdout}\n{done.stderr}")
    return done


def events(done, kind=None):
    """The JSON events on a process's standard output."""
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [e for e in found if kind is None or e["event"] == kind]


def path(name):
    return os.path.join(WORK, name)


def remove(*names):
    for name in names:
        if os.path.exists(path(name)):
            os.unlink(path(name))
