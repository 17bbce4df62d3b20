"""The families there are."""

from __future__ import annotations

from .diagonal import Diagonal
from .factors import Factors
from .family import Family, Role
from .lasso import Lasso
from .mean import Mean
from .pairwise import Pairwise
from .panel import Panel
from .ridge import Ridge
from .sparse import Sparse

# In the order in which they are tried and named.
FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        Ridge(),
        Mean(),
        Factors(),
        Diagonal(),
        Pairwise(),
        Lasso(),
        Panel(),
        Sparse(),
    )
}


def families_with(role: Role) -> list[Family]:
    """The families of a role."""
    return [family for family in FAMILIES.values() if family.role is role]
