"""Assembles a model's device text for every architecture with NVIDIA's ptxas.

usage: ptxas.py MODEL.mlir [GRAPH...]: fails if an architecture refuses a kernel
or a kernel spills registers; prints the most registers that a kernel takes.
"""
import re
import subprocess
import sys
import tempfile

ARCHITECTURES = ["sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"]


def assemble(model, graphs, architecture):
    text = subprocess.run(["test-emit-ptx", model, architecture, *graphs],
                          check=True, capture_output=True, text=True).stdout
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(text)
        file.flush()
        run = subprocess.run(["ptxas", "-v", "-arch=" + architecture, file.name, "-o", "/dev/null"],
                             capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{architecture}: ptxas refuses the kernels of {model}:\n{run.stderr}")
    spills = [int(n) for n in re.findall(r"(\d+) bytes spill stores", run.stderr)]
    registers = [int(n) for n in re.findall(r"Used (\d+) registers", run.stderr)]
    if any(spills):
        sys.exit(f"{architecture}: a kernel of {model} spills registers:\n{run.stderr}")
    print(f"{architecture}: {len(registers)} kernels, at most {max(registers)} registers, "
          f"{len(text)} bytes, no spills")


for name in ARCHITECTURES:
    assemble(sys.argv[1], sys.argv[2:], name)
