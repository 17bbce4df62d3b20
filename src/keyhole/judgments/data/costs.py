"""Files of costs and bundles."""

from __future__ import annotations

from ...errors import BadValue
from .files import FilePath, existing_file, numbers_of, place_in, read_columns
from .parsing import named, plain_id


def read_costs(path: FilePath) -> tuple[dict[str, float], dict[str, list[str]]]:
    """Read what judgments cost, and which attributes are bought together, from a file.

    Parameters
    ----------
    path : str or path-like
        A CSV or Parquet file with the columns attribute, cost and, if there are bundles, bundle. A bundle is paid
        for once: its cost stands in each of its rows, or in one of them.

    Returns
    -------
    costs : dict of str to float
        The cost of each attribute outside bundles and of each bundle, for ``MultiSelector(costs=...)``.
    bundles : dict of str to list of str
        The attributes of each bundle, for ``MultiSelector(bundles=...)``.

    Raises
    ------
    BadValue
        If a column or a cost is not there, a cost is not a number, or two rows contradict each other.

    Examples
    --------
    >>> import os, tempfile
    >>> from keyhole.judgments import read_costs
    >>> path = os.path.join(tempfile.mkdtemp(), "costs.csv")
    >>> with open(path, "w") as file:
    ...     print("attribute,cost,bundle", "age,4,", "male,1.5,face", "smiling,,face", sep="\\n", file=file)
    >>> read_costs(path)
    ({'age': 4.0, 'face': 1.5}, {'face': ['male', 'smiling']})
    """
    file = existing_file(path)
    table = read_columns(file, ("attribute", "cost"))
    bundle_of = table.get("bundle", [""] * len(table["attribute"]))
    costs: dict[str, float] = {}
    bundles: dict[str, list[str]] = {}
    numbers = numbers_of(file, table, "cost")
    for row, (attribute, bundle, cost) in enumerate(zip(table["attribute"], bundle_of, numbers, strict=True)):
        name = plain_id(attribute)
        if bundle and str(bundle).strip():
            name = plain_id(bundle)
            bundles.setdefault(name, []).append(plain_id(attribute))
        elif name in costs:
            raise BadValue(f"{place_in(file, table, row)}: the cost of {name!r} was given before")
        if cost == cost:
            if costs.get(name, cost) != cost:
                raise BadValue(
                    f"{place_in(file, table, row)}: bundle {name!r} costs {cost:g} here and {costs[name]:g} above; "
                    "it is paid for once, so its rows must have one cost"
                )
            costs[name] = float(cost)
        elif name not in bundles:
            raise BadValue(f"{place_in(file, table, row)}: attribute {name!r} has no cost")
    without = [name for name in bundles if name not in costs]
    if without:
        raise BadValue(f"{file}: there is no cost for {named('bundle', without)}; one row of each must have it")
    return costs, bundles
