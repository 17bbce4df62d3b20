"""Schemas of the estimators for judgments."""

from __future__ import annotations

from typing import Any

from ..judgments.core.offers import Offer
from ..judgments.data.columns import Columns
from .observed import NUMBER, TEXT
from .schema import Array, ListOf, Plain, Record, Schema, Store

NUMBERS = Array("float64", "d")
OFFER = Record(Offer, {"name": TEXT, "columns": Array("int64", None), "cost": NUMBER, "limit": NUMBER})


class Table(Schema):
    """Named columns of plain values."""

    def write(self, value: Columns, store: Store) -> Any:
        plain = Plain(str, int, float, bool)
        return [[name, [plain.write(one, store) for one in column]] for name, column in value.items()]

    def read(self, stored: Any, where: str, store: Store) -> Columns:
        plain = Plain(str, int, float, bool)
        columns = {str(name): [plain.read(one, f"{where}.{name}", store) for one in column] for name, column in stored}
        if len({len(column) for column in columns.values()}) > 1:
            raise ValueError(f"{where}: its columns differ in length; the file is damaged")
        return Columns(columns)


MULTI_SELECTOR: dict[str, Schema] = {
    "label_variance_": Plain(float),
    "covariance_with_label_": NUMBERS,
    "internal_variance_": NUMBERS,
    "external_variance_": NUMBERS,
    "external_covariance_": Array("float64", "d", "d"),
    "offers_": ListOf(OFFER),
    "repeats_": Array("int64", "d"),
    "spent_": Plain(float),
    "projected_loss_": Plain(float),
    "path_": Table(),
}
JUDGMENT_REGRESSOR: dict[str, Schema] = {
    "repeats_": Array("int64", "d"),
    "coef_": NUMBERS,
    "intercept_": Plain(float),
}
