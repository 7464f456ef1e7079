"""Finds checks in lit tests that nobody reads.

A CHECK line counts only if some RUN line feeds FileCheck with its prefix, and
an expected-error only if some RUN line passes -verify-diagnostics. Each test
must have a RUN line, and each prefix given to FileCheck must have a check.
Usage: lit_lint.py FOLDER..., the folders whose .mlir and .test files lit runs
"""
import pathlib
import re
import sys

SUFFIX = r"(?:-NEXT|-SAME|-LABEL|-DAG|-NOT|-EMPTY|-COUNT-\d+)?"
CHECK = re.compile(r"(?:^|//|#|;)\s*([A-Z][A-Z0-9_-]*?)" + SUFFIX + r"(?:\{[A-Z]+\})?:", re.MULTILINE)
OTHER = {"RUN", "REQUIRES", "UNSUPPORTED", "XFAIL", "NOTE", "TODO"}


def run_lines(text):
    """RUN lines with their continuations joined."""
    joined, open_line = [], False
    for line in re.findall(r"RUN:\s*(.*)", text):
        joined = joined[:-1] + [joined[-1][:-1] + line] if open_line else joined + [line]
        open_line = joined[-1].endswith("\\")
    return joined


def prefixes_read(runs):
    read = set()
    for run in runs:
        for call in re.split(r"[|;&]", run):
            if not re.search(r"\bFileCheck\b", call):
                continue
            given = re.findall(r"-check-prefix(?:es)?[= ](\S+)", call)
            read.update(p for g in given for p in g.split(",")) if given else read.add("CHECK")
    return read


def problems(path):
    text = path.read_text()
    runs = run_lines(text)
    if not runs:
        return ["has no RUN line"]
    read = prefixes_read(runs)
    written = {m.group(1) for m in CHECK.finditer(text)} - OTHER
    found = [f"{p}: lines are read by no FileCheck" for p in sorted(written - read)
             if p.startswith("CHECK") or re.search(rf"{re.escape(p)}-(NEXT|LABEL|NOT|SAME|DAG)", text)]
    found += [f"FileCheck reads {p}, but there is no {p}: line" for p in sorted(read - written)]
    if re.search(r"expected-(error|warning|note|remark)", text) and not any("-verify-diagnostics" in r for r in runs):
        found.append("has expected diagnostics, but no RUN line passes -verify-diagnostics")
    return found


def main(folders):
    bad = 0
    paths = [p for folder in folders for p in sorted(pathlib.Path(folder).rglob("*"))]
    for path in paths:
        if path.suffix in (".mlir", ".test") and not {"data", "Inputs"} & set(path.parts):
            for problem in problems(path):
                print(f"{path}: {problem}")
                bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
