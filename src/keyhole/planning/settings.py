"""The constants of planning, each with its reason."""

# The fewest examples of a pilot: with fewer, the explained share of the label is not known at all. Below the second
# number a warning says that intervals are wide.
LEAST_PILOT, SMALL_PILOT = 12, 30
# By how much a correlation may differ from 1 where an attribute equals the label.
ROUNDING = 1e-9
# The most examples of a pilot that the model of the label is fitted to: its cost grows with their cube.
MOST_PILOT = 800
# The fewest examples of a design. A predictor from fewer is hardly one.
LEAST_EXAMPLES = 5

# The fewest examples for each weight of a screened panel, and the share of the examples that its regression has: of a
# regression on almost as many examples as attributes, or on fewer, the error varies too much to be chosen by a plan.
LEAST_ROWS_PER_WEIGHT, SHARE_OF_PANEL = 2, 0.6

# Costs per example that are compared, at equal distances on the logarithm; more where there are many attributes.
SPENDS, SPENDS_WIDE, WIDE = 5, 6, 100
# The fewest tests of an example for Keyhole's own learner, which learns from pairs of them.
LEAST_TESTS = 2

# Worlds that designs are simulated in. With 16, a plan for 30 attributes takes less than a minute on two cores.
WORLDS = 16
# Candidates for each world: one of them is drawn from each stratum of the share of noise.
CANDIDATES = 8
# How often the missing cells of a partial pilot are drawn.
COMPLETIONS = 4
# Simulated studies of a design in a world; of the own learner's designs, which take long, there is one.
STUDIES = 3
# Examples that a world predicts, of which it knows the expected label exactly.
TEST_EXAMPLES = 1000
# The parts of the total cost at which learning curves are simulated besides the whole, in every third world.
PARTS, CURVE_EVERY = (0.125, 0.25, 0.5), 3

# The level of intervals, and the ratio of errors below which a difference is too small to matter.
LEVEL, MATTERS = 0.9, 1.02

# The shares of the label's variance that the prior of the weights gives to the attributes, by their log-odds.
LOG_ODDS = (-4.0, 8.0, 25)
# How the covariance of the weights may depend on that of the attributes: sums of its powers, each with its share of the
# explained variance. With the power 2 the label follows what most attributes have in common; with 0 all standardised
# attributes are alike; below 0 the directions in which attributes vary little matter more.
SPECTRA = (
    {2.0: 1.0},
    {1.0: 1.0},
    {0.0: 1.0},
    {-0.5: 1.0},
    {2.0: 0.8, 0.0: 0.2},
    {2.0: 0.9, -0.5: 0.1},
    {2.0: 0.7, -0.5: 0.3},
)
# Where few attributes matter most, the ratio of the variance that the small weights of all others explain to that of
# the noise.
BACKGROUNDS = (0.0, 0.3, 1.5)
# Designs within this ratio of the smallest expected error are as good as it, for the design that is recommended.
TOLERANCE = 1.05
# The standard deviation of the logarithm of an error by which worlds are wrong as models of what they stand for:
# attributes are not normal, and labels not linear. By the development runs of benchmarks/planning.py.
MODEL_ERROR = 0.05
# Parts of a pilot for simulating designs on the pilot itself: each is predicted from the others.
FOLDS = 5
# The standard deviation over tables of the logarithm by which expected errors from worlds are wrong. By
# benchmarks/planning.py it is about 0.3 for the own learner on breast cancer, 0.1 on the CT slices, and 0.05 or less on
# generated tables.
WRONG_WORLDS = 0.15
