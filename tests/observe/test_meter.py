import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import keyhole as kh
from keyhole.observe import PlainAttributes

reveals = st.lists(st.tuples(st.integers(0, 3), st.sets(st.integers(0, 5), min_size=1)), max_size=30)


@given(reveals, st.integers(1, 6))
def test_meter_against_a_set_of_cells(reveals, budget):
    meter, paid, draws = kh.Meter(budget, PlainAttributes(6)), {e: set() for e in range(4)}, 0
    for example, attributes in reveals:
        chosen = np.array(sorted(attributes))
        if len(paid[example] | attributes) > budget:
            with pytest.raises(kh.BudgetExceeded):
                meter.charge(example, chosen)
        else:
            meter.charge(example, chosen)
            paid[example] |= attributes
            draws += len(attributes)
    cells = [(e, i) for e in paid for i in paid[e]]
    assert (meter.total, meter.distinct, meter.cost) == (draws, len(cells), len(cells))
    assert meter.max_per_example == max(map(len, paid.values()))
    assert meter.n_examples == sum(map(bool, paid.values()))
    np.testing.assert_array_equal(meter.per_attribute, np.bincount([i for _, i in cells], minlength=6))


def test_a_copy_is_independent_and_a_settled_example_is_forgotten():
    meter = kh.Meter(2, PlainAttributes(4))
    meter.charge(0, np.array([0, 1]))
    twin = meter.copy()
    twin.charge(1, np.array([3]))
    assert (meter.distinct, twin.distinct) == (2, 3)
    meter.settle(0)
    meter.charge(0, np.array([2, 3]))  # another example with the same number
    assert meter.n_examples == 2
    assert meter.mean_per_example == 2
    assert "4 cells" in repr(meter)


def test_without_a_budget_everything_is_counted_and_nothing_stopped():
    meter = kh.Meter(None, PlainAttributes(4))
    meter.charge(0, np.arange(4))
    assert meter.max_per_example == 4
