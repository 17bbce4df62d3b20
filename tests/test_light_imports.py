"""Importing the published learners and the rivals loads no heavy package that scikit-learn's base does not load."""

import json
import subprocess
import sys

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
for name in {names!r}:
    importlib.import_module(name)
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def test_no_heavy_package_is_imported():
    names = [f"keyhole.{room}" for room in ("sampling", "online", "sparse", "rivals")]
    code = CODE.format(path=list(keyhole.__path__), names=names)
    loaded = json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout)
    assert set(names) <= set(loaded)
    assert not set(loaded) & set(HEAVY)
