"""Importing the published learners and the rivals loads no heavy package beyond what scikit-learn's base itself loads."""

import json
import subprocess
import sys

import pytest

import keyhole

HEAVY = [
    "matplotlib",
    "pandas",
    "scipy.optimize",
    "scipy.stats",
    "sklearn.impute",
    "sklearn.linear_model",
    "sklearn.model_selection",
]
# A bare package stands for ``keyhole``, so that nothing is loaded but what the sub-package asks for.
CODE = """
import importlib, json, sys, types
import numba, sklearn.base, sklearn.utils.validation
before = set(sys.modules)
package = types.ModuleType("keyhole")
package.__path__ = {path!r}
sys.modules["keyhole"] = package
importlib.import_module({name!r})
print(json.dumps(sorted(set(sys.modules) - before)))
"""


@pytest.mark.parametrize("name", ["keyhole.sampling", "keyhole.online", "keyhole.sparse", "keyhole.rivals"])
def test_no_heavy_package_is_imported(name):
    code = CODE.format(path=list(keyhole.__path__), name=name)
    loaded = json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout)
    assert f"{name}" in loaded
    assert not set(loaded) & set(HEAVY)
