"""What Hybrid and Exploration as printed are compared with: their rivals as printed too, or at least on raw values.

Dantzig is that of Kale et al. 2017, and RDA 2018 that of Ito et al. 2018, as their papers print them. The text of Ito
et al. 2017, with whose Algorithm 1 Murata and Suzuki compare, was not available: "RDA, raw values" is its
reconstruction, without the scaling that the library adds.
"""

from __future__ import annotations

from typing import Any

from ... import Dantzig, DualAveraging
from .by_the_letter import AS_PRINTED, PRINTED

RDA, RDA_2018, DANTZIG = "RDA", "RDA 2018", "Dantzig"
RDA_RAW = RDA + ", raw values"
RDA_2018_AS_PRINTED, DANTZIG_AS_PRINTED = RDA_2018 + AS_PRINTED, DANTZIG + AS_PRINTED
PRINTED_RIVALS = (RDA_RAW, RDA_2018_AS_PRINTED, DANTZIG_AS_PRINTED)
ON_RAW_VALUES = (*PRINTED, *PRINTED_RIVALS)


def printed_rival(name: str, budget: int, sparsity: int, noise: float, seed: int, **settings: float) -> Any:
    """A rival as printed, or the reconstruction of RDA on raw values; ``noise`` is an input of Dantzig alone."""
    given: dict[str, Any] = {"sparsity": sparsity, "random_state": seed, **settings}
    if name == DANTZIG_AS_PRINTED:
        return Dantzig.as_printed(budget, noise=noise, **given)
    if name == RDA_2018_AS_PRINTED:
        return DualAveraging.as_printed(budget, **given)
    return DualAveraging(budget, variant=2, scaling="none", shrink_to_mean=False, **given)
