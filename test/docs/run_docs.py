"""Checks the documentation against the tree and the built tools.

    run_docs.py SOURCE BUILD WORK links      every relative link leads somewhere
    run_docs.py SOURCE BUILD WORK snippets   C++, CUDA C++ and models in pages stand in examples
    run_docs.py SOURCE BUILD WORK commands [PAGES]   every ```sh run block ends with status 0

A block that begins with ```sh run is executed by bash -e in a folder that looks
like the clone (docs, tools, test, build/bin). "```sh run fails" must end with status 1
or 2 and an error. Trainings are cut to a few batches: --epochs N becomes --batches 5N.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE, BUILD, WORK = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
PAGES_WITH_COMMANDS = sys.argv[5:] or ["README.md", "docs/quickstart.md", "docs/recipes.md", "docs/from-blocks.md"]


def pages():
    listed = subprocess.run(["git", "-C", SOURCE, "ls-files", "*.md"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [SOURCE / name for name in listed.stdout.split()]
    return [p for p in SOURCE.rglob("*.md") if "build" not in p.relative_to(SOURCE).parts[0]]


def without_code(text):
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)


def check_links():
    dead = []
    for page in pages():
        for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text())):
            name = target.split("#")[0]
            if name and "://" not in name and not (page.parent / name).exists():
                dead.append(f"{page.relative_to(SOURCE)}: {target}")
    return dead


def code_blocks(page, language):
    """(first line's number, words after the language, text) of each block."""
    text = (SOURCE / page).read_text()
    for match in re.finditer(rf"^```{language}( [^\n]*)?\n(.*?)^```$", text, flags=re.S | re.M):
        yield text[: match.start()].count("\n") + 2, (match[1] or "").split(), match[2]


def foreign_lines(page, language, *examples):
    """Line by line, without indentation and comments' alignment."""
    known = {line.strip() for example in examples for line in (SOURCE / example).read_text().splitlines()}
    return [f"{page}:{number + offset}: not in {', '.join(examples)}: {line.strip()}"
            for number, _, body in code_blocks(page, language)
            for offset, line in enumerate(body.splitlines())
            if line.strip() not in known | {"", "…"}]


def check_snippets():
    wrong = []
    for page in map(str, (p.relative_to(SOURCE) for p in pages())):
        wrong += foreign_lines(page, "cpp", "docs/examples/embed.cpp", "docs/examples/fuel_files.cpp")
        wrong += foreign_lines(page, "cuda", "docs/examples/user_kernel.cu")
    for page in "docs/bricks.md", "docs/dialect.md":
        wrong += foreign_lines(page, "mlir", "test/lib/Bricks/page-examples.mlir")
    return wrong + foreign_lines("docs/cuda.md", "mlir", "docs/examples/user_kernel.mlir")


def shortened(command):
    command = re.sub(r"--epochs (\d+)", lambda m: f"--batches {5 * int(m[1])} --log-every 5", command)
    return re.sub(r"^epochs = (\d+)", lambda m: f"batches = {5 * int(m[1])}\nlog-every = 5", command, flags=re.M)


def make_clone():
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "build").mkdir(parents=True)
    for name in ("docs", "tools", "test"):
        (WORK / name).symlink_to(SOURCE / name)
    (WORK / "build/bin").symlink_to(BUILD / "bin")


def run_commands():
    make_clone()
    environment = dict(os.environ, BLOCKS_CACHE_DIR=str(WORK / "cache"))
    wrong = []
    for page in PAGES_WITH_COMMANDS:
        for number, words, body in code_blocks(page, "sh"):
            if "run" not in words:
                continue
            done = subprocess.run(["bash", "-ec", shortened(body)], cwd=WORK, env=environment,
                                  capture_output=True, text=True, timeout=300)
            print(f"--- {page}:{number}: status {done.returncode}\n{done.stdout}{done.stderr}")
            refused = done.returncode in (1, 2) and "error:" in done.stderr
            if not (refused if "fails" in words else done.returncode == 0):
                wrong.append(f"{page}:{number}: ended with status {done.returncode}")
    return wrong


problems = {"links": check_links, "snippets": check_snippets, "commands": run_commands}[sys.argv[4]]()
sys.exit("\n".join(problems) if problems else 0)
