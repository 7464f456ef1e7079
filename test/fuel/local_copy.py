"""Local copies of data sets on other disks: made once, whatever happens to the
processes; anew after a change; refused loudly where they cannot be made."""
import os
import shutil
import signal
import subprocess
import sys
import time

import toolkit
from toolkit import check, data, scratch, tools

remote, local = os.path.join(scratch, "remote"), os.path.join(scratch, "local")
original, copy = os.path.join(remote, "mnist.hdf5"), os.path.join(local, "mnist.hdf5")
environment = {k: v for k, v in os.environ.items() if not k.startswith("FUEL_")}
environment.update(HOME=scratch, FUEL_DATA_PATH=remote, FUEL_LOCAL_DATA_PATH=local)


def start(name="mnist", **variables):
    return subprocess.Popen([os.path.join(tools, "fuel-cat"), name, "--json", "--batches", "3"], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(environment, **variables))


def run(name="mnist", **variables):
    process = start(name, **variables)
    out, err = process.communicate(timeout=100)
    return process.returncode, out, err


def fresh():
    for folder in (remote, local):
        if os.path.isdir(folder):
            os.chmod(folder, 0o755)
        shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(remote)
    shutil.copy(os.path.join(data, "mnist_small.hdf5"), original)


def same(a, b):
    with open(a, "rb") as x, open(b, "rb") as y:
        return x.read() == y.read()


fresh()
status, expected, err = run(FUEL_LOCAL_DATA_PATH="")
check(status == 0 and not err and not os.path.exists(local), "no copy without the setting: " + err)
status, out, err = run()
check(status == 0 and out == expected and "copying '" + original in err and same(original, copy), "the first: " + err)
check(sorted(os.listdir(local)) == ["mnist.hdf5", "mnist.hdf5.from", "mnist.hdf5.lock"], f"{os.listdir(local)}")
before = os.stat(copy)
status, out, err = run()
check(status == 0 and out == expected and not err and os.stat(copy) == before, "the second: " + err)
check(run(copy)[1:] == (expected, ""), "the copy itself is not copied")
check(run(os.path.join(data, "mnist_small.hdf5"))[1:] == (expected, ""), "nor what is not in the data path")
check(run(original)[1:] == (expected, ""), "a path in the data path is read from the copy")

# A changed original, and a damaged copy.
os.utime(original, (1, 1))
status, out, err = run()
check("copying" in err and out == expected, "another time of change: " + err)
with open(copy, "r+b") as f:
    f.truncate(50_000)
status, out, err = run()
check("copying" in err and out == expected, "a cut copy: " + err)
os.remove(copy)
check("copying" in run()[2] and same(original, copy), "a lost copy")

# Fuel's own copy is taken over; another file of that name is not touched.
fresh()
os.makedirs(local)
shutil.copy(original, copy)
status, out, err = run()
check(status == 0 and not err and os.path.exists(copy + ".from"), "adopted: " + err)
fresh()
os.makedirs(local)
shutil.copy(os.path.join(data, "dtypes.hdf5"), copy)
status, out, err = run()
check(status == 1 and "but is another file; remove or rename it" in err and "FUEL_LOCAL_DATA_PATH" in err, err)

# Two files of one name have no common copy, while both are there.
fresh()
second = os.path.join(remote, "other", "mnist.hdf5")
os.makedirs(os.path.dirname(second))
shutil.copy(os.path.join(data, "dtypes.hdf5"), second)
check(run(original)[0] == 0, "the first of two")
status, out, err = run(second)
check(status == 1 and original in err and second in err and "rename one" in err and same(original, copy), err)
os.remove(original)
status, out, err = run(second)
check(status == 0 and "copying '" + second in err and same(second, copy), "in the place of one that is gone: " + err)

# Paths that the system will not look at.
loop = os.path.join(scratch, "loop.hdf5")
if not os.path.islink(loop):
    os.symlink(loop, loop)
status, out, err = run(loop)
check(status == 1 and loop in err and "filesystem error" not in err, err)
status, out, err = run(second, FUEL_LOCAL_DATA_PATH=loop)
check(status == 1 and "cannot make the folder of local copies" in err, err)

# What cannot be is an error that says so, but for a disk that would be too full.
fresh()
open(local, "w").close()
status, out, err = run()
check(status == 1 and "cannot make the folder of local copies" in err and "the variable FUEL_LOCAL_DATA_PATH" in err, err)
os.remove(local)
fresh()
os.makedirs(local)
disk = os.statvfs(local)
try:
    os.truncate(original, int(disk.f_blocks * disk.f_frsize * 0.95))  # Bytes that are not there.
    status, out, err = run()
    check(status == 0 and out and "more than 90 % full; reading the original" in err and not os.path.exists(copy), err)
except OSError:
    print("this file system has no room for large sparse files")

# Several processes at once, and a larger file, so that it takes a while.
fresh()
with open(original, "ab") as f:
    f.write(bytes(60_000_000))
processes = [start() for _ in range(4)]
results = [process.communicate(timeout=100) for process in processes]
check(all(process.returncode == 0 for process in processes), f"{results}")
check(len({out for out, _ in results}) == 1 and results[0][0], "equal batches")
check(sum("copying '" + original in err for _, err in results) == 1, f"one copies: {[e for _, e in results]}")
check(same(original, copy), "the copy")

# Killed in the middle: the next one makes it, and nothing is left.
caught = 0
for attempt in range(10):
    shutil.rmtree(local)
    process = start()
    end = time.time() + 20
    while time.time() < end and process.poll() is None and not (
            os.path.isdir(local) and any(".tmp-" in name for name in os.listdir(local))):
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    caught += not os.path.exists(copy)
    status, out, err = run()
    check(status == 0 and out == results[0][0] and same(original, copy), "after a kill: " + err)
    check(sorted(os.listdir(local)) == ["mnist.hdf5", "mnist.hdf5.from", "mnist.hdf5.lock"], f"{os.listdir(local)}")
    if caught >= 2:
        break
check(caught > 0, "no kill came in the middle")
fresh()
sys.exit(toolkit.status())
