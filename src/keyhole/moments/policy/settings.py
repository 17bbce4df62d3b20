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
# Where costs differ, some attributes are drawn less often than others. The uniform start is longer then, by a factor of
# at most LONGEST_START, so that attributes are revealed a share of these times if all wait for their own.
SHARE_OF_REVEALS, LONGEST_START = 0.5, 4
# By which factor the number of rows grows between two designs; a sparse predictor is chosen again more often.
GROWTH, SPARSE_GROWTH = 2.0, 1.5
# By which factor rows must have grown since attributes were selected, before a sparse predictor relies on them.
SETTLED_GROWTH = 1.25
# The part of the expected examples that the uniform start takes at most.
UNIFORM_PART = 3 / 8
# Where examples cannot show every offer so often, so many offers are asked for that each is shown REVEALS_OF_PART
# times, and at least LEAST_OFFERS for each offer that one example shows: on the table of gene expression (149 training
# rows, 500 attributes) 16, 32, 64 and 100 of them gave 0.59, 0.53, 0.69 and 0.81 times the mean's error.
LEAST_REVEALS, REVEALS_OF_PART, LEAST_OFFERS = 12, 18, 4
# Examples that show the fixed set of attributes before it is known what it is worth, the largest share of examples that
# does, and the least share that is worth a set.
FIXED_ROWS, FIRST_SHARE, LEAST_SHARE, LARGEST_SHARE = 60, 0.75, 0.1, 0.9
# An attribute joins the fixed set where at least this share of its variance is left by those before it: even channels
# of a spectrum that are almost equal differ by what matters.
LEAST_OWN_SHARE = 0.001
# The fewest rows from which a fixed set of attributes is selected.
LEAST_ROWS_FOR_FIXED_SET = 32
# The fewest examples that a layout begins with looking at, where a total pays for so many.
LEAST_ROWS_OF_LAYOUT = 120
# An offer that costs more than an example of the first size is asked for where the total pays so many times for it and
# all that cost less. On generated data (20 attributes, one at 50 times the cost of the others) that total paid 36 times
# for all: with the dear one 0.089 and without it 0.057 times the mean's error where it tells nothing of its own, 0.38
# and 0.57 where it explains half of the label. It cannot be known beforehand which is so.
REVEALS_OF_DEAR = 40
# What an example costs on average is counted from examples of the present size, and so many more that cost the most.
PRIOR_EXAMPLES = 4
# A pilot of complete examples costs at most this share of a total, and has at least and at most so many examples.
PILOT_SHARE, LEAST_PILOT_ROWS, MOST_PILOT_ROWS = 0.1, 5, 12
# With LEAST_PILOT_ROWS it costs up to this share, where the total pays for more complete examples than these have
# attributes, from which a label that is nearly exact can be learned almost completely (docs/notes.md has the figures).
LARGEST_PILOT_SHARE = 0.15
# How many examples of a pilot must show two columns together, on average, where cells of it are missing.
LEAST_ROWS_OF_PAIR = 4
# Complete examples are chosen where an attribute comes less often than this, its repetitions in others counted, and
# examples of twice the usual size where it comes less often than the second; and a size that was chosen before is kept
# until the number is beyond its bounds by this factor.
FEW_REPETITIONS, SOME_REPETITIONS, MARGIN_TO_CHANGE = 3.0, 5.0, 1.5
# The most columns whose correlations are estimated from pairs of cells; of more, so many are drawn at random.
MOST_COLUMNS_FOR_PAIRS = 1000
# How often every attribute is revealed, on average, before its spread decides, where attributes share a unit.
REVEALS_FOR_SPREAD = 3
# Fixed sets that are tried where attributes of the first are almost copies of each other, and the mean absolute
# correlation from which they are: of the spectra of meat (100 channels) a random set of 4 leaves 0.08 to 0.13 of the
# label's variance in a quarter of the cases, and 0.5 to 0.7 in another.
SETS_TRIED, ALMOST_COPIES = 3, 0.85
