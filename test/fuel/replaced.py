"""A file that is replaced again and again while it is opened: what is read is one
of the files that it was, never a mixture of two."""
import os
import sys
import threading

from toolkit import check, made, path, run, status

target, next_one = made("set.hdf5"), made("next.hdf5")
with open(path("mnist_small.hdf5"), "rb") as f:
    plain = f.read()
shifted = bytes(4096) + plain  # The same behind a user block.
ended = threading.Event()


def replace(content):
    with open(next_one, "wb") as f:
        f.write(content)
    os.replace(next_one, target)


def keep_replacing():
    while not ended.is_set():
        for content in (shifted, plain):
            replace(content)
            ended.wait(0.007)


expected = []
for content in (plain, shifted):
    replace(content)
    expected.append(run("fuel-cat", target, "--json", "--batches", 2))
check(expected[0].returncode == 0 and expected[0].stdout == expected[1].stdout, "the same data: " + expected[1].stderr)
thread = threading.Thread(target=keep_replacing)
thread.start()
right = 0
for _ in range(40):
    ran = run("fuel-cat", target, "--json", "--batches", 2)
    right += ran.stdout == expected[0].stdout
    check(ran.stdout == expected[0].stdout or "times while it was opened" in ran.stderr, f"{ran.stdout}{ran.stderr}")
ended.set()
thread.join()
check(right > 0, "none was read")
sys.exit(status())
