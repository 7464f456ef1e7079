"""fuel-download against a local server that cuts, changes, lies and stalls: the
right file under its name, or an error and no file; never anything else."""
import hashlib
import os
import pty
import random
import resource
import shutil
import signal
import ssl
import subprocess
import sys
import time

import toolkit
from FaultyHttp import CUT, Server
from toolkit import check, scratch, tools

tool = os.path.join(tools, "fuel-download")
folder = os.path.join(scratch, "files")
content = random.Random(1).randbytes(1_500_000)
server = Server({"a.bin": content, "b.bin": content[::-1], "empty.bin": b""})
environment = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy") and not k.startswith("FUEL_")}
environment["HOME"] = scratch


def md5(text):
    return hashlib.md5(text).hexdigest()


def write_list(modes, name="a.bin", known=True, size=True, path="list.toml", extra=""):
    """A data set "set" of one file at the given places."""
    urls = ", ".join(f'"{m if "://" in m else server.url + m + "/" + name}"' for m in modes)
    wanted = server.http.files[name]
    path = os.path.join(scratch, path)
    with open(path, "w") as f:
        f.write(f'[set]\nsummary = "a set"\n[[set.files]]\nname = "{name}"\nurls = [{urls}]\n' +
                (f'md5 = "{md5(wanted)}"\n' if known else "") + (f"size = {len(wanted)}\n" if size else "") + extra)
    return path


def command(listed, *arguments):
    return [tool, "set", "-d", folder, "--list-file", listed, "--pause", "0.02", "--attempts", "3", *arguments]


def run(listed, *arguments, **keywords):
    return subprocess.run(command(listed, *arguments), capture_output=True, text=True, env=environment, **keywords)


def patience(modes):
    """Only servers that stall are given a second; any may be slow on a busy machine."""
    return ["--timeout", "1"] if modes[0] in ("silent", "mute") else []


def fresh():
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    server.taken()


def there(name="a.bin"):
    return sorted(os.listdir(folder)), open(os.path.join(folder, name), "rb").read() if name in os.listdir(folder) else None


def succeeds(modes, words=(), **keywords):
    """Returns the requests that the server saw."""
    ran = run(write_list(modes, **keywords), *patience(modes))
    name = keywords.get("name", "a.bin")
    check(ran.returncode == 0, f"{modes}: status {ran.returncode}, {ran.stderr}")
    for word in (words,) if isinstance(words, str) else words:
        check(word in ran.stderr, f"{modes}: '{word}' is missing in '{ran.stderr}'")
    files, found = there(name)
    check(found == server.http.files[name], f"{modes}: contents")
    check(files == ([name] if keywords.get("known", True) else [name, name + ".sha256"]), f"{modes}: left {files}")
    return server.taken()


def fails(modes, words, part=False, **keywords):
    ran = run(write_list(modes, **keywords), *patience(modes))
    check(ran.returncode == 1, f"{modes}: status {ran.returncode}, {ran.stderr}")
    for word in (words,) if isinstance(words, str) else words:
        check(word in ran.stderr, f"{modes}: '{word}' is missing in '{ran.stderr}'")
    files, found = there()
    check(found is None, f"{modes}: a file appeared")
    check(part == ("a.bin.part" in files), f"{modes}: left {files}")
    return server.taken()


# Whole, then again: nothing is fetched twice.
fresh()
check(len(succeeds(["whole"], "done, and right")) == 1, "one request")
check(succeeds(["whole"], "is there, and right") == [], "no request")
with open(os.path.join(folder, "a.bin"), "r+b") as f:
    f.write(b"?")
ran = run(write_list(["whole"]))
check(ran.returncode == 1 and "is there, but its checksum is md5" in ran.stderr, ran.stderr)
ran = run(write_list(["whole"]), "--clear")
check(ran.returncode == 0 and "removed" in ran.stdout and os.listdir(folder) == [], "clear")
fresh()
succeeds(["whole"], name="empty.bin")
fresh()
succeeds(["tohere"])

# Cut connections go on where they were; a server that cannot starts anew.
fresh()
seen = succeeds(["cut"], "going on after 300000 bytes")
check([r[2] for r in seen] == [None] + [f"bytes={n}-" for n in range(CUT, len(content), CUT)], f"ranges: {seen}")
check(all(r[3] == '"1"' for r in seen[1:]), "If-Range")
for mode, words in (("norange", "cannot go on in the middle"), ("changed", "the file there has changed"),
                    ("replaced", ""), ("wrongrange", "another part than asked for"),
                    ("joined", "its checksum is md5")):
    for known in (True, False):
        if known or mode != "joined":
            fresh()
            succeeds([mode], words, known=known)
fresh()
succeeds(["replaced"], "is another one now", known=False, size=False)
fresh()
succeeds(["pieces"], f"it ended after {2 * CUT} of {len(content)} bytes", known=False, size=False)
fresh()
succeeds(["shrunk"], "is another one now", known=False, size=False)
fresh()
succeeds(["huge", "whole"], "free some space", size=False)
fresh()
seen = succeeds(["unnamed"], known=False, size=False)
check([r[2] for r in seen] == [None, None], f"no resuming without a validator or checksum: {seen}")
fresh()
seen = succeeds(["unnamed"])
check(seen[1][2] == f"bytes={CUT}-", "a checksum is enough")

# Another mirror takes over, with what is there already.
fresh()
seen = succeeds(["missing", "whole"], "status 404")
check([r[0] for r in seen] == ["missing", "whole"], "mirrors")
fresh()
succeeds(["http://127.0.0.1:1/a.bin", "whole"])
fresh()
check([r[0] for r in succeeds(["broken", "whole"])] == ["broken"] * 3 + ["whole"], "attempts")
fresh()
check(len(succeeds(["flaky"], ("status 501", "status 502"))) == 3, "500, then right")
fresh()
seen = succeeds(["silent", "whole"], "time-out")
check(seen[-1][2] is not None, "what a silent server sent is kept")
fresh()
ran = run(write_list(["missing"]), "--mirror", server.url + "whole")
check(ran.returncode == 0 and [r[0] for r in server.taken()] == ["whole"], "--mirror")

# What is wrong is refused, and leaves no file.
for modes, words in ((["missing"], ("status 404", "Give another place with --mirror")), (["broken"], "status 500"),
                     (["short"], f"has {len(content) - 1} bytes there, expected {len(content)}"),
                     (["garbage"], "wrong checksum"), (["long"], "sends more than"), (["mute"], "time-out"),
                     (["tofile"], "something else than http"), (["loop"], "redirects")):
    fresh()
    fails(modes, words, part="long" in modes)
fresh()
fails(["page"], "a web page", known=False, size=False)
fails(["endless"], "does not say how long", known=False, size=False)
fails(["endless"], "wrong checksum", size=False)
fails(["endless"], "it ended after", part=True)  # Over and over: it ends.
fresh()
certificate = os.path.join(scratch, "own.pem")
if subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
                   "-keyout", certificate, "-out", certificate + ".crt"], capture_output=True).returncode == 0:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate + ".crt", certificate)
    secure = Server(server.http.files, tls)
    fails([secure.url + "whole/a.bin"], "certificate")
    ran = run(write_list([secure.url + "whole/a.bin"]), "--cacert", certificate + ".crt")
    check(ran.returncode == 0 and there()[1] == content, ran.stderr)
    server.http.secure, secure.http.plain = secure.url, server.url
    for arguments in (["--mirror", server.url + "tosecure"], ["--mirror", secure.url + "toplain"],
                      ["--mirror", secure.url.replace("https", "HTTPS") + "toplain"]):
        fresh()
        ran = run(write_list(["missing"]), "--cacert", certificate + ".crt", *arguments)
        check("from https to http" in ran.stderr and there()[1] is None, f"{arguments}: {ran.stderr}")
        check("whole" not in [r[0] for r in server.taken()], f"{arguments}: asked in the clear")
    secure.close()

# Without a checksum the first download is trusted, and recorded.
fresh()
succeeds(["whole"], "recorded sha256 " + hashlib.sha256(content).hexdigest(), known=False, size=False)
check(subprocess.run(["sha256sum", "-c", "a.bin.sha256"], cwd=folder, capture_output=True).returncode == 0, "sha256sum")
succeeds(["whole"], "is there, and right", known=False)
os.remove(os.path.join(folder, "a.bin"))
fails(["garbage"], "as first recorded in", known=False)
succeeds(["whole"], known=False)


# Interrupted and killed: the part stays, and is gone on with.
def interrupted(send):
    fresh()
    process = subprocess.Popen(command(write_list(["drip"])), env=environment, stderr=subprocess.PIPE, text=True)
    part = os.path.join(folder, "a.bin.part")
    end = time.time() + 60
    while time.time() < end and not (os.path.exists(part) and os.path.getsize(part) > 200_000):
        time.sleep(0.01)
    second = run(write_list(["drip"]))
    check(second.returncode == 1 and "another process is downloading" in second.stderr, second.stderr)
    process.send_signal(send)
    text = process.communicate(timeout=60)[1]
    check(there()[1] is None and os.path.getsize(part) > 0, "the part stays")
    return process.returncode, text


for send, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)):
    code, text = interrupted(send)
    check(code == status, f"{send}: status {code}")
    check(status < 0 or "call again" in text, text)
    server.taken()
    server.http.counts["drip"] = 1
    seen = succeeds(["drip"], "going on after")
    check(len(seen) == 1 and seen[0][2] and seen[0][3] == '"1"', f"resumed: {seen}")

# Paths that the system will not look at.
loop = os.path.join(scratch, "loop")
if not os.path.islink(loop):
    os.symlink(loop, loop)
for place in (os.path.join(scratch, "x" * 300), loop):
    ran = subprocess.run([tool, "set", "-d", place, "--list-file", write_list(["whole"])], capture_output=True, text=True,
                         env=environment)
    check(ran.returncode == 1 and f"cannot read '{place}'" in ran.stderr, ran.stderr)

# A bar is for whoever looks on.
fresh()
master, slave = pty.openpty()
ran = subprocess.run(command(write_list(["whole"])), stdout=subprocess.PIPE, stderr=slave, env=environment)
os.close(slave)
drawn = b""
while True:
    try:
        drawn += os.read(master, 65536)
    except OSError:  # Nobody writes any more.
        break
os.close(master)
check(ran.returncode == 0 and b"\r" not in ran.stdout, f"{ran.stdout}")
check(f"\ra.bin: [{'#' * 30}] 100% {len(content)}/{len(content)} ".encode() in drawn, f"no bar: {drawn}")
check(b"\x1b[K" in drawn and b"a.bin: done, and right" in drawn, f"{drawn}")
fresh()
ran = run(write_list(["whole"]))
check("\r" not in ran.stderr and "#" not in ran.stderr and "\x1b" not in ran.stderr, ran.stderr)

# A full disk.
fresh()
ran = run(write_list(["whole"]), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (700_000, 700_000)))
check(ran.returncode == 1 and "cannot write" in ran.stderr and there()[1] is None, ran.stderr)
seen = succeeds(["whole"], "going on after 700000 bytes")

# What the lists say, and what they may not.
fresh()
for arguments, words, status in (
        (["--list"], "svhn 1|2", 0), (["svhn", "--list"], "e26dedcc434d2e4c54c9b2d4a06d8373", 0), (["nonsense"], "expected one of: adult", 2),
        ([], "no data set was named", 2), (["svhn"], "has parts; expected 1 or 2", 2),
        (["svhn", "3"], "no part '3'; expected 1 or 2", 2), (["mnist", "2"], "no part '2'", 2),
        (["ilsvrc2012", "-d", folder], "registered users", 1), (["youtube_audio", "--youtube-id", "abc"], "yt-dlp -f", 1),
        (["mnist", "-d", "/nowhere"], "does not exist", 1), (["--help"], "Examples:", 0)):
    ran = subprocess.run([tool, *arguments], capture_output=True, text=True, env=environment)
    check(ran.returncode == status and words in ran.stdout + ran.stderr, f"{arguments}: {ran.returncode} {ran.stderr}")
listed = write_list([], extra="registered = true\n")
ran = run(listed, "-P", server.url + "whole")
check(ran.returncode == 0 and there()[1] == content, ran.stderr)
fresh()
ran = run(listed, "-P", server.url.replace("//", "//me:secret@") + "private/")
check(ran.returncode == 0 and there()[1] == content and "secret" not in ran.stderr, "credentials: " + ran.stderr)
ran = subprocess.run([tool, "set", "--list"], capture_output=True, text=True,
                     env=dict(environment, FUEL_EXTRA_DOWNLOADS=listed))
check("a.bin" in ran.stdout, "extra_downloads: " + ran.stderr)
ran = subprocess.run([tool, "--list", "--list-file", listed, "--list-file", listed], capture_output=True, text=True,
                     env=environment)
check(ran.returncode == 2 and "two lists have" in ran.stderr, ran.stderr)
for text, words in (('[s]\n[[s.files]]\nname="../x"\nurls=["http://h/x"]', "without folders"),
                    ('[s]\n[[s.files]]\nname="-x"\nurls=["http://h/x"]', "without folders"),
                    ('[s]\n[[s.files]]\nname="x"\nurls=["ftp://h/x"]', "does not begin with http"),
                    ('[s]\n[[s.files]]\nname="x"', "has no URL"), ("[s]", "has no files"), ("s = 1", "expected a table"),
                    ('[s]\n[[s.files]]\nname="x"\nurls=["http://h/x"]\nmd5="12"', "32 hexadecimal digits"),
                    ('[s]\n[[s.files]]\nname="x"\nurls=["http://h/x"]\nsize=-1', "not a number of bytes"),
                    ('[s]\n[[s.files]]\nname="x"\nurls=["http://h/x"]\nvariant="1"', "none of the variants"),
                    ("[s]\nmirror = 3", "there is no entry 'mirror'"), ("[s", "line 1")):
    path = os.path.join(scratch, "wrong.toml")
    with open(path, "w") as f:
        f.write(text + "\n")
    ran = subprocess.run([tool, "--list", "--list-file", path], capture_output=True, text=True, env=environment)
    check(ran.returncode == 1 and words in ran.stderr and "wrong.toml" in ran.stderr, f"{text}: {ran.stderr}")
server.close()
sys.exit(toolkit.status())
