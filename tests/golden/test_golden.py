"""No learner's numbers change unless they are meant to: see ``cases.py``."""

import json

import numpy as np
import pytest

from golden.cases import CASES, FILE, TABLES, computed, machine

# Elsewhere than where the file was written, sums are rounded in another order, and iterations end a little apart.
SAME_MACHINE, ELSEWHERE = 1e-10, 1e-6


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("case", CASES)
def test_numbers_are_those_of_the_golden_file(table, case):
    with np.load(FILE) as stored:
        same = json.loads(str(stored["machine"])) == machine()
        expected = {name: stored[name] for name in stored.files if name.startswith(f"{table}/{case}/")}
    found = computed(table, case)
    assert sorted(found) == sorted(expected)
    for name, value in expected.items():
        if value.dtype.kind != "f":
            np.testing.assert_array_equal(found[name], value, err_msg=name)
            continue
        tolerance = SAME_MACHINE if same else ELSEWHERE
        size = np.abs(value[np.isfinite(value)]).max(initial=1e-300)
        np.testing.assert_allclose(found[name], value, rtol=tolerance, atol=tolerance * size, err_msg=name)
