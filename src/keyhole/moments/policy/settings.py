"""The constants of the policy, each with its reason.

They were chosen on the development splits (docs/evidence.md) of breast cancer, with 4 of 30 tests, and of MNIST 3 vs 5,
with 4 pixels per image; benchmarks/keyhole_figures.py and benchmarks/keyhole/sparse.py measure what comes of them on
other splits.
"""

# The share of the inclusion probabilities that is uniform: an attribute that appears useless now may not be.
UNIFORM_SHARE = 0.2
# The largest inclusion probability of an attribute: none is certain, so that every two attributes can come together.
LARGEST_PROBABILITY = 0.9
# How often every attribute is revealed, on average, before the weights found so far decide: earlier they are noise.
UNIFORM_REVEALS = 12
# The fewest rows of the uniform start.
LEAST_UNIFORM_ROWS = 32
# By which factor the number of rows grows between two designs; a sparse predictor is chosen again more often.
GROWTH, SPARSE_GROWTH = 2.0, 1.5
# By which factor rows must have grown since attributes were selected, before a sparse predictor relies on them.
SETTLED_GROWTH = 1.25
