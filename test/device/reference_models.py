"""The reference models (test/golden) as pack.sh and run.sh use them."""
import collections

Model = collections.namedtuple("Model", "writer arguments network rule batch_size trajectory steps tolerance")
CLIPPED = "step_clipping(threshold=5), scale(learning_rate=0.1)"
# The program that writes data and first weights, its further arguments, the network's file (None: the program writes it),
# step rule, batch size, the stored losses with how many and how closely (None: only timed).
MODELS = {
    "mlp": Model("mlp_files.py", ["DATA"], "mlp_tanh.mlir", "scale(learning_rate=0.1)", 128, "mlp-tanh-sgd", 20, 1e-5),
    "lenet": Model("lenet_files.py", ["DATA"], "lenet.mlir", "scale(learning_rate=0.05)", 128, "lenet-sgd", 20, 1e-4),
    "lstm_lm": Model("lstm_lm_files.py", ["DATA"], "lstm_lm.mlir", CLIPPED, 35, "lstm_lm-small", 20, 1e-4),
    "draw": Model("draw_files.py", ["DATA"], "draw.mlir", "adam(learning_rate=0.001)", 64, "draw", 20, 1e-4),
    "seq2seq": Model("seq2seq_files.py", ["DATA"], "seq2seq.mlir", "adam(learning_rate=0.001)", 30, "seq2seq-before", 8,
                     1e-4),
    "lstm_lm_medium": Model("lstm_lm_files.py", ["DATA"], None, CLIPPED, 35, None, 0, 0),
}
SHORT = ["mlp"]
