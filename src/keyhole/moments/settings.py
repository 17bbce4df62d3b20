"""The iterations that fits may take, each number with its reason."""

# EM iterations of the model that is returned, and of its fold fits: with SQUAREM, more changed the error on MNIST with
# 4 pixels by less than the noise of the draws (benchmarks/keyhole_figures.py).
MAX_ITERATIONS = 60
# Those at a renewal of the policy, which needs a rough idea of the weights.
MAX_ITERATIONS_FOR_POLICY = 25
# The most rows on which the start is selected for a sparse predictor, whose policy is renewed more often.
MAX_ROWS_FOR_SPARSE = 500
