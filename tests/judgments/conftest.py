"""Judgments that several tests share: a simulated crowd, random instances, and faces from the data folder."""

import os
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

FOLDER = Path(os.environ.get("KEYHOLE_DATA", "nowhere"))


@pytest.fixture(autouse=True, scope="session")
def _one_thread():
    """Two test processes on two cores: threads of BLAS would only wait for each other."""
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="session")
def crowd():
    """A function that simulates workers with severities who each judge many objects."""

    def simulate(
        seed=0,
        objects=120,
        workers=15,
        judgments=4,
        severity=1.0,
        halo=0.0,
        noise=1.0,
        attributes=("a", "b", "c"),
    ):
        """Columns object, attribute, value, worker, and labels by object.

        Each object is judged by some workers, who judge all its attributes. A value is the object's own, plus the
        worker's severity on that attribute, plus a halo that a worker gives to all attributes of an object.
        """
        rng = np.random.default_rng(seed)
        d = len(attributes)
        truth = rng.normal(size=(objects, d))
        worker_effect = severity * rng.normal(size=(workers, d))
        table = {"object": [], "attribute": [], "value": [], "worker": []}
        for i in range(objects):
            for w in rng.choice(workers, size=judgments, replace=False):
                shared = halo * rng.normal()
                for a in range(d):
                    table["object"].append(f"o{i}")
                    table["attribute"].append(attributes[a])
                    table["value"].append(float(truth[i, a] + worker_effect[w, a] + shared + noise * rng.normal()))
                    table["worker"].append(f"w{w}")
        labels = {f"o{i}": float(truth[i] @ np.arange(1, d + 1) + 0.1 * rng.normal()) for i in range(objects)}
        return table, labels

    return simulate


@pytest.fixture(scope="session")
def random_instance():
    """A function that draws judgments (objects, attributes, judgments) and labels."""

    def draw(seed, d=None, m=None, k=None):
        """Correlated attributes, noises and units of many sizes; often too few objects: Sigma needs repair."""
        rng = np.random.default_rng(seed)
        d = d or int(rng.integers(2, 9))
        m = m or int(rng.integers(8, 60))
        k = k or int(rng.integers(2, 5))
        truth = rng.normal(size=(m, 3)) @ rng.normal(size=(3, d)) + rng.uniform(0, 1) * rng.normal(size=(m, d))
        label = truth @ rng.normal(size=d) + rng.uniform(0, 2) * rng.normal(size=m)
        noise = rng.choice([0.0, 0.3, 1.0, 3.0], size=d)
        values = truth[:, :, None] + noise[:, None] * rng.normal(size=(m, d, k))
        return values * 10 ** rng.uniform(-1, 1, size=(d, 1)) + rng.normal(size=(d, 1)), label

    return draw


@pytest.fixture(scope="session")
def data_file():
    """A function that loads a data file from the folder KEYHOLE_DATA, or skips the test visibly."""

    def load(name):
        path = FOLDER / name
        if not path.exists():
            pytest.skip(f"{name} is not in KEYHOLE_DATA ({FOLDER})")
        return np.load(path)

    return load


@pytest.fixture
def faces(data_file):
    """Judgments of faces, which are not part of the package, and the names of their attributes."""
    data = data_file("omi_judgments_a.npz")
    return data["judgments"].astype(float), [str(name) for name in data["attributes"]]


@pytest.fixture(scope="session")
def few_objects():
    """14 objects with 12 attributes: so few that a projected loss is negative."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(14, 12))
    return truth[:, :, None] + rng.normal(size=(14, 12, 2)), truth[:, 0] + rng.normal(size=14)
