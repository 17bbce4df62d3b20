"""What figures and tables have in common: the labels, the budgets, and remarks on data that is not the paper's."""

from __future__ import annotations

# The two labels of the figures: like height and weight, they are quantities that a photo shows.
FIRST, SECOND = "age", "weight"
BUDGETS = [5, 10, 20, 40]  # judgments of a face
PREDICTOR_BUDGETS = {FIRST: 35, SECOND: 50}  # the sums of the judgments of the paper's two predictors
OTHER_DATA = "On other data: impressions of faces, not the paper's photos."
ON_FRAGMENT = "On the first 682 slices of 53,500, of 2 patients: not the paper's figure."
SPLITS = (
    " Repeats are chosen, as printed, from 2 judgments of each attribute; then each attribute is judged as often as"
    " chosen, and least squares is tested on other objects; mean and standard error over random splits."
)
