"""The reference models for a machine without the compiler: data, first weights, expected losses, and the object cache.

usage: models.py BUILD OUT ARCH LEVEL [--short]       (pack.sh; $BLOCKS_CACHE_DIR is the cache to fill)
"""
import json
import pathlib
import shutil
import subprocess
import sys

import numpy as np

from reference_models import MODELS, SHORT

build, out, arch, level = sys.argv[1:5]
GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"


def write(name, model):
    folder = pathlib.Path(out) / "models" / name
    folder.mkdir(parents=True)
    sizes = ["650"] if name == "lstm_lm_medium" else []
    subprocess.run([sys.executable, GOLDEN / model.writer, GOLDEN / "data", folder, *sizes], check=True)
    if model.network:
        shutil.copy(GOLDEN / "Inputs" / model.network, folder / "model.mlir")
    if model.trajectory:
        losses = np.load(GOLDEN / f"data/{model.trajectory}-traj.npz")["loss_jax64"][:model.steps]
        (folder / "losses.json").write_text(json.dumps([float(loss) for loss in losses]))
    else:
        (folder / "weights.npz").unlink()  # Large, and only needed for comparing numbers.
    return folder


def fill_cache(folder, model, device):
    """Compiles what run.sh's commands will ask for."""
    common = [folder / "model.mlir", "--data", folder / "data.hdf5", "--step-rule", model.rule, "--batch-size",
              str(model.batch_size), "--device", device, "--cpu-level", level]
    common += ["--cuda-arch", arch] if device == "cuda" else []
    subprocess.run([f"{build}/bin/blocks-run", "bench", *common, "--entry", "train", "--serve"], check=True,
                   input='{"cmd":"quit"}\n', text=True, stdout=subprocess.DEVNULL)
    if model.trajectory:
        subprocess.run([f"{build}/bin/blocks-run", "train", *common, "--scheme", "sequential", "--batches", "1",
                        "--no-progress"], check=True, stdout=subprocess.DEVNULL)


for name, model in MODELS.items():
    if "--short" in sys.argv and name not in SHORT:
        continue
    folder = write(name, model)
    fill_cache(folder, model, "cuda")
    if name == "mlp":
        fill_cache(folder, model, "cpu")
