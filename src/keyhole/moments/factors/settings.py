"""The constants of the factor model, each with its reason.

They were chosen on the development splits (docs/evidence.md) of MNIST 3 vs 5, with 2 to 57 pixels per image, and of
breast cancer, with 4 tests; benchmarks/keyhole_figures.py measures what comes of them on other splits.
"""

# Rows of zeros that the prior on the loadings is worth, per factor: many factors with a strong prior had a lower error
# than few factors with a weak one.
LOADING_PRIOR = 1.0 / 24.0
# Observations of variance 1 that the prior on the noise is worth, per squared factor: no column is explained entirely.
NOISE_PRIOR = 1.0 / 81.0
# Standard errors of a correlation by which the noise of an attribute is taken larger in the predictor.
NOISE_CAUTION = 2.0
# The relative change of the loadings at which EM ends: twice as many iterations changed the error on MNIST by less
# than the noise of the draws.
TOLERANCE = 5e-4
# The standard deviation of the random loadings at the start.
START = 0.1
# Rows whose moments are held in memory at a time.
BLOCK_ROWS = 2048
# Pieces that a block is divided into for the cores, and the least rows or columns that make a piece. Both are fixed,
# so that sums are rounded alike whatever the number of cores.
PIECES, LEAST_PER_PIECE = 8, 128
# Bytes that the sums of one fit may take; several fits run at a time in cross-validation.
MAX_BYTES = 2**28
# Plain EM iterations before SQUAREM extrapolates: far from the end EM is fast, and extrapolates badly.
PLAIN_ITERATIONS = 10
# By which factor the longest extrapolation grows after a success, and how much larger than before it an iteration may
# be before the extrapolation is taken back.
GROWTH, DIVERGENCE = 4.0, 10.0
