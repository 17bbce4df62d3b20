"""Random draws of attributes, and sampling designs with exact inclusion probabilities.

| to draw | use |
|---|---|
| k of n, every subset equally likely | ``uniform_subset`` |
| one index by weight, the weights fixed | ``alias`` |
| one index by weight, the weights changing | ``sum_tree`` |
| the k largest of changing numbers | ``max_tree`` |
| several indices by weight | ``draw_with_replacement``, ``draw_without_replacement``, ``draw_distinct`` |
| k of d with exact inclusion probabilities pi_i and pi_ij | ``new_design``, ``design_subset``, ``joint_inclusion`` |
| within a cost, with exact inclusion probabilities | ``new_cost_design`` |
| attributes, some of them always and some in bundles, by such a design | ``Panels`` |

``inclusion_targets`` and ``cost_targets`` turn weights into the inclusion probabilities of a design.
"""

from . import alias, max_tree, sum_tree
from .alias import AliasTable, new_alias_table
from .cost_design import CostDesign, new_cost_design
from .design import Design, design_subset, joint_inclusion, new_design
from .panels import Panels
from .random import below, new_generator, next_uint64, uniform
from .subsets import uniform_subset
from .sum_tree import new_tree
from .targets import cost_targets, inclusion_targets
from .weighted import draw_distinct, draw_with_replacement, draw_without_replacement

__all__ = [
    "AliasTable",
    "CostDesign",
    "Design",
    "Panels",
    "alias",
    "below",
    "cost_targets",
    "design_subset",
    "draw_distinct",
    "draw_with_replacement",
    "draw_without_replacement",
    "inclusion_targets",
    "joint_inclusion",
    "max_tree",
    "new_alias_table",
    "new_cost_design",
    "new_design",
    "new_generator",
    "new_tree",
    "next_uint64",
    "sum_tree",
    "uniform",
    "uniform_subset",
]
