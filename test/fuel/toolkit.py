"""What the Python tests of the loader share: the arguments, the tools, and
counted checks. A test ends with `sys.exit(toolkit.status())`."""
import os
import subprocess
import sys

scratch, data, tools = sys.argv[1:4]
_failures = []


def check(condition, what):
    if not condition:
        _failures.append(what)
        print("failed:", what, file=sys.stderr)


def status():
    return 1 if _failures else 0


def run(tool, *arguments, **options):
    """Runs a tool to its end; its output as text."""
    return subprocess.run([os.path.join(tools, tool), *map(str, arguments)], capture_output=True, text=True, **options)


def path(*parts):
    """Of a reference file."""
    return os.path.join(data, *parts)


def made(*parts):
    """Of a file of this test's own."""
    return os.path.join(scratch, *parts)
